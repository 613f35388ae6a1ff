package strip

import (
	"framescope/charts/draw"
	"framescope/charts/format"
	"framescope/charts/panel"
	"framescope/charts/subject"
	"framescope/model"
)

// pianoDrawKey is the extra inputs of the picture that the view's stamp does not cover.
type pianoDrawKey struct {
	view       uint64
	begin, end float64
	key        pianoKey
	scrollY    float32
	bar, row   int
	hoverNs    int64
}

// drawKey returns the present inputs of the picture.
func (p *Roll) drawKey(env *panel.Env) pianoDrawKey {
	return pianoDrawKey{
		view: env.View.Stamp(), begin: p.axis.BeginNs, end: p.axis.EndNs, key: p.key, scrollY: p.scrollY, bar: p.hoverBar,
		row: p.hoverRow, hoverNs: p.ghost(env),
	}
}

// ghost returns the time under the mouse in any panel, since the begin of the frame shown; -1 where
// it is not in it.
func (p *Roll) ghost(env *panel.Env) int64 {
	v := env.View
	if !v.Pointer().HasTime() || p.source.kind != subject.SourceShown {
		return -1
	}
	track := v.Session().Track(p.track(env))
	if track == nil || p.source.frame >= track.NumFrames() {
		return -1
	}
	f := track.Frame(p.source.frame)
	if v.Pointer().Time() < f.Begin || v.Pointer().Time() > f.End {
		return -1
	}
	return v.Pointer().Time() - f.Begin
}

func (p *Roll) draw(env *panel.Env) {
	l, r := p.List(), &p.regions
	switch {
	case env.View.None():
		panel.DrawWords(l, env, r.all, "When each collector ran inside one frame.\nConnect a game or open a recording.")
		return
	case p.source.kind == subject.SourceEmpty:
		panel.DrawWords(l, env, r.all, "When each collector ran inside one frame.\n"+panel.NoFrame)
		return
	}
	p.drawGround(env)
	if len(p.rows) == 0 && p.source.kind == subject.SourceShown {
		panel.DrawWords(l, env, r.plot, "Nothing ran in this frame.")
	}
	l.PushClip(draw.Rect{X0: r.all.X0, Y0: r.plot.Y0, X1: r.all.X1, Y1: r.plot.Y1})
	p.drawRows(env)
	l.PushClip(r.plot)
	p.pal = env.Palette()
	for i := range p.bars {
		p.drawBar(env, i)
	}
	p.drawMarks(env)
	l.PopClip()
	l.PopClip()
	if p.source.kind == subject.SourceMissing {
		p.drawMissing(env)
	}
	p.drawScrollBar(env)
}

// drawGround draws ruler, ticks and the part beyond the frame's end.
func (p *Roll) drawGround(env *panel.Env) {
	l, r, th := p.List(), &p.regions, env.Theme
	if !p.axis.Valid() {
		return
	}
	end := panel.Snap(float32(p.axis.ToPx(r.plot, p.source.durNs)))
	if end < r.plot.X1 {
		l.Rect(draw.Rect{X0: max(end, r.plot.X0), Y0: r.plot.Y0, X1: r.plot.X1, Y1: r.plot.Y1}, draw.Color(th.Well).WithAlpha(120))
	}
	var scale format.TickScale
	scale, p.ticks = format.Ticks(p.axis.Window, r.ruler, env.Px(70), p.ticks[:0])
	for _, t := range p.ticks {
		x := panel.Snap(float32(p.axis.ToPx(r.plot, t)))
		l.VLine(x, r.ruler.Y1-env.Px(4), r.plot.Y1, env.Px(1), draw.Color(th.Grid))
		p.buf = scale.AppendLabel(p.buf[:0], t)
		w := env.Atlas.Measure(draw.Small, panel.ScratchText(p.buf))
		if x0 := max(x-w/2, r.plot.X0+env.Px(3)); x0+w <= r.all.X1 {
			l.Text(draw.Small, x0, r.ruler.Y0+env.Px(2), panel.ScratchText(p.buf), draw.Color(th.Text2))
		}
	}
	l.HLine(r.all.X0, r.all.X1, r.plot.Y0-env.Px(1), env.Px(1), draw.Color(th.Separator))
	if !r.labels.Empty() {
		l.VLine(r.labels.X1-env.Px(1), r.all.Y0, r.plot.Y1, env.Px(1), draw.Color(th.Separator))
		head := draw.Rect{X0: r.labels.X0, Y0: r.ruler.Y0, X1: r.labels.X1 - env.Px(7), Y1: r.ruler.Y1}
		words := format.Pick(p.showCounts(env), "total · runs", "total")
		l.TextFit(draw.Small, head, draw.Right, words, draw.Color(th.TextDim))
	}
}

// showCounts reports whether the label column has room for the number of runs beside a name and its
// total, showTotals whether it has room for the total.
func (p *Roll) showCounts(env *panel.Env) bool {
	return p.regions.labels.W() >= env.Px(panel.NameLeast+16+56+26)
}

func (p *Roll) showTotals(env *panel.Env) bool {
	return p.regions.labels.W() >= env.Px(panel.NameLeast+16+56)
}

// drawRows draws the labels: the full name at the right, the row's total, and how often it ran.
func (p *Roll) drawRows(env *panel.Env) {
	l, r, th, v := p.List(), &p.regions, env.Theme, env.View
	rowH := p.rowHeight(env)
	for row := range p.rows {
		pr := &p.rows[row]
		y := p.rowY(env, row)
		if y+rowH <= r.plot.Y0 || y >= r.plot.Y1 {
			continue
		}
		band := draw.Rect{X0: r.all.X0, Y0: y, X1: r.plot.X1, Y1: y + rowH}
		if v.Selects(pr.collector) {
			l.Rect(band, draw.Color(th.Button))
		}
		if pr.collector == v.Pointer().Collector() || row == p.hoverRow {
			l.Rect(band, draw.Color(th.Hover))
		}
		l.HLine(r.all.X0, r.plot.X1, y+rowH-env.Px(1), env.Px(1), draw.Color(th.Grid))
		if r.labels.Empty() {
			continue
		}
		text, text2 := draw.Color(th.Text), draw.Color(th.Text2)
		if v.Look().Hidden(pr.collector) {
			text, text2 = draw.Color(th.TextDim), draw.Color(th.TextDim)
		}
		box := draw.Rect{X0: r.labels.X0 + env.Px(8), Y0: y, X1: r.labels.X1 - env.Px(8), Y1: y + rowH}
		if p.showCounts(env) {
			count := box
			count.X0 = count.X1 - env.Px(24)
			if n := pr.end - pr.first; n > 1 {
				p.buf = append(format.AppendCount(p.buf[:0], int64(n)), 'x')
				l.TextIn(draw.Small, count, draw.Right, panel.ScratchText(p.buf), draw.Color(th.TextDim))
			}
			box.X1 = count.X0 - env.Px(2)
		}
		if p.showTotals(env) {
			total := box
			total.X0 = total.X1 - env.Px(50)
			p.buf = format.AppendDuration(p.buf[:0], pr.total)
			l.TextFit(draw.Small, total, draw.Right, panel.ScratchText(p.buf), text2)
			box.X1 = total.X0 - env.Px(6)
		}
		p.names.Add(0, draw.Regular, box, draw.Right, v.Session().Collector(pr.collector).Title(), text)
	}
	p.names.Draw(l)
}

func (p *Roll) drawBar(env *panel.Env, i int) {
	l, b, v, th := p.List(), &p.bars[i], env.View, env.Theme
	c := p.rows[b.row].collector
	fill, text := p.pal.Drawn(c, false).Both()
	if p.source.kind == subject.SourceMissing {
		fill = draw.Mix(fill, draw.Color(th.Panel), 150)
		text = draw.Color(th.Text2)
	} else if v.Look().Hidden(c) {
		fill, text = draw.Dim(fill, th.Panel), draw.Color(th.TextDim)
	}
	l.Rect(b.rect, fill)
	if panel.Sunken(env, fill, p.pal.Found(c)) {
		l.Outline(b.rect, env.Px(1), draw.Color(th.TextDim))
	}
	if p.pal.Found(c) {
		l.Outline(b.rect, env.Px(1), draw.Color(th.Accent))
	}
	if i == p.hoverBar && b.rect.W() >= 4 {
		l.Outline(b.rect, env.Px(1), draw.Color(th.Text).WithAlpha(190))
	}
	run := &p.runs[b.run]
	if b.merged > 1 {
		return
	}
	// An end that was not received fades out.
	w := min(env.Px(8), b.rect.W()/2)
	if run.Flags&model.SpanOpenBegin != 0 {
		l.Hatch(draw.Rect{X0: b.rect.X0, Y0: b.rect.Y0, X1: b.rect.X0 + w, Y1: b.rect.Y1}, text.WithAlpha(120))
	}
	if run.Flags&model.SpanOpenEnd != 0 {
		l.Hatch(draw.Rect{X0: b.rect.X1 - w, Y0: b.rect.Y0, X1: b.rect.X1, Y1: b.rect.Y1}, text.WithAlpha(120))
	}
	box := b.rect.Intersect(p.regions.plot)
	box.X0 += env.Px(4)
	box.X1 -= env.Px(4)
	if box.W() > env.Px(24) {
		p.buf = format.AppendDuration(p.buf[:0], run.End-run.Begin)
		l.TextFit(draw.Small, box, draw.Left, panel.ScratchText(p.buf), text)
	}
}

// drawMarks draws the target frame time and the ghost cursor.
func (p *Roll) drawMarks(env *panel.Env) {
	plot, l := p.regions.plot, p.List()
	x := panel.Snap(float32(p.axis.ToPx(plot, subject.Budget(env))))
	if x > plot.X0 && x < plot.X1 && p.source.kind == subject.SourceShown {
		l.DashedV(x, plot.Y0, plot.Y1, env.Px(1), env.Px(5), env.Px(4), draw.Color(env.Theme.Target))
		p.buf = format.AppendRate(p.buf[:0], subject.Budget(env))
		w := env.Atlas.Measure(draw.Small, panel.ScratchText(p.buf))
		x0 := x + env.Px(4)
		if x0+w > plot.X1 {
			x0 = x - w - env.Px(4)
		}
		l.Text(draw.Small, x0, plot.Y1-env.Px(17), panel.ScratchText(p.buf), draw.Color(env.Theme.Text2))
	}
	if g := p.ghost(env); g >= 0 {
		l.VLine(panel.Snap(float32(p.axis.ToPx(plot, g))), plot.Y0, plot.Y1, env.Px(1), draw.Color(env.Theme.Text).WithAlpha(70))
	}
}

// drawMissing hatches the plot and describes it.
func (p *Roll) drawMissing(env *panel.Env) {
	l, plot := p.List(), p.regions.plot
	l.Hatch(plot, draw.Color(env.Theme.Hatch))
	b := subject.AppendMissingFrames(p.buf[:0], p.source.first, p.source.last)
	b[0] -= 'f' - 'F'
	if len(p.rows) > 0 {
		b = append(b, ".\nThe value is interpolated between the neighbours."...)
	} else {
		b = append(b, ".\nKey I shows what may lie between the neighbours."...)
	}
	p.buf = b
	w, h := env.Px(320), env.Px(42)
	mid := (plot.X0 + plot.X1) / 2
	y := plot.Y1 - h - env.Px(12)
	box := draw.Rect{X0: mid - w/2, Y0: y, X1: mid + w/2, Y1: y + h}.Intersect(plot)
	l.Rect(box, draw.Color(env.Theme.Panel).WithAlpha(240))
	l.Outline(box, env.Px(1), draw.Color(env.Theme.Separator))
	panel.DrawWords(l, env, box, panel.ScratchText(b))
}

// drawScrollBar shows where the rows on the screen are among all.
func (p *Roll) drawScrollBar(env *panel.Env) {
	plot, total := p.regions.plot, float32(len(p.rows))*p.rowHeight(env)
	x, col := plot.X1, draw.Color(env.Theme.Text2).WithAlpha(90)
	panel.DrawScrollBar(p.List(), plot, x+env.Px(1), x+env.Px(5), total, p.above(env), env.Px(20), col)
}
