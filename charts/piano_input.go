package charts

import (
	"framescope/charts/draw"
	"framescope/model"
)

// input handles a tick's mouse and keys.
func (p *PianoRoll) input(env *Env, in *Input) Action {
	v := env.View
	p.hover.begin()
	p.hoverBar, p.hoverRow = -1, -1
	if p.source.kind == flameEmpty || !p.axis.Valid() {
		return Action{}
	}
	g := p.gestures.Update(env, &p.axis, p.regions.plot, in)
	if g.Moved {
		p.free = true
	}
	p.scrollY = max(0, min(p.scrollY-g.ScrollPx, p.overflow(env)))
	if !in.Over || g.Busy {
		return Action{}
	}
	if p.regions.labels.Contains(in.X, in.Y) {
		return p.labelInput(env, in)
	}
	if !p.regions.plot.Contains(in.X, in.Y) {
		return Action{}
	}
	if p.source.kind == flameShown {
		f := v.Session().Track(p.track(env)).Frame(p.source.frame)
		p.hover.atTime(f.Begin + p.axis.ToTime(p.regions.plot, float64(in.X)))
	}
	i := p.barAt(env, in.X, in.Y)
	if i >= 0 && int(p.bars[i].row) >= len(p.rows) {
		i = -1 // the frame changed since the bars were placed
	}
	p.hoverBar = i
	c := model.NoCollector
	if i >= 0 {
		c = p.rows[p.bars[i].row].collector
		p.hover.atCollector(c)
	}
	switch {
	case g.DoubleClick:
		p.again.doubled(v, in)
		if i < 0 {
			p.Fit(env)
			break
		}
		return Action{Kind: ActionOpenStrip, Track: p.track(env), Collector: c, Frame: p.source.frame, X: in.X, Y: in.Y}
	case g.Click && p.again.single(v):
		if c != model.NoCollector {
			v.SelectCollectorOf(p.track(env), c)
		}
	case g.Menu:
		return menuOf(p.HitTest(env, in.X, in.Y), in.X, in.Y)
	}
	return Action{}
}

// labelInput handles the label column: the wheel scrolls there.
func (p *PianoRoll) labelInput(env *Env, in *Input) Action {
	p.scrollY = max(0, min(p.scrollY+in.WheelY*wheelRowPx*env.Scale, p.overflow(env)))
	row := p.rowAt(env, in.Y)
	if row < 0 {
		return Action{}
	}
	p.hoverRow = row
	c := p.rows[row].collector
	p.hover.atCollector(c)
	switch {
	case in.DoubleClick:
		return Action{Kind: ActionOpenStrip, Track: p.track(env), Collector: c, Frame: p.source.frame, X: in.X, Y: in.Y}
	case in.Left.Pressed:
		env.View.SelectCollectorOf(p.track(env), c)
	case in.Right.Released && !in.Right.Dragging:
		h := p.HitTest(env, in.X, in.Y)
		return Action{Kind: ActionMenu, Track: h.Track, Collector: c, Frame: h.Frame, X: in.X, Y: in.Y, Hit: h}
	}
	return Action{}
}

// HitTest returns the bar or the row label under a point.
func (p *PianoRoll) HitTest(env *Env, pxX, pxY float32) Hit {
	h := Hit{Collector: model.NoCollector, Frame: -1, Track: p.track(env)}
	s := env.View.Session()
	if s == nil || p.source.kind == flameEmpty {
		return h
	}
	if p.source.kind == flameShown {
		h.Frame = p.source.frame
	}
	if p.regions.labels.Contains(pxX, pxY) {
		row := p.rowAt(env, pxY)
		if row < 0 {
			return h
		}
		h.Kind, h.Collector = HitCollector, p.rows[row].collector
		y := p.rowY(env, row)
		h.Rect = draw.Rect{X0: p.regions.labels.X0, Y0: y, X1: p.regions.labels.X1, Y1: y + p.rowHeight(env)}
		p.describeRow(s, row)
		h.Lines = p.hit.all()
		return h
	}
	i := p.barAt(env, pxX, pxY)
	if i < 0 || int(p.bars[i].row) >= len(p.rows) {
		if p.source.kind == flameMissing && p.regions.plot.Contains(pxX, pxY) {
			h.Kind, h.Rect = HitGap, p.regions.plot
			h.Gap = model.Gap{FirstNumber: p.source.first, LastNumber: p.source.last}
			p.hit.begin()
			p.hit.buf = appendMissingFrames(p.hit.buf, p.source.first, p.source.last)
			p.hit.end()
			h.Lines = p.hit.all()
		}
		return h
	}
	b := &p.bars[i]
	row := &p.rows[b.row]
	run := &p.runs[b.run]
	h.Kind, h.Collector, h.Rect = HitRun, row.collector, b.rect
	if b.merged > 1 {
		h.Kind = HitMerged
	}
	if p.source.kind == flameShown {
		begin := s.Track(p.track(env)).Frame(p.source.frame).Begin
		h.TimeNs = begin + run.Begin
		h.Bar = model.Bar{Begin: begin + run.Begin, End: begin + run.End, Collector: row.collector, Count: b.merged, Busy: 1, Flags: run.Flags}
		if b.merged > 1 {
			h.Bar.End = begin + p.runs[b.run+b.merged-1].End
		}
	}
	p.describeBar(s, b)
	h.Lines = p.hit.all()
	return h
}

// describeRow writes the tooltip of a label.
func (p *PianoRoll) describeRow(s *model.Session, row int) {
	t, r := &p.hit, &p.rows[row]
	t.begin()
	t.add(fullName(s.Collector(r.collector)))
	t.buf = AppendDuration(t.buf, r.total)
	t.buf = AppendCount(append(t.buf, " in "...), int64(r.end-r.first))
	if r.end-r.first == 1 {
		t.buf = append(t.buf, " run"...)
	} else {
		t.buf = append(t.buf, " runs"...)
	}
	if p.source.durNs > 0 {
		t.buf = AppendPercent(append(t.buf, " · "...), float64(r.total)/float64(p.source.durNs))
		t.buf = append(t.buf, " of the frame"...)
	}
	t.end()
	t.add("Double click: strip chart")
}

// describeBar writes the tooltip of a bar.
func (p *PianoRoll) describeBar(s *model.Session, b *pianoBar) {
	t, row, run := &p.hit, &p.rows[b.row], &p.runs[b.run]
	t.begin()
	t.buf = append(t.buf, fullName(s.Collector(row.collector))...)
	t.buf = append(t.buf, " ("...)
	total := int64(0)
	for i := b.run; i < b.run+b.merged; i++ {
		total += p.runs[i].End - p.runs[i].Begin
	}
	if run.Flags&(model.SpanOpenBegin|model.SpanOpenEnd) != 0 {
		t.buf = append(t.buf, "at least "...)
	}
	t.buf = AppendDuration(t.buf, total)
	t.buf = append(t.buf, ')')
	t.end()
	if b.merged > 1 {
		t.buf = AppendCount(append(t.buf, "runs "...), int64(b.run-row.first+1))
		t.buf = AppendCount(append(t.buf, " to "...), int64(b.run-row.first+b.merged))
	} else {
		t.buf = AppendCount(append(t.buf, "run "...), int64(b.run-row.first+1))
	}
	t.buf = AppendCount(append(t.buf, " of "...), int64(row.end-row.first))
	if row.end-row.first > 1 {
		t.buf = AppendDuration(append(t.buf, " · "...), row.total)
		t.buf = append(t.buf, " in all"...)
	}
	t.end()
	t.buf = AppendDuration(append(t.buf, "from "...), run.Begin)
	t.buf = AppendDuration(append(t.buf, " to "...), p.runs[b.run+b.merged-1].End)
	t.buf = append(t.buf, " in the frame"...)
	t.end()
	if step := s.Info().Clock.Step(s.Track(p.key.track).Frame(p.source.frame).Begin); step*20 >= total {
		t.buf = appendStep(t.buf, step)
		t.end()
	}
	if p.source.kind == flameMissing {
		t.add("interpolated between the frames before and after the gap")
	}
}

// Title returns the panel's title: "Piano roll", with the thread unless it is the first.
func (p *PianoRoll) Title(env *Env) string {
	b := append(p.buf[:0], "Piano roll"...)
	if s := env.View.Session(); s != nil {
		if t := s.Track(p.track(env)); t != nil && p.track(env) != 0 {
			b = append(append(b, " · "...), t.Title()...)
		}
	}
	p.buf = b
	return p.title.set(b)
}

// Mode returns the frame shown: "frame 12 407 · 16.9 ms".
func (p *PianoRoll) Mode(env *Env) string {
	b := p.buf[:0]
	switch p.source.kind {
	case flameShown:
		b = AppendCount(append(b, "frame "...), p.source.number)
		b = AppendDuration(append(b, " · "...), p.source.durNs)
	case flameMissing:
		b = appendMissingFrames(b, p.source.first, p.source.last)
	}
	p.buf = b
	return p.mode.set(b)
}
