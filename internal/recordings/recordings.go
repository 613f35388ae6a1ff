// Package recordings finds the recordings of real programs that tests compare with, and the reference
// files beside them, from the recorded program's own tools. The small ones are in testdata; some
// machines have the whole collection in ../shared/captures, beside the repository. A test is skipped
// where its recording is missing. It fails where only a reference file is missing: else nobody would
// notice that nothing is compared any more.
package recordings

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// A Kind is one sort of recordings.
type Kind string

// The kinds of recordings, by their folders in testdata.
const (
	PStats     Kind = "pstats"
	GStreamer  Kind = "gsttrace"
	ProfileLib Kind = "profilelib"
	Spall      Kind = "spall"
	Folded     Kind = "folded"
	CPUProfile Kind = "cpuprofile"
	PerfScript Kind = "perfscript"
	Speedscope Kind = "speedscope"
	GoTrace    Kind = "gotrace"
	Puffin     Kind = "puffin"
	Perfetto   Kind = "perfetto"
	PProf      Kind = "pprof"
	FrameTimes Kind = "frametimes"
	Firefox    Kind = "firefox"
	Tracy      Kind = "tracy"
	Systrace   Kind = "systrace"
)

// ends returns how the names of the recordings themselves end; all other files are beside them.
func (k Kind) ends() []string {
	switch k {
	case PStats:
		return []string{".pscap", ".pstats"}
	case GStreamer:
		return []string{".log"}
	case Folded:
		return []string{".folded", ".txt"}
	case GoTrace:
		return []string{".trace"}
	case Puffin:
		return []string{".puffin", ".puffinstream"}
	case Systrace:
		return []string{".systrace", ".html"}
	case Tracy:
		return []string{".tracystream"}
	case Perfetto:
		return []string{".pftrace"}
	case PProf:
		return []string{".pprof"}
	case Spall:
		return []string{".spall"}
	case CPUProfile:
		return []string{".cpuprofile"}
	case PerfScript:
		return []string{".txt"}
	case FrameTimes:
		return []string{".csv"}
	case Firefox:
		return []string{".json"}
	case Speedscope:
		return []string{".speedscope.json"}
	default:
		return []string{".prof"}
	}
}

// folders returns where recordings lie, the tree's first.
func (k Kind) folders(root string) []string {
	beside := string(k)
	if k == GStreamer {
		beside = "gstreamer"
	}
	return []string{
		filepath.Join(root, "testdata", string(k)),
		filepath.Join(root, "..", "shared", "captures", beside),
	}
}

// File returns the path of a file of a recording, such as nested.frames.tsv, as it is or gzipped.
// The test is skipped where nothing of the recording is here, and fails where only that file is
// missing.
func File(t testing.TB, kind Kind, name string) string {
	t.Helper()
	path, err := find(kind, Root(t), name)
	if errors.Is(err, fs.ErrNotExist) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// Here reports whether a recording is on this machine, by its name without an end such as .pstats.
func Here(t testing.TB, kind Kind, recording string) bool {
	t.Helper()
	return recorded(kind, Root(t), recording+".") != ""
}

// unzipped holds the contents of the files that Read has unzipped, by their paths.
var unzipped sync.Map

// Read returns the contents of a File, unzipped.
func Read(t testing.TB, kind Kind, name string) []byte {
	t.Helper()
	path := File(t, kind, name)
	if known, ok := unzipped.Load(path); ok {
		return bytes.Clone(known.([]byte))
	}
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var r io.Reader = f
	if filepath.Ext(path) == ".gz" {
		if r, err = gzip.NewReader(f); err != nil {
			t.Fatal(path, err)
		}
	}
	data, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(path, err)
	}
	if filepath.Ext(path) == ".gz" {
		unzipped.Store(path, bytes.Clone(data))
	}
	return data
}

// Root returns the folder of the module. Tests run in the folder of their package, somewhere below.
func Root(t testing.TB) string {
	t.Helper()
	dir, err := Top()
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// Top is Root for callers without a test.
func Top() (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir, nil
		}
		up := filepath.Dir(dir)
		if up == dir {
			return "", errors.New("no go.mod above the test's folder")
		}
		dir = up
	}
}

// find returns where a file is. Its error is fs.ErrNotExist when the whole recording is not here.
func find(kind Kind, root, name string) (string, error) {
	for _, folder := range kind.folders(root) {
		for _, end := range []string{"", ".gz"} {
			path := filepath.Join(folder, name+end)
			_, err := os.Stat(path)
			if err == nil {
				return path, nil
			}
			if !errors.Is(err, fs.ErrNotExist) {
				return "", err
			}
		}
	}
	if path := recorded(kind, root, name); path != "" {
		return "", fmt.Errorf("%s is not beside its recording %s", name, path)
	}
	return "", fmt.Errorf("the recording of %s is not on this machine: %w", name, fs.ErrNotExist)
}

// recorded returns the path of the recording that a file belongs to, or "" when that is nowhere.
func recorded(kind Kind, root, name string) string {
	for _, folder := range kind.folders(root) {
		entries, _ := os.ReadDir(folder) // an unreadable folder holds no recording
		for _, e := range entries {
			for _, end := range kind.ends() {
				of, ok := strings.CutSuffix(strings.TrimSuffix(e.Name(), ".gz"), end)
				if ok && strings.HasPrefix(name, of+".") {
					return filepath.Join(folder, e.Name())
				}
			}
		}
	}
	return ""
}
