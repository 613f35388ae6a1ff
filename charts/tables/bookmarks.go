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

// Panel is the list of bookmarks. A click goes to one; F2 writes its note and Del takes it away while
// the keys are on its row.
type Panel struct {
	*table.Table
	src *bookmarksSource
}

// New returns the panel.
func New() *Panel {
	src := &bookmarksSource{}
	t := table.New("Bookmarks", src)
	t.Words, t.NoHeader, t.RowHeight = src.countText, true, 24
	return &Panel{t, src}
}

// bookmarksSource is the bookmarks as rows, in the order of time.
type bookmarksSource struct {
	rows  []row
	stamp uint64
	view  *view.View
	here  place.Place
	rev   uint64
	at    uint64 // the bookmark that the keys act on
	count panel.CachedText
}

// row is a bookmark, and its name.
type row struct {
	view.Placed
	what string
}

var columns = []table.Column[row]{
	{ID: "number", Title: "#", Width: 22, Fixed: true, Cell: func(env *panel.Env, r *row, c *table.Cell) {
		if c.Color = draw.Color(env.Theme.Accent); r.Number > 0 {
			c.Buf = format.AppendCount(c.Buf, int64(r.Number))
		}
	}},
	{ID: "what", Title: "bookmark", Least: 90, Fixed: true, Cell: func(env *panel.Env, r *row, c *table.Cell) {
		c.Text = r.what
		if r.Err != nil {
			c.Color = draw.Color(env.Theme.TextDim)
		}
	}},
	{ID: "note", Title: "note", Least: 60, Fixed: true, Prose: true, Quiet: true, Cell: func(_ *panel.Env, r *row, c *table.Cell) {
		c.Text, _, _ = strings.Cut(r.Note, "\n")
	}},
	{ID: "took", Title: "duration", Unit: "ns", Kind: table.Number, Width: 70, Fixed: true, Drop: 2, Time: true,
		Value: func(_ *panel.Env, r *row) float64 {
			return table.Known(float64(r.Found.EndNs-r.Found.BeginNs), r.Place.Kind != place.Moment)
		}},
	{ID: "at", Title: "at", Unit: "ns", Kind: table.Number, Width: 74, Fixed: true, Drop: 1, Quiet: true,
		Value:  func(_ *panel.Env, r *row) float64 { return float64(r.Found.BeginNs) },
		Format: func(dst []byte, v float64) []byte { return format.AppendClock(dst, int64(v), 1e6) }},
}

// Columns implements table.Source.
func (s *bookmarksSource) Columns() []table.Column[row] { return columns }

// At implements table.Source.
func (s *bookmarksSource) At(i int) *row { return &s.rows[i] }

// Empty implements table.Source.
func (s *bookmarksSource) Empty(bool) string {
	return "Bookmarks.\nB marks the selection, Ctrl+1…9 goes there."
}

// Rows implements table.Source.
func (s *bookmarksSource) Rows(env *panel.Env) (n int, revision uint64) {
	v := env.View
	if stamp := v.Stamp(); s.view != v || s.stamp != stamp {
		s.view, s.stamp = v, stamp
		list := v.Bookmarks()
		here, _ := v.Here()
		if here != s.here || !slices.EqualFunc(list, s.rows, func(a view.Placed, b row) bool { return a.Mark == b.Mark && a.Found == b.Found }) {
			s.here = here
			s.fill(list)
		}
	}
	return len(s.rows), s.rev
}

func (s *bookmarksSource) fill(list []view.Placed) {
	was := s.rows
	s.rows = make([]row, len(list))
	for i := range list {
		r := row{Placed: list[i]}
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
func (s *bookmarksSource) countText(env *panel.Env) string {
	n := env.View.Marks().Len()
	if n == 0 {
		return ""
	}
	return s.count.Set(format.AppendCount(s.count.New(), int64(n)))
}

// Row implements table.Describer.
func (s *bookmarksSource) Row(_ *panel.Env, r *row) table.RowInfo {
	return table.RowInfo{Selected: r.Place == s.here, Dim: r.Err != nil, Hit: hitOf(r)}
}

func hitOf(r *row) panel.Hit {
	hit := panel.NoHit()
	hit.Kind, hit.Mark, hit.TimeNs = panel.HitMark, r.ID, r.Found.BeginNs
	return hit
}

// Click implements table.Clicker.
func (s *bookmarksSource) Click(_ *panel.Env, r *row, _ *panel.Input) panel.Action {
	s.at = r.ID
	return panel.Action{Kind: panel.ActionGoToMark, Hit: hitOf(r)}
}

// Choose implements table.Chooser.
func (s *bookmarksSource) Choose(_ *panel.Env, r *row) { s.at = r.ID }

// Tip implements table.Tips.
func (s *bookmarksSource) Tip(_ *panel.Env, r *row, l *panel.TipLines) {
	subject.BookmarkTip(l, &r.Placed)
}

// Key implements panel.Keyed.
func (p *Panel) Key(env *panel.Env, key string) (panel.Action, bool) {
	kind := map[string]panel.ActionKind{"delete": panel.ActionRemoveMark, "f2": panel.ActionNote}[key]
	if kind == panel.ActionNone {
		return p.Table.Key(env, key)
	}
	i := slices.IndexFunc(p.src.rows, func(r row) bool { return r.ID == p.src.at })
	if i < 0 {
		return p.Table.Key(env, "down") // first one is chosen
	}
	return panel.Action{Kind: kind, Hit: hitOf(&p.src.rows[i])}, true
}
