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
		return panel.Action{Kind: panel.ActionOpenStrip, Track: p.track(env), Collector: c, Frame: p.source.frame, X: in.X, Y: in.Y}
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
		if ok && span.Begin == begin && span.Collector == p.rows[b.row].collector && t.FrameOf(span.Ref, begin) == p.source.frame {
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
		return panel.Action{Kind: panel.ActionOpenStrip, Track: p.track(env), Collector: c, Frame: p.source.frame, X: in.X, Y: in.Y}
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
