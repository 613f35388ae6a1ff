package sessions

import (
	"path/filepath"
	"slices"

	"framescope/app/launch"
	"framescope/app/library"
	"framescope/model/place"
)

// keptIn returns where the recording is that a session is of, for its bookmarks and links.
func (ss *Sessions) keptIn(owner any) library.Recording {
	switch own := owner.(type) {
	case *opened:
		if slices.Contains(ss.sources.temp, filepath.Dir(own.path)) { // a dropped file without a name
			return library.Recording{Never: true}
		}
		return library.Recording{Path: own.path}
	case *launch.Recording:
		if own.Path != "" {
			return library.Recording{Path: own.Path}
		}
	}
	rec := recorderOf(owner)
	return library.Recording{Path: keptPath(owner), Folder: true, Never: rec == nil || !rec.Keeps()}
}

// Beside returns the folder of the shown recording, if it is in a folder of the user's; empty: it is
// not.
func (ss *Sessions) Beside() string {
	if e, some := ss.hub.EntryOf(ss.active); some {
		if at := ss.keptIn(e.Feed.Owner()); at.Path != "" && !at.Folder {
			return filepath.Dir(at.Path)
		}
	}
	return ""
}

// tickBookmarks keeps the bookmarks of all sessions, and goes to the requested places.
func (ss *Sessions) tickBookmarks() {
	entries := ss.hub.Entries()
	for i := range entries {
		if v := ss.views[entries[i].Session]; v != nil {
			ss.books.Tick(v, ss.keptIn(entries[i].Feed.Owner()))
		}
	}
	ss.asked.Go(ss.active, ss.View(), ss.ask.Warn)
}

// Link returns the link to a place of the shown session; ok is false where nothing of it is on disk.
func (ss *Sessions) Link(p place.Place) (link string, ok bool) {
	e, some := ss.hub.EntryOf(ss.active)
	if !some {
		return "", false
	}
	return ss.keptIn(e.Feed.Owner()).Link(p)
}
