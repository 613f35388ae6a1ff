package calls

import (
	"math/rand/v2"
	"strings"
	"testing"

	"framescope/charts/panel"
	"framescope/charts/subject"
	"framescope/charts/view"
	"framescope/internal/recordings"
	"framescope/internal/testkit"
	"framescope/internal/testkit/chartstest"
	"framescope/internal/testkit/flaretest"
	"framescope/internal/testkit/tabletest"
	"framescope/model"
	"framescope/model/spans"
	"framescope/model/store"
	"framescope/net/flare"
	"framescope/net/profilelib"
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
	s := chartstest.Open(t, flare.Source{}, flaretest.Recording(t, "recorded-60s"))
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

// searchAll ticks until the search is done.
func searchAll(t testing.TB, rig *chartstest.Rig, c *Slow) {
	t.Helper()
	for range 10_000 {
		rig.Tick(c)
		if q := &c.search; q.valid && q.done && !q.again {
			rig.Tick(c)
			return
		}
	}
	t.Fatal("the search does not end")
}

func TestSlowCallsOfARecording(t *testing.T) {
	s := chartstest.Open(t, flare.Source{}, flaretest.Recording(t, "constructed-60s"))
	rig := chartstest.NewRig(s, 1, 900, 300)
	c := NewSlow()
	rig.Tick(c)
	testkit.That(t, len(c.source.rows) == 0 && strings.Contains(c.source.Empty(false), " of a method.\nSelect one"),
		"%d rows, %q", len(c.source.rows), c.source.Empty(false))
	price := collectorCalled(t, s, "Cart.price()")
	rig.Env.View.SelectCollector(price)
	searchAll(t, rig, c)
	if got := c.Mode(rig.Env); got != "Cart.price() · 50 runs" { // 1200 ms cycles in 60 s, all with the same callee
		t.Errorf("mode %q", got)
	}
	testkit.That(t, len(c.source.rows) == 51 && c.source.groups[0].max == 560e6 && c.source.groups[0].min == 560e6,
		"%d rows, %+v", len(c.source.rows), c.source.groups)
	x := c.source.run().Calls()[c.source.rows[1].call]
	testkit.That(t, x.SelfNs == 320e6, "self %d", x.SelfNs)
	// A click goes there, and the search stays what it was.
	c.InRange = true
	rig.Env.View.SelectRange(0, 12e9)
	searchAll(t, rig, c)
	testkit.Equal(t, c.Mode(rig.Env), "Cart.price() · 10 runs", "in 12 s")
	y := c.table.RowRect(2).Y0 + 4
	rig.Click(c, 100, y)
	v := rig.Env.View
	x = c.source.run().Calls()[c.source.rows[2].call]
	testkit.That(t, v.HasSpan() && v.Span().Ref == x.Ref && v.RangeA() == x.Begin && v.RangeB() == x.Begin+x.Ns &&
		v.Track() == x.Ref.Track, "span %v %+v, range %d – %d", v.HasSpan(), v.Span(), v.RangeA(), v.RangeB())
	if b, e := v.Steer().Target(); int64(b) > x.Begin || int64(e) < x.Begin+x.Ns || e-b > float64(3*x.Ns) {
		t.Errorf("%v – %v is shown for %d – %d", b, e, x.Begin, x.Begin+x.Ns)
	}
	searchAll(t, rig, c)
	testkit.Equal(t, c.Mode(rig.Env), "Cart.price() · 10 runs", "after going to a call")
	a := rig.DoubleClick(c, 100, y)
	testkit.That(t, a.Kind == panel.ActionOpenFlame && a.Collector == price && a.Track == x.Ref.Track,
		"a double click asks for %+v", a)
	v.SelectRange(0, 24e9)
	searchAll(t, rig, c)
	testkit.Equal(t, c.Mode(rig.Env), "Cart.price() · 20 runs", "in 24 s")
}

func TestSlowCallsByName(t *testing.T) {
	s := chartstest.Open(t, flare.Source{}, flaretest.Recording(t, "constructed-60s"))
	rig := chartstest.NewRig(s, 1, 900, 300)
	c := NewSlow()
	for _, k := range []struct {
		text, mode string
	}{
		{"cart.PRICE", "50 runs"}, {"nobody is called so", "0 runs"},
	} {
		c.Text = k.text
		searchAll(t, rig, c)
		got := c.Mode(rig.Env)
		testkit.That(t, strings.HasSuffix(got, k.mode) && strings.Contains(got, k.text),
			"%q: %q, want %q", k.text, got, k.mode)
	}
}

// A long search takes many ticks, tells how far it is, and shows what it has.
func TestSlowCallsGoOnTickByTick(t *testing.T) {
	s := chartstest.NewLaneSession(120_000, 6)
	rig := chartstest.NewRig(s, 1, 700, 300)
	c := NewSlow()
	c.Text = "e"
	ticks, last := 0, ""
	seen := 0
	for ; ticks < 100_000; ticks++ {
		rig.Tick(c)
		if c.search.done {
			break
		}
		m := c.Mode(rig.Env)
		if m != last {
			seen++
		}
		last = m
		testkit.MustThat(t, strings.HasPrefix(m, "names with “e” · searching "), "mode %q", m)
	}
	testkit.That(t, ticks >= 2 && seen >= 2, "%d ticks, %d words", ticks, seen)
	rig.Tick(c)
	n := len(c.source.run().Calls())
	testkit.That(t, n == 2000 && c.source.run().More, "%d calls", n)
	q := c.List().Quads()
	testkit.That(t, q <= 3000, "%d quads", q)
	chartstest.AllocatesNothing(t, "calls", func() { rig.Tick(c) })
}

// While live, what came since is searched now and then, without emptying the list meanwhile.
func TestSlowCallsWhileLive(t *testing.T) {
	s := store.NewSession()
	chartstest.Fill(s, 40)
	s.Apply(model.Info{Source: "pstats"})
	rig := chartstest.NewRig(s, 1, 700, 300)
	rig.Env.Animate, rig.Env.Paced = true, true
	rig.Env.View.Follow(true)
	c := NewSlow()
	rig.Env.View.SelectCollector(chartstest.CGeom)
	searchAll(t, rig, c)
	before := len(c.source.run().Calls())
	testkit.MustThat(t, before != 0, "nothing was found")
	chartstest.Fill(s, 80) // the same frames are refused, later ones are new
	for range 200 {
		rig.Tick(c)
		testkit.MustThat(t, len(c.source.rows) != 0, "the list was emptied")
	}
	n := len(c.source.run().Calls())
	testkit.That(t, n > before, "%d calls after more came, %d before", n, before)
}

func TestSlowCallsPictures(t *testing.T) {
	s := chartstest.Open(t, flare.Source{}, flaretest.Recording(t, "recorded-60s"))
	for _, p := range []struct {
		name  string
		light bool
		w     float32
		set   func(rig *chartstest.Rig, c *Slow)
	}{
		{"slowcalls", false, 900, func(rig *chartstest.Rig, c *Slow) {
			rig.Env.View.SelectCollector(collectorCalled(t, s, "priceCart"))
		}},
		{"slowcalls_light", true, 900, func(rig *chartstest.Rig, c *Slow) {
			c.Text = "Service."
			searchAll(t, rig, c)
			c.source.open[c.source.groups[c.source.order[0].group].key] = true
			c.source.folds++
		}},
		{"slowcalls_flat", false, 520, func(rig *chartstest.Rig, c *Slow) {
			c.Text, c.Flat = "persist", true
			searchAll(t, rig, c)
			c.show(rig.Env, &c.source.run().Calls()[2])
		}},
		{"slowcalls_nothing", true, 600, func(rig *chartstest.Rig, c *Slow) {}},
	} {
		t.Run(p.name, func(t *testing.T) {
			rig := chartstest.NewRig(s, 1, p.w, 300)
			chartstest.Light(rig.Env, p.light)
			c := NewSlow()
			p.set(rig, c)
			if p.name != "slowcalls_nothing" {
				searchAll(t, rig, c)
			}
			rig.Check(t, c, p.name)
		})
	}
}

// collectorCalled returns the collector whose name contains a text.
func collectorCalled(t testing.TB, s *store.Session, text string) model.CollectorID {
	t.Helper()
	for id := range model.CollectorID(s.Collectors().Len()) {
		if d := s.Collector(id); d.HasTime && strings.Contains(d.Name, text) {
			return id
		}
	}
	t.Fatalf("no collector %q", text)
	return model.NoCollector
}

// Of a name that only stands for those below it nothing is called: the panel says what to choose.
func TestSlowCallsOfAGroup(t *testing.T) {
	s := chartstest.Load(t, profilelib.Source{}, recordings.ProfileLib, "exhausted.prof")
	rig := chartstest.NewRig(s, 1, 900, 300)
	c := NewSlow()
	testkit.Equal(t, c.source.nameOfGroup(), "", "without a collector the group")
	for name, want := range map[string]bool{"All blocks": true, "Render": false} {
		c.search.key.session, c.search.key.collector = s, collectorCalled(t, s, name)
		c.search.steps++
		got := c.source.nameOfGroup()
		testkit.That(t, (got != "") == want, "%s is the group %q", name, got)
	}
	rig.Tick(c)
}

// foundCalls lists what an expression finds.
func foundCalls(t *testing.T, expr string) (*chartstest.Rig, *Slow) {
	t.Helper()
	rig := chartstest.NewRig(chartstest.NewLaneSession(4_000, 6), 1, 900, 400)
	c := NewSlow()
	lookFor(t, rig, c, expr)
	return rig, c
}

func lookFor(t *testing.T, rig *chartstest.Rig, c *Slow, expr string) {
	t.Helper()
	rig.Env.View.Look().SetFoundCalls(chartstest.Found(t, rig.Env.View.Session(), expr))
	searchAll(t, rig, c)
}

// Whatever the groups of what a search found have in common, together they have all of it, and each
// call is with its like.
func TestFoundCallsInGroups(t *testing.T) {
	rig, c := foundCalls(t, ">0ns")
	n := int64(len(c.source.run().Calls()))
	testkit.MustThat(t, n != 0 && c.source.run().Sums.Count >= n, "%d calls of %d", n, c.source.run().Sums.Count)
	s := rig.Env.View.Session()
	for by := ByStack; by <= ByFrame; by++ {
		c.Use(rig.Env, toolGroup, int(by))
		rig.Tick(c)
		sum, names := int64(0), map[string]bool{}
		for i := range c.source.groups {
			g := &c.source.groups[i]
			sum += g.n()
			if g.n() == 0 {
				continue
			}
			name := string(c.source.appendGroup(rig.Env, nil, &slowRow{int32(i), -1}))
			testkit.That(t, name != "" && (by == ByStack || !names[name] || by == ByPath || by == ByCaller),
				"%s: group %q", groupNames[by], name)
			names[name] = true
			for _, k := range c.source.calls[g.from:g.to] {
				x := &c.source.run().Calls()[k]
				testkit.That(t, by == ByStack || by.keyOf(s, x) == g.of, "%s: %+v is in %+v", groupNames[by], x, g)
			}
		}
		testkit.That(t, sum == n && len(names) != 0 && c.source.numGroups() == len(c.source.order),
			"%s: %d calls in %d groups, want %d", groupNames[by], sum, len(names), n)
	}
	testkit.That(t, strings.HasPrefix(c.Mode(rig.Env), "found by “>0ns” · "), "mode %q", c.Mode(rig.Env))
}

func TestFoundCallsPicture(t *testing.T) {
	chartstest.AtScales(t, "slowcalls_found", func(t *testing.T, scale float32, name string) {
		rig := chartstest.NewRig(chartstest.NewSession(t), scale, 640*scale, 320*scale)
		c := NewSlow()
		c.By = ByPath
		lookFor(t, rig, c, "Draw >0.1ms")
		rig.Check(t, c, name)
	})
}

// Few calls are few columns. In a low panel the rows of the list give way to the histogram, all but one.
func TestFewFoundCallsPicture(t *testing.T) {
	rig := chartstest.NewRig(chartstest.NewSession(t), 1, 500, 28+82)
	c := NewSlow()
	c.By = ByPath
	lookFor(t, rig, c, "Draw >5ms")
	n := c.source.run().Sums.Count
	got := int64(len(c.lengths.columns))
	testkit.That(t, n != 0 && (got-1)*(got-1) < n && got*got >= n && c.lengths.rect.H() >= lengthsLeastPx,
		"%d columns for %d calls in %v", got, n, c.lengths.rect)
	rig.Check(t, c, "slowcalls_found_few")
}

// Whether a collector without calls stands for a group is looked up once for each state of the search: the
// answer takes a walk over all threads.
func TestGroupsAreLookedUpOnce(t *testing.T) {
	s := chartstest.NewSession(t)
	group := model.CollectorID(s.Collectors().Len())
	s.Apply(model.CollectorDef{ID: group, Name: "Systems", Parent: model.NoCollector})
	s.Apply(model.CollectorDef{ID: group + 1, Name: "Unused", Parent: group})
	rig, c := chartstest.NewRig(s, 1, 700, 300), NewSlow()
	rig.Env.View.SelectCollector(group)
	searchAll(t, rig, c)
	const isGroup = "It was not called: “Systems” is a group.\nSelect one of those below it, or a bar."
	testkit.Equal(t, c.source.Empty(false), isGroup, "before a call")
	path := model.PathID(1 << 12)
	s.Apply(model.PathDef{ID: path, Collector: group})
	_, end, _ := s.Bounds()
	s.Append(&model.Batch{Begin: end, End: end + 10, Spans: []model.Span{{Path: path, Begin: end, End: end + 5}}})
	testkit.Equal(t, c.source.Empty(false), isGroup, "before the search goes on")
	searchAll(t, rig, c)
	testkit.That(t, len(c.source.rows) > 0, "the new call is not listed")
}
