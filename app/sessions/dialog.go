//go:build !js

package sessions

import (
	"errors"
	"path/filepath"

	"github.com/ncruces/zenity"
)

// chooseFiles asks for files to open with the system's own dialog, which begins in a folder. It shows all files: what they
// hold is told by their contents, and most sources leave the name to the user. It blocks; errCanceled
// when the user closed it.
func chooseFiles(title, folder string) ([]string, error) {
	begin := zenity.Filename(filepath.Clean(folder) + string(filepath.Separator))
	paths, err := zenity.SelectFileMultiple(zenity.Title(title), begin)
	return paths, canceled(err)
}

// chooseTarget asks for a file to write to.
func chooseTarget(title, suggestion string) (string, error) {
	path, err := zenity.SelectFileSave(zenity.Title(title), zenity.Filename(suggestion), zenity.ConfirmOverwrite())
	return path, canceled(err)
}

func canceled(err error) error {
	if errors.Is(err, zenity.ErrCanceled) {
		return errCanceled
	}
	return err
}
