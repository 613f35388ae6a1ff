package chartstest

import (
	"fmt"
	"testing"

	"framescope/charts/draw"
	"framescope/charts/draw/golden"
	"framescope/charts/panel"
	"framescope/model/store"
)

// Rig is a window without a window system: one view, one clock, one chart at a time.
type Rig struct {
	Env *panel.Env
	In  panel.Input
	R   draw.Rect
}

// NewRig returns a rig with a view of s at a scale, in a panel of w by h scale-1 pixels, with the
// view not live.
func NewRig(s *store.Session, scale float32, w, h float32) *Rig {
	rig := &Rig{Env: NewEnv(s, float64(scale)), R: draw.Rect{X1: w * scale, Y1: h * scale}}
	rig.begin()
	return rig
}

// begin is the first tick of a view that is not live.
func (p *Rig) begin() {
	p.Env.NowNs = 1e9
	p.Env.View.Follow(false)
	p.Env.View.Tick(p.Env.NowNs, false)
}

// Tick runs one update of a chart.
func (p *Rig) Tick(c panel.Panel) panel.Action {
	p.Env.NowNs += 16_666_667
	p.In.DtNs = 16_666_667
	p.Env.View.Tick(p.Env.NowNs, p.Env.Animate)
	act := c.Update(p.Env, p.R, &p.In)
	p.In.Left.Pressed, p.In.Left.Released = false, false
	p.In.Right.Pressed, p.In.Right.Released = false, false
	p.In.WheelX, p.In.WheelY, p.In.DoubleClick = 0, 0, false
	return act
}

// Move puts the mouse somewhere and ticks.
func (p *Rig) Move(c panel.Panel, x, y float32) panel.Action {
	p.In.X, p.In.Y, p.In.Over = x, y, true
	return p.Tick(c)
}

// Click presses and releases the left button.
func (p *Rig) Click(c panel.Panel, x, y float32) panel.Action {
	p.Move(c, x, y)
	a := p.press(c, x, y)
	if b := p.release(c); b.Kind != panel.ActionNone {
		return b
	}
	return a
}

func (p *Rig) press(c panel.Panel, x, y float32) panel.Action {
	p.In.Left = panel.Button{Down: true, Pressed: true, DownX: x, DownY: y}
	return p.Tick(c)
}

func (p *Rig) release(c panel.Panel) panel.Action {
	p.In.Left.Down, p.In.Left.Released = false, true
	return p.Tick(c)
}

// DoubleClick clicks twice as the window system reports it: the second press carries the mark.
func (p *Rig) DoubleClick(c panel.Panel, x, y float32) panel.Action {
	p.Click(c, x, y)
	p.In.DoubleClick = true
	a := p.press(c, x, y)
	p.release(c)
	return a
}

// Drag presses at one place and releases at another.
func (p *Rig) Drag(c panel.Panel, x0, y0, x1, y1 float32) {
	p.Move(c, x0, y0)
	p.press(c, x0, y0)
	for i := 1; i <= 4; i++ {
		p.In.X, p.In.Y = x0+(x1-x0)*float32(i)/4, y0+(y1-y0)*float32(i)/4
		p.In.Left.Dragging = true
		p.Tick(c)
	}
	p.release(c)
	p.In.Left.Dragging = false
}

// Picture returns the picture of the chart under a title row, as the window has it.
func (p *Rig) Picture(c panel.Panel) *draw.Picture {
	h := p.Env.Px(26)
	title := draw.NewList(p.Env.Atlas)
	title.Reset(draw.Rect{X1: p.R.X1, Y1: h})
	th := p.Env.Theme
	title.Rect(draw.Rect{X1: p.R.X1, Y1: h}, draw.Color(th.PanelTitle))
	box := draw.Rect{X0: p.Env.Px(9), X1: p.R.X1 - p.Env.Px(9), Y1: h}
	title.TextIn(draw.Medium, box, draw.Left, c.Title(p.Env), draw.Color(th.Text))
	box.X0 += p.Env.Atlas.Measure(draw.Medium, c.Title(p.Env)) + p.Env.Px(12)
	title.TextIn(draw.Regular, box, draw.Right, c.Mode(p.Env), draw.Color(th.Text2))
	return Picture(int(p.R.X1), int(p.R.Y1), c.List(), title)
}

// Check ticks the chart below a title row and compares the picture with the golden one.
func (p *Rig) Check(t *testing.T, c panel.Panel, name string) {
	t.Helper()
	p.Below()
	p.Tick(c)
	golden.Check(t, fmt.Sprintf("../testdata/golden/%s.png", name), p.Picture(c))
}

// Below leaves room for the title row at the top.
func (p *Rig) Below() { p.R.Y0 = p.Env.Px(26) }

// AtScales runs f at scale 1 and 2; name ends with "_2x" for the latter.
func AtScales(t *testing.T, name string, f func(t *testing.T, scale float32, name string)) {
	for _, scale := range []float32{1, 2} {
		n := name
		if scale == 2 {
			n += "_2x"
		}
		t.Run(n, func(t *testing.T) { f(t, scale, n) })
	}
}

// Ticks runs n updates of a chart.
func (p *Rig) Ticks(c panel.Panel, n int) {
	for range n {
		p.Tick(c)
	}
}
