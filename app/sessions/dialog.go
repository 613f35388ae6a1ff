//go:build !js

package sessions

import (
	"errors"

	"github.com/ncruces/zenity"
)

// patterns are the files that dialogs show first.
var patterns = zenity.FileFilters{
	{Name: "PStats sessions", Patterns: []string{"*.pstats"}, CaseFold: true},
	{Name: "All files", Patterns: []string{"*"}},
}

// chooseFiles asks for files to open with the system's own dialog. It blocks; errCanceled when the
// user closed it.
func chooseFiles(title string) ([]string, error) {
	paths, err := zenity.SelectFileMultiple(zenity.Title(title), patterns)
	return paths, canceled(err)
}

// chooseTarget asks for a file to write to.
func chooseTarget(title, suggestion string) (string, error) {
	path, err := zenity.SelectFileSave(zenity.Title(title), zenity.Filename(suggestion), zenity.ConfirmOverwrite(), patterns)
	return path, canceled(err)
}

func canceled(err error) error {
	if errors.Is(err, zenity.ErrCanceled) {
		return errCanceled
	}
	return err
}
