package recordings

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"framescope/internal/testkit"
)

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
	isRead := func(name, recorded, end string) bool {
		quoted := `"` + name + `"`
		for _, text := range tests {
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
	t.Logf("%d files, all read but %d", n, len(unread))
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
