package sessions

import (
	"cmp"
	"fmt"

	"framescope/app/library"
	"framescope/model/store"
	"framescope/widgets"
)

// keptLook is a snapshot of the folders of the shown sessions: the user, and other viewers, may name
// and delete them at any time. A goroutine takes it.
type keptLook struct {
	of      map[string]library.Label // by the sessions' folders
	looking bool
	nextNs  int64
}

// keptEvery is the interval between checks of the folders, ns.
const keptEvery = 2_000_000_000

// lookAtKept brings that up to date, in a moment.
func (ss *Sessions) lookAtKept() {
	k := &ss.kept
	if !ss.keepsSessions() || k.looking || ss.ask.Env.NowNs < k.nextNs {
		return
	}
	k.nextNs = ss.ask.Env.NowNs + keptEvery
	var paths []string
	for _, e := range ss.hub.Entries() {
		if path := ownerOf(e.Feed).kept(); path != "" {
			paths = append(paths, path)
		}
	}
	if len(paths) == 0 {
		return
	}
	k.looking = true
	ss.do(func() func() {
		of := make(map[string]library.Label, len(paths))
		for _, path := range paths {
			of[path] = ss.library.Label(path)
		}
		return func() { ss.kept.of, ss.kept.looking = of, false }
	})
}

// TitleOf names a session for people: as the user called it, else as it calls itself.
func (ss *Sessions) TitleOf(s *store.Session) string {
	return cmp.Or(ss.nameOf(ss.ownerOf(s)), sessionTitle(s))
}

// nameOf is the name that the user gave the session of a feed, empty if none.
func (ss *Sessions) nameOf(o owner) string {
	name := ss.kept.of[o.kept()].Name
	if o.file != nil && name != "" && !o.file.part.whole() {
		name += " (" + o.file.part.describe() + ")"
	}
	return name
}

// keptRow fills a row of the session list with the state of a session on disk.
func (ss *Sessions) keptRow(row *widgets.SessionRow, o owner) {
	path := o.kept()
	if path == "" {
		return
	}
	label := ss.kept.of[path]
	row.Title = ss.nameOf(o)
	if o.file != nil {
		row.OnDisk = o.file.partWords(row.Session)
		switch {
		case label.Gone:
			row.OnDisk = "deleted from the disk"
		case label.Interrupted:
			row.OnDisk = "interrupted"
		}
	} else if _, ended := row.Session.Ended(); ended && label.Gone {
		row.OnDisk = "deleted from the disk"
	} else if o.live != nil {
		if n := o.live.behind.FramesOnDisk(); n > 0 {
			row.OnDisk = library.Count(n) + " frames wait on disk until the viewer keeps up"
		}
	}
}

// lost reports whether a session would be gone for good when it is taken off the screen: it came
// live, and is nowhere on disk.
func (ss *Sessions) lost(s *store.Session) bool {
	own := ss.ownerOf(s)
	if _, ok := ss.hub.EntryOf(s); !ok || own.path() != "" || s.NumTracks() == 0 || ss.opt.Deterministic {
		return false
	}
	rec := own.recorder()
	if rec == nil {
		return true
	}
	if state, ok := rec.Recording(); ok && state.Err == nil && state.Refused == 0 {
		return false
	}
	kept, ok := rec.Kept()
	return !ok || kept.Path == "" || ss.kept.of[kept.Path].Gone
}

// askForget takes a session off the screen, and asks before that where it would be lost.
func (ss *Sessions) askForget(s *store.Session) {
	if !ss.lost(s) {
		ss.forget(s)
		return
	}
	question := fmt.Sprintf("“%s” is not kept on disk: close it anyway?", cmp.Or(ss.TitleOf(s), "this session"))
	lose := func() { ss.sources.later(func() { ss.forget(s) }) }
	ss.ask.Confirm(question, "Close it and lose the data", lose, "Keep it open")
}
