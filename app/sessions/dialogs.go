//go:build !js && !headless

package sessions

import (
	"errors"
	"path/filepath"

	"github.com/ncruces/zenity"
)

// libraries are the files that a dialog for a library shows first.
var libraries = zenity.FileFilters{
	{Name: "Libraries", Patterns: []string{"*.so", "*.dylib", "*.dll"}, CaseFold: true},
	{Name: "All files", Patterns: []string{"*"}},
}

// AskFiles shows a dialog for files to open, starting in a folder. It shows all files, as formats are
// recognized by content and most sources leave the name to the user. It blocks; ErrCanceled when the
// user closed it.
func AskFiles(title, folder string) ([]string, error) {
	begin := zenity.Filename(filepath.Clean(folder) + string(filepath.Separator))
	paths, err := zenity.SelectFileMultiple(zenity.Title(title), begin)
	return paths, canceled(err)
}

// AskTarget asks for a file to write to.
func AskTarget(title, suggestion string) (string, error) {
	path, err := zenity.SelectFileSave(zenity.Title(title), zenity.Filename(suggestion), zenity.ConfirmOverwrite())
	return path, canceled(err)
}

// AskLibrary asks for a library; before is the one of the last time, if any. It blocks; ErrCanceled when the user
// closed it.
func AskLibrary(title, before string) (string, error) {
	o := []zenity.Option{zenity.Title(title), libraries}
	if before != "" {
		o = append(o, zenity.Filename(before))
	}
	path, err := zenity.SelectFile(o...)
	return path, canceled(err)
}

func canceled(err error) error {
	if errors.Is(err, zenity.ErrCanceled) {
		return ErrCanceled
	}
	return err
}
