package sessions

import (
	"slices"
	"strings"

	"framescope/model/store"
	"framescope/widgets"
)

// tellApart says of sessions that are called alike which is which: by their files, with the folders
// where those are called alike, too, or by their addresses.
func (ss *Sessions) tellApart(rows []widgets.SessionRow) {
	for i := range rows {
		for k := range rows {
			if i == k || rows[i].Called() != rows[k].Called() {
				continue
			}
			apart := rows[i].Name
			if apart == rows[k].Name {
				apart = lastOf(ss.whereOf(&rows[i]), 2)
			}
			if len(apart) > len(rows[i].Apart) {
				rows[i].Apart = apart
			}
		}
	}
}

// whereOf returns the path of a session's file, else where it comes from.
func (ss *Sessions) whereOf(r *widgets.SessionRow) string {
	if e, ok := ss.hub.EntryOf(r.Session); ok {
		if own, ok := e.Feed.Owner().(*opened); ok {
			return own.path
		}
	}
	return r.Name
}

// lastOf returns the last n parts of a path.
func lastOf(path string, n int) string {
	at := len(path)
	for range n {
		i := strings.LastIndexAny(path[:at], `/\`)
		if i < 0 {
			return path
		}
		at = i
	}
	return path[at+1:]
}

// offer opens the menu of a session in the list of those that are open.
func (ss *Sessions) offer(s *store.Session, x, y float32) {
	rows := ss.Sessions()
	i := slices.IndexFunc(rows, func(r widgets.SessionRow) bool { return r.Session == s })
	if i < 0 {
		return
	}
	row := &rows[i]
	where, shown := ss.whereOf(row), func(then func()) func() { return func() { ss.Select(s); then() } }
	ss.ask.OpenMenu(&widgets.Menu{Name: row.Called(), Items: []widgets.MenuItem{
		{Label: "Show", On: row.Active, Run: shown(func() {})},
		{Label: "Save…", Off: row.Problem != "", Run: shown(ss.saveAs)},
		{Label: "Copy where it comes from", Run: func() { ss.ask.Copy(where) }},
		{Label: "Close", Line: true, Off: !row.Closable(), Run: func() { ss.Forget(s) }},
	}}, x, y)
}
