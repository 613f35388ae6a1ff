package topology

import (
	"math"

	"framescope/charts/panel"
	"framescope/charts/view"
	"framescope/model"
)

// chip ids of the topology.
const (
	topologyChipFit = iota
	topologyChipTidy
	topologyChipPads
)

// topologyMouse is a drag of the picture.
type topologyMouse struct {
	drag         panel.DragKind
	moved        bool
	lastX, lastY float32
	velX, velY   float32 // px/s, smoothed
	throwX       float32
	throwY       float32
	lockUntilNs  int64
	lockPan      bool
	keyZoom      float32
	keyPan       float32
	swallow      bool // the release of a double click is no click
}

// input handles a tick's mouse and keys, by the rules of all panels.
func (t *Chart) input(env *panel.Env, in *panel.Input) panel.Action {
	t.layChips(env)
	switch t.chips.Input(in) {
	case topologyChipFit:
		t.Fit(env)
		return panel.Action{}
	case topologyChipTidy:
		t.Tidy(env)
		return panel.Action{}
	case topologyChipPads:
		t.Detailed, t.graph.stale = !t.Detailed, true
		return panel.Action{}
	}
	m, plot := &t.mouse, t.regions.plot
	if t.layout == nil || len(t.graph.nodes) == 0 {
		t.hover, m.drag = topologyThing{}, panel.DragNone
		return panel.Action{}
	}
	over := in.Over && plot.Contains(in.X, in.Y)
	act := panel.Action{}
	switch {
	case over && in.DoubleClick:
		m.drag, m.moved, m.swallow = panel.DragNone, false, in.Left.Down
		t.doubleClick(env, in)
	case m.drag == panel.DragNone && over && in.Left.Pressed:
		m.drag = panel.DragPan
		m.grab(in)
	case m.drag == panel.DragNone && over && in.Right.Pressed:
		m.drag = panel.DragMenu
		m.grab(in)
	}
	if m.drag != panel.DragNone {
		act = t.dragged(env, in)
	} else if in.Left.Released {
		m.swallow = false
	}
	if over {
		t.wheel(env, in)
	}
	t.keys(env, in)
	t.thrown(env, in)
	t.hover = topologyThing{}
	if over && !(m.drag != panel.DragNone && m.moved) {
		t.hover = t.at(in.X, in.Y)
	}
	return act
}

// layChips places the switches in the foot.
func (t *Chart) layChips(env *panel.Env) {
	t.chips.Begin()
	if t.layout == nil || len(t.graph.nodes) == 0 || t.regions.foot.Empty() {
		return
	}
	if t.grown && t.layout.Crossings > 0 {
		t.chips.Add(topologyChipTidy, "tidy", false)
	}
	if t.graph.shrinks {
		t.chips.Add(topologyChipPads, "pads", t.Detailed)
	}
	t.chips.Add(topologyChipFit, "fit F", t.camera.fitted)
	t.chips.LayOut(env, t.regions.foot)
}

func (m *topologyMouse) grab(in *panel.Input) {
	m.moved, m.lastX, m.lastY = false, in.X, in.Y
	m.velX, m.velY, m.throwX, m.throwY = 0, 0, 0, 0
}

// dragged moves a drag on and ends it.
func (t *Chart) dragged(env *panel.Env, in *panel.Input) (act panel.Action) {
	m := &t.mouse
	b := in.Held(m.drag == panel.DragMenu, false)
	dx, dy := in.X-m.lastX, in.Y-m.lastY
	if !m.moved && (b.Dragging || panel.Distance(dx, dy) > panel.DragPx*env.Scale) {
		m.moved = true
	}
	if m.moved {
		t.camera.pan(dx, dy)
		m.lastX, m.lastY = in.X, in.Y
		if in.DtNs > 0 {
			dt := float32(in.DtNs) / 1e9
			m.velX += (dx/dt - m.velX) * 0.35
			m.velY += (dy/dt - m.velY) * 0.35
		}
	}
	if !b.Released && b.Down {
		return act
	}
	switch {
	case m.moved:
		if env.Animate && panel.Distance(m.velX, m.velY) > panel.ThrowMinPxPerS*env.Scale {
			m.throwX, m.throwY = m.velX, m.velY
		}
	case !b.Released || !t.regions.plot.Contains(in.X, in.Y):
	case m.drag == panel.DragMenu:
		act = panel.MenuOf(t.HitTest(env, in.X, in.Y), in.X, in.Y)
	case !m.swallow:
		t.choose(env, t.objectOf(t.at(in.X, in.Y)))
	}
	m.drag, m.moved, m.swallow = panel.DragNone, false, false
	return act
}

// choose makes an object the selected one, where it was clicked.
func (t *Chart) choose(env *panel.Env, id model.ObjectID) {
	env.View.Select(view.Element(id))
	t.selected = env.View.Element()
}

// DoubleClick comes near to what is under the mouse; on the ground it shows everything.
func (t *Chart) doubleClick(env *panel.Env, in *panel.Input) {
	x := t.at(in.X, in.Y)
	if x.kind == topologyNode || x.kind == topologyPort {
		t.camera.near(env, t.layout.Boxes[x.node])
		return
	}
	t.Fit(env)
}

// wheel zooms at the cursor; with shift it pans across, with alt up and down.
func (t *Chart) wheel(env *panel.Env, in *panel.Input) {
	dx, dy := in.WheelX, in.WheelY
	if dx == 0 && dy == 0 {
		return
	}
	m := &t.mouse
	m.throwX, m.throwY = 0, 0
	switch {
	case in.Alt:
		t.camera.pan(0, dy*panel.WheelPanPx*env.Scale)
		return
	case in.Shift && dx == 0:
		t.camera.pan(dy*panel.WheelPanPx*env.Scale, 0)
		return
	}
	if env.NowNs >= m.lockUntilNs {
		m.lockPan = panel.Abs32(dx) > panel.Abs32(dy)
	}
	m.lockUntilNs = env.NowNs + panel.AxisLockNs
	if m.lockPan {
		t.camera.pan(-dx*panel.WheelPanPx*env.Scale, 0)
		return
	}
	per := panel.WheelZoom
	if in.Ctrl {
		per = panel.WheelZoomFine
	}
	t.camera.zoomAt(env, in.X, in.Y, math.Pow(per, float64(dy)))
}

// keys moves by W S A D, faster the longer they are held.
func (t *Chart) keys(env *panel.Env, in *panel.Input) {
	m := &t.mouse
	dt := float32(min(in.DtNs, 100_000_000)) / 1e9
	m.keyZoom = panel.KeySpeed(m.keyZoom, in.Over && in.ZoomIn, in.Over && in.ZoomOut, dt)
	m.keyPan = panel.KeySpeed(m.keyPan, in.Over && in.PanRight, in.Over && in.PanLeft, dt)
	if m.keyZoom != 0 {
		animate := env.Animate
		env.Animate = false
		t.camera.zoomAt(env, in.X, in.Y, math.Pow(2, float64(m.keyZoom*dt)))
		env.Animate = animate
	}
	if m.keyPan != 0 {
		t.camera.pan(-m.keyPan*240*env.Scale*dt, 0)
	}
}

// thrown lets a thrown picture glide out.
func (t *Chart) thrown(env *panel.Env, in *panel.Input) {
	m := &t.mouse
	if m.throwX == 0 && m.throwY == 0 {
		return
	}
	dt := float32(min(in.DtNs, 100_000_000)) / 1e9
	t.camera.pan(m.throwX*dt, m.throwY*dt)
	k := float32(math.Exp(-panel.ThrowDecay * float64(dt)))
	m.throwX, m.throwY = m.throwX*k, m.throwY*k
	if panel.Distance(m.throwX, m.throwY) < 12 || in.Over && (in.Left.Pressed || in.Right.Pressed) {
		m.throwX, m.throwY = 0, 0
	}
}
