package charts

import "framescope/model"

// input handles a tick's mouse and keys.
func (f *FlameGraph) input(env *Env, in *Input) Action {
	v := env.View
	f.hover.begin()
	f.layHead(env)
	if i := f.crumbs.input(in); i >= 0 {
		f.ZoomTo(env, f.zoom[:min(f.crumbs.items[i].key, len(f.zoom))])
		return Action{}
	}
	switch f.chips.input(in) {
	case flameChipTracks:
		f.AllTracks = !f.AllTracks
		f.zoom = f.zoom[:0]
	case flameChipFlip:
		f.Flip = !f.Flip
		f.scrollY = 0
	case flameChipMean:
		switch {
		case f.MeanFrames <= 1:
			f.MeanFrames = 60
		case f.MeanFrames > 60:
			f.MeanFrames = 1
		default:
			f.MeanFrames = 300
		}
	case flameChipMeasure:
		env.View.SetMeasure(f.measures.next(f.measure))
	case flameChipLock:
		f.ToggleLock(env)
	}
	f.hoverAt = -1
	if f.total <= 0 || !f.axis.Valid() {
		return Action{}
	}
	g := f.gestures.Update(env, &f.axis, f.regions.plot, in)
	if g.Moved {
		f.free = true
		if f.Locked {
			b, e := f.axis.Target()
			f.LockedNs = e - b
		}
	}
	if g.ScrollPx != 0 {
		if f.Flip {
			g.ScrollPx = -g.ScrollPx
		}
		f.scrollY = max(0, min(f.scrollY+g.ScrollPx, float32(f.depths)*f.rowHeight(env)-f.regions.plot.H()))
	}
	if !in.Over || g.Busy || !f.regions.plot.Contains(in.X, in.Y) {
		return Action{}
	}
	// The bars are those of the picture that the user sees: of the tick before.
	i := f.barAt(in.X, in.Y)
	if i >= 0 && int(f.bars[i].node) >= len(f.nodes) {
		i = -1
	}
	f.hoverAt = i
	if i >= 0 && f.bars[i].merged == 1 {
		f.hover.atCollector(f.nodes[f.bars[i].node].collector)
	}
	switch {
	case g.DoubleClick:
		if i < 0 {
			f.ZoomTo(env, nil)
		}
		f.again.doubled(v, in)
	case g.Click && f.again.single(v):
		if i < 0 {
			break
		}
		b := &f.bars[i]
		f.chainOf(b.node)
		if b.merged > 1 {
			// What is joined is told apart by going nearer.
			f.zoom = f.zoom[:len(f.zoom)-1]
			f.found, f.free = f.find(f.zoom), true
			n := &f.nodes[b.node]
			pad := b.total / 8
			f.axis.Push()
			f.axis.Set(n.start-pad, n.start+b.total+pad, env.Animate, env.NowNs)
			break
		}
		v.SelectCollectorOf(f.track(env), f.nodes[b.node].collector)
		f.ZoomTo(env, f.zoom)
	case g.Menu:
		return menuOf(f.HitTest(env, in.X, in.Y), in.X, in.Y)
	}
	return Action{}
}

// HitTest returns the bar under a point.
func (f *FlameGraph) HitTest(env *Env, pxX, pxY float32) Hit {
	h := Hit{Collector: model.NoCollector, Frame: -1, Track: f.track(env)}
	if f.source.kind == flameMissing && f.regions.plot.Contains(pxX, pxY) {
		h.Kind = HitGap
		h.Gap = model.Gap{FirstNumber: f.source.first, LastNumber: f.source.last}
		h.Rect = f.regions.plot
		f.hit.begin()
		f.hit.buf = appendMissingFrames(f.hit.buf, f.source.first, f.source.last)
		f.hit.end()
		h.Lines = f.hit.all()
		return h
	}
	i := f.barAt(pxX, pxY)
	if i < 0 || int(f.bars[i].node) >= len(f.nodes) || env.View.Session() == nil {
		return h
	}
	b := &f.bars[i]
	h.Kind, h.Rect = HitNode, b.rect
	if b.merged > 1 {
		h.Kind = HitMerged
		f.describeMerged(b)
	} else {
		h.Collector = f.nodes[b.node].collector
		f.describe(env, b.node)
	}
	h.Lines = f.hit.all()
	return h
}

// describe writes the tooltip of a bar.
func (f *FlameGraph) describe(env *Env, node int32) {
	t, n, s := &f.hit, &f.nodes[node], env.View.Session()
	t.begin()
	t.buf = append(t.buf, fullName(s.Collector(n.collector))...)
	t.buf = f.append(append(t.buf, " ("...), n.total)
	if per := f.perFrame(n.count); per > 1 && f.measure == model.MeasureDuration {
		t.buf = append(t.buf, " / "...)
		t.buf = appendMean(t.buf, float64(n.count)/float64(max(1, f.source.frames)))
		t.buf = append(t.buf, 'x')
	}
	t.buf = append(t.buf, ')')
	t.end()

	t.buf = f.append(append(t.buf, "self "...), n.self)
	t.buf = append(t.buf, " · "...)
	if n.total > 0 {
		t.buf = AppendPercent(t.buf, n.self/n.total)
	}
	t.buf = append(t.buf, " of it"...)
	t.end()

	t.buf = AppendPercent(t.buf, n.total/f.total)
	t.buf = append(t.buf, " of "...)
	switch {
	case f.Focus != model.NoCollector:
		t.buf = append(t.buf, s.Collector(f.Focus).Name...)
	case f.source.frames > 1:
		t.buf = append(t.buf, "the mean frame"...)
	case f.source.partial:
		t.buf = append(t.buf, "the range"...)
	default:
		t.buf = append(t.buf, "the frame"...)
	}
	if n.parent >= 0 && f.nodes[n.parent].total > 0 {
		t.buf = AppendPercent(append(t.buf, " · "...), n.total/f.nodes[n.parent].total)
		t.buf = append(append(t.buf, " of "...), s.Collector(f.nodes[n.parent].collector).Name...)
	}
	t.end()
	f.describePath(env, node)
	if f.measure == model.MeasureCPU {
		t.plural(n.count, "sample", "samples").end()
		t.add(estimateLine)
	}
	if f.source.frames > 1 {
		t.buf = f.append(t.buf, n.total*float64(f.source.frames))
		t.buf = AppendCount(append(t.buf, " in "...), f.source.frames)
		t.buf = AppendCount(append(t.buf, " frames, "...), n.count)
		t.buf = append(t.buf, " runs"...)
		t.end()
	}
}

// describePath writes who called whom, the last few.
func (f *FlameGraph) describePath(env *Env, node int32) {
	t, s := &f.hit, env.View.Session()
	var chain [6]int32
	n := 0
	at := f.nodes[node].parent
	for ; at >= 0 && n < len(chain); at = f.nodes[at].parent {
		chain[n] = at
		n++
	}
	if n == 0 {
		return
	}
	t.buf = append(t.buf, "in "...)
	if at >= 0 {
		t.buf = append(t.buf, "… › "...)
	}
	for i := n - 1; i >= 0; i-- {
		t.buf = append(t.buf, s.Collector(f.nodes[chain[i]].collector).Name...)
		if i > 0 {
			t.buf = append(t.buf, " › "...)
		}
	}
	t.end()
}

// describeMerged writes the tooltip of a joined bar.
func (f *FlameGraph) describeMerged(b *flameBar) {
	t := &f.hit
	t.begin()
	t.buf = AppendCount(t.buf, int64(b.merged))
	t.buf = f.append(append(t.buf, " collectors, each under a pixel ("...), b.total)
	t.buf = append(t.buf, " together)"...)
	t.end()
	t.add("Click to come nearer")
}

// perFrame is the count of a mean frame, rounded up.
func (f *FlameGraph) perFrame(count int64) int64 {
	n := max(1, f.source.frames)
	return (count + n - 1) / n
}

// appendMean appends a mean count: whole where it is whole, else with one digit.
func appendMean(dst []byte, v float64) []byte {
	if v == float64(int64(v)) || v >= 100 {
		return AppendCount(dst, int64(v+0.5))
	}
	tenths := int64(v*10 + 0.5)
	dst = AppendCount(dst, tenths/10)
	return append(dst, '.', byte('0'+tenths%10))
}

// Title returns the panel's title.
func (f *FlameGraph) Title(env *Env) string {
	b := append(f.buf[:0], "Flame graph"...)
	if s := env.View.Session(); s != nil && f.Focus != model.NoCollector {
		b = append(append(b, ": "...), fullName(s.Collector(f.Focus))...)
	}
	f.buf = b
	return f.title.set(b)
}

// Mode returns what is shown and how: "frame 12 407 · 16.9 ms", "mean of 60 frames · 15.2 ms · scale locked".
func (f *FlameGraph) Mode(env *Env) string {
	b := f.source.appendWords(f.buf[:0])
	if f.source.kind == flameShown && f.total > 0 {
		b = f.append(append(b, " · "...), f.total)
		if f.measure == model.MeasureCPU {
			b = append(b, " of CPU, estimated"...)
		}
	}
	if f.AllTracks {
		b = append(b, " · all threads"...)
	}
	f.buf = b
	return f.mode.set(b)
}
