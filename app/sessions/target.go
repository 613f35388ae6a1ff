package sessions

import (
	"errors"
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

// AskTarget asks for a file to write to, and passes it to use: with the system's dialog, or without one
// with the window's own. formats are the file extensions for the formats, the suggested first; nil:
// there is only one format. It asks before it replaces a file.
func (ss *Sessions) AskTarget(title, suggestion string, formats []string, use func(path string)) {
	system := title
	if len(formats) > 1 {
		system += ": " + strings.Join(formats, ", ")
	}
	ss.inDialog(func() func() {
		path, err := AskTarget(system, suggestion)
		return func() {
			switch {
			case err == nil:
				use(path)
			case !errors.Is(err, ErrCanceled):
				ss.askTarget(title, suggestion, formats, use)
			}
		}
	})
}

// askTarget asks for a file to write to with the window's own dialog, if the system has none. formats
// are the file extensions for the formats; nil: there is only one.
func (ss *Sessions) askTarget(title, suggestion string, formats []string, use func(path string)) {
	if !filepath.IsAbs(suggestion) {
		suggestion = filepath.Join(RecordFolder(), suggestion)
	}
	dir, asked := filepath.Dir(suggestion), ""
	verb, _, _ := strings.Cut(title, " ")
	p := &widgets.Palette{Name: title, Does: verb}
	p.Field.Hint = "The file's name, or a part of the name of a folder or file below"
	if len(formats) > 1 {
		p.Field.Hint = "The ending of the name selects the format: " + strings.Join(formats, ", ")
	}
	list := folderList{suggested: filepath.Base(suggestion), dir: dir, formats: formats, to: &p.Field}
	p.Typed = func(text string) []widgets.PaletteItem {
		p.Does, asked = verb, ""
		return list.items(text)
	}
	p.Nothing = list.nothing
	p.Answer = func(text string) (complaint string) {
		path, err := target(dir, text, formats)
		if err != nil {
			return err.Error()
		}
		if _, err := os.Lstat(path); err == nil && path != asked {
			asked, p.Does = path, "Replace"
			return fmt.Sprintf("%s exists already: press Enter again to replace it", filepath.Base(path))
		}
		use(path)
		return ""
	}
	ss.ask.Ask(p, 640)
	p.Field.OfferFile(suggestion)
}

// folderList is the content of the folder that a field names a file in. Of a file to write these are its folders,
// then its files; of one to open its files or recordings, the newest first, then its folders.
type folderList struct {
	suggested, dir string
	formats        []string
	to             *widgets.TextField
	open           func(link string) // a file or recording; nil: a file gives its name
	known          feed.Registry     // recognises recordings; nil: the ending of a format decides
	// folder was read last, part is the part of a name that was looked for in it.
	folder, part   string
	read           bool
	files, folders []widgets.FileRow
	left           int // that were not looked at
}

// items lists the entries with a part of the typed name: a folder is gone into, a file gives its name or is opened,
// at the place that a link names. The suggested name looks for nothing.
func (f *folderList) items(text string) (items []widgets.PaletteItem) {
	path, behind, where := pathIn(f.dir, strings.TrimSpace(text)), "", ""
	if f.open != nil {
		path, behind, where = cutLink(path)
	}
	folder, name := filepath.Split(path)
	part := name
	if name == f.suggested {
		part = ""
	}
	if !f.read || folder != f.folder || part != f.part {
		f.read, f.folder, f.part = true, folder, part
		f.look()
	}
	head := library.Home(filepath.Clean(folder))
	if f.left > 0 {
		head += fmt.Sprintf(", and %d files that were not looked at", f.left)
	}
	add := func(name, note, becomes string) {
		items = append(items, widgets.PaletteItem{
			Name: name, Note: note, Group: head, Keep: true, Run: func() { f.to.SetText(becomes) },
		})
	}
	keep := name
	if part != "" {
		keep = f.suggested // what was typed named the folder
	}
	if up := filepath.Dir(filepath.Clean(folder)); part == "" && up != filepath.Clean(folder) {
		add(".."+string(filepath.Separator), library.Home(up), inFolder(up, keep))
	}
	for _, row := range f.folders {
		add(filepath.Base(row.Path)+string(filepath.Separator), "", inFolder(row.Path, keep))
	}
	into := len(items)
	for _, row := range f.files {
		add(filepath.Base(row.Path), row.About()+where, row.Path)
		it := &items[len(items)-1]
		if it.Key = row.Changed.Local().Format("2006-01-02 15:04"); f.open != nil {
			it.Keep, it.Run = false, func() { f.open(row.Path + behind) }
		}
	}
	if f.open != nil {
		return append(items[into:], items[:into]...)
	}
	return items
}

// cutLink splits a link into a path and what stands behind it, with words for the place.
func cutLink(link string) (path, behind, where string) {
	path, at, wrong := CutPlace(link)
	switch {
	case wrong != nil:
		where = ", " + wrong.Error()
	case at.Kind != place.None:
		where = ", " + subject.PlaceName(at)
	}
	return path, link[len(path):], where
}

// inFolder is the path of a name in a folder, or of the folder if there is no name.
func inFolder(folder, name string) string {
	const end = string(filepath.Separator)
	return strings.TrimSuffix(folder, end) + end + name
}

// look reads the folder.
func (f *folderList) look() {
	f.files, f.folders, f.left = f.files[:0], f.folders[:0], 0
	found := Paths(f.folder, f.part, maxListed)
	if f.open != nil {
		slices.SortStableFunc(found, func(a, b fs.FileInfo) int { return b.ModTime().Compare(a.ModTime()) })
	}
	for i, st := range found {
		row, file := f.rowOf(st, i < maxLooked)
		switch {
		case file:
			f.files = append(f.files, row)
		case st.IsDir():
			f.folders = append(f.folders, row)
		case f.known != nil && i >= maxLooked:
			f.left++
		}
	}
}

// rowOf describes an entry of the folder; file: it is one to choose.
func (f *folderList) rowOf(st fs.FileInfo, opens bool) (row widgets.FileRow, file bool) {
	row = widgets.FileRow{Path: filepath.Join(f.folder, st.Name()), Bytes: st.Size(), Changed: st.ModTime()}
	switch {
	case f.known == nil:
		end := strings.ToLower(filepath.Ext(st.Name()))
		return row, !st.IsDir() && (len(f.formats) == 0 || slices.Contains(f.formats, end))
	case !opens:
		return row, false
	}
	if known, ok := lookAtFile(f.known, row.Path); ok {
		return known, true
	}
	return row, false
}

// nothing says why the list is empty.
func (f *folderList) nothing() string {
	if !isFolder(f.folder) {
		return "There is no folder " + library.Home(filepath.Clean(f.folder))
	}
	words := fmt.Sprintf("Nothing in %s has “%s” in its name", library.Home(filepath.Clean(f.folder)), f.part)
	return format.Pick(f.open == nil, words+": this is a new file", words)
}

// target returns the file that a text names, relative to a folder, and an error if it cannot be
// written.
func target(dir, text string, formats []string) (path string, err error) {
	if path = pathIn(dir, strings.TrimSpace(text)); path == dir {
		return "", errors.New("enter a file name")
	}
	if st, err := os.Stat(path); err == nil && st.IsDir() {
		return "", fmt.Errorf("%s is a folder: add a file name", library.Home(path))
	}
	path = filepath.Clean(path)
	if in := filepath.Dir(path); !isFolder(in) {
		return "", fmt.Errorf("there is no folder %s", library.Home(in))
	}
	end := strings.ToLower(filepath.Ext(path))
	if end != "" && len(formats) > 1 && !slices.Contains(formats, end) {
		return "", fmt.Errorf("%q does not select a format: use a name that ends with one of %s", end,
			strings.Join(formats, ", "))
	}
	return path, nil
}

func isFolder(path string) bool {
	st, err := os.Stat(path)
	return err == nil && st.IsDir()
}

// pathIn returns the path that a text stands for, taken from a folder on; ~ is the user's own folder.
func pathIn(dir, text string) string {
	if home, err := os.UserHomeDir(); err == nil && (text == "~" || strings.HasPrefix(text, "~/")) {
		text = home + text[1:]
	}
	switch {
	case text == "":
		return dir
	case filepath.IsAbs(text):
		return text
	}
	return dir + string(filepath.Separator) + text
}
