package overview

import "framescope/charts/panel"

// drag is the kind of a drag in a strip.
type drag uint8

const (
	dragNone   drag = iota
	dragBrush       // moves the playhead; over time it selects a range
	dragExtend      // with shift: the selection grows to the mouse
	dragZoom        // with ctrl, or the middle button: shows the drawn range
	dragPan         // with the right button: pans, or opens the menu
	dragMove        // moves the timeline's window by its bar
	dragLeft        // moves one of its edges
	dragRight
)

// hand is a drag under way; the zero value is none.
type hand struct {
	drag  drag
	moved bool
	x     float32 // where it began; of a strip of frames where it was last
}

// begin begins the drag of a button that went down in this tick, and reports whether one did.
func (h *hand) begin(in *panel.Input) bool {
	h.moved, h.x = false, in.X
	switch {
	case in.Left.Pressed && in.Shift:
		h.drag = dragExtend
	case in.Left.Pressed && in.Ctrl, in.Middle.Pressed:
		h.drag = dragZoom
	case in.Left.Pressed:
		h.drag = dragBrush
	case in.Right.Pressed:
		h.drag = dragPan
	}
	return h.drag != dragNone
}

// hold notes how far the mouse came. up means that the button is up, and b is the button.
func (h *hand) hold(env *panel.Env, in *panel.Input) (b panel.Button, up bool) {
	b = in.Held(h.drag == dragPan, h.drag == dragZoom)
	h.moved = h.moved || b.Dragging || panel.Abs32(in.X-h.x) > panel.DragPx*env.Scale
	return b, b.Released || !b.Down
}
