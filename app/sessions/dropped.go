package sessions

import (
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"framescope/internal/aside"
	"framescope/model/store"
)

// Opening is a recording that is or was being opened; the zero value stands for no recording.
type Opening struct{ own *opened }

// SessionOf returns the session of an opened recording, nil before it has one and after it was closed;
// read reports that it is complete, or that no more can be read.
func (ss *Sessions) SessionOf(o Opening) (s *store.Session, read bool) {
	for _, e := range ss.hub.Entries() {
		if own := ownerOf(e.Feed).file; own != nil && own == o.own {
			_, read = e.Session.Ended()
			return e.Session, read
		}
	}
	return nil, false
}

// OpenDropped opens all files of a file system, folders included, in the order of their names.
func (ss *Sessions) OpenDropped(files fs.FS) (list []Opening) {
	found, err := FindDropped(files, func(path string) bool {
		_, err := ss.sources.registry.Recognise(path)
		return err == nil
	})
	ss.ask.Warn(err)
	for _, f := range found {
		open := ss.OpenFile
		if f.Temp != "" {
			ss.sources.temp = append(ss.sources.temp, f.Temp)
			open = ss.open
		}
		if o := open(f.Path); o.own != nil {
			list = append(list, o)
		}
	}
	return list
}

// Recordings among files dropped on a window.

// DroppedFile is a recording that was dropped.
type DroppedFile struct {
	Path string
	// Temp is the folder of a temporary copy, empty if Path is the file itself; the user of the copy
	// removes it.
	Temp string
}

// FindDropped returns all files of a file system in the order of their names, including those in
// folders. A folder that is a recording counts as one file. Files without a name on disk, as in
// browsers, are copied into a temporary folder each. With an error come the files found before.
func FindDropped(files fs.FS, recording func(path string) bool) (list []DroppedFile, err error) {
	err = fs.WalkDir(files, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || name == "." { // the root of all dropped files
			return err
		}
		f, err := files.Open(name)
		if err != nil {
			return err
		}
		defer f.Close()
		// On desktops the file is one on disk and can be read by its name, which also lets it be
		// opened again.
		if on, ok := f.(interface{ Name() string }); ok {
			st, err := os.Stat(on.Name())
			switch {
			case err != nil:
			case !d.IsDir():
				list = append(list, DroppedFile{Path: on.Name()})
				return nil
			case st.IsDir() && recording(on.Name()):
				list = append(list, DroppedFile{Path: on.Name()})
				return fs.SkipDir
			}
		}
		if d.IsDir() {
			return nil
		}
		c, err := copied(f, name)
		list = append(list, c)
		return err
	})
	return list, err
}

// copied copies a file that has no name on disk into a temporary one.
func copied(f io.Reader, name string) (c DroppedFile, err error) {
	if c.Temp, err = aside.Dir(); err != nil {
		return c, err
	}
	c.Path = filepath.Join(c.Temp, filepath.Base(name))
	out, err := os.Create(c.Path)
	if err != nil {
		return c, err
	}
	_, err = io.Copy(out, f)
	if cerr := out.Close(); err == nil {
		err = cerr
	}
	return c, err
}
