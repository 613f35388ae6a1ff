package topology

import (
	"math"

	"framescope/assets"
	"framescope/charts/draw"
	"framescope/charts/format"
	"framescope/charts/panel"
	"framescope/charts/subject"
	"framescope/model"
)

// topologyFrameTint is the contrast, of 255, of a frame's ground to its surroundings.
const topologyFrameTint = 9

// draw fills the list: frames, edges, nodes, labels of edges, legend.
func (t *Chart) draw(env *panel.Env) {
	l, r := t.List(), &t.regions
	if t.drawWords(env) {
		return
	}
	if len(t.figures.nodes) != len(t.graph.nodes) || len(t.figures.edges) != len(t.graph.edges) ||
		len(t.layout.Boxes) != len(t.graph.nodes) {
		return
	}
	l.PushClip(r.plot)
	t.labels.Reset(r.plot, env.Px(2))
	t.crowd.Reset(r.plot, env.Px(2))
	for _, i := range t.graph.frames {
		t.drawFrame(env, i)
	}
	t.drawEdges(env)
	for i := range t.graph.nodes {
		if !t.graph.nodes[i].frame {
			t.drawNode(env, int32(i))
		}
	}
	for _, i := range t.graph.frames {
		t.drawPorts(env, i)
	}
	t.names.Draw(l)
	t.drawLabels(env)
	l.PopClip()
	t.drawFoot(env)
}

// drawWords explains why there is no picture; false when there is one.
func (t *Chart) drawWords(env *panel.Env) bool {
	plot := t.regions.all
	switch {
	case env.View.None():
		panel.DrawWords(t.List(), env, plot, "The elements of a program, and what flows through them.\n"+
			"Connect a program or open a recording.")
	case t.layout == nil || len(t.graph.nodes) == 0:
		panel.DrawWords(t.List(), env, plot, "The elements of a pipeline, and what flows through them.\n"+
			"No elements were received: start the program with GST_TRACERS=stats")
	default:
		return false
	}
	return true
}

// stateColor returns the color of a state: those of pipelines have their own, others one from the
// name.
func stateColor(th *assets.Theme, state string) draw.Color {
	switch rankOfState(state) {
	case 0, 1:
		return draw.Color(th.TextDim)
	case 2:
		return draw.Color(th.Accent)
	case 3:
		return draw.Color(th.Over)
	case 4:
		return draw.Color(th.Live)
	}
	return draw.Color(th.NameColor(state))
}

// heatColor returns the color of a share, 0…1, of the greatest latency.
func heatColor(th *assets.Theme, share float64) draw.Color {
	if share < 0.5 {
		return draw.Mix(draw.Color(th.Live), draw.Color(th.Over), uint8(share*2*255))
	}
	return draw.Mix(draw.Color(th.Over), draw.Color(th.Bad), uint8((share-0.5)*2*255))
}

// heat is how much a node stands out, 0…1, for a median latency: by the root, so that a tenth of the
// greatest is still seen.
func (f *topologyFigures) heat(ns float64) float64 {
	if f.hottest <= 0 {
		return 0
	}
	return math.Sqrt(min(ns/f.hottest, 1))
}

// nodeColors returns the colors of a node.
func (t *Chart) nodeColors(env *panel.Env, i int32) (ground, edge, text, text2 draw.Color) {
	th, f := env.Theme, &t.figures.nodes[i]
	panel := draw.Color(th.Panel)
	ground, edge, text, text2 = draw.Color(th.Button), draw.Mix(draw.Color(th.Button), draw.Color(th.Text2), 90),
		draw.Color(th.Text), draw.Color(th.Text2)
	if f.latencyN > 0 {
		h := t.figures.heat(f.median)
		ground = draw.Mix(ground, heatColor(th, h), uint8(22+58*h))
		edge = draw.Mix(edge, heatColor(th, h), uint8(60+120*h))
		text2 = draw.Mix(text2, text, 160) // legible on any heat
		if t.figures.base.Against != nil {
			t.tones.Use(th)
			tone := t.tones.Of(&f.medianDeviation).Fill
			ground, edge = draw.Mix(draw.Color(th.Button), tone, 70), draw.Mix(draw.Color(th.Button), tone, 200)
		}
	}
	if f.later || f.gone {
		ground, edge, text, text2 = draw.Mix(panel, ground, 110), draw.Mix(panel, edge, 110), draw.Color(th.TextDim),
			draw.Mix(panel, draw.Color(th.TextDim), 170)
	}
	if t.Filter != "" && !t.found(i) && !t.graph.nodes[i].frame {
		const dim = 110 // of 255: strength of nodes that the search does not find
		ground, edge = draw.Mix(panel, ground, dim), draw.Mix(panel, edge, dim)
		text, text2 = draw.Mix(panel, draw.Color(th.TextDim), 220), draw.Mix(panel, draw.Color(th.TextDim), 170)
	}
	if t.hover.kind == topologyNode && t.hover.node == i {
		ground = draw.Mix(ground, text, 22)
		edge = draw.Mix(edge, text, 140)
	}
	return
}

// found reports whether the search looks for a node: by its name or its type.
func (t *Chart) found(i int32) bool {
	n := &t.graph.nodes[i]
	return t.Filter != "" && (format.ContainsFold(n.name, t.Filter) || format.ContainsFold(n.class, t.Filter))
}

// drawNode draws an element with its color at the left, its state at the top, its name, type, latency and
// ports, as far as they fit.
func (t *Chart) drawNode(env *panel.Env, i int32) {
	n, b, f, l := &t.graph.nodes[i], &t.layout.Boxes[i], &t.figures.nodes[i], t.List()
	r := t.camera.rect(b.X0, b.Y0, b.X1, b.Y1)
	r.X1, r.Y1 = max(r.X1, r.X0+2), max(r.Y1, r.Y0+2)
	if r.Intersect(t.regions.plot).Empty() && r.Inset(-env.Px(8)).Intersect(t.regions.plot).Empty() {
		return
	}
	t.labels.Take(r.Inset(-env.Px(2)))
	ground, edge, text, text2 := t.nodeColors(env, i)
	l.Rect(r, ground)
	strip := max(panel.Snap(4*min(t.camera.k(), 1.2*env.Scale)), env.Px(2))
	if r.W() > 3*strip {
		color := subject.ElementColor(env, n.object)
		if f.later || f.gone || t.Filter != "" && !t.found(i) {
			color = draw.Mix(draw.Color(env.Theme.Panel), color, 110)
		}
		l.Rect(draw.Rect{X0: r.X0, Y0: r.Y0, X1: r.X0 + strip, Y1: r.Y1}, color)
	}
	l.Outline(r, env.Px(1), edge)
	t.drawState(env, f, r)
	if f.thread != model.NoTrack && !t.NoThreads && !f.later && !f.gone {
		fill, _ := subject.ThreadColor(env, f.thread)
		l.Rect(draw.Rect{X0: r.X0, Y0: r.Y1 - max(panel.Snap(3*min(t.camera.k(), 1.2*env.Scale)), env.Px(2)), X1: r.X1,
			Y1: r.Y1}, fill)
	}
	if n.object == t.selected {
		l.Outline(r.Inset(-env.Px(2)), env.Px(2), draw.Color(env.Theme.Accent))
	}
	if t.found(i) {
		l.Outline(r.Inset(-env.Px(1)), env.Px(1), draw.Color(env.Theme.Accent))
	}
	t.drawNodeText(env, i, r, text, text2)
	t.drawPorts(env, i)
}

// drawState draws the state of an element or a bin: a line along its top.
func (t *Chart) drawState(env *panel.Env, f *nodeFigures, r draw.Rect) {
	if f.state != "" {
		t.List().Rect(draw.Rect{X0: r.X0, Y0: r.Y0, X1: r.X1, Y1: r.Y0 + env.Px(2)}, stateColor(env.Theme, f.state))
	}
}

// drawNodeText writes the text of a node, the most important first, in the rows that fit above its
// ports' names, or in all of it without these.
func (t *Chart) drawNodeText(env *panel.Env, i int32, r draw.Rect, text, text2 draw.Color) {
	n, f, l, k := &t.graph.nodes[i], &t.figures.nodes[i], t.List(), t.camera.k()
	box := r
	box.X0 += max(panel.Snap(9*k), env.Px(5))
	box.X1 -= max(panel.Snap(5*k), env.Px(2))
	face, small := draw.Medium, draw.Small
	rowH, smallH := env.Atlas.LineHeight(face), env.Atlas.LineHeight(small)
	box.Y0 += panel.Snap(topologyNamePad * k * 0.6)
	box.Y1 -= 1
	if t.portNames(env) {
		box.Y1 = min(r.Y1, r.Y0+panel.Snap((n.headUnits+2)*k))
	}
	if rowH > box.H() || t.camera.zoom < 0.75 || env.Atlas.Measure(face, t.nameOf(n)) > box.W() {
		face, rowH = small, smallH
	}
	name := t.nameOf(n)
	if rowH > box.H()+2 || box.W() < env.Px(14) && env.Atlas.Measure(face, name) > box.W() {
		return
	}
	latency := f.latencyN > 0
	lines := float32(1)
	room := box.H() - rowH
	below := "" // the second line of a name
	if at := n.breakAt(); name == n.name && room >= smallH-2 && env.Atlas.Measure(face, name) > box.W() {
		name, below = name[:at], name[at:]
		room -= smallH
		lines++
	}
	showLatency := latency && room >= smallH-2
	if showLatency {
		room -= smallH
		lines++
	}
	showClass := n.class != "" && n.name != "" && room >= smallH-1 && t.camera.zoom >= 0.6
	if showClass {
		lines++
	}
	if !t.portNames(env) { // everything in the middle
		free := box.H() - rowH - (lines-1)*smallH
		box.Y0 += panel.Snap(max(0, free) / 2)
	}
	row := draw.Rect{X0: box.X0, Y0: box.Y0, X1: box.X1, Y1: box.Y0 + rowH}
	if below != "" && l.TextFit(face, row, draw.Left, name, text) {
		row.Y0, row.Y1 = row.Y1, row.Y1+smallH
		l.NameIn(face, row, draw.Left, below, text)
	} else {
		t.names.Add(0, face, row, draw.Left, t.nameOf(n), text)
	}
	if showClass {
		row.Y0, row.Y1 = row.Y1, row.Y1+smallH
		l.TextIn(small, row, draw.Left, format.ClipName(n.class), text2)
	}
	if showLatency {
		row.Y0, row.Y1 = row.Y1, row.Y1+smallH
		t.buf = format.AppendDuration(t.buf[:0], int64(f.median+0.5))
		median := len(t.buf)
		if f.medianDeviation.Known {
			t.buf = f.medianDeviation.AppendDelta(append(t.buf, "  "...))
		} else {
			t.buf = format.AppendDuration(append(t.buf, "  p99 "...), int64(f.p99+0.5))
		}
		if !l.TextFit(small, row, draw.Left, panel.ScratchText(t.buf), text) {
			l.TextFit(small, row, draw.Left, panel.ScratchText(t.buf[:median]), text)
		}
		room = box.Y1 - row.Y1
	}
	if t.portNames(env) && n.counted && room >= smallH-2 {
		row.Y0, row.Y1 = row.Y1, row.Y1+smallH
		t.drawCounted(env, f, row, text2)
	}
}

// drawCounted writes how many buffers an element dropped, or how full it is, with a bar where there is
// room beside the words.
func (t *Chart) drawCounted(env *panel.Env, f *nodeFigures, row draw.Rect, quiet draw.Color) {
	l, th := t.List(), env.Theme
	switch {
	case f.dropped > 0:
		t.buf = append(format.AppendCount(t.buf[:0], int64(f.dropped)), " dropped"...)
		l.TextFit(draw.Small, row, draw.Left, panel.ScratchText(t.buf), draw.Color(th.Over))
	case f.fill.Known:
		c := format.Pick(f.fill.Full(), draw.Color(th.Over), quiet)
		t.buf = subject.AppendFill(t.buf[:0], &f.fill)
		if !l.TextFit(draw.Small, row, draw.Left, panel.ScratchText(t.buf), c) {
			return
		}
		bar := row
		bar.X0 += env.Atlas.Measure(draw.Small, panel.ScratchText(t.buf)) + env.Px(6)
		bar.Y0 = panel.Snap((row.Y0+row.Y1)/2 - env.Px(2))
		if bar.Y1 = bar.Y0 + env.Px(4); bar.W() < env.Px(12) {
			return
		}
		l.Rect(bar, draw.Color(th.Well))
		bar.X1 = panel.Snap(bar.X0 + bar.W()*float32(f.fill.Share()))
		l.Rect(bar, c)
	}
}

// portNames reports whether the picture is large enough for the names of ports.
func (t *Chart) portNames(env *panel.Env) bool {
	return topologyPortRow*t.camera.k() >= env.Atlas.LineHeight(draw.Small)-1
}

// drawPorts draws the ports of a node or frame, with their names where there is room.
func (t *Chart) drawPorts(env *panel.Env, i int32) {
	size := t.portSide()
	if size == 0 {
		return
	}
	n, b := &t.graph.nodes[i], &t.layout.Boxes[i]
	r := t.camera.rect(b.X0, b.Y0, b.X1, b.Y1)
	names := t.portNames(env)
	lineH := env.Atlas.LineHeight(draw.Small)
	half := (r.W() - size) / 2
	for _, side := range [...]Side{Left, Right} {
		in := side == Left
		list, heights, x := n.ports[side], b.Ports[side], r.X1
		if in {
			x = r.X0
		}
		for k := range list {
			y := t.camera.py(heights[k])
			if y < t.regions.plot.Y0-size || y > t.regions.plot.Y1+size {
				continue
			}
			t.drawPort(env, topologyThing{kind: topologyPort, node: i, side: side, port: int32(k)}, x, y, size)
			if !names {
				continue
			}
			room := half
			if k >= len(n.ports[Left+Right-side]) {
				room = r.W() - 2*size
			}
			if n.frame {
				room = panel.Snap(topologyNodeMost / 2 * t.camera.k())
			}
			name := draw.Rect{Y0: panel.Snap(y - lineH/2), Y1: panel.Snap(y-lineH/2) + lineH}
			al := draw.Left
			if in {
				name.X0, name.X1 = x+size, x+size+room
			} else {
				name.X0, name.X1 = x-size-room, x-size
				al = draw.Right
			}
			if n.frame { // the edge that goes on inside runs here: the name stands above it
				w := min(env.Atlas.Measure(draw.Small, format.ClipName(list[k].name)), room)
				up := panel.Snap(lineH/2) + env.Px(3)
				name.Y0, name.Y1 = name.Y0-up, name.Y1-up
				if in {
					name.X1 = name.X0 + w
				} else {
					name.X0 = name.X1 - w
				}
				if !t.labels.Free(name.Intersect(t.regions.plot)) {
					continue
				}
				t.labels.Take(name)
			}
			t.List().NameIn(draw.Small, name, al, format.ClipName(list[k].name), draw.Color(env.Theme.Text))
		}
	}
}

// drawPort draws the mark of a port: filled where something is linked.
func (t *Chart) drawPort(env *panel.Env, x topologyThing, cx, cy, side float32) {
	th := env.Theme
	p := t.graph.port(x)
	r := draw.Rect{X0: panel.Snap(cx - side/2), Y0: panel.Snap(cy - side/2)}
	r.X1, r.Y1 = r.X0+side, r.Y0+side
	color := draw.Mix(draw.Color(th.Panel), draw.Color(th.Text2), 220)
	if t.hover == x {
		color = draw.Color(th.Text)
	}
	if t.selected != model.NoObject && (p.object == t.selected || p.inner == t.selected) {
		color = draw.Color(th.Accent)
	}
	t.List().Rect(r, color)
	if side >= 5 {
		t.List().Rect(r.Inset(max(1, panel.Snap(side/5))), draw.Color(th.Panel))
	}
}

// drawFrame draws a bin behind its content.
func (t *Chart) drawFrame(env *panel.Env, i int32) {
	n, b, f, l, th := &t.graph.nodes[i], &t.layout.Boxes[i], &t.figures.nodes[i], t.List(), env.Theme
	r := t.camera.rect(b.X0, b.Y0, b.X1, b.Y1)
	if r.Intersect(t.regions.plot).Empty() {
		return
	}
	_, edge, text, text2 := t.nodeColors(env, i)
	l.Rect(r, draw.Color(th.Text).WithAlpha(topologyFrameTint))
	color := draw.Mix(draw.Color(th.Panel), edge, 190)
	if n.object == t.selected {
		l.Outline(r.Inset(-env.Px(1)), env.Px(2), draw.Color(th.Accent))
	} else {
		l.Outline(r, env.Px(1), color)
	}
	t.drawState(env, f, r)
	k := t.camera.k()
	head := draw.Rect{X0: r.X0, Y0: r.Y0, X1: r.X1, Y1: r.Y0 + panel.Snap(n.headUnits*k)}
	lineH := env.Atlas.LineHeight(draw.Small)
	if head.H() < lineH || head.W() < env.Px(24) {
		return
	}
	head.X0 += env.Px(8)
	head.X1 -= env.Px(6)
	// The name stays in sight while the frame is.
	head.X0 = max(head.X0, min(t.regions.plot.X0+env.Px(8), head.X1-env.Px(60)))
	face := format.Pick(t.camera.zoom < 0.75, draw.Small, draw.Medium)
	name := t.nameOf(n)
	w := min(env.Atlas.Measure(face, name), head.W())
	l.NameIn(face, head, draw.Left, name, text)
	taken := draw.Rect{X0: head.X0, Y0: head.Y0, X1: head.X0 + w, Y1: head.Y1}
	head.X0 += w + env.Px(8)
	if n.name != "" && head.W() > env.Px(30) {
		if l.TextIn(draw.Small, head, draw.Left, format.ClipName(n.class), text2) {
			taken.X1 = min(head.X0+env.Atlas.Measure(draw.Small, format.ClipName(n.class)), head.X1)
		}
	}
	t.labels.Take(taken)
}

// drawFoot draws the legend of colors and widths, as far as there is room: states, latency, edges.
func (t *Chart) drawFoot(env *panel.Env) {
	r, l, th := t.regions.foot, t.List(), env.Theme
	if r.Empty() {
		return
	}
	l.Rect(r, draw.Color(th.Panel))
	l.HLine(r.X0, r.X1, r.Y0, env.Px(1), draw.Color(th.Separator))
	g := subject.Legend{List: l, Env: env, Row: r}
	g.Row.X0, g.Row.X1 = r.X0+env.Px(9), r.X1-env.Px(9)
	text, dim := draw.Color(th.Text2), draw.Color(th.TextDim)
	if t.graph.left > 0 {
		t.buf = format.AppendCount(append(t.buf[:0], "the first "...), int64(len(t.graph.nodes)))
		t.buf = format.AppendCount(append(t.buf, " of "...), int64(len(t.graph.nodes)+t.graph.left))
		t.buf = append(t.buf, " elements"...)
		g.Add(panel.ScratchText(t.buf), draw.Color(th.Over), 0, nil)
	}
	for _, s := range t.figures.states {
		g.Swatch(format.ClipName(s), text, stateColor(th, s))
	}
	if t.figures.base.Against != nil {
		g.Swatch("faster than the baseline", text, draw.Color(th.Faster))
		g.Swatch("slower", text, draw.Color(th.Slower))
	} else if t.figures.hottest > 0 {
		const barPx = 48
		t.buf = format.AppendDuration(append(t.buf[:0], "median latency, 0 – "...), int64(t.figures.hottest+0.5))
		g.Add(panel.ScratchText(t.buf), text, barPx, func(b draw.Rect) { drawHeat(l, th, b) })
	}
	if t.figures.threads && !t.NoThreads {
		g.Add("bottom edge: the thread that pushes", text, 0, nil)
	}
	if len(t.graph.edges) == 0 {
		g.Add("in the order of definition: no links were received, they come with GST_TRACERS=stats", dim, 0, nil)
	} else if t.graph.flows > 0 {
		g.Add("edges: wide for many buffers, vivid for many bytes", dim, 0, nil)
		if t.figures.filled {
			g.Add("in a queue: its buffers, median and most", dim, 0, nil)
		}
	}
}

// drawHeat draws the colors of latencies, from none to the greatest.
func drawHeat(l *draw.List, th *assets.Theme, b draw.Rect) {
	const steps = 24
	for i := range steps {
		x0, x1 := panel.Snap(b.X0+b.W()*float32(i)/steps), panel.Snap(b.X0+b.W()*float32(i+1)/steps)
		h := math.Sqrt((float64(i) + 0.5) / steps)
		l.Rect(draw.Rect{X0: x0, Y0: b.Y0, X1: x1, Y1: b.Y1}, draw.Mix(draw.Color(th.Button), heatColor(th, h),
			uint8(60+120*h)))
	}
}
