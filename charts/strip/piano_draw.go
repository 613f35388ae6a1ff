package strip

import (
	"framescope/charts/draw"
	"framescope/charts/format"
	"framescope/charts/panel"
	"framescope/charts/subject"
	"framescope/model"
	"framescope/model/frames"
	"framescope/model/spans"
	"framescope/model/store"
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
		l.Rect(draw.Rect{X0: max(end, r.plot.X0), Y0: r.plot.Y0, X1: r.plot.X1, Y1: r.plot.Y1},
			draw.Color(th.Well).WithAlpha(120))
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
	if panel.Sunken(env, fill, p.pal.Found(c)) || fill == draw.Color(th.Wait) { // its row may be as dark
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
		l.VLine(panel.Snap(float32(p.axis.ToPx(plot, g))), plot.Y0, plot.Y1, env.Px(1),
			draw.Color(env.Theme.Text).WithAlpha(70))
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

// input handles a tick's mouse and keys.
func (p *Roll) input(env *panel.Env, in *panel.Input) panel.Action {
	v := env.View
	p.hover.Begin()
	p.hoverBar, p.hoverRow = -1, -1
	if p.source.kind == subject.SourceEmpty || !p.axis.Valid() {
		return panel.Action{}
	}
	g := p.gestures.Update(env, &p.axis, p.regions.plot, in)
	if g.Moved {
		p.free = true
	}
	p.scrollY = max(0, min(p.scrollY-g.ScrollPx, p.overflow(env)))
	if !in.Over || g.Busy {
		return panel.Action{}
	}
	if p.regions.labels.Contains(in.X, in.Y) {
		return p.labelInput(env, in)
	}
	if !p.regions.plot.Contains(in.X, in.Y) {
		return panel.Action{}
	}
	if p.source.kind == subject.SourceShown {
		f := v.Session().Track(p.track(env)).Frame(p.source.frame)
		p.hover.AtTime(f.Begin + p.axis.ToTime(p.regions.plot, float64(in.X)))
	}
	i := p.barAt(env, in.X, in.Y)
	p.hoverBar = i
	c := model.NoCollector
	if i >= 0 {
		c = p.rows[p.bars[i].row].collector
		p.hover.AtCollector(c)
	}
	switch {
	case g.DoubleClick:
		p.again.Doubled(v, in)
		if i < 0 {
			p.Fit(env)
			break
		}
		return panel.Action{Kind: panel.ActionOpenStrip, Track: p.track(env), Collector: c, Frame: p.source.frame, X: in.X,
			Y: in.Y}
	case g.Click && p.again.Single(v):
		if c != model.NoCollector {
			if b, ok := p.spanOf(env, i); ok {
				v.SelectSpanAt(b, b.Begin)
			} else {
				v.SelectCollectorOf(p.track(env), c)
			}
		}
	case g.Menu:
		return panel.MenuOf(p.HitTest(env, in.X, in.Y), in.X, in.Y)
	}
	return panel.Action{}
}

// spanOf returns the span behind a bar; ok is false for several in one bar, for interpolated ones,
// and for one that began before the frame.
func (p *Roll) spanOf(env *panel.Env, bar int) (span spans.Bar, ok bool) {
	b, s, id := &p.bars[bar], env.View.Session(), p.track(env)
	if p.source.kind != subject.SourceShown || b.merged > 1 {
		return span, false
	}
	begin := s.Track(id).Frame(p.source.frame).Begin + p.runs[b.run].Begin
	t := s.Track(id)
	for lane := range t.Lanes() { // frames may overlap: one of another frame may begin at the same time
		span, ok = s.Spans().At(id, lane, begin, 0)
		if ok && span.Begin == begin && span.Collector == p.rows[b.row].collector && t.FrameOf(span.Ref,
			begin) == p.source.frame {
			return span, true
		}
	}
	return span, false
}

// labelInput handles the label column: the wheel scrolls there.
func (p *Roll) labelInput(env *panel.Env, in *panel.Input) panel.Action {
	p.scrollY = max(0, min(p.scrollY+in.WheelY*panel.WheelRowPx*env.Scale, p.overflow(env)))
	row := p.rowAt(env, in.Y)
	if row < 0 {
		return panel.Action{}
	}
	p.hoverRow = row
	c := p.rows[row].collector
	p.hover.AtCollector(c)
	switch {
	case in.DoubleClick:
		return panel.Action{Kind: panel.ActionOpenStrip, Track: p.track(env), Collector: c, Frame: p.source.frame, X: in.X,
			Y: in.Y}
	case in.Left.Pressed:
		env.View.SelectCollectorOf(p.track(env), c)
	case in.Right.Released && !in.Right.Dragging:
		return panel.MenuOf(p.HitTest(env, in.X, in.Y), in.X, in.Y)
	}
	return panel.Action{}
}

// HitTest returns the bar or the row label under a point.
func (p *Roll) HitTest(env *panel.Env, pxX, pxY float32) panel.Hit {
	h := panel.Hit{Collector: model.NoCollector, Frame: -1, Track: p.track(env)}
	s := env.View.Session()
	if p.source.kind == subject.SourceEmpty {
		return h
	}
	if p.source.kind == subject.SourceShown {
		h.Frame = p.source.frame
	}
	if p.regions.labels.Contains(pxX, pxY) {
		row := p.rowAt(env, pxY)
		if row < 0 {
			return h
		}
		h.Kind, h.Collector = panel.HitCollector, p.rows[row].collector
		y := p.rowY(env, row)
		h.Rect = draw.Rect{X0: p.regions.labels.X0, Y0: y, X1: p.regions.labels.X1, Y1: y + p.rowHeight(env)}
		p.describeRow(s, row)
		h.Lines = p.hit.All()
		return h
	}
	i := p.barAt(env, pxX, pxY)
	if i < 0 {
		if p.source.kind == subject.SourceMissing && p.regions.plot.Contains(pxX, pxY) {
			h.Kind, h.Rect = panel.HitGap, p.regions.plot
			h.Gap = frames.Gap{FirstNumber: p.source.first, LastNumber: p.source.last}
			p.hit.Begin()
			p.hit.With(subject.AppendMissingFrames(p.hit.Buf, p.source.first, p.source.last)).End()
			h.Lines = p.hit.All()
		}
		return h
	}
	b := &p.bars[i]
	row := &p.rows[b.row]
	run := &p.runs[b.run]
	h.Kind, h.Collector, h.Rect = panel.HitRun, row.collector, b.rect
	if b.merged > 1 {
		h.Kind = panel.HitMerged
	}
	if p.source.kind == subject.SourceShown {
		begin := s.Track(p.track(env)).Frame(p.source.frame).Begin
		h.TimeNs = begin + run.Begin
		h.Bar = spans.Bar{Begin: begin + run.Begin, End: begin + run.End, Collector: row.collector, Count: b.merged,
			Busy: 1, Flags: run.Flags}
		if b.merged > 1 {
			h.Bar.End = begin + p.runs[b.run+b.merged-1].End
		}
	}
	p.describeBar(s, b)
	h.Lines = p.hit.All()
	return h
}

// describeRow writes the tooltip of a label.
func (p *Roll) describeRow(s *store.Session, row int) {
	t, r := &p.hit, &p.rows[row]
	t.Begin()
	t.Add(s.Collector(r.collector).Title())
	t.Duration(r.total).Text(" in ").Plural(int64(r.end-r.first), "run", "runs")
	if p.source.durNs > 0 {
		t.Text(" · ").Percent(float64(r.total) / float64(p.source.durNs)).Text(" of the frame")
	}
	t.End()
	t.Add("Double click: strip chart")
}

// describeBar writes the tooltip of a bar.
func (p *Roll) describeBar(s *store.Session, b *pianoBar) {
	t, row, run := &p.hit, &p.rows[b.row], &p.runs[b.run]
	t.Begin()
	t.Text(s.Collector(row.collector).Title()).Text(" (")
	total := int64(0)
	for i := b.run; i < b.run+b.merged; i++ {
		total += p.runs[i].End - p.runs[i].Begin
	}
	if run.Flags&(model.SpanOpenBegin|model.SpanOpenEnd) != 0 {
		t.Text("at least ")
	}
	t.Duration(total).Text(")").End()
	if b.merged > 1 {
		t.Text("runs ").Count(int64(b.run - row.first + 1)).Text(" to ").Count(int64(b.run - row.first + b.merged))
	} else {
		t.Text("run ").Count(int64(b.run - row.first + 1))
	}
	t.Text(" of ").Count(int64(row.end - row.first))
	if row.end-row.first > 1 {
		t.Text(" · ").Duration(row.total).Text(" in all")
	}
	t.End()
	t.Text("from ").Duration(run.Begin).Text(" to ").Duration(p.runs[b.run+b.merged-1].End).Text(" in the frame").End()
	if step := s.Info().Clock.Step(s.Track(p.key.track).Frame(p.source.frame).Begin); step*20 >= total {
		t.With(format.AppendStep(t.Buf, step)).End()
	}
	if p.source.kind == subject.SourceMissing {
		t.Add("interpolated between the frames before and after the gap")
	}
}

// Title returns the panel's title: "Piano roll", with the thread unless it is the first.
func (p *Roll) Title(env *panel.Env) string {
	b := append(p.title.New(), "Piano roll"...)
	if t := env.View.Session().Track(p.track(env)); t != nil && p.track(env) != 0 {
		b = append(append(b, " · "...), t.Title()...)
	}
	return p.title.Set(b)
}

// Mode returns the frame shown: "frame 12 407 · 16.9 ms".
func (p *Roll) Mode(env *panel.Env) string {
	b := p.mode.New()
	switch p.source.kind {
	case subject.SourceShown:
		b = format.AppendCount(append(b, "frame "...), p.source.number)
		b = format.AppendDuration(append(b, " · "...), p.source.durNs)
	case subject.SourceMissing:
		b = subject.AppendMissingFrames(b, p.source.first, p.source.last)
	}
	return p.mode.Set(b)
}
