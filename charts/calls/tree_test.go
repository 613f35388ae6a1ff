package calls

import (
	"math/rand/v2"
	"strings"
	"testing"

	"framescope/charts/chartstest"
	"framescope/charts/panel"
	"framescope/charts/subject"
	"framescope/charts/table/tabletest"
	"framescope/charts/view"
	"framescope/internal/testkit"
	"framescope/model"
	"framescope/model/spans"
	"framescope/model/store"
)

// treeNames are the names of the rows on screen and beyond, indented.
func treeNames(rig *chartstest.Rig, c *Tree) []string {
	var out []string
	for _, r := range c.source.rows {
		out = append(out, strings.Repeat(" ", int(r.depth))+rig.Env.View.Session().Collector(c.source.nodes[r.node].collector).Name)
	}
	return out
}

// callTreeFixture is a session in which A calls B and C, B calls A again, and C calls B.
//
//	A 100: B 60: A 30
//	       C 30: B 20
func callTreeFixture() *store.Session {
	s := store.NewSession()
	for id, name := range []string{"All", "A", "B", "C"} {
		s.Apply(model.CollectorDef{ID: model.CollectorID(id), Name: name})
	}
	for i, p := range [][2]int{{0, 1}, {1, 2}, {2, 1}, {1, 3}, {4, 2}} { // parent, collector
		s.Apply(model.PathDef{ID: model.PathID(i + 1), Parent: model.PathID(p[0]), Collector: model.CollectorID(p[1])})
	}
	s.Apply(model.TrackDef{ID: 0, Name: "main"})
	s.Append(&model.Batch{Begin: 0, End: 100, Spans: []model.Span{
		{Begin: 0, End: 100, Path: 1}, {Begin: 0, End: 60, Path: 2, Lane: 1}, {Begin: 5, End: 35, Path: 3, Lane: 2}, {Begin: 60, End: 90, Path: 4, Lane: 1}, {Begin: 60, End: 80, Path: 5, Lane: 2},
	}})
	s.Apply(model.Info{File: true})
	return s
}

func TestCallTreeTopDown(t *testing.T) {
	rig := chartstest.NewRig(callTreeFixture(), 1, 700, 300)
	c := NewTree()
	rig.Tick(c)
	if got := strings.Join(treeNames(rig, c), ","); got != "A, B,  A, C" { // the heaviest path is unfolded
		t.Errorf("rows %q", got)
	}
	row := func(i int) callNode { return c.source.nodes[c.source.rows[i].node] }
	for i, want := range [][3]int64{{100, 10, 1}, {60, 30, 1}, {30, 30, 1}, {30, 10, 1}} {
		n := row(i)
		testkit.That(t, n.total == want[0] && n.self == want[1] && n.count == want[2],
			"row %d: %+v, want %v", i, n, want)
	}
	c.SetFilter("b")
	rig.Tick(c)
	testkit.Equal(t, strings.Join(treeNames(rig, c), ","), "A, B,  A, C,  B", "filtered: rows")
	c.SetFilter("c")
	rig.Tick(c)
	testkit.Equal(t, strings.Join(treeNames(rig, c), ","), "A, C", "filtered: rows")
}

func TestCallTreeBottomUp(t *testing.T) {
	rig := chartstest.NewRig(callTreeFixture(), 1, 700, 300)
	c := NewTree()
	c.BottomUp = true
	rig.Tick(c)
	testkit.Equal(t, strings.Join(treeNames(rig, c), ","), "A,B,C", "rows")
	// A runs within A: the inner call is part of the outer one's time, and has its own time itself.
	for i, want := range [][3]int64{{100, 40, 2}, {80, 50, 2}, {30, 10, 1}} {
		n := c.source.nodes[c.source.rows[i].node]
		testkit.That(t, n.total == want[0] && n.self == want[1] && n.count == want[2],
			"row %d: %+v, want %v", i, n, want)
	}
	c.source.heaviest(c.source.rows[1].node)
	rig.Tick(c)
	testkit.Equal(t, strings.Join(treeNames(rig, c), ","), "A,B, A, C,C", "rows")
	n := c.source.nodes[c.source.rows[2].node]
	testkit.That(t, n.total == 60 && n.self == 30, "B from A: %+v", n)
}

// Who asks for the callers of a method has them unfolded and the method in sight, whatever the panel
// showed before; so has who turns the tree over while a method is chosen.
func TestCallersOfAMethod(t *testing.T) {
	const b = model.CollectorID(2)
	for name, ask := range map[string]func(rig *chartstest.Rig, c *Tree){
		"never seen": func(rig *chartstest.Rig, c *Tree) { c.ShowCallers(rig.Env, b) },
		"top down":   func(rig *chartstest.Rig, c *Tree) { rig.Tick(c); c.ShowCallers(rig.Env, b) },
		"bottom up":  func(rig *chartstest.Rig, c *Tree) { c.BottomUp = true; rig.Tick(c); c.ShowCallers(rig.Env, b) },
		"by the switch": func(rig *chartstest.Rig, c *Tree) {
			rig.Tick(c)
			rig.Env.View.SelectCollector(b)
			c.Use(rig.Env, toolBottomUp, 0)
		},
	} {
		rig := chartstest.NewRig(callTreeFixture(), 1, 700, 300)
		c := NewTree()
		ask(rig, c)
		rig.Tick(c)
		if got := strings.Join(treeNames(rig, c), ","); got != "A,B, A, C,C" || rig.Env.View.Collector() != b {
			t.Errorf("%s: rows %q, %v is chosen", name, got, rig.Env.View.Collector())
		}
	}
}

func TestCallTreeClicks(t *testing.T) {
	rig := chartstest.NewRig(callTreeFixture(), 1, 700, 300)
	c := NewTree()
	rig.Tick(c)
	x, y := float32(60), c.table.RowRect(1).Y0+4
	rig.Click(c, x, y)
	testkit.That(t, rig.Env.View.Collector() == 2, "collector %d is selected", rig.Env.View.Collector())
	a := rig.DoubleClick(c, x, y)
	testkit.That(t, a.Kind == panel.ActionOpenFlame && a.Collector == 2, "a double click asks for %+v", a)
	rig.Click(c, c.table.HeadRect("name").X0+2, y-20) // the arrow of A
	testkit.Equal(t, strings.Join(treeNames(rig, c), ","), "A", "folded: rows")
	rig.DoubleClick(c, 500, y-20)
	testkit.Equal(t, strings.Join(treeNames(rig, c), ","), "A, B,  A, C", "the heaviest path: rows")
	// Sorted by name, the same column again turns it.
	rig.Click(c, x, c.table.Rect().Y0+5)
	rig.Click(c, x, c.table.Rect().Y0+5)
	testkit.Equal(t, strings.Join(treeNames(rig, c), ","), "A, C, B,  A", "by name, descending: rows")
}

// deepSession is one stack of 2,000 calls of one method.
func deepSession() *store.Session {
	s := store.NewSession()
	s.Apply(model.CollectorDef{ID: 0, Name: "All"})
	s.Apply(model.CollectorDef{ID: 1, Name: "Tree.walk()"})
	s.Apply(model.TrackDef{ID: 0, Name: "main"})
	b := model.Batch{}
	for i := range 2000 {
		s.Apply(model.PathDef{ID: model.PathID(i + 1), Parent: model.PathID(i), Collector: 1})
		b.Spans = append(b.Spans, model.Span{Begin: int64(i), End: 5000, Path: model.PathID(i + 1), Lane: uint16(i)})
	}
	b.End = 5000
	s.Append(&b)
	s.Apply(model.Info{File: true})
	return s
}

func TestCallTreeOfDeepStacks(t *testing.T) {
	rig := chartstest.NewRig(deepSession(), 1, 700, 240)
	c := NewTree()
	rig.Tick(c)
	c.source.heaviest(c.source.roots[0])
	rig.Tick(c)
	testkit.That(t, len(c.source.rows) >= 1000, "%d rows", len(c.source.rows))
	for range 200 {
		rig.In = panel.Input{X: 300, Y: 150, Over: true, WheelY: -20}
		rig.Tick(c)
	}
	rig.In = panel.Input{}
	rig.Check(t, c, "calltree_deep")
	q := c.List().Quads()
	testkit.That(t, q <= 2000, "%d quads for a screenful of rows", q)
	c.BottomUp = true
	rig.Tick(c)
	n := c.source.nodes[c.source.roots[0]]
	testkit.That(t, len(c.source.roots) == 1 && n.total == 5000 && n.self == 5000,
		"recursive calls add up to %d, itself %d", n.total, n.self)
}

func TestCallTreePictures(t *testing.T) {
	s := chartstest.LoadFlare(t, "recorded-60s")
	look := func(name string, light bool, set func(rig *chartstest.Rig, c *Tree)) chartstest.Look {
		c := NewTree()
		return chartstest.Look{Name: name, S: s, W: 760, H: 330, Panel: c, Light: light, Set: func(rig *chartstest.Rig) {
			rig.Env.View.SelectRange(10e9, 50e9)
			rig.Tick(c)
			set(rig, c)
			rig.Tick(c)
		}}
	}
	chartstest.Titled(t,
		look("calltree", false, func(*chartstest.Rig, *Tree) {}),
		look("calltree_light", true, func(rig *chartstest.Rig, _ *Tree) { rig.Env.View.Look().SetMeasure(spans.MeasureCPU) }),
		look("calltree_bottom_up", false, func(rig *chartstest.Rig, c *Tree) {
			rig.Env.View.Look().SetMeasure(spans.MeasureSamples)
			c.BottomUp = true
			rig.Tick(c)
			c.source.heaviest(c.source.rows[0].node)
		}),
		look("calltree_filter", true, func(_ *chartstest.Rig, c *Tree) { c.SetFilter("park") }),
		look("calltree_nothing", false, func(_ *chartstest.Rig, c *Tree) { c.SetFilter("nobody") }),
		chartstest.Look{Name: "calltree_game", S: chartstest.NewSession(t), W: 420, H: 260, Scale: 2, Panel: NewTree(),
			Set: chartstest.Selected(100, 110)})
}

// Of frames the call tree is of the thread, as the flame graph, up to when one asks for all threads; its
// head says which, and first, so that a narrow one does, too.
func TestCallTreeOfFramesIsOfTheThread(t *testing.T) {
	rig := chartstest.NewRig(chartstest.NewSession(t), 1, 320, 300)
	v, c := rig.Env.View, NewTree()
	v.GoToFrame(3)
	rig.Tick(c)
	thread, all := v.Session().Track(v.Track()).Title(), subject.AllThreads(v)
	one := c.source.tree.Total
	mode := c.Mode(rig.Env)
	testkit.That(t, strings.HasPrefix(mode, thread+" · range of "), "the head is %q", mode)
	c.Use(rig.Env, toolTracks, 0)
	rig.Tick(c)
	if mode := c.Mode(rig.Env); !strings.HasPrefix(mode, all+" · range of ") || c.source.tree.Total <= one {
		t.Errorf("the head is %q, the total %d, of the thread %d", mode, c.source.tree.Total, one)
	}
	c.Use(rig.Env, toolTracks, 0)
	testkit.That(t, !c.all(rig.Env), "the switch does not lead back")
}

// While a baseline is pinned the tree of one thread and the longest calls say by how much they are off it.
func TestGoldenBaseline(t *testing.T) {
	rig := func() *chartstest.Rig {
		rig := chartstest.NewComparedRig(1, 760, 220)
		before, _ := rig.Env.Comparing.Marked(view.SideA)
		rig.Env.Comparing.Pin(before)
		for rig.Env.Comparing.Baseline(rig.Env.View.Session()) == nil {
			rig.Env.Comparing.Tick(1000)
		}
		rig.Env.View.Look().MeasuredBy(rig.Env.Comparing.BaselineRevision())
		rig.Env.View.SelectFrames(120, 140)
		return rig
	}
	t.Run("tree", func(t *testing.T) {
		tree := NewTree()
		tree.AllTracks = false
		rig().Check(t, tree, "calltree_baseline")
	})
	t.Run("calls", func(t *testing.T) {
		r, slow := rig(), NewSlow()
		slow.InRange = true
		r.Env.View.SelectCollector(9)
		for range 6 {
			r.Tick(slow)
		}
		r.Check(t, slow, "slowcalls_baseline")
	})
}

// A column put before others breaks nothing.
func TestColumnsGoByTheirNames(t *testing.T) {
	s := callTreeFixture()
	for _, bottomUp := range []bool{false, true} {
		tabletest.Unharmed(t, func() tabletest.Shown[callRow] {
			c, rig := NewTree(), chartstest.NewRig(s, 1, 900, 200)
			c.BottomUp = bottomUp
			columns := c.source.columns[spans.MeasureDuration].Plain()
			return tabletest.Shown[callRow]{Rig: rig, Panel: c, Table: c.table, Columns: columns}
		})
	}
	for _, flat := range []bool{false, true} {
		tabletest.Unharmed(t, func() tabletest.Shown[slowRow] {
			c, rig := NewSlow(), chartstest.NewRig(s, 1, 1400, 200)
			c.Text, c.Flat = "b", flat
			columns := c.source.groupColumns.Plain()
			if flat {
				columns = c.source.flatColumns.Plain()
			}
			return tabletest.Shown[slowRow]{Rig: rig, Panel: c, Table: c.table, Columns: columns}
		})
	}
}

// Totals of the flat list are those of a walk over the whole tree, for random games.
func TestCallTreeMethodsOfGames(t *testing.T) {
	s := chartstest.NewSession(t)
	rig := chartstest.NewRig(s, 1, 800, 400)
	rng := rand.New(rand.NewPCG(5, 5))
	c := NewTree()
	c.AllTracks = true
	c.BottomUp = true
	for range 20 {
		b, e, _ := s.Bounds()
		t0 := b + rng.Int64N(e-b)
		rig.Env.View.SelectRange(t0, t0+rng.Int64N(e-b))
		if rig.Env.View.RangeB() <= rig.Env.View.RangeA() {
			continue
		}
		rig.Tick(c)
		var tree spans.Tree
		s.Spans().Tree(rig.Env.View.Look().VisibleTracks(), rig.Env.View.RangeA(), rig.Env.View.RangeB(), &tree)
		total, self := map[model.CollectorID]int64{}, map[model.CollectorID]int64{}
		for _, n := range tree.Nodes {
			again := false
			for up := n.Parent; up >= 0; up = tree.Nodes[up].Parent {
				again = again || tree.Nodes[up].Collector == n.Collector
			}
			if !again {
				total[n.Collector] += n.Total
			}
			self[n.Collector] += n.Self
		}
		testkit.MustThat(t, len(c.source.roots) == len(total), "%d methods, want %d", len(c.source.roots), len(total))
		for _, r := range c.source.roots {
			n := c.source.nodes[r]
			if n.total != total[n.collector] || n.self != self[n.collector] {
				t.Errorf("collector %d: %d, itself %d; want %d, %d", n.collector, n.total, n.self, total[n.collector], self[n.collector])
			}
			c.source.expand(r) // what callers have adds up to what the method has under any
			var sum int64
			for k := c.source.nodes[r].child; k >= 0; k = c.source.nodes[k].next {
				sum += c.source.nodes[k].self
			}
			testkit.That(t, sum <= n.self, "collector %d: its callers have %d of %d", n.collector, sum, n.self)
		}
	}
}
