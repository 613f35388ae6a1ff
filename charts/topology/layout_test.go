package topology

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"framescope/internal/testkit"
)

// usual are distances.
var usual = Options{GapX: 80, GapY: 22}

// chain returns n nodes, each linked to the next.
func chain(n int) *Graph {
	g := &Graph{}
	for i := range n {
		g.Nodes = append(g.Nodes, Node{Key: int64(i), Parent: -1, W: 100, H: 50, Ports: [2][]Port{Left: {{Y: 30}}, Right: {{Y: 30}}}})
		if i > 0 {
			g.Edges = append(g.Edges, edge(i-1, 0, i, 0))
		}
	}
	return g
}

func edge(u, pu, v, pv int) Edge {
	return Edge{From: End{Node: int32(u), Port: int32(pu)}, To: End{Node: int32(v), Port: int32(pv), Side: Left}}
}

func TestChainIsStraight(t *testing.T) {
	g := chain(6)
	l := Lay(g, usual, nil)
	for i := 1; i < 6; i++ {
		testkit.That(t, l.Boxes[i].Y0 == l.Boxes[0].Y0 && l.Boxes[i].X0 == l.Boxes[i-1].X1+80,
			"node %d at %v after %v", i, l.Boxes[i], l.Boxes[i-1])
	}
	for e, c := range l.Curves {
		want := Curve{From: Point{float32(100 + e*180), 30}, To: Point{float32((e + 1) * 180), 30}}
		testkit.NoDiff(t, cmp.Diff(want, c), "curve %d", e)
	}
	testkit.That(t, l.W == 6*100+5*80 && l.H == 50, "size %v x %v", l.W, l.H)
}

// Three branches leave a fork in the order of its ports, are in the middle of it, and join again
// without a crossing.
func TestForkInOrderOfPorts(t *testing.T) {
	g := &Graph{Nodes: []Node{
		{Key: 0, Parent: -1, W: 80, H: 80, Ports: [2][]Port{Right: {{Y: 20}, {Y: 40}, {Y: 60}}}},
		{Key: 1, Parent: -1, W: 80, H: 40, Ports: [2][]Port{Left: {{Y: 20}}, Right: {{Y: 20}}}},
		{Key: 2, Parent: -1, W: 80, H: 40, Ports: [2][]Port{Left: {{Y: 20}}, Right: {{Y: 20}}}},
		{Key: 3, Parent: -1, W: 80, H: 40, Ports: [2][]Port{Left: {{Y: 20}}, Right: {{Y: 20}}}},
		{Key: 4, Parent: -1, W: 80, H: 80, Ports: [2][]Port{Left: {{Y: 20}, {Y: 40}, {Y: 60}}}},
	}}
	// The edges come in an order that is none of the ports'.
	g.Edges = []Edge{edge(0, 2, 1, 0), edge(0, 0, 2, 0), edge(0, 1, 3, 0), edge(1, 0, 4, 2), edge(3, 0, 4, 1), edge(2, 0, 4, 0)}
	l := Lay(g, usual, nil)
	testkit.That(t, l.Boxes[2].Y1 < l.Boxes[3].Y0 && l.Boxes[3].Y1 < l.Boxes[1].Y0,
		"branches at %v, %v, %v", l.Boxes[2], l.Boxes[3], l.Boxes[1])
	mid := l.Boxes[3].Y0 + 20
	testkit.That(t, mid == l.Boxes[0].Y0+40 && mid == l.Boxes[4].Y0+40,
		"middle branch at %v, fork %v, join %v", mid, l.Boxes[0], l.Boxes[4])
}

// What a node or an edge more does to a layout: nothing to the order of the others.
func TestOldOrderIsKept(t *testing.T) {
	g := &Graph{}
	add := func(port int) int {
		i := len(g.Nodes)
		g.Nodes = append(g.Nodes, Node{Key: int64(i), Parent: -1, W: 60, H: 30, Ports: [2][]Port{Left: {{Y: 15}}, Right: make([]Port, port)}})
		for k := range port {
			g.Nodes[i].Ports[Right][k].Y = 15
		}
		return i
	}
	root := add(1)
	for i := range 8 {
		a := add(1)
		b := add(1)
		g.Edges = append(g.Edges, edge(root, 0, a, 0), edge(a, 0, b, 0))
		_ = i
	}
	before := Lay(g, usual, nil)
	// A second root of which nothing is known, at the front of the list; it goes to a branch in the
	// middle.
	g.Nodes = append([]Node{{Key: 99, Parent: -1, W: 60, H: 30, Ports: [2][]Port{Right: {{Y: 15}}}}}, g.Nodes...)
	for i := range g.Edges {
		g.Edges[i].From.Node++
		g.Edges[i].To.Node++
	}
	g.Edges = append([]Edge{edge(0, 0, 10, 0)}, g.Edges...)
	after := Lay(g, usual, before)
	for i := range before.Boxes {
		for j := range before.Boxes {
			testkit.That(t, before.Boxes[i].X0 != before.Boxes[j].X0 || before.Boxes[i].Y0 >= before.Boxes[j].Y0 ||
				after.Boxes[i+1].Y0 < after.Boxes[j+1].Y0, "%d was above %d and is not", i, j)
		}
	}
	again := Lay(g, usual, after)
	testkit.NoDiff(t, cmp.Diff(after.Boxes, again.Boxes), "the same again differs")
}

// A bin with ghost pads: from outside in, through, and out again.
func TestFrameWithPorts(t *testing.T) {
	g := chain(4)
	g.Nodes = append(g.Nodes, Node{Key: 9, Parent: -1, Head: 20, Ports: [2][]Port{Left: {{W: 30}}, Right: {{W: 30}}}})
	g.Nodes[1].Parent, g.Nodes[2].Parent = 4, 4
	sink, src := End{Node: 4, Port: 0, Side: Left}, End{Node: 4, Port: 0}
	g.Edges = []Edge{
		{From: g.Edges[0].From, To: sink}, {From: sink, To: g.Edges[0].To}, g.Edges[1],
		{From: g.Edges[2].From, To: src}, {From: src, To: g.Edges[2].To},
	}
	l := Lay(g, usual, nil)
	check(t, g, l)
	f := l.Boxes[4]
	for e, want := range [][2]float32{{l.Boxes[0].X1, f.X0}, {f.X0, l.Boxes[1].X0}, {l.Boxes[1].X1, l.Boxes[2].X0}, {l.Boxes[2].X1, f.X1}, {f.X1, l.Boxes[3].X0}} {
		c := l.Curves[e]
		testkit.That(t, c.From.X == want[0] && c.To.X == want[1] && c.From.Y == c.To.Y,
			"edge %d: %v, want from %v to %v, level", e, c, want[0], want[1])
	}
}

// An edge that crosses borders without ports there is one curve, and level.
func TestEdgeThroughBorders(t *testing.T) {
	g := chain(2)
	for i := range 6 {
		g.Nodes = append(g.Nodes, Node{Key: int64(10 + i), Parent: -1})
	}
	g.Nodes[0].Parent, g.Nodes[2].Parent, g.Nodes[3].Parent = 2, 3, 4
	g.Nodes[1].Parent, g.Nodes[5].Parent, g.Nodes[6].Parent = 5, 6, 7
	l := Lay(g, usual, nil)
	check(t, g, l)
	c := l.Curves[0]
	testkit.That(t, c.From.X == l.Boxes[0].X1 && c.To.X == l.Boxes[1].X0 && c.From.Y == c.To.Y,
		"%v between %v and %v", c, l.Boxes[0], l.Boxes[1])
}

func TestCyclesAndLoopsTurnBack(t *testing.T) {
	g := chain(3)
	g.Edges = append(g.Edges, edge(2, 0, 0, 0), edge(1, 0, 1, 0))
	l := Lay(g, usual, nil)
	check(t, g, l)
	for _, e := range []int{2, 3} {
		c := l.Curves[e]
		low := c.At(0.5).Y
		testkit.That(t, low > l.Boxes[1].Y1 && low <= l.H && c.At(0) == c.From && c.At(1) == c.To,
			"edge %d does not go around: %v, at most %v", e, c, low)
	}
}

// nested returns the nodes in each frame, those in none first.
func nested(g *Graph) [][]int {
	l := &layouter{g: g, items: make([]item, len(g.Nodes)+1)}
	l.root = &l.items[len(g.Nodes)]
	l.nest(nil)
	list := make([][]int, len(g.Nodes)+1)
	at := map[*item]int{l.root: 0}
	for i := range g.Nodes {
		at[&l.items[i]] = i + 1
	}
	for i := range g.Nodes {
		frame := at[l.items[i].parent]
		list[frame] = append(list[frame], i)
	}
	return list
}

// check tells what must hold of every layout.
func check(t testkit.T, g *Graph, l *Layout) {
	t.Helper()
	for level, list := range nested(g) {
		for i, a := range list {
			b := l.Boxes[a]
			for _, v := range []float32{b.X0, b.Y0, b.X1, b.Y1} {
				testkit.MustThat(t, !math.IsNaN(float64(v)) && !math.IsInf(float64(v), 0), "node %d at %v", a, b)
			}
			if level > 0 {
				f := l.Boxes[level-1]
				testkit.MustThat(t, b.X0 >= f.X0 && b.Y0 >= f.Y0 && b.X1 <= f.X1 && b.Y1 <= f.Y1,
					"node %d at %v is not in its frame %d at %v", a, b, level-1, f)
			} else if b.X0 < 0 || b.Y0 < 0 || b.X1 > l.W || b.Y1 > l.H {
				t.Fatalf("node %d at %v is outside %v x %v", a, b, l.W, l.H)
			}
			if len(list) > 400 {
				continue
			}
			for _, c := range list[i+1:] {
				o := l.Boxes[c]
				testkit.MustThat(t, b.X0 >= o.X1 || o.X0 >= b.X1 || b.Y0 >= o.Y1 || o.Y0 >= b.Y1,
					"nodes %d at %v and %d at %v overlap", a, b, c, o)
			}
		}
	}
	end := func(e End) (p Point, certain bool) {
		b := l.Boxes[e.Node]
		p.X, p.Y = b.X1, -1
		list := b.Ports[e.Side]
		if e.Side == Left {
			p.X = b.X0
		}
		if e.Port >= 0 && int(e.Port) < len(list) {
			p.Y = list[e.Port]
			return p, true
		}
		return p, false
	}
	for i, c := range l.Curves {
		e := &g.Edges[i]
		for k, x := range []End{e.From, e.To} {
			p := []Point{c.From, c.To}[k]
			want, certain := end(x)
			testkit.MustThat(t, p.X == want.X && (!certain || p.Y == want.Y),
				"edge %d (%+v) ends at %v, its port is at %v", i, e, p, want)
		}
		for _, u := range []float32{0, 0.3, 1} {
			p := c.At(u)
			testkit.MustThat(t, !math.IsNaN(float64(p.X+p.Y)) && !math.IsInf(float64(p.X+p.Y), 0), "curve %d: %v", i, c)
		}
	}
}

// hostile draws any graph at all.
func hostile(t *rapid.T) *Graph {
	g := &Graph{}
	n := rapid.IntRange(1, 40).Draw(t, "nodes")
	ports := func(name string) (list []Port) {
		for range rapid.IntRange(0, 3).Draw(t, name) {
			list = append(list, Port{Y: rapid.Float32Range(-5, 90).Draw(t, "y"), W: rapid.Float32Range(0, 60).Draw(t, "w")})
		}
		return list
	}
	for i := range n {
		g.Nodes = append(g.Nodes, Node{
			Key: int64(i), Parent: int32(rapid.IntRange(-8, n).Draw(t, "parent")), W: rapid.Float32Range(0, 150).Draw(t, "w"), H: rapid.Float32Range(0, 90).Draw(t, "h"),
			Head: rapid.Float32Range(-3, 30).Draw(t, "head"), Ports: [2][]Port{Left: ports("in"), Right: ports("out")},
		})
	}
	end := func(name string) End {
		return End{Node: int32(rapid.IntRange(0, n-1).Draw(t, name)), Port: int32(rapid.IntRange(-1, 3).Draw(t, "port")), Side: Side(rapid.IntRange(0, 1).Draw(t, "side"))}
	}
	for range rapid.IntRange(0, 60).Draw(t, "edges") {
		g.Edges = append(g.Edges, Edge{From: end("from"), To: end("to")})
	}
	return g
}

func TestAnyGraph(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := hostile(t)
		l := Lay(g, usual, nil)
		check(t, g, l)
		testkit.MustNoDiff(t, cmp.Diff(l, Lay(g, usual, nil), cmp.AllowUnexported(Layout{})), "not the same again")
		check(t, g, Lay(g, usual, l))
	})
}

// Without cycles every edge goes to a rank farther right.
func TestRanksAscend(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(2, 60).Draw(t, "nodes")
		g := &Graph{}
		for i := range n {
			g.Nodes = append(g.Nodes, Node{Key: int64(i), Parent: -1, W: rapid.Float32Range(10, 200).Draw(t, "w"), H: 30, Ports: [2][]Port{Left: {{Y: 10}}, Right: {{Y: 20}}}})
		}
		for range rapid.IntRange(1, 90).Draw(t, "edges") {
			v := rapid.IntRange(1, n-1).Draw(t, "to")
			g.Edges = append(g.Edges, edge(rapid.IntRange(0, v-1).Draw(t, "from"), 0, v, 0))
		}
		l := Lay(g, usual, nil)
		check(t, g, l)
		for i, e := range g.Edges {
			testkit.MustThat(t, l.Boxes[e.To.Node].X0 > l.Boxes[e.From.Node].X1,
				"edge %d goes from %v to %v", i, l.Boxes[e.From.Node], l.Boxes[e.To.Node])
		}
	})
}

// Graphs that are large or made to hurt end, within bounds of work and memory.
func TestHostileGraphsEnd(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	n, complete := testkit.Rounds(800, 5000), testkit.Rounds(60, 150)
	graphs := map[string]*Graph{"chain": chain(n), "complete": chain(complete)}
	for i := range complete {
		for j := range complete {
			graphs["complete"].Edges = append(graphs["complete"].Edges, edge(i, 0, j, 0))
		}
	}
	random := chain(n)
	for range 4 * n {
		random.Edges = append(random.Edges, edge(rng.IntN(n), 0, rng.IntN(n), 0))
	}
	graphs["random"] = random
	deep := chain(n)
	for i := range deep.Nodes {
		deep.Nodes[i].Parent = int32(i) - 1
	}
	for range n / 10 {
		deep.Edges = append(deep.Edges, edge(rng.IntN(n), 0, rng.IntN(n), 0))
	}
	graphs["nested deep"] = deep
	ring := chain(n)
	for i := range ring.Nodes {
		ring.Nodes[i].Parent = int32(i+1) % int32(n)
	}
	graphs["parents in a ring"] = ring
	star := chain(n)
	star.Edges = nil
	for i := 1; i < n; i++ {
		star.Edges = append(star.Edges, edge(0, 0, i, 0))
	}
	graphs["star"] = star
	loose := chain(n)
	loose.Edges = nil
	graphs["without edges"] = loose
	pairs := chain(n)
	pairs.Edges = nil
	for i := 0; i < n; i += 2 {
		pairs.Edges = append(pairs.Edges, edge(i, 0, i+1, 0))
	}
	graphs["pairs"] = pairs
	big := chain(3)
	big.Nodes[1].W, big.Nodes[1].H, big.Nodes[2].H = float32(math.Inf(1)), float32(math.NaN()), -4
	graphs["odd sizes"] = big
	for name, g := range graphs {
		t.Run(name, func(t *testing.T) {
			l := Lay(g, usual, nil)
			check(t, g, l)
			check(t, g, Lay(g, usual, l))
		})
	}
}
