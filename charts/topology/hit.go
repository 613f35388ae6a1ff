package topology

import (
	"strings"

	"framescope/charts/draw"
	"framescope/charts/format"
	"framescope/charts/panel"
	"framescope/charts/view"
	"framescope/model"
	"framescope/model/store"
)

// at finds the item under a point: ports before nodes, nodes before edges, edges before the frames
// around them, and inner frames before outer ones.
func (t *Chart) at(pxX, pxY float32) topologyThing {
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
func (t *Chart) portSide() float32 {
	k := t.camera.k()
	if t.camera.zoom < 0.3 {
		return 0
	}
	return max(panel.Snap(7*min(k, float32(t.camera.scale)*1.3)), 3)
}

// portAt finds a port of a node under a point.
func (t *Chart) portAt(node int32, pxX, pxY float32) (topologyThing, bool) {
	size := t.portSide()
	if size == 0 {
		return topologyThing{}, false
	}
	reach := size/2 + 2
	for _, side := range [...]Side{Left, Right} {
		for k := range t.graph.nodes[node].ports[side] {
			x := topologyThing{kind: topologyPort, node: node, side: side, port: int32(k)}
			if cx, cy := t.portPlace(x); panel.Abs32(cx-pxX) <= reach && panel.Abs32(cy-pxY) <= reach {
				return x, true
			}
		}
	}
	return topologyThing{}, false
}

// portPlace returns where the middle of a port is on the screen.
func (t *Chart) portPlace(x topologyThing) (cx, cy float32) {
	b := &t.layout.Boxes[x.node]
	edge := format.Pick(x.side == Left, b.X0, b.X1)
	return t.camera.px(edge), t.camera.py(b.Ports[x.side][x.port])
}

// edgeAt finds the edge that passes nearest to a point, within a few pixels; -1 for none.
func (t *Chart) edgeAt(pxX, pxY float32) int32 {
	best, reach := int32(-1), 5*float32(t.camera.scale)
	for i := range t.graph.edges {
		if i >= len(t.figures.edges) || !t.edgeInView(i) {
			continue
		}
		c := &t.layout.Curves[i]
		if !t.near(c, reach).Contains(pxX, pxY) {
			continue
		}
		x0, y0 := t.pointOf(c, 0)
		n := t.pieces(c)
		for j := 1; j <= n; j++ {
			x1, y1 := t.pointOf(c, float32(j)/float32(n))
			if d := toSegment(pxX, pxY, x0, y0, x1, y1); d < reach {
				best, reach = int32(i), d
			}
			x0, y0 = x1, y1
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
	return panel.Distance(x-x0-u*dx, y-y0-u*dy)
}

// HitTest returns the item under a point, with all figures as the tooltip.
func (t *Chart) HitTest(env *panel.Env, pxX, pxY float32) panel.Hit {
	h := panel.NoHit()
	x := t.at(pxX, pxY)
	if x.kind == topologyNothing || len(t.figures.nodes) != len(t.graph.nodes) ||
		len(t.figures.edges) != len(t.graph.edges) {
		return h
	}
	h.Kind, h.Thing, h.TimeNs = panel.HitObject, view.Element(t.objectOf(x)), t.figures.shown.t1-1
	t.tip.Begin()
	switch x.kind {
	case topologyNode:
		b := &t.layout.Boxes[x.node]
		h.Rect = t.camera.rect(b.X0, b.Y0, b.X1, b.Y1)
		if t.graph.nodes[x.node].frame {
			h.Rect.Y1 = h.Rect.Y0 + 1
		}
		t.tipNode(env, x.node)
	case topologyPort:
		s := t.portSide() / 2
		cx, cy := t.portPlace(x)
		h.Rect = draw.Rect{X0: cx - s, Y0: cy - s, X1: cx + s, Y1: cy + s}
		t.tipPort(env, x)
	case topologyEdge:
		h.Rect = draw.Rect{X0: pxX - 2, Y0: pxY - 4, X1: pxX + 2, Y1: pxY + 4}
		t.tipEdge(env, x.edge)
	}
	h.Lines = t.tip.All()
	return h
}

// tipNode describes an element or a bin.
func (t *Chart) tipNode(env *panel.Env, node int32) {
	n, f, tip, s := &t.graph.nodes[node], &t.figures.nodes[node], &t.tip, env.View.Session()
	o, _ := s.Topology().Object(n.object)
	tip.Text(t.nameOf(n)).End()
	t.tipName("type\t", n.class)
	p, _ := s.Topology().Object(o.Parent)
	t.tipName("in\t", p.Name)
	if f.state != "" {
		tip.Text("state\t").Text(format.ClipName(f.state))
		if t.figures.shown.kind != view.AroundMoment {
			tip.Text(", the highest")
		} else {
			tip.Text(" since ").Clock(f.stateSince)
		}
		tip.End()
	}
	if f.latencyN > 0 {
		tip.Text("latency, median\t").Duration(int64(f.median + 0.5)).End()
		tip.Text("latency, p99\t").Duration(int64(f.p99 + 0.5)).End()
		tip.Text("latency, mean\t").Duration(int64(f.latencyMean + 0.5)).End()
		if t.figures.base.Against != nil {
			f.medianDeviation.Tip(tip)
		}
		tip.Text("latency, greatest\t").Duration(int64(f.latencyMax + 0.5)).End()
		tip.Text("measured\t").Plural(f.latencyN, "time", "times").End()
	} else if len(n.latency) > 0 {
		tip.Text("latency\tnot measured here").End()
	}
	for _, id := range n.through {
		if b := t.figures.bin(s, id); b.N > 0 {
			peer, _ := s.Topology().Object(t.graph.owner(s, s.Series().ByID(id).Def.Peer))
			tip.Text("until ").Text(format.ClipName(peer.Name)).Text("\t").Duration(int64(b.Mean + 0.5))
			tip.Text(", at most ").Duration(int64(b.Max + 0.5)).End()
		}
	}
	tip.If(f.hasReported).Text("latency that it reports\t").Duration(int64(f.reported + 0.5)).End()
	tip.If(f.buffersIn > 0).Text("came in\t").Plural(f.buffersIn, "buffer", "buffers").Text(", ").Bytes(f.bytesIn).End()
	if f.buffersOut > 0 {
		tip.Text("went out\t").Plural(f.buffersOut, "buffer", "buffers").Text(", ").Bytes(f.bytesOut).End()
	}
	t.tipLevels(s, n.object)
	tip.If(f.activity > 0).Text("events, queries, messages\t").Count(f.activity).End()
	if n := len(n.ports[0]) + len(n.ports[1]); n > 0 {
		tip.Text("pads\t").Count(int64(n)).End()
	}
	t.tipClock("made at\t", o.Created, f.later)
	t.tipClock("gone at\t", o.Gone, false)
}

// tipClock adds the time of something, if that is known.
func (t *Chart) tipClock(words string, timeNs int64, later bool) {
	if timeNs == model.TimeUnknown {
		return
	}
	if t.tip.Text(words).Clock(timeNs); later {
		t.tip.Text(", later than this")
	}
	t.tip.End()
}

// tipName adds a name, if there is one.
func (t *Chart) tipName(words, name string) {
	t.tip.If(name != "").Text(words).Text(format.ClipName(name)).End()
}

// tipLevels adds the fill level of a queue, or of each queue of an element.
func (t *Chart) tipLevels(s *store.Session, id model.ObjectID) {
	o, _ := s.Topology().Object(id)
	for _, sid := range s.Series().ByObject(id) {
		x := s.Series().ByID(sid)
		if x.Def.Role != model.RoleLevel || x.Def.Object != id {
			continue
		}
		u := format.UnitOfValues(&x.Def)
		if b := t.figures.bin(s, sid); b.N > 0 {
			t.tip.Text(x.Def.Group)
			t.tip.If(x.Def.Name != "" && x.Def.Name != o.Name).Text(" of ").Text(format.ClipName(x.Def.Name))
			t.tip.Text("\t")
			t.tip.With(u.Append(t.tip.Buf, b.Last)).Text(", at most ")
			t.tip.With(u.Append(t.tip.Buf, b.Max)).End()
		}
	}
}

// tipIntervals adds the regularity of the buffers of a link, and their kind.
func (t *Chart) tipIntervals(s *store.Session, e *topologyEdgeInfo) {
	for _, sid := range s.Series().ByObject(e.from) {
		x := s.Series().ByID(sid)
		if x.Def.Role != model.RoleInterval || x.Def.Object != e.from || x.Def.Peer != e.to {
			continue
		}
		if st := x.Stats(t.figures.shown.t0, t.figures.shown.t1); st.N > 1 {
			t.tip.Text("interval, mean\t").Duration(int64(st.Mean + 0.5)).Text(", at most ").Duration(int64(st.Max + 0.5)).End()
			t.tip.Text("jitter (std. deviation)\t").Duration(int64(st.StdDev + 0.5)).End()
		}
	}
	if media := s.Topology().Links()[e.links[len(e.links)-1]].Media; media != "" {
		name := "caps\t"
		for field := range strings.SplitSeq(media, ", ") {
			t.tipName(name, field)
			name = "\t"
		}
	}
}

// tipPort describes a pad and its traffic.
func (t *Chart) tipPort(env *panel.Env, x topologyThing) {
	p, tip := t.graph.port(x), &t.tip
	o, _ := env.View.Session().Topology().Object(p.object)
	tip.Text(t.nameOf(&t.graph.nodes[x.node])).Text(".").Text(format.ClipName(p.name)).End()
	t.tipName("type\t", o.Type)
	inner, _ := env.View.Session().Topology().Object(p.inner)
	t.tipName("inside\t", inner.Name)
	linked := false
	for i := range t.graph.edges {
		e := &t.graph.edges[i]
		switch {
		case e.from == p.object || e.from == p.inner && p.inner != model.NoObject:
			tip.Text("to ").Text(t.padName(env, e.to))
		case e.to == p.object || e.to == p.inner && p.inner != model.NoObject:
			tip.Text("from ").Text(t.padName(env, e.from))
		default:
			continue
		}
		linked = true
		f := &t.figures.edges[i]
		tip.If(len(e.flows) > 0).Text("\t").PerSecond(f.perSec).Text(" · ").Bytes(f.bytesPerSec).Text("/s")
		tip.End()
	}
	tip.If(!linked).Add("not linked")
}

// tipEdge describes the traffic of a link.
func (t *Chart) tipEdge(env *panel.Env, edge int32) {
	e, f, tip := &t.graph.edges[edge], &t.figures.edges[edge], &t.tip
	tip.Text(t.padName(env, e.from)).Text(" → ").Text(t.padName(env, e.to)).End()
	switch {
	case len(e.flows) == 0:
		tip.Add("nothing is known about its traffic")
	case f.buffers > 0:
		tip.Text("buffers\t").Count(f.buffers).Text(" · ").PerSecond(f.perSec).End()
		tip.Text("bytes\t").Bytes(f.bytes).Text(" · ").Bytes(f.bytesPerSec).Text("/s").End()
		tip.Text("mean size\t").Bytes(f.bytes / float64(f.buffers)).End()
	default:
		tip.Add("no buffers in this time")
	}
	if f.hasLastBuffer {
		tip.Text("last buffer\t")
		if t.figures.shown.kind == view.AroundAll {
			tip.Text("at ").Clock(f.lastBufferAt)
		} else {
			tip.Duration(max(0, t.figures.shown.t1-1-f.lastBufferAt)).Text(" before")
		}
		tip.End()
	}
	t.tipIntervals(env.View.Session(), e)
	links := env.View.Session().Topology().Links()
	l := &links[e.links[len(e.links)-1]]
	t.tipClock("first seen at\t", l.Since, f.later)
	t.tipClock("taken apart at\t", l.Until, false)
}

// nameOf names a node; some have no name.
func (t *Chart) nameOf(n *topologyNodeInfo) string {
	switch {
	case n.name != "":
		return format.ClipName(n.name)
	case n.class != "":
		return format.ClipName(n.class)
	}
	return "without a name"
}

// padName appends nothing but returns "element.pad"; the string is valid until the next call.
func (t *Chart) padName(env *panel.Env, id model.ObjectID) string {
	s := env.View.Session()
	o, _ := s.Topology().Object(id)
	b := t.buf[:0]
	if owner, ok := s.Topology().Object(t.graph.owner(s, id)); ok && owner.ID != id {
		b = append(append(b, format.ClipName(owner.Name)...), '.')
	}
	b = append(b, format.ClipName(o.Name)...)
	t.buf = b
	return panel.ScratchText(b)
}

// input handles a tick's mouse and keys, by the rules of all panels.
func (t *Chart) input(env *panel.Env, in *panel.Input) (act panel.Action) {
	t.hover = topologyThing{}
	if t.layout == nil || len(t.graph.nodes) == 0 {
		return act
	}
	t.camera.mouseY = in.Y
	g := t.gestures.Update(env, &t.camera, t.regions.plot, in)
	t.camera.pan(0, -g.ScrollPx)
	switch {
	case g.DoubleClick:
		t.doubleClick(env, in)
	case g.Click:
		t.choose(env, t.objectOf(t.at(in.X, in.Y)))
	case g.Menu:
		act = panel.MenuOf(t.HitTest(env, in.X, in.Y), in.X, in.Y)
	}
	if in.Over && !g.Busy {
		t.hover = t.at(in.X, in.Y)
	}
	return act
}

// choose makes an object the selected one, where it was clicked.
func (t *Chart) choose(env *panel.Env, id model.ObjectID) {
	env.View.Select(view.Element(id))
	t.selected = env.View.Element()
}

// doubleClick zooms to the hovered item; on the ground it shows everything.
func (t *Chart) doubleClick(env *panel.Env, in *panel.Input) {
	x := t.at(in.X, in.Y)
	if x.kind == topologyNode || x.kind == topologyPort {
		t.camera.near(env, t.layout.Boxes[x.node])
		return
	}
	t.Fit(env)
}
