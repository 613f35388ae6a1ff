package series

import (
	"framescope/charts/draw"
	"framescope/charts/panel"
	"framescope/charts/timepane"
	"framescope/charts/view"
	"framescope/model"
	"framescope/model/store"
	"math"
	"slices"
)

// seriesBaseKey is the extra inputs of the part of the picture that does not move with the mouse.
type seriesBaseKey struct {
	query    seriesQueryKey
	focus    model.SeriesID
	stats    uint64
	dist     uint64
	settings Settings
	live     bool
	group    string
	words    string // of the empty chart
}

// seriesTopKey is the inputs of the rest.
type seriesTopKey struct {
	cursor uint64
	zoom   timepane.ZoomRange
	over   int
	series model.SeriesID
}

func (c *Chart) drawIfChanged(env *panel.Env) {
	key := seriesBaseKey{
		query: c.query, focus: c.focused(env).id, stats: c.stats.edition,
		settings: c.Settings, live: env.View.Live(), group: c.Group,
	}
	top := seriesTopKey{cursor: env.View.CursorStamp(), zoom: c.time.Zoom(), over: -1, series: c.over}
	if c.Distribution {
		key.dist, top.over = c.dist.edition, c.dist.over
	}
	if c.BeginBase(env, c.regions.all, key) {
		c.drawBase(env)
		c.baseN++
	}
	if c.BeginOver(top) {
		c.drawOver(env)
	}
}

// drawEmpty describes the panel's content and how to get it.
func (c *Chart) drawEmpty(env *panel.Env, rect draw.Rect) {
	words := "Values, counters and states over time.\nConnect a program or open a recording."
	if s := env.View.Session(); !env.View.None() {
		switch {
		case s.Series().Len() == 0:
			words = "This session has no counters.\nStart the program with tracers that measure,\nor wait for the first value."
		case c.Filter != "":
			words = panel.NoMatchWords(c.Filter)
		default:
			words = "This group has no counters now.\nPick one in the list of counters."
		}
	}
	if c.BeginBase(env, rect, seriesBaseKey{words: words}) {
		panel.DrawWords(c.List(), env, rect, words)
	}
}

// emptyInput handles clicks without content: a click on the words for no match clears the search.
func (c *Chart) emptyInput(s *store.Session, rect draw.Rect, in *panel.Input) panel.Action {
	if s.Series().Len() == 0 || c.Filter == "" || !in.Over || !rect.Contains(in.X, in.Y) ||
		!in.Left.Released || in.Left.Dragging {
		return panel.Action{}
	}
	return panel.Action{Kind: panel.ActionClearSearch}
}

// drawBase draws all that does not move with the mouse.
func (c *Chart) drawBase(env *panel.Env) {
	l, r := c.List(), &c.regions
	if c.Distribution {
		c.drawStats(env)
		c.dist.draw(env, c)
		return
	}
	if c.pick.kind == model.SeriesState && c.pick.same {
		c.drawStateLegend(env)
	} else {
		c.drawStats(env)
	}
	l.PushClip(r.body)
	for i := range c.plots {
		c.drawGuides(env, i)
	}
	for k := range c.lines {
		c.drawSeriesGaps(env, k)
	}
	l.PopClip()
	for k := range c.lines {
		ln := &c.lines[k]
		p := &c.plots[ln.plot]
		l.PushClip(p.rect.Intersect(r.plot))
		switch p.kind {
		case model.SeriesState:
			c.drawStates(env, ln, p)
		case model.SeriesEvent:
			c.drawEvents(env, ln, p)
		default:
			c.drawCurve(env, ln, p)
			c.drawLimits(env, ln, p)
		}
		l.PopClip()
	}
	c.drawNothingIn(env)
	c.drawRuler(env)
}

// drawNothingIn writes a text if no series has data in view.
func (c *Chart) drawNothingIn(env *panel.Env) {
	something := func(col seriesCol) bool { return col.state != colNothing }
	if slices.ContainsFunc(c.columns, something) {
		return
	}
	words := "Nothing was measured in this time."
	if c.pick.begin > c.pick.end {
		words = "Nothing was measured yet."
	}
	panel.DrawWords(c.List(), env, c.regions.plot, words)
}

// drawOver draws the parts that move with the mouse: the selected range, cursors, and the figures
// at their time.
func (c *Chart) drawOver(env *panel.Env) {
	if c.Distribution {
		c.dist.drawOver(env, c)
		return
	}
	c.drawLit(env)
	c.time.DrawTimes(c.List(), env, env.View.Time(), 40, func(x float32) { c.drawPoints(env, x) })
	c.drawLabels(env)
	c.drawScrollBar(env)
}

// drawLit draws the curve under the mouse, and those related to the selection, once more over the
// others of their plot.
func (c *Chart) drawLit(env *panel.Env) {
	if !c.overlaid() || len(c.pick.items) < 2 {
		return
	}
	for k := range c.lines {
		ln := &c.lines[k]
		if it := &c.pick.items[ln.item]; it.id == c.over || env.View.Lights(view.Series(it.id)) {
			p := &c.plots[ln.plot]
			c.List().PushClip(p.rect.Intersect(c.regions.plot))
			c.drawSteps(env, ln, p, draw.Mix(it.color, draw.Color(env.Theme.Text), 110))
			c.List().PopClip()
		}
	}
}

// drawPoints marks where the curves cross the ghost cursor.
func (c *Chart) drawPoints(env *panel.Env, x float32) {
	d := env.Px(2)
	for k := range c.lines {
		ln := &c.lines[k]
		p := &c.plots[ln.plot]
		i := c.grid(ln).at(x)
		if i < 0 || i >= ln.n || p.kind == model.SeriesState || p.kind == model.SeriesEvent {
			continue
		}
		col := c.cols(ln)[i]
		if col.state != colData && col.state != colHold || col.mid != col.mid {
			continue
		}
		y := c.curveY(env, p, col.mid)
		c.List().Rect(draw.Rect{X0: x - d - 1, Y0: y - d - 1, X1: x + d + 2, Y1: y + d + 2}, draw.Color(env.Theme.Panel))
		c.List().Rect(draw.Rect{X0: x - d, Y0: y - d, X1: x + d + 1, Y1: y + d + 1}, c.pick.items[ln.item].color)
	}
}

// drawScrollBar draws how far the rows are scrolled.
func (c *Chart) drawScrollBar(env *panel.Env) {
	total := c.contentH()
	if total <= c.regions.plot.H()+1 {
		return
	}
	x, col := c.regions.all.X1, draw.Color(env.Theme.Text).WithAlpha(80)
	panel.DrawScrollBar(c.List(), c.regions.plot, x-env.Px(5), x-env.Px(1), total, c.scrollY, env.Px(18), col)
}

// drawRuler draws the times below the plots.
func (c *Chart) drawRuler(env *panel.Env) {
	r, w := c.regions.ruler, env.View.Time()
	if r.Empty() || !w.Valid() {
		return
	}
	c.List().HLine(r.X0, r.X1, r.Y0, env.Px(1), draw.Color(env.Theme.Separator))
	left := r.X0 // no room beside it
	if !c.regions.labels.Empty() {
		left = c.regions.labels.X0 + env.Px(9)
	}
	c.time.DrawRuler(c.List(), env, w, math.MinInt64, env.Px(4), left)
}
