package flame

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"framescope/charts/draw"
	"framescope/charts/panel"
	"framescope/charts/timeline"
	"framescope/charts/view"
	"framescope/internal/testkit"
	"framescope/internal/testkit/chartstest"
	"framescope/model"
	"framescope/model/spans"
	"framescope/model/store"
)

type look = chartstest.Look

func TestGoldenFlame(t *testing.T) {
	s, selected := chartstest.NewSession(t), chartstest.Selected
	whole := func() *Graph { return New(model.NoCollector) }
	all, flipped, zoomed := whole(), whole(), whole()
	all.AllTracks, flipped.Flip = true, true
	geom := func(rig *chartstest.Rig) {
		rig.Env.View.SelectFrames(107, 107)
		rig.Env.View.SelectCollector(chartstest.CGeom)
	}
	chartstest.Titled(t,
		look{Name: "flame_frame", S: s, W: 720, H: 260, Panel: whole(), Set: geom},
		look{Name: "flame_frame_2x", S: s, W: 720, H: 260, Panel: whole(), Set: geom, Scale: 2},
		look{Name: "flame_range_all", S: s, W: 720, H: 260, Panel: all, Set: selected(155, 170)},
		look{Name: "flame_flip_locked", S: s, W: 720, H: 260, Panel: flipped, Set: func(rig *chartstest.Rig) {
			rig.Env.View.SelectFrames(10, 10)
			rig.Tick(flipped)
			flipped.ToggleLock(rig.Env)
		}},
		look{Name: "flame_zoom_live", S: s, W: 720, H: 260, Panel: zoomed, Set: func(rig *chartstest.Rig) {
			rig.Env.View.Follow(true)
			rig.Tick(zoomed)
			zoomed.ZoomTo(rig.Env, []model.CollectorID{0, chartstest.CDraw})
		}},
		look{Name: "flame_focus", S: s, W: 720, H: 200, Panel: New(chartstest.CApp), Set: selected(0, 90)},
		look{Name: "flame_light", S: s, W: 720, H: 220, Panel: whole(), Light: true, Set: func(rig *chartstest.Rig) {
			rig.Env.View.SelectFrames(107, 107)
			rig.Env.View.Pointer().Set(nil, chartstest.CDraw, 0, false)
		}},
		look{Name: "flame_missing", S: s, W: 720, H: 200, Panel: whole(), Set: inTheGap},
		look{Name: "flame_empty", S: store.NewSession(), W: 720, H: 200, Panel: whole()})
}

// inTheGap puts the playhead where frames are missing.
func inTheGap(rig *chartstest.Rig) {
	tr := rig.Env.View.Session().Track(chartstest.TMain)
	rig.Env.View.SetPlayhead(tr.Frame(chartstest.TestGapAfter).End + 60e6)
}

func TestFlameZoomAndBack(t *testing.T) {
	s := chartstest.NewSession(t)
	rig, f := flameRig(s, 720, 300, 50, 50)
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
	testkit.MustThat(t, full(chartstest.CDraw) && rig.Env.View.Collector() == chartstest.CDraw,
		"Draw does not fill the panel; zoom %v", f.zoom)
	// the next frame keeps the zoom
	rig.Env.View.StepFrame(1)
	rig.Tick(f)
	testkit.That(t, full(chartstest.CDraw), "another frame lost the zoom")
	testkit.MustThat(t, f.Parent(rig.Env), "no way back")
	rig.Tick(f)
	testkit.That(t, full(0) && len(f.zoom) == 1, "zoom %v after Backspace", f.zoom)
	click(chartstest.CDraw)
	plot := f.regions.plot
	rig.DoubleClick(f, plot.X1-3, plot.Y1-3) // empty
	rig.Tick(f)
	testkit.That(t, len(f.zoom) == 0, "zoom %v after a double click on nothing", f.zoom)
	click(chartstest.CDraw)
	r := f.crumbs.Items[0].Rect
	rig.Click(f, (r.X0+r.X1)/2, (r.Y0+r.Y1)/2)
	rig.Tick(f)
	testkit.That(t, len(f.zoom) == 0, "zoom %v after the first crumb", f.zoom)
}

func TestFlameLockedScaleKeepsNsPerPx(t *testing.T) {
	s := chartstest.NewSession(t)
	rig, f := flameRig(s, 720, 300, 150, 150)
	f.ToggleLock(rig.Env)
	rig.Tick(f)
	before := f.axis.NsPerPx(f.regions.plot)
	rig.Env.View.SelectFrames(10, 10) // 15 ms
	rig.Tick(f)
	testkit.Equal(t, f.axis.NsPerPx(f.regions.plot), before, "ns a pixel, was %v", before)
	f.ToggleLock(rig.Env)
	rig.Tick(f)
	got := f.axis.Width()
	testkit.That(t, math.Abs(got-f.total) <= 1, "unlocked, %v ns are visible of %v", got, f.total)
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
	testkit.EqualSlices(t, got, want, "bars")
}

func TestFlameMissingFrameSaysSo(t *testing.T) {
	s := chartstest.NewSession(t)
	rig := chartstest.NewRig(s, 1, 720, 300)
	rig.Env.View.SetPlayhead(s.Track(chartstest.TMain).Frame(chartstest.TestGapAfter).End + 60e6)
	f := New(model.NoCollector)
	rig.Tick(f)
	testkit.Equal(t, f.Mode(rig.Env), "Main · frames 12\u202f461 – 12\u202f468 were not received", "mode")
	testkit.That(t, len(f.bars) == 0, "bars of a frame that was not received")
	h := f.HitTest(rig.Env, 300, 200)
	testkit.That(t, h.Kind == panel.HitGap, "hit %v", h.Kind)
}

// nodeRects calls yield for every plain bar on the screen.
func (f *Graph) nodeRects(yield func(c model.CollectorID, r draw.Rect) bool) {
	for i := range f.bars {
		if b := &f.bars[i]; b.merged == 1 && !yield(f.nodes[b.node].Collector, b.rect) {
			return
		}
	}
}

// mid returns the middle of the first bar of a collector.
func mid(t testing.TB, f *Graph, c model.CollectorID) (x, y float32) {
	t.Helper()
	for got, r := range f.nodeRects {
		if got == c {
			return (r.X0 + r.X1) / 2, (r.Y0 + r.Y1) / 2
		}
	}
	t.Fatalf("collector %d is not on the screen", c)
	return 0, 0
}

// A click selects and leaves what is shown as it is; a double click, Enter and the menu focus.
func TestClickSelectsDoubleClickFocuses(t *testing.T) {
	rig, f := flameRig(chartstest.NewSession(t), 720, 300, 50, 50)
	v := rig.Env.View
	whole := f.axis.Window
	x, y := mid(t, f, chartstest.CDraw)
	rig.Click(f, x, y)
	rig.Tick(f)
	testkit.MustThat(t, v.Collector() == chartstest.CDraw && v.Focus().None() && f.axis.Window == whole,
		"a click: collector %d, focus %v, window %v of %v", v.Collector(), v.Focus(), f.axis.Window, whole)
	_, taken := f.Key(rig.Env, "enter")
	testkit.That(t, taken, "Enter is not taken")
	rig.Tick(f)
	testkit.MustThat(t, v.Focus().Last() == chartstest.CDraw && f.axis.Window != whole,
		"Enter: focus on %d", v.Focus().Last())
	v.FocusOn(view.Path{})
	rig.Tick(f)
	testkit.That(t, f.axis.Window == whole, "the whole is not shown again")
	rig.DoubleClick(f, x, y)
	rig.Tick(f)
	testkit.MustThat(t, v.Focus().Last() == chartstest.CDraw && f.axis.Window != whole,
		"a double click: focus on %d", v.Focus().Last())
	x, y = mid(t, f, chartstest.CDraw)
	rig.Move(f, x, y)
	rig.In.Right = panel.Button{Down: true, Pressed: true, DownX: x, DownY: y}
	rig.Tick(f)
	rig.In.Right = panel.Button{Released: true, DownX: x, DownY: y}
	act := rig.Tick(f)
	testkit.That(t, act.Kind == panel.ActionMenu && act.Hit.Path == v.Focus(), "the menu is about %v", act.Hit.Path)
}

// The focus is of its thread: another one is shown as a whole, and a frame in which it did not run
// says so.
func TestFocusIsOfItsThread(t *testing.T) {
	s := chartstest.NewSession(t)
	rig, f := flameRig(s, 720, 300, 50, 50)
	v := rig.Env.View
	f.ZoomTo(rig.Env, []model.CollectorID{0, chartstest.CDraw})
	rig.Tick(f)
	main := v.Track()
	other := model.NoTrack
	for id := range model.TrackID(s.NumTracks()) {
		if id != main && s.Track(id).NumSpans() > 0 {
			other = id
			break
		}
	}
	v.SetTrack(other)
	rig.Tick(f)
	testkit.That(t, len(f.bars) != 0 && len(f.zoom) == 0 && f.axis.Width() == f.wholeNs(),
		"another thread: %d bars, zoom %v, %v of %v", len(f.bars), f.zoom, f.axis.Width(), f.wholeNs())
	v.SetTrack(main)
	rig.Tick(f)
	testkit.That(t, f.found >= 0 && len(f.zoom) == 2, "back on the thread the focus is gone: %v", f.zoom)
	f.ZoomTo(rig.Env, []model.CollectorID{0, chartstest.CDraw, chartstest.CDraw}) // never runs
	rig.Tick(f)
	testkit.That(t, len(f.bars) != 0 && f.axis.Width() == f.wholeNs(),
		"what does not run: %d bars, %v of %v", len(f.bars), f.axis.Width(), f.wholeNs())
	last := f.crumbs.Items[len(f.crumbs.Items)-1].Text
	want := s.Collector(chartstest.CDraw).Name + " did not run here"
	testkit.That(t, last == want, "the crumb says %q, want %q", last, want)
}

// Keys select what they go to, and Back brings the focus along.
func TestKeysSelectAndBackRefocuses(t *testing.T) {
	rig, f := flameRig(chartstest.NewSession(t), 720, 300, 50, 50)
	v := rig.Env.View
	tick := func() {
		rig.Env.NowNs += 1e9
		v.Tick(rig.Env.NowNs, false)
		rig.Tick(f)
	}
	x, y := mid(t, f, chartstest.CApp)
	rig.Click(f, x, y)
	tick()
	var at []model.CollectorID
	for range 2 {
		testkit.MustThat(t, f.FirstChild(rig.Env), "no callee")
		tick()
		testkit.MustThat(t, v.Focus().Last() == v.Collector() && f.zoom[len(f.zoom)-1] == v.Collector(),
			"collector %d, focus %d", v.Collector(), v.Focus().Last())
		at = append(at, v.Collector())
	}
	testkit.That(t, f.zoom[1] == chartstest.CApp, "the keys did not go on from the bar that was clicked: %v", f.zoom)
	f.Caller(rig.Env)
	testkit.That(t, v.Collector() == at[0], "the caller is %d, want %d", v.Collector(), at[0])
	tick()
	v.Back()
	tick()
	got := f.zoom[len(f.zoom)-1]
	testkit.That(t, got == at[1] && v.Collector() == at[1],
		"after Back: zoom %v, collector %d, want %d", f.zoom, v.Collector(), at[1])
	for v.CanBack() && !v.Focus().None() {
		v.Back()
		tick()
	}
	testkit.That(t, len(f.zoom) == 0 && v.Collector() == chartstest.CApp,
		"at the beginning: zoom %v, collector %d", f.zoom, v.Collector())
	before := slices.Clone(f.zoom)
	testkit.That(t, !f.Parent(rig.Env), "of the whole there is no parent: %v", before)
}

// However a flame graph is dragged, zoomed and scrolled, there are bars of it in its pane: all of its
// width where that is narrower than the pane, else from edge to edge.
func TestTheGraphStaysInItsPane(t *testing.T) {
	for _, flip := range []bool{false, true} {
		for _, locked := range []bool{false, true} {
			rig := chartstest.NewRig(chartstest.NewSession(t), 1, 500, 110)
			rig.Env.View.SelectFrames(150, 150)
			f := New(model.NoCollector)
			f.Flip = flip
			rig.Tick(f)
			if locked {
				f.ToggleLock(rig.Env)
				rig.Env.View.SelectFrames(10, 10) // much shorter
				rig.Tick(f)
			}
			plot := f.regions.plot
			rnd := rand.New(rand.NewPCG(1, 2))
			at := func() (x, y float32) { return plot.X0 + rnd.Float32()*plot.W(), plot.Y0 + rnd.Float32()*plot.H() }
			for n := range 400 {
				x, y := at()
				if rnd.IntN(3) == 0 {
					f.Update(rig.Env, rig.R, &panel.Input{Over: true, X: x, Y: y, WheelY: float32(rnd.IntN(7) - 3)})
				} else {
					x1, y1 := at()
					left := panel.Button{Down: true, Pressed: true, DownX: x, DownY: y}
					f.Update(rig.Env, rig.R, &panel.Input{Over: true, X: x, Y: y, Left: left})
					left.Pressed, left.Dragging = false, true
					f.Update(rig.Env, rig.R, &panel.Input{Over: true, X: x1, Y: y1, Left: left})
					left.Down, left.Released = false, true
					f.Update(rig.Env, rig.R, &panel.Input{Over: true, X: x1, Y: y1, Left: left})
				}
				rig.Tick(f)
				seen := false
				for _, b := range f.bars {
					r := b.rect
					seen = seen || r.X1 > plot.X0 && r.X0 < plot.X1 && r.Y0 >= plot.Y0-1 && r.Y0 < plot.Y1
				}
				b, e := f.axis.Target()
				if out := max(-b, e-f.total); !seen || out > max(e-b-f.total, 0)+1 {
					t.Fatalf("step %d, flip %v, locked %v: bars in sight: %v, %v to %v of %v ns", n, flip, locked, seen, b, e, f.total)
				}
			}
		}
	}
}

// TestLiveFlameFollows runs a game and a flame graph together: it shows the mean of the newest
// frames, of as many as its switch says, and of others four times a second, bars and words alike.
func TestLiveFlameFollows(t *testing.T) {
	g, rig := chartstest.NewLiveRig(20, 200, 900, 400)
	flame := New(model.NoCollector)
	var tree spans.Tree
	number, atNs, times := int64(0), int64(-panel.LiveValuesNs), 0
	for range 120 {
		g.Frame()
		rig.Move(flame, 500, 200)
		if !panel.Stands(rig.Env, atNs) {
			number, atNs, times = g.S.Track(0).Frame(g.S.Track(0).NumFrames()-1).Number, rig.Env.NowNs, times+1
		}
		testkit.MustThat(t, flame.source.last == number && flame.source.frames == panel.LiveFrames,
			"frame %d (mean of %d), of the moment is %d", flame.source.last, flame.source.frames, number)
		i, _ := g.S.Track(0).FrameByNumber(number)
		g.S.FrameTree([]model.TrackID{0}, 0, i-panel.LiveFrames+1, i, &tree)
		if want := float64(tree.Total) / panel.LiveFrames; math.Abs(flame.total-want) > 1 {
			t.Fatalf("bars of %v ns, the frames that the words name have %v", flame.total, want)
		}
	}
	testkit.That(t, times >= 4 && times <= 12, "made anew %d times in 2 s", times)
	for _, want := range []int64{300, 1, 60} {
		for i, n := range means {
			if tools := flame.Tools(rig.Env); tools[len(tools)-1].ID != toolMean {
				t.Fatalf("the last tool is %+v", tools[len(tools)-1])
			} else if int64(n) == want {
				flame.Use(rig.Env, toolMean, i)
			}
		}
		rig.Tick(flame)
		testkit.That(t, flame.source.frames == want, "mean of %d frames, want %d", flame.source.frames, want)
	}
	testkit.That(t, rig.Env.View.Live(), "a hover or a switch stopped following")
}

// TestTheRulerMovesWithTheGraph pans a graph: the ruler counts from where the frame begins,
// wherever that is, and what fits everything or leads back to live data brings it back.
func TestTheRulerMovesWithTheGraph(t *testing.T) {
	rig, f := flameRig(chartstest.NewSession(t), 720, 300, 150, 150)
	v := rig.Env.View
	check := func(panned bool) {
		t.Helper()
		left := f.axis.BeginNs
		testkit.MustThat(t, (left != 0) == panned, "the graph begins at %v ns", left)
		n := 0
		for _, m := range f.markRuler(rig.Env) {
			n++
			if at := left + float64(m.x-f.regions.ruler.X0)*f.axis.NsPerPx(f.regions.ruler); math.Abs(at-float64(m.ns)) > 1.01*f.axis.NsPerPx(f.regions.ruler) {
				t.Errorf("the mark of %d ns is where %v ns are", m.ns, at)
			}
		}
		testkit.That(t, n >= 3, "%d marks", n)
	}
	check(false)
	pan := func() {
		f.axis.Set(f.total/3, f.total, false, 0)
		f.free = true
		rig.Tick(f)
		check(true)
	}
	pan()
	v.Steer().FitAll()
	rig.Tick(f)
	check(false)
	pan()
	v.Follow(true)
	rig.Tick(f)
	rig.Tick(f)
	testkit.That(t, f.axis.BeginNs == 0 && !f.free, "going live left the graph at %v ns", f.axis.BeginNs)
}

// What the wheel zoomed to keeps its share of the whole, whatever frame is selected: longer or shorter
// ones, there and back.
func TestAnotherFrameKeepsTheShareInView(t *testing.T) {
	s := store.NewSession()
	s.Apply(model.CollectorDef{ID: 1, Name: "App"})
	s.Apply(model.CollectorDef{ID: 2, Name: "Draw"})
	s.Apply(model.PathDef{ID: 1, Collector: 1})
	s.Apply(model.PathDef{ID: 2, Collector: 2})
	begin := int64(0)
	for i, ms := range []int64{10, 20, 7, 30} {
		end, draws := begin+ms*1e6, begin+ms*1e6*6/10
		s.Append(&model.Batch{HasFrame: true, Number: int64(i), Begin: begin, End: end, Spans: []model.Span{
			{Begin: begin, End: draws, Path: 1}, {Begin: draws, End: end, Path: 2},
		}})
		begin = end
	}
	rig, f := flameRig(s, 720, 300, 0, 0)
	plot := f.regions.plot
	for range 3 { // at 70 % of the frame, in Draw
		f.Update(rig.Env, rig.R, &panel.Input{Over: true, X: plot.X0 + 0.7*plot.W(), Y: plot.Y0 + 5, WheelY: 1})
		rig.Tick(f)
	}
	shares := func() (from, to float64) {
		b, e := f.axis.Target()
		return b / f.total, e / f.total
	}
	from, to := shares()
	testkit.MustThat(t, f.free && from > 0.05 && to < 0.95 && to-from < 0.9, "the wheel zoomed to %.3f … %.3f of the frame", from, to)
	for _, i := range []int{1, 0, 2, 3, 0} {
		before := f.total
		rig.Env.View.SelectFrames(i, i)
		rig.Tick(f)
		testkit.MustThat(t, f.total != before, "frame %d has the graph of the one before", i)
		b, e := shares()
		testkit.That(t, math.Abs(b-from) < 1e-6 && math.Abs(e-to) < 1e-6,
			"frame %d of %v ns shows %.3f … %.3f of it, the one before %.3f … %.3f", i, f.total, b, e, from, to)
	}
}

// A range is selected while it is drawn, so that the flame graph of what the mouse has passed is on
// the screen at every tick.
func TestARangeIsSelectedWhileItIsDrawn(t *testing.T) {
	s := chartstest.NewSession(t)
	env := chartstest.NewEnv(s, 1)
	tr := s.Track(env.View.Track())
	env.View.Steer().Set(float64(tr.Frame(100).Begin), float64(tr.Frame(110).End), false, 0)
	rect := draw.Rect{X1: 1000, Y1: 400}
	var tl timeline.Timeline
	flame := New(model.NoCollector)
	in := chartstest.MouseAt(300, 200)
	chartstest.Settle(env, &tl, rect)
	in.Shift, in.Left = true, panel.Button{Down: true, Pressed: true, DownX: 300, DownY: 200}
	tl.Update(env, rect, in)
	last := int64(0)
	for _, x := range []float32{340, 420, 560, 700} {
		in := chartstest.MouseAt(x, 200)
		in.Shift, in.Alt, in.Left = true, true, panel.Button{Down: true, Dragging: true, DownX: 300, DownY: 200}
		tl.Update(env, rect, in)
		flame.Update(env, rect, &panel.Input{})
		if width := env.View.RangeB() - env.View.RangeA(); width <= last {
			t.Fatalf("with the mouse at %v the selected range is %d ns long, not more than the %d ns before", x, width, last)
		} else {
			last = width
		}
		got := int64(flame.total)
		testkit.That(t, got > 0 && got <= last, "the flame graph shows %d ns of a range of %d ns", got, last)
	}
}

// flameRig is a window with a flame graph of some frames.
func flameRig(s *store.Session, w, h float32, first, last int) (*chartstest.Rig, *Graph) {
	rig, f := chartstest.NewRig(s, 1, w, h), New(model.NoCollector)
	rig.Env.View.SelectFrames(first, last)
	rig.Tick(f)
	return rig, f
}

// Each bar is met in its middle, joined ones as such.
func TestFlameHitTestFindsEveryBar(t *testing.T) {
	rig := chartstest.NewRig(chartstest.NewSession(t), 1, 720, 400)
	rig.Env.View.SelectFrames(100, 119)
	f := New(model.NoCollector)
	f.Flip = true
	rig.Tick(f)
	for i, b := range f.bars {
		h := f.HitTest(rig.Env, (b.rect.X0+b.rect.X1)/2, (b.rect.Y0+b.rect.Y1)/2)
		joined := b.merged > 1 && h.Kind == panel.HitMerged
		testkit.MustThat(t, joined || h.Kind == panel.HitNode && h.Rect == b.rect &&
			h.Collector == f.nodes[b.node].Collector, "bar %d of %+v: kind %v of collector %d", i, b, h.Kind, h.Collector)
	}
	testkit.That(t, len(f.bars) >= 20, "%d bars", len(f.bars))
}
