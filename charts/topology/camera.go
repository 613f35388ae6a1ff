package topology

import (
	"math"

	"framescope/charts/draw"
	"framescope/charts/format"
	"framescope/charts/panel"
)

// The limits of a topology's zoom: pixels at scale 1 for a unit of the layout.
const (
	topologyNearest  = 3.0
	topologyFarthest = 0.01
	topologyFitMost  = 1.0 // Fit does not come nearer than this
	topologyMargin   = 14  // scale-1 pixels around a graph that is fitted
)

// topologyPlace is the visible part of a layout: (x, y) of it is in the upper left corner of the
// plot, and a unit of it is zoom · scale pixels.
type topologyPlace struct{ x, y, zoom float64 }

// topologyCamera is which part of a layout is seen. For gestures it is an axis, from left to right.
type topologyCamera struct {
	topologyPlace
	// fitted: everything is shown, and stays so when the panel or the graph changes, until the user
	// moves.
	fitted bool

	plot   draw.Rect
	scale  float64
	w, h   float64 // of the layout
	mouseY float32 // the point there keeps its height in a zoom

	from, to  topologyPlace // of a glide
	startNs   int64
	animating bool
}

// k is pixels for a unit of the layout.
func (c *topologyCamera) k() float32 { return float32(c.zoom * c.scale) }

// rect returns where a part of the layout is on the screen, in whole pixels.
func (c *topologyCamera) rect(x0, y0, x1, y1 float32) draw.Rect {
	return draw.Rect{X0: panel.Snap(c.px(x0)), Y0: panel.Snap(c.py(y0)), X1: panel.Snap(c.px(x1)), Y1: panel.Snap(c.py(y1))}
}

func (c *topologyCamera) px(x float32) float32 {
	return c.plot.X0 + float32((float64(x)-c.x)*c.zoom*c.scale)
}

func (c *topologyCamera) py(y float32) float32 {
	return c.plot.Y0 + float32((float64(y)-c.y)*c.zoom*c.scale)
}

// half returns half of the plot's size in units of the layout, at a zoom.
func (c *topologyCamera) half(zoom float64) (w, h float64) {
	k := max(zoom*c.scale, 1e-9)
	return float64(c.plot.W()) / 2 / k, float64(c.plot.H()) / 2 / k
}

// resized takes over the plot's place. The point in the middle stays there.
func (c *topologyCamera) resized(env *panel.Env, plot draw.Rect) {
	w, h := c.half(c.zoom)
	x, y := c.x+w, c.y+h
	c.fitted = c.fitted || c.zoom == 0
	c.plot, c.scale = plot, float64(env.Scale)
	if c.fitted {
		c.fit(env, false)
		return
	}
	c.lookAt(env, x, y, c.zoom, false)
	c.clamp()
}

// bounds takes over the size of a new layout.
func (c *topologyCamera) bounds(env *panel.Env, w, h float64) {
	c.w, c.h, c.scale = w, h, float64(env.Scale)
	if c.zoom == 0 || c.fitted {
		c.fit(env, false)
	}
}

// fitOf returns the zoom at which a layout of some size is seen whole.
func (c *topologyCamera) fitOf(env *panel.Env, layoutW, layoutH float64) float64 {
	m, scale := float64(env.Px(topologyMargin)), float64(env.Scale)
	w, h := max(float64(c.plot.W())-2*m, 8), max(float64(c.plot.H())-2*m, 8)
	return max(min(w/max(layoutW, 1)/scale, h/max(layoutH, 1)/scale, topologyFitMost), topologyFarthest)
}

// fit shows everything.
func (c *topologyCamera) fit(env *panel.Env, animate bool) {
	c.lookAt(env, c.w/2, c.h/2, c.fitOf(env, c.w, c.h), animate)
	c.fitted = true
}

// near shows a box large.
func (c *topologyCamera) near(env *panel.Env, b Box) {
	w, h := float64(b.X1-b.X0)+60, float64(b.Y1-b.Y0)+60
	zoom := min(float64(c.plot.W())/w/c.scale, float64(c.plot.H())/h/c.scale, 1.5)
	c.around(env, b, max(zoom, topologyFarthest))
}

// show moves, without zooming, so that a box is in view; it does nothing when it is.
func (c *topologyCamera) show(env *panel.Env, b Box) {
	r := c.rect(b.X0, b.Y0, b.X1, b.Y1)
	if r.X0 < c.plot.X0 || r.X1 > c.plot.X1 || r.Y0 < c.plot.Y0 || r.Y1 > c.plot.Y1 {
		c.around(env, b, c.zoom)
	}
}

func (c *topologyCamera) around(env *panel.Env, b Box, zoom float64) {
	c.lookAt(env, float64(b.X0+b.X1)/2, float64(b.Y0+b.Y1)/2, zoom, true)
	c.fitted = false
}

// lookAt brings a point of the layout to the middle of the plot.
func (c *topologyCamera) lookAt(env *panel.Env, x, y, zoom float64, animate bool) {
	w, h := c.half(zoom)
	c.moveTo(topologyPlace{x - w, y - h, zoom}, animate && env.Animate, env.NowNs)
}

// moveTo jumps, or glides.
func (c *topologyCamera) moveTo(to topologyPlace, animate bool, nowNs int64) {
	if c.animating = animate && c.zoom != 0; !c.animating {
		c.topologyPlace = to
		return
	}
	c.from, c.to, c.startNs = c.topologyPlace, to, nowNs
}

// step moves a glide on.
func (c *topologyCamera) step(env *panel.Env) {
	if !c.animating {
		return
	}
	u := float64(env.NowNs-c.startNs) / format.AnimateNs
	if u >= 1 || u < 0 {
		c.topologyPlace, c.animating = c.to, false
		return
	}
	s := 1 - (1-u)*(1-u)*(1-u)
	// As with format.Axis: the zoom moves evenly in log scale, and the corner in proportion to the
	// visible width, so that one point stays in its place all the way.
	w0, w1 := 1/c.from.zoom, 1/c.to.zoom
	w := w0 * math.Pow(w1/w0, s)
	if math.Abs(w1-w0) > 1e-6*w0 {
		s = (w - w0) / (w1 - w0)
	}
	c.topologyPlace = topologyPlace{c.from.x + (c.to.x-c.from.x)*s, c.from.y + (c.to.y-c.from.y)*s, 1 / w}
}

// Now implements panel.TimeAxis: the visible range from left to right.
func (c *topologyCamera) Now() format.Window {
	w, _ := c.half(c.zoom)
	return format.Window{BeginNs: c.x, EndNs: c.x + 2*w}
}

// ZoomAt implements panel.TimeAxis.
func (c *topologyCamera) ZoomAt(x, factor float64) { c.ZoomBy(x, factor, false, 0) }

// ZoomBy implements panel.TimeAxis: x and the point at the mouse's height stay there. Several in a
// row multiply.
func (c *topologyCamera) ZoomBy(x, factor float64, animate bool, nowNs int64) {
	if c.zoom == 0 || !(factor > 0) {
		return
	}
	target := format.Pick(c.animating, c.to.zoom, c.zoom)
	fit := min(float64(c.plot.W())/max(c.w, 1)/c.scale, float64(c.plot.H())/max(c.h, 1)/c.scale)
	least := max(topologyFarthest, min(0.25, fit/2))
	zoom := min(max(target*factor, least), topologyNearest)
	y := c.y + float64(c.mouseY-c.plot.Y0)/(c.zoom*c.scale)
	share := c.zoom / zoom
	c.moveTo(topologyPlace{x - (x-c.x)*share, y - (y-c.y)*share, zoom}, animate, nowNs)
	c.fitted = false
	if !c.animating {
		c.clamp()
	}
}

// PanPx implements panel.TimeAxis.
func (c *topologyCamera) PanPx(dx, _ float64) { c.pan(float32(-dx), 0) }

// Stop implements panel.TimeAxis.
func (c *topologyCamera) Stop() { c.animating = false }

// Set implements panel.TimeAxis, but there are no ranges here; the same holds for the next ones.
func (c *topologyCamera) Set(_, _ float64, _ bool, _ int64) {}
func (c *topologyCamera) SetWidthPx(float32)                {}
func (c *topologyCamera) Grab()                             {}

// pan moves the picture by pixels.
func (c *topologyCamera) pan(dx, dy float32) {
	if c.zoom == 0 || dx == 0 && dy == 0 {
		return
	}
	k := c.zoom * c.scale
	c.x, c.y, c.animating, c.fitted = c.x-float64(dx)/k, c.y-float64(dy)/k, false, false
	c.clamp()
}

// shift moves with the layout: each place is now (dx, dy) farther.
func (c *topologyCamera) shift(dx, dy float64) {
	for _, p := range [...]*topologyPlace{&c.topologyPlace, &c.from, &c.to} {
		p.x, p.y = p.x+dx, p.y+dy
	}
	if !c.animating {
		c.clamp()
	}
}

// clamp keeps a corner of the graph in view.
func (c *topologyCamera) clamp() {
	if !(c.zoom*c.scale > 0) {
		return
	}
	w, h := c.half(c.zoom)
	rim := 40 / c.zoom
	c.x = min(max(c.x, -2*w+min(rim, 2*w)), c.w-min(rim, 2*w))
	c.y = min(max(c.y, -2*h+min(rim, 2*h)), c.h-min(rim, 2*h))
}
