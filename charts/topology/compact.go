package topology

import (
	"strings"
	"unicode"

	"framescope/charts/draw"
	"framescope/charts/panel"
)

// Compact nodes have their names, and the time that things took in them. A picture that is shown
// whole may be far away, and letters do not become smaller with it: so a compact node is as large
// as its words are at the zoom that shows all, a long name stands in two lines, and the rest of the
// room goes to the gaps between the nodes.

const (
	// topologyCompactFarthest is the zoom that compact nodes are made for at least: farther away
	// there is no room between them, and their names are cut.
	topologyCompactFarthest = 0.3
	// topologyCompactMost is how many nodes a graph has at most for which layouts at several zooms are
	// tried.
	topologyCompactMost = 200
	// topologyCompactName is how wide a name is at most that stands in one line, in scale-1 pixels.
	topologyCompactName = 52
	topologyCompactPadX = 11
	topologyCompactPadY = 6
	topologyCompactLine = 13
)

// layCompact lays the graph out with compact nodes, for the nearest zoom that shows all of it. The
// width of a layout is that of words, which goes with 1/zoom, plus that of gaps: two layouts give
// both parts.
func (t *Chart) layCompact(env *panel.Env) *Layout {
	g := &t.graph
	at := func(zoom float64) *Layout {
		g.compactZoom = float32(zoom)
		g.setCompact(env, true)
		return Lay(&g.graph, g.distances(), t.layout)
	}
	near := at(1)
	if len(g.nodes) > topologyCompactMost || t.camera.fitOf(env, float64(near.W), float64(near.H)) >= 1 {
		return near
	}
	const half = 0.5
	far := at(half)
	width, height := t.camera.half(1)
	zoom := 1.0
	for _, d := range [...]struct{ room, near, far float64 }{
		{2*width - 2*topologyMargin, float64(near.W), float64(far.W)},
		{2*height - 2*topologyMargin, float64(near.H), float64(far.H)},
	} {
		words := d.far - d.near
		zoom = min(zoom, (d.room-words)/max(d.near-words, 1))
	}
	for range 4 {
		if zoom <= topologyCompactFarthest {
			break
		}
		l := at(zoom)
		if fits := t.camera.fitOf(env, float64(l.W), float64(l.H)); fits >= zoom*0.99 {
			return l
		}
		zoom *= 0.9
	}
	return at(topologyCompactFarthest)
}

// measureCompact returns the size of a compact node, in units of the layout.
func (g *topologyGraph) measureCompact(env *panel.Env, n *topologyNodeInfo) (w, h float32) {
	wide := func(s string) float32 { return env.Atlas.Measure(draw.Small, s) / env.Scale }
	lines := float32(1)
	w = wide(n.name)
	if w > topologyCompactName {
		at := n.breakAt()
		w, lines = max(wide(n.name[:at]), wide(n.name[at:])), 2
	}
	if g.latency {
		lines++
	}
	if len(n.latency) > 0 {
		w = max(w, wide("88.8 ms"))
	}
	w, h = w+topologyCompactPadX, lines*topologyCompactLine+topologyCompactPadY
	return min(w, topologyNodeMost) / g.compactZoom, h / g.compactZoom
}

// breakAt returns where a name is parted into two lines: between two words nearest to the middle,
// else in the middle. Elements are called like their type, in which the words begin with capitals.
func (n *topologyNodeInfo) breakAt() int {
	name, best := n.name, len(n.name)/2
	for best > 0 && best < len(name) && name[best]&0xc0 == 0x80 {
		best++
	}
	far := len(name)
	try := func(at int) {
		if d := max(at, len(name)-at); at >= 2 && at <= len(name)-2 && d < far && d*3 <= len(name)*2 {
			best, far = at, d
		}
	}
	for i := 1; i < len(name); i++ {
		if strings.IndexByte("-_.:/", name[i-1]) >= 0 {
			try(i)
		}
	}
	class := strings.TrimPrefix(n.class, "Gst")
	if len(class) <= len(name) && strings.EqualFold(class, name[:len(class)]) {
		for i, c := range class {
			if unicode.IsUpper(c) {
				try(i)
			}
		}
	}
	return best
}
