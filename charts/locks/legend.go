package locks

import (
	"framescope/charts/draw"
	"framescope/charts/format"
	"framescope/charts/panel"
	"framescope/charts/subject"
)

// drawLegend explains the colors of threads, and at the right the looks of uses.
func (c *Chart) drawLegend(env *panel.Env) {
	l, r, th, v := c.pane.List(), c.legend, env.Theme, env.View
	if r.Empty() {
		return
	}
	l.Rect(r, draw.Color(th.PanelTitle))
	l.HLine(r.X0, r.X1, r.Y0, env.Scale, draw.Color(th.Separator))
	l.PushClip(r)
	side, x1 := env.Px(9), c.drawLooks(env)
	y := r.Y0 + float32(int((r.H()-side)/2)) + 1
	x := r.X0 + env.Px(10)
	for i, id := range c.users {
		name := v.Session().Track(id).Title()
		w := side + env.Px(6) + env.Atlas.Measure(draw.Small, name)
		left := len(c.users) - i
		if x+w+env.Px(46) > x1 && left > 1 || x+w > x1 {
			c.buf = append(format.AppendCount(append(c.buf[:0], '+'), int64(left)), " more"...)
			rest := draw.Rect{X0: x, Y0: r.Y0 + 1, X1: x1, Y1: r.Y1}
			l.TextFit(draw.Small, rest, draw.Left, panel.ScratchText(c.buf), draw.Color(th.TextDim))
			break
		}
		fill, _ := subject.ThreadColor(env, id)
		l.Rect(draw.Rect{X0: x, Y0: y, X1: x + side, Y1: y + side}, fill)
		at := draw.Rect{X0: x + side + env.Px(5), Y0: r.Y0 + 1, X1: x1, Y1: r.Y1}
		l.TextIn(draw.Small, at, draw.Left, name, draw.Color(th.Text2))
		x += w + env.Px(14)
	}
	l.PopClip()
}

// drawLooks draws small samples of a hold, a wait, a condition and a vain try at the right of the
// legend, where there is room, and returns where they begin.
func (c *Chart) drawLooks(env *panel.Env) (x float32) {
	l, th, r := c.pane.List(), env.Theme, c.legend
	if r.W() < env.Px(620) {
		return r.X1 - env.Px(8)
	}
	x = r.X1 - env.Px(8)
	grey := draw.Color(th.Text2)
	y0, y1 := r.Y0+env.Px(6), r.Y1-env.Px(4)
	for i, name := range [...]string{"failed try", "condition", "waiting", "holding"} {
		x -= env.Atlas.Measure(draw.Small, name)
		at := draw.Rect{X0: x, Y0: r.Y0 + 1, X1: r.X1, Y1: r.Y1}
		l.TextIn(draw.Small, at, draw.Left, name, draw.Color(th.TextDim))
		x -= env.Px(24)
		box := draw.Rect{X0: x, Y0: y0, X1: x + env.Px(19), Y1: y1}
		switch i {
		case 0:
			drawFailed(l, env, draw.Rect{X0: x + env.Px(11), Y0: y0, X1: x + env.Px(13), Y1: y1})
		case 1:
			l.Outline(box, env.Scale, grey)
		case 2:
			l.Hatch(box, grey)
			l.Outline(box, env.Scale, grey)
		case 3:
			l.Rect(box, grey)
		}
		x -= env.Px(10)
	}
	return x - env.Px(4)
}
