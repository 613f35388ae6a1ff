// Package topology draws the parts of a program, and the flow through them.
package topology

import (
	"math"

	"framescope/charts/draw"
	"framescope/charts/format"
	"framescope/charts/panel"
	"framescope/charts/subject"
	"framescope/model"
	"framescope/model/store"
)

// Chart shows the parts of a program, and the flow through them: elements as nodes with their
// pads as ports, bins as frames around their content, links as edges. Width, color and label of an
// edge show its traffic, a node's ground how long things took in it, the strip at its left its
// state. All figures are of the selected range of time; without one, of the last second before the
// playhead or, while live, before the end; and of the whole recording while the playhead was not
// moved yet.
//
// The wheel zooms at the cursor, drags pan, a double click on the ground (or Fit) shows everything,
// one on an element or a bin zooms to it.
type Chart struct {
	// NoThreads leaves the bottom edges out, which show by color the thread that pushes from an
	// element.
	NoThreads bool
	selected  model.ObjectID // the view's thing or its subject, as of the last Update
	panel.Layers[topologyDrawKey, struct{}]
	regions  topologyRegions
	graph    topologyGraph
	figures  topologyFigures
	tones    subject.Tones
	layout   *Layout
	camera   topologyCamera
	gestures panel.Gestures
	tools    panel.Toolbox
	names    draw.Names      // of the nodes
	labels   panel.LabelGrid // where text and boxes are
	crowd    panel.LabelGrid // where edges are

	panel.NameFilter // the text of the search: hits are outlined, the rest steps back

	hover topologyThing
	tip   panel.TipLines
	buf   []byte
	mode  panel.CachedText
}

// topologyRegions are the parts of the panel.
type topologyRegions struct{ all, plot, foot draw.Rect }

// topologyDrawKey is the extra inputs of the picture.
type topologyDrawKey struct {
	session  *store.Session
	layout   *Layout
	figures  uint64
	place    topologyPlace
	selected model.ObjectID
	hover    topologyThing
	filter   string
	plain    bool
}

// topologyThing is the item under a point of the picture: a node, one of its ports, an edge, or
// nothing. Indices are those of topologyGraph.
type topologyThing struct {
	kind       topologyKind
	node       int32
	side       Side
	port, edge int32
}

type topologyKind uint8

const (
	topologyNothing topologyKind = iota
	topologyNode
	topologyPort
	topologyEdge
)

// distances are those of the layout: between ranks there is room for a rate.
var distances = Options{GapX: 84, GapY: 20}

// New returns a topology chart.
func New() *Chart {
	return &Chart{selected: model.NoObject, gestures: panel.Gestures{NoRange: true, Plane: true}}
}

// Title returns the panel's title.
func (t *Chart) Title(*panel.Env) string { return "Topology" }

// Update handles the input of a tick and brings the picture up to date.
func (t *Chart) Update(env *panel.Env, rect draw.Rect, in *panel.Input) panel.Action {
	t.layOut(env, rect)
	t.build(env)
	t.figures.update(env, &t.graph)
	act := t.input(env, in)
	t.follow(env)
	t.camera.step(env)
	key := topologyDrawKey{
		session: env.View.Session(), layout: t.layout, figures: t.figures.revision, place: t.camera.topologyPlace,
		selected: t.selected, hover: t.hover, filter: t.Filter, plain: t.NoThreads,
	}
	if t.BeginBase(env, rect, key) {
		t.draw(env)
	}
	return act
}

// Extent implements panel.Sized: of the whole graph, as near as the width lets it come.
func (t *Chart) Extent(env *panel.Env, pxWidth float32) float32 {
	c, m := &t.camera, 2*float64(env.Px(topologyMargin))
	if t.layout == nil {
		return 0
	}
	zoom := min((float64(pxWidth)-m)/max(c.w, 1)/float64(env.Scale), topologyFitMost)
	rest := t.regions.all.H() - t.regions.plot.H()
	return rest + float32(math.Ceil(m+c.h*max(zoom, topologyFarthest)*float64(env.Scale)))
}

func (t *Chart) layOut(env *panel.Env, rect draw.Rect) {
	r := topologyRegions{all: rect, plot: rect}
	if rect.H() >= env.Px(150) && rect.W() >= env.Px(220) {
		r.plot.Y1 -= env.Px(22)
		r.foot = draw.Rect{X0: rect.X0, Y0: r.plot.Y1, X1: rect.X1, Y1: rect.Y1}
	}
	if r != t.regions {
		t.regions = r
		t.camera.resized(env, r.plot)
	}
}

// build makes the graph and its layout anew if its content changed. While much data comes in, large
// graphs are laid out less often.
func (t *Chart) build(env *panel.Env) {
	s := env.View.Session()
	g := &t.graph
	fresh := g.session != s
	if !g.due(env) {
		return
	}
	if fresh {
		t.selected, t.hover = model.NoObject, topologyThing{}
		t.layout, t.camera = nil, topologyCamera{}
		t.camera.resized(env, t.regions.plot)
	}
	if !g.refresh(env) {
		return
	}
	anchor, at := t.anchor()
	l := Lay(&g.graph, distances, t.layout)
	t.use(env, l)
	if i, ok := g.nodeOf[anchor]; ok && !t.camera.fitted {
		b := &l.Boxes[i]
		t.camera.shift(float64(b.X0)-at[0], float64(b.Y0)-at[1])
	}
}

// anchor returns the object that keeps its place on the screen in a new layout: the one nearest to
// the middle of the visible part; and its place.
func (t *Chart) anchor() (id model.ObjectID, at [2]float64) {
	id = model.NoObject
	if t.layout == nil || t.camera.fitted {
		return id, at
	}
	w, h := t.camera.half(t.camera.zoom)
	x, y := t.camera.x+w, t.camera.y+h
	best := 0.0
	for i := range t.graph.before {
		b := &t.layout.Boxes[i]
		dx, dy := float64(b.X0+b.X1)/2-x, float64(b.Y0+b.Y1)/2-y
		if d := dx*dx + dy*dy; id == model.NoObject || d < best {
			best, id, at = d, t.graph.before[i], [2]float64{float64(b.X0), float64(b.Y0)}
		}
	}
	return id, at
}

// use takes over a new layout.
func (t *Chart) use(env *panel.Env, l *Layout) {
	t.layout, t.hover = l, topologyThing{}
	t.camera.bounds(env, float64(l.W), float64(l.H))
}

// Fit shows the whole graph (key F, double click).
func (t *Chart) Fit(env *panel.Env) { t.camera.fit(env, true) }

// follow takes over the view's element. One that was chosen elsewhere is brought into view.
func (t *Chart) follow(env *panel.Env) {
	id := env.View.Element()
	if id == t.selected {
		return
	}
	t.selected = id
	if end, ok := t.graph.end(id); ok && t.layout != nil && int(end.Node) < len(t.layout.Boxes) {
		t.camera.show(env, t.layout.Boxes[end.Node])
	}
}

// objectOf returns the object of a thing.
func (t *Chart) objectOf(x topologyThing) model.ObjectID {
	switch x.kind {
	case topologyNode:
		return t.graph.nodes[x.node].object
	case topologyPort:
		return t.graph.port(x).object
	case topologyEdge:
		return t.graph.edges[x.edge].from
	}
	return model.NoObject
}

// Mode returns the time of the figures, and the zoom: "last 1.00 s at 0:03.250 · 63 %".
func (t *Chart) Mode(env *panel.Env) string {
	b := t.mode.New()
	if len(t.graph.nodes) > 0 {
		b = append(t.figures.appendRange(b, env.View.Session()), " · "...)
		b = append(format.AppendCount(b, int64(t.camera.zoom*100+0.5)), " %"...)
	}
	return t.mode.Set(b)
}

// The tools of the topology.
const (
	toolFit = iota
	toolThreads
)

// Tools implements panel.Tooled.
func (t *Chart) Tools(*panel.Env) []panel.Tool {
	b := &t.tools
	b.Begin()
	if t.layout == nil || len(t.graph.nodes) == 0 {
		return b.All()
	}
	b.Action(toolFit, "Fit", "Show all elements (F)")
	if t.figures.threads {
		b.Toggle(toolThreads, !t.NoThreads, "Threads", "The thread that pushes from an element, as its bottom edge")
	}
	return b.All()
}

// Use implements panel.Tooled.
func (t *Chart) Use(env *panel.Env, id, _ int) {
	switch id {
	case toolFit:
		t.Fit(env)
	case toolThreads:
		t.NoThreads = !t.NoThreads
	}
}

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
	return draw.Rect{X0: panel.Snap(c.px(x0)), Y0: panel.Snap(c.py(y0)), X1: panel.Snap(c.px(x1)),
		Y1: panel.Snap(c.py(y1))}
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
