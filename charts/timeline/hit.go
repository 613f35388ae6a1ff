package timeline

import (
	"math"

	"framescope/charts/draw"
	"framescope/charts/format"
	"framescope/charts/panel"
	"framescope/charts/subject"
	"framescope/model"
)

// barAt returns the bar that was drawn at a point, nil where none was. The row reaches into the pixel between lanes, so that moving down a stack does not flicker.
func (t *Timeline) barAt(pxX, pxY float32) (*timelineRow, *drawnBar) {
	if !t.plot.Contains(pxX, pxY) {
		return nil, nil
	}
	for i := range t.rows {
		row := &t.rows[i]
		if pxY < row.y0 || pxY >= row.y1+1 {
			continue
		}
		lo := t.barIndex(row, pxX)
		if lo < row.to && t.bars[lo].x0 <= pxX {
			return row, &t.bars[lo]
		}
		// A bar of a pixel or two is hard to meet: the nearest within two pixels counts.
		const slop = 2
		if lo < row.to && t.bars[lo].x0-pxX <= slop {
			return row, &t.bars[lo]
		}
		if lo > row.from && pxX-t.bars[lo-1].x1 < slop {
			return row, &t.bars[lo-1]
		}
		return row, nil
	}
	return nil, nil
}

// barIndex returns the index of the first bar of a row that ends right of a position, row.to if none does.
func (t *Timeline) barIndex(row *timelineRow, pxX float32) int {
	lo, hi := row.from, row.to
	for lo < hi {
		if mid := (lo + hi) / 2; t.bars[mid].x1 <= pxX {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo
}

// hover tells the other panels what is under the mouse.
func (t *Timeline) hover(env *panel.Env, in *panel.Input) {
	v := env.View
	if !in.Over || t.gestures.Busy() || !v.Time().Valid() || len(t.blocks) == 0 || !(t.plot.Contains(in.X, in.Y) || t.ruler.Contains(in.X, in.Y)) {
		v.ClearHover(t)
		return
	}
	c := model.NoCollector
	if _, d := t.barAt(in.X, in.Y); d != nil {
		c = d.bar.Collector
	} else if d := t.counterAt(in.X, in.Y); d != nil {
		c = d.row.collector
	}
	v.SetHover(t, c, v.Time().ToTime(t.plot, float64(in.X)), true)
}

// HitTest returns what was drawn at a point, with its tooltip.
func (t *Timeline) HitTest(env *panel.Env, pxX, pxY float32) panel.Hit {
	v := env.View
	hit := panel.NoHit()
	if v.Session() == nil || !v.Time().Valid() || !t.rect.Contains(pxX, pxY) || len(t.blocks) == 0 {
		return hit
	}
	hit.TimeNs = v.Time().ToTime(t.plot, float64(pxX))
	t.tip.Begin()
	if t.ruler.Contains(pxX, pxY) {
		t.hitRuler(env, &hit)
		return hit
	}
	bi := t.blockAt(pxY)
	if bi < 0 {
		return hit
	}
	b := &t.blocks[bi]
	hit.Track = b.track
	tr := v.Session().Track(b.track)
	if t.gutter.Contains(pxX, pxY) {
		hit.Kind = panel.HitLabel
		hit.Rect = draw.Rect{X0: t.gutter.X0, Y0: t.screenY(b.y), X1: t.gutter.X1, Y1: t.screenY(b.y + b.h)}
		t.labelTip(tr, b)
		hit.Lines = t.tip.All()
		return hit
	}
	hit.Frame = tr.FrameCovering(hit.TimeNs - b.offset)
	if d := t.flagAt(pxX, pxY); d != nil {
		hit.Kind, hit.Rect, hit.TimeNs = panel.HitMessage, d.r, d.first
		t.flagTip(env, d)
		hit.Lines = t.tip.All()
		return hit
	}
	if row, d := t.barAt(pxX, pxY); d != nil {
		hit.Collector, hit.Bar, hit.Rect = d.bar.Collector, d.bar, t.barRect(row, d)
		hit.Kind = panel.HitSpan
		hit.Frame = tr.FrameCovering(d.bar.Begin - b.offset)
		if d.bar.Count > 1 {
			hit.Kind = panel.HitMerged
			t.mergedTip(env, d)
		} else {
			t.spanTip(env, tr, b, d)
		}
		hit.Lines = t.tip.All()
		return hit
	}
	if d := t.counterAt(pxX, pxY); d != nil {
		hit.Kind, hit.Collector, hit.Rect = panel.HitBand, d.row.collector, d.r
		t.counterTip(env, d, tr, hit.Frame)
		hit.Lines = t.tip.All()
		return hit
	}
	if d, run := t.coresAt(pxX, pxY); run != nil {
		hit.Kind, hit.Rect = panel.HitCore, draw.Rect{X0: run.x0, Y0: d.r.Y0, X1: run.x1, Y1: d.r.Y1}
		t.coreTip(env, d, run, hit.TimeNs)
		hit.Lines = t.tip.All()
		return hit
	}
	for i := range t.gapPx {
		if g := &t.gapPx[i]; g.track == b.track && pxX >= g.r.X0 && pxX < g.r.X1 {
			hit.Kind, hit.Gap, hit.Rect = panel.HitGap, g.gap, g.r
			if g.left > 0 {
				subject.LeftTip(env, &t.tip, g.left)
				hit.Lines = t.tip.All()
				return hit
			}
			if g.merged > 1 {
				t.tip.Plural(int64(g.merged), "gap", "gaps").End()
			}
			subject.GapTip(&t.tip, g.gap)
			hit.Lines = t.tip.All()
			return hit
		}
	}
	return hit
}

// hitRuler describes the frame of the view's track over which the mouse is.
func (t *Timeline) hitRuler(env *panel.Env, hit *panel.Hit) {
	v := env.View
	hit.Kind, hit.Track = panel.HitAxis, v.Track()
	tr := v.Shown()
	if tr == nil {
		return
	}
	hit.Frame = tr.FrameCovering(hit.TimeNs)
	if hit.Frame < 0 {
		return
	}
	f := tr.Frame(hit.Frame)
	if hit.TimeNs > f.End {
		return
	}
	t.tip.Text("Frame ").Count(f.Number).Text(" of ").Text(tr.Title()).End()
	subject.FrameTip(&t.tip, f, v.FrameBudgetNs())
	hit.Lines = t.tip.All()
}

func (t *Timeline) labelTip(tr *model.Track, b *timelineBlock) {
	tip := &t.tip
	tip.Text(tr.Title())
	if tr.Def.Kind == model.TrackGPU {
		tip.Text(" (GPU)")
	}
	tip.End()
	if n := tr.NumFrames(); n > 0 {
		tip.Text("frames\t").Count(int64(n)).End()
		if m := tr.Missing(); m > 0 {
			tip.Text("missing\t").Count(m).End()
		}
		if hz := tr.FrameRate(3_000_000_000); hz > 0 && !math.IsInf(hz, 0) {
			tip.Text("rate\t")
			tip.Buf = append(format.AppendDigits3(tip.Buf, min(hz, 999)), " fps"...)
			tip.End()
		}
	}
	tip.Text("spans\t").Count(tr.NumSpans()).End()
	if !tr.Alive {
		tip.Add("The thread is gone.")
	}
	if b.offset != 0 {
		tip.Add("It has a clock of its own: its place in time is approximate.")
	}
}

// spanTip describes one span.
func (t *Timeline) spanTip(env *panel.Env, tr *model.Track, b *timelineBlock, d *drawnBar) {
	v, tip := env.View, &t.tip
	c := v.Session().Collector(d.bar.Collector)
	fi := tr.FrameCovering(d.bar.Begin - b.offset)
	if isFrameRoot(c) && fi >= 0 {
		tip.Text("Frame ").Count(tr.Frame(fi).Number).End()
	} else {
		tip.Text(c.FullName).End()
	}
	dur := d.bar.End - d.bar.Begin
	open := d.bar.Flags&(model.SpanOpenBegin|model.SpanOpenEnd) != 0
	if open {
		tip.Text("at least\t")
	} else {
		tip.Text("duration\t")
	}
	tip.Duration(dur)
	// Either end is off by up to half a step; it is said where it is more than a hundredth of the duration.
	if step := v.Session().Info().Clock.Step(d.bar.End); step > 1 && step*100 >= dur {
		tip.Text(" ± ").Duration(step)
	}
	tip.End()
	if self, calls := t.selfTime(v.Session(), b, d); self >= 0 && calls > 0 && self < dur {
		tip.Text("self\t").Duration(self).End()
	}
	if fi >= 0 {
		f := tr.Frame(fi)
		if !isFrameRoot(c) {
			tip.Text("frame\t").Count(f.Number).End()
			if fd := f.End - f.Begin; fd > 0 && !open {
				tip.Text("of the frame\t").Percent(float64(dur) / float64(fd)).End()
			}
		}
		tip.Text("begins\t").Text("+").Duration(max(d.bar.Begin-b.offset-f.Begin, 0)).End()
	} else {
		tip.Text("begins\t").Clock(d.bar.Begin).End()
	}
	switch d.bar.Flags & (model.SpanOpenBegin | model.SpanOpenEnd) {
	case model.SpanOpenBegin:
		tip.Add("It began before what was received.")
	case model.SpanOpenEnd:
		tip.Add("It had not ended when the data end.")
	case model.SpanOpenBegin | model.SpanOpenEnd:
		tip.Add("Neither its begin nor its end was received.")
	}
	if b.offset != 0 {
		tip.Add("Placed approximately: the track has its own clock.")
	}
}

// selfTime returns the time of a span that no span inside it covers, and the number of spans of its call path in its range.
func (t *Timeline) selfTime(s *model.Session, b *timelineBlock, d *drawnBar) (selfNs, calls int64) {
	t.readout.tracks = append(t.readout.tracks[:0], b.track)
	s.FlameTree(t.readout.tracks, d.bar.Begin-b.offset, d.bar.End-b.offset, &t.flame)
	for _, n := range t.flame.Nodes {
		if n.Path == d.bar.Path {
			return n.Self, n.Count
		}
	}
	return -1, 0
}

// mergedTip describes spans that are too dense to be told apart.
func (t *Timeline) mergedTip(env *panel.Env, d *drawnBar) {
	v, tip := env.View, &t.tip
	tip.Plural(int64(d.bar.Count), "span", "spans").Text(" too short to draw").End()
	tip.Text("mostly\t").Text(v.Session().Collector(d.bar.Collector).FullName).End()
	tip.Text("within\t").Duration(d.bar.End - d.bar.Begin).End()
	tip.Text("covered\t").Percent(float64(d.bar.Busy)).End()
	if step := v.Session().Info().Clock.Step(d.bar.End); step > 1 && step >= t.minNs {
		tip.Text("The clock's step here is ").Duration(step).Text(": nothing finer is known.").End()
	}
}
