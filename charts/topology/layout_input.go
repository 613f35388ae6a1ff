package topology

// Point is a place in the layout, in the units of the sizes that were given; y goes down.
type Point struct{ X, Y float32 }

// Port is a place at the side of a node where edges end.
type Port struct {
	Y float32 // from the top of the node; of a frame it is not read, the layout decides
	W float32 // of a port of a frame: room for its name, inside the frame
}

// Side is a side of a node.
type Side uint8

// The sides: edges to the right begin at a right side and end at a left one.
const (
	Right Side = iota
	Left
)

// Node is a box of a graph.
type Node struct {
	Key    int64     // identifies the node in a later layout
	Parent int32     // index of the frame that it is in, -1 none. A node that others name as their parent is a frame.
	W, H   float32   // size; of a frame the least one
	Head   float32   // of a frame: room above its content
	Ports  [2][]Port // by side, from top to bottom; those of a frame may be put in another order
}

// End is where an edge begins or ends.
type End struct {
	Node int32
	Port int32 // index into the ports of the side, -1 for no certain one
	Side Side
}

// Edge goes from one end to another. A port of a frame that is linked with something in the frame
// is used from inside, otherwise from outside.
type Edge struct {
	Key      int64 // identifies the edge in a later layout
	From, To End
}

// Graph is the input of a layout. It is untrusted: parents may form cycles (which are cut), ends
// may name nodes or ports that do not exist (such edges get no route, such ports are the middle of
// the side).
type Graph struct {
	Nodes []Node
	Edges []Edge
}

// Options are distances.
type Options struct {
	GapX    float32 // between ranks
	GapY    float32 // between the nodes of a rank
	EdgeGap float32 // between edges that pass a rank
}

// Box is where a node lies. Ports are the heights of its ports by side, absolute.
type Box struct {
	X0, Y0, X1, Y1 float32
	Ports          [2][]float32
}

// Layout is a graph that was laid out.
type Layout struct {
	W, H  float32
	Boxes []Box // by node
	// Routes has the corners of each edge from end to end. Between corners of different heights lies
	// a curve that is level at both of them. An edge without a route has none.
	Routes    [][]Point
	Crossings int // of edges between neighbouring ranks

	nodeOf map[int64]int32
	bends  map[int64][]float32 // by edge: the heights in which it passes ranks
}

// At returns the point at u, 0…1, of the way from corner i of a route to the next.
func At(route []Point, i int, u float32) Point {
	a, b := route[i], route[i+1]
	if a.Y == b.Y {
		return Point{a.X + (b.X-a.X)*u, a.Y}
	}
	return Point{a.X + (b.X-a.X)*u*(1.5-1.5*u+u*u), a.Y + (b.Y-a.Y)*u*u*(3-2*u)}
}
