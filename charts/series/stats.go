package series

import (
	"framescope/charts/draw"
	"framescope/charts/format"
	"framescope/charts/panel"
	"framescope/model"
	"framescope/model/spans"
)

// statsSpan is the range of statistics.
type statsSpan struct {
	a, b     int64
	selected bool // by the user; else it is the visible range
}

// seriesStats keeps the statistics of one series over a range.
type seriesStats struct {
	fresh   panel.Refresher
	id      model.SeriesID
	span    statsSpan
	st      spans.SeriesStats
	edition uint64
}

// keyOf is the inputs of the numbers of a series over a range.
func keyOf(env *panel.Env, id model.SeriesID, span statsSpan) panel.RangeKey {
	s := env.View.Session()
	key := panel.RangeKey{Session: s, Revision: s.Revision(), Live: env.View.Live(), Extra: 2 * uint64(id), T0: span.a,
		T1: span.b}
	if span.selected {
		key.Extra++
	}
	return key
}

// update brings the statistics up to date; while live not more often than can be read.
func (t *seriesStats) update(env *panel.Env, it *seriesItem, span statsSpan) {
	if !t.fresh.Due(env, keyOf(env, it.id, span)) {
		return
	}
	st := env.View.Session().Series().ByID(it.id).Stats(span.a, span.b)
	if st != t.st || it.id != t.id || span.selected != t.span.selected {
		t.edition++
	}
	t.id, t.span, t.st = it.id, span, st
}

// seriesFigure is one named number of the statistics.
type seriesFigure struct {
	name  string
	value float64
	unit  format.Unit
}

// figures appends the figures of a series.
func (t *seriesStats) figures(dst []seriesFigure, d *model.SeriesDef, value format.Unit) []seriesFigure {
	st := &t.st
	count := format.Unit{Factor: 1}
	also := func(dst []seriesFigure) []seriesFigure {
		return append(dst, seriesFigure{"p95", st.P95, value}, seriesFigure{"deviation", st.StdDev, value})
	}
	spread := func(dst []seriesFigure) []seriesFigure {
		return append(dst, seriesFigure{"min", st.Min, value}, seriesFigure{format.MeanOf(d), st.Mean, value},
			seriesFigure{"p50", st.P50, value}, seriesFigure{"p90", st.P90, value},
			seriesFigure{"p99", st.P99, value}, seriesFigure{"max", st.Max, value})
	}
	switch d.Kind {
	case model.SeriesGauge: // a mean of means says nothing
		return also(append(dst, seriesFigure{"n", float64(st.N), count}, seriesFigure{"last", st.Last, value},
			seriesFigure{"min", st.Min, value}, seriesFigure{"p50", st.P50, value}, seriesFigure{"p90", st.P90, value},
			seriesFigure{"max", st.Max, value}, seriesFigure{"p99", st.P99, value}))
	case model.SeriesCounter:
		return append(dst, seriesFigure{"last", st.Last, value}, seriesFigure{"growth", st.Last - st.First, value},
			seriesFigure{"mean rate", st.Rate, value.Rate()},
			seriesFigure{"n", float64(st.N), count})
	case model.SeriesEvent:
		seconds := float64(t.span.b-t.span.a) / 1e9
		dst = append(dst, seriesFigure{"n", float64(st.N), count})
		if st.N > 1 { // a single event has no rate
			dst = append(dst, seriesFigure{"rate", float64(st.N) / max(seconds, 1e-9), format.Unit{Factor: 1, Per: true}})
		}
		if st.Min == st.Max && (st.Max == 1 || st.Max == 0) { // nothing but marks
			return dst
		}
		if dst = append(dst, seriesFigure{"sum", st.Sum, value}); st.N > 1 {
			dst = append(dst, seriesFigure{"per second", st.Rate, value.Rate()})
		}
		return spread(dst)
	case model.SeriesState:
		return append(dst, seriesFigure{"changes", float64(st.N), count})
	}
	dst = spread(append(dst, seriesFigure{"n", float64(st.N), count}))
	return also(append(dst, seriesFigure{"last", st.Last, value}))
}

// drawStats writes the statistics of the focused series in one line, as many as fit, and their
// range.
func (c *Chart) drawStats(env *panel.Env) {
	r, l, th := c.regions.info, c.List(), env.Theme
	if r.Empty() {
		return
	}
	it := c.focused(env)
	d := &env.View.Session().Series().ByID(it.id).Def
	x, end := r.X0+env.Px(9), r.X1-env.Px(8)
	range_ := format.Pick(c.stats.span.selected, "selected range", "visible range")
	if r.W() >= env.Px(520) {
		w := env.Atlas.Measure(draw.Small, range_)
		color := draw.Color(format.Pick(c.stats.span.selected, th.Accent, th.TextDim))
		l.TextIn(draw.Small, draw.Rect{X0: end - w - 1, Y0: r.Y0, X1: end, Y1: r.Y1}, draw.Right, range_, color)
		end -= w + env.Px(12)
	}
	side := env.Px(9)
	y := panel.Snap((r.Y0 + r.Y1 - side) / 2)
	l.Rect(draw.Rect{X0: x, Y0: y, X1: x + side, Y1: y + side}, it.color)
	x += side + env.Px(6)
	if len(c.pick.items) > 1 {
		w := min(env.Atlas.Measure(draw.Small, d.Name), (end-x)*0.4)
		l.NameIn(draw.Small, draw.Rect{X0: x, Y0: r.Y0, X1: x + w + 1, Y1: r.Y1}, draw.Left, d.Name, draw.Color(th.Text2))
		x += w + env.Px(12)
	}
	if c.stats.st.N == 0 {
		l.TextIn(draw.Small, draw.Rect{X0: x, Y0: r.Y0, X1: end, Y1: r.Y1}, draw.Left, "no samples in this range",
			draw.Color(th.TextDim))
		return
	}
	var room [12]seriesFigure
	for _, f := range c.stats.figures(room[:0], d, it.value) {
		c.buf = f.unit.Append(c.buf[:0], f.value)
		nameW, valueW := env.Atlas.Measure(draw.Small, f.name), env.Atlas.Measure(draw.Small, panel.ScratchText(c.buf))
		if x+nameW+env.Px(4)+valueW > end {
			continue
		}
		l.TextFit(draw.Small, draw.Rect{X0: x, Y0: r.Y0, X1: x + nameW + 1, Y1: r.Y1}, draw.Left, f.name,
			draw.Color(th.TextDim))
		x += nameW + env.Px(4)
		l.TextFit(draw.Small, draw.Rect{X0: x, Y0: r.Y0, X1: x + valueW + 1, Y1: r.Y1}, draw.Left,
			panel.ScratchText(c.buf), draw.Color(th.Text))
		x += valueW + env.Px(11)
	}
}
