package app

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"framescope/internal/testkit"
)

// The end of a file's name says what is written; one that says nothing known is refused, and leaves
// no file behind.
func TestExportByTheNameOfTheFile(t *testing.T) {
	x := Export{contents: map[string][]byte{}}
	for _, extension := range []string{".csv", ".svg"} {
		if err := x.add(extension, func(w io.Writer) error { _, err := w.Write([]byte("as " + extension)); return err }); err != nil {
			t.Fatal(err)
		}
	}
	dir := t.TempDir()
	for name, want := range map[string]string{"a.csv": "as .csv", "a.SVG": "as .svg", "a": "as .csv"} {
		path := filepath.Join(dir, name)
		testkit.NoErr(t, x.Write(path))
		got, _ := os.ReadFile(path)
		testkit.That(t, string(got) == want, "%s holds %s", name, got)
	}
	path := filepath.Join(dir, "a.xlsx")
	err := x.Write(path)
	testkit.That(t, err != nil && strings.Contains(err.Error(), "one of .csv, .svg"), "as .xlsx it says %v", err)
	_, err = os.Stat(path)
	testkit.That(t, err != nil, "a file was left behind")
}
