package launch

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"framescope/app/aside"
	"framescope/net/flare/folder"
)

// SaveFolder copies a sample folder, or a folder of them, to a folder that must not exist.
func SaveFolder(from, to string) error {
	return newFolder(to, func(part string) error {
		list, err := os.ReadDir(from)
		if err != nil {
			return err
		}
		err = copyFolder(part, from)
		for _, e := range list {
			if dir := filepath.Join(from, e.Name()); e.IsDir() && folder.Is(dir) {
				err = errors.Join(err, copyFolder(filepath.Join(part, e.Name()), dir))
			}
		}
		return err
	})
}

// newFolder makes a folder that appears under its name when it is filled.
func newFolder(path string, fill func(part string) error) error {
	if _, err := os.Lstat(path); err == nil {
		return fmt.Errorf("%s is there already: a sample folder needs a name of its own", path)
	}
	part, err := os.MkdirTemp(filepath.Dir(path), filepath.Base(path)+".*.part")
	if err != nil {
		return err
	}
	if err = fill(part); err == nil {
		os.Chmod(part, 0o755)
		err = os.Rename(part, path)
	}
	if err != nil {
		os.RemoveAll(part)
	}
	return err
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
