package sessions

import (
	"errors"
	"path/filepath"

	"framescope/app/web/bridge"
)

// AskFiles shows the browser's dialog for files; ErrCanceled when the user closed it.
func AskFiles(_, _ string) ([]string, error) {
	answer, err := bridge.Await("choose")
	if err != nil {
		return nil, err
	}
	paths := bridge.Strings(answer)
	if len(paths) == 0 {
		return nil, ErrCanceled
	}
	return paths, nil
}

// AskTarget names a file of the page's folder of downloads: the browser asks where it goes, if it asks.
func AskTarget(_, suggestion string) (string, error) {
	return "/downloads/" + filepath.Base(suggestion), nil
}

// AskLibrary is not possible in a browser.
func AskLibrary(_, _ string) (string, error) {
	return "", errors.New("a browser attaches to no program")
}
