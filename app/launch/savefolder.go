package launch

import (
	"errors"
	"os"
	"path/filepath"

	"framescope/internal/aside"
	"framescope/net/flare"
)

// SaveFolder copies a sample folder, or a folder of them, to a folder that must not exist.
func SaveFolder(from, to string) error {
	return aside.Folder(to, func(part string) (string, error) {
		list, err := os.ReadDir(from)
		if err != nil {
			return "", err
		}
		err = copyFolder(part, from)
		for _, e := range list {
			if dir := filepath.Join(from, e.Name()); e.IsDir() && flare.IsFolder(dir) {
				err = errors.Join(err, copyFolder(filepath.Join(part, e.Name()), dir))
			}
		}
		return part, err
	})
}

// copyFolder copies the files of a folder.
func copyFolder(to, from string) error {
	if err := os.MkdirAll(to, 0o755); err != nil {
		return err
	}
	list, err := os.ReadDir(from)
	if err != nil {
		return err
	}
	for _, e := range list {
		if !e.Type().IsRegular() {
			continue
		}
		err := aside.Copy(filepath.Join(from, e.Name()), filepath.Join(to, e.Name()))
		// A file that is replaced while it is listed goes away under its temporary name.
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
	}
	return nil
}
