package topology

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"framescope/assets"
	"framescope/charts/chartstest"
	"framescope/charts/draw"
	"framescope/charts/draw/golden"
	"framescope/charts/panel"
	"framescope/charts/view"
	"framescope/model"
	"framescope/model/store"
)

func topoRig(s *store.Session, scale, w, h float32, light bool) (*chartstest.Rig, *Chart) {
	rig := chartstest.NewRig(s, scale, w, h)
	if light {
		th := assets.Light()
		rig.Env.Theme = &th
	}
	rig.Env.View.SetPlayhead(2_500_000_000)
	rig.In.Over = false
	rig.In.X, rig.In.Y = -1, -1
	return rig, New()
}

func TestTopologyPictures(t *testing.T) {
	tip := func(x, y float32) func(*chartstest.Rig, *Chart) *draw.List {
		return func(rig *chartstest.Rig, c *Chart) *draw.List {
			rig.Move(c, x, y)
			rig.Tick(c)
			hit := c.HitTest(rig.Env, x, y)
			var tt panel.Tooltip
			return tt.Draw(rig.Env, &hit, x, y, rig.R)
		}
	}
	middle := func(c *Chart, name string) (float32, float32) {
		for i := range c.graph.nodes {
			if c.graph.nodes[i].name == name {
				b := c.layout.Boxes[i]
				return c.camera.px((b.X0 + b.X1) / 2), c.camera.py(b.Y0 + 12)
			}
		}
		return 0, 0
	}
	for _, c := range []struct {
		name  string
		w     *chartstest.TopoWriter
		width float32
		high  float32
		scale float32
		light bool
		then  func(*chartstest.Rig, *Chart) *draw.List
	}{
		{"topology_small", smallPipeline(), 900, 260, 1, false, nil},
		{"topology_small_light", smallPipeline(), 900, 260, 1.5, true, func(rig *chartstest.Rig, c *Chart) *draw.List {
			x, y := middle(c, "queue0")
			return tip(x, y)(rig, c)
		}},
		{"topology_tee", chartstest.TeePipeline(), 1000, 460, 1, false, func(rig *chartstest.Rig, c *Chart) *draw.List {
			x, y := middle(c, "encoder")
			rig.Click(c, x, y)
			return tip(x, y)(rig, c)
		}},
		{"topology_tee_light", chartstest.TeePipeline(), 1000, 460, 1, true, nil},
		{"topology_bins", nestedBins(), 1500, 520, 1, false, nil},
		{"topology_bins_near", nestedBins(), 1000, 520, 1, false, func(rig *chartstest.Rig, c *Chart) *draw.List {
			x, y := middle(c, "multiqueue0")
			rig.In.DoubleClick = true
			rig.Move(c, x, y)
			rig.In.Over = false
			rig.Move(c, -1, -1)
			return nil
		}},
		{"topology_60", manyElements(), 1400, 700, 1, false, nil},
		{"topology_60_near_light", manyElements(), 1400, 700, 1, true, func(rig *chartstest.Rig, c *Chart) *draw.List {
			for range 6 {
				rig.In.WheelY = 1
				rig.Move(c, 500, 300)
			}
			rig.In.Over = false
			rig.Tick(c)
			return nil
		}},
		{"topology_hostile", hostileNames(), 1100, 420, 1, false, nil},
		{"topology_edge_tip", chartstest.TeePipeline(), 1000, 460, 1, false, func(rig *chartstest.Rig, c *Chart) *draw.List {
			pts := c.layout.Routes[0]
			p := At(pts, 0, 0.4)
			return tip(c.camera.px(p.X), c.camera.py(p.Y))(rig, c)
		}},
		{"topology_tiny", chartstest.TeePipeline(), 150, 70, 1, false, nil},
		{"topology_empty", chartstest.NewTopoWriter(), 600, 200, 1, true, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			rig, chart := topoRig(c.w.Session(), c.scale, c.width, c.high, c.light)
			rig.Tick(chart)
			rig.Tick(chart)
			lists := []*draw.List{nil}
			if c.then != nil {
				if l := c.then(rig, chart); l != nil {
					lists = append(lists, l)
				}
			}
			lists[0] = chart.List()
			golden.Check(t, "../testdata/golden/"+c.name+".png", chartstest.Picture(int(rig.R.X1), int(rig.R.Y1), lists...))
			t.Logf("%d quads, %s", chart.List().Quads(), chart.Mode(rig.Env))
		})
	}
}

// What the picture says, read from the figures: rates of the second before the playhead, of a
// range, of the whole recording.
func TestTopologyFigures(t *testing.T) {
	rig, c := topoRig(chartstest.TeePipeline().Session(), 1, 800, 400, false)
	edge := func(name string) *edgeFigures {
		for i := range c.graph.edges {
			if c.padName(rig.Env, c.graph.edges[i].to) == name {
				return &c.figures.edges[i]
			}
		}
		t.Fatalf("no edge to %s", name)
		return nil
	}
	rig.Tick(c)
	if f := edge("t.sink"); f.n != 30 || math.Abs(f.perSec-30) > 0.01 || math.Abs(f.bytesPerS-30*3_110_400) > 1e5 {
		t.Errorf("one second: %+v", f)
	}
	if f := edge("analysis.sink"); f.n != 0 || !f.hasLast || f.last != 1_000_000_000 {
		t.Errorf("a quiet edge: %+v", f)
	}
	rig.Env.View.SelectRange(500_000_000, 1_500_000_000)
	rig.Tick(c)
	if f := edge("analysis.sink"); f.n != 6 {
		t.Errorf("a range: %+v", f)
	}
	if m := c.Mode(rig.Env); !strings.HasPrefix(m, "range of 1.00 s · ") {
		t.Errorf("mode %q", m)
	}
	rig.Env.View.ClearSelection()
	rig.Env.View.PlacePlayhead(0)
	rig.Tick(c)
	if f := edge("t.sink"); f.n != 91 || math.Abs(f.perSec-30.33) > 0.01 {
		t.Errorf("all: %+v", f)
	}
	for i := range c.graph.nodes {
		n, f := &c.graph.nodes[i], &c.figures.nodes[i]
		if n.name == "encoder" && (f.latencyN != 150 || f.latencyMean < 25e6 || f.latencyMean > 25.3e6 || f.latencyMax != 63e6 || f.state != "playing") {
			t.Errorf("encoder: %+v", f)
		}
	}
}

// Links are drawn for the time in which they were, objects that come later are faint.
func TestTopologyInTime(t *testing.T) {
	w := smallPipeline()
	s := w.Session()
	l := s.Topology().Links()[1]
	l.Until = 1_200_000_000
	s.Apply(l)
	l = s.Topology().Links()[2]
	l.Since = 2_800_000_000
	s.Apply(l)
	o, _ := s.Topology().Object(s.Topology().Links()[2].To)
	o, _ = s.Topology().Object(o.Parent)
	o.Created = 2_800_000_000
	s.Apply(o)
	rig, c := topoRig(s, 1, 800, 300, false)
	for _, x := range []struct {
		at                  int64
		first, second, late bool
	}{{1_000_000_000, true, true, true}, {1_500_000_000, true, false, true}, {2_900_000_000, true, false, false}} {
		rig.Env.View.SetPlayhead(x.at)
		rig.Tick(c)
		if c.edgeShown(0) != x.first || c.edgeShown(1) != x.second || c.figures.edges[2].later != x.late {
			t.Errorf("at %d: %+v", x.at, c.figures.edges)
		}
		if f := c.figures.nodes[c.graph.nodeOf[o.ID]]; f.later != x.late {
			t.Errorf("at %d: %+v", x.at, f)
		}
	}
}

// A click selects what is under it in the view; on the ground it selects nothing.
func TestTopologySelect(t *testing.T) {
	rig, c := topoRig(chartstest.TeePipeline().Session(), 1, 1000, 460, false)
	var told []model.ObjectID
	rig.Tick(c)
	b := c.layout.Boxes[1]
	click := func(x, y float32) {
		rig.Click(c, x, y)
		told = append(told, rig.Env.View.Element())
	}
	click(c.camera.px(b.X0+30), c.camera.py(b.Y0+10))
	click(c.camera.px(b.X1), c.camera.py(b.Ports[Right][1]))
	edge := At(c.layout.Routes[0], 0, 0.5)
	click(c.camera.px(edge.X), c.camera.py(edge.Y))
	click(5, 5)
	want := []model.ObjectID{c.graph.nodes[1].object, c.graph.nodes[1].ports[Right][1].object, c.graph.edges[0].from, model.NoObject}
	if len(told) != 4 || told[0] != want[0] || told[1] != want[1] || told[2] != want[2] || told[3] != want[3] {
		t.Errorf("told %v, want %v", told, want)
	}
}

// The wheel keeps what is under the cursor there, out and in again comes back; a drag moves by its
// pixels; a double click on the ground fits.
func TestTopologyZoomAndPan(t *testing.T) {
	rig, c := topoRig(nestedBins().Session(), 1, 900, 500, false)
	rig.Tick(c)
	fit := c.camera
	at := func(x, y float32) (float64, float64) {
		k := c.camera.zoom * c.camera.scale
		return c.camera.x + float64(x)/k, c.camera.y + float64(y)/k
	}
	x0, y0 := at(300, 200)
	for _, n := range []float32{2, 1, -1, -2} {
		rig.In.WheelY = n
		rig.Move(c, 300, 200)
		if x, y := at(300, 200); math.Abs(x-x0) > 0.01 || math.Abs(y-y0) > 0.01 {
			t.Errorf("wheel %v: %v, %v is now %v, %v", n, x0, y0, x, y)
		}
	}
	if math.Abs(c.camera.zoom-fit.zoom) > 1e-9 || math.Abs(c.camera.x-fit.x) > 0.01 {
		t.Errorf("out and in: %v, %v", fit, c.camera)
	}
	rig.In.WheelY = 4
	rig.Move(c, 300, 200)
	x0, _ = at(300, 200)
	rig.In.Left = panel.Button{Down: true, Pressed: true, DownX: 300, DownY: 200}
	rig.Move(c, 300, 200)
	rig.In.Left.Dragging = true
	rig.Move(c, 350, 220)
	rig.In.Left = panel.Button{Released: true, DownX: 300, DownY: 200}
	rig.Move(c, 350, 220)
	if x, _ := at(350, 220); math.Abs(x-x0) > 0.01 {
		t.Errorf("a drag brought %v to where %v should be", x, x0)
	}
	rig.In.DoubleClick = true
	rig.Move(c, 3, 3)
	if c.camera.x != fit.x || c.camera.zoom != fit.zoom || !c.camera.fitted {
		t.Errorf("double click: %v, want %v", c.camera, fit)
	}
}

// Only what changes the graph lays it out anew, and what is seen stays where it is when something
// is added.
func TestTopologyLaysOutOnlyWhenNeeded(t *testing.T) {
	w := chartstest.TeePipeline()
	s := w.Session()
	rig, c := topoRig(s, 1, 900, 400, false)
	rig.Tick(c)
	l := c.layout
	w.Latency(c.graph.nodes[1].object, 3) // a series more, of an element that has one
	s.Apply(model.RefEvent{})
	s.Append(&w.Batch)
	rig.Tick(c)
	if c.layout != l {
		t.Error("laid out for a sample")
	}
	rig.In.WheelY = 3
	rig.Move(c, 430, 180)
	mid := int32(0)
	for i := range c.graph.nodes {
		if c.graph.nodes[i].name == "queue1" {
			mid = int32(i)
		}
	}
	before := c.camera.rect(c.layout.Boxes[mid].X0, c.layout.Boxes[mid].Y0, 0, 0)
	q, p := w.Element(model.NoObject, "extra", "GstQueue", "sink", "src")
	_ = q
	w.Link(c.graph.edges[0].from, p["sink"], 1, 1, 0, 1)
	rig.Tick(c)
	after := c.camera.rect(c.layout.Boxes[mid].X0, c.layout.Boxes[mid].Y0, 0, 0)
	if c.layout == l || before.X0 != after.X0 || before.Y0 != after.Y0 {
		t.Errorf("the middle was at %v, is at %v", before, after)
	}
}

// A picture that does not change costs nothing, and one that moves allocates nothing.
func TestTopologyAllocatesNothing(t *testing.T) {
	rig, c := topoRig(nestedBins().Session(), 1, 900, 500, false)
	for i := range 8 {
		rig.Move(c, 400+float32(i%2), 250)
		c.HitTest(rig.Env, 420, 250)
	}
	rev := c.List().Revision()
	rig.Tick(c)
	if c.List().Revision() != rev {
		t.Error("drawn again though nothing changed")
	}
	n := testing.AllocsPerRun(20, func() {
		c.camera.pan(1, 0)
		rig.Move(c, rig.In.X+1, 250)
		c.camera.pan(-1, 0)
		rig.Move(c, rig.In.X-1, 250)
		c.HitTest(rig.Env, rig.In.X, rig.In.Y)
		c.Mode(rig.Env)
	})
	if n > 0 {
		t.Errorf("%v allocations", n)
	}
}

// Random mice, sizes and sessions: nothing panics, nothing is drawn outside.
func TestTopologySurvivesAbuse(t *testing.T) {
	for name, s := range map[string]*store.Session{"none": nil, "empty": store.NewSession(), "hostile": hostileNames().Session(), "bins": nestedBins().Session(), "many": manyElements().Session()} {
		t.Run(name, func(t *testing.T) {
			rng := rand.New(rand.NewPCG(5, 6))
			rig := chartstest.NewRig(s, 1, 600, 300)
			rig.Env.Animate, rig.Env.Paced = true, true
			c := New()
			for i := range 400 {
				if i%7 == 0 {
					rig.R = draw.Rect{X0: float32(rng.IntN(50)), Y0: float32(rng.IntN(50))}
					rig.R.X1, rig.R.Y1 = rig.R.X0+float32(rng.IntN(800)), rig.R.Y0+float32(rng.IntN(500))
				}
				in := &rig.In
				in.X, in.Y, in.Over = float32(rng.IntN(900)-20), float32(rng.IntN(600)-20), rng.IntN(4) > 0
				in.WheelY, in.WheelX = float32(rng.IntN(9)-4)*float32(rng.IntN(2)), float32(rng.IntN(3)-1)
				in.Shift, in.Ctrl, in.Alt, in.DoubleClick = rng.IntN(6) == 0, rng.IntN(6) == 0, rng.IntN(6) == 0, rng.IntN(8) == 0
				in.ZoomIn, in.PanLeft = rng.IntN(9) == 0, rng.IntN(9) == 0
				down := rng.IntN(2) == 0
				in.Left.Pressed, in.Left.Released, in.Left.Dragging = down && !in.Left.Down, !down && in.Left.Down, down && in.Left.Down
				in.Left.Down = down
				switch rng.IntN(9) {
				case 0:
					rig.Env.View.Follow(true)
				case 1:
					rig.Env.View.SetPlayhead(rng.Int64N(4e9))
				case 2:
					rig.Env.View.SelectRange(rng.Int64N(4e9), rng.Int64N(4e9))
				case 3:
					rig.Env.View.Select(view.Element(model.ObjectID(rng.IntN(90) - 5)))
				case 4:
					c.Fit(rig.Env)
				}
				rig.Tick(c)
				c.HitTest(rig.Env, in.X, in.Y)
				c.Title(rig.Env)
				c.Mode(rig.Env)
				for k := range c.List().Vertices {
					vx := &c.List().Vertices[k]
					if !(vx.X >= rig.R.X0-1 && vx.X <= rig.R.X1+1 && vx.Y >= rig.R.Y0-1 && vx.Y <= rig.R.Y1+1) {
						t.Fatalf("tick %d: draws at %v, %v outside %v", i, vx.X, vx.Y, rig.R)
					}
				}
			}
		})
	}
}

// A pipeline that grows while it is watched: all that is known is drawn at every moment, and in the
// end it is as tidy as one that was there from the begin, or nearly.
func TestTopologyGrows(t *testing.T) {
	whole := manyElements().Session()
	s := store.NewSession()
	rig, c := topoRig(s, 1, 900, 500, false)
	rig.Env.Animate, rig.Env.Paced = true, true
	rig.Env.View.Follow(true)
	for id := range model.SeriesID(whole.Series().Len()) {
		s.Apply(whole.Series().ByID(id).Def)
	}
	links := whole.Topology().Links()
	for i, o := range whole.Topology().Objects() {
		s.Apply(o)
		for len(links) > 0 && int(max(links[0].From, links[0].To)) <= i {
			s.Apply(links[0])
			links = links[1:]
		}
		rig.Tick(c)
		c.HitTest(rig.Env, 450, 250)
	}
	for range 60 {
		rig.Tick(c)
	}
	if len(c.graph.nodes) != 60 || len(c.graph.edges) != len(whole.Topology().Links()) {
		t.Fatalf("%d nodes, %d edges", len(c.graph.nodes), len(c.graph.edges))
	}
	fresh := Lay(&c.graph.graph, Options{}, nil)
	if c.layout.Crossings > fresh.Crossings+3 {
		t.Errorf("%d crossings, %d from scratch", c.layout.Crossings, fresh.Crossings)
	}
	c.Tidy(rig.Env)
	if rig.Tick(c); c.layout.Crossings != fresh.Crossings || c.grown {
		t.Errorf("tidy has %d crossings, from scratch there are %d", c.layout.Crossings, fresh.Crossings)
	}
}

// What is out of view costs no quads: of five thousand elements a few are drawn when one comes
// near.
func TestTopologyDrawsOnlyWhatIsSeen(t *testing.T) {
	w := chartstest.NewTopoWriter()
	var before model.ObjectID
	for i := range 5000 {
		_, p := w.Element(model.NoObject, fmt.Sprint("e", i), "GstQueue", "sink", "src")
		if i > 0 {
			w.Link(before, p["sink"], 0, 0, 0, 0)
		}
		before = p["src"]
	}
	rig, c := topoRig(w.Session(), 1, 900, 500, false)
	rig.Tick(c)
	c.camera.near(rig.Env, c.layout.Boxes[2500])
	rig.Tick(c)
	if q := c.List().Quads(); q > 600 {
		t.Errorf("%d quads", q)
	}
}
