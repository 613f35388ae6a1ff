package series

import (
	"framescope/assets"
	"framescope/charts/draw"
	"framescope/charts/format"
	"framescope/charts/panel"
	"framescope/charts/subject"
	"framescope/model"
)

// stateColor returns the color of a state: from its name, so that it is the same in every series;
// grey for idle ones.
func (c *Chart) stateColor(env *panel.Env, d *model.SeriesDef, value float64) draw.Color {
	c.buf = subject.AppendState(c.buf[:0], d, value)
	return subject.NamedStateColor(env, panel.ScratchText(c.buf))
}

// drawStates draws the band of a state series: one bar a run, with the name if there is room. A
// column with several changes is divided: above the first state, below the last one. After the last
// sample the last state is drawn faintly.
func (c *Chart) drawStates(env *panel.Env, ln *seriesLine, p *seriesPlot) {
	l, xs, cols := c.List(), c.grid(ln).xs, c.cols(ln)
	d := &env.View.Session().Series().ByID(c.pick.items[ln.item].id).Def
	one := env.Px(1)
	bar := p.rect
	if bar.H() > env.Px(26) {
		mid := panel.Snap((bar.Y0 + bar.Y1) / 2)
		bar.Y0, bar.Y1 = mid-env.Px(13), mid+env.Px(13)
	}
	// look is the content of a bar; columns with several changes stand alone.
	type look struct {
		known, last bool
		value       float64
		alone       int
	}
	panel.EachRun(len(cols), func(i int) (k look) {
		if col := &cols[i]; col.known() {
			k = look{known: true, last: col.state == colLast, value: col.mid}
			if col.many {
				k.alone = i + 1
			}
		}
		return k
	}, func(k look, i, j int) {
		if !k.known {
			return
		}
		fill := c.stateColor(env, d, k.value)
		if k.alone > 0 {
			half := panel.Snap((bar.Y0 + bar.Y1) / 2)
			l.Rect(draw.Rect{X0: xs[i], Y0: bar.Y0, X1: xs[j], Y1: half}, c.stateColor(env, d, cols[i].lo))
			l.Rect(draw.Rect{X0: xs[i], Y0: half, X1: xs[j], Y1: bar.Y1}, fill)
			return
		}
		r := draw.Rect{X0: xs[i], Y0: bar.Y0, X1: max(xs[j], xs[i]+one), Y1: bar.Y1}
		text := draw.Color(assets.TextOn(fill.R, fill.G, fill.B))
		if k.last {
			l.Rect(r, fill.WithAlpha(60))
			l.HLine(r.X0, r.X1, r.Y0, one, fill.WithAlpha(150))
			l.HLine(r.X0, r.X1, r.Y1-one, one, fill.WithAlpha(150))
			text = draw.Color(env.Theme.Text)
		} else {
			l.Rect(r, fill)
			if r.W() > 3*one {
				l.VLine(r.X0, r.Y0, r.Y1, one, draw.Mix(fill, draw.RGB(0, 0, 0), 70))
			}
		}
		r.X0, r.X1 = max(r.X0, p.rect.X0)+env.Px(5), r.X1-env.Px(3)
		if r.W() > env.Px(14) {
			c.buf = subject.AppendState(c.buf[:0], d, k.value)
			l.TextIn(draw.Small, r, draw.Left, panel.ScratchText(c.buf), text)
		}
	})
}

// drawStateLegend names the colors of the states, above the rows.
func (c *Chart) drawStateLegend(env *panel.Env) {
	r, l, th := c.regions.info, c.List(), env.Theme
	if r.Empty() {
		return
	}
	x := r.X0 + env.Px(9)
	for i, name := range c.pick.states {
		w := env.Atlas.Measure(draw.Small, name)
		side := env.Px(9)
		if x+side+env.Px(5)+w > r.X1-env.Px(64) && i < len(c.pick.states)-1 || x+side+env.Px(5)+w > r.X1-env.Px(8) {
			c.buf = append(format.AppendCount(append(c.buf[:0], "and "...), int64(len(c.pick.states)-i)), " more"...)
			l.TextFit(draw.Small, draw.Rect{X0: x, Y0: r.Y0, X1: r.X1, Y1: r.Y1}, draw.Left, panel.ScratchText(c.buf),
				draw.Color(th.TextDim))
			return
		}
		y := panel.Snap((r.Y0 + r.Y1 - side) / 2)
		l.Rect(draw.Rect{X0: x, Y0: y, X1: x + side, Y1: y + side}, subject.NamedStateColor(env, name))
		x += side + env.Px(5)
		l.TextFit(draw.Small, draw.Rect{X0: x, Y0: r.Y0, X1: x + w + 1, Y1: r.Y1}, draw.Left, name, draw.Color(th.Text2))
		x += w + env.Px(14)
	}
}
