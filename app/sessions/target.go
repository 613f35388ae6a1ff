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

// folderList is the content of the folder that a field names a file in: its folders, then its files.
type folderList struct {
	suggested, dir string
	formats        []string
	to             *widgets.TextField
	// folder was read last, part is the part of a name that was looked for in it.
	folder, part string
	read         bool
	found        []fs.FileInfo
}

// items lists what has a part of the typed name: a folder is gone into, a file gives its name. The
// suggested name looks for nothing.
func (f *folderList) items(text string) (items []widgets.PaletteItem) {
	folder, name := filepath.Split(pathIn(f.dir, strings.TrimSpace(text)))
	part := name
	if name == f.suggested {
		part = ""
	}
	if !f.read || folder != f.folder || part != f.part {
		f.read, f.folder, f.part, f.found = true, folder, part, Paths(folder, part, maxListed)
	}
	head := library.Home(filepath.Clean(folder))
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
		add(".."+string(filepath.Separator), library.Home(up), filepath.Join(up, keep))
	}
	for _, st := range f.found {
		if st.IsDir() {
			add(st.Name()+string(filepath.Separator), "", filepath.Join(folder, st.Name(), keep))
		}
	}
	for _, st := range f.found {
		if end := strings.ToLower(filepath.Ext(st.Name())); !st.IsDir() && (len(f.formats) == 0 || slices.Contains(f.formats, end)) {
			note := string(format.AppendBytes(nil, st.Size())) + ", " + st.ModTime().Local().Format("2006-01-02 15:04")
			add(st.Name(), note, filepath.Join(folder, st.Name()))
		}
	}
	return items
}

// nothing says why the list is empty.
func (f *folderList) nothing() string {
	if !isFolder(f.folder) {
		return "There is no folder " + library.Home(filepath.Clean(f.folder))
	}
	return fmt.Sprintf("Nothing in %s has “%s” in its name: this is a new file", library.Home(filepath.Clean(f.folder)), f.part)
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
		return "", fmt.Errorf("%q does not select a format: use a name that ends with one of %s", end, strings.Join(formats, ", "))
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
