package sessions

import (
	"slices"

	"framescope/model/store"
	"framescope/widgets"
)

// offer opens the menu of a session in the list of open ones.
func (ss *Sessions) offer(s *store.Session, x, y float32) {
	rows := ss.Sessions()
	i := slices.IndexFunc(rows, func(r widgets.SessionRow) bool { return r.Session == s })
	if i < 0 {
		return
	}
	row := &rows[i]
	where, shown := row.Path, func(then func()) func() { return func() { ss.Select(s); then() } }
	ss.ask.OpenMenu(&widgets.Menu{Name: row.Called(), Items: []widgets.MenuItem{
		{Label: "Show", On: row.Active, Run: shown(func() {})},
		{Label: "Save…", Off: row.Problem != "", Run: shown(ss.saveAs)},
		{Label: "Compare with…", Off: row.Problem != "", Run: shown(ss.CompareWith)},
		{Label: "Put on one ruler…", Off: !ss.canTogether(s), Run: func() { ss.offerTogether(s, x, y) }},
		{Label: "Copy where it comes from", Run: func() { ss.ask.Copy(where) }},
		{Label: "Clips of hitches…", Line: true, Key: KeyOfClips, Run: ss.liveClips.Show},
		{Label: "Close", Line: true, Off: !row.Closable(), Run: func() { ss.Forget(s) }},
	}}, x, y)
}
