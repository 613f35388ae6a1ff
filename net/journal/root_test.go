package journal

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"framescope/internal/testkit"
	"framescope/internal/testkit/journaltest"
	"framescope/net/journal/disk"
)

// ended makes a session of some size that has ended, begun so many seconds after the first.
func ended(t testing.TB, root *Root, second int, bytes int) string {
	t.Helper()
	w := root.Create(Meta{Source: "test", Program: fmt.Sprint("s", second), Start: time.Unix(1e9+int64(second), 0)}, Options{Flush: time.Microsecond})
	for range bytes / 1000 {
		w.Data(make([]byte, 1000))
	}
	finish(t, w)
	return w.Path()
}

// What session.json of an ended session tells of, and is not there, is missing; of one that did not end nothing is.
func TestPromised(t *testing.T) {
	t.Parallel()
	root := OpenRoot(t.TempDir(), RootOptions{})
	defer root.Close()
	dir := ended(t, root, 0, 3000)
	segment := filepath.Join(dir, "00000001"+segmentExt)
	whole := testkit.Must(os.ReadFile(segment))(t)
	at := append([]int{0}, records(whole)...)
	damage := func() []Damage {
		r := testkit.Must(Open(dir))(t)
		defer r.Close()
		r.Finish()
		each(r, func(*Record) {})
		each(r, func(*Record) {}) // again
		list, _ := r.Damage()
		return list
	}
	testkit.That(t, len(damage()) == 0, "a whole session: %v", damage())
	for _, n := range at[:len(at)-1] { // at the last all of it is there
		testkit.OK(t, os.WriteFile(segment, whole[:n], 0o600))
		got := damage()
		testkit.That(t, len(got) == 1 && strings.Contains(got[0].Reason, "session.json says that the session ended, with 3 records"), "cut at %d: %v", n, got)
		info, _ := ReadInfo(dir)
		testkit.That(t, strings.Contains(info.Damage, " bytes are missing"), "cut at %d: %q", n, info.Damage)
	}
	var s session
	testkit.OK(t, readJSON(disk.System, filepath.Join(dir, sessionFile), &s))
	s.Ended, s.Records, s.Bytes = time.Time{}, 0, 0
	testkit.OK(t, writeJSON(disk.System, filepath.Join(dir, sessionFile), &s))
	testkit.That(t, len(damage()) == 0, "an interrupted session: %v", damage())
}

// programs returns the programs of the sessions that are there.
func programs(root *Root) (out []string) {
	for _, info := range root.List() {
		out = append(out, info.Program)
	}
	return out
}

// A session is deleted as soon as its reader is done.
func TestDeleteWaitsForAReader(t *testing.T) {
	t.Parallel()
	eachFS(t, func(t *testing.T, fsys disk.FS, dir string) {
		root := OpenRoot(dir, RootOptions{FS: fsys, Limit: 1 << 20})
		defer root.Close()
		ended(t, root, 0, 1000)
		path := root.List()[0].Path
		reader := testkit.Must(root.Open(path))(t)
		time.AfterFunc(root.patience/50, func() { reader.Close() })
		testkit.OK(t, root.Delete(path))
		testkit.Equal(t, len(root.List()), 0, "sessions")
	})
}

// TestBudget lets what is oldest leave: sessions that ended, but not those that are kept, read, or
// written; then the oldest part of what is written.
func TestBudget(t *testing.T) {
	t.Parallel()
	eachFS(t, func(t *testing.T, fsys disk.FS, dir string) {
		var mu sync.Mutex
		var told []Eviction
		root := OpenRoot(dir, RootOptions{FS: fsys, Limit: 1 << 20, Evicted: func(e Eviction) {
			mu.Lock()
			told = append(told, e)
			mu.Unlock()
		}})
		defer root.Close()
		for i := range 6 {
			ended(t, root, i, 100_000)
		}
		list := root.List()
		testkit.OK(t, changeUser(fsys, list[1].Path, func(u *user) { u.Keep = true }))
		reader := testkit.Must(root.Open(list[2].Path))(t)
		defer reader.Close()
		root.patience = time.Millisecond
		err := root.Delete(list[2].Path)
		testkit.That(t, errors.Is(err, errRead), "deleting what is read: %v", err)
		other := OpenRoot(dir, RootOptions{FS: fsys, Limit: 1 << 30}) // as another process
		defer other.Close()
		theirs := other.Create(Meta{Source: "test", Program: "theirs", Start: time.Unix(1e9-100, 0)}, Options{})
		theirs.Data(make([]byte, 50_000))
		testkit.OK(t, theirs.Flush())
		testkit.Fails(t, root.Delete(theirs.Path()), "running")

		w := root.Create(Meta{Source: "test", Program: "mine"}, Options{SegmentBytes: 64 << 10, Flush: time.Microsecond})
		root.next.Store(0) // as when some minutes have passed
		write := func(bytes int) {
			for range bytes / 1000 {
				w.Data(make([]byte, 1000))
				testkit.OK(t, w.Flush())
			}
		}
		// Room is made after the writing that Flush waits for.
		settled := func(want string) {
			t.Helper()
			there := func() any { return strings.Join(programs(root), " ") }
			testkit.WaitUntil(t, want, func() bool { return there() == want }, there)
		}
		write(350_000)
		settled("theirs s0 s1 s2 s3 s4 s5 mine")
		write(100_000)
		settled("theirs s1 s2 s3 s4 s5 mine")
		write(100_000)
		settled("theirs s1 s2 s4 s5 mine")
		write(300_000)
		settled("theirs s1 s2 mine")
		write(500_000)
		finish(t, w)
		var left Evicted
		n := 0
		if err := scanAll(root, w.Path(), func(rec *Record) {
			switch rec.Kind {
			case KindData:
				n++
			case KindEvicted:
				rec.Decode(&left)
			}
		}); err != nil || n+int(left.Records) != 1350 || left.Records == 0 {
			t.Errorf("%d records, evicted %+v, %v", n, left, err)
		}
		// Its oldest segments left: what it is, later ones say, too.
		testkit.OK(t, fsys.Remove(filepath.Join(w.Path(), sessionFile)))
		of := testkit.Must(root.Open(w.Path()))(t)
		defer of.Close()
		testkit.Equal(t, of.Meta().Program, "mine", "the program of a session without its description")
		mu.Lock()
		defer mu.Unlock()
		if !slices.IsSortedFunc(told, func(a, b Eviction) int {
			if a.Whole == b.Whole {
				return 0
			}
			if a.Whole {
				return -1
			}
			return 1
		}) || !told[0].Whole || told[0].Title != "s0" || told[0].Records != 100 {
			t.Errorf("told %+v", told)
		}
		theirs.Close("")
		theirs.Wait(time.Minute)
	})
}

// scanAll calls use with each record of a session. Damage is an error.
func scanAll(root *Root, path string, use func(*Record)) error {
	r, err := root.Open(path)
	if err != nil {
		return err
	}
	defer r.Close()
	r.Finish()
	if err := each(r, use); err != io.EOF {
		return err
	}
	if list, n := r.Damage(); n > 0 {
		return list[0]
	}
	return nil
}

// dataIn counts the records of data of a session.
func dataIn(t *testing.T, root *Root, path string) (n int) {
	t.Helper()
	testkit.OK(t, scanAll(root, path, func(rec *Record) {
		if rec.Kind == KindData {
			n++
		}
	}))
	return n
}

// What a crash left half deleted is removed, and locks of programs that are no more.
func TestSweep(t *testing.T) {
	dir := t.TempDir()
	old := OpenRoot(dir, RootOptions{})
	path := ended(t, old, 1, 1000)
	old.unlock() // as when the process is killed: the file of its lock stays
	aside := filepath.Join(dir, "."+filepath.Base(path)+deletedExt)
	testkit.OK(t, os.Rename(path, aside))
	testkit.That(t, len(old.List()) == 0, "what was deleted is listed")
	root := OpenRoot(dir, RootOptions{})
	defer root.Close()
	ended(t, root, 2, 1000)
	_, err := os.Stat(aside)
	testkit.That(t, errors.Is(err, os.ErrNotExist), "what was deleted is still there: %v", err)
	locks, _ := os.ReadDir(filepath.Join(dir, locksDir))
	testkit.That(t, len(locks) == 1, "locks %v", locks)
}

// A session whose folder is deleted while it runs begins anew, and says what is missing.
func TestDeletedWhileRunning(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "sessions")
	root := OpenRoot(dir, RootOptions{})
	defer root.Close()
	var told atomic.Int64
	w := root.Create(Meta{Source: "test"}, Options{Flush: time.Microsecond, Retry: time.Millisecond, Changed: func(s Stats) {
		if s.Trouble != nil && errors.Is(s.Trouble, ErrGone) {
			told.Add(1)
		}
	}})
	s := &source{w: w, defs: map[string]string{}}
	s.define("a", "1")
	for range 10 {
		s.data()
	}
	testkit.OK(t, w.Flush())
	testkit.OK(t, os.RemoveAll(dir))
	testkit.WaitUntil(t, "somebody to notice", func() bool { return told.Load() > 0 })
	for range 10 {
		s.data()
	}
	testkit.WaitUntil(t, "writing to be resumed", func() bool { return w.Flush() == nil })
	s.data()
	finish(t, w)
	got, next := ledger(t, disk.System, w.Path())
	testkit.That(t, next == 21 && len(got.holes) == 1 && got.holes[0].Records == 10 && told.Load() != 0 &&
		len(got.defs) == 1, "%d records are accounted for: %+v; told %d times", next, got, told.Load())
	list := root.List()
	testkit.That(t, len(list) == 1 && !list[0].Ended.IsZero(), "%+v", list)
}

// A disk that hangs stops nobody: what does not fit into the queue is refused, and counted.
func TestHangingDisk(t *testing.T) {
	answer := make(chan struct{})
	fsys := hooked{FS: journaltest.NewMemory(), open: func(string) { <-answer }}
	root := OpenRoot("/j", RootOptions{FS: fsys})
	defer root.Close()
	w := root.Create(Meta{Source: "test"}, Options{QueueBytes: 100_000, Flush: time.Microsecond})
	s := &source{w: w, defs: map[string]string{}}
	for range 10_000 {
		s.data()
		s.define("a", fmt.Sprint(s.n))
	}
	st := w.Stats()
	testkit.That(t, st.Refused != 0 && st.Queued <= 100_000 && st.Trouble != nil && errors.Is(st.Trouble, errBehind),
		"%+v", st)
	w.mu.Lock()
	held := cap(w.queue) + cap(w.spare) + w.inFlight
	testkit.That(t, held <= 200_000, "%d bytes of memory are held", held)
	w.mu.Unlock()
	w2 := root.Create(Meta{Source: "test"}, Options{})
	w2.Data(number(1))
	w2.Close("")
	err := w2.Wait(time.Millisecond)
	testkit.That(t, err != nil, "what is not on disk is said to be")
	close(answer)
	testkit.WaitUntil(t, "writing to be resumed", func() bool { return w.Flush() == nil && w.Stats().Records > 0 })
	s.data()
	finish(t, w)
	got, next := ledger(t, fsys, w.Path())
	testkit.That(t, next == s.n && len(got.holes) != 0 && got.defs[len(got.defs)-1] == "a=10000",
		"%d of %d records are accounted for, holes %+v", next, s.n, got.holes)
}

// TestTogether writes, reads, lists, evicts, deletes and flushes at the same time; it is for the
// race detector.
func TestTogether(t *testing.T) {
	root := OpenRoot(t.TempDir(), RootOptions{Limit: 300_000})
	defer root.Close()
	var work sync.WaitGroup
	for i := range 6 {
		work.Go(func() {
			for range 3 {
				w := root.Create(Meta{Source: "test", Program: fmt.Sprint(i)}, Options{SegmentBytes: 16 << 10, Flush: time.Microsecond})
				for n := range 300 {
					w.Define(fmt.Sprint(n%7), number(n))
					w.Data(number(n))
					w.Data(make([]byte, 500))
					if n%60 == 0 {
						w.Flush()
					}
				}
				w.Close("done")
				w.Wait(time.Minute)
				s := w.Stats()
				testkit.That(t, s.Refused <= 0 && s.Trouble == nil, "%+v", s)
			}
		})
	}
	stop := make(chan struct{})
	var readers sync.WaitGroup
	readers.Go(func() {
		for {
			select {
			case <-stop:
				return
			default:
			}
			for _, info := range root.List() {
				r, err := root.Open(info.Path)
				if err != nil {
					continue // it has left
				}
				each(r, func(*Record) {})
				r.Close()
			}
		}
	})
	work.Wait()
	close(stop)
	readers.Wait()
	root.next.Store(0)
	root.enforce()
	used := root.known.Load()
	testkit.That(t, used <= 300_000, "%d bytes are used", used)
}

// One descriptor is open for a session that runs, and none before its first record or after its
// end.
func TestDescriptors(t *testing.T) {
	open := func() int {
		list, err := os.ReadDir("/proc/self/fd")
		if err != nil {
			t.Skip("this system does not tell")
		}
		return len(list)
	}
	root := OpenRoot(t.TempDir(), RootOptions{})
	defer root.Close()
	finish(t, func() *Writer { w := root.Create(Meta{}, Options{}); w.Data(number(1)); return w }()) // the lock of the process
	before := open()
	var writers []*Writer
	for range 50 {
		w := root.Create(Meta{Source: "test"}, Options{})
		w.Define("a", nil)
		writers = append(writers, w)
	}
	n := open() - before
	testkit.That(t, n == 0, "%d descriptors before the first record", n)
	for _, w := range writers {
		w.Data(number(1))
		w.Flush()
	}
	testkit.Equal(t, open()-before, 50, "descriptors for 50 sessions")
	for _, w := range writers {
		finish(t, w)
	}
	testkit.Equal(t, open()-before, 0, "descriptors after the end")
}

// TestWriterAllocatesNothing measures a record in the steady state.
func TestWriterAllocatesNothing(t *testing.T) {
	root := OpenRoot("/j", RootOptions{FS: journaltest.NewMemory()})
	defer root.Close()
	w := root.Create(Meta{Source: "test"}, Options{Flush: time.Hour})
	data := make([]byte, 6000)
	for range 40 {
		w.Data(data)
	}
	w.Flush()
	for range 40 { // the other buffer
		w.Data(data)
	}
	w.Flush()
	n := testing.AllocsPerRun(30, func() { w.Data(data) })
	testkit.That(t, n == 0, "%v allocations a record", n)
	w.Close("")
	w.Wait(time.Minute)
}

// TestFoundStays: what a crash left stays until the user has known of it for some days, and costs
// others nothing; but it is bounded, too.
func TestFoundStays(t *testing.T) {
	now := time.Now()
	at := func(days int) time.Time { return now.AddDate(0, 0, -days) }
	strangers := slices.Concat([]Info{{Path: "long", Size: 1 << 20, Ended: now}, {Path: "kept", Size: 1, Ended: now, Keep: true}, {Path: "a", Size: 1, Ended: now},
		{Path: "b", Size: 1, Ended: now}}, slices.Repeat([]Info{{Path: "c", Size: 1, Ended: now}}, mostShort-1))
	for name, c := range map[string]struct {
		list  []Info
		limit int64
		want  string
	}{
		"found just now":             {[]Info{{Path: "crash", Size: 118, Found: now}, {Path: "old", Size: 10, Ended: now}, {Path: "live", Size: 5, Running: true}}, 16, ""},
		"nobody was told yet":        {[]Info{{Path: "crash", Size: 118}, {Path: "old", Size: 10, Ended: now}, {Path: "live", Size: 7, Running: true}}, 16, "old"},
		"known for long":             {[]Info{{Path: "crash", Size: 118, Found: at(8)}, {Path: "old", Size: 10, Ended: now}}, 16, "crash"},
		"the newest of many":         {[]Info{{Path: "a", Size: 10, Written: at(3)}, {Path: "b", Size: 10, Written: at(1)}, {Path: "c", Size: 30, Written: at(2)}}, 16, "a c"},
		"many within the limit":      {[]Info{{Path: "a", Size: 5}, {Path: "b", Size: 5}, {Path: "c", Size: 5}}, 16, ""},
		"kept ones count, and stay":  {[]Info{{Path: "a", Size: 50, Ended: now, Keep: true}, {Path: "b", Size: 1, Ended: now}}, 16, "b"},
		"a kept crash is kept":       {[]Info{{Path: "a", Size: 50, Keep: true, Found: at(30)}}, 16, ""},
		"too many short ones":        {strangers, 1 << 30, "a"},
		"the oldest leaves, no more": {[]Info{{Path: "a", Size: 8, Ended: now}, {Path: "b", Size: 8, Ended: now}, {Path: "c", Size: 8, Ended: now}}, 16, "a"},
	} {
		var left []string
		letLeave(c.list, c.limit, func(i *Info) bool { left = append(left, i.Path); return true })
		got := strings.Join(left, " ")
		testkit.That(t, got == c.want, "%s: %q left, want %q", name, got, c.want)
	}
}

// TestOnlyWhoTakesMorePays: a session keeps what it has when another process takes the room.
func TestOnlyWhoTakesMorePays(t *testing.T) {
	dir := t.TempDir()
	other := OpenRoot(dir, RootOptions{Limit: 1 << 40}) // knows of no lower limit
	defer other.Close()
	large := other.Create(Meta{Source: "test", Program: "large"}, Options{})
	for range 900 {
		large.Data(make([]byte, 1000))
	}
	testkit.OK(t, large.Flush())
	root := OpenRoot(dir, RootOptions{Limit: 200_000})
	defer root.Close()
	small := root.Create(Meta{Source: "test", Program: "small"}, Options{SegmentBytes: 4096})
	for range 80 {
		small.Data(make([]byte, 1000))
	}
	testkit.OK(t, small.Flush())
	root.next.Store(0)
	root.enforce()
	n := dataIn(t, root, small.Path())
	testkit.That(t, n == 80, "%d of 80 records stay", n)
	// The other takes the limit over.
	other.SetLimit(200_000)
	testkit.WaitUntil(t, "room", func() bool { // another may just look
		other.enforce()
		return other.known.Load() <= 200_000
	}, func() any { return other.known.Load() })
	for _, w := range []*Writer{large, small} {
		finish(t, w)
	}
}

// TestLowerLimitKeepsTheNewest lowers the limit while a session runs: what comes from then on lies
// in segments that suit the new limit, so that what it must give up is old.
func TestLowerLimitKeepsTheNewest(t *testing.T) {
	root := OpenRoot(t.TempDir(), RootOptions{Limit: 64 << 20})
	defer root.Close()
	w := root.Create(Meta{Source: "test"}, Options{})
	write := func(n int) {
		for range n {
			w.Data(make([]byte, 1000))
			testkit.OK(t, w.Flush())
		}
	}
	write(900) // of a segment of a megabyte
	root.SetLimit(400_000)
	write(600)
	kept := dataIn(t, root, w.Path())
	testkit.That(t, kept >= 250 && root.known.Load() <= 500_000,
		"%d of 400 records that have room are kept, %d bytes", kept, root.known.Load())
	finish(t, w)
}

// TestLastRecordBeforeClose closes sessions at every moment of a writing, many at once, so that
// writers are put aside anywhere: the record before the end is kept.
func TestLastRecordBeforeClose(t *testing.T) {
	var all sync.WaitGroup
	for lane := range 16 {
		all.Go(func() {
			root := OpenRoot("/j", RootOptions{FS: journaltest.NewMemory()})
			for n := range 100 {
				w := root.Create(Meta{Source: "test"}, Options{Flush: time.Nanosecond})
				w.Data([]byte("first"))
				w.Flush()
				for range (n + lane) % 97 {
					w.Stats() // a moment later
				}
				w.Data([]byte("last"))
				w.Close("done")
				testkit.NoErr(t, w.Wait(20*time.Second))
				s := w.Stats()
				testkit.That(t, s.Records == 2, "session %d kept %d records of 2", n, s.Records)
			}
		})
	}
	all.Wait()
}

// However many viewers begin at once, and look for what crashes have left, none takes a live
// session for interrupted.
func TestLiveAmongManyRoots(t *testing.T) {
	dir := t.TempDir()
	stop := make(chan struct{})
	var sweeping, beginning sync.WaitGroup
	for range 2 {
		sweeping.Go(func() {
			for r := OpenRoot(dir, RootOptions{}); ; r.sweep() {
				select {
				case <-stop:
					return
				default:
				}
			}
		})
	}
	const viewers = 40
	roots, writers := make([]*Root, viewers), make([]*Writer, viewers)
	for i := range viewers {
		beginning.Go(func() {
			roots[i] = OpenRoot(dir, RootOptions{})
			writers[i] = roots[i].Create(Meta{Source: "test"}, Options{Flush: time.Microsecond})
			writers[i].Data([]byte("x"))
			writers[i].Flush()
		})
	}
	beginning.Wait()
	close(stop)
	sweeping.Wait()
	other := OpenRoot(dir, RootOptions{})
	for _, info := range other.List() {
		testkit.That(t, info.Running, "%s is taken for interrupted", info.Path)
	}
	for i, w := range writers {
		finish(t, w)
		roots[i].Close()
	}
	list := other.List()
	testkit.That(t, len(list) == viewers, "%d sessions", len(list))
}
