package recordings

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"framescope/internal/testkit"
)

// Absent recordings are told apart from recordings that lack a file.
func TestFind(t *testing.T) {
	top := t.TempDir()
	root := filepath.Join(top, "repository")
	tree, beside := filepath.Join(root, "testdata", "gsttrace"), filepath.Join(top, "shared", "captures", "gstreamer")
	put := func(path string) {
		t.Helper()
		testkit.NoErr(t, os.MkdirAll(filepath.Dir(path), 0o700))
		testkit.NoErr(t, os.WriteFile(path, nil, 0o600))
	}
	put(filepath.Join(tree, "here-1.28.log.gz"))
	put(filepath.Join(tree, "orphan.stats.txt"))
	put(filepath.Join(beside, "large.log"))
	put(filepath.Join(beside, "large.stats.txt.gz"))
	for name, want := range map[string]string{
		"here-1.28.log":       filepath.Join(tree, "here-1.28.log.gz"),
		"here-1.28.stats.txt": "here-1.28.stats.txt is not beside its recording",
		"here-1.stats.txt":    "absent",
		"orphan.stats.txt":    filepath.Join(tree, "orphan.stats.txt"),
		"orphan.log":          "absent",
		"large.log":           filepath.Join(beside, "large.log"),
		"large.stats.txt":     filepath.Join(beside, "large.stats.txt.gz"),
		"large.notes":         "large.notes is not beside its recording " + filepath.Join(beside, "large.log"),
	} {
		got, err := find(GStreamer, root, name)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			got = "absent"
		case err != nil:
			got = err.Error()
		}
		testkit.That(t, strings.HasPrefix(got, want), "%s: %s; want %s", name, got, want)
	}
}

// What Read gives is its caller's own, however often a file is read.
func TestReadIsOnesOwn(t *testing.T) {
	first := Read(t, PStats, "fragmented.json")
	whole := string(first)
	clear(first)
	testkit.That(t, whole != "" && string(Read(t, PStats, "fragmented.json")) == whole, "another text, the second time")
}

// What is in the tree is whole: each recording of it has all the files that tests compare with.
func TestTreeIsWhole(t *testing.T) {
	for kind, want := range map[Kind]struct {
		recordings int
		end        string
		beside     []string
	}{
		PStats: {8, ".pscap", []string{".pstats", ".bars.tsv", ".defs.json", ".flame.tsv", ".frames.tsv", ".json",
			".strip.tsv", ".summary.tsv", ".txt"}},
		GStreamer:  {26, ".log", []string{".stats.txt"}},
		ProfileLib: {7, ".prof", []string{".truth.json"}},
	} {
		entries := testkit.Must(os.ReadDir(kind.folders(Root(t))[0]))(t)
		there, n := map[string]bool{}, 0
		for _, e := range entries {
			there[strings.TrimSuffix(e.Name(), ".gz")] = true
		}
		for _, e := range entries {
			name, ok := strings.CutSuffix(strings.TrimSuffix(e.Name(), ".gz"), want.end)
			if !ok || strings.HasPrefix(name, "field-") { // those of others have nothing beside them
				continue
			}
			n++
			for _, end := range want.beside {
				testkit.That(t, there[name+end], "%s of %s is missing", name+end, kind)
			}
		}
		if n < want.recordings { // fewer would be skipped by the tests that read them
			t.Errorf("%d recordings of %s are in the tree, want %d", n, kind, want.recordings)
		}
	}
}

// unread are files beside recordings that no test compares with, by their names, with the reason.
var unread = map[string]string{}

// Whatever lies beside a recording that is here is read by a test: one that names both the
// recording, or the list of all of them, and how the file's name ends. Read fails when such a file
// is missing; this fails when nobody asks.
func TestEveryOracleIsRead(t *testing.T) {
	root := Root(t)
	tests := map[string]string{} // the sources of the tests of a folder
	list := ""                   // of all recordings of PStats
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		folder := filepath.Dir(path)
		if d.Name() == "recordings.txt" { // the rows of a test
			rows, err := os.ReadFile(path)
			tests[filepath.Dir(folder)] += strings.ReplaceAll(string(rows), "\n", "\n\"")
			return err
		}
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") {
			return err
		}
		if !strings.HasSuffix(path, "_test.go") && !strings.HasSuffix(folder, "test") {
			return nil
		}
		text, err := os.ReadFile(path)
		if _, names, ok := strings.Cut(string(text), "Captures = []string{"); ok {
			list, _, _ = strings.Cut(names, "}")
		}
		tests[folder] += string(text)
		return err
	})
	testkit.NoErr(t, err)
	naming := map[string][]string{} // the folders' sources in which the name of a recording begins a text
	isRead := func(name, recorded, end string) bool {
		quoted := `"` + name + `"`
		if naming[name] == nil {
			naming[name] = []string{}
			for _, text := range tests {
				if strings.Contains(text, `"`+name) || strings.Contains(text, ".Captures") && strings.Contains(list, quoted) {
					naming[name] = append(naming[name], text)
				}
			}
		}
		for _, text := range naming[name] {
			asked := strings.Contains(text, quoted) || strings.Contains(text, `"`+name+recorded) ||
				strings.Contains(text, ".Captures") && strings.Contains(list, quoted)
			if strings.Contains(text, end) && asked || strings.Contains(text, `"`+name+end) {
				return true
			}
		}
		return false
	}
	n := 0
	for _, kind := range []Kind{
		PProf,
		PStats,
		GStreamer,
		ProfileLib,
		Spall,
		Folded,
		GoTrace,
		CPUProfile,
		Perfetto,
		PerfScript,
		Puffin,
		Speedscope,
		FrameTimes,
		Firefox,
	} {
		for _, folder := range kind.folders(root) {
			entries, _ := os.ReadDir(folder) // those beside the repository are not everywhere
			for _, e := range entries {
				file := strings.TrimSuffix(e.Name(), ".gz")
				of := recorded(kind, root, file)
				if of == "" {
					continue
				}
				name, _, _ := strings.Cut(strings.TrimSuffix(filepath.Base(of), ".gz"), kind.endOf(of))
				end := strings.TrimPrefix(file, name)
				if end == kind.endOf(of) {
					continue // the recording itself
				}
				n++
				read, why := isRead(name, kind.endOf(of), end), unread[file]
				testkit.That(t, read != (why != ""), "%s: read by a test: %t; the reason why not: %q", e.Name(), read, why)
			}
		}
	}
	testkit.That(t, n >= 80, "only %d files lie beside recordings", n)
}

// endOf is how the name of a recording ends.
func (k Kind) endOf(path string) string {
	for _, end := range k.ends() {
		if strings.HasSuffix(strings.TrimSuffix(path, ".gz"), end) {
			return end
		}
	}
	return ""
}

// failing notes how a test fails, and ends its goroutine as a test does.
type failing struct {
	testing.TB
	said string
}

func (f *failing) Helper() {}

func (f *failing) Errorf(format string, args ...any) { f.said = fmt.Sprintf(format, args...) }

func (f *failing) Fatalf(format string, args ...any) {
	f.said = fmt.Sprintf(format, args...)
	runtime.Goexit()
}

// fails returns what a test says that does something, and whether it went on afterwards.
func fails(t *testing.T, do func(f *failing)) (said string, on bool) {
	f, ended := &failing{TB: t}, make(chan struct{})
	go func() {
		defer close(ended)
		do(f)
		on = true
	}()
	<-ended
	return f.said, on
}

func TestUntilWaitsForOthers(t *testing.T) {
	var n atomic.Int64
	go func() {
		for range 1000 {
			runtime.Gosched()
			n.Add(1)
		}
	}()
	testkit.WaitUntil(t, "a thousand", func() bool { return n.Load() == 1000 })
}

func TestUntilFailsWithWhatIsThereInstead(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		looks := 0
		said, _ := fails(t, func(f *failing) {
			no := func() bool { looks++; return false }
			testkit.WaitUntil(f, "a wonder", no, func() any { return "nothing" })
		})
		testkit.That(t, said == "waited in vain for a wonder; there is [nothing]" && looks >= 2,
			"%q after %d looks", said, looks)
	})
}

// What differs is told, and ends the test where the rest of it stands on that; what is as wanted is not told.
func TestEqual(t *testing.T) {
	for want, do := range map[string]func(f *failing, as int){
		"b 3: got 1, want 2":             func(f *failing, as int) { testkit.Equal(f, 1, as, "b %d", 3) },
		`c: got "1", want "2"`:           func(f *failing, as int) { testkit.MustEqual(f, "1", strconv.Itoa(as), "c") },
		"d: got [1], want [2]":           func(f *failing, as int) { testkit.EqualSlices(f, []int{1}, []int{as}, "d") },
		"e: got [1], want [2]":           func(f *failing, as int) { testkit.MustEqualSlices(f, []int{1}, []int{as}, "e") },
		"f: got map[1:1], want map[2:1]": func(f *failing, as int) { testkit.Same(f, map[int]int{1: 1}, map[int]int{as: 1}, "f") },
		"g: got map[1:1], want map[2:1]": func(f *failing, as int) {
			testkit.MustSame(f, map[int]int{1: 1}, map[int]int{as: 1}, "g")
		},
		"h 4\nfailed": func(f *failing, as int) {
			if err := errors.New("failed"); as == 2 {
				testkit.NoErr(f, err, "h", 4)
			}
		},
	} {
		said, on := fails(t, func(f *failing) { do(f, 2) })
		must := want[0] == 'c' || want[0] == 'e' || want[0] >= 'g'
		testkit.That(t, said == want && on != must, "%q, went on: %v; want %q", said, on, want)
		said, on = fails(t, func(f *failing) { do(f, 1) })
		testkit.That(t, said == "" && on, "%q of what is as wanted", said)
	}
}
