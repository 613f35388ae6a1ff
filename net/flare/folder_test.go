package flare

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"framescope/internal/testkit"
	"framescope/net/flare/flaretest"
)

// TestSegmentsJoin: the second folder of a recording uses a method that only the first one names.
func TestSegmentsJoin(t *testing.T) {
	captures := flaretest.Captures(t)
	a, b := flaretest.Find(t, captures, "constructed-roll/*200654"), flaretest.Find(t, captures, "constructed-roll/*200657")
	groups := Segments([]string{b, a, flaretest.Find(t, captures, "constructed-60s/127*")})
	if len(groups) != 2 || len(groups[0]) != 2 || groups[0][0] != a || groups[0][1] != b {
		t.Fatalf("groups %v", groups)
	}
	var parts []*Recording
	for _, dir := range groups[0] {
		rec := testkit.Must(ReadFolder(t.Context(), dir, nil))(t)
		parts = append(parts, rec)
	}
	const compact = 140520000000056
	if parts[1].Method(compact) != "140520000000056" {
		t.Errorf("alone, the second segment knows %q", parts[1].Method(compact))
	}
	n := parts[0].NumRecords() + parts[1].NumRecords()
	all := Join(parts)
	if all.Method(compact) != "net.meter.Store.compact()" || all.NumRecords() != n {
		t.Errorf("joined: %q, %d samples of %d", all.Method(compact), all.NumRecords(), n)
	}
	for _, th := range all.Threads {
		for i := 1; i < len(th.Records); i++ {
			if th.Records[i].TimeMs < th.Records[i-1].TimeMs {
				t.Fatalf("thread %d: out of order at %d", th.ID, i)
			}
		}
		if total := th.CPU.Total(); total != parts[0].EnsureThread(th.ID).CPU.Total()+parts[1].EnsureThread(th.ID).CPU.Total() {
			t.Errorf("thread %d: %d µs joined", th.ID, total)
		}
	}
}

func copyFolder(t *testing.T, from string) string {
	t.Helper()
	to := t.TempDir()
	list := testkit.Must(os.ReadDir(from))(t)
	for _, e := range list {
		data := testkit.Must(os.ReadFile(filepath.Join(from, e.Name())))(t)
		testkit.OK(t, os.WriteFile(filepath.Join(to, e.Name()), data, 0o600))
	}
	return to
}

// TestDamagedFolders: each kind of damage costs what it destroys, is named, and leaves the rest.
func TestDamagedFolders(t *testing.T) {
	whole := flaretest.Find(t, flaretest.Captures(t), "constructed-60s/127*")
	const all = 4205
	for _, c := range []struct {
		name   string
		damage func(dir string) error
		want   int // samples
		says   string
	}{
		{"no summary", func(d string) error { return os.Remove(filepath.Join(d, SummaryFile)) }, all, "missing"},
		{"summary is no JSON", func(d string) error { return os.WriteFile(filepath.Join(d, SummaryFile), []byte("{"), 0o600) }, all, "at byte 0: is no summary"},
		{"names that are NULs", func(d string) error {
			path := filepath.Join(d, "method_info.fdata")
			data, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			clear(data[len(data)/2:])
			return os.WriteFile(path, data, 0o600)
		}, all, "NULs in place of a method's name"},
		{"no index", func(d string) error { return os.Remove(filepath.Join(d, "thread_21_stack.fidx")) }, all, "scanned"},
		{"no data", func(d string) error { return os.Remove(filepath.Join(d, "thread_21_stack.fdata")) }, all - 3001, "missing"},
		{"no series", func(d string) error { return os.Remove(filepath.Join(d, "thread_21_cpu_time.fts")) }, all, ""},
		{"index points nowhere", func(d string) error {
			path := filepath.Join(d, "thread_21_stack.fidx")
			data, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			copy(data[202+8*10+4:], []byte{0xff, 0xff, 0xff, 0xff})
			return os.WriteFile(path, data, 0o600)
		}, all, "points at"},
		{"cut in an entry and in a block", func(d string) error {
			for _, f := range []string{"thread_22_stack.fidx", "thread_22_stack.fdata"} {
				path := filepath.Join(d, f)
				st, err := os.Stat(path)
				if err != nil {
					return err
				}
				if err := os.Truncate(path, st.Size()-3); err != nil {
					return err
				}
			}
			return nil
		}, all - 1, "cut off"},
		{"index cut by many entries", func(d string) error { return os.Truncate(filepath.Join(d, "thread_22_stack.fidx"), 202+8*100+5) }, all, ""},
		{"a record that is none", func(d string) error {
			path := filepath.Join(d, "thread_23_stack.fdata")
			data, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			copy(data[204:], "<<<<<<<<")
			return os.WriteFile(path, data, 0o600)
		}, all - 1, "no JSON"},
		{"wrong magic", func(d string) error {
			path := filepath.Join(d, "thread_23_cpu_time.fts")
			data, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			data[0] = 'X'
			return os.WriteFile(path, data, 0o600)
		}, all, "TSHS"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := copyFolder(t, whole)
			testkit.OK(t, c.damage(dir))
			rec := testkit.Must(ReadFolder(t.Context(), dir, nil))(t)
			if n := rec.NumRecords(); n != c.want {
				t.Errorf("%d samples, want %d", n, c.want)
			}
			said := ""
			for _, p := range rec.Problems {
				said += p.Error() + "\n"
			}
			if (c.says == "") != (said == "") || !strings.Contains(said, c.says) {
				t.Errorf("it said:\n%s", said)
			}
		})
	}
	if _, err := ReadFolder(t.Context(), t.TempDir(), nil); err == nil {
		t.Error("an empty folder is a recording")
	}
}

// TestBothWaysOfReadingRecords: the quick scanner and the general reader of JSON say the same of
// every record.
func TestBothWaysOfReadingRecords(t *testing.T) {
	dir := flaretest.Find(t, flaretest.Captures(t), "recorded-60s/127*")
	r := &reader{ctx: t.Context(), fsys: os.DirFS(dir), dir: dir, rec: &Recording{}}
	quick := 0
	list, _ := filepath.Glob(filepath.Join(dir, "thread_*_stack.fdata"))
	for _, path := range list {
		name := filepath.Base(path)
		for _, b := range r.blocks("", name, 4, false, true) {
			st := newStacks()
			x, who, ok := scanRecord(b.data, st)
			if !ok {
				continue
			}
			quick++
			loose := append([]byte(" "), b.data...) // which only the general reader takes
			y, name, err := parseRecord(loose, st)
			if err != nil || who != name || fmt.Sprint(x) != fmt.Sprint(y) {
				t.Fatalf("%s: %v %q, %v %q, %v", b.data, x, who, y, name, err)
			}
		}
	}
	if quick < 2600 {
		t.Errorf("only %d records took the quick way", quick)
	}
}
