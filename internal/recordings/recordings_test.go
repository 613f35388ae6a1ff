package recordings

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

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
		entries, err := os.ReadDir(kind.folders(Root(t))[0])
		testkit.NoErr(t, err)
		there, n := map[string]bool{}, 0
		for _, e := range entries {
			there[strings.TrimSuffix(e.Name(), ".gz")] = true
		}
		for _, e := range entries {
			name, ok := strings.CutSuffix(strings.TrimSuffix(e.Name(), ".gz"), want.end)
			if !ok {
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
