package flare

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"framescope/internal/testkit"
	"framescope/internal/testkit/flaretest"
	"framescope/model"
	"framescope/model/store"
)

// TestSegmentsJoin: the second folder of a recording uses a method that only the first one names.
func TestSegmentsJoin(t *testing.T) {
	captures := flaretest.Captures(t)
	a, b := flaretest.Find(t, captures, "constructed-roll/*200654"), flaretest.Find(t, captures, "constructed-roll/*200657")
	groups := Segments([]string{b, a, flaretest.Find(t, captures, "constructed-60s/127*")})
	testkit.MustThat(t, len(groups) == 2 && len(groups[0]) == 2 && groups[0][0] == a && groups[0][1] == b,
		"groups %v", groups)
	parts := []*Recording{readDir(t, a), readDir(t, b)}
	const compact = 140520000000056
	testkit.Equal(t, parts[1].Method(compact), "140520000000056", "alone, the second segment knows")
	n := parts[0].NumRecords() + parts[1].NumRecords()
	all := Join(parts)
	testkit.That(t, all.Method(compact) == "net.meter.Store.compact()" && all.NumRecords() == n,
		"joined: %q, %d samples of %d", all.Method(compact), all.NumRecords(), n)
	for _, th := range all.Threads {
		testkit.MustThat(t, inOrderOfTime(th), "thread %d: out of order", th.ID)
	}
}

func inOrderOfTime(t *Thread) bool {
	return slices.IsSortedFunc(t.Records, func(a, b Record) int { return cmp.Compare(a.TimeMs, b.TimeMs) })
}

// edit changes the bytes of a file in a folder.
func edit(name string, change func(data []byte)) func(dir string) error {
	return func(dir string) error {
		path := filepath.Join(dir, name)
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		change(data)
		return os.WriteFile(path, data, 0o600)
	}
}

// cutFile takes bytes off the end of a file.
func cutFile(dir, name string, n int64) error {
	path := filepath.Join(dir, name)
	st, err := os.Stat(path)
	if err != nil {
		return err
	}
	return os.Truncate(path, st.Size()-n)
}

// TestDamagedFolders: each kind of damage costs what it destroys, is named, and leaves the rest.
func TestDamagedFolders(t *testing.T) {
	testkit.OneGoroutine(t)
	whole := flaretest.Find(t, flaretest.Captures(t), "constructed-60s/127*")
	const all = 4205
	for _, c := range []struct {
		name   string
		damage func(dir string) error
		want   int // samples
		says   string
	}{
		{"not a summary", func(d string) error { return os.Remove(filepath.Join(d, SummaryFile)) }, all, "missing"},
		{"summary is no JSON", func(d string) error { return os.WriteFile(filepath.Join(d, SummaryFile), []byte("{"), 0o600) }, all, "at byte 0: is not a summary"},
		{"names that are NULs", edit("method_info.fdata", func(data []byte) {
			clear(data[len(data)/2:])
		}), all, "NUL bytes instead of a method name"},
		{"no index", func(d string) error { return os.Remove(filepath.Join(d, "thread_21_stack.fidx")) }, all, "scanned"},
		{"no data", func(d string) error { return os.Remove(filepath.Join(d, "thread_21_stack.fdata")) }, all - 3001, "missing"},
		{"no series", func(d string) error { return os.Remove(filepath.Join(d, "thread_21_cpu_time.fts")) }, all, ""},
		{"series cut in a value", func(d string) error { return cutFile(d, "thread_21_cpu_time.fts", 3) }, all, "cut off in a value"},
		{"series cut by half", func(d string) error { return cutFile(d, "thread_21_cpu_time.fts", 6000) }, all, "before the last sample"},
		{"index of names cut", func(d string) error { return cutFile(d, "method_info.fidx", 24) }, all, "blocks are missing"},
		{"index points beside", edit("thread_21_stack.fidx", func(data []byte) { data[202+8*10+7] ^= 4 }), all - 1, "an entry points at"},
		{"index points nowhere", edit("thread_21_stack.fidx", func(data []byte) {
			copy(data[202+8*10+4:], []byte{0xff, 0xff, 0xff, 0xff})
		}), all, "points at"},
		{"cut in an entry and in a block", func(d string) error {
			return errors.Join(cutFile(d, "thread_22_stack.fidx", 3), cutFile(d, "thread_22_stack.fdata", 3))
		}, all - 1, "cut off"},
		{"index cut by many entries", func(d string) error { return os.Truncate(filepath.Join(d, "thread_22_stack.fidx"), 202+8*100+5) }, all, "the entries of 500 blocks are missing"},
		{"a record that is none", edit("thread_23_stack.fdata", func(data []byte) {
			copy(data[204:], "<<<<<<<<")
		}), all - 1, "not a sample in JSON"},
		{"wrong magic", edit("thread_23_cpu_time.fts", func(data []byte) { data[0] = 'X' }), all, "TSHS"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			testkit.OK(t, os.CopyFS(dir, os.DirFS(whole)))
			testkit.OK(t, c.damage(dir))
			rec := testkit.Must(ReadFolder(t.Context(), dir, nil))(t)
			testkit.That(t, rec.NumRecords() == c.want, "%d samples, want %d", rec.NumRecords(), c.want)
			said := ""
			for _, p := range rec.Problems {
				said += p.Error() + "\n"
			}
			testkit.That(t, (c.says == "") == (said == "") && strings.Contains(said, c.says), "it said:\n%s", said)
		})
	}
	for _, name := range []string{"thread_22_stack.fdata", "thread_22_stack.fidx", "thread_22_cpu_time.fts", "method_info.fdata"} {
		rec := testkit.Must(ReadFolderFS(t.Context(), withPipe{os.DirFS(whole), name}, "folder", nil))(t)
		testkit.That(t, len(rec.Problems) > 0 && strings.Contains(rec.Problems[0].Error(), name+": is not a regular file"), "%v", rec.Problems)
	}
	_, err := ReadFolder(t.Context(), t.TempDir(), nil)
	testkit.That(t, err != nil, "an empty folder is a recording")
}

// withPipe is a folder in which a FIFO takes the place of a file: to open it would wait for ever.
type withPipe struct {
	fs.FS
	name string
}

// Stat implements fs.StatFS.
func (w withPipe) Stat(name string) (fs.FileInfo, error) {
	if name == w.name {
		return fs.Stat(fstest.MapFS{name: {Mode: fs.ModeNamedPipe}}, name)
	}
	return fs.Stat(w.FS, name)
}

// Open implements fs.FS.
func (w withPipe) Open(name string) (fs.File, error) {
	if name == w.name {
		panic("the FIFO is opened")
	}
	return w.FS.Open(name)
}

// replay writes a recording anew, in order of time.
func replay(t *testing.T, w *FolderWriter, rec *Recording) {
	t.Helper()
	w.Info(rec.SampleStartMs, rec.IntervalMs, rec.RecordStartMs)
	for id, name := range rec.Methods {
		w.Method(id, name)
	}
	for i, o := range inTime(rec) {
		testkit.OK(t, w.Sample(o.ID, o.Name, o.x))
		if i%100 == 0 {
			testkit.OK(t, w.Flush())
		}
	}
	testkit.OK(t, w.Close())
}

// A recording that was written anew reads as the one of the original recorder, and the bodies of its
// stack files are the same bytes.
func TestWrittenIsReadAgain(t *testing.T) {
	testkit.OneGoroutine(t)
	for _, pattern := range minutes {
		dir := find(t, pattern)
		rec := readDir(t, dir)
		w := NewFolderWriter(t.TempDir(), rec.AgentAddr, func() time.Time { return time.Unix(1767260400, 0) })
		replay(t, w, rec)
		testkit.MustThat(t, len(w.Dirs()) == 1, "folders %v", w.Dirs())
		again := readDir(t, w.Dirs()[0])
		sameRecording(t, again, rec)
		testkit.That(t, again.RecordStartMs == rec.RecordStartMs,
			"%s: it began at %d, want %d", pattern, again.RecordStartMs, rec.RecordStartMs)
		for _, a := range rec.Threads {
			for _, part := range []filePart{indexPart, dataPart} {
				if len(a.Records) == 0 {
					continue
				}
				x := testkit.Must(os.ReadFile(filepath.Join(dir, threadName(a.ID, part))))(t)
				y := testkit.Must(os.ReadFile(filepath.Join(w.Dirs()[0], threadName(a.ID, part))))(t)
				testkit.That(t, string(x[headerSize:]) == string(y[headerSize:]),
					"%s: thread %d: %s is not what the original writes", pattern, a.ID, partNames[part])
			}
		}
	}
}

func TestSegmentsRoll(t *testing.T) {
	now := time.Unix(1769000000, 0)
	w := NewFolderWriter(t.TempDir(), "127.0.0.1:3342", func() time.Time { now = now.Add(time.Second); return now })
	w.Info(5, 20, 1000)
	w.Method(7, "a.B.c()")
	for _, ms := range []int64{1000, 900_900, 901_100, 901_120} {
		testkit.OK(t, w.Sample(51, "meter", Record{TimeMs: ms, Stack: []MethodID{7}}))
	}
	testkit.OK(t, w.Close())
	testkit.MustThat(t, len(w.Dirs()) == 2, "folders %v", w.Dirs())
	var counts []int
	for _, dir := range w.Dirs() {
		rec, err := ReadFolder(t.Context(), dir, nil)
		testkit.MustThat(t, err == nil && len(rec.Problems) <= 0 && rec.Method(7) == "a.B.c()",
			"%v %v %v", err, rec.Problems, rec.Methods)
		counts = append(counts, rec.NumRecords())
	}
	testkit.That(t, slices.Equal(counts, []int{2, 2}), "samples %v", counts)
	g := Segments(w.Dirs())
	testkit.That(t, len(g) == 1 && len(g[0]) == 2, "segments %v", g)
}

// FuzzFolder reads folders in memory whose files hold anything at all: damage is a problem that is
// listed, never a panic, and samples stay in order of time.
func FuzzFolder(f *testing.F) {
	small := flaretest.Find(f, flaretest.Captures(f), "constructed-60s/127*")
	read := func(name string) []byte {
		data := testkit.Must(os.ReadFile(filepath.Join(small, name)))(f)
		return data
	}
	f.Add(read("thread_25_cpu_time.fts"), read("thread_25_stack.fidx"), read("thread_25_stack.fdata"), read("method_info.fidx"), read("method_info.fdata"), read(SummaryFile))
	f.Add([]byte("TSHS\x00\x1a\x03\x02"), []byte("TIHS\x00\x00\x00TIDS"), []byte("TEHS\x00\x00TEDS\x00\x02{}"), []byte("TIHS"), []byte("TEHS"), []byte("{}"))
	f.Fuzz(func(t *testing.T, series, index, data, methodIndex, methodData, summary []byte) {
		fsys := fstest.MapFS{}
		for name, b := range map[string][]byte{"thread_1_cpu_time.fts": series, "thread_1_stack.fidx": index, "thread_1_stack.fdata": data,
			"method_info.fidx": methodIndex, "method_info.fdata": methodData, SummaryFile: summary} {
			fsys[name] = &fstest.MapFile{Data: b, Mode: 0o600}
		}
		rec, err := ReadFolderFS(t.Context(), fsys, "x", nil)
		if err != nil {
			t.Fatal(err) // the files are there, so each damage is a problem, not an error
		}
		for _, th := range rec.Threads {
			testkit.MustThat(t, inOrderOfTime(th), "samples out of order")
		}
	})
}

// TestFoldersWithLeftovers: samples from before the agent's start are left out, and counted.
func TestFoldersWithLeftovers(t *testing.T) {
	rec := &Recording{Info: Info{SampleStartMs: 60_000}, Methods: map[MethodID]string{7: "a.B.c()"}}
	for _, ms := range []int64{1000, 1020, 60_000, 60_020, 61_000} {
		rec.EnsureThread(1).Add(Record{TimeMs: ms, Stack: []MethodID{7}}, "main")
	}
	rec.DropLeftovers()
	s := store.NewSession()
	Play(rec, "a folder", &sink{s: s})
	begin, end, _ := s.Bounds()
	if n, lines := s.Losses(); end-begin != 1e9 || n[model.LossLeftover] != 2 || len(lines) != 1 {
		t.Errorf("%d ns, %d left out, %q", end-begin, n[model.LossLeftover], lines)
	}
	rec.SampleStartMs = 90_000 // its clock was set back
	rec.DropLeftovers()
	testkit.That(t, rec.NumRecords() == 3, "%d samples stay", rec.NumRecords())
}

// So are those in a folder that is opened: here the agent began ten seconds after its first samples.
func TestOpenedFoldersWithLeftovers(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "changed")
	testkit.OK(t, os.CopyFS(dir, os.DirFS(find(t, minutes[1]))))
	whole := openDir(t, dir)
	info := filepath.Join(dir, "summary_info.json")
	text := testkit.Must(os.ReadFile(info))(t)
	var start int64
	field := regexp.MustCompile(`("sample_start_time": *)(\d+)`)
	text = field.ReplaceAllFunc(text, func(b []byte) []byte {
		m := field.FindSubmatch(b)
		start, _ = strconv.ParseInt(string(m[2]), 10, 64)
		return fmt.Appendf(nil, "%s%d", m[1], start+10_000)
	})
	testkit.OK(t, os.WriteFile(info, text, 0o600))
	s, rec := openDir(t, dir), readDir(t, dir)
	left := int64(0)
	for _, th := range rec.Threads {
		for _, x := range th.Records {
			if x.TimeMs < start+10_000 {
				left++
			}
		}
	}
	_, all, _ := whole.Bounds()
	_, end, _ := s.Bounds()
	if n, _ := s.Losses(); left == 0 || n[model.LossLeftover] != left || end < all-10_200e6 || end > all-9_800e6 {
		t.Errorf("%d left out of %d, %d ns of %d", n[model.LossLeftover], left, end, all)
	}
}

// A sample whose time is damaged is left out, and told, wherever it comes; a program that stood still
// goes on.
func TestSamplesThatLeap(t *testing.T) {
	const day = 86_400_000
	for name, x := range map[string]struct {
		times [2][]int64 // of the threads
		from  int64
		ms    int64 // length of the session
		left  int
	}{
		"none":              {[2][]int64{{1000, 1020, 1040}, {1000, 1040}}, 1000, 40, 0},
		"ahead":             {[2][]int64{{1000, 1020, 300 * day}, {1000, 1040}}, 1000, 40, 1},
		"back":              {[2][]int64{{1000, 50 * day, 50*day + 20}, {50 * day}}, 50 * day, 20, 1},
		"two":               {[2][]int64{{1000, 1020, 300 * day}, {1000, 1030, 7 * day}}, 1000, 30, 2},
		"both ends":         {[2][]int64{{1000, 50 * day, 50*day + 20}, {50 * day, 90 * day}}, 50 * day, 20, 2},
		"stood still":       {[2][]int64{{1000, 1020, day}, {1000, 1030, day}}, 1000, day - 1000, 0},
		"one thread":        {[2][]int64{{1000, 1020, day, day + 20}, nil}, 1000, day - 980, 0},
		"two far in a pair": {[2][]int64{{1000, day}, nil}, 1000, day - 1000, 0},
	} {
		rec := &Recording{Methods: map[MethodID]string{7: "a.B.c()"}}
		for id, times := range x.times {
			for _, ms := range times {
				rec.EnsureThread(int64(id)).Add(Record{TimeMs: ms, Stack: []MethodID{7}}, "main")
			}
		}
		rec.DropLeaps()
		s := store.NewSession()
		Play(rec, "a folder", &sink{s: s})
		begin, end, _ := s.Bounds()
		first, _, _ := rec.Bounds()
		if n, _ := s.Losses(); end-begin != x.ms*1e6 || first != x.from || int(n[model.LossMalformed]) != x.left || len(rec.Problems) != x.left {
			t.Errorf("%s: %d ms from %d on, %d left out, %v", name, (end-begin)/1e6, first, n[model.LossMalformed], rec.Problems)
		}
	}
}
