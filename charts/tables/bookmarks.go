package tables

import (
	"slices"
	"strings"

	"framescope/charts/draw"
	"framescope/charts/format"
	"framescope/charts/panel"
	"framescope/charts/subject"
	"framescope/charts/table"
	"framescope/charts/view"
	"framescope/model/place"
)

// BookmarkPanel is the list of bookmarks. A click goes to one; F2 writes its note and Del takes it away while
// the keys are on its row.
type BookmarkPanel struct {
	*table.Table
	src *bookmarks
}

// NewBookmarkPanel returns the panel.
func NewBookmarkPanel() *BookmarkPanel {
	src := &bookmarks{}
	t := table.New("Bookmarks", src)
	t.Words, t.NoHeader, t.RowHeight = src.countText, true, 24
	return &BookmarkPanel{t, src}
}

// bookmarks is the bookmarks as rows, in the order of time.
type bookmarks struct {
	rows  []bookmarkRow
	stamp uint64
	view  *view.View
	here  place.Place
	rev   uint64
	at    uint64 // the bookmark that the keys act on
	count panel.CachedText
}

// bookmarkRow is a bookmark, and its name.
type bookmarkRow struct {
	view.Placed
	what string
}

var bookmarkColumns = []table.Column[bookmarkRow]{
	{ID: "number", Title: "#", Width: 22, Fixed: true, Cell: func(env *panel.Env, r *bookmarkRow, c *table.Cell) {
		if c.Color = draw.Color(env.Theme.Accent); r.Number > 0 {
			c.Buf = format.AppendCount(c.Buf, int64(r.Number))
		}
	}},
	{ID: "what", Title: "bookmark", Least: 90, Fixed: true, Cell: func(env *panel.Env, r *bookmarkRow, c *table.Cell) {
		c.Text = r.what
		if r.Err != nil {
			c.Color = draw.Color(env.Theme.TextDim)
		}
	}},
	{ID: "note", Title: "note", Least: 60, Fixed: true, Prose: true, Quiet: true, Cell: func(_ *panel.Env, r *bookmarkRow,
		c *table.Cell) {
		c.Text, _, _ = strings.Cut(r.Note, "\n")
	}},
	{ID: "took", Title: "duration", Unit: "ns", Kind: table.Number, Width: 70, Fixed: true, Drop: 2, Time: true,
		Value: func(_ *panel.Env, r *bookmarkRow) float64 {
			return table.Known(float64(r.Found.EndNs-r.Found.BeginNs), r.Place.Kind != place.Moment)
		}},
	{ID: "at", Title: "at", Unit: "ns", Kind: table.Number, Width: 74, Fixed: true, Drop: 1, Quiet: true,
		Value:  func(_ *panel.Env, r *bookmarkRow) float64 { return float64(r.Found.BeginNs) },
		Format: func(dst []byte, v float64) []byte { return format.AppendClock(dst, int64(v), 1e6) }},
}

// Columns implements table.Source.
func (s *bookmarks) Columns() []table.Column[bookmarkRow] { return bookmarkColumns }

// At implements table.Source.
func (s *bookmarks) At(i int) *bookmarkRow { return &s.rows[i] }

// Empty implements table.Source.
func (s *bookmarks) Empty(bool) string {
	return "Bookmarks.\nB marks the selection, Ctrl+1…9 goes there."
}

// Rows implements table.Source.
func (s *bookmarks) Rows(env *panel.Env) (n int, revision uint64) {
	v := env.View
	if stamp := v.Stamp(); s.view != v || s.stamp != stamp {
		s.view, s.stamp = v, stamp
		list := v.Bookmarks()
		here, _ := v.Here()
		if here != s.here || !slices.EqualFunc(list, s.rows,
			func(a view.Placed, b bookmarkRow) bool { return a.Mark == b.Mark && a.Found == b.Found }) {
			s.here = here
			s.fill(list)
		}
	}
	return len(s.rows), s.rev
}

func (s *bookmarks) fill(list []view.Placed) {
	was := s.rows
	s.rows = make([]bookmarkRow, len(list))
	for i := range list {
		r := bookmarkRow{Placed: list[i]}
		if i < len(was) && was[i].Place == r.Place {
			r.what = was[i].what
		} else {
			r.what = subject.PlaceName(r.Place)
		}
		s.rows[i] = r
	}
	s.rev++
}

// countText returns the number of bookmarks.
func (s *bookmarks) countText(env *panel.Env) string {
	n := env.View.Marks().Len()
	if n == 0 {
		return ""
	}
	return s.count.Set(format.AppendCount(s.count.New(), int64(n)))
}

// Row implements table.Describer.
func (s *bookmarks) Row(_ *panel.Env, r *bookmarkRow) table.RowInfo {
	return table.RowInfo{Selected: r.Place == s.here, Dim: r.Err != nil, Hit: hitOf(r)}
}

func hitOf(r *bookmarkRow) panel.Hit {
	hit := panel.NoHit()
	hit.Kind, hit.Mark, hit.TimeNs = panel.HitMark, r.ID, r.Found.BeginNs
	return hit
}

// Click implements table.Clicker.
func (s *bookmarks) Click(_ *panel.Env, r *bookmarkRow, _ *panel.Input) panel.Action {
	s.at = r.ID
	return panel.Action{Kind: panel.ActionGoToMark, Hit: hitOf(r)}
}

// Choose implements table.Chooser.
func (s *bookmarks) Choose(_ *panel.Env, r *bookmarkRow) { s.at = r.ID }

// Tip implements table.Tips.
func (s *bookmarks) Tip(_ *panel.Env, r *bookmarkRow, l *panel.TipLines) {
	subject.BookmarkTip(l, &r.Placed)
}

// Key implements panel.Keyed.
func (p *BookmarkPanel) Key(env *panel.Env, key string) (panel.Action, bool) {
	kind := map[string]panel.ActionKind{"delete": panel.ActionRemoveMark, "f2": panel.ActionNote}[key]
	if kind == panel.ActionNone {
		return p.Table.Key(env, key)
	}
	i := slices.IndexFunc(p.src.rows, func(r bookmarkRow) bool { return r.ID == p.src.at })
	if i < 0 {
		return p.Table.Key(env, "down") // first one is chosen
	}
	return panel.Action{Kind: kind, Hit: hitOf(&p.src.rows[i])}, true
}
