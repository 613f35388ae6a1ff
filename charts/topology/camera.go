package topology

import (
	"math"

	"framescope/charts/draw"
	"framescope/charts/layered"
	"framescope/charts/panel"
	"framescope/charts/view"
)

// The limits of a topology's zoom: pixels at scale 1 for a unit of the layout.
const (
	topologyNearest  = 3.0
	topologyFarthest = 0.01
	topologyFitMost  = 1.0 // Fit does not come nearer than this
	topologyMargin   = 14  // scale-1 pixels around a graph that is fitted
)

// topologyCamera is which part of a layout is seen: (x, y) of the layout is in the upper left corner of the plot, and a unit of it is zoom · scale pixels.
type topologyCamera struct {
	x, y, zoom float64
	// fitted: everything is shown, and stays so when the panel or the graph changes, until the user moves.
	fitted bool

	plot  draw.Rect
	scale float64
	w, h  float64 // of the layout

	fromX, fromY, fromZoom float64
	toX, toY, toZoom       float64
	startNs                int64
	animating              bool
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

// middle returns the place of the layout in the middle of a plot.
func (c *topologyCamera) middle(plot draw.Rect) (x, y float64) {
	k := max(c.zoom*c.scale, 1e-9)
	return c.x + float64(plot.W())/2/k, c.y + float64(plot.H())/2/k
}

// resized takes over the plot's place. What was in the middle stays there.
func (c *topologyCamera) resized(env *panel.Env, plot draw.Rect) {
	x, y := c.middle(c.plot)
	first := c.zoom == 0
	c.plot, c.scale = plot, float64(env.Scale)
	if first || c.fitted {
		c.fitted = true
		c.fit(env, false)
		return
	}
	c.animating = false
	k := c.zoom * c.scale
	c.x, c.y = x-float64(plot.W())/2/k, y-float64(plot.H())/2/k
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
	zoom := c.fitOf(env, c.w, c.h)
	k := zoom * c.scale
	c.moveTo(env, c.w/2-float64(c.plot.W())/2/k, c.h/2-float64(c.plot.H())/2/k, zoom, animate)
	c.fitted = true
}

// near shows a box large.
func (c *topologyCamera) near(env *panel.Env, b layered.Box) {
	w, h := float64(b.X1-b.X0)+60, float64(b.Y1-b.Y0)+60
	zoom := min(float64(c.plot.W())/w/c.scale, float64(c.plot.H())/h/c.scale, 1.5)
	c.around(env, b, max(zoom, topologyFarthest))
}

// show moves, without zooming, so that a box is in view; it does nothing when it is.
func (c *topologyCamera) show(env *panel.Env, b layered.Box) {
	r := c.rect(b.X0, b.Y0, b.X1, b.Y1)
	if r.X0 >= c.plot.X0 && r.X1 <= c.plot.X1 && r.Y0 >= c.plot.Y0 && r.Y1 <= c.plot.Y1 {
		return
	}
	c.around(env, b, c.zoom)
}

func (c *topologyCamera) around(env *panel.Env, b layered.Box, zoom float64) {
	k := zoom * c.scale
	c.moveTo(env, float64(b.X0+b.X1)/2-float64(c.plot.W())/2/k, float64(b.Y0+b.Y1)/2-float64(c.plot.H())/2/k, zoom, true)
	c.fitted = false
}

// moveTo jumps, or glides in 170 ms.
func (c *topologyCamera) moveTo(env *panel.Env, x, y, zoom float64, animate bool) {
	if !animate || !env.Animate || c.zoom == 0 {
		c.x, c.y, c.zoom, c.animating = x, y, zoom, false
		return
	}
	c.fromX, c.fromY, c.fromZoom = c.x, c.y, c.zoom
	c.toX, c.toY, c.toZoom = x, y, zoom
	c.startNs, c.animating = env.NowNs, true
}

// step moves a glide on.
func (c *topologyCamera) step(env *panel.Env) {
	if !c.animating {
		return
	}
	u := float64(env.NowNs-c.startNs) / view.AnimateNs
	if u >= 1 || u < 0 {
		c.x, c.y, c.zoom, c.animating = c.toX, c.toY, c.toZoom, false
		return
	}
	s := 1 - (1-u)*(1-u)*(1-u)
	// As with view.Axis: the zoom moves evenly in log scale, and the corner in proportion to what
	// is visible, so that one point stays in its place all the way.
	w0, w1 := 1/c.fromZoom, 1/c.toZoom
	w := w0 * math.Pow(w1/w0, s)
	if math.Abs(w1-w0) > 1e-6*w0 {
		s = (w - w0) / (w1 - w0)
	}
	c.zoom = 1 / w
	c.x, c.y = c.fromX+(c.toX-c.fromX)*s, c.fromY+(c.toY-c.fromY)*s
}

// zoomAt zooms by a factor; what is at a point of the screen stays there. Several in a row multiply.
func (c *topologyCamera) zoomAt(env *panel.Env, pxX, pxY float32, factor float64) {
	if c.zoom == 0 || !(factor > 0) {
		return
	}
	target := c.zoom
	if c.animating {
		target = c.toZoom
	}
	least := max(topologyFarthest, min(0.25, c.fitZoom()/2))
	zoom := min(max(target*factor, least), topologyNearest)
	k := c.zoom * c.scale
	x, y := c.x+float64(pxX-c.plot.X0)/k, c.y+float64(pxY-c.plot.Y0)/k
	k = zoom * c.scale
	c.moveTo(env, x-float64(pxX-c.plot.X0)/k, y-float64(pxY-c.plot.Y0)/k, zoom, true)
	c.fitted = false
	if !c.animating {
		c.clamp()
	}
}

// fitZoom is the zoom at which everything is seen.
func (c *topologyCamera) fitZoom() float64 {
	return min(float64(c.plot.W())/max(c.w, 1)/c.scale, float64(c.plot.H())/max(c.h, 1)/c.scale)
}

// pan moves the picture by pixels.
func (c *topologyCamera) pan(dx, dy float32) {
	if c.zoom == 0 || dx == 0 && dy == 0 {
		return
	}
	k := c.zoom * c.scale
	c.x, c.y, c.animating, c.fitted = c.x-float64(dx)/k, c.y-float64(dy)/k, false, false
	c.clamp()
}

// shift moves with the layout: what was at a place is now (dx, dy) farther.
func (c *topologyCamera) shift(dx, dy float64) {
	c.x, c.y = c.x+dx, c.y+dy
	c.toX, c.toY = c.toX+dx, c.toY+dy
	c.fromX, c.fromY = c.fromX+dx, c.fromY+dy
	if !c.animating {
		c.clamp()
	}
}

// clamp keeps a corner of the graph in view.
func (c *topologyCamera) clamp() {
	k := c.zoom * c.scale
	if !(k > 0) {
		return
	}
	rim := 40 / k * c.scale
	w, h := float64(c.plot.W())/k, float64(c.plot.H())/k
	c.x = min(max(c.x, -w+min(rim, w)), c.w-min(rim, w))
	c.y = min(max(c.y, -h+min(rim, h)), c.h-min(rim, h))
}
