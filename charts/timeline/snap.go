package timeline

import (
	"framescope/charts/panel"
	"math"
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

// snapTime returns the time at a point, or that of the nearest begin or end within six pixels: of a bar in the lane there, or of a frame of the view's track.
func (t *Timeline) snapTime(env *panel.Env, pxX, pxY float32, free bool) int64 {
	v := env.View
	at := v.Time().ToTime(t.plot, float64(pxX))
	if free {
		return at
	}
	best, near := at, float64(snapPx*env.Scale)*t.nsPerPx
	try := func(edgeNs int64) {
		if d := math.Abs(float64(edgeNs - at)); d <= near {
			best, near = edgeNs, d
		}
	}
	if tr := v.Shown(); tr != nil {
		i := tr.FrameAt(at)
		for j := max(i-1, 0); j <= i+1 && j < tr.NumFrames(); j++ {
			try(tr.Frame(j).Begin)
			try(tr.Frame(j).End)
		}
	}
	if row, _ := t.barAt(pxX, pxY); row != nil {
		lo := t.barIndex(row, pxX)
		for j := max(lo-1, row.from); j <= lo+1 && j < row.to; j++ {
			if t.bars[j].bar.Count == 1 {
				try(t.bars[j].bar.Begin)
				try(t.bars[j].bar.End)
			}
		}
	}
	return best
}

// edgeAt returns the edge of the selected range under the mouse. The edges of selected frames are where the frames are.
func (t *Timeline) edgeAt(env *panel.Env, in *panel.Input) rangeEdge {
	v := env.View
	if !in.Over || !t.plot.Contains(in.X, in.Y) || v.Live() || v.RangeB() <= v.RangeA() || v.RangeIsFrames() {
		return edgeNone
	}
	reach := float64(grabPx * env.Scale)
	a := math.Abs(v.Time().ToPx(t.plot, v.RangeA()) - float64(in.X))
	b := math.Abs(v.Time().ToPx(t.plot, v.RangeB()) - float64(in.X))
	switch {
	case b <= reach && b <= a:
		return edgeB
	case a <= reach:
		return edgeA
	}
	return edgeNone
}

// inputEdge drags an edge of the selected range, with snapping unless alt is held. It returns true while it does.
func (t *Timeline) inputEdge(env *panel.Env, in *panel.Input) bool {
	v := env.View
	if t.edge == edgeNone {
		if !in.Left.Pressed || in.Shift || in.Ctrl || t.gestures.Drag != panel.DragNone {
			return false
		}
		if t.edge = t.edgeAt(env, in); t.edge == edgeNone {
			return false
		}
		t.lastX = in.X
	}
	if in.X != t.lastX {
		t.lastX = in.X
		at := t.snapTime(env, min(max(in.X, t.plot.X0), t.plot.X1), in.Y, in.Alt)
		other := v.RangeB()
		if t.edge == edgeB {
			other = v.RangeA()
		}
		if (at < other) != (t.edge == edgeA) && at != other { // dragged past the other edge: now it is that one
			t.edge = edgeA + edgeB - t.edge
		}
		if at != other {
			v.SelectRange(at, other)
		}
	}
	if in.Left.Released || !in.Left.Down {
		t.edge = edgeNone
	}
	return true
}
