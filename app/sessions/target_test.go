package sessions

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"framescope/internal/testkit"
	"framescope/widgets"
)

// The list below the path of a file to write: folders first, then files in one of the formats; the suggested
// name looks for nothing, a typed part for what has it in its name. A folder is gone into with the name kept,
// a file gives its name.
func TestFolderList(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "takes")
	for _, name := range []string{"old", "Older"} {
		testkit.NoErr(t, os.MkdirAll(filepath.Join(dir, name), 0o777))
	}
	for _, name := range []string{"a.csv", "b.svg", "held.txt", ".hidden.csv"} {
		testkit.NoErr(t, os.WriteFile(filepath.Join(dir, name), []byte("1234"), 0o666))
	}
	var field widgets.TextField
	list := folderList{suggested: "calls.csv", dir: dir, formats: []string{".csv", ".svg"}, to: &field}
	names := func(text string) (names []string) {
		for _, it := range list.items(text) {
			names = append(names, it.Name)
		}
		return names
	}
	choose := func(text, name, want string) {
		t.Helper()
		items := list.items(text)
		i := slices.IndexFunc(items, func(it widgets.PaletteItem) bool { return it.Name == name })
		testkit.MustThat(t, i >= 0, "%q has no %q", text, name)
		items[i].Run()
		testkit.Equal(t, field.Text(), want, "the path after "+name)
	}
	sep := string(filepath.Separator)
	all := []string{".." + sep, "Older" + sep, "old" + sep, "a.csv", "b.svg"}
	testkit.EqualSlices(t, names(filepath.Join(dir, "calls.csv")), all, "with the suggested name")
	testkit.EqualSlices(t, names(dir+sep), all, "without a name")
	testkit.EqualSlices(t, names("old"), []string{"Older" + sep, "old" + sep}, "with a part of a name")
	testkit.That(t, len(names("none")) == 0 && list.nothing() != "", "something is found, or nothing is said")
	choose(filepath.Join(dir, "calls.csv"), "old"+sep, filepath.Join(dir, "old", "calls.csv"))
	choose("ol", "Older"+sep, filepath.Join(dir, "Older", "calls.csv"))
	choose(filepath.Join(dir, ".csv"), "a.csv", filepath.Join(dir, "a.csv"))
}
