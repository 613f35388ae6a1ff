package charts

import (
	"fmt"
	"image"
	"testing"

	"framescope/assets"
	"framescope/charts/draw"
	"framescope/charts/draw/golden"
	"framescope/charts/view"
	"framescope/model"
)

// panelRig is a window without a window system: one view, one clock, one chart at a time.
type panelRig struct {
	env *Env
	in  Input
	r   draw.Rect
}

// newPanelRig returns a rig with a view of s at a scale, in a panel of w by h scale-1 pixels, with the view not live.
func newPanelRig(s *model.Session, scale float32, w, h float32) *panelRig {
	th := assets.Dark()
	v := view.New(s)
	v.Follow(false)
	rig := &panelRig{env: &Env{View: v, Theme: &th, Atlas: draw.NewAtlas(float64(scale)), Scale: scale, NowNs: 1e9}}
	rig.r = draw.Rect{X1: w * scale, Y1: h * scale}
	v.Tick(rig.env.NowNs, false)
	return rig
}

// tick runs one update of a chart.
func (p *panelRig) tick(c Chart) Action {
	p.env.NowNs += 16_666_667
	p.in.DtNs = 16_666_667
	p.env.View.Tick(p.env.NowNs, p.env.Animate)
	act := c.Update(p.env, p.r, &p.in)
	p.in.Left.Pressed, p.in.Left.Released = false, false
	p.in.Right.Pressed, p.in.Right.Released = false, false
	p.in.WheelX, p.in.WheelY, p.in.DoubleClick = 0, 0, false
	return act
}

// move puts the mouse somewhere and ticks.
func (p *panelRig) move(c Chart, x, y float32) Action {
	p.in.X, p.in.Y, p.in.Over = x, y, true
	return p.tick(c)
}

// click presses and releases the left button.
func (p *panelRig) click(c Chart, x, y float32) Action {
	p.move(c, x, y)
	p.in.Left = Button{Down: true, Pressed: true, DownX: x, DownY: y}
	a := p.tick(c)
	p.in.Left.Down, p.in.Left.Released = false, true
	b := p.tick(c)
	if b.Kind != ActionNone {
		return b
	}
	return a
}

// doubleClick clicks twice as the window system tells it: the second press carries the mark.
func (p *panelRig) doubleClick(c Chart, x, y float32) Action {
	p.click(c, x, y)
	p.in.Left = Button{Down: true, Pressed: true, DownX: x, DownY: y}
	p.in.DoubleClick = true
	a := p.tick(c)
	p.in.Left.Down, p.in.Left.Released = false, true
	p.tick(c)
	return a
}

// drag presses at one place and releases at another.
func (p *panelRig) drag(c Chart, x0, y0, x1, y1 float32) {
	p.move(c, x0, y0)
	p.in.Left = Button{Down: true, Pressed: true, DownX: x0, DownY: y0}
	p.tick(c)
	for i := 1; i <= 4; i++ {
		p.in.X, p.in.Y = x0+(x1-x0)*float32(i)/4, y0+(y1-y0)*float32(i)/4
		p.in.Left.Dragging = true
		p.tick(c)
	}
	p.in.Left.Down, p.in.Left.Released = false, true
	p.tick(c)
	p.in.Left.Dragging = false
}

// picture renders the chart under a title row, as the window has it.
func (p *panelRig) picture(c Chart) *image.RGBA {
	h := p.env.Px(26)
	img := image.NewRGBA(image.Rect(0, 0, int(p.r.X1), int(p.r.Y1)))
	title := draw.NewList(p.env.Atlas)
	title.Reset(draw.Rect{X1: p.r.X1, Y1: h})
	th := p.env.Theme
	title.Rect(draw.Rect{X1: p.r.X1, Y1: h}, draw.Color(th.PanelTitle))
	box := draw.Rect{X0: p.env.Px(9), X1: p.r.X1 - p.env.Px(9), Y1: h}
	title.TextIn(draw.Medium, box, draw.Left, c.Title(p.env), draw.Color(th.Text))
	box.X0 += p.env.Atlas.Measure(draw.Medium, c.Title(p.env)) + p.env.Px(12)
	title.TextIn(draw.Regular, box, draw.Right, c.Mode(p.env), draw.Color(th.Text2))
	draw.Render(img, c.List(), title)
	return img
}

// check ticks the chart below a title row and compares the picture with the golden one.
func (p *panelRig) check(t *testing.T, c Chart, name string) {
	t.Helper()
	p.below()
	p.tick(c)
	golden.Check(t, fmt.Sprintf("testdata/golden/%s.png", name), p.picture(c))
}

// below leaves room for the title row at the top.
func (p *panelRig) below() { p.r.Y0 = p.env.Px(26) }

// atScales runs f at scale 1 and 2; name ends with "_2x" for the latter.
func atScales(t *testing.T, name string, f func(t *testing.T, scale float32, name string)) {
	for _, scale := range []float32{1, 2} {
		n := name
		if scale == 2 {
			n += "_2x"
		}
		t.Run(n, func(t *testing.T) { f(t, scale, n) })
	}
}
