package charts

import (
	"framescope/charts/draw"
	"framescope/charts/layered"
	"framescope/model"
)

// at finds what lies under a point: ports before nodes, nodes before edges, edges before the frames around them, and inner frames before outer ones.
func (t *Topology) at(pxX, pxY float32) topologyThing {
	if t.layout == nil || !t.regions.plot.Contains(pxX, pxY) || len(t.layout.Boxes) != len(t.graph.nodes) {
		return topologyThing{}
	}
	frame := topologyThing{}
	var frameArea float32
	for i := range t.graph.nodes {
		n, b := &t.graph.nodes[i], &t.layout.Boxes[i]
		r := t.camera.rect(b.X0, b.Y0, b.X1, b.Y1)
		slop := t.portSide() / 2
		if pxX < r.X0-slop-2 || pxX > r.X1+slop+2 || pxY < r.Y0 || pxY >= r.Y1 {
			continue
		}
		if x, ok := t.portAt(int32(i), pxX, pxY); ok {
			return x
		}
		if !r.Contains(pxX, pxY) {
			continue
		}
		if !n.frame {
			return topologyThing{kind: topologyNode, node: int32(i)}
		}
		if area := r.W() * r.H(); frame.kind == topologyNothing || area < frameArea {
			frame, frameArea = topologyThing{kind: topologyNode, node: int32(i)}, area
		}
	}
	if e := t.edgeAt(pxX, pxY); e >= 0 {
		return topologyThing{kind: topologyEdge, edge: e}
	}
	return frame
}

// portSide is the side of the mark of a port in pixels, 0 when ports are not drawn.
func (t *Topology) portSide() float32 {
	k := t.camera.k()
	if t.camera.zoom < 0.3 {
		return 0
	}
	return max(snap(7*min(k, float32(t.camera.scale)*1.3)), 3)
}

// portAt finds a port of a node under a point.
func (t *Topology) portAt(node int32, pxX, pxY float32) (topologyThing, bool) {
	side := t.portSide()
	if side == 0 {
		return topologyThing{}, false
	}
	n, b := &t.graph.nodes[node], &t.layout.Boxes[node]
	reach := side/2 + 2
	for k := range n.in {
		if abs32(t.camera.px(b.X0)-pxX) <= reach && abs32(t.camera.py(b.In[k])-pxY) <= reach {
			return topologyThing{kind: topologyPort, node: node, in: true, port: int32(k)}, true
		}
	}
	for k := range n.out {
		if abs32(t.camera.px(b.X1)-pxX) <= reach && abs32(t.camera.py(b.Out[k])-pxY) <= reach {
			return topologyThing{kind: topologyPort, node: node, port: int32(k)}, true
		}
	}
	return topologyThing{}, false
}

// edgeAt finds the edge that passes nearest to a point, within a few pixels; -1 for none.
func (t *Topology) edgeAt(pxX, pxY float32) int32 {
	best, reach := int32(-1), 5*float32(t.camera.scale)
	for i := range t.graph.edges {
		if i >= len(t.figures.edges) || !t.edgeInView(i) {
			continue
		}
		pts := t.layout.Routes[i]
		for k := 0; k+3 < len(pts); k += 3 {
			var x0, x1, y0, y1 = pts[k].X, pts[k].X, pts[k].Y, pts[k].Y
			for _, p := range pts[k+1 : k+4] {
				x0, x1, y0, y1 = min(x0, p.X), max(x1, p.X), min(y0, p.Y), max(y1, p.Y)
			}
			if pxX < t.camera.px(x0)-reach || pxX > t.camera.px(x1)+reach || pxY < t.camera.py(y0)-reach || pxY > t.camera.py(y1)+reach {
				continue
			}
			n := t.pieces(pts, k)
			p := pts[k]
			for j := 1; j <= n; j++ {
				q := layered.At(pts, k, float32(j)/float32(n))
				if d := toSegment(pxX, pxY, t.camera.px(p.X), t.camera.py(p.Y), t.camera.px(q.X), t.camera.py(q.Y)); d < reach {
					best, reach = int32(i), d
				}
				p = q
			}
		}
	}
	return best
}

// toSegment is the distance of a point from a line between two others.
func toSegment(x, y, x0, y0, x1, y1 float32) float32 {
	dx, dy := x1-x0, y1-y0
	u := float32(0)
	if l := dx*dx + dy*dy; l > 0 {
		u = max(0, min(1, ((x-x0)*dx+(y-y0)*dy)/l))
	}
	return distance(x-x0-u*dx, y-y0-u*dy)
}

// HitTest returns what lies under a point, with all figures as the tooltip.
func (t *Topology) HitTest(env *Env, pxX, pxY float32) Hit {
	h := hitNothing()
	x := t.at(pxX, pxY)
	if x.kind == topologyNothing || env.View.Session() == nil || len(t.figures.nodes) != len(t.graph.nodes) || len(t.figures.edges) != len(t.graph.edges) {
		return h
	}
	h.Kind, h.TimeNs = HitNode, t.figures.rng.t1-1
	t.tip.begin()
	switch x.kind {
	case topologyNode:
		b := &t.layout.Boxes[x.node]
		h.Rect = t.camera.rect(b.X0, b.Y0, b.X1, b.Y1)
		if t.graph.nodes[x.node].frame {
			h.Rect.Y1 = h.Rect.Y0 + 1
		}
		t.tipNode(env, x.node)
	case topologyPort:
		b := &t.layout.Boxes[x.node]
		wx, wy := b.X1, float32(0)
		if x.in {
			wx, wy = b.X0, b.In[x.port]
		} else {
			wy = b.Out[x.port]
		}
		s := t.portSide() / 2
		cx, cy := t.camera.px(wx), t.camera.py(wy)
		h.Rect = draw.Rect{X0: cx - s, Y0: cy - s, X1: cx + s, Y1: cy + s}
		t.tipPort(env, x)
	case topologyEdge:
		h.Rect = draw.Rect{X0: pxX - 2, Y0: pxY - 4, X1: pxX + 2, Y1: pxY + 4}
		t.tipEdge(env, x.edge)
	}
	h.Lines = t.tip.all()
	return h
}

// tipNode tells everything of an element or a bin.
func (t *Topology) tipNode(env *Env, node int32) {
	n, f, tip, s := &t.graph.nodes[node], &t.figures.nodes[node], &t.tip, env.View.Session()
	o, _ := s.Object(n.object)
	tip.text(t.nameOf(n)).end()
	if n.class != "" {
		tip.text("type\t").text(clipName(n.class)).end()
	}
	if p, ok := s.Object(o.Parent); ok && p.Name != "" {
		tip.text("in\t").text(clipName(p.Name)).end()
	}
	if f.state != "" {
		tip.text("state\t").text(clipName(f.state))
		if t.figures.rng.kind == topologyWhole {
			tip.text(", the highest")
		} else {
			tip.text(" since ").clock(f.stateSince)
		}
		tip.end()
	}
	if f.latencyN > 0 {
		tip.text("latency, mean\t").duration(int64(f.latencyMean + 0.5)).end()
		tip.text("latency, greatest\t").duration(int64(f.latencyMax + 0.5)).end()
		tip.text("measured\t").plural(f.latencyN, "time", "times").end()
	} else if len(n.latency) > 0 {
		tip.text("latency\tnot measured here").end()
	}
	for _, id := range n.through {
		series := s.Series(id)
		t.figures.bins = series.Bins(t.figures.rng.t0, t.figures.rng.t1, 1, t.figures.bins[:0])
		if b := t.figures.bins; len(b) == 1 && b[0].N > 0 {
			peer, _ := s.Object(t.graph.owner(s, series.Def.Peer))
			tip.text("until ").text(clipName(peer.Name)).text("\t").duration(int64(b[0].Sum/float64(b[0].N) + 0.5)).text(", at most ").duration(int64(b[0].Max + 0.5)).end()
		}
	}
	if f.hasReported {
		tip.text("latency that it reports\t").duration(int64(f.reported + 0.5)).end()
	}
	if f.inN > 0 {
		tip.text("came in\t").plural(f.inN, "buffer", "buffers").text(", ").bytes(f.inBytes).end()
	}
	if f.outN > 0 {
		tip.text("went out\t").plural(f.outN, "buffer", "buffers").text(", ").bytes(f.outBytes).end()
	}
	if f.activity > 0 {
		tip.text("events, queries, messages\t").count(f.activity).end()
	}
	if n := len(n.in) + len(n.out); n > 0 {
		tip.text("pads\t").count(int64(n)).end()
	}
	if o.Created != model.TimeUnknown {
		tip.text("made at\t").clock(o.Created)
		if f.later {
			tip.text(", later than this")
		}
		tip.end()
	}
	if o.Gone != model.TimeUnknown {
		tip.text("gone at\t").clock(o.Gone).end()
	}
}

// tipPort tells of a pad and what goes through it.
func (t *Topology) tipPort(env *Env, x topologyThing) {
	p, tip := t.graph.port(x), &t.tip
	o, _ := env.View.Session().Object(p.object)
	tip.text(t.nameOf(&t.graph.nodes[x.node])).text(".").text(clipName(p.name)).end()
	if o.Type != "" {
		tip.text("type\t").text(clipName(o.Type)).end()
	}
	if p.inner != model.NoObject {
		i, _ := env.View.Session().Object(p.inner)
		tip.text("inside\t").text(clipName(i.Name)).end()
	}
	linked := false
	for i := range t.graph.edges {
		e := &t.graph.edges[i]
		switch {
		case e.from == p.object || e.from == p.inner && p.inner != model.NoObject:
			tip.text("to ").text(t.padName(env, e.to))
		case e.to == p.object || e.to == p.inner && p.inner != model.NoObject:
			tip.text("from ").text(t.padName(env, e.from))
		default:
			continue
		}
		linked = true
		f := &t.figures.edges[i]
		if len(e.flows) > 0 {
			tip.text("\t").perSecond(f.perSec).text(" · ").bytes(f.bytesPerS).text("/s")
		}
		tip.end()
	}
	if !linked {
		tip.add("not linked")
	}
}

// tipEdge tells everything that went over a link.
func (t *Topology) tipEdge(env *Env, edge int32) {
	e, f, tip := &t.graph.edges[edge], &t.figures.edges[edge], &t.tip
	tip.text(t.padName(env, e.from)).text(" → ").text(t.padName(env, e.to)).end()
	switch {
	case len(e.flows) == 0:
		tip.add("nothing is known of what went over it")
	case f.n > 0:
		tip.text("buffers\t").count(f.n).text(" · ").perSecond(f.perSec).end()
		tip.text("bytes\t").bytes(f.bytes).text(" · ").bytes(f.bytesPerS).text("/s").end()
		tip.text("mean size\t").bytes(f.bytes / float64(f.n)).end()
	default:
		tip.add("no buffers in this time")
	}
	if f.hasLast {
		tip.text("last buffer\t")
		if t.figures.rng.kind == topologyWhole {
			tip.text("at ").clock(f.last)
		} else {
			tip.duration(max(0, t.figures.rng.t1-1-f.last)).text(" before")
		}
		tip.end()
	}
	links := env.View.Session().Links()
	l := &links[e.links[len(e.links)-1]]
	if l.Since != model.TimeUnknown {
		tip.text("first seen at\t").clock(l.Since)
		if f.later {
			tip.text(", later than this")
		}
		tip.end()
	}
	if l.Until != model.TimeUnknown {
		tip.text("taken apart at\t").clock(l.Until).end()
	}
}

// nameOf names a node; some have no name.
func (t *Topology) nameOf(n *topologyNodeInfo) string {
	switch {
	case n.name != "":
		return clipName(n.name)
	case n.class != "":
		return clipName(n.class)
	}
	return "without a name"
}

// padName appends nothing but returns "element.pad"; the string is valid until the next call.
func (t *Topology) padName(env *Env, id model.ObjectID) string {
	s := env.View.Session()
	o, _ := s.Object(id)
	b := t.buf[:0]
	if owner, ok := s.Object(t.graph.owner(s, id)); ok && owner.ID != id {
		b = append(append(b, clipName(owner.Name)...), '.')
	}
	b = append(b, clipName(o.Name)...)
	t.buf = b
	return scratchText(b)
}
