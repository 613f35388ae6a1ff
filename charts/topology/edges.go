package topology

import (
	"math"

	"framescope/charts/draw"
	"framescope/charts/format"
	"framescope/charts/panel"
	"framescope/charts/view"
	"framescope/model"
)

// edgeShown reports whether an edge is drawn: it existed in the time that is looked at, or is made
// later.
func (t *Chart) edgeShown(i int) bool {
	return (t.figures.edges[i].exists || t.figures.edges[i].later) && len(t.layout.Routes[i]) > 1
}

// edgeInView reports whether any of an edge can be in the plot.
func (t *Chart) edgeInView(i int) bool {
	if !t.edgeShown(i) {
		return false
	}
	return !t.near(t.layout.Routes[i], 8*float32(t.camera.scale)).Intersect(t.regions.plot).Empty()
}

// near returns the rectangle on the screen around points of the layout.
func (t *Chart) near(pts []Point, rim float32) draw.Rect {
	r := draw.Rect{X0: pts[0].X, Y0: pts[0].Y, X1: pts[0].X, Y1: pts[0].Y}
	for _, p := range pts {
		r = draw.Rect{X0: min(r.X0, p.X), Y0: min(r.Y0, p.Y), X1: max(r.X1, p.X), Y1: max(r.Y1, p.Y)}
	}
	c := &t.camera
	return draw.Rect{X0: c.px(r.X0) - rim, Y0: c.py(r.Y0) - rim, X1: c.px(r.X1) + rim, Y1: c.py(r.Y1) + rim}
}

// pieces returns the number of straight lines for a curve.
func (t *Chart) pieces(pts []Point, k int) int {
	a, b := pts[k], pts[k+1]
	if a.Y == b.Y {
		return 1
	}
	px := (panel.Abs32(b.X-a.X) + panel.Abs32(b.Y-a.Y)) * t.camera.k()
	return int(max(6, min(px/9, 28)))
}

// edgeLook is how an edge is drawn.
type edgeLook struct {
	color draw.Color
	width float32
}

// lookOf returns how an edge is drawn: the wider the more buffers a second go over it, the more
// vivid the more bytes; faint where nothing does.
func (t *Chart) lookOf(env *panel.Env, i int) edgeLook {
	e, f, th := &t.graph.edges[i], &t.figures.edges[i], env.Theme
	panel := draw.Color(th.Panel)
	look := edgeLook{color: draw.Mix(panel, draw.Color(th.Text2), 120), width: 1}
	switch {
	case f.later:
		look.color = draw.Mix(panel, draw.Color(th.Text2), 60)
	case f.buffers > 0:
		share := min(math.Log10(1+f.bytesPerSec)/8, 1)
		look.color = draw.Mix(draw.Color(th.FrameBar), draw.Color(th.Text), uint8(200*share*share))
		look.width = 1.5 + min(float32(math.Log10(1+f.perSec)), 4)*0.8
	}
	if t.marked(i) {
		look.color = draw.Color(th.Accent)
		look.width = max(look.width, 2)
	}
	if x := t.hover; x.kind == topologyEdge && x.edge == int32(i) ||
		x.kind != topologyNothing && x.kind != topologyEdge && t.touches(e, x) {
		look.color = draw.Mix(look.color, draw.Color(th.Text), 130)
		look.width = max(look.width, 2)
	}
	look.width = max(look.width*min(t.camera.k(), env.Scale*1.2), 1)
	return look
}

// marked reports whether an edge belongs to the selected object.
func (t *Chart) marked(i int) bool {
	if t.selected == model.NoObject {
		return false
	}
	e := &t.graph.edges[i]
	if e.from == t.selected || e.to == t.selected {
		return true
	}
	end, ok := t.graph.end(t.selected)
	if !ok {
		return false
	}
	if n := &t.graph.nodes[end.Node]; n.object == t.selected {
		return false
	}
	from, _ := t.graph.end(e.from)
	to, _ := t.graph.end(e.to)
	return from == end || to == end
}

// touches reports whether an edge ends at a node or port; at a frame's, only ports count.
func (t *Chart) touches(e *topologyEdgeInfo, x topologyThing) bool {
	from, _ := t.graph.end(e.from)
	to, _ := t.graph.end(e.to)
	if x.kind == topologyPort {
		end := End{Node: x.node, Port: x.port, Side: x.side}
		return from == end || to == end
	}
	return !t.graph.nodes[x.node].frame && (from.Node == x.node || to.Node == x.node)
}

// drawEdges draws the edges in the plot; those that something goes over above the others.
func (t *Chart) drawEdges(env *panel.Env) {
	for pass := range 2 {
		for i := range t.graph.edges {
			if !t.edgeInView(i) || (t.figures.edges[i].buffers > 0) != (pass == 1) {
				continue
			}
			t.drawEdge(env, i)
		}
	}
}

func (t *Chart) drawEdge(env *panel.Env, i int) {
	pts, look := t.layout.Routes[i], t.lookOf(env, i)
	for k := range len(pts) - 1 {
		if !t.near(pts[k:k+2], look.width+2).Intersect(t.regions.plot).Empty() {
			t.drawCurve(pts, k, look)
		}
	}
	if end, _ := t.graph.end(t.graph.edges[i].to); !t.graph.nodes[end.Node].frame { // the edge inside a frame has the arrow
		t.drawArrow(env, pts, look)
	}
}

// drawCurve draws one curve of a route.
func (t *Chart) drawCurve(pts []Point, k int, look edgeLook) {
	c, l := &t.camera, t.List()
	if pts[k].Y == pts[k+1].Y {
		x0, x1, y := c.px(pts[k].X), c.px(pts[k+1].X), panel.Snap(c.py(pts[k].Y)-look.width/2)
		l.HLine(panel.Snap(min(x0, x1)), panel.Snap(max(x0, x1)), y, look.width, look.color)
		t.crowd.Take(draw.Rect{X0: min(x0, x1), Y0: y, X1: max(x0, x1), Y1: y + max(1, panel.Snap(look.width))})
		return
	}
	n := t.pieces(pts, k)
	// The ends meet level lines, which lie on whole pixels.
	width := max(1, panel.Snap(look.width))
	level := func(y float32) float32 { return panel.Snap(c.py(y)-look.width/2) + width/2 }
	dy0, dy1 := level(pts[k].Y)-c.py(pts[k].Y), level(pts[k+1].Y)-c.py(pts[k+1].Y)
	px, py := c.px(pts[k].X), level(pts[k].Y)
	for j := 1; j <= n; j++ {
		u := float32(j) / float32(n)
		q := At(pts, k, u)
		x, y := c.px(q.X), c.py(q.Y)+dy0*(1-u)+dy1*u
		l.Line(px, py, x, y, width, look.color)
		t.crowd.Take(draw.Rect{X0: min(px, x), Y0: min(py, y) - width/2, X1: max(px, x), Y1: max(py, y) + width/2})
		px, py = x, y
	}
}

// drawArrow draws the head of an edge, before the port where it ends.
func (t *Chart) drawArrow(env *panel.Env, pts []Point, look edgeLook) {
	if t.camera.zoom < 0.3 {
		return
	}
	last, before := pts[len(pts)-1], pts[len(pts)-2]
	size := max(4*min(t.camera.k(), env.Scale*1.2), look.width*1.2)
	x, y := t.camera.px(last.X), panel.Snap(t.camera.py(last.Y)-look.width/2)+max(1, panel.Snap(look.width))/2
	gap := t.portSide() / 2
	if before.X <= last.X {
		t.List().Triangle(x-gap, y, x-gap-1.6*size, y-size, x-gap-1.6*size, y+size, look.color)
	} else {
		t.List().Triangle(x+gap, y, x+gap+1.6*size, y-size, x+gap+1.6*size, y+size, look.color)
	}
}

// drawLabels writes rates and bytes beside the edges where there is a free place; nothing where the
// picture is too small to read them.
func (t *Chart) drawLabels(env *panel.Env) {
	if t.camera.zoom < 0.6 {
		return
	}
	for i := range t.graph.edges {
		if f := &t.figures.edges[i]; t.edgeInView(i) && !f.later && (f.buffers > 0 || f.hasLastBuffer) && !t.graph.edges[i].inside {
			t.drawLabel(env, i)
		}
	}
}

func (t *Chart) drawLabel(env *panel.Env, i int) {
	f, pts := &t.figures.edges[i], t.layout.Routes[i]
	color := draw.Color(env.Theme.Text2)
	b := t.buf[:0]
	first := 0
	if f.buffers > 0 {
		b = format.AppendPerSecond(b, f.perSec)
		first = len(b)
		b = append(format.AppendBytes(b, int64(f.bytesPerSec+0.5)), "/s"...)
	} else {
		b = format.AppendDuration(append(b, "quiet "...), max(0, t.figures.shown.t1-1-f.lastBufferAt))
		if t.figures.shown.kind != view.AroundMoment {
			b = append(b[:0], "quiet"...)
		}
		first = len(b)
		color = draw.Color(env.Theme.TextDim)
	}
	t.buf = b
	w := max(env.Atlas.Measure(draw.Small, panel.ScratchText(b[:first])), env.Atlas.Measure(draw.Small, panel.ScratchText(b[first:])))
	try := func(k int, u float32) bool {
		return t.placeLabel(env, i, k, u, w, b, first, color)
	}
	// The middle curves first: there an edge is farthest from others that come from the same node.
	curves := len(pts) - 1
	for n := range min(curves, 12) {
		k := curves / 2
		if n%2 == 1 {
			k -= (n + 1) / 2
		} else {
			k += n / 2
		}
		if k < 0 || k >= curves {
			continue
		}
		for _, u := range [...]float32{0.5, 0.38, 0.62, 0.25, 0.75} {
			if try(k, u) {
				return
			}
		}
	}
}

// placeLabel writes a label at u of a curve, if there is room: a line above the edge and one below
// it where the edge is level or nearly so, else both on a plate over it. b[:first] is the first
// line, the rest the second, if any; w the width of the wider one.
func (t *Chart) placeLabel(env *panel.Env, edge, k int, u, w float32, b []byte, first int, color draw.Color) bool {
	c, l, pts := &t.camera, t.List(), t.layout.Routes[edge]
	lineH := env.Atlas.LineHeight(draw.Small)
	p := At(pts, k, u)
	x, y := panel.Snap(c.px(p.X)), panel.Snap(c.py(p.Y))
	r := draw.Rect{X0: x - panel.Snap(w/2) - 2, X1: x + panel.Snap(w/2) + 2}
	ends := draw.Rect{X0: c.px(min(pts[k].X, pts[k+1].X)), X1: c.px(max(pts[k].X, pts[k+1].X)), Y1: 1}
	climb := panel.Abs32(pts[k+1].Y-pts[k].Y) * c.k()
	if climb < lineH { // the slope of such a curve is at most one and a half times that of the line between its ends
		if r.X0 < ends.X0-2 || r.X1 > ends.X1+2 || ends.Empty() {
			return false
		}
		gap := env.Px(3) + panel.Snap(t.lookOf(env, edge).width/2) + min(climb/2, climb*0.75*r.W()/ends.W())
		above := draw.Rect{X0: r.X0, Y0: panel.Snap(y - gap - lineH), X1: r.X1, Y1: panel.Snap(y - gap)}
		below := draw.Rect{X0: r.X0, Y0: panel.Snap(y + gap), X1: r.X1, Y1: panel.Snap(y + gap + lineH)}
		if !t.labels.Free(above) || !t.crowd.Free(above) {
			return false
		}
		t.labels.Take(above)
		l.TextFit(draw.Small, above, draw.Center, panel.ScratchText(b[:first]), color)
		if first < len(b) && t.labels.Free(below) && t.crowd.Free(below) {
			t.labels.Take(below)
			l.TextFit(draw.Small, below, draw.Center, panel.ScratchText(b[first:]), color)
		}
		return true
	}
	lines := float32(1)
	if first < len(b) && climb >= 3.5*lineH { // less would be seen of the edge than of its label
		lines = 2
	}
	r.Y0 = y - panel.Snap(lineH*lines/2)
	r.Y1 = r.Y0 + lineH*lines
	if !t.labels.Free(r) {
		return false
	}
	t.labels.Take(r)
	l.Rect(r, t.groundAt(env, x, y).WithAlpha(225))
	r.Y1 = r.Y0 + lineH
	l.TextFit(draw.Small, r, draw.Center, panel.ScratchText(b[:first]), color)
	if lines > 1 {
		r.Y0, r.Y1 = r.Y1, r.Y1+lineH
		l.TextFit(draw.Small, r, draw.Center, panel.ScratchText(b[first:]), color)
	}
	return true
}

// groundAt returns the color of the ground at a point: the panel's, and that of the frames over
// it.
func (t *Chart) groundAt(env *panel.Env, pxX, pxY float32) draw.Color {
	color := draw.Color(env.Theme.Panel)
	for _, i := range t.graph.frames {
		if b := &t.layout.Boxes[i]; t.camera.rect(b.X0, b.Y0, b.X1, b.Y1).Contains(pxX, pxY) {
			color = draw.Mix(color, draw.Color(env.Theme.Text), topologyFrameTint)
		}
	}
	return color
}
