package timeline

import (
	"framescope/charts/draw"
	"framescope/charts/format"
	"framescope/charts/panel"
	"framescope/charts/subject"
	"framescope/charts/timepane"
	"framescope/model"
	"framescope/model/frames"
)

// gapLane hatches the intervals without data, and leaves stops dark. It has no height: it lies behind the other lanes of a
// track, over all of its block.
type gapLane struct {
	found []frames.Gap
	stops []frames.Stop
	px    []drawnGap
	buf   []byte
}

// drawnGap is a drawn hatched interval.
type drawnGap struct {
	gap                frames.Gap
	track              model.TrackID
	r                  draw.Rect
	missing, withoutNs int64 // of all that are merged
	merged             int   // gaps drawn as one
	left               int64 // frames that left memory: before the oldest kept one
}

func (g *gapLane) reset() { g.px = g.px[:0] }

// Layout implements timepane.Lane.
func (g *gapLane) Layout(*panel.Env, *block, float32) float32 { return 0 }

// Label implements timepane.Lane.
func (g *gapLane) Label(*timepane.Pane, *panel.Env, *block, timepane.Place) {}

// Draw implements timepane.Lane.
func (g *gapLane) Draw(p *timepane.Pane, env *panel.Env, b *block, at timepane.Place) {
	if !b.alone() {
		return
	}
	l, hatch := p.List(), draw.Color(env.Theme.Hatch)
	tr := env.View.Session().Track(b.track)
	begin, end := env.View.Time().Visible()
	if from, _, ok := tr.Bounds(); ok && tr.Evicted() > 0 && from+b.offset > begin {
		gap := frames.Gap{Begin: begin, End: from + b.offset}
		r := draw.Rect{X0: p.Plot().X0, Y0: at.Y0, X1: p.PxOf(env, gap.End), Y1: at.Y1}
		g.px = append(g.px, drawnGap{gap: gap, track: b.track, r: r, merged: 1, left: tr.Evicted()})
		l.Hatch(r, hatch.WithAlpha(hatch.A/2))
		g.buf = subject.AppendLeft(g.buf[:0], tr.Evicted())
		g.writeText(p, env, r, "")
	}
	g.stops = tr.StopsTouching(begin-b.offset, end-b.offset, g.stops[:0])
	for _, s := range g.stops {
		x0, x1 := p.PxOf(env, s.Begin+b.offset), p.PxOf(env, s.End+b.offset)
		r := draw.Rect{X0: x0, Y0: at.Y0, X1: max(x1, x0+env.Px(2)), Y1: at.Y1}
		panel.DrawStop(l, env, r.Intersect(p.Plot()), s.End-s.Begin)
	}
	first := len(g.px)
	g.found = tr.Gaps(begin-b.offset, end-b.offset, g.found[:0])
	for _, gap := range g.found {
		gap.Begin, gap.End = gap.Begin+b.offset, gap.End+b.offset
		x0, x1 := p.PxOf(env, gap.Begin), p.PxOf(env, gap.End)
		x1 = max(x1, x0+env.Px(2))
		if n := len(g.px); n > first && x0 >= g.px[n-1].r.X0 && x0 <= g.px[n-1].r.X1 {
			last := &g.px[n-1]
			last.r.X1 = max(last.r.X1, x1)
			last.merged++
			last.missing += gap.Count()
			last.withoutNs += gap.End - gap.Begin
			last.gap.LastNumber, last.gap.End = gap.LastNumber, gap.End
			continue
		}
		r := draw.Rect{X0: x0, Y0: at.Y0, X1: x1, Y1: at.Y1}
		g.px = append(g.px, drawnGap{
			gap: gap, track: b.track, r: r, merged: 1, missing: gap.Count(), withoutNs: gap.End - gap.Begin,
		})
	}
	for i := first; i < len(g.px); i++ {
		d := &g.px[i]
		l.Hatch(d.r, hatch)
		if d.merged > 1 || d.r.W() < env.Px(60) {
			continue
		}
		var short [32]byte
		n := d.gap.Count()
		g.buf = format.AppendCount(g.buf[:0], n)
		if n == 1 {
			g.buf = append(g.buf, " frame missing"...)
		} else {
			g.buf = append(g.buf, " frames missing"...)
		}
		g.writeText(p, env, d.r, panel.ScratchText(append(format.AppendCount(short[:0], n), " missing"...)))
	}
}

// writeText writes the text of g.buf in the middle of the visible part of a hatched rectangle, or the
// shorter text, or nothing, as there is room.
func (g *gapLane) writeText(p *timepane.Pane, env *panel.Env, r draw.Rect, short string) {
	l, th, vis := p.List(), env.Theme, r.Intersect(p.Plot())
	text := panel.ScratchText(g.buf)
	w := env.Atlas.Measure(draw.Regular, text) + env.Px(12)
	if w > vis.W() {
		text = short
		if w = env.Atlas.Measure(draw.Regular, text) + env.Px(12); w > vis.W() || text == "" {
			return
		}
	}
	mid, cy, h := (vis.X0+vis.X1)/2, (vis.Y0+vis.Y1)/2, min(env.Px(laneH), r.H())
	if vis.H() < h {
		return
	}
	back := draw.Rect{X0: mid - w/2, Y0: cy - h/2, X1: mid + w/2, Y1: cy + h/2}
	l.Rect(back, draw.Color(th.Panel))
	l.TextIn(draw.Regular, back, draw.Center, text, draw.Color(th.Text2))
}

// Hit implements timepane.Lane.
func (g *gapLane) Hit(p *timepane.Pane, env *panel.Env, b *block, at timepane.Spot, hit *panel.Hit) bool {
	for i := range g.px {
		d := &g.px[i]
		if !b.alone() || d.track != b.track || at.PxX < d.r.X0 || at.PxX >= d.r.X1 {
			continue
		}
		hit.Kind, hit.Gap, hit.Rect = panel.HitGap, d.gap, d.r
		if d.left > 0 {
			subject.LeftTip(env, p.Tip(), d.left)
			return true
		}
		if d.merged > 1 {
			subject.GapsTip(p.Tip(), d.gap, d.merged, d.missing, d.withoutNs)
			return true
		}
		subject.GapTip(p.Tip(), d.gap)
		return true
	}
	return false
}
