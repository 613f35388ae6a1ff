package aside

import (
	"os"
	"path/filepath"
	"regexp"
)

// notePrefix begins the names of files in this program's folder that contain a path elsewhere.
const notePrefix = "note-"

// unfinished matches the names that may be noted: files and folders that package aside fills.
var unfinished = regexp.MustCompile(`\.[0-9]+\.part$`)

// Note removes the temporary file at path (see package aside) with this program, until forget is
// called. If the note cannot be written, the file stays when the program is killed.
func Note(path string) (forget func()) {
	path, err := filepath.Abs(path)
	if err != nil {
		return func() {}
	}
	dir, err := folder()
	if err != nil {
		return func() {}
	}
	f, err := os.CreateTemp(dir, notePrefix+"*")
	if err != nil {
		return func() {}
	}
	f.WriteString(path)
	f.Close()
	return func() { os.Remove(f.Name()) }
}

// removeNoted removes the files that the notes of a program's folder name.
func removeNoted(dir string) {
	notes, _ := filepath.Glob(filepath.Join(dir, notePrefix+"*"))
	for _, note := range notes {
		path, err := os.ReadFile(note)
		if err == nil && filepath.IsAbs(string(path)) && unfinished.MatchString(string(path)) {
			os.RemoveAll(string(path))
		}
	}
}
