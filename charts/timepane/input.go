package timepane

import (
	"framescope/charts/panel"
	"framescope/model"
)

// Gesture is the chart's part of a tick's input: a click or the menu at X, Y.
type Gesture struct {
	Click, DoubleClick, MiddleClick, Menu bool
	Label                                 bool // in the gutter, else in the plot
	X, Y                                  float32
}

// Snapper provides further times that the ends of a range snap to, besides frames.
type Snapper interface {
	// Edges appends times near a point at which something begins or ends.
	Edges(pxX, pxY float32, out []int64) []int64
}

// Input handles a tick's mouse and held keys: the playhead on the ruler, the edges of the selected
// range, scrolling in the gutter, and the gestures of the axis in the plot. snap may be nil.
func (p *Pane) Input(env *panel.Env, in *panel.Input, snap Snapper) (g Gesture) {
	if p.shape.Empty || p.inputGutter(env, in, &g) || p.inputRuler(env, in) || p.inputEdge(env, in, snap) {
		return g
	}
	area := p.plot
	if p.ruler.Contains(in.X, in.Y) { // the wheel works over the ruler, too
		area.Y0 = p.ruler.Y0
	}
	res := p.gestures.Update(env, env.View.Steer(), area, in)
	if res.ScrollPx != 0 {
		p.ScrollTo(p.scrollY + res.ScrollPx)
	}
	if res.Ranging { // pointed-at data must not run away
		env.View.Follow(false)
	}
	p.pullRange(env, in, &res, snap)
	return Gesture{
		Click: res.Click && p.plot.Contains(res.X, res.Y), DoubleClick: res.DoubleClick, MiddleClick: res.MiddleClick,
		Menu: res.Menu, X: res.X, Y: res.Y,
	}
}

// inputGutter scrolls by the wheel and by a drag in the gutter. done means that it has the mouse.
func (p *Pane) inputGutter(env *panel.Env, in *panel.Input, g *Gesture) (done bool) {
	over := in.Over && p.gutter.Contains(in.X, in.Y)
	*g = Gesture{Label: true, X: in.X, Y: in.Y}
	if over && in.Left.Pressed {
		p.gutterDrag, p.lastY = true, in.Y
	}
	if p.gutterDrag {
		if in.Left.Dragging {
			p.ScrollTo(p.scrollY + p.lastY - in.Y)
			p.lastY = in.Y
		}
		if in.Left.Released || !in.Left.Down {
			p.gutterDrag = false
			g.Click = over && in.Left.Released && !in.Left.Dragging
		}
		return true
	}
	if !over || p.gestures.Drag != panel.DragNone {
		return false
	}
	if in.WheelY != 0 {
		p.ScrollTo(p.scrollY - in.WheelY*panel.WheelRowPx*env.Scale)
	}
	g.Menu = in.Right.Released
	return true
}

// inputRuler moves the playhead while the left button is held on the ruler. done means that it is.
func (p *Pane) inputRuler(env *panel.Env, in *panel.Input) (done bool) {
	begins := in.Over && in.Left.Pressed && p.ruler.Contains(in.X, in.Y) && !in.Shift && !in.Ctrl
	if begins && p.gestures.Drag == panel.DragNone {
		if p.flags.Press(env, in.X, in.Y) {
			return true
		}
		p.rulerDrag = true
	}
	if !p.rulerDrag {
		return false
	}
	x := min(max(in.X, p.plot.X0), p.plot.X1-1)
	if in.Left.Pressed || x != p.lastX {
		p.lastX = x
		env.View.PlacePlayhead(p.TimeAt(env, x))
	}
	if in.Left.Released || !in.Left.Down {
		p.rulerDrag = false
	}
	return true
}

// ZoomToFrame zooms to the frame at a position, to everything where there are no frames.
func (p *Pane) ZoomToFrame(env *panel.Env, pxX float32) {
	v := env.View
	tr := v.Shown()
	if tr == nil || tr.NumFrames() == 0 {
		v.Steer().FitAll()
		return
	}
	if i := tr.FrameCovering(p.TimeAt(env, pxX)); i >= 0 {
		f := tr.Frame(i)
		v.Steer().ZoomTo(f.Begin, f.End)
	}
}

// MenuOf opens the context menu of a hit; there is none in the gutter beside the labels.
func (g Gesture) MenuOf(hit panel.Hit) panel.Action {
	if g.Label && hit.Kind == panel.HitNothing {
		return panel.Action{}
	}
	return panel.MenuOf(hit, g.X, g.Y)
}

// Pointing reports whether the mouse points at the chart, and no drag is under way.
func (p *Pane) Pointing(in *panel.Input) bool {
	return in.Over && !p.gestures.Busy() && !p.shape.Empty && p.rect.Contains(in.X, in.Y) && in.Y < p.plot.Y1
}

// tellHover publishes the hovered item to the other panels: a thing, or NoCollector, and the time.
// owner is the chart.
func (p *Pane) tellHover(env *panel.Env, in *panel.Input, owner any, thing model.CollectorID) {
	timed := in.X >= p.plot.X0
	if !p.Pointing(in) || !timed && thing == model.NoCollector {
		env.View.Pointer().Clear(owner)
		return
	}
	env.View.Pointer().Set(owner, thing, p.TimeAt(env, in.X), timed)
}

// Tip returns the lines of the tooltip that HitTest began.
func (p *Pane) Tip() *panel.TipLines { return &p.tip }

// HitTest begins a hit test at a point: its time, and on the ruler the frame. more means that the
// point is in the plot, the gutter or the foot, which the chart has to test. The answer is the
// pane's, valid until the next call.
func (p *Pane) HitTest(env *panel.Env, pxX, pxY float32) (hit *panel.Hit, more bool) {
	hit = &p.hit
	*hit = panel.NoHit()
	if p.shape.Empty || !env.View.Time().Valid() || !p.rect.Contains(pxX, pxY) {
		return hit, false
	}
	hit.TimeNs = p.TimeAt(env, pxX)
	p.tip.Begin()
	if p.ruler.Contains(pxX, pxY) {
		p.hitRuler(env, hit, pxX, pxY)
		return hit, false
	}
	return hit, true
}
