// Completion of typed paths. It depends on files only.

package sessions

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Paths returns the entries, of the first ones of a folder, with a part in their names, ignoring case:
// those that begin with it first. Hidden entries are listed if the part begins with a full stop.
func Paths(folder, part string, most int) []fs.FileInfo {
	f, err := os.Open(folder)
	if err != nil {
		return nil
	}
	defer f.Close()
	entries, _ := f.ReadDir(most)
	part = strings.ToLower(part)
	var begin, within []fs.DirEntry
	for _, e := range entries {
		switch name := strings.ToLower(e.Name()); {
		case strings.HasPrefix(name, ".") && !strings.HasPrefix(part, "."):
		case strings.HasPrefix(name, part):
			begin = append(begin, e)
		case strings.Contains(name, part):
			within = append(within, e)
		}
	}
	byName := func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) }
	slices.SortFunc(begin, byName)
	slices.SortFunc(within, byName)
	var found []fs.FileInfo
	for _, e := range append(begin, within...) {
		st, err := os.Stat(filepath.Join(folder, e.Name())) // follows links
		if err == nil && st.Mode()&(fs.ModeDevice|fs.ModeSocket) == 0 {
			found = append(found, st)
		}
	}
	return found
}
