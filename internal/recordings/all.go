package recordings

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"framescope/internal/testkit"
	"framescope/net/feed"
)

// All returns the paths of the files of testdata that some source opens, a folder for each kind: a new
// kind adds its recordings, and tests of all kinds include them automatically. Those of Flare are in an
// archive, see internal/testkit/flaretest.
func All(t testing.TB, reg feed.Registry) []string {
	t.Helper()
	return opened(t, reg, filepath.Join(Root(t), "testdata"))
}

// Shared returns the same for the collection beside the repository, if it exists.
func Shared(t testing.TB, reg feed.Registry) []string {
	t.Helper()
	return opened(t, reg, filepath.Join(Root(t), "..", "shared", "captures"))
}

func opened(t testing.TB, reg feed.Registry, root string) (paths []string) {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(root, "*", "*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range found {
		if beside(path) {
			continue
		}
		if _, err := reg.Recognise(path); err == nil {
			paths = append(paths, path)
		}
	}
	return paths
}

// Few returns some of the paths of recordings: of each folder the first, the last and some between them, without those
// of the field, which have tests of their own; in the long form of tests all of them, under the race detector two.
func Few(paths []string) []string {
	if testkit.Long {
		return paths
	}
	folders := map[string][]string{}
	paths = slices.DeleteFunc(slices.Clone(paths), func(path string) bool {
		return strings.HasPrefix(filepath.Base(path), "field-")
	})
	for _, path := range paths {
		folders[filepath.Dir(path)] = append(folders[filepath.Dir(path)], path)
	}
	few := 4
	if testkit.Race {
		few = 2
	}
	return slices.DeleteFunc(slices.Clone(paths), func(path string) bool {
		list := folders[filepath.Dir(path)]
		i, last := slices.Index(list, path), max(1, len(list)-1)
		return len(list) > few && i*(few-1)%last >= few-1
	})
}

// beside reports whether a file, though it could be opened, holds reference data of another.
func beside(path string) bool {
	name, folder := filepath.Base(path), Kind(filepath.Base(filepath.Dir(path)))
	return strings.Contains(name, ".tsv") || strings.Contains(name, ".truth.") ||
		folder == PStats && strings.Contains(name, ".json")
}
