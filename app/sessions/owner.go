package sessions

import (
	"framescope/app/launch"
	"framescope/app/library"
	"framescope/model/store"
	"framescope/net/feed"
)

// owner is what a session comes from: one of these, or nothing where the session is gone.
type owner struct {
	file *opened           // a recording that is read
	live *liveOwner        // a game that is connected
	in   *launch.Recording // what an input brings in
}

func ownerOf(f *feed.Feed) (o owner) {
	if f == nil {
		return o
	}
	switch own := f.Owner().(type) {
	case *opened:
		o.file = own
	case *liveOwner:
		o.live = own
	case *launch.Recording:
		o.in = own
	}
	return o
}

// ownerOf returns what a session comes from.
func (ss *Sessions) ownerOf(s *store.Session) owner {
	e, _ := ss.hub.EntryOf(s)
	return ownerOf(e.Feed)
}

// path returns the file or folder that is read, empty where none is.
func (o owner) path() string {
	if o.in != nil {
		return o.in.Path
	}
	return o.opened()
}

// opened returns the file or folder that a session was opened from, empty where it was not.
func (o owner) opened() string {
	if o.file != nil {
		return o.file.path
	}
	return ""
}

// recorder returns the recorder of a live session, nil without one.
func (o owner) recorder() *library.Recorder {
	switch {
	case o.live != nil:
		return o.live.rec
	case o.in != nil:
		rec, _ := o.in.Tape().(*library.Recorder)
		return rec
	}
	return nil
}

// kept returns the session on disk, empty where there is none.
func (o owner) kept() string {
	if o.file != nil && o.file.journal {
		return o.file.path
	}
	if rec := o.recorder(); rec != nil {
		return rec.Path()
	}
	return ""
}

// keeps reports whether the session is on disk, or will be when data come.
func (o owner) keeps() bool {
	rec := o.recorder()
	return o.file != nil && o.file.journal || rec != nil && rec.Keeps()
}

// problem says why a recording could not be read to its end, empty if all is well.
func (o owner) problem() string {
	switch {
	case o.file != nil:
		return o.file.problem()
	case o.in != nil && o.in.Problem() != nil:
		return o.in.Problem().Error()
	}
	return ""
}
