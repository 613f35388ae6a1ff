package strip

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"framescope/assets"
	"framescope/charts/chartstest"
	"framescope/charts/draw"
	"framescope/charts/format"
	"framescope/charts/panel"
	"framescope/model"
	"framescope/model/frames"
	"framescope/model/store"
)

func TestGoldenStrip(t *testing.T) {
	chartstest.AtScales(t, "strip_frame", func(t *testing.T, scale float32, name string) {
		rig := chartstest.NewRig(chartstest.NewSession(t), scale, 640, 360)
		rig.Env.View.SelectFrames(150, 150)
		c := New(model.NoTrack, 0, false)
		rig.Check(t, c, name)
	})
	chartstest.AtScales(t, "strip_levels", func(t *testing.T, scale float32, name string) {
		rig := chartstest.NewRig(chartstest.NewSession(t), scale, 480, 260)
		rig.Env.View.SelectFrames(20, 80)
		c := New(model.NoTrack, chartstest.CBuffers, true)
		rig.Check(t, c, name)
	})
}

func TestGoldenStripVariants(t *testing.T) {
	s := chartstest.NewSession(t)
	t.Run("gap", func(t *testing.T) {
		rig := chartstest.NewRig(s, 1, 640, 300)
		tr := s.Track(chartstest.TMain)
		rig.Env.View.Steer().PlaceTime(tr.Frame(150).Begin, tr.Frame(175).End)
		rig.Env.View.SetPlayhead(tr.Frame(160).End + 40e6)
		rig.Env.View.Steer().PlaceTime(tr.Frame(150).Begin, tr.Frame(175).End)
		rig.Env.View.Pointer().Set(nil, chartstest.CGeom, 0, false)
		c := New(model.NoTrack, 0, false)
		c.Show(rig.Env.View, tr.Frame(150).Begin, tr.Frame(175).End)
		rig.Check(t, c, "strip_gap")
	})
	t.Run("light", func(t *testing.T) {
		rig := chartstest.NewRig(s, 1, 640, 300)
		light := assets.Light()
		rig.Env.Theme = &light
		rig.Env.View.SelectFrames(90, 120)
		rig.Env.View.SelectCollector(chartstest.CDraw)
		c := New(model.NoTrack, 0, false)
		c.Guides = []float64{0.0125}
		c.Hz = true
		rig.Check(t, c, "strip_light")
	})
	t.Run("narrow", func(t *testing.T) {
		rig := chartstest.NewRig(s, 1, 370, 310)
		rig.Env.View.SelectFrames(31, 31)
		rig.Check(t, New(model.NoTrack, chartstest.CApp, false), "strip_narrow")
	})
	t.Run("many bands", func(t *testing.T) {
		rig := chartstest.NewRig(manyBands(60, 30, "Stage"), 1, 640, 260)
		rig.Env.View.SelectFrames(31, 31)
		rig.Check(t, New(model.NoTrack, 0, false), "strip_many_bands")
	})
	t.Run("waits", func(t *testing.T) {
		rig := chartstest.NewRig(manyBands(60, 6, "Wait"), 1, 640, 260)
		rig.Env.View.SelectFrames(31, 31)
		c := New(model.NoTrack, 0, false)
		rig.Check(t, c, "strip_waits")
		for k := range c.strip.Bands[1:] {
			a, _ := c.bandFill(rig.Env, k)
			if b, _ := c.bandFill(rig.Env, k+1); a == b {
				t.Errorf("waits %d and %d are one grey", k, k+1)
			}
		}
	})
	t.Run("small", func(t *testing.T) {
		rig := chartstest.NewRig(s, 1, 280, 130)
		c := New(model.NoTrack, 0, false)
		rig.Check(t, c, "strip_small")
	})
	t.Run("live", func(t *testing.T) {
		rig := chartstest.NewRig(s, 1, 480, 300)
		rig.Env.View.Follow(true)
		c := New(model.NoTrack, chartstest.CApp, false)
		c.FollowNs = 5e9
		c.Columns = frames.StripSmooth
		rig.Check(t, c, "strip_live_smooth")
	})
	t.Run("empty", func(t *testing.T) {
		rig := chartstest.NewRig(store.NewSession(), 1, 480, 200)
		rig.Check(t, New(model.NoTrack, 0, false), "strip_empty")
	})
}

// bandRects returns for every run of equal columns of every band what is drawn of it.
func bandRects(c *Chart) (rects []draw.Rect, bands []int) {
	n := len(c.strip.Bands) + 1
	for k := range n - 1 {
		for i := 0; i < len(c.strip.Columns); {
			y1, y0 := c.edges[i*n+k], c.edges[i*n+k+1]
			j := i + 1
			for j < len(c.strip.Columns) && c.edges[j*n+k] == y1 && c.edges[j*n+k+1] == y0 {
				j++
			}
			r := draw.Rect{X0: c.xs[i], Y0: y0, X1: c.xs[j], Y1: y1}.Intersect(c.regions.plot)
			if !r.Empty() {
				rects, bands = append(rects, r), append(bands, k)
			}
			i = j
		}
	}
	return
}

func TestStripHitTestFindsEveryBand(t *testing.T) {
	rig := chartstest.NewRig(chartstest.NewSession(t), 1, 640, 360)
	c := New(model.NoTrack, 0, false)
	rig.Tick(c)
	rects, bands := bandRects(c)
	if len(rects) < 100 {
		t.Fatalf("only %d rectangles are drawn", len(rects))
	}
	for i, r := range rects {
		x, y := (r.X0+r.X1)/2, (r.Y0+r.Y1)/2
		if h := c.HitTest(rig.Env, x, y); h.Kind != panel.HitBand || h.Collector != c.strip.Bands[bands[i]] {
			t.Fatalf("at %v, %v: %v of collector %d, want band %d (collector %d)", x, y, h.Kind, h.Collector, bands[i], c.strip.Bands[bands[i]])
		}
	}
}

func TestStripColumnsAddUp(t *testing.T) {
	s := chartstest.NewSession(t)
	rig := chartstest.NewRig(s, 1, 640, 360)
	c := New(model.NoTrack, 0, false)
	rig.Tick(c)
	n, seen := len(c.strip.Bands), 0
	for i, col := range c.strip.Columns {
		if col.State != frames.ColumnData {
			continue
		}
		seen++
		want := s.Track(chartstest.TMain).Frame(int(col.Frame))
		if got, took := float64(col.Net), float64(want.End-want.Begin)/1e9; math.Abs(got-took) > 1e-4*took {
			t.Fatalf("column %d shows %v s for frame %d that took %v s", i, got, want.Number, took)
		}
		// the drawn height is that of the sum, to the pixel
		want0 := c.valueY(float64(col.Net))
		if got := c.edges[i*(n+1)+n]; panel.Abs32(got-want0) > 1 {
			t.Fatalf("column %d ends at %v, want %v", i, got, want0)
		}
	}
	if seen < 300 {
		t.Fatalf("%d columns with data", seen)
	}
}

func TestStripNoSpikeHides(t *testing.T) {
	s := chartstest.NewSession(t)
	rig := chartstest.NewRig(s, 1, 260, 200) // three columns a frame or fewer would not do: squeeze 200 frames into some 40
	c := New(model.NoTrack, 0, false)
	rig.Tick(c)
	c.own.Fit(s.Track(chartstest.TMain).Frame(0).Begin-int64(1.5e9), s.Track(chartstest.TMain).Frame(199).End)
	rig.Tick(c)
	if got := c.strip.Max; math.Abs(got-0.0412) > 0.001 {
		t.Fatalf("greatest column is %v s, the greatest frame takes 0.0412 s", got)
	}
}

func TestStripDescendAndAscend(t *testing.T) {
	rig := chartstest.NewRig(chartstest.NewSession(t), 1, 640, 360)
	rig.Env.View.Follow(true)
	c := New(model.NoTrack, 0, false)
	c.FollowNs = 4e9
	rig.Tick(c)
	rects, bands := bandRects(c)
	for i, r := range rects {
		if c.strip.Bands[bands[i]] == chartstest.CCull && r.H() > 10 && r.X1 < c.regions.plot.X1-80 && r.X0 > c.regions.plot.X1-150 {
			rig.DoubleClick(c, (r.X0+r.X1)/2, (r.Y0+r.Y1)/2)
			break
		}
	}
	if c.Focus != chartstest.CCull {
		t.Fatalf("focus is %d after a double click on Cull", c.Focus)
	}
	if !rig.Env.View.Live() {
		t.Error("a double click stopped following live data")
	}
	rig.Tick(c)
	for _, b := range c.strip.Bands {
		if b != chartstest.CCull && rig.Env.View.Session().Collector(b).Parent != chartstest.CCull {
			t.Errorf("band %d is no child of Cull", b)
		}
	}
	// the first crumb leads back
	r := c.crumbs.Items[0].Rect
	rig.Click(c, (r.X0+r.X1)/2, (r.Y0+r.Y1)/2)
	if c.Focus != 0 {
		t.Fatalf("focus is %d after a click on the first crumb", c.Focus)
	}
	c.Descend(chartstest.CCull)
	c.Descend(chartstest.CTravers)
	if !c.Ascend(rig.Env) || c.Focus != chartstest.CCull || !c.Ascend(rig.Env) || c.Focus != 0 || c.Ascend(rig.Env) {
		t.Errorf("ascending ends at %d", c.Focus)
	}
	// levels end at their top-level collector
	l := New(model.NoTrack, 36, true)
	if !l.Ascend(rig.Env) || l.Focus != chartstest.CBuffers || l.Ascend(rig.Env) {
		t.Errorf("levels ascend to %d", l.Focus)
	}
}

func TestStripClickSelectsWhatIsSeen(t *testing.T) {
	rig := chartstest.NewRig(chartstest.NewSession(t), 1, 640, 360)
	c := New(model.NoTrack, 0, false)
	rig.Tick(c)
	rects, bands := bandRects(c)
	for i, r := range rects {
		if c.strip.Bands[bands[i]] != chartstest.CDraw || r.H() < 4 || i%7 != 0 {
			continue
		}
		x, y := (r.X0+r.X1)/2, (r.Y0+r.Y1)/2
		h := c.HitTest(rig.Env, x, y)
		if h.Frame < 0 {
			continue
		}
		rig.Click(c, x, y)
		if v := rig.Env.View; v.FrameA() != h.Frame || v.FrameB() != h.Frame || v.Collector() != chartstest.CDraw {
			t.Fatalf("selected frames %d to %d, collector %d; the tooltip said frame %d", v.FrameA(), v.FrameB(), v.Collector(), h.Frame)
		}
	}
}

func TestStripRescaleFollowsTheMouse(t *testing.T) {
	rig := chartstest.NewRig(chartstest.NewSession(t), 1, 640, 360)
	c := New(model.NoTrack, 0, false)
	rig.Tick(c)
	before, plot := c.scale, c.regions.plot
	pressed := c.valueAt(plot.Y1 - 100)
	x := c.regions.values.X0 + 10
	rig.Drag(c, x, plot.Y1-100, x, plot.Y1-200)
	// the value that was at 100 px is now at 200 px
	if got := c.valueAt(plot.Y1 - 200); math.Abs(got-pressed) > 1e-9 || c.FixedTop == 0 || c.scale.knee > 0 {
		t.Errorf("%v where %v was pressed, on %v", got, pressed, c.scale)
	}
	rig.DoubleClick(c, x, plot.Y0+50)
	rig.Tick(c)
	if c.FixedTop != 0 || c.scale != before {
		t.Errorf("scale %v after a double click, want %v", c.scale, before)
	}
}

func TestStripGuideBars(t *testing.T) {
	// pstats-viewer section 18, case 20
	step := guideStep(4, 1.0/15, 30)
	if math.Abs(step-1.0/60) > 1e-12 || !isTarget(2*step, 30) || isTarget(step, 30) {
		t.Errorf("step %v s, want 1/60", step)
	}
	if got := format.LevelStep(4, 70); got != 20 {
		t.Errorf("level step %v, want 20", got)
	}
	rig := chartstest.NewRig(chartstest.NewSession(t), 1, 640, 360)
	c := New(model.NoTrack, 0, false)
	rig.Tick(c)
	plot := c.regions.plot
	rig.Drag(c, plot.X0+100, c.regions.ruler.Y0+8, plot.X0+100, plot.Y1-60)
	want := c.valueAt(plot.Y1 - 60)
	if len(c.Guides) != 1 || math.Abs(c.Guides[0]-want) > 1e-9 {
		t.Fatalf("guide bars %v, want one at %v", c.Guides, want)
	}
	rig.Drag(c, plot.X0+200, plot.Y1-60, plot.X0+200, plot.Y1+30)
	if len(c.Guides) != 0 {
		t.Errorf("guide bars %v after it was dragged out", c.Guides)
	}
}

func TestStripMissingFramesAreMarked(t *testing.T) {
	s := chartstest.NewSession(t)
	rig := chartstest.NewRig(s, 1, 640, 300)
	tr := s.Track(chartstest.TMain)
	c := New(model.NoTrack, 0, false)
	rig.Tick(c)
	c.own.Fit(tr.Frame(150).Begin, tr.Frame(175).End)
	rig.Tick(c)
	plot := c.regions.plot
	x := float32(c.own.ToPx(plot, tr.Frame(chartstest.TestGapAfter).End+60e6))
	h := c.HitTest(rig.Env, x, plot.Y1-4)
	if h.Kind != panel.HitBand || h.Gap.Count() != chartstest.TestGapFrames || h.Frame != -1 {
		t.Fatalf("in the gap: kind %v, gap of %d, frame %d", h.Kind, h.Gap.Count(), h.Frame)
	}
	if !slices.Contains(h.Lines, "8 frames missing: 12\u202f461 – 12\u202f468") {
		t.Errorf("the tooltip says %q", h.Lines)
	}
	rig.Env.View.Look().SetShowInterpolated(false)
	rig.Tick(c)
	if h = c.HitTest(rig.Env, x, plot.Y1-4); h.Kind != panel.HitGap || h.Collector != model.NoCollector {
		t.Errorf("with nothing interpolated: kind %v, collector %d", h.Kind, h.Collector)
	}
	// no number is made of invented frames
	rig.Env.View.SetPlayhead(tr.Frame(chartstest.TestGapAfter).End + 60e6)
	rig.Tick(c)
	if c.ref.last >= c.ref.first {
		t.Error("labels show values in a gap")
	}
}

func TestStripLegendFits(t *testing.T) {
	s := manyBands(40, 30, "Stage")
	for _, w := range []float32{120, 240, 640, 1900, 4000} {
		rig := chartstest.NewRig(s, 1, w, 260)
		c := New(model.NoTrack, 0, false)
		rig.Tick(c)
		area := c.regions.legend
		for i := range c.legend {
			r := c.legend[i].rect
			if r.X0 < area.X0 || r.X1 > area.X1 {
				t.Fatalf("width %v: name %d at %v is outside %v", w, i, r, area)
			}
			if i > 0 && r.X0 < c.legend[i-1].rect.X1 {
				t.Fatalf("width %v: name %d overlaps the one before", w, i)
			}
			if i > 0 && c.legend[i].band > c.legend[i-1].band {
				t.Fatalf("width %v: name %d is not in the order of the stack", w, i)
			}
		}
		if len(c.legend) == 0 || len(c.legend)+c.hidden < 30 {
			t.Errorf("width %v: %d names and %d more of at least 30", w, len(c.legend), c.hidden)
		}
	}
}

// Below the knee the scale is linear, above it logarithmic, and all that is visible is on it.
func TestStripKnee(t *testing.T) {
	sc := scale{knee: 0.025, top: 0.1}
	for share, want := range map[float64]float64{0: 0, 0.3: 0.0125, 0.6: 0.025, 0.8: 0.05, 1: 0.1} {
		if v := sc.value(share); math.Abs(v-want) > 1e-12 || math.Abs(sc.share(want)-share) > 1e-12 {
			t.Errorf("%v at %v of the height, %v at %v", v, share, want, sc.share(want))
		}
	}
	rig := chartstest.NewRig(chartstest.NewSession(t), 1, 640, 360)
	c := New(model.NoTrack, 0, false)
	rig.Tick(c)
	if knee := 1.5 * float64(rig.Env.View.Look().FrameBudgetNs()) / 1e9; c.scale.knee != knee {
		t.Errorf("the knee is at %v s, one and a half budgets are %v s", c.scale.knee, knee)
	}
	if y := c.valueY(c.strip.Max); y < c.regions.plot.Y0 {
		t.Errorf("the greatest value lies at %v, above %v", y, c.regions.plot.Y0)
	}
	for _, peak := range []float64{0.01, 0.0749, 0.076, 0.3} { // of frames of 16 ms but for one
		other := New(model.NoTrack, 0, false)
		rig.Tick(other)
		other.strip.Columns = nil
		for _, net := range []float32{0.016, 0.016, float32(peak)} {
			other.strip.Columns = append(other.strip.Columns, frames.StripColumn{State: frames.ColumnData, Net: net})
		}
		if top := other.autoScale(rig.Env, true).top; top < peak || top > max(3*1.5/60.+1e-6, 1.4*peak) {
			t.Errorf("where the worst frame takes %v s the scale ends at %v s", peak, top)
		}
	}
	press := func(id int) {
		c.Use(rig.Env, id, 0)
		rig.Tick(c)
	}
	bent := c.scale
	if press(toolKnee); c.scale.knee != 0 || c.bent() {
		t.Errorf("the knee is off: %v", c.scale)
	}
	if press(toolScale); c.FixedTop != c.scale.top {
		t.Errorf("fixed at %v: %v", c.FixedTop, c.scale)
	}
	if press(toolKnee); c.scale != bent {
		t.Errorf("the knee is on again: %v, was %v", c.scale, bent)
	}
}

// Without a knee, too, the values of the axis lie apart, whatever the scale ends at, and the budget is one
// of them where it is in the scale.
func TestStripAxisWithoutKnee(t *testing.T) {
	rig := chartstest.NewRig(chartstest.NewSession(t), 1, 640, 200)
	c := New(model.NoTrack, 0, false)
	rig.Tick(c)
	budget := float64(rig.Env.View.Look().FrameBudgetNs()) / 1e9
	for of := 0.3; of < 8; of *= 1.01 {
		c.FixedTop = of * budget
		rig.Tick(c)
		var values []draw.WatchedText
		for _, x := range c.List().Texts() {
			if x.Box.X0 > c.regions.values.X0 && x.Box.Y1 < c.regions.plot.Y1 {
				values = append(values, x)
			}
		}
		marked := false
		for i, a := range values {
			marked = marked || a.Color == draw.Color(rig.Env.Theme.Text)
			for _, b := range values[:i] {
				if o := a.Box.Intersect(b.Box); !o.Empty() {
					t.Fatalf("a scale up to %.2f budgets: %q lies over %q", of, a.Text, b.Text)
				}
			}
		}
		if len(values) < 2 && of > 1.2 || marked != (of > 1.01) && (of < 0.99 || of > 1.02) {
			t.Fatalf("a scale up to %.2f budgets has %v, the budget marked: %v", of, values, marked)
		}
	}
}

// Above a knee, too, no value of the axis lies over another, though some lie on the budget's pixel.
func TestStripAxisAboveKnee(t *testing.T) {
	rig := chartstest.NewRig(chartstest.NewSession(t), 1, 490, 112)
	c := New(model.NoTrack, 0, false)
	rig.Tick(c)
	for knee := 0.0003; knee < 0.03; knee *= 1.01 {
		c.scale = scale{knee: knee, top: 35 * knee}
		c.List().Reset(c.regions.plot)
		c.drawGuides(rig.Env, rig.Env.View.Session())
		values := c.List().Texts()
		for i, a := range values {
			for _, b := range values[:i] {
				if o := a.Box.Intersect(b.Box); !o.Empty() {
					t.Fatalf("a knee at %v s: %q lies over %q", knee, a.Text, b.Text)
				}
			}
		}
		if len(values) < 2 {
			t.Fatalf("a knee at %v s: the axis has %v", knee, values)
		}
	}
}

// manyBands returns a session of one thread with n frames of k collectors.
func manyBands(n, k int, name string) *store.Session {
	s := store.NewSession()
	s.Apply(model.TrackDef{ID: 0, Name: "Main"})
	s.Apply(model.CollectorDef{ID: 0, Name: "Frame"})
	for i := 1; i <= k; i++ {
		s.Apply(model.CollectorDef{ID: model.CollectorID(i), Name: fmt.Sprintf("%s %d", name, i), Sort: i})
		s.Apply(model.PathDef{ID: model.PathID(i), Collector: model.CollectorID(i)})
	}
	var b model.Batch
	rng := rand.New(rand.NewPCG(5, 6))
	at := int64(1e9)
	for f := range n {
		b.Reset()
		b.HasFrame, b.Number, b.Begin = true, int64(f), at
		for i := 1; i <= k; i++ {
			d := int64(300_000 + rng.IntN(200_000))
			b.Spans = append(b.Spans, model.Span{Begin: at, End: at + d, Path: model.PathID(i)})
			b.Alone = append(b.Alone, model.CollectorTime{Collector: model.CollectorID(i), Ns: d, Count: 1})
			at += d
		}
		b.End = at
		s.Append(&b)
	}
	return s
}

func TestStripAllocatesNothing(t *testing.T) {
	rig := chartstest.NewRig(chartstest.NewSession(t), 1, 640, 360)
	c := New(model.NoTrack, 0, false)
	i := 0
	tick := func() {
		i++
		rig.Move(c, 300+float32(i%40), 250)
		c.HitTest(rig.Env, rig.In.X, rig.In.Y)
		c.Title(rig.Env)
	}
	for range 200 {
		tick()
	}
	before := c.List().Revision()
	if n := testing.AllocsPerRun(100, tick); n != 0 {
		t.Errorf("%v allocations a tick", n)
	}
	if c.List().Revision() == before {
		t.Error("nothing was drawn: the test does not test")
	}
	rig.In.Over = false
	rig.Tick(c)
	before = c.List().Revision()
	rig.Tick(c)
	if c.List().Revision() != before {
		t.Error("the list was filled anew though nothing changed")
	}
}

func BenchmarkStrip(b *testing.B) {
	s := manyBands(100_000, 30, "Stage")
	rig := chartstest.NewRig(s, 1, 1280, 400)
	c := New(model.NoTrack, 0, false)
	begin, end, _ := s.Bounds()
	c.own.Fit(begin, end)
	rig.Tick(c)
	step := float64(end-begin) / 1280 / 3
	b.ReportAllocs()
	b.ResetTimer()
	for i := range b.N {
		c.own.Fit(begin+int64(float64(i%2)*step*3), end+int64(float64(i%2)*step*3)) // forces query and drawing
		rig.Tick(c)
	}
	b.ReportMetric(float64(c.List().Quads()), "quads/frame")
}

// TestStripForgetsAnotherSessionsTime shows a long recording, a short one, and the long one again:
// each time the window is that of a chart just made.
func TestStripForgetsAnotherSessionsTime(t *testing.T) {
	long, short := chartstest.NewSession(t), chartstest.SessionOf(12)
	c := New(model.NoTrack, 0, false)
	for i, s := range []*store.Session{long, short, long} {
		rig := chartstest.NewRig(s, 1, 480, 260)
		fresh := New(model.NoTrack, 0, false)
		for range 4 {
			c.Update(rig.Env, rig.R, &panel.Input{})
			fresh.Update(rig.Env, rig.R, &panel.Input{})
		}
		if c.own.BeginNs != fresh.own.BeginNs || c.own.EndNs != fresh.own.EndNs {
			t.Errorf("session %d: %v to %v, a new chart shows %v to %v", i, c.own.BeginNs, c.own.EndNs, fresh.own.BeginNs, fresh.own.EndNs)
		}
	}
}

// A thread that is chosen shows its frames of the time that is looked at, wherever the playhead is.
func TestStripStaysWhereOneLooks(t *testing.T) {
	s := chartstest.NewSession(t)
	rig := chartstest.NewRig(s, 1, 900, 300)
	v, c := rig.Env.View, New(model.NoTrack, 0, false)
	v.SelectFrames(3, 3)
	rig.Tick(c)
	begin, end, _ := s.Bounds()
	c.Show(v, (begin+end)/2, end)
	rig.Tick(c)
	was, moved := c.own.Window, false
	for id := range model.TrackID(s.NumTracks()) {
		at := v.Playhead()
		v.SetTrack(id)
		moved = moved || v.Playhead() != at
		rig.Tick(c)
		if c.own.Window != was {
			t.Fatalf("thread %d: the chart shows %v, not %v", id, c.own.Window, was)
		}
	}
	if !moved {
		t.Error("no thread moved the playhead")
	}
	v.SelectFrames(4, 4)
	rig.Tick(c)
	if c.own.Window == was {
		t.Error("a frame that was chosen is out of sight")
	}
}
