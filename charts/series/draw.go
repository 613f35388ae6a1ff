package series

import (
	"math"
	"slices"

	"framescope/charts/draw"
	"framescope/charts/format"
	"framescope/charts/panel"
	"framescope/charts/timepane"
	"framescope/charts/view"
	"framescope/model"
	"framescope/model/store"
)

// seriesBaseKey is the extra inputs of the part of the picture that does not move with the mouse.
type seriesBaseKey struct {
	query    seriesQueryKey
	focus    model.SeriesID
	stats    uint64
	settings Settings
	live     bool
	group    string
	words    string // of the empty chart
}

// seriesTopKey is the inputs of the rest.
type seriesTopKey struct {
	cursor uint64
	zoom   timepane.ZoomRange
	series model.SeriesID
}

func (c *Chart) drawIfChanged(env *panel.Env) {
	key := seriesBaseKey{
		query: c.query, focus: c.focused(env).id, stats: c.stats.edition,
		settings: c.Settings, live: env.View.Live(), group: c.Group,
	}
	top := seriesTopKey{cursor: env.View.CursorStamp(), zoom: c.time.Zoom(), series: c.over}
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

// Heights of rows and labels at scale 1.
const (
	seriesRowPx      = 44 // least height of a row with a curve
	seriesRowTallPx  = 96
	seriesBandPx     = 22 // of a row of states
	seriesBandTallPx = 34
	seriesLabelPx    = 18
)

// seriesRegions are the parts of the panel. Those without room are empty.
type seriesRegions struct{ all, info, body, labels, plot, values, ruler draw.Rect }

// seriesPlot is one drawn plot: a row, or the one plot of an overlay.
type seriesPlot struct {
	rect  draw.Rect // where curves go
	row   draw.Rect // with the label
	item  int       // of a row; of an overlay the first
	scale format.Scale
	unit  format.Unit
	kind  model.SeriesKind
}

// layOut divides the panel and places the plots on screen.
func (c *Chart) layOut(env *panel.Env, rect draw.Rect) {
	r := seriesRegions{all: rect}
	body := draw.Rect{X0: rect.X0, Y0: rect.Y0, X1: rect.X1, Y1: rect.Y1 - env.Px(4)}
	if rect.H() >= env.Px(150) && rect.W() >= env.Px(200) {
		r.info = draw.Rect{X0: rect.X0, Y0: body.Y0, X1: rect.X1, Y1: body.Y0 + env.Px(18)}
		body.Y0 = r.info.Y1
	}
	body.Y0 += env.Px(3)
	plot := body
	plot.X0, plot.X1 = rect.X0+env.Px(8), rect.X1-env.Px(6)
	if most := rect.W() * 0.42; most >= env.Px(48) {
		w := max(env.Px(120), min(env.Px(216), rect.W()*0.3), min(c.legendW(env), env.Px(216)))
		r.labels = draw.Rect{X0: rect.X0, Y0: plot.Y0, X1: rect.X0 + panel.Snap(min(w, most)), Y1: plot.Y1}
		plot.X0 = r.labels.X1 + env.Px(8)
	}
	if rect.W() >= env.Px(220) && (c.overlaid() || c.pick.kind != model.SeriesState || !c.pick.same) {
		r.values = draw.Rect{X0: plot.X1 - env.Px(58), Y0: plot.Y0, X1: rect.X1, Y1: plot.Y1}
		plot.X1 = r.values.X0
	}
	if rect.H() >= env.Px(110) {
		r.ruler = draw.Rect{X0: plot.X0, Y0: plot.Y1 - env.Px(16), X1: plot.X1, Y1: plot.Y1}
		plot.Y1 = r.ruler.Y0
	}
	plot.X1, plot.Y1 = max(plot.X1, plot.X0), max(plot.Y1, plot.Y0)
	r.labels.Y1, r.values.Y1 = plot.Y1, plot.Y1
	if r.labels.Empty() {
		r.labels = draw.Rect{}
	}
	body.Y1 = plot.Y1
	r.plot, r.body = plot, body
	c.regions = r
	c.time.Place(r.plot, r.ruler)
	c.layPlots(env)
	c.restoreScales()
}

// legendW returns the width that the legend of an overlay would like to have: there figures stand
// beside the names, not below them.
func (c *Chart) legendW(env *panel.Env) float32 {
	if !c.overlaid() {
		return 0
	}
	w := float32(0)
	for i := range min(len(c.pick.items), maxOverlay) {
		w = max(w, env.Atlas.Measure(draw.Regular, env.View.Session().Series().ByID(c.pick.items[i].id).Def.Name))
	}
	return w + env.Px(92) // swatch and figure
}

// layPlots places the plots, keeping the scales of those that were there.
func (c *Chart) layPlots(env *panel.Env) {
	r := &c.regions
	c.plots = c.plots[:0]
	items := c.pick.items
	if c.overlaid() {
		c.scrollY, c.rowH = 0, 0
		plot := r.plot
		plot.Y0 = min(plot.Y0+env.Px(4), plot.Y1)
		c.plots = append(c.plots, seriesPlot{rect: plot, row: r.body, unit: items[0].curve, kind: c.pick.kind})
		return
	}
	least, most := env.Px(seriesRowPx), env.Px(seriesRowTallPx)
	if c.pick.same && c.pick.kind == model.SeriesState {
		least, most = env.Px(seriesBandPx), env.Px(seriesBandTallPx)
	}
	c.rowH = max(least, float32(int(min(r.plot.H()/float32(len(items)), most))))
	c.scrollY = max(0, min(c.scrollY, c.contentH()-r.plot.H()))
	s := env.View.Session()
	gap := format.Pick(c.rowH <= env.Px(28), env.Px(2), env.Px(4))
	for i := int(c.scrollY / c.rowH); i < len(items); i++ {
		y := r.plot.Y0 + panel.Snap(float32(i)*c.rowH-c.scrollY)
		if y >= r.plot.Y1 {
			break
		}
		p := seriesPlot{item: i, unit: items[i].curve, kind: s.Series().ByID(items[i].id).Def.Kind}
		p.row = draw.Rect{X0: r.all.X0, Y0: y, X1: r.all.X1, Y1: y + c.rowH}
		p.rect = draw.Rect{X0: r.plot.X0, Y0: y + gap, X1: r.plot.X1, Y1: y + c.rowH - gap}
		c.plots = append(c.plots, p)
	}
}

// itemsOf returns the series of a plot, as indices [from, to) of the items.
func (c *Chart) itemsOf(p *seriesPlot) (from, to int) {
	if c.overlaid() {
		return 0, min(len(c.pick.items), maxOverlay)
	}
	return p.item, p.item + 1
}

// contentH returns the height of all rows, 0 without any.
func (c *Chart) contentH() float32 { return c.rowH * float32(len(c.pick.items)) }

// plotAt returns the index of the plot at a height, -1 none.
func (c *Chart) plotAt(pxY float32) int {
	if pxY < c.regions.plot.Y0 || pxY >= c.regions.plot.Y1 {
		return -1
	}
	return slices.IndexFunc(c.plots, func(p seriesPlot) bool { return pxY >= p.row.Y0 && pxY < p.row.Y1 })
}

// legendRow returns the place of the n-th label of an overlay; empty where there is no room.
func (c *Chart) legendRow(env *panel.Env, n int) draw.Rect {
	a := c.regions.labels
	h := env.Px(seriesLabelPx)
	r := draw.Rect{X0: a.X0, Y0: a.Y0 + env.Px(2) + float32(n)*h, X1: a.X1}
	r.Y1 = r.Y0 + h
	if a.Empty() || r.Y1 > a.Y1 {
		return draw.Rect{}
	}
	return r
}

// legendCount returns how many labels of an overlay are shown, leaving room for the words on the
// rest.
func (c *Chart) legendCount(env *panel.Env) int {
	n := min(len(c.pick.items), maxOverlay)
	room := int((c.regions.labels.H() - env.Px(2)) / env.Px(seriesLabelPx))
	if len(c.pick.items) > min(n, room) {
		room-- // for the words
	}
	return max(0, min(n, room))
}

// labelAt returns the item with its label at a point, -1 none.
func (c *Chart) labelAt(env *panel.Env, pxX, pxY float32) int {
	if !c.regions.labels.Contains(pxX, pxY) {
		return -1
	}
	if c.overlaid() {
		for i := range c.legendCount(env) {
			if c.legendRow(env, i).Contains(pxX, pxY) {
				return i
			}
		}
		return -1
	}
	if i := c.plotAt(pxY); i >= 0 {
		return c.plots[i].item
	}
	return -1
}
