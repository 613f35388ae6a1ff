package timeline

import (
	"framescope/charts/draw"
	"framescope/charts/panel"
	"framescope/charts/timepane"
	"framescope/charts/view"
	"framescope/model"
)

const (
	edgeGrabPx = 4  // how near the mouse takes the lower edge of a block
	dragEdgePx = 24 // how near to the plot's edge a label that is dragged scrolls
	dragStepPx = 7  // and by how much in a tick
)

// trackDrag is a drag of a block in the gutter: a label that is dragged moves its track, the lower
// edge of a block gives it room for more or fewer lanes.
type trackDrag struct {
	kind  dragKind
	track model.TrackID
	fromY float32 // where the edge was taken
	lanes int     // for how many there was room then
	drop  dropPlace
}

type dragKind uint8

const (
	dragNothing dragKind = iota
	dragMoves
	dragSizes
)

// dropPlace is the target of a dragged track.
type dropPlace struct {
	ok    bool
	other model.TrackID
	below bool
	y     float32 // in the content
}

// inputTracks moves and sizes blocks. done means that the mouse is taken.
func (t *Timeline) inputTracks(env *panel.Env, in *panel.Input) (done bool) {
	d := &t.drag
	if d.kind == dragNothing && !t.beginDrag(env, in) {
		return false
	}
	switch d.kind {
	case dragSizes:
		pitch := t.spans.pitch
		n := d.lanes + int((in.Y-d.fromY)/pitch+1000.5) - 1000
		if in.Y != d.fromY {
			env.View.Look().SetTrackLanes(d.track, max(n, 1))
		}
	case dragMoves:
		plot := t.pane.Plot()
		if edge := env.Px(dragEdgePx); in.Y < plot.Y0+edge {
			t.pane.ScrollTo(t.pane.Scroll() - env.Px(dragStepPx))
		} else if in.Y > plot.Y1-edge {
			t.pane.ScrollTo(t.pane.Scroll() + env.Px(dragStepPx))
		}
		d.drop = t.dropAt(env.View.Look(), in.Y)
	}
	if in.Left.Released || !in.Left.Down {
		if d.kind == dragMoves && d.drop.ok {
			env.View.Look().MoveTrack(d.track, d.drop.other, d.drop.below)
		}
		d.kind, d.drop = dragNothing, dropPlace{}
	}
	t.anchor.valid = false // the mouse leads
	return true
}

// beginDrag takes an edge that is pressed, or a label that is dragged; a double click on an edge
// resets the block to the height of its visible content.
func (t *Timeline) beginDrag(env *panel.Env, in *panel.Input) bool {
	d := &t.drag
	if !in.Over {
		return false
	}
	if i := t.edgeAt(env, in.X, in.Y); in.Left.Pressed && i >= 0 {
		b := &t.stack.Groups()[i]
		if *d = (trackDrag{kind: dragSizes, track: b.track, fromY: in.Y, lanes: b.roomLanes()}); in.DoubleClick {
			env.View.Look().SetTrackLanes(b.track, 0)
			*d = trackDrag{}
		}
		return true
	}
	g := t.pane.Gutter()
	if !in.Left.Dragging || !g.Contains(in.Left.DownX, in.Left.DownY) {
		return false
	}
	if b, r := t.labelAt(env, in.Left.DownY); b != nil && r.Contains(in.Left.DownX, in.Left.DownY) {
		*d = trackDrag{kind: dragMoves, track: b.track}
		return true
	}
	return false
}

// labelAt returns the block at a height, and the part of its gutter by which it is dragged; nil
// where there is none that can be.
func (t *Timeline) labelAt(env *panel.Env, pxY float32) (*block, draw.Rect) {
	i := t.stack.At(&t.pane, pxY)
	if i < 0 || !t.stack.Groups()[i].alone() {
		return nil, draw.Rect{}
	}
	b := &t.stack.Groups()[i]
	y, h := t.stack.Band(i)
	r := t.spans.nameRow(&t.pane, env, b, t.pane.ScreenY(y), t.pane.ScreenY(y+h))
	r.Y1 = min(r.Y1+env.Px(timeH), t.pane.ScreenY(y+h))
	r.X1 = t.pane.Gutter().X1
	return b, r
}

// edgeAt returns the index of the block with its lower edge at a point of the gutter, -1 none.
func (t *Timeline) edgeAt(env *panel.Env, pxX, pxY float32) int {
	g, near := t.pane.Gutter(), env.Px(edgeGrabPx)
	if t.pane.Empty() || pxX < g.X0 || pxX >= g.X1 || pxY < g.Y0 || pxY >= g.Y1 {
		return -1
	}
	for i := range t.stack.Groups() {
		b := &t.stack.Groups()[i]
		y, h := t.stack.Band(i)
		if edge := t.pane.ScreenY(y + h); b.alone() && !b.folded && pxY > edge-near && pxY <= edge+near/2 {
			return i
		}
	}
	return -1
}

// dropAt returns where a track that is dragged goes: beside the nearest block that it can stand
// beside.
func (t *Timeline) dropAt(look *view.Look, pxY float32) (best dropPlace) {
	y := pxY - t.pane.Plot().Y0 + t.pane.Scroll()
	far := float32(0)
	for i := range t.stack.Groups() {
		b := &t.stack.Groups()[i]
		if !b.alone() || !look.SameSection(b.track, t.drag.track) {
			continue
		}
		top, h := t.stack.Band(i)
		for _, p := range [...]dropPlace{{true, b.track, false, top}, {true, b.track, true, top + h}} {
			if d := max(p.y-y, y-p.y); !best.ok || d < far {
				best, far = p, d
			}
		}
	}
	return best
}

// Resizes implements panel.Resizer.
func (t *Timeline) Resizes(env *panel.Env, pxX, pxY float32) bool {
	return t.drag.kind == dragSizes || t.drag.kind == dragNothing && t.edgeAt(env, pxX, pxY) >= 0
}

// drawDrag draws the edge that can be taken, and where a track goes that is dragged.
func (t *Timeline) drawDrag(env *panel.Env, in *panel.Input) {
	p, accent := &t.pane, draw.Color(env.Theme.Accent)
	l, g := p.List(), p.Gutter()
	line := func(x1, pxY float32) {
		l.Rect(draw.Rect{X0: g.X0, Y0: pxY - timepane.One(env), X1: x1, Y1: pxY + timepane.One(env)}, accent)
	}
	switch t.drag.kind {
	case dragNothing:
		if i := t.edgeAt(env, in.X, in.Y); i >= 0 && in.Over && !in.Left.Down {
			y, h := t.stack.Band(i)
			line(g.X1, p.ScreenY(y+h))
		}
	case dragSizes:
		for i := range t.stack.Groups() {
			if b := &t.stack.Groups()[i]; b.alone() && b.track == t.drag.track {
				y, h := t.stack.Band(i)
				line(p.Plot().X1, p.ScreenY(y+h))
			}
		}
	case dragMoves:
		if t.drag.drop.ok {
			line(p.Plot().X1, p.ScreenY(t.drag.drop.y))
		}
		title := env.View.Session().Track(t.drag.track).Title()
		h := env.Px(laneH)
		r := draw.Rect{X0: in.X + env.Px(10), Y0: in.Y - h/2, X1: in.X + env.Px(26), Y1: in.Y + h/2}
		r.X1 += min(env.Atlas.Measure(draw.Medium, title), env.Px(gutterMost))
		l.Rect(r, draw.Color(env.Theme.Tooltip))
		l.Outline(r, timepane.One(env), accent)
		l.NameIn(draw.Medium, r.Inset(env.Px(2)), draw.Center, title, draw.Color(env.Theme.Text))
	}
}
