package launch

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"framescope/app/scratch"
	"framescope/net/flare/folder"
)

// sampleFolders are what a live agent's recording consists of on disk: one folder for each segment.
type sampleFolders struct {
	// parent is the folder in which they are made; empty: none are. It does not change once the recording runs.
	parent string

	mu   sync.Mutex
	temp string // parent, if it is to be removed
	dirs []string
	err  error // why there are none
}

// keep makes the folders be made in a temporary place, unless they are made anyway.
func (f *sampleFolders) keep() {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.parent != "" {
		return
	}
	if f.temp, f.err = scratch.Dir(); f.err == nil {
		f.parent = f.temp
	}
}

// add takes a folder that was begun.
func (f *sampleFolders) add(dir string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.dirs = append(f.dirs, dir)
}

// forget removes what is in a temporary place.
func (f *sampleFolders) forget() {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.temp != "" {
		os.RemoveAll(f.temp)
		f.temp, f.dirs, f.err = "", nil, errors.New("the recording was closed")
	}
}

// save copies what there is so far to a folder of that name, which must not exist: a single segment as the folder, several as folders in it. The folder appears under its name when it is
// whole.
func (f *sampleFolders) save(path string) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	switch {
	case f.err != nil:
		return fmt.Errorf("this session cannot be saved: %w", f.err)
	case f.parent == "":
		return errors.New("this session was not kept, so it cannot be saved")
	}
	dirs := slices.DeleteFunc(slices.Clone(f.dirs), func(dir string) bool { return !folder.Is(dir) }) // one that was just begun has nothing in it
	if len(dirs) == 0 {
		return errors.New("nothing can be saved yet: samples are written about once a second")
	}
	return newFolder(path, func(part string) (err error) {
		for _, dir := range dirs {
			to := part
			if len(dirs) > 1 {
				to = filepath.Join(part, filepath.Base(dir))
			}
			err = errors.Join(err, copyFolder(to, dir))
		}
		return err
	})
}

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
		err := copyTo(filepath.Join(to, e.Name()), func(out io.Writer) error {
			in, err := os.Open(filepath.Join(from, e.Name()))
			if err != nil {
				return err
			}
			defer in.Close()
			_, err = io.Copy(out, in)
			return err
		})
		// A file that is replaced while it is listed goes away under its temporary name.
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
	}
	return nil
}
