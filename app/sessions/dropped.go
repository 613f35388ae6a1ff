package sessions

import (
	"io/fs"

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
	if err != nil {
		ss.ask.Warn(err)
	}
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
