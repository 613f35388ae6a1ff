package timepane

import (
	"math"

	"framescope/charts/panel"
)

const (
	snapPx = 6 // how near an edge draws a range's end
	grabPx = 4 // how near the mouse grabs a range's edge
)

// rangeEdge is an edge of the selected range that is being dragged.
type rangeEdge uint8

const (
	edgeNone rangeEdge = iota
	edgeA
	edgeB
)

// pulledRange is a range under construction.
type pulledRange struct {
	on, zoom bool
	fromNs   int64 // where it was begun
	a, b     int64
}

// pullRange selects a range as it is drawn, so that all panels show it while the mouse moves. Both
// its ends snap to times near them, unless alt is held or it is for a zoom.
func (p *Pane) pullRange(env *panel.Env, in *panel.Input, res *panel.GestureResult, snap Snapper) {
	r := &p.pulled
	if p.gestures.Drag == panel.DragRange && in.Left.Pressed {
		r.fromNs = p.snapTime(env, in.X, in.Y, in.Alt, snap)
	}
	r.on, r.zoom, r.a, r.b = res.Ranging, res.Zooming, res.RangeA, res.RangeB
	if res.Zooming || !res.Ranging && !res.RangeDone {
		return
	}
	to := p.snapTime(env, min(max(in.X, p.plot.X0), p.plot.X1), in.Y, in.Alt, snap)
	r.a, r.b = min(r.fromNs, to), max(r.fromNs, to)
	env.View.Brush(r.a, r.b)
}

// snapTime returns the time at a point, or that of the nearest begin or end within six pixels: of a
// frame of the view's track, or from snap.
func (p *Pane) snapTime(env *panel.Env, pxX, pxY float32, free bool, snap Snapper) int64 {
	at := p.TimeAt(env, pxX)
	if free {
		return at
	}
	p.edges = p.edges[:0]
	if tr := env.View.Shown(); tr != nil {
		i := tr.FrameCovering(at)
		if i < 0 {
			i = tr.FrameAt(at)
		}
		for j := max(i-1, 0); j <= i+1 && j < tr.NumFrames(); j++ {
			p.edges = append(p.edges, tr.Frame(j).Begin, tr.Frame(j).End)
		}
	}
	if snap != nil && pxY >= p.plot.Y0 && pxY < p.plot.Y1 {
		p.edges = snap.Edges(pxX, pxY, p.edges)
	}
	best, near := at, float64(snapPx*env.Scale)*p.nsPerPx
	for _, edgeNs := range p.edges {
		if d := math.Abs(float64(edgeNs - at)); d <= near {
			best, near = edgeNs, d
		}
	}
	return best
}

// edgeAt returns the edge of the selected range under the mouse. The edges of selected frames are
// where the frames are.
func (p *Pane) edgeAt(env *panel.Env, in *panel.Input) rangeEdge {
	v := env.View
	if !in.Over || !p.plot.Contains(in.X, in.Y) || v.Live() || v.RangeB() <= v.RangeA() || v.RangeIsFrames() {
		return edgeNone
	}
	reach := float64(grabPx * env.Scale)
	a := math.Abs(v.Time().ToPx(p.plot, v.RangeA()) - float64(in.X))
	b := math.Abs(v.Time().ToPx(p.plot, v.RangeB()) - float64(in.X))
	switch {
	case b <= reach && b <= a:
		return edgeB
	case a <= reach:
		return edgeA
	}
	return edgeNone
}

// inputEdge drags an edge of the selected range, with snapping unless alt is held. done means that
// it does.
func (p *Pane) inputEdge(env *panel.Env, in *panel.Input, snap Snapper) (done bool) {
	v := env.View
	if p.edge == edgeNone {
		if !in.Left.Pressed || in.Shift || in.Ctrl || p.gestures.Drag != panel.DragNone {
			return false
		}
		if p.edge = p.edgeAt(env, in); p.edge == edgeNone {
			return false
		}
		p.lastX = in.X
	}
	if in.X != p.lastX {
		p.lastX = in.X
		at := p.snapTime(env, min(max(in.X, p.plot.X0), p.plot.X1), in.Y, in.Alt, snap)
		other := v.RangeB()
		if p.edge == edgeB {
			other = v.RangeA()
		}
		if (at < other) != (p.edge == edgeA) && at != other { // past the other edge: now it is that one
			p.edge = edgeA + edgeB - p.edge
		}
		if at != other {
			v.SelectRange(at, other)
		}
	}
	if in.Left.Released || !in.Left.Down {
		p.edge = edgeNone
	}
	return true
}
