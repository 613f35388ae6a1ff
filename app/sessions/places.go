package sessions

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"framescope/app/library"
	"framescope/app/settings"
	"framescope/charts/view"
	"framescope/model/place"
	"framescope/model/store"
	"framescope/widgets"
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

// Asked holds the places requested with recordings.
type Asked map[*store.Session]spot

// spot is a place, and the window of time around it; none where it is empty: what suits the place.
type spot struct {
	place.Place
	beginNs, endNs int64
}

// Go goes to the requested place in the shown session as soon as it is there. It warns if the place is
// missing at the end.
func (a Asked) Go(s *store.Session, v *view.View, warn func(error)) {
	p, ok := a[s]
	if !ok || !v.Time().Valid() { // it is placed once it was shown
		return
	}
	_, ended := s.Ended()
	f, err := p.Find(s)
	if !ended {
		_, end, _ := s.Bounds()
		switch {
		case err != nil, p.Kind == place.Range && end < p.EndNs,
			p.Kind == place.Frames && s.Track(f.Track).Frame(f.Last).Number < p.Last:
			return
		}
	}
	delete(a, s)
	if err != nil {
		warn(fmt.Errorf("#%s: %w", p, err))
		return
	}
	if v.GoTo(p.Kind, f); p.endNs > p.beginNs {
		v.Steer().PlaceTime(p.beginNs, p.endNs)
	}
}

// noteUsed notes how the shown session is left, where it is kept, to be opened again.
func (ss *Sessions) noteUsed() {
	at := ss.keptIn(ss.ownerOf(ss.active))
	if at.Path == "" || at.Never || ss.active.NumTracks() == 0 {
		return
	}
	v, u := ss.View(), settings.Used{Path: at.Path}
	if abs, err := filepath.Abs(at.Path); err == nil {
		u.Path = abs
	}
	if p, ok := v.Here(); ok && !v.Live() {
		u.Place = p.String()
		u.BeginNs, u.EndNs = v.Time().Visible()
	}
	ss.settings.Used = u
	ss.settings.Touch()
}

// openUsed opens the session that was used last, as it was left; false: it is not there any more, or open.
func (ss *Sessions) openUsed() bool {
	link, ok := ss.settings.Used.Link()
	isIt := func(r widgets.SessionRow) bool { return r.Path == ss.settings.Used.Path }
	if !ok || slices.ContainsFunc(ss.Sessions(), isIt) {
		return false
	}
	ss.OpenFile(link)
	return true
}

// CutPlace is place.Cut for paths on disk.
func CutPlace(link string) (name string, p place.Place, err error) {
	return place.Cut(link, func(name string) bool { _, err := os.Lstat(name); return err == nil })
}
