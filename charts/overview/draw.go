package overview

import (
	"slices"

	"framescope/charts/draw"
	"framescope/charts/format"
	"framescope/charts/panel"
	"framescope/model"
)

// drawIfChanged draws the columns if any of their inputs changed, and the overlay if window,
// selection or cursors did.
func (o *Overview) drawIfChanged(env *panel.Env, in *panel.Input) {
	if o.BeginBase(env, o.rect, overviewKey{o.data.changes, env.View.MarksStamp(), o.view.BeginNs, o.view.EndNs}) {
		o.drawBase(env)
	}
	v, hover, zone := env.View, -1, o.drag
	if in.Over && o.rect.Contains(in.X, in.Y) && o.drag == dragNone {
		zone = o.zone(env, in.X, in.Y)
		hover = int((in.X - o.rect.X0) / env.Px(overviewPx))
	}
	if o.BeginOver(overviewTopKey{v.CursorStamp(), v.Time().BeginNs, v.Time().EndNs, hover, zone}) {
		o.drawOver(env, hover, zone)
	}
}

// plot returns the part of the panel in which the columns stand: times are below, where there is room
// for both.
func (o *Overview) plot(env *panel.Env) draw.Rect {
	r := o.rect
	r.Y0 = min(r.Y0+env.Px(overviewGrip+1), r.Y1)
	if r.H() >= env.Px(48) {
		r.Y1 -= env.Px(timesPx)
	}
	return r
}

// drawBase draws the columns, stacked, the times below, the data that left memory, and the scale.
func (o *Overview) drawBase(env *panel.Env) {
	l, th := o.List(), env.Theme
	l.Rect(o.rect, draw.Color(th.Well))
	o.arrange()
	o.scale(env)
	plot := o.plot(env)
	cw := env.Px(overviewPx)
	for x := o.rect.X0; x < o.rect.X1; x += cw {
		from, to := o.columnsOf(x, x+cw)
		if from >= to {
			continue
		}
		y, sum := plot.Y1, 0.0
		bar := func(v float64, c draw.Color) {
			sum += v
			up := panel.Snap(plot.Y1 - plot.H()*float32(min(sum/o.top, 1)))
			if up < y {
				l.Rect(draw.Rect{X0: x, Y0: up, X1: min(x+cw, o.rect.X1), Y1: y}, c)
				y = up
			}
		}
		for _, row := range o.stack {
			bar(o.value(row, from, to), o.color(env, row))
		}
		if len(o.stack) == overviewOwn && len(o.data.rows) > overviewOwn {
			rest := 0.0
			for row := range o.data.rows {
				if !slices.Contains(o.stack, row) {
					rest += o.value(row, from, to)
				}
			}
			bar(rest, draw.Color(th.TextDim))
		}
		if y == plot.Y1 && sum > 0 { // little is not nothing
			l.Rect(draw.Rect{X0: x, Y0: plot.Y1 - max(1, env.Px(1)), X1: min(x+cw, o.rect.X1), Y1: plot.Y1},
				o.mostly(env, from, to))
		}
	}
	if d := &o.data; d.from > d.begin {
		x := float32(o.view.ToPx(o.rect, d.from))
		gone := draw.Rect{X0: o.rect.X0, Y0: o.rect.Y0, X1: max(panel.Snap(x), o.rect.X0+env.Px(3)), Y1: o.rect.Y1}
		l.Rect(gone, draw.Color(th.Well).WithAlpha(190))
		l.Hatch(gone, draw.Color(th.Hatch))
		if text := "left memory"; gone.W() > env.Atlas.Measure(draw.Small, text)+env.Px(10) {
			l.TextPlate(draw.Small, gone, draw.Center, text, draw.Color(th.Text2), draw.Color(th.Well))
		}
	}
	o.drawTimes(env)
	o.drawScale(env)
	o.flags.Reset()
	for _, m := range env.View.Bookmarks() {
		x := panel.Snap(float32(o.view.ToPx(o.rect, m.Found.BeginNs)))
		o.flags.Place(env, &m, x, plot.Y0+env.Px(1), o.rect.X0, o.rect.X1)
	}
	o.flags.Draw(l, env, plot.Y1)
	l.HLine(o.rect.X0, o.rect.X1, o.rect.Y1-1, 1, draw.Color(th.Separator))
}

// mostly returns the color of the row that is worth most in columns [from, to).
func (o *Overview) mostly(env *panel.Env, from, to int) draw.Color {
	best, most := 0, -1.0
	for _, row := range o.stack {
		if v := o.value(row, from, to); v > most {
			best, most = row, v
		}
	}
	return o.color(env, best)
}

// scale chooses the value at the upper edge: one of a few round ones, so that it does not move with
// every column.
func (o *Overview) scale(env *panel.Env) {
	cw := env.Px(overviewPx)
	worst := 0.0
	for x := o.rect.X0; x < o.rect.X1; x += cw {
		from, to := o.columnsOf(x, x+cw)
		sum := 0.0
		for row := range o.data.rows {
			sum += o.value(row, from, to)
		}
		worst = max(worst, sum)
	}
	if o.most = worst; !(worst > 0) {
		o.top = 1
		return
	}
	unit := 1.0
	if o.data.kind == overviewEvents { // round per second, not per column
		unit = float64(o.data.columnNs()) / 1e9
	}
	o.top = unit * format.RoundUp(worst/unit, 1e-3, 1, 1.5, 2, 3, 4, 5, 6, 8)
}

// drawTimes writes a few times at the lower edge.
func (o *Overview) drawTimes(env *panel.Env) {
	l, th := o.List(), env.Theme
	var sc format.TickScale
	sc, o.ticks = format.Ticks(o.view.Window, o.rect, env.Px(110), o.ticks[:0])
	h := env.Atlas.LineHeight(draw.Small)
	y := min(o.plot(env).Y1, o.rect.Y1-env.Px(4))
	for _, t := range o.ticks {
		x := panel.Snap(float32(o.view.ToPx(o.rect, t)))
		l.VLine(x, y, y+env.Px(4), max(1, float32(int(env.Scale))), draw.Color(th.Text2))
		var buf [48]byte
		label(l, env, x, o.rect.Y1-h-env.Px(1), panel.ScratchText(sc.AppendLabel(buf[:0], t)), o.rect.X1, 205)
	}
}

// label writes on a ground of its own, so that the background does not matter, if it ends before a
// place.
func label(l *draw.List, env *panel.Env, x, y float32, text string, end float32, alpha uint8) {
	r := draw.Rect{X0: x + env.Px(3), Y0: y, X1: x + env.Px(9) + env.Atlas.Measure(draw.Small, text)}
	r.Y1 = y + env.Atlas.LineHeight(draw.Small)
	if r.X1 < end {
		l.Rect(r, draw.Color(env.Theme.Well).WithAlpha(alpha))
		r.X0 += env.Px(3)
		l.TextIn(draw.Small, r, draw.Left, text, draw.Color(env.Theme.Text))
	}
}

// drawScale labels the highest column: the upper edge, a round value above it, was never measured.
func (o *Overview) drawScale(env *panel.Env) {
	if !(o.most > 0) || env.View.Session().Info().Sampling.Timeless {
		return
	}
	var buf [64]byte
	b := append(buf[:0], "at most "...)
	switch o.data.kind {
	case overviewLoad:
		b = append(format.AppendPercent(b, o.most), " CPU"...)
	case overviewSpans:
		if o.most < 1 {
			b = append(format.AppendPercent(b, o.most), " of a thread busy"...)
		} else if o.most == 1 {
			b = append(b, "1 thread busy"...)
		} else {
			b = append(format.AppendValue(b, o.most, ""), " threads busy"...)
		}
	case overviewPassages:
		what := " elements busy"
		if s := env.View.Session(); len(o.data.rows) > 0 && s.Track(o.data.rows[0].track).Def.Kind == model.TrackAsync {
			what = " tasks busy"
		}
		b = append(format.AppendValue(b, o.most, ""), what...)
	default:
		b = append(format.AppendValue(b, o.most*1e9/float64(o.data.columnNs()), ""), " events / s"...)
	}
	b = o.data.appendLeft(b)
	label(o.List(), env, o.rect.X0, o.plot(env).Y0, panel.ScratchText(b), o.rect.X1, 205)
}

// drawOver draws the timeline's window, the selected range, ghost cursor, playhead and the hovered
// item.
func (o *Overview) drawOver(env *panel.Env, hover int, zone drag) {
	l, th, v := o.List(), env.Theme, env.View
	one := max(1, float32(int(env.Scale)))
	w, shown := o.window(env)
	if shown {
		shade := draw.Color(th.Well).WithAlpha(90)
		l.Rect(draw.Rect{X0: o.rect.X0, Y0: o.rect.Y0, X1: w.X0, Y1: o.rect.Y1}, shade)
		l.Rect(draw.Rect{X0: w.X1, Y0: o.rect.Y0, X1: o.rect.X1, Y1: o.rect.Y1}, shade)
	}
	if v.RangeB() > v.RangeA() {
		x0, x1 := panel.Snap(float32(o.view.ToPx(o.rect, v.RangeA()))), panel.Snap(float32(o.view.ToPx(o.rect, v.RangeB())))
		if x1 >= o.rect.X0 && x0 <= o.rect.X1 {
			r := draw.Rect{X0: max(x0, o.rect.X0) - one, Y0: o.rect.Y0, X1: min(max(x1, x0+env.Px(2)), o.rect.X1) + one,
				Y1: o.rect.Y1}
			l.Rect(r, draw.Color(th.Accent).WithAlpha(70))
			l.Outline(r, one, draw.Color(th.Accent))
		}
	}
	if hover >= 0 {
		x := o.rect.X0 + float32(hover)*env.Px(overviewPx)
		l.Rect(draw.Rect{X0: x, Y0: o.rect.Y0, X1: x + env.Px(overviewPx), Y1: o.rect.Y1}, draw.Color(th.Hover))
	} else if v.Pointer().HasTime() {
		l.VLine(float32(o.view.ToPx(o.rect, v.Pointer().Time())), o.rect.Y0, o.rect.Y1, one,
			draw.Color(th.Text).WithAlpha(90))
	}
	if shown && w.W() < o.rect.W()-one { // around everything it would but cover the curve
		o.drawWindow(env, w, zone)
	}
	if x := float32(o.view.ToPx(o.rect, v.Playhead())); x >= o.rect.X0 && x <= o.rect.X1 {
		wide := env.Px(2)
		x = min(max(panel.Snap(x-wide/2), o.rect.X0), o.rect.X1-wide)
		l.Rect(draw.Rect{X0: x, Y0: o.rect.Y0, X1: x + wide, Y1: o.rect.Y1}, draw.Color(th.Text))
	}
}

// drawWindow draws the frame around the timeline's window, with its bar and the grips at its edges.
func (o *Overview) drawWindow(env *panel.Env, w draw.Rect, zone drag) {
	l, th := o.List(), env.Theme
	one := max(1, float32(int(env.Scale)))
	plain := draw.Color(th.Text2)
	pick := func(z drag) draw.Color {
		return format.Pick(zone == z, draw.Color(th.Accent), plain)
	}
	l.VLine(w.X0, w.Y0, w.Y1, one, pick(dragLeft))
	l.VLine(w.X1-one, w.Y0, w.Y1, one, pick(dragRight))
	l.HLine(w.X0, w.X1, w.Y1-one, one, plain)
	g, lines := o.grip(env, w), plain
	if zone == dragMove {
		l.Rect(g, draw.Color(th.Accent))
		lines = draw.Color(th.Well)
	} else {
		l.HLine(g.X0, g.X1, g.Y0, one, plain)
	}
	// three little lines mark it as a handle
	if mid, step := panel.Snap((g.X0+g.X1)/2), env.Px(3); g.W() > 6*step {
		for i := -1; i <= 1; i++ {
			l.VLine(mid+float32(i)*step, g.Y0+env.Px(2), g.Y1-env.Px(2), one, lines)
		}
	}
	mid, half := panel.Snap((w.Y0+w.Y1+g.H())/2), env.Px(8)
	if w.W() > env.Px(14) {
		wide := env.Px(2)
		l.Rect(draw.Rect{X0: w.X0, Y0: mid - half, X1: w.X0 + wide + one, Y1: mid + half}, pick(dragLeft))
		l.Rect(draw.Rect{X0: w.X1 - wide - one, Y0: mid - half, X1: w.X1, Y1: mid + half}, pick(dragRight))
	}
}

// appendLeft says that not all tracks are counted, if so.
func (d *overviewData) appendLeft(b []byte) []byte {
	if d.left == 0 {
		return b
	}
	b = format.AppendCount(append(b, ", counting "...), int64(len(d.rows)))
	return append(format.AppendCount(append(b, " of "...), int64(len(d.rows)+d.left)), " tracks"...)
}
