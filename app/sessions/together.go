package sessions

import (
	"cmp"
	"fmt"
	"path/filepath"

	"framescope/app/launch"
	"framescope/app/library"
	"framescope/app/load"
	"framescope/model/store"
	"framescope/widgets"
)

// offerTogether asks which of the other sessions are put on one ruler with a session.
func (ss *Sessions) offerTogether(s *store.Session, x, y float32) {
	all := []*store.Session{s}
	var items []widgets.MenuItem
	for _, row := range ss.Sessions() {
		other := row.Session
		if other == s || ss.pathOf(other) == "" {
			continue
		}
		all = append(all, other)
		items = append(items, widgets.MenuItem{
			Label: "With " + widgets.NameApart(&row), Run: func() { ss.putTogether([]*store.Session{s, other}) },
		})
	}
	if len(items) > 1 {
		items = append(items, widgets.MenuItem{
			Label: fmt.Sprintf("With all %d others", len(items)), Line: true, Run: func() { ss.putTogether(all) },
		})
	}
	ss.ask.OpenMenu(&widgets.Menu{Name: "Put on one ruler", Items: items}, x, y)
}

// togetherAll puts the sessions that are open on one ruler, that of the shown one.
func (ss *Sessions) togetherAll() {
	var all []*store.Session
	for _, e := range ss.hub.Entries() {
		switch {
		case ss.pathOf(e.Session) == "":
		case e.Session == ss.active:
			all = append([]*store.Session{e.Session}, all...)
		default:
			all = append(all, e.Session)
		}
	}
	if len(all) < 2 {
		ss.ask.Notify("Open two sessions first: recordings, or programs that are connected")
		return
	}
	ss.putTogether(all)
}

// canTogether reports whether there is another session that a session can be put on one ruler with.
func (ss *Sessions) canTogether(s *store.Session) bool {
	if ss.pathOf(s) == "" {
		return false
	}
	for _, e := range ss.hub.Entries() {
		if e.Session != s && ss.pathOf(e.Session) != "" {
			return true
		}
	}
	return false
}

// pathOf returns the file or the folder on disk with all of a session, empty if there is none.
func (ss *Sessions) pathOf(s *store.Session) string {
	o := ss.ownerOf(s)
	if o.file != nil && (o.file.problem() != "" || load.IsTogether(o.file.path)) {
		return ""
	}
	return cmp.Or(o.path(), o.kept())
}

// putTogether opens sessions on one ruler, that of the first. What is live stays so.
func (ss *Sessions) putTogether(all []*store.Session) {
	var paths []string
	live := false
	for _, s := range all {
		paths = append(paths, ss.pathOf(s))
		if _, ended := s.Ended(); !ended {
			live = true
		}
	}
	ss.ask.ReplaceNotice("Comparing clocks of ", "%d sessions", len(all))
	ss.do(func() func() {
		plan, _, err := load.Plan(ss.sources.ctx, paths, ss.opt.Sources, nil, nil)
		path := ""
		if err == nil {
			path, err = library.KeepTogether(plan)
		}
		return func() {
			switch {
			case err != nil:
				ss.ask.Warn(err)
			case live:
				ss.bringIn(launch.Session{Path: path, Source: load.Journals{Sources: ss.opt.Sources}})
				ss.showLive = filepath.Base(path)
			default:
				ss.OpenFile(path)
			}
		}
	})
}
