package topology

import (
	"fmt"
	"hash/fnv"
	"strings"
	"unicode"

	"framescope/charts/draw"
	"framescope/charts/format"
	"framescope/charts/panel"
	"framescope/model"
	"framescope/model/store"
)

// maxTopologyNodes bounds the picture; the number of further ones is shown.
const maxTopologyNodes = 20_000

// Sizes of nodes in units of the layout: scale-1 pixels at 100 %.
const (
	topologyNodeLeast = 92
	topologyTimeLeast = 130 // of nodes with a latency, so that mean and maximum fit
	topologyNodeMost  = 196
	topologyNamePad   = 5
	topologyNameRow   = 17
	topologySmallRow  = 14
	topologyPortRow   = 15
	topologyFrameHead = 24
)

// topologyGraph is the objects and links of a session as a graph.
type topologyGraph struct {
	session *store.Session
	defs    uint64
	builtNs int64
	sum     uint64 // of everything that the layout depends on
	atlas   *draw.Atlas

	nodes  []topologyNodeInfo
	edges  []topologyEdgeInfo
	frames []int32          // the nodes that are frames
	before []model.ObjectID // the objects of the nodes of the layout before
	nodeOf map[model.ObjectID]int32
	ends   []End // by object: where links to it end
	left   int   // elements beyond the limit
	// latency: nodes have a row for it.
	latency bool
	flows   int // edges with a flow series
	graph   Graph
}

// topologyNodeInfo is the data of a node.
type topologyNodeInfo struct {
	object             model.ObjectID
	frame              bool
	name, class        string
	ports              [2][]topologyPortInfo // by side
	latency            []model.SeriesID      // times of things in it
	through            []model.SeriesID      // times of things from here to another object
	reported, activity []model.SeriesID
	state              model.SeriesID
	headUnits          float32
	counted            bool // the number of buffers in it, or dropped, is known
}

// topologyPortInfo is a pad. inner is the pad behind a ghost pad, by which it is linked inside.
type topologyPortInfo struct {
	object, inner model.ObjectID
	name          string
}

// topologyEdgeInfo is the links from one pad to another. Links that were made again after they had
// been taken apart are one edge.
type topologyEdgeInfo struct {
	from, to model.ObjectID
	links    []model.LinkID
	flows    []model.SeriesID
	// between a port of a bin and something in the bin: the same goes over the edge outside, which has the label
	inside bool
}

// due reports whether definitions came since the graph was made, and it is time to look at them.
func (g *topologyGraph) due(env *panel.Env) bool {
	s := env.View.Session()
	if s != g.session {
		return true
	}
	if s.DefsRevision() == g.defs && g.atlas == env.Atlas {
		return false
	}
	wait := int64(60_000_000) + int64(len(g.nodes)+len(g.edges))*100_000
	return !env.Paced || g.atlas != env.Atlas || env.NowNs-g.builtNs >= wait
}

// refresh makes the graph anew. It reports whether it must be laid out anew.
func (g *topologyGraph) refresh(env *panel.Env) bool {
	s := env.View.Session()
	if g.session != s {
		*g = topologyGraph{session: s}
	}
	g.builtNs = env.NowNs
	g.defs = s.DefsRevision()
	g.before = g.before[:0]
	for i := range g.nodes {
		g.before = append(g.before, g.nodes[i].object)
	}
	g.addNodes(s)
	g.addPorts(s)
	g.addEdges(s)
	g.addSeries(s)
	g.setGraph(env)
	sum := g.checksum()
	changed := sum != g.sum || g.atlas != env.Atlas
	g.sum, g.atlas = sum, env.Atlas
	return changed
}

// addNodes makes a node of each element and bin, and of linked pads without a known element.
func (g *topologyGraph) addNodes(s *store.Session) {
	objects := s.Topology().Objects()
	g.nodes, g.left = g.nodes[:0], 0
	g.nodeOf = make(map[model.ObjectID]int32, len(g.nodes))
	linked := map[model.ObjectID]bool{}
	for _, l := range s.Topology().Links() {
		linked[l.From], linked[l.To] = true, true
	}
	for i := range objects {
		o := &objects[i]
		switch o.Kind {
		case model.ObjectElement, model.ObjectBin:
		case model.ObjectPad, model.ObjectGhostPad:
			if !linked[o.ID] || g.owner(s, o.ID) != model.NoObject {
				continue
			}
		default:
			if !linked[o.ID] {
				continue
			}
		}
		if len(g.nodes) >= maxTopologyNodes {
			g.left++
			continue
		}
		g.nodeOf[o.ID] = int32(len(g.nodes))
		g.nodes = append(g.nodes, topologyNodeInfo{object: o.ID, name: o.Name, class: o.Type, state: model.NoSeries})
	}
	for i := range g.nodes {
		o, _ := s.Topology().Object(g.nodes[i].object)
		if p, ok := g.nodeOf[o.Parent]; ok && isNode(o.Kind) {
			g.nodes[p].frame = true
		}
	}
	g.frames = g.frames[:0]
	for i := range g.nodes {
		if g.nodes[i].frame {
			g.frames = append(g.frames, int32(i))
		}
	}
}

func isNode(k model.ObjectKind) bool {
	return k == model.ObjectElement || k == model.ObjectBin || k == model.ObjectOther
}

// owner returns the element of a pad, or of a pad of a pad; NoObject when it is not known.
func (g *topologyGraph) owner(s *store.Session, id model.ObjectID) model.ObjectID {
	for range 4 {
		o, ok := s.Topology().Object(id)
		if !ok {
			break
		}
		if o.Kind == model.ObjectElement || o.Kind == model.ObjectBin {
			return id
		}
		id = o.Parent
	}
	return model.NoObject
}

// addPorts gives each pad a place at its element. A bin has a ghost pad for its outside and a proxy
// pad behind it for its inside, of the other direction; they come in pairs, identified only by
// their order, and a pair is one port.
func (g *topologyGraph) addPorts(s *store.Session) {
	objects := s.Topology().Objects()
	g.ends = g.ends[:0]
	for range objects {
		g.ends = append(g.ends, End{Node: -1})
	}
	for id, i := range g.nodeOf {
		g.ends[id] = End{Node: i, Port: -1}
	}
	from := map[model.ObjectID]bool{}
	for _, l := range s.Topology().Links() {
		from[l.From] = true
	}
	// By side and node: pads that face the inside of a frame.
	inner := [2]map[int32][]model.ObjectID{{}, {}}
	for i := range objects {
		o := &objects[i]
		if o.Kind != model.ObjectPad && o.Kind != model.ObjectGhostPad {
			continue
		}
		node, ok := g.nodeOf[g.owner(s, o.ID)]
		if !ok {
			continue
		}
		side := Right
		if o.Direction == model.PadSink || o.Direction == model.PadUnknown && !from[o.ID] {
			side = Left
		}
		if g.nodes[node].frame && o.Kind == model.ObjectPad {
			inner[side][node] = append(inner[side][node], o.ID)
			continue
		}
		g.addPort(node, side, topologyPortInfo{object: o.ID, inner: model.NoObject, name: o.Name})
	}
	for i := range g.nodes {
		for _, side := range [...]Side{Right, Left} {
			faces := inner[Left+Right-side][int32(i)] // a pad that gives inside takes outside
			list := g.nodes[i].ports[side]
			for k, id := range faces {
				if len(list) == len(faces) {
					list[k].inner = id
					g.ends[id] = g.ends[list[k].object]
					continue
				}
				o, _ := s.Topology().Object(id)
				g.addPort(int32(i), side, topologyPortInfo{object: id, inner: model.NoObject, name: o.Name})
			}
		}
	}
}

func (g *topologyGraph) addPort(node int32, side Side, p topologyPortInfo) {
	list := &g.nodes[node].ports[side]
	g.ends[p.object] = End{Node: node, Port: int32(len(*list)), Side: side}
	*list = append(*list, p)
}

// end returns where links to an object end.
func (g *topologyGraph) end(id model.ObjectID) (End, bool) {
	if id < 0 || int(id) >= len(g.ends) || g.ends[id].Node < 0 {
		return End{}, false
	}
	return g.ends[id], true
}

// port returns the pad of a thing that is a port.
func (g *topologyGraph) port(x topologyThing) *topologyPortInfo {
	return &g.nodes[x.node].ports[x.side][x.port]
}

// addEdges makes an edge of all links between the same two ends.
func (g *topologyGraph) addEdges(s *store.Session) {
	g.edges = g.edges[:0]
	at := map[[2]model.ObjectID]int32{}
	for _, l := range s.Topology().Links() {
		if _, ok := g.end(l.From); !ok {
			continue
		}
		if _, ok := g.end(l.To); !ok {
			continue
		}
		key := [2]model.ObjectID{l.From, l.To}
		i, ok := at[key]
		if !ok {
			i = int32(len(g.edges))
			at[key] = i
			g.edges = append(g.edges, topologyEdgeInfo{from: l.From, to: l.To})
		}
		e := &g.edges[i]
		e.links = append(e.links, l.ID)
		if s.Series().ByID(l.Flow) != nil {
			e.flows = append(e.flows, l.Flow)
		}
	}
	// Flows without a named link are identified by their two ends.
	for id := range model.SeriesID(s.Series().Len()) {
		d := &s.Series().ByID(id).Def
		if d.Role != model.RoleFlow {
			continue
		}
		if i, ok := at[[2]model.ObjectID{d.Object, d.Peer}]; ok && len(g.edges[i].flows) == 0 {
			g.edges[i].flows = append(g.edges[i].flows, id)
		}
	}
	g.flows = 0
	for i := range g.edges {
		if len(g.edges[i].flows) > 0 {
			g.flows++
		}
	}
}

// addSeries notes the series of each node by their roles.
func (g *topologyGraph) addSeries(s *store.Session) {
	g.latency = false
	for id := range model.SeriesID(s.Series().Len()) {
		d := &s.Series().ByID(id).Def
		if d.Role == model.RoleNone || d.Object == model.NoObject {
			continue
		}
		i, ok := g.nodeOf[d.Object]
		if !ok {
			if i, ok = g.nodeOf[g.owner(s, d.Object)]; !ok {
				continue
			}
		}
		n := &g.nodes[i]
		switch d.Role {
		case model.RoleLatency:
			if d.Peer != model.NoObject && g.owner(s, d.Peer) != n.object {
				n.through = append(n.through, id)
				continue
			}
			n.latency = append(n.latency, id)
			g.latency = true
		case model.RoleReported:
			if !strings.HasSuffix(d.Group, " max") { // of the range of an element, a pipeline waits for the least
				n.reported = append(n.reported, id)
			}
		case model.RoleLevel:
			n.counted = n.counted || d.Unit == ""
		case model.RoleActivity:
			n.activity = append(n.activity, id)
		case model.RoleState:
			n.state = id
		}
	}
}

// setGraph makes the graph that is laid out.
func (g *topologyGraph) setGraph(env *panel.Env) {
	g.graph.Nodes, g.graph.Edges = g.graph.Nodes[:0], g.graph.Edges[:0]
	for i := range g.nodes {
		n := &g.nodes[i]
		o, _ := env.View.Session().Topology().Object(n.object)
		d := Node{Key: int64(n.object), Parent: -1}
		if p, ok := g.nodeOf[o.Parent]; ok && isNode(o.Kind) {
			d.Parent = p
		}
		g.measure(env, n, &d)
		g.graph.Nodes = append(g.graph.Nodes, d)
	}
	for i := range g.edges {
		e := &g.edges[i]
		from, _ := g.end(e.from)
		to, _ := g.end(e.to)
		if to.Port < 0 {
			to.Side = Left
		}
		e.inside = g.graph.Nodes[from.Node].Parent == to.Node || g.graph.Nodes[to.Node].Parent == from.Node
		g.graph.Edges = append(g.graph.Edges, Edge{From: from, To: to})
	}
}

// measure finds the size of a node and the places of its ports.
func (g *topologyGraph) measure(env *panel.Env, n *topologyNodeInfo, d *Node) {
	wide := func(face draw.Face, name string) float32 {
		return env.Atlas.Measure(face, format.ClipName(name)) / env.Scale
	}
	var portW [2]float32 // by side
	for side, ports := range n.ports {
		d.Ports[side] = make([]Port, len(ports))
		for k := range ports {
			portW[side] = max(portW[side], wide(draw.Small, ports[k].name)+14)
		}
	}
	var place func(side, k int) Port
	name, class := wide(draw.Medium, n.name), wide(draw.Small, n.class)
	n.headUnits = topologyNamePad + topologyNameRow
	if n.class != "" {
		n.headUnits += topologySmallRow
	}
	if g.latency {
		n.headUnits += topologySmallRow
	}
	if n.counted {
		n.headUnits += topologySmallRow
	}
	if n.frame {
		n.headUnits = topologyFrameHead
		d.Head = n.headUnits
		d.W, d.H = min(name+class, 2*topologyNodeMost)+44, 48
		place = func(side, _ int) Port { return Port{W: min(portW[side], topologyNodeMost/2)} }
	} else {
		least := float32(topologyNodeLeast)
		if len(n.latency) > 0 {
			least = topologyTimeLeast
		}
		rows := max(len(n.ports[0]), len(n.ports[1]))
		d.W = min(max(name+22, class+22, portW[0]+portW[1]+6, least), topologyNodeMost)
		d.H = n.headUnits + 3 + float32(rows)*topologyPortRow + topologyNamePad
		place = func(_, k int) Port { return Port{Y: n.headUnits + 3 + float32(k)*topologyPortRow + 7} }
	}
	for side, ports := range d.Ports {
		for k := range ports {
			ports[k] = place(side, k)
		}
	}
}

// checksum returns a hash of all inputs of the layout.
func (g *topologyGraph) checksum() uint64 {
	h := fnv.New64a()
	fmt.Fprint(h, g.graph)
	return h.Sum64()
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
