package sessions

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"framescope/app/library"
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
	p := &widgets.Palette{Name: title}
	p.Field.Hint = "Enter saves, Esc does not"
	if len(formats) > 1 {
		p.Field.Hint = "The ending of the name selects the format: " + strings.Join(formats, ", ")
	}
	p.Answer = func(text string) (complaint string) {
		path, err := target(dir, text, formats)
		if err != nil {
			return err.Error()
		}
		if _, err := os.Lstat(path); err == nil && path != asked {
			asked = path
			return fmt.Sprintf("%s exists already: press Enter again to replace it", filepath.Base(path))
		}
		use(path)
		return ""
	}
	ss.ask.Ask(p, 640, 98)
	p.Field.SetText(suggestion)
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
