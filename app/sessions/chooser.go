package sessions

import (
	"cmp"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"framescope/app/library"
	"framescope/charts/format"
	"framescope/charts/subject"
	"framescope/model/place"
	"framescope/net/feed"
	"framescope/widgets"
)

// chooser lists the recordings of a folder to open one, in place of a system dialog.
type chooser struct {
	dir     string
	files   []widgets.FileRow // the newest first
	folders []string          // their names, those above first
	more    int               // entries that were not looked at
}

// maxListed bounds the examined entries of a folder: each is opened.
const maxListed = 1000

// listRecordings lets the user choose one of the recordings of a folder, or another folder. Looking
// takes a while, so that others do it.
func (ss *Sessions) listRecordings(dir string) {
	ss.do(func() func() {
		c, err := lookAtFolder(ss.sources.registry, dir)
		return func() {
			if err != nil {
				ss.ask.Warn(err)
				return
			}
			ss.choose(c)
		}
	})
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

// lookAtFolder lists the recordings of a folder.
func lookAtFolder(known feed.Registry, dir string) (*chooser, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	c := &chooser{dir: dir}
	if filepath.Dir(dir) != dir {
		c.folders = append(c.folders, "..")
	}
	entries = slices.DeleteFunc(entries, func(e fs.DirEntry) bool { return strings.HasPrefix(e.Name(), ".") })
	if n := len(entries); n > maxListed {
		c.more, entries = n-maxListed, entries[:maxListed]
	}
	for _, e := range entries {
		path := filepath.Join(dir, e.Name())
		if row, ok := lookAtFile(known, path); ok {
			c.files = append(c.files, row)
		} else if st, err := os.Stat(path); err == nil && st.IsDir() {
			c.folders = append(c.folders, e.Name())
		}
	}
	slices.SortStableFunc(c.files, func(a, b widgets.FileRow) int {
		return cmp.Or(b.Changed.Compare(a.Changed), strings.Compare(a.Path, b.Path))
	})
	return c, nil
}

// choose shows the list. Typed text filters it; a path leads anywhere.
func (ss *Sessions) choose(c *chooser) {
	p := &widgets.Palette{Name: "Open a recording", Does: "Open", Typed: func(text string) []widgets.PaletteItem {
		return ss.typedPath(c.dir, text)
	}}
	p.Field.Hint = "type part of a name, a path, or a link"
	head := "Recordings in " + c.dir
	if c.more > 0 {
		head += fmt.Sprintf(", and %d entries that were not looked at", c.more)
	}
	for i := range c.files {
		f := &c.files[i]
		when := f.Changed.Local().Format("2006-01-02 15:04")
		p.Items = append(p.Items, widgets.PaletteItem{
			Name: filepath.Base(f.Path), Note: f.About(), Key: when, Group: head, Run: func() { ss.OpenFile(f.Path) },
		})
	}
	for _, name := range c.folders {
		path := filepath.Join(c.dir, name)
		p.Items = append(p.Items, widgets.PaletteItem{
			Name: name + string(filepath.Separator), Note: folderNote(path, name), Group: "Folders",
			Run: func() { ss.listRecordings(path) },
		})
	}
	ss.ask.Ask(p, 640)
}

// folderNote says where the folder above leads to.
func folderNote(path, name string) string {
	if name == ".." {
		return path
	}
	return ""
}

// typedPath interprets typed text as a path, relative to a folder: it lists a folder, and opens a file,
// at the place that a link names. Below, or if nothing has that name yet, it offers completions:
// entries of the folder that match the typed part of the name.
func (ss *Sessions) typedPath(dir, text string) (items []widgets.PaletteItem) {
	path := strings.TrimSpace(text)
	if path == "" || !strings.ContainsAny(path, `/\`) && path != ".." && path != "~" {
		return nil
	}
	name, at, wrong := place.Cut(path, func(name string) bool { _, err := os.Lstat(pathIn(dir, name)); return err == nil })
	behind := path[len(name):]
	path = pathIn(dir, name)
	folder, part := filepath.Split(path)
	if st, err := os.Stat(path); err == nil {
		it := ss.pathItem(filepath.Clean(path), st, behind)
		switch {
		case wrong != nil:
			it.Note = wrong.Error()
		case at.Kind != place.None:
			it.Note += ", " + subject.PlaceName(at)
		}
		items = append(items, it)
		if part != "" && st.IsDir() {
			folder, part = path, ""
		}
	}
	for _, st := range Paths(folder, part, maxListed) {
		if at := filepath.Join(folder, st.Name()); at != filepath.Clean(path) && behind == "" {
			items = append(items, ss.pathItem(at, st, ""))
		}
	}
	return items
}

// pathItem opens a path, at the place that stands behind it in a link, or lists it.
func (ss *Sessions) pathItem(path string, st fs.FileInfo, behind string) widgets.PaletteItem {
	if !st.IsDir() {
		note := string(format.AppendBytes([]byte("opens this file, "), st.Size()))
		return widgets.PaletteItem{Name: path, Note: note, Group: "Path", Run: func() { ss.OpenFile(path + behind) }}
	}
	it := widgets.PaletteItem{Name: path, Note: "lists this folder", Group: "Path", Run: func() { ss.listRecordings(path) }}
	if _, err := ss.sources.registry.Recognise(path); err == nil {
		it.Note, it.Run = "opens this folder", func() { ss.OpenFile(path + behind) }
	}
	return it
}
