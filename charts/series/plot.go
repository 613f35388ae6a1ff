package series

import (
	"math"
	"slices"

	"framescope/charts/draw"
	"framescope/charts/panel"
	"framescope/charts/subject"
	"framescope/model"
)

// curveY returns the whole pixel, the upper edge of a line, of a value in a plot.
func (c *Chart) curveY(env *panel.Env, p *seriesPlot, v float64) float32 {
	one := env.Px(1)
	return p.rect.Y1 - one - panel.Snap(float32(p.scale.Share(v))*(p.rect.H()-one))
}

// drawCurve draws a value, gauge or counter: the band from least to greatest where several samples
// share a column, a step line at the mean (the last one of gauges), points where samples are few.
// It breaks where nothing is known.
func (c *Chart) drawCurve(env *panel.Env, ln *seriesLine, p *seriesPlot) {
	color := c.pick.items[ln.item].color
	alone := !c.overlaid() || len(c.pick.items) == 1
	line := color
	switch {
	case p.kind == model.SeriesGauge:
		line = color.WithAlpha(170)
		c.drawArea(env, ln, p, color.WithAlpha(36))
	case p.kind == model.SeriesCounter && alone:
		c.drawArea(env, ln, p, color.WithAlpha(56))
	case p.kind == model.SeriesValue && ln.sparse:
		line = color.WithAlpha(130)
	}
	if p.kind == model.SeriesValue && !ln.sparse {
		c.drawBand(env, ln, p, color.WithAlpha(84))
	}
	c.drawSteps(env, ln, p, line)
	if p.kind == model.SeriesValue {
		c.drawSamples(env, ln, p, color)
	}
	c.drawBeyond(env, ln, p)
}

// known reports whether a column has something to draw.
func (col *seriesCol) known() bool {
	return (col.state == colData || col.state == colHold || col.state == colLast) && col.mid == col.mid
}

// drawLimits draws the lines of limits of a series, except for counters: their curve is a rate, not
// their value.
func (c *Chart) drawLimits(env *panel.Env, ln *seriesLine, p *seriesPlot) {
	for _, x := range env.Limits.Series(c.pick.items[ln.item].id) {
		if v := x.Budget.Limit; p.kind != model.SeriesCounter && p.scale.Set && v > p.scale.Lo && v < p.scale.Hi {
			subject.DrawLimit(c.List(), env, p.rect.Intersect(c.regions.plot), c.curveY(env, p, v), x)
		}
	}
}

// drawSteps draws the step line. Neighbours of one height are one rectangle.
func (c *Chart) drawSteps(env *panel.Env, ln *seriesLine, p *seriesPlot, color draw.Color) {
	one := env.Px(1)
	last := nowhere // height of the run before
	c.eachStep(env, ln, p, func(x0, x1, y float32) {
		if y != nowhere {
			if last != nowhere && panel.Abs32(last-y) > one {
				c.List().Rect(draw.Rect{X0: x0, Y0: min(last, y+one), X1: x0 + one, Y1: max(last+one, y)}, color)
			}
			c.List().Rect(draw.Rect{X0: x0, Y0: y, X1: max(x1, x0+one), Y1: y + one}, color)
		}
		last = y
	})
}

// nowhere is the height of an unknown value.
const nowhere = float32(math.MaxFloat32)

// eachStep calls f for the runs of columns of one height, y.
func (c *Chart) eachStep(env *panel.Env, ln *seriesLine, p *seriesPlot, f func(x0, x1, y float32)) {
	xs, cols := c.grid(ln).xs, c.cols(ln)
	panel.EachRun(len(cols), func(i int) float32 {
		if !cols[i].known() {
			return nowhere
		}
		return c.curveY(env, p, cols[i].mid)
	}, func(y float32, i, j int) { f(xs[i], xs[j], y) })
}

// drawBand draws from the least to the greatest value of each column.
func (c *Chart) drawBand(env *panel.Env, ln *seriesLine, p *seriesPlot, color draw.Color) {
	xs, cols, one := c.grid(ln).xs, c.cols(ln), env.Px(1)
	panel.EachRun(len(cols), func(i int) (y [2]float32) {
		if cols[i].known() && cols[i].many {
			y = [2]float32{c.curveY(env, p, cols[i].hi), c.curveY(env, p, cols[i].lo)}
		}
		return y
	}, func(y [2]float32, i, j int) {
		if y[1] > y[0] {
			c.List().Rect(draw.Rect{X0: xs[i], Y0: y[0], X1: max(xs[j], xs[i]+one), Y1: y[1] + one}, color)
		}
	})
}

// drawArea fills from the line down to the lower edge.
func (c *Chart) drawArea(env *panel.Env, ln *seriesLine, p *seriesPlot, color draw.Color) {
	c.eachStep(env, ln, p, func(x0, x1, y float32) {
		if y != nowhere {
			c.List().Rect(draw.Rect{X0: x0, Y0: y + env.Px(1), X1: x1, Y1: p.rect.Y1}, color)
		}
	})
}

// drawSamples draws a point for every column with a sample that stands alone.
func (c *Chart) drawSamples(env *panel.Env, ln *seriesLine, p *seriesPlot, color draw.Color) {
	xs, cols := c.grid(ln).xs, c.cols(ln)
	d := env.Px(1)
	data := func(i int) bool { return i >= 0 && i < len(cols) && cols[i].state == colData }
	for i := range cols {
		if !data(i) || !cols[i].known() || !ln.sparse && (data(i-1) || data(i+1) || data(i-2) || data(i+2)) {
			continue
		}
		x := panel.Snap((xs[i] + xs[i+1]) / 2)
		for _, v := range [...]float64{cols[i].lo, cols[i].hi} {
			y := c.curveY(env, p, v)
			c.List().Rect(draw.Rect{X0: x - d, Y0: y - d, X1: x + 2*d, Y1: y + 2*d}, color)
			if !cols[i].many {
				break
			}
		}
	}
}

// drawBeyond marks the columns with values beyond the upper or the lower edge of the scale.
func (c *Chart) drawBeyond(env *panel.Env, ln *seriesLine, p *seriesPlot) {
	xs, cols := c.grid(ln).xs, c.cols(ln)
	if !p.scale.Set {
		return
	}
	slack := (p.scale.Hi - p.scale.Lo) / 100 // less is not seen
	panel.EachRun(len(cols), func(i int) int {
		switch col := &cols[i]; {
		case !col.known():
			return 0
		case col.hi > p.scale.Hi+slack:
			return 1
		case col.lo < p.scale.Lo-slack && !p.scale.Log:
			return -1
		}
		return 0
	}, func(side, i, j int) {
		r := draw.Rect{X0: xs[i], Y0: p.rect.Y0, X1: max(xs[j], xs[i]+env.Px(2)), Y1: p.rect.Y0 + env.Px(3)}
		if side < 0 {
			r.Y0, r.Y1 = p.rect.Y1-env.Px(3), p.rect.Y1
		}
		if side != 0 {
			c.List().Rect(r, draw.Color(env.Theme.Over))
		}
	})
}

// drawEvents draws columns of events; of several series in one plot only their outlines.
func (c *Chart) drawEvents(env *panel.Env, ln *seriesLine, p *seriesPlot) {
	l, xs, cols := c.List(), c.grid(ln).xs, c.cols(ln)
	color := c.pick.items[ln.item].color
	if c.overlaid() && len(c.pick.items) > 1 {
		c.drawSteps(env, ln, p, color)
		return
	}
	one := env.Px(1)
	const none, unknown = -1, -2
	panel.EachRun(len(cols), func(i int) int {
		switch {
		case !cols[i].known():
			return unknown
		case cols[i].mid <= 0: // and that is known
			return none
		}
		return i
	}, func(k, i, j int) {
		switch k {
		case unknown:
		case none:
			l.HLine(xs[i], xs[j], p.rect.Y1-one, one, color.WithAlpha(110))
		default:
			gap := float32(0)
			if xs[j]-xs[i] >= env.Px(4) {
				gap = one
			}
			y := min(c.curveY(env, p, cols[i].mid), p.rect.Y1-2*one)
			l.Rect(draw.Rect{X0: xs[i], Y0: y, X1: max(xs[j]-gap, xs[i]+one), Y1: p.rect.Y1}, color)
		}
	})
	c.drawBeyond(env, ln, p)
}

// drawSeriesGaps hatches the gaps reported by the source: the whole height if a plot has one
// series, a strip at the lower edge if others have values.
func (c *Chart) drawSeriesGaps(env *panel.Env, k int) {
	ln := &c.lines[k]
	p := &c.plots[ln.plot]
	l, xs, cols := c.List(), c.grid(ln).xs, c.cols(ln)
	area := p.rect.Intersect(c.regions.plot)
	from, to := c.itemsOf(p)
	if to-from > 1 {
		// One strip a series, the first ones only: with more there is no telling them apart.
		n := float32(min(ln.item-from, 3))
		area.Y1 -= n * env.Px(5)
		area.Y0 = max(area.Y0, area.Y1-env.Px(4))
	}
	color, thin := draw.Color(env.Theme.Hatch), 0
	panel.EachRun(len(cols), func(i int) bool { return cols[i].state == colGap }, func(gap bool, i, j int) {
		r := draw.Rect{X0: xs[i], Y0: area.Y0, X1: max(xs[j], xs[i]+env.Px(1)), Y1: area.Y1}
		if gap && to-from > 1 {
			l.Rect(r, c.pick.items[ln.item].color.WithAlpha(60))
		}
		switch {
		case !gap:
		case r.W() >= env.Px(3):
			l.Hatch(r, color)
			if to-from > 1 || r.H() < env.Px(16) {
				return
			}
			if r.H() > env.Px(30) {
				r.Y0, r.Y1 = r.Y0+env.Px(2), r.Y0+env.Px(18)
			}
			l.TextPlate(draw.Small, r, draw.Center, "no data", draw.Color(env.Theme.Text2), draw.Color(env.Theme.Panel))
		case thin >= maxThinGaps: // dashes are dear
			l.Rect(r, color)
		default:
			thin++
			l.DashedV(r.X0, r.Y0, r.Y1, r.W(), env.Px(2), env.Px(3), color)
		}
	})
}

// drawGuides draws the ticks of a plot's scale with their values at the right, and the line between
// rows.
func (c *Chart) drawGuides(env *panel.Env, plot int) {
	p, l, th := &c.plots[plot], c.List(), env.Theme
	one := env.Px(1)
	if !c.overlaid() {
		l.HLine(c.regions.all.X0+env.Px(8), c.regions.values.X1, p.row.Y1-one, one, draw.Color(th.Grid))
		if c.regions.values.Empty() {
			l.HLine(c.regions.all.X0+env.Px(8), c.regions.plot.X1, p.row.Y1-one, one, draw.Color(th.Grid))
		}
	}
	if p.kind == model.SeriesState || !p.scale.Set || p.rect.Empty() || !c.hasCurve(plot) {
		return
	}
	n := int(p.rect.H() / env.Px(34))
	c.ticks = c.ticks[:0]
	if n >= 2 {
		c.ticks = p.scale.AppendTicks(c.ticks, p.unit, min(n, 6))
	}
	y0 := p.rect.Y0
	c.drawValueTick(env, p, p.scale.Hi, y0)
	high := env.Px(14)         // of a text; those of the ends lie inside the plot
	free := y0 + high + high/2 // for the middle of the next one
	lower := p.rect.Y1 - one
	if p.rect.H() >= env.Px(28) {
		c.drawValueTick(env, p, p.scale.Lo, lower)
	}
	for k := len(c.ticks) - 1; k >= 0; k-- {
		y := c.curveY(env, p, c.ticks[k])
		l.HLine(p.rect.X0, p.rect.X1, y, one, draw.Color(th.Grid))
		if y >= free && y <= lower-high-high/2 {
			c.drawValueTick(env, p, c.ticks[k], y)
			free = y + high
		}
	}
	if p.rect.H() >= env.Px(60) && c.overlaid() {
		l.HLine(p.rect.X0, p.rect.X1, y0, one, draw.Color(th.Grid))
	}
}

// hasCurve reports whether anything of a plot has a value in view: an axis of nothing would be made
// up.
func (c *Chart) hasCurve(plot int) bool {
	for k := range c.lines {
		known := func(col seriesCol) bool { return col.known() }
		if c.lines[k].plot == plot && slices.ContainsFunc(c.cols(&c.lines[k]), known) {
			return true
		}
	}
	return false
}

// drawValueTick writes a value at the right of a plot, its middle near y but inside the plot. Of
// values that hardly differ only the lowest is written out, and of the others how much more they
// are.
func (c *Chart) drawValueTick(env *panel.Env, p *seriesPlot, v float64, y float32) {
	r := c.regions.values
	if r.Empty() {
		return
	}
	h := env.Px(7)
	y = min(max(y, p.rect.Y0+h-env.Px(2)), max(p.rect.Y1-h+env.Px(2), p.rect.Y0))
	box := draw.Rect{X0: r.X0 + env.Px(5), Y0: y - h, X1: r.X1 - env.Px(6), Y1: y + h}
	if box.Y0 < c.regions.plot.Y0-env.Px(8) || box.Y1 > c.regions.plot.Y1+env.Px(2) {
		return // of a row that is scrolled half out of view
	}
	if sc := &p.scale; v > sc.Lo && !sc.Log && sc.Hi-sc.Lo < 0.02*max(math.Abs(sc.Lo), math.Abs(sc.Hi)) {
		c.buf = p.unit.Round(append(c.buf[:0], '+'), v-sc.Lo)
	} else {
		c.buf = p.unit.Round(c.buf[:0], v)
	}
	if !c.List().TextFit(draw.Small, box, draw.Left, panel.ScratchText(c.buf), draw.Color(env.Theme.Text2)) {
		c.List().TextIn(draw.Small, box, draw.Left, panel.ScratchText(c.buf), draw.Color(env.Theme.Text2))
	}
}
