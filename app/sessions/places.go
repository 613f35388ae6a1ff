package sessions

import (
	"path/filepath"
	"slices"

	"framescope/app/library"
	"framescope/model/place"
)

// keptIn returns where the recording is that a session is of, for its bookmarks and links.
func (ss *Sessions) keptIn(o owner) library.Recording {
	path := o.path()
	switch {
	case o.file != nil && slices.Contains(ss.sources.temp, filepath.Dir(path)): // a dropped file without a name
		return library.Recording{Never: true}
	case path != "":
		return library.Recording{Path: path}
	}
	return library.Recording{Path: o.kept(), Folder: true, Never: !o.keeps()}
}

// Beside returns the folder of the shown recording, if it is in a folder of the user's; empty: it is
// not.
func (ss *Sessions) Beside() string {
	if at := ss.keptIn(ss.ownerOf(ss.active)); at.Path != "" && !at.Folder {
		return filepath.Dir(at.Path)
	}
	return ""
}

// tickBookmarks keeps the bookmarks of all sessions, and goes to the requested places.
func (ss *Sessions) tickBookmarks() {
	entries := ss.hub.Entries()
	for i := range entries {
		if v := ss.views[entries[i].Session]; v != nil {
			ss.books.Tick(v, ss.keptIn(ownerOf(entries[i].Feed)))
		}
	}
	ss.asked.Go(ss.active, ss.View(), ss.ask.Warn)
}

// Link returns the link to a place of the shown session; ok is false where nothing of it is on disk.
func (ss *Sessions) Link(p place.Place) (link string, ok bool) {
	return ss.keptIn(ss.ownerOf(ss.active)).Link(p)
}
