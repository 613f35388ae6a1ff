// The panel of budgets lists the results of a budget file for a session: limits, measured values, and
// whether they are kept.

package tables

import (
	"path/filepath"
	"slices"

	"framescope/charts/draw"
	"framescope/charts/format"
	"framescope/charts/panel"
	"framescope/charts/subject"
	"framescope/charts/table"
	"framescope/charts/view"
	"framescope/model"
	"framescope/model/budget"
)

// NewBudgets returns the panel: broken ones first, else in order of the file.
func NewBudgets() *table.Table {
	src := &budgetsSource{state: new(view.State)}
	src.columns = budgetsColumns()
	t := table.New("Budgets", src)
	t.Words = func(*panel.Env) string { return src.words }
	t.Foot = src.footOf
	return t
}

// budgetsRow is a limit with its words.
type budgetsRow struct {
	*view.Limit
	what, pattern, of, allowed, found string
}

type budgetsSource struct {
	table.List[budgetsRow]
	state   *view.State
	columns []table.Column[budgetsRow]
	words   string
	foot    *table.Foot
	seen    uint64
}

// Settled implements table.Settled.
func (s *budgetsSource) Settled() {}

// Columns implements table.Source.
func (s *budgetsSource) Columns() []table.Column[budgetsRow] { return s.columns }

// Empty implements table.Source.
func (s *budgetsSource) Empty(filtered bool) string {
	const shows = "Limits, and what exceeds them.\n"
	switch {
	case filtered:
		return panel.NoMatch
	case s.state.Trouble() != "":
		return "These budgets cannot be checked here.\n" + s.state.Trouble()
	case len(s.state.Budgets()) > 0:
		return shows + "Checking the recording …"
	case s.state.File() != "":
		return shows + "The file has none. Right click a collector or a frame to set one."
	}
	return shows + "Right click a collector or a frame to set one.\nOr drop a budget file (TOML) on the window."
}

// Rows implements table.Source.
func (s *budgetsSource) Rows(env *panel.Env) (n int, revision uint64) {
	if now := env.Limits.Revision(); s.state != env.Limits || s.seen != now || s.Revision == 0 {
		s.state, s.seen = env.Limits, now
		s.Revision++
		s.fill()
	}
	return s.Listed()
}

// fill makes the rows.
func (s *budgetsSource) fill() {
	s.All, s.words, s.foot = s.All[:0], "", nil
	all := s.state.All()
	broken := 0
	for i := range all {
		x := &all[i]
		b := x.Budget
		r := budgetsRow{Limit: x, what: x.What, pattern: b.Collector + b.Series, of: b.Measured(), allowed: x.Allowed(),
			found: x.Found()}
		if r.what == "" {
			r.what = "frame"
		}
		if b.Name != "" {
			r.pattern = b.Name
		}
		if x.Breach() {
			broken++
		}
		if b.HasShare {
			r.of = string(b.Measure) + " over " + b.Most()
		}
		s.All = append(s.All, r)
	}
	slices.SortStableFunc(s.All, func(a, b budgetsRow) int { return s.Group(&a) - s.Group(&b) })
	if s.state.File() == "" {
		return
	}
	b := append([]byte(filepath.Base(s.state.File())), " · "...)
	b = format.AppendCount(b, int64(broken))
	b = format.AppendCount(append(b, " of "...), int64(len(all)))
	s.words = string(append(b, " broken"...))
	if why := s.state.Trouble(); why != "" && len(all) > 0 {
		s.foot = &table.Foot{Words: why + ": the previous budgets stay in effect",
			Tip: []string{why, "Until it is valid again, the previous budgets stay in effect."}}
	}
}

// footOf returns the error of the file.
func (s *budgetsSource) footOf(*panel.Env) *table.Foot { return s.foot }

// Group implements table.Grouper: broken limits stand above the rest.
func (s *budgetsSource) Group(r *budgetsRow) int {
	return format.Pick(r.Breach(), 0, 1)
}

// Match implements table.Matcher.
func (s *budgetsSource) Match(_ *panel.Env, r *budgetsRow, text string) bool {
	return format.ContainsFold(r.what, text) || format.ContainsFold(r.pattern, text)
}

// Row implements table.Describer.
func (s *budgetsSource) Row(env *panel.Env, r *budgetsRow) table.RowInfo {
	v := env.View
	info := table.RowInfo{Hit: panel.NoHit(), Dim: r.Verdict == budget.Nothing && !r.Breach()}
	info.Hit.Budget, info.Hit.Track = r.Budget.Line, r.Track
	switch {
	case r.Collector != model.NoCollector:
		info.Hit.Kind, info.Hit.Collector = panel.HitCollector, r.Collector
		info.Selected, info.Lit = r.Collector == v.Collector(), r.Collector == v.Pointer().Collector()
	case r.Series != model.NoSeries:
		info.Hit.Kind, info.Hit.Thing = panel.HitObject, view.Series(r.Series)
		info.Selected = v.Thing() == view.Series(r.Series)
	default:
		if i := s.worst(env, r); i >= 0 {
			info.Hit.Kind, info.Hit.Frame = panel.HitFrame, i
		}
	}
	return info
}

// Click implements table.Clicker: it selects the budget's subject, and goes to the worst frame.
func (s *budgetsSource) Click(env *panel.Env, r *budgetsRow, _ *panel.Input) panel.Action {
	v := env.View
	switch {
	case r.Collector != model.NoCollector:
		v.SelectCollectorOf(r.Track, r.Collector)
	case r.Series != model.NoSeries:
		v.Select(view.Series(r.Series))
	case r.Track != model.NoTrack:
		v.SetTrack(r.Track)
	}
	if i := s.worst(env, r); i >= 0 {
		v.GoToFrame(i)
	}
	return panel.Action{}
}

// worst returns the index of the frame with the greatest value on the row's thread, -1 where there is none
// any more.
func (s *budgetsSource) worst(env *panel.Env, r *budgetsRow) int {
	if t := env.View.Session().Track(r.Track); t != nil && r.HasWorst {
		if i, ok := t.FrameByNumber(r.Worst); ok {
			return i
		}
	}
	return -1
}

// Tip implements table.Tips.
func (s *budgetsSource) Tip(_ *panel.Env, r *budgetsRow, l *panel.TipLines) {
	l.Add(r.Title())
	l.Text("measure\t").Text(r.of).End()
	l.Text("limit\t").Text(r.allowed).End()
	if r.Verdict == budget.Nothing {
		l.Add("nothing with this name was recorded")
	} else {
		l.Text("measured\t").Text(r.found).End()
	}
	if r.HasWorst {
		l.Text("over the limit\t").Count(r.Over).Text(" of ").Count(r.Frames).Text(" frames").End()
		l.Text("worst\t#").Count(r.Worst).End()
		l.Add("click: the worst frame · right click: change, remove")
	} else {
		l.Add("right click: change, remove")
	}
}

// Key implements table.Keyed.
func (s *budgetsSource) Key(r *budgetsRow) uint64 {
	return table.KeyOf(int64(r.Budget.Line), int64(r.Track), int64(r.Collector), int64(r.Series))
}

// budgetsColumns returns the columns.
func budgetsColumns() []table.Column[budgetsRow] {
	class := func(_ *panel.Env, r *budgetsRow) string { // comparable values
		switch {
		case r.Budget.HasShare:
			return "%"
		case r.Budget.Measure.Times():
			return "ns"
		}
		return r.Unit
	}
	return []table.Column[budgetsRow]{
		{
			ID: "what", Title: "on", Least: 140, Text: func(_ *panel.Env, r *budgetsRow) string { return r.what },
			Cell: func(env *panel.Env, r *budgetsRow, c *table.Cell) {
				c.Swatch = draw.Color(env.Theme.FrameBar)
				if r.Collector != model.NoCollector {
					c.Swatch = env.Palette().Fill(r.Collector)
				}
			},
		},
		{
			ID: "verdict", Title: "verdict", Width: 58, Drop: 1,
			Text: func(_ *panel.Env, r *budgetsRow) string { return string(r.Verdict) },
			Cell: func(env *panel.Env, r *budgetsRow, c *table.Cell) {
				if c.Color = subject.LimitColor(env, r.Breach()); r.Verdict == budget.Nothing && !r.Breach() {
					c.Color = draw.Color(env.Theme.TextDim)
				}
			},
		},
		{ID: "budget", Title: "budget", Width: 92, Drop: 5, Quiet: true,
			Text: func(_ *panel.Env, r *budgetsRow) string { return r.pattern }},
		{ID: "thread", Title: "thread", Width: 70, Drop: 4, Quiet: true,
			Text: func(_ *panel.Env, r *budgetsRow) string { return r.Thread }},
		{ID: "measure", Title: "measure", Width: 124, Drop: 3, Quiet: true, Prose: true,
			Text: func(_ *panel.Env, r *budgetsRow) string { return r.of }},
		{
			ID: "limit", Title: "limit", Kind: table.Number, Width: 76, Class: class, Quiet: true,
			Value: func(_ *panel.Env, r *budgetsRow) float64 {
				return format.Pick(r.Budget.HasShare, r.Budget.Share, r.Budget.Limit)
			},
			Cell: func(_ *panel.Env, r *budgetsRow, c *table.Cell) { c.Buf = append(c.Buf[:0], r.allowed...) },
		},
		{
			ID: "measured", Title: "measured", Kind: table.Number, Width: 76, Class: class,
			Value: func(_ *panel.Env, r *budgetsRow) float64 {
				return table.Known(r.Value, r.Verdict != budget.Nothing)
			},
			Cell: func(env *panel.Env, r *budgetsRow, c *table.Cell) {
				if c.Buf = c.Buf[:0]; r.Verdict == budget.Nothing {
					c.Unknown(env)
					return
				}
				if c.Buf = append(c.Buf, r.found...); r.Breach() {
					c.Color = draw.Color(env.Theme.Bad)
				}
			},
		},
		{
			ID: "frame", Title: "max in frame", Kind: table.Number, Width: 92, Drop: 2, Quiet: true,
			Value: func(_ *panel.Env, r *budgetsRow) float64 {
				return table.Known(float64(r.Worst), r.HasWorst)
			},
			Cell: func(_ *panel.Env, r *budgetsRow, c *table.Cell) {
				if c.Buf = c.Buf[:0]; r.HasWorst {
					c.Buf = format.AppendCount(append(c.Buf, '#'), r.Worst)
				}
			},
		},
	}
}
