package journal

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"framescope/internal/testkit"
	"framescope/internal/testkit/journaltest"
	"framescope/net/journal/disk"
)

// number returns data record n; each has another length.
func number(n int) []byte {
	return binary.LittleEndian.AppendUint64(bytes.Repeat([]byte{byte(n)}, n%50), uint64(n))
}

// read is everything that is read from a session.
type read struct {
	data    []int // numbers of data records
	defs    []string
	holes   []Hole
	evicted Evicted
	end     *End
	damage  []Damage
}

// readAll reads a session from its beginning to its end.
func readAll(t testing.TB, fsys disk.FS, path string) (out read) {
	t.Helper()
	r := testkit.Must(OpenOn(fsys, path))(t)
	defer r.Close()
	r.Finish()
	err := each(r, func(rec *Record) { out.take(t, rec) })
	testkit.MustThat(t, err == io.EOF, "%v", err)
	out.damage, _ = r.Damage()
	return out
}

func (out *read) take(t testing.TB, rec *Record) {
	t.Helper()
	switch rec.Kind {
	case KindData:
		n := int(binary.LittleEndian.Uint64(rec.Payload[max(0, len(rec.Payload)-8):]))
		testkit.MustThat(t, bytes.Equal(rec.Payload, number(n)), "record %d is not what was written", n)
		out.data = append(out.data, n)
	case KindDefinition:
		out.defs = append(out.defs, string(rec.Key)+"="+string(rec.Payload))
	case KindHole:
		var h Hole
		testkit.OK(t, rec.Decode(&h))
		out.holes = append(out.holes, h)
	case KindEvicted:
		testkit.OK(t, rec.Decode(&out.evicted))
	case KindEnd:
		out.end = &End{}
		testkit.OK(t, rec.Decode(out.end))
	}
}

// each calls f with each record, and returns why there are no more.
func each(r *Reader, f func(*Record)) error {
	for {
		rec, err := r.Next()
		if err != nil {
			return err
		}
		f(&rec)
	}
}

// latest is the newest definition of each key.
func (out *read) latest() map[string]string {
	latest := map[string]string{}
	for _, d := range out.defs {
		key, value, _ := strings.Cut(d, "=")
		latest[key] = value
	}
	return latest
}

// isRun tells whether data are the numbers from, from+1, … to-1.
func isRun(data []int, from, to int) bool {
	if len(data) != to-from {
		return false
	}
	for i, n := range data {
		if n != from+i {
			return false
		}
	}
	return true
}

// eachFS runs a test on disk and in memory.
func eachFS(t *testing.T, test func(t *testing.T, fsys disk.FS, dir string)) {
	t.Run("disk", func(t *testing.T) { test(t, disk.System, t.TempDir()) })
	t.Run("memory", func(t *testing.T) { test(t, journaltest.NewMemory(), filepath.FromSlash("/j")) })
}

func finish(t testing.TB, w *Writer) {
	t.Helper()
	w.Close("done")
	testkit.OK(t, w.Wait(30*time.Second))
}

func TestWithoutData(t *testing.T) {
	dir := t.TempDir()
	root := OpenRoot(dir, RootOptions{})
	w := root.Create(Meta{Source: "test"}, Options{})
	w.Define("a", []byte("1"))
	finish(t, w)
	left, _ := os.ReadDir(dir)
	testkit.That(t, len(left) == 0, "there is %v", left)
}

// The oldest segments leave; what they defined stays, of each key the newest.
func TestOldestSegmentsLeave(t *testing.T) {
	eachFS(t, func(t *testing.T, fsys disk.FS, dir string) {
		var told []Eviction
		root := OpenRoot(dir, RootOptions{FS: fsys, Limit: 64 << 10, Evicted: func(e Eviction) { told = append(told, e) }})
		defer root.Close()
		w := root.Create(Meta{Source: "test", Program: "game"}, Options{SegmentBytes: 4 << 10, Flush: time.Microsecond})
		const n = 10_000
		for i := range n {
			if i%1000 == 0 {
				w.Define(fmt.Sprint("k", i/1000%7), number(i))
			}
			if i == 0 {
				w.Define("first", []byte("1"))
			}
			w.Data(number(i))
			if i%100 == 0 {
				testkit.OK(t, w.Flush())
			}
		}
		finish(t, w)
		got := readAll(t, fsys, w.Path())
		testkit.MustThat(t, len(got.data) >= 500 && len(got.data) <= 5000 && isRun(got.data, n-len(got.data), n),
			"%d records", len(got.data))
		testkit.That(t, len(got.damage) == 0 && int(got.evicted.Records) == n-len(got.data) && len(got.holes) == 0,
			"%v, evicted %+v", got.damage, got.evicted)
		latest := got.latest()
		testkit.That(t, len(latest) == 8 && latest["first"] == "1", "definitions %q", latest)
		for k := range 7 {
			want := ""
			for i := 0; i < n; i += 1000 {
				if i/1000%7 == k {
					want = string(number(i))
				}
			}
			testkit.That(t, latest[fmt.Sprint("k", k)] == want, "k%d is not what it was last", k)
		}
		var records int64
		for _, e := range told {
			records += e.Records
			testkit.That(t, e.Err == nil && !e.Whole && e.Title == "game", "%+v", e)
		}
		if s := w.Stats(); records != got.evicted.Records || s.Evicted.Records != records || s.Bytes > 64<<10 || s.Bytes != root.List()[0].Size {
			t.Errorf("%d were told; %+v; %+v", records, s, root.List())
		}
	})
}

// A flood of definitions rotates and folds as everything else does.
func TestDefinitionsRotate(t *testing.T) {
	fsys := journaltest.NewMemory()
	root := OpenRoot("/j", RootOptions{FS: fsys, Limit: 64 << 10})
	defer root.Close()
	w := root.Create(Meta{Source: "test"}, Options{SegmentBytes: 4 << 10})
	w.Data(number(0))
	for i := range 20000 {
		w.Define(fmt.Sprint(i%20), fmt.Append(nil, i))
		if i%500 == 0 {
			w.Flush()
		}
	}
	finish(t, w)
	used := root.List()[0].Size
	testkit.That(t, used <= 64<<10, "%d bytes", used)
	got := readAll(t, fsys, w.Path())
	latest := got.latest()
	for i := range 20 {
		testkit.That(t, latest[fmt.Sprint(i)] == fmt.Sprint(19980+i), "%d is %q", i, latest[fmt.Sprint(i)])
	}
}

// What is written to disk is about what came, however many definitions there are: they are not
// written anew with each segment. Where old segments have to leave, what they defined is written
// once more, of each key the newest, here 60 KB for each 16 KiB that leave.
func TestDefinitionsAreWrittenOnce(t *testing.T) {
	for name, c := range map[string]struct {
		limit int64
		times int64 // what came, in all that is written
	}{"room": {1 << 30, 2}, "none": {256 << 10, 7}} {
		var written atomic.Int64
		count := func(f disk.File, p []byte, at int64) (int, error) {
			n, err := f.WriteAt(p, at)
			written.Add(int64(n))
			return n, err
		}
		root := OpenRoot("/j", RootOptions{FS: hooked{FS: journaltest.NewMemory(), write: count}, Limit: c.limit})
		w := root.Create(Meta{Source: "test"}, Options{SegmentBytes: 16 << 10})
		came := int64(0)
		take := func(key string, n int) {
			text := make([]byte, 100)
			copy(text, fmt.Sprint(n))
			if came += int64(len(key) + len(text)); key == "" {
				w.Data(text)
			} else {
				w.Define(key, text)
			}
		}
		for n := range 10_000 {
			take("", n)
			take(fmt.Sprint("key ", n%500), n)
			if n%100 == 0 {
				testkit.OK(t, w.Flush())
			}
		}
		finish(t, w)
		root.Close()
		n := written.Load()
		testkit.That(t, n >= came/2 && n <= c.times*came, "%s: %d bytes came, %d were written", name, came, n)
	}
}

// A session whose folder is deleted is noticed though nothing more comes, and what was in it is
// missing in its sums.
func TestDeletedWhileNothingComes(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "sessions")
	root := OpenRoot(dir, RootOptions{})
	defer root.Close()
	w := root.Create(Meta{Source: "test"}, Options{Flush: time.Microsecond, Retry: 5 * time.Millisecond})
	s := &source{w: w, defs: map[string]string{}}
	for range 10 {
		s.data()
	}
	testkit.OK(t, w.Flush())
	testkit.OK(t, os.RemoveAll(w.Path()))
	testkit.WaitUntil(t, "somebody to notice", func() bool { return w.Stats().Trouble != nil })
	st := w.Stats()
	testkit.That(t, errors.Is(st.Trouble, ErrGone) && st.Deleted == 10 && st.Trouble.Record == 10, "%+v", st)
	finish(t, w)
	info, err := ReadInfo(w.Path())
	testkit.That(t, err == nil && info.Records == 0 && info.Refused == 0 && info.Deleted == 10 && !info.Ended.IsZero(),
		"%+v, %v", info, err)
	got, next := ledger(t, disk.System, w.Path())
	testkit.That(t, next == 10 && len(got.holes) == 1, "%d records are accounted for: %+v", next, got)
	if st := w.Stats(); st.Trouble != nil {
		t.Errorf("it still has %v", st.Trouble)
	}
}

// A recording that others cut is noticed before the next record makes it as long again: all that comes then is in it.
func TestCutWhileWritten(t *testing.T) {
	path := filepath.Join(t.TempDir(), "run")
	w := CreateFile(path, Meta{Source: "test"}, Options{Flush: time.Microsecond, Retry: time.Millisecond})
	for n := range 10 {
		w.Data(number(n))
		w.Flush()
		if n == 4 {
			testkit.OK(t, os.Truncate(path, 0))
		}
	}
	finish(t, w)
	got := readAll(t, disk.System, path)
	testkit.That(t, slices.Equal(got.data, []int{5, 6, 7, 8, 9}) && len(got.damage) == 0 && len(got.holes) == 1 &&
		got.holes[0].Records == 5 && w.Stats().Deleted == 5, "%+v", got)
}

// Whatever file of a session others delete or cut while it is written: the source is asked for its definitions
// again, or the reader says that some are missing.
func TestOtherFilesDeletedWhileWritten(t *testing.T) {
	between := func(path string) error { // cuts behind a record, as if nothing had been there
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		ends := records(data)
		return os.Truncate(path, int64(ends[len(ends)-2]))
	}
	for _, c := range []struct {
		name, file string
		harm       func(string) error
		more       bool // data that come later
		noticed    bool // by the writer; else by the reader alone
	}{
		{"the first segment deleted", "00000005.seg", os.Remove, true, true},
		{"the first segment deleted before the end", "00000005.seg", os.Remove, false, true},
		{"the base deleted", baseFile, os.Remove, true, true},
		{"the base deleted before the end", baseFile, os.Remove, false, true},
		{"a segment cut between records", "00000006.seg", between, true, true},
		{"the base cut between records", baseFile, between, true, true},
		{"a segment cut between records, nobody writes", "00000006.seg", between, false, false},
		{"the base cut between records, nobody writes", baseFile, between, false, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			root := OpenRoot(filepath.Join(t.TempDir(), "sessions"), RootOptions{})
			defer root.Close()
			opt := Options{SegmentBytes: 1 << 10, Flush: time.Microsecond, Retry: time.Millisecond}
			w := root.Create(Meta{Source: "test"}, opt)
			s := &source{w: w, defs: map[string]string{}}
			for range 10 {
				s.define(fmt.Sprint("k", s.n), "name")
				for range 20 {
					s.data()
					testkit.OK(t, w.Flush())
				}
			}
			for left := 4; left > 0; {
				_, records, err := w.disk.evict()
				testkit.OK(t, err)
				left -= min(1, int(records)) // it leaves nothing while the writer is at it
			}
			if !c.noticed {
				finish(t, w)
			}
			testkit.OK(t, c.harm(filepath.Join(w.Path(), c.file)))
			if c.noticed {
				testkit.WaitUntil(t, "the writer to notice", w.restate.Load)
			}
			if c.more {
				s.data()
			}
			if c.noticed {
				finish(t, w)
			}
			got := readAll(t, disk.System, w.Path())
			if c.more {
				testkit.That(t, maps.Equal(got.latest(), s.defs), "%v, want %v", got.latest(), s.defs)
			} else {
				testkit.That(t, len(got.damage) > 0, "nothing is said of %+v", got)
			}
		})
	}
}

// A session of which a file is damaged, missing or no file is listed, with which one and why; it
// never makes room by itself, and is deleted when it is told to be.
func TestDamagedSessionsAreListed(t *testing.T) {
	first := func(path string) string { return filepath.Join(filepath.Dir(path), "00000001"+segmentExt) }
	for name, damage := range map[string]func(path string) error{
		sessionFile:          func(p string) error { return os.WriteFile(p, []byte("{"), 0o600) },
		sessionFile + " ":    os.Remove,
		sessionFile + "  ":   func(p string) error { return errors.Join(os.Remove(p), os.Mkdir(p, 0o700)) },
		userFile:             func(p string) error { return os.WriteFile(p, []byte("no JSON"), 0o600) },
		"segments":           func(p string) error { return os.Remove(first(p)) },
		"segments ":          func(p string) error { return errors.Join(os.Remove(first(p)), os.Mkdir(first(p), 0o700)) },
		sessionFile + "    ": func(p string) error { return os.Truncate(first(p), 20) },
	} {
		t.Run(name, func(t *testing.T) {
			root := OpenRoot(t.TempDir(), RootOptions{Limit: 1 << 20})
			defer root.Close()
			dir := ended(t, root, 1, 4096)
			file := name
			for file[len(file)-1] == ' ' {
				file = file[:len(file)-1]
			}
			if len(name)-len(file) == 4 { // nothing can be read of it
				os.Remove(filepath.Join(dir, file))
			}
			testkit.OK(t, damage(filepath.Join(dir, file)))
			list := root.List()
			testkit.MustThat(t, len(list) == 1 && strings.HasPrefix(list[0].Damage, file) && list[0].ID != "" &&
				!list[0].Running, "%+v", list)
			if file == "segments" {
				if _, err := Open(dir); !Is(dir) || err == nil || !strings.HasSuffix(err.Error(), ": "+list[0].Damage) {
					t.Errorf("%v, opened: %v, the list says %q", Is(dir), err, list[0].Damage)
				}
			}
			leaving, _ := root.Leaving(1)
			testkit.That(t, len(leaving) == 0, "it makes room: %+v", leaving)
			old := time.Now().Add(-time.Hour)
			os.Chtimes(filepath.Join(dir, "00000001"+segmentExt), old, old)
			err := root.Delete(dir)
			testkit.That(t, err == nil && len(root.List()) <= 0, "not deleted: %v", err)
		})
	}
}

// A session that did not end in order is as long as what is in it, whatever the clock says.
func TestLengthIsOfTheLastRecord(t *testing.T) {
	now := time.Now()
	var clock atomic.Int64 // ns after now
	root := OpenRoot(t.TempDir(), RootOptions{})
	w := root.Create(Meta{Source: "test"}, Options{
		Now: func() time.Time { return now.Add(time.Duration(clock.Load())) }, Flush: time.Microsecond,
	})
	for i := range 50 {
		clock.Store(int64(i) * 1e9)
		w.Data(make([]byte, 3000))
	}
	testkit.OK(t, w.Flush())
	later := now.Add(time.Hour)
	seg := filepath.Join(w.Path(), "00000001"+segmentExt)
	testkit.OK(t, os.Chtimes(seg, later, later))
	info, err := ReadInfo(w.Path())
	testkit.That(t, err == nil && info.Running && info.Length == 49*time.Second, "live: %+v, %v", info, err)
	// What is not whole at the end is no record.
	f := testkit.Must(os.OpenFile(seg, os.O_WRONLY|os.O_APPEND, 0))(t)
	f.Write(appendRecord(nil, KindData, int64(time.Hour), "", make([]byte, 100_000))[:90_000])
	f.Close()
	if info, err := ReadInfo(w.Path()); err != nil || info.Length != 49*time.Second {
		t.Errorf("cut: %+v, %v", info, err)
	}
	w.Close("")
	<-w.Done()
	root.Close()
}

// What is deleted while it is looked at is not there: no session that lacks its name, or the end that
// was not read any more.
func TestDeletedWhileLookedAt(t *testing.T) {
	for _, at := range []string{sessionFile, userFile} {
		eachFS(t, func(t *testing.T, fsys disk.FS, dir string) {
			root := OpenRoot(dir, RootOptions{FS: fsys})
			path := ended(t, root, 1, 5000)
			root.Close()
			testkit.OK(t, changeUser(fsys, path, func(u *user) { u.Name = "the hitch" }))
			if info, err := ReadInfoOn(fsys, path); err != nil || info.Name != "the hitch" {
				t.Fatalf("%+v, %v", info, err)
			}
			vanish := func(name string) { // another program deletes the session
				if name == filepath.Join(path, at) {
					fsys.Rename(path, path+".gone")
				}
			}
			info, err := ReadInfoOn(hooked{FS: fsys, open: vanish}, path)
			testkit.That(t, errors.Is(err, fs.ErrNotExist), "deleted at %s: %+v, %v", at, info, err)
		})
	}
}
