package sessions

import (
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"framescope/app/scratch"
)

// OpenDropped opens all files of a file system, folders included.
func (ss *Sessions) OpenDropped(files fs.FS) {
	err := fs.WalkDir(files, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			return ss.openDroppedFolder(files, name)
		}
		f, err := files.Open(name)
		if err != nil {
			return err
		}
		defer f.Close()
		// On desktops the file is one on disk and can be read by its name, which also lets it be
		// opened again.
		if on, ok := f.(interface{ Name() string }); ok {
			if _, err := os.Stat(on.Name()); err == nil {
				ss.OpenFile(on.Name())
				return nil
			}
		}
		return ss.openCopy(f, name)
	})
	if err != nil {
		ss.ask.Warn(err)
	}
}

// openDroppedFolder opens a folder that is a recording as a whole; of others the files are looked
// at one by one.
func (ss *Sessions) openDroppedFolder(files fs.FS, name string) error {
	if name == "." {
		return nil // what was dropped, all of it
	}
	f, err := files.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	on, ok := f.(interface{ Name() string })
	if !ok {
		return nil
	}
	if st, err := os.Stat(on.Name()); err != nil || !st.IsDir() {
		return nil
	}
	if _, err := ss.sources.registry.Recognise(on.Name()); err != nil {
		return nil
	}
	ss.OpenFile(on.Name())
	return fs.SkipDir
}

// openCopy opens a file that has no name on disk by way of a temporary one.
func (ss *Sessions) openCopy(f io.Reader, name string) error {
	dir, err := scratch.Dir()
	if err != nil {
		return err
	}
	ss.sources.temp = append(ss.sources.temp, dir)
	path := filepath.Join(dir, filepath.Base(name))
	out, err := os.Create(path)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, f)
	if cerr := out.Close(); err == nil {
		err = cerr
	}
	if err == nil {
		ss.open(path)
	}
	return err
}
