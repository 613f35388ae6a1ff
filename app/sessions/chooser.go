package sessions

import (
	"os"
	"path/filepath"

	"framescope/app/library"
	"framescope/widgets"
)

// The chooser lists at most maxListed entries of a folder, and opens at most maxLooked to recognise recordings.
const maxListed, maxLooked = 1000, 100

// listRecordings lets the user choose one of the recordings of a folder, or of another.
func (ss *Sessions) listRecordings(dir string) {
	ss.listFiles("Open a recording", dir, nil, func(paths []string) { ss.OpenFile(paths[0]) })
}

// listFiles lets the user choose a file of a folder, or of another, in place of a system dialog.
func (ss *Sessions) listFiles(title, dir string, formats []string, use func(paths []string)) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		ss.ask.Warn(err)
		return
	}
	p := &widgets.Palette{Name: title, Does: "Open"}
	p.Field.Hint = "type a path, or a part of a name"
	list := folderList{dir: dir, formats: formats, to: &p.Field, open: func(link string) { use([]string{link}) }}
	if formats == nil {
		p.Field.Hint, list.known = "type a path, a part of a name, or a link", ss.sources.registry
	}
	p.Typed, p.Nothing = list.items, list.nothing
	ss.ask.Ask(p, 640)
	p.Field.SetText(inFolder(dir, ""))
}

// startFolder is where the user looks for recordings first: beside the one opened last that is still
// there, else where the program was started. Clips and sessions that the program keeps itself are opened
// from their lists, and lie in no folder of the user's.
func (ss *Sessions) startFolder() string {
	for _, path := range ss.settings.Recent {
		if within(path, ss.library.Dir()) || within(path, library.StateDir()) {
			continue
		}
		if _, err := os.Stat(path); err == nil {
			return filepath.Dir(path)
		}
	}
	return "."
}

// within reports whether a path lies in a folder, or below it.
func within(path, folder string) bool {
	to, err := filepath.Rel(folder, path)
	return folder != "" && err == nil && filepath.IsLocal(to)
}
