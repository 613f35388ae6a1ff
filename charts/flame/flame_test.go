package flame

import (
	"math"
	"strings"
	"testing"

	"framescope/assets"
	"framescope/charts/chartstest"
	"framescope/charts/draw"
	"framescope/charts/panel"
	"framescope/charts/view"
	"framescope/model"
	"framescope/model/store"

	"github.com/google/go-cmp/cmp"
)

func TestGoldenFlame(t *testing.T) {
	s := chartstest.NewSession(t)
	chartstest.AtScales(t, "flame_frame", func(t *testing.T, scale float32, name string) {
		rig := chartstest.NewRig(s, scale, 720, 260)
		rig.Env.View.SelectFrames(107, 107)
		rig.Env.View.SelectCollector(chartstest.CGeom)
		rig.Check(t, New(model.NoCollector), name)
	})
	t.Run("range", func(t *testing.T) {
		rig := chartstest.NewRig(s, 1, 720, 260)
		rig.Env.View.SelectFrames(155, 170)
		f := New(model.NoCollector)
		f.AllTracks = true
		rig.Check(t, f, "flame_range_all")
	})
	t.Run("flip", func(t *testing.T) {
		rig := chartstest.NewRig(s, 1, 720, 260)
		rig.Env.View.SelectFrames(10, 10)
		f := New(model.NoCollector)
		f.Flip = true
		rig.Tick(f)
		f.ToggleLock(rig.Env)
		rig.Check(t, f, "flame_flip_locked")
	})
	t.Run("zoom", func(t *testing.T) {
		rig := chartstest.NewRig(s, 1, 720, 260)
		rig.Env.View.Follow(true)
		f := New(model.NoCollector)
		rig.Tick(f)
		f.ZoomTo(rig.Env, []model.CollectorID{0, chartstest.CDraw})
		rig.Check(t, f, "flame_zoom_live")
	})
	t.Run("focus", func(t *testing.T) {
		rig := chartstest.NewRig(s, 1, 720, 200)
		rig.Env.View.SelectFrames(0, 90)
		rig.Check(t, New(chartstest.CApp), "flame_focus")
	})
	t.Run("light", func(t *testing.T) {
		rig := chartstest.NewRig(s, 1, 720, 220)
		light := assets.Light()
		rig.Env.Theme = &light
		rig.Env.View.SelectFrames(107, 107)
		rig.Env.View.Pointer().Set(nil, chartstest.CDraw, 0, false)
		rig.Check(t, New(model.NoCollector), "flame_light")
	})
	t.Run("missing", func(t *testing.T) {
		rig := chartstest.NewRig(s, 1, 720, 200)
		tr := s.Track(chartstest.TMain)
		rig.Env.View.SetPlayhead(tr.Frame(chartstest.TestGapAfter).End + 60e6)
		rig.Check(t, New(model.NoCollector), "flame_missing")
	})
	t.Run("empty", func(t *testing.T) {
		rig := chartstest.NewRig(store.NewSession(), 1, 720, 200)
		rig.Check(t, New(model.NoCollector), "flame_empty")
	})
}

func TestFlameHitTestFindsEveryBar(t *testing.T) {
	s := chartstest.NewSession(t)
	for _, flip := range []bool{false, true} {
		rig := chartstest.NewRig(s, 1, 720, 400)
		rig.Env.View.SelectFrames(100, 119)
		f := New(model.NoCollector)
		f.Flip = flip
		rig.Tick(f)
		plain := 0
		for i := range f.bars {
			b := &f.bars[i]
			x, y := (b.rect.X0+b.rect.X1)/2, (b.rect.Y0+b.rect.Y1)/2
			h := f.HitTest(rig.Env, x, y)
			if b.merged > 1 {
				if h.Kind != panel.HitMerged {
					t.Fatalf("joined bar %d: kind %v", i, h.Kind)
				}
				continue
			}
			plain++
			if h.Kind != panel.HitNode || h.Collector != f.nodes[b.node].Collector || h.Rect != b.rect {
				t.Fatalf("bar %d of collector %d: kind %v of collector %d", i, f.nodes[b.node].Collector, h.Kind, h.Collector)
			}
		}
		if plain < 20 {
			t.Errorf("%d bars", plain)
		}
	}
}

// TestFlameBarsKeepTheirPlace checks that bars of a row never overlap, that children lie inside
// their caller, and that no time vanishes: what is not drawn in a row below a bar is less than a
// pixel for each run of narrow bars, or the bar's own.
func TestFlameBarsKeepTheirPlace(t *testing.T) {
	s := chartstest.NewSession(t)
	rig := chartstest.NewRig(s, 1, 300, 400)
	rig.Env.View.SelectFrames(0, 199)
	f := New(model.NoCollector)
	f.AllTracks = true
	rig.Tick(f)
	right := map[float32]float32{}
	for i := range f.bars {
		r := f.bars[i].rect
		if r.X0 < right[r.Y0] {
			t.Fatalf("bar %d at %v begins before %v", i, r, right[r.Y0])
		}
		right[r.Y0] = r.X1
	}
	for i := range f.nodes {
		n, start := f.node(int32(i)), f.start(int32(i))
		sum := n.self
		end := start
		for j := int32(i + 1); j < n.next; j = f.ends[j] {
			c, at := f.node(j), f.start(j)
			if c.parent != int32(i) || at < end-1 || at+c.total > start+n.total+1 {
				t.Fatalf("node %d lies outside node %d", j, i)
			}
			end = at + c.total
			sum += c.total
		}
		if math.Abs(sum-n.total) > 2 {
			t.Fatalf("node %d: self and children are %v ns, total %v", i, sum, n.total)
		}
	}
}

func TestFlameMeanOfReceivedFrames(t *testing.T) {
	s := chartstest.NewSession(t)
	rig := chartstest.NewRig(s, 1, 720, 300)
	tr := s.Track(chartstest.TMain)
	rig.Env.View.SelectFrames(155, 170) // with the gap in the middle
	f := New(model.NoCollector)
	rig.Tick(f)
	sum := int64(0)
	for i := 155; i <= 170; i++ {
		fr := tr.Frame(i)
		sum += fr.End - fr.Begin
	}
	if want := float64(sum) / 16; math.Abs(f.total-want) > 1e-3*want {
		t.Errorf("mean frame %v ns, want %v", f.total, want)
	}
	if got := f.Mode(rig.Env); !strings.HasPrefix(got, "Main · range of 16 frames · 8 missing") {
		t.Errorf("mode %q", got)
	}
}

func TestFlameZoomAndBack(t *testing.T) {
	s := chartstest.NewSession(t)
	rig := chartstest.NewRig(s, 1, 720, 300)
	rig.Env.View.SelectFrames(50, 50)
	f := New(model.NoCollector)
	rig.Tick(f)
	click := func(c model.CollectorID) {
		t.Helper()
		for got, r := range f.nodeRects {
			if got == c {
				rig.DoubleClick(f, (r.X0+r.X1)/2, (r.Y0+r.Y1)/2)
				rig.Tick(f)
				return
			}
		}
		t.Fatalf("collector %d is not on the screen", c)
	}
	full := func(c model.CollectorID) bool {
		for got, r := range f.nodeRects {
			if got == c {
				return r.X0 <= f.regions.plot.X0 && r.X1 >= f.regions.plot.X1
			}
		}
		return false
	}
	click(chartstest.CDraw)
	if !full(chartstest.CDraw) || rig.Env.View.Collector() != chartstest.CDraw {
		t.Fatalf("Draw does not fill the panel; zoom %v", f.zoom)
	}
	// the next frame keeps the zoom
	rig.Env.View.StepFrame(1)
	rig.Tick(f)
	if !full(chartstest.CDraw) {
		t.Error("another frame lost the zoom")
	}
	if !f.Parent(rig.Env) {
		t.Fatal("no way back")
	}
	rig.Tick(f)
	if !full(0) || len(f.zoom) != 1 {
		t.Errorf("zoom %v after Backspace", f.zoom)
	}
	click(chartstest.CDraw)
	plot := f.regions.plot
	rig.DoubleClick(f, plot.X1-3, plot.Y1-3) // empty
	if rig.Tick(f); len(f.zoom) != 0 {
		t.Errorf("zoom %v after a double click on nothing", f.zoom)
	}
	click(chartstest.CDraw)
	r := f.crumbs.Items[0].Rect
	rig.Click(f, (r.X0+r.X1)/2, (r.Y0+r.Y1)/2)
	if rig.Tick(f); len(f.zoom) != 0 {
		t.Errorf("zoom %v after the first crumb", f.zoom)
	}
}

func TestFlameLockedScaleKeepsNsPerPx(t *testing.T) {
	s := chartstest.NewSession(t)
	rig := chartstest.NewRig(s, 1, 720, 300)
	rig.Env.View.SelectFrames(150, 150) // 41 ms
	f := New(model.NoCollector)
	rig.Tick(f)
	f.ToggleLock(rig.Env)
	rig.Tick(f)
	before := f.axis.NsPerPx(f.regions.plot)
	rig.Env.View.SelectFrames(10, 10) // 15 ms
	rig.Tick(f)
	if got := f.axis.NsPerPx(f.regions.plot); got != before {
		t.Errorf("%v ns a pixel, was %v", got, before)
	}
	f.ToggleLock(rig.Env)
	rig.Tick(f)
	if got := f.axis.Width(); math.Abs(got-f.total) > 1 {
		t.Errorf("unlocked, %v ns are visible of %v", got, f.total)
	}
}

func TestFlameFocusMergesCallers(t *testing.T) {
	// Physics (9) below Show code (5) in App (1), and called once from Draw (3): two paths, one
	// sub-tree.
	s := store.NewSession()
	for _, d := range []model.CollectorDef{{ID: 0, Name: "Frame"}, {ID: 1, Name: "App"}, {ID: 2, Name: "Draw"}, {ID: 3, Name: "Physics"}, {ID: 4, Name: "Narrow", Parent: 3}} {
		s.Apply(d)
	}
	for i, p := range [][2]int{{0, 0}, {1, 1}, {2, 3}, {3, 4}, {1, 2}, {5, 3}, {6, 4}, {5, 4}} { // parent, collector
		s.Apply(model.PathDef{ID: model.PathID(i + 1), Parent: model.PathID(p[0]), Collector: model.CollectorID(p[1])})
	}
	s.Append(&model.Batch{HasFrame: true, Number: 1, Begin: 0, End: 100, Spans: []model.Span{
		{Begin: 0, End: 100, Path: 1}, {Begin: 0, End: 40, Path: 2, Lane: 1}, {Begin: 10, End: 30, Path: 3, Lane: 2}, {Begin: 10, End: 15, Path: 4, Lane: 3},
		{Begin: 50, End: 90, Path: 5, Lane: 1}, {Begin: 50, End: 60, Path: 6, Lane: 2}, {Begin: 50, End: 52, Path: 7, Lane: 3}, {Begin: 70, End: 71, Path: 8, Lane: 2},
	}})
	rig := chartstest.NewRig(s, 1, 720, 300)
	rig.Env.View.SelectFrames(0, 0)
	f := New(3)
	rig.Tick(f)
	type bar struct {
		C           model.CollectorID
		Depth       int32
		Total, Self float64
		Count       int64
	}
	var got []bar
	for i := range f.nodes {
		n := f.node(int32(i))
		got = append(got, bar{n.collector, n.depth, n.total, n.self, n.count})
	}
	want := []bar{{3, 0, 30, 23, 2}, {4, 1, 7, 7, 2}, {4, 0, 1, 1, 1}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestFlameMissingFrameSaysSo(t *testing.T) {
	s := chartstest.NewSession(t)
	rig := chartstest.NewRig(s, 1, 720, 300)
	rig.Env.View.SetPlayhead(s.Track(chartstest.TMain).Frame(chartstest.TestGapAfter).End + 60e6)
	f := New(model.NoCollector)
	rig.Tick(f)
	if got := f.Mode(rig.Env); got != "Main · frames 12\u202f461 – 12\u202f468 were not received" {
		t.Errorf("mode %q", got)
	}
	if len(f.bars) != 0 {
		t.Error("bars of a frame that was not received")
	}
	if h := f.HitTest(rig.Env, 300, 200); h.Kind != panel.HitGap {
		t.Errorf("hit %v", h.Kind)
	}
}

func TestFlameAllocatesNothing(t *testing.T) {
	s := chartstest.NewSession(t)
	rig := chartstest.NewRig(s, 1, 720, 300)
	f := New(model.NoCollector)
	i := 0
	tick := func() {
		i++
		rig.Env.View.SelectFrames(i%30, i%30+i%3)
		rig.Move(f, 100+float32(i%60)*10, 90)
		f.HitTest(rig.Env, rig.In.X, rig.In.Y)
	}
	for range 200 {
		tick()
	}
	if n := testing.AllocsPerRun(100, tick); n != 0 {
		t.Errorf("%v allocations a tick", n)
	}
	rig.In.Over = false
	rig.Tick(f)
	rig.Tick(f)
	before := f.List().Revision()
	rig.Tick(f)
	if f.List().Revision() != before {
		t.Error("the list was filled anew though nothing changed")
	}
}

func BenchmarkFlame(b *testing.B) {
	s := chartstest.NewLaneSession(100_000, 8)
	rig := chartstest.NewRig(s, 1, 1280, 400)
	n := s.Track(0).NumFrames()
	f := New(model.NoCollector)
	rig.Env.View.SelectFrames(0, n-1)
	rig.Tick(f)
	b.ReportAllocs()
	b.ResetTimer()
	for i := range b.N {
		rig.Env.View.SelectFrames(i%2, n-1-i%3)
		rig.Tick(f)
	}
	b.ReportMetric(float64(f.List().Quads()), "quads/frame")
	b.ReportMetric(float64(len(f.nodes)), "paths")
}

// nodeRects calls yield for every plain bar on the screen.
func (f *Graph) nodeRects(yield func(c model.CollectorID, r draw.Rect) bool) {
	for i := range f.bars {
		if b := &f.bars[i]; b.merged == 1 && !yield(f.nodes[b.node].Collector, b.rect) {
			return
		}
	}
}

// A zoomed graph that has nothing to show any more, such as in a gap, has no callees to go into.
func TestFlameZoomedAndThenEmpty(t *testing.T) {
	env := chartstest.NewEnv(chartstest.NewSession(t), 1)
	env.View.SelectFrames(150, 150)
	f := New(model.NoCollector)
	r := draw.Rect{X1: 400, Y1: 300}
	chartstest.Settle(env, f, r)
	if !f.FirstChild(env) {
		t.Fatal("the graph has no bar")
	}
	chartstest.Settle(env, f, r)
	env.View = view.New(nil)
	chartstest.Settle(env, f, r)
	if f.FirstChild(env) {
		t.Error("went into a callee of nothing")
	}
}
