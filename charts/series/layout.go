package series

import (
	"slices"

	"framescope/charts/draw"
	"framescope/charts/format"
	"framescope/charts/panel"
	"framescope/model"
)

// Heights of rows and labels at scale 1.
const (
	seriesRowPx      = 44 // least height of a row with a curve
	seriesRowTallPx  = 96
	seriesBandPx     = 22 // of a row of states
	seriesBandTallPx = 34
	seriesLabelPx    = 18
	overLabelPx      = 14 // of names over a plot
	maxOverLabels    = 4
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
	if rect.W() >= env.Px(300) {
		w := panel.Snap(max(env.Px(120), min(env.Px(216), rect.W()*0.3), min(c.legendW(env), env.Px(216), rect.W()*0.42)))
		r.labels = draw.Rect{X0: rect.X0, Y0: plot.Y0, X1: rect.X0 + w, Y1: plot.Y1}
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
		plot.Y0 = min(plot.Y0+env.Px(4)+c.overLabelsH(env), plot.Y1)
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
		if r.labels.Empty() && p.kind != model.SeriesState && p.rect.H() >= 2*env.Px(overLabelPx) {
			p.rect.Y0 += env.Px(overLabelPx)
		}
		c.plots = append(c.plots, p)
	}
}

// overLabelsH returns the height of the names above an overlay that has no column of labels beside
// it.
func (c *Chart) overLabelsH(env *panel.Env) float32 {
	r := &c.regions
	if !r.labels.Empty() || r.plot.H() < env.Px(90) {
		return 0
	}
	n := min(len(c.pick.items), maxOverLabels, int(r.plot.H()/3/env.Px(overLabelPx)))
	return float32(n) * env.Px(overLabelPx)
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
