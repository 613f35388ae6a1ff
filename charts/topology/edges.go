package topology

import (
	"math"

	"framescope/charts/draw"
	"framescope/charts/format"
	"framescope/charts/panel"
	"framescope/charts/view"
	"framescope/model"
)

// edgeInView reports whether an edge is drawn, since it existed in the time that is looked at or is made
// later, and any of it can be in the plot.
func (t *Chart) edgeInView(i int) bool {
	f := &t.figures.edges[i]
	return (f.exists || f.later) && !t.near(&t.layout.Curves[i],
		8*float32(t.camera.scale)).Intersect(t.regions.plot).Empty()
}

// near returns the rectangle on the screen around a curve.
func (t *Chart) near(c *Curve, rim float32) draw.Rect {
	x0, x1, y1 := min(c.From.X, c.To.X), max(c.From.X, c.To.X), max(c.From.Y, c.To.Y)
	if c.To.X < c.From.X {
		x0, x1, y1 = x0-backTurn, x1+backTurn, max(y1, c.Low)
	}
	return t.camera.rect(x0, min(c.From.Y, c.To.Y), x1, y1).Inset(-rim)
}

// pieces returns the number of straight lines for a curve.
func (t *Chart) pieces(c *Curve) int {
	if c.From.Y == c.To.Y && c.From.X <= c.To.X {
		return 1
	}
	r := t.near(c, 0)
	return int(max(6, min((r.W()+r.H())/9, 40)))
}

// pointOf returns where a point of a curve is on the screen.
func (t *Chart) pointOf(c *Curve, u float32) (x, y float32) {
	p := c.At(u)
	return t.camera.px(p.X), t.camera.py(p.Y)
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
	c, look, l := &t.layout.Curves[i], t.lookOf(env, i), t.List()
	width := max(1, panel.Snap(look.width))
	// Level lines lie on whole pixels, and the ends of others do.
	level := func(y float32) float32 { return panel.Snap(t.camera.py(y)-width/2) + width/2 }
	dy0, dy1 := level(c.From.Y)-t.camera.py(c.From.Y), level(c.To.Y)-t.camera.py(c.To.Y)
	n := t.pieces(c)
	x0, y0 := t.pointOf(c, 0)
	y0 += dy0
	for j := 1; j <= n; j++ {
		u := float32(j) / float32(n)
		x1, y1 := t.pointOf(c, u)
		y1 += dy0*(1-u) + dy1*u
		if n == 1 {
			l.HLine(panel.Snap(x0), panel.Snap(x1), y0-width/2, width, look.color)
		} else {
			l.Line(x0, y0, x1, y1, width, look.color)
		}
		t.crowd.Take(draw.Rect{X0: min(x0, x1), Y0: min(y0, y1) - width/2, X1: max(x0, x1), Y1: max(y0, y1) + width/2})
		x0, y0 = x1, y1
	}
	// the edge inside a frame has the arrow
	if end, _ := t.graph.end(t.graph.edges[i].to); !t.graph.nodes[end.Node].frame {
		t.drawArrow(env, c, look)
	}
}

// drawArrow draws the head of an edge, before the port where it ends.
func (t *Chart) drawArrow(env *panel.Env, c *Curve, look edgeLook) {
	if t.camera.zoom < 0.3 {
		return
	}
	size := max(4*min(t.camera.k(), env.Scale*1.2), look.width*1.2)
	x := t.camera.px(c.To.X) - t.portSide()/2
	y := panel.Snap(t.camera.py(c.To.Y)-look.width/2) + max(1, panel.Snap(look.width))/2
	t.List().Triangle(x, y, x-1.6*size, y-size, x-1.6*size, y+size, look.color)
}

// drawLabels writes rates and bytes beside the edges where there is a free place; nothing where the
// picture is too small to read them.
func (t *Chart) drawLabels(env *panel.Env) {
	if t.camera.zoom < 0.6 {
		return
	}
	for i := range t.graph.edges {
		if f := &t.figures.edges[i]; t.edgeInView(i) && !f.later && (f.buffers > 0 || f.hasLastBuffer) &&
			!t.graph.edges[i].inside {
			t.drawLabel(env, i)
		}
	}
}

func (t *Chart) drawLabel(env *panel.Env, i int) {
	f := &t.figures.edges[i]
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
	for _, lines := range [...][2][]byte{{b[:first], b[first:]}, {b[:first]}} {
		for _, u := range [...]float32{0.5, 0.38, 0.62, 0.25, 0.75} {
			if t.placeLabel(env, i, u, lines, color) {
				return
			}
		}
	}
}

// placeLabel writes a label of one or two lines beside a curve at u, if there is room on any side of it.
func (t *Chart) placeLabel(env *panel.Env, edge int, u float32, lines [2][]byte, color draw.Color) bool {
	x, y := t.pointOf(&t.layout.Curves[edge], u)
	gap, lineH := env.Px(3)+panel.Snap(t.lookOf(env, edge).width/2), env.Atlas.LineHeight(draw.Small)
	w, h := float32(0), float32(0)
	for _, line := range lines {
		if len(line) > 0 {
			w, h = max(w, env.Atlas.Measure(draw.Small, panel.ScratchText(line))+4), h+lineH
		}
	}
	above, below := y-gap-h, y+gap
	middle, right, left := x-w/2, x+gap, x-gap-w
	for _, at := range [...]Point{
		{middle, above}, {middle, below}, {right, above}, {right, below}, {left, above}, {left, below},
	} {
		r := draw.Rect{X0: panel.Snap(at.X), Y0: panel.Snap(at.Y)}
		r.X1, r.Y1 = r.X0+w, r.Y0+h
		if !t.labels.Free(r) || !t.crowd.Free(r) {
			continue
		}
		t.labels.Take(r)
		for _, line := range lines {
			r.Y1 = r.Y0 + lineH
			t.List().TextFit(draw.Small, r, draw.Center, panel.ScratchText(line), color)
			r.Y0 = r.Y1
		}
		return true
	}
	return false
}
