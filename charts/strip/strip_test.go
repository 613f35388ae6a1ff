package strip

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"framescope/charts/draw"
	"framescope/charts/format"
	"framescope/charts/panel"
	"framescope/internal/recordings"
	"framescope/internal/testkit"
	"framescope/internal/testkit/chartstest"
	"framescope/model"
	"framescope/model/frames"
	"framescope/model/store"
	"framescope/net/profilelib"
	"framescope/net/pstats/decode"
)

type look = chartstest.Look

func TestGoldenStrip(t *testing.T) {
	s, selected := chartstest.NewSession(t), chartstest.Selected
	tr := s.Track(chartstest.TMain)
	whole := func() *Chart { return New(model.NoTrack, 0, false) }
	buffers := func() *Chart { return New(model.NoTrack, chartstest.CBuffers, true) }
	gap, guided, live, waits := whole(), whole(), New(model.NoTrack, chartstest.CApp, false), whole()
	guided.Guides, guided.Hz = []float64{0.0125}, true
	live.FollowNs, live.Columns = 5e9, frames.StripSmooth
	var waiting *chartstest.Rig
	chartstest.Titled(t,
		look{Name: "strip_frame", S: s, W: 640, H: 360, Panel: whole(), Set: selected(150, 150)},
		look{Name: "strip_frame_2x", S: s, W: 640, H: 360, Panel: whole(), Set: selected(150, 150), Scale: 2},
		look{Name: "strip_levels", S: s, W: 480, H: 260, Panel: buffers(), Set: selected(20, 80)},
		look{Name: "strip_levels_2x", S: s, W: 480, H: 260, Panel: buffers(), Set: selected(20, 80), Scale: 2},
		look{Name: "strip_gap", S: s, W: 640, H: 300, Panel: gap, Set: func(rig *chartstest.Rig) {
			v, begin, end := rig.Env.View, tr.Frame(150).Begin, tr.Frame(175).End
			v.SetPlayhead(tr.Frame(160).End + 40e6)
			v.Steer().PlaceTime(begin, end)
			v.Pointer().Set(nil, chartstest.CGeom, 0, false)
			gap.Show(v, begin, end)
		}},
		look{Name: "strip_light", S: s, W: 640, H: 300, Panel: guided, Light: true, Set: func(rig *chartstest.Rig) {
			rig.Env.View.SelectFrames(90, 120)
			rig.Env.View.SelectCollector(chartstest.CDraw)
		}},
		look{Name: "strip_narrow", S: s, W: 370, H: 310, Panel: New(model.NoTrack, chartstest.CApp, false), Set: selected(31, 31)},
		look{Name: "strip_many_bands", S: manyBands(60, 30, "Stage"), W: 640, H: 260, Panel: whole(), Set: selected(31, 31)},
		look{Name: "strip_waits", S: manyBands(60, 6, "Wait"), W: 640, H: 260, Panel: waits, Set: func(rig *chartstest.Rig) {
			rig.Env.View.SelectFrames(31, 31)
			waiting = rig
		}},
		look{Name: "strip_small", S: s, W: 280, H: 130, Panel: whole()},
		look{Name: "strip_live_smooth", S: s, W: 480, H: 300, Panel: live, Set: func(rig *chartstest.Rig) { rig.Env.View.Follow(true) }},
		look{Name: "strip_empty", S: store.NewSession(), W: 480, H: 200, Panel: whole()})
	for k := range waits.strip.Bands[1:] {
		a, _ := waits.bandFill(waiting.Env, k)
		b, _ := waits.bandFill(waiting.Env, k+1)
		testkit.That(t, a != b, "waits %d and %d are one grey", k, k+1)
	}
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
	rig, c := stripRig(chartstest.NewSession(t), 640, 360)
	rects, bands := bandRects(c)
	testkit.MustThat(t, len(rects) >= 100, "only %d rectangles are drawn", len(rects))
	for i, r := range rects {
		x, y := (r.X0+r.X1)/2, (r.Y0+r.Y1)/2
		if h := c.HitTest(rig.Env, x, y); h.Kind != panel.HitBand || h.Collector != c.strip.Bands[bands[i]] {
			t.Fatalf("at %v, %v: %v of collector %d, want band %d (collector %d)", x, y, h.Kind, h.Collector, bands[i], c.strip.Bands[bands[i]])
		}
	}
}

func TestStripColumnsAddUp(t *testing.T) {
	s := chartstest.NewSession(t)
	_, c := stripRig(s, 640, 360)
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
	testkit.MustThat(t, seen >= 300, "%d columns with data", seen)
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
	testkit.MustThat(t, c.Focus == chartstest.CCull, "focus is %d after a double click on Cull", c.Focus)
	testkit.That(t, rig.Env.View.Live(), "a double click stopped following live data")
	rig.Tick(c)
	for _, b := range c.strip.Bands {
		testkit.That(t, b == chartstest.CCull || rig.Env.View.Session().Collector(b).Parent == chartstest.CCull,
			"band %d is no child of Cull", b)
	}
	// the first crumb leads back
	r := c.crumbs.Items[0].Rect
	rig.Click(c, (r.X0+r.X1)/2, (r.Y0+r.Y1)/2)
	testkit.MustThat(t, c.Focus == 0, "focus is %d after a click on the first crumb", c.Focus)
	c.Descend(chartstest.CCull)
	c.Descend(chartstest.CTravers)
	testkit.That(t, c.Ascend(rig.Env) && c.Focus == chartstest.CCull && c.Ascend(rig.Env) && c.Focus == 0 &&
		!c.Ascend(rig.Env), "ascending ends at %d", c.Focus)
	// levels end at their top-level collector
	l := New(model.NoTrack, 36, true)
	testkit.That(t, l.Ascend(rig.Env) && l.Focus == chartstest.CBuffers && !l.Ascend(rig.Env),
		"levels ascend to %d", l.Focus)
}

func TestStripClickSelectsWhatIsSeen(t *testing.T) {
	rig, c := stripRig(chartstest.NewSession(t), 640, 360)
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
	rig, c := stripRig(chartstest.NewSession(t), 640, 360)
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
	testkit.That(t, c.FixedTop == 0 && c.scale == before, "scale %v after a double click, want %v", c.scale, before)
}

func TestStripGuideBars(t *testing.T) {
	// VIEWER.md section 18, case 20
	step := guideStep(4, 1.0/15, 30)
	testkit.That(t, math.Abs(step-1.0/60) <= 1e-12 && isTarget(2*step, 30) && !isTarget(step, 30),
		"step %v s, want 1/60", step)
	got := format.LevelStep(4, 70)
	testkit.That(t, got == 20, "level step %v, want 20", got)
	rig, c := stripRig(chartstest.NewSession(t), 640, 360)
	plot := c.regions.plot
	rig.Drag(c, plot.X0+100, c.regions.ruler.Y0+8, plot.X0+100, plot.Y1-60)
	want := c.valueAt(plot.Y1 - 60)
	testkit.MustThat(t, len(c.Guides) == 1 && math.Abs(c.Guides[0]-want) <= 1e-9,
		"guide bars %v, want one at %v", c.Guides, want)
	rig.Drag(c, plot.X0+200, plot.Y1-60, plot.X0+200, plot.Y1+30)
	testkit.That(t, len(c.Guides) == 0, "guide bars %v after it was dragged out", c.Guides)
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
	testkit.MustThat(t, h.Kind == panel.HitBand && h.Gap.Count() == chartstest.TestGapFrames && h.Frame == -1,
		"in the gap: kind %v, gap of %d, frame %d", h.Kind, h.Gap.Count(), h.Frame)
	testkit.That(t, slices.Contains(h.Lines, "8 frames missing: 12\u202f461 – 12\u202f468"),
		"the tooltip says %q", h.Lines)
	rig.Env.View.Look().SetShowInterpolated(false)
	rig.Tick(c)
	if h = c.HitTest(rig.Env, x, plot.Y1-4); h.Kind != panel.HitGap || h.Collector != model.NoCollector {
		t.Errorf("with nothing interpolated: kind %v, collector %d", h.Kind, h.Collector)
	}
	// no number is made of invented frames
	rig.Env.View.SetPlayhead(tr.Frame(chartstest.TestGapAfter).End + 60e6)
	rig.Tick(c)
	testkit.That(t, c.ref.last < c.ref.first, "labels show values in a gap")
}

func TestStripLegendFits(t *testing.T) {
	s := manyBands(40, 30, "Stage")
	for _, w := range []float32{120, 240, 640, 1900, 4000} {
		_, c := stripRig(s, w, 260)
		area := c.regions.legend
		for i := range c.legend {
			r := c.legend[i].rect
			testkit.MustThat(t, r.X0 >= area.X0 && r.X1 <= area.X1,
				"width %v: name %d at %v is outside %v", w, i, r, area)
			testkit.MustThat(t, i <= 0 || r.X0 >= c.legend[i-1].rect.X1,
				"width %v: name %d overlaps the one before", w, i)
			testkit.MustThat(t, i <= 0 || c.legend[i].band <= c.legend[i-1].band,
				"width %v: name %d is not in the order of the stack", w, i)
		}
		testkit.That(t, len(c.legend) != 0 && len(c.legend)+c.hidden >= 30,
			"width %v: %d names and %d more of at least 30", w, len(c.legend), c.hidden)
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
	rig, c := stripRig(chartstest.NewSession(t), 640, 360)
	knee := 1.5 * float64(rig.Env.View.Look().FrameBudgetNs()) / 1e9
	testkit.That(t, c.scale.knee == knee, "the knee is at %v s, one and a half budgets are %v s", c.scale.knee, knee)
	y := c.valueY(c.strip.Max)
	testkit.That(t, y >= c.regions.plot.Y0, "the greatest value lies at %v, above %v", y, c.regions.plot.Y0)
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
	press(toolKnee)
	testkit.That(t, c.scale.knee == 0 && !c.bent(), "the knee is off: %v", c.scale)
	press(toolScale)
	testkit.That(t, c.FixedTop == c.scale.top, "fixed at %v: %v", c.FixedTop, c.scale)
	press(toolKnee)
	testkit.That(t, c.scale == bent, "the knee is on again: %v, was %v", c.scale, bent)
}

// A stop takes no more room than a torn gap: the frames before it stay in view, the scale is as it was, and each place
// of the plot has a time and each time a place.
func TestStopsAreFolded(t *testing.T) {
	s, at := chartstest.Named("Frame", "App"), int64(0)
	grow := func(n int, took int64) {
		for range n {
			at = chartstest.AppendCalls(s, 0, at/1e6, at, chartstest.Took(1, took))
		}
	}
	grow(2500, 10e6)
	rig, c := stripRig(s, 640, 300)
	rig.Env.View.Follow(true)
	rig.Tick(c)
	before, stop := c.scale, at
	grow(1, 20e9)
	again := at
	grow(100, 10e6)
	rig.Tick(c)
	plot := c.regions.plot
	testkit.Equal(t, c.scale, before, "the scale behind a stop")
	x0, x1 := c.own.ToPx(plot, stop), c.own.ToPx(plot, again)
	testkit.That(t, x0 > float64(plot.X0)+float64(plot.W())*0.9 && x1-x0 < 8 && x1 > x0+3,
		"the stop lies from %g to %g of a plot from %g to %g", x0, x1, plot.X0, plot.X1)
	data := 0
	for i := range c.strip.Columns {
		if col := &c.strip.Columns[i]; col.State == frames.ColumnData {
			data++
			testkit.That(t, col.Net > 0.0099 && col.Net < 0.0101, "column %d: %v s", i, col.Net)
		}
	}
	testkit.That(t, data > len(c.strip.Columns)*9/10, "%d columns of %d show frames", data, len(c.strip.Columns))
	for x := float64(plot.X0); x < float64(plot.X1); x += 7 {
		back := c.own.ToPx(plot, c.own.ToTime(plot, x))
		testkit.That(t, math.Abs(back-x) < 1e-3, "x %g has a time of which the x is %g", x, back)
	}
	words := fmt.Sprint(c.List().Texts())
	testkit.Contains(t, words, "stopped 20.0 s", "−25 s")
	live := c.own.Window
	rig.Env.View.Follow(false)
	rig.Env.View.SelectFrames(2600, 2600)
	rig.Tick(c)
	testkit.Equal(t, c.own.Window, live, "pausing moves nothing")
	c.own.PanPx(-100, float64(plot.W()))
	testkit.That(t, math.Abs(c.own.ToPx(plot, stop)-x0-100) < 1, "dragged by 100 px it is at %g, was at %g", c.own.ToPx(plot, stop), x0)
}

// Without a knee, too, the values of the axis lie apart, whatever the scale ends at, and the budget is one
// of them where it is in the scale.
func TestStripAxisWithoutKnee(t *testing.T) {
	rig, c := stripRig(chartstest.NewSession(t), 640, 200)
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
				o := a.Box.Intersect(b.Box)
				testkit.MustThat(t, o.Empty(), "a scale up to %.2f budgets: %q lies over %q", of, a.Text, b.Text)
			}
		}
		testkit.MustThat(t, (len(values) >= 2 || of <= 1.2) && (marked == (of > 1.01) || of >= 0.99 && of <= 1.02),
			"a scale up to %.2f budgets has %v, the budget marked: %v", of, values, marked)
	}
}

// Above a knee, too, no value of the axis lies over another, though some lie on the budget's pixel.
func TestStripAxisAboveKnee(t *testing.T) {
	rig, c := stripRig(chartstest.NewSession(t), 490, 112)
	for knee := 0.0003; knee < 0.03; knee *= 1.01 {
		c.scale = scale{knee: knee, top: 35 * knee}
		c.List().Reset(c.regions.plot)
		c.drawGuides(rig.Env, rig.Env.View.Session())
		values := c.List().Texts()
		for i, a := range values {
			for _, b := range values[:i] {
				o := a.Box.Intersect(b.Box)
				testkit.MustThat(t, o.Empty(), "a knee at %v s: %q lies over %q", knee, a.Text, b.Text)
			}
		}
		testkit.MustThat(t, len(values) >= 2, "a knee at %v s: the axis has %v", knee, values)
	}
}

// manyBands returns a session of one thread with n frames of k collectors.
func manyBands(n, k int, name string) *store.Session {
	s := chartstest.Named("Frame")
	for i := 1; i <= k; i++ {
		s.Apply(model.CollectorDef{ID: model.CollectorID(i), Name: fmt.Sprintf("%s %d", name, i), Sort: i})
		s.Apply(model.PathDef{ID: model.PathID(i + 1), Collector: model.CollectorID(i)})
	}
	rng, at := rand.New(rand.NewPCG(5, 6)), int64(1e9)
	for f := range n {
		calls := make([]model.CollectorTime, k)
		for i := range calls {
			calls[i] = chartstest.Took(model.CollectorID(i+1), int64(300_000+rng.IntN(200_000)))
		}
		at = chartstest.AppendCalls(s, 0, int64(f), at, calls...)
	}
	return s
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
		testkit.MustThat(t, c.own.Window == was, "thread %d: the chart shows %v, not %v", id, c.own.Window, was)
	}
	testkit.That(t, moved, "no thread moved the playhead")
	v.SelectFrames(4, 4)
	rig.Tick(c)
	testkit.That(t, c.own.Window != was, "a frame that was chosen is out of sight")
}

// Where several gaps are under one pixel a tip names the one between whose neighbours the column is
// interpolated.
func TestTipNamesTheGapOfItsColumn(t *testing.T) {
	s := store.NewSession()
	s.Apply(model.CollectorDef{ID: 0, Name: "Frame", Parent: -1, Sort: -1})
	s.Apply(model.TrackDef{ID: 0, Name: "thread"})
	at, took := int64(0), map[int64]float64{} // seconds, by number
	for i := range int64(120) {
		length := 100 + 10*i // none like another
		took[3*i] = float64(length) * 1e-9
		s.Append(&model.Batch{
			Track: 0, HasFrame: true, Number: 3 * i, Begin: at, End: at + length, Self: []model.CollectorTime{{Collector: 0, Ns: length, Count: 1}},
		})
		at += length + 1000 // two are missing
	}
	rig := chartstest.NewRig(s, 1, 200, 160)
	c := New(model.NoTrack, 0, false)
	c.Columns = frames.StripHold
	rig.Env.View.SelectFrames(0, 0)
	rig.Env.View.Steer().PlaceTime(0, at)
	rig.Ticks(c, 3)
	seen := 0
	for x := rig.R.X0 + 0.5; x < rig.R.X1; x++ {
		for _, y := range []float32{0.6, 0.85} {
			h := c.HitTest(rig.Env, x, rig.R.Y0+rig.R.H()*y)
			if h.Gap.Count() != 2 || h.Kind != panel.HitBand {
				continue
			}
			column, band := c.bandAt(x, rig.R.Y0+rig.R.H()*y)
			v := float64(c.row(column)[band])
			if a, b := took[h.Gap.FirstNumber-1], took[h.Gap.LastNumber+1]; a == 0 || v < a*0.9999 || v > b*1.0001 {
				t.Errorf("%v at %v, frames %d to %d are missing: between %v and %v", v, x, h.Gap.FirstNumber, h.Gap.LastNumber, a, b)
			}
			seen++
		}
	}
	testkit.That(t, seen >= 10, "only %d gaps were met", seen)
}

// TestLiveStripFollows runs a game and a strip chart together: it ends at the newest frame, its
// scale keeps still, a hover does not stop it, and a drag into the past does.
func TestLiveStripFollows(t *testing.T) {
	g, rig := chartstest.NewLiveRig(20, 200, 900, 400)
	strip := New(model.NoTrack, 0, false)
	tops := map[float64]bool{}
	for range 120 {
		g.Frame()
		rig.Move(strip, 500, 200)
		tops[strip.target.top] = true
		newest := g.S.Track(0).Frame(g.S.Track(0).NumFrames() - 1)
		got := int64(strip.own.EndNs)
		testkit.MustThat(t, got == newest.Begin,
			"the strip chart ends at %d, the newest frame begins at %d", got, newest.Begin)
	}
	testkit.That(t, len(tops) <= 2, "the scale of a steady game changed %d times", len(tops)-1)
	testkit.That(t, rig.Env.View.Live(), "a hover stopped following")
	rig.Drag(strip, 400, 200, 600, 200)
	before := strip.own.EndNs
	for range 30 {
		g.Frame()
		rig.Tick(strip)
	}
	testkit.That(t, !rig.Env.View.Live() && strip.own.EndNs <= before,
		"the chart runs on after it was dragged into the past")
}

// A live chart of each thread shows the same time, also of one whose last frame is long ago.
func TestLiveStripsOfAllThreadsShowTheSameTime(t *testing.T) {
	g := chartstest.NewLiveGame(3)
	g.Frame()
	old := g.S.Track(0).Frame(0)
	g.S.Apply(model.TrackDef{ID: 1, Name: "Loader"})
	g.S.Append(&model.Batch{Track: 1, HasFrame: true, Number: 0, Begin: old.Begin, End: old.End})
	for range 50 {
		g.Frame()
	}
	rig := chartstest.NewRig(g.S, 1, 900, 400)
	rig.Env.View.Follow(true)
	strip := New(model.NoTrack, 0, false)
	rig.Tick(strip)
	was := strip.own.Window
	rig.Env.View.SetTrack(1)
	rig.Env.View.Follow(true)
	rig.Tick(strip)
	testkit.That(t, strip.own.Window == was, "the loader's chart shows %v, the main thread's %v", strip.own.Window, was)
}

// A frame rate stands beside the duration of frames only: what ran in their blocks is less, and 1 by
// it is no rate of anything.
func TestFrameRateIsOfFrames(t *testing.T) {
	for _, x := range []struct {
		name string
		s    *store.Session
		rate bool
	}{
		{"blocks", chartstest.Load(t, profilelib.Source{}, recordings.ProfileLib, "small-clean.prof"), false},
		{"frames", chartstest.NewSession(t), true},
	} {
		rig := chartstest.NewRig(x.s, 1, 500, 300)
		for _, last := range []int{0, 4} {
			rig.Env.View.SelectFrames(0, last)
			c := New(model.NoTrack, 0, false)
			rig.Tick(c)
			said := c.Mode(rig.Env)
			testkit.That(t, said != "" && strings.Contains(said, "Hz") == x.rate,
				"%s: %q, frame rate: %v", x.name, said, x.rate)
		}
	}
}

func TestPanelsOfRealSessions(t *testing.T) {
	gpu, long := chartstest.Load(t, decode.Source{}, recordings.PStats, "render_gl_gpu.pstats"), chartstest.Load(t, decode.Source{}, recordings.PStats, "longrun.pstats")
	middle := func(more int) func(*chartstest.Rig) { // of the session, and some frames more
		return func(rig *chartstest.Rig) {
			n := rig.Env.View.Shown().NumFrames()
			rig.Env.View.SelectFrames(n/2, n/2+more)
		}
	}
	level, most := model.NoCollector, 0
	for id := range model.CollectorID(gpu.Collectors().Len()) {
		if d := gpu.Collector(id); d.HasLevel && d.Parent == 0 && id != 0 {
			bands, _ := gpu.Frames().OpenBands(0, 40, id, 0, true, nil)
			if len(bands) > most {
				level, most = id, len(bands)
			}
		}
	}
	strip := func() panel.Panel { return New(model.NoTrack, 0, false) }
	chartstest.Titled(t,
		look{Name: "strip_real_gpu", S: gpu, W: 900, H: 320, Panel: strip(), Set: middle(0)},
		look{Name: "strip_real_longrun", S: long, W: 900, H: 320, Panel: strip(), Set: middle(100)},
		look{Name: "levels_real_gpu", S: gpu, W: 700, H: 260, Panel: New(model.NoTrack, level, true), Set: chartstest.Selected(40, 40)})
}

// In place of a collector that has nearly all of the time, waits aside, its children are stacked; not in
// place of one that the user chose, or whose children have none.
func TestChildrenOfWhatDominates(t *testing.T) {
	s := chartstest.NewSession(t)
	rig := chartstest.NewRig(s, 1, 700, 300)
	for _, x := range []struct {
		track model.TrackID
		focus model.CollectorID
		bands string
	}{
		{chartstest.TMain, 0, "App · Cull · Draw · Wait · self"},
		{chartstest.TCull, 0, "Traverse · Sort · Cull, self · Wait · self"},
		{chartstest.TCull, chartstest.CCull, "Traverse · Sort · self"},
	} {
		c, got := New(x.track, x.focus, false), []string{}
		rig.Tick(c)
		for k := range c.strip.Bands {
			got = append(got, c.legendName(s, k))
		}
		bands := strings.Join(got, " · ")
		testkit.That(t, bands == x.bands, "track %d, focus %d: %q, want %q", x.track, x.focus, bands, x.bands)
	}
}

// The plot has nearly all of the panel, at the sizes that it has in windows from 1280 × 720 on: names
// of bands and numbers of the axis stand where little is lost.
func TestPlotHasTheRoom(t *testing.T) {
	s := manyBands(40, 30, "Stage")
	for _, size := range [][2]float32{{521, 330}, {440, 230}, {640, 180}, {900, 300}} {
		for _, scale := range []float32{1, 1.5, 2} {
			rig := chartstest.NewRig(s, scale, size[0], size[1])
			c := New(model.NoTrack, 0, false)
			rig.Ticks(c, 2)
			plot := c.regions.plot
			if w, h := plot.W()/rig.R.W(), plot.H()/rig.R.H(); w < 0.85 || h < 0.6 {
				t.Errorf("%v at %v: the plot has %.2f of the width and %.2f of the height", size, scale, w, h)
			}
		}
	}
}

// stripRig is a window with a strip chart of a session.
func stripRig(s *store.Session, w, h float32) (*chartstest.Rig, *Chart) {
	rig, c := chartstest.NewRig(s, 1, w, h), New(model.NoTrack, 0, false)
	rig.Tick(c)
	return rig, c
}

func TestGoldenPiano(t *testing.T) {
	s := chartstest.NewSession(t)
	geom := func(rig *chartstest.Rig) {
		rig.Env.View.SelectFrames(107, 107)
		rig.Env.View.SelectCollector(chartstest.CGeom)
	}
	gap := func(rig *chartstest.Rig) {
		rig.Env.View.SetPlayhead(s.Track(chartstest.TMain).Frame(chartstest.TestGapAfter).End + 60e6)
	}
	chartstest.Titled(t,
		look{Name: "piano_frame", S: s, W: 720, H: 420, Panel: NewPiano(model.NoTrack), Set: geom},
		look{Name: "piano_frame_2x", S: s, W: 720, H: 420, Panel: NewPiano(model.NoTrack), Set: geom, Scale: 2},
		look{Name: "piano_gap", S: s, W: 560, H: 320, Panel: NewPiano(model.NoTrack), Set: gap},
		look{Name: "piano_empty", S: store.NewSession(), W: 560, H: 200, Panel: NewPiano(model.NoTrack)})
}

func TestPianoHitTestFindsEveryBar(t *testing.T) {
	rig, p := pianoRig(chartstest.NewSession(t), 900, 600, 107)
	testkit.MustThat(t, len(p.bars) >= 20, "%d bars", len(p.bars))
	runs := int32(0)
	for i := range p.bars {
		b := &p.bars[i]
		runs += b.merged
		h := p.HitTest(rig.Env, (b.rect.X0+b.rect.X1)/2, (b.rect.Y0+b.rect.Y1)/2)
		testkit.MustThat(t, h.Rect == b.rect && h.Collector == p.rows[b.row].collector &&
			(h.Kind == panel.HitMerged) == (b.merged > 1), "bar %d at %v: hit %v at %v", i, b.rect, h.Kind, h.Rect)
		testkit.MustThat(t, i <= 0 || p.bars[i-1].row != b.row || b.rect.X0 >= p.bars[i-1].rect.X1,
			"bar %d overlaps the one before", i)
	}
	testkit.That(t, int(runs) == len(p.runs), "%d runs in bars, %d in the frame", runs, len(p.runs))
	// labels
	for row := range p.rows {
		h := p.HitTest(rig.Env, 20, p.rowY(rig.Env, row)+5)
		testkit.MustThat(t, h.Kind == panel.HitCollector && h.Collector == p.rows[row].collector,
			"label of row %d: %v of collector %d", row, h.Kind, h.Collector)
	}
}

func TestPianoRowsAreTheOfficialOrder(t *testing.T) {
	s := chartstest.NewSession(t)
	rig, p := pianoRig(s, 900, 600, 107)
	for i := 1; i < len(p.rows); i++ {
		a, b := s.Collector(p.rows[i-1].collector), s.Collector(p.rows[i].collector)
		testkit.That(t, a.Sort >= b.Sort && p.rowY(rig.Env, i-1) > p.rowY(rig.Env, i),
			"%s (sort %d) is not below %s (sort %d)", a.Name, a.Sort, b.Name, b.Sort)
		x, y := p.runs[p.rows[i-1].first], p.runs[p.rows[i].first]
		testkit.That(t, a.Sort > b.Sort || x.Begin > y.Begin || x.Begin == y.Begin && x.End <= y.End,
			"%s, from %d, is not below %s, from %d", a.Name, x.Begin, b.Name, y.Begin)
	}
}

func TestPianoShowsStartsApart(t *testing.T) {
	s := chartstest.Named("Frame", "Task")
	b := model.Batch{HasFrame: true, Number: 7, Begin: 5e9, End: 5e9 + 10e6}
	for i := range int64(3) { // back to back
		b.Spans = append(b.Spans, model.Span{Begin: 5e9 + i*2e6, End: 5e9 + (i+1)*2e6, Path: 2})
	}
	s.Append(&b)
	rig, p := pianoRig(s, 900, 300, 0)
	testkit.MustThat(t, len(p.bars) == 3, "%d bars for three starts", len(p.bars))
	for i := range 2 {
		gap := p.bars[i+1].rect.X0 - p.bars[i].rect.X1
		testkit.That(t, gap >= 1, "%v px between bars %d and %d", gap, i, i+1)
	}
	h := p.HitTest(rig.Env, p.bars[1].rect.X0+5, p.bars[1].rect.Y0+5)
	want := []string{"Task (2.00 ms)", "run 2 of 3 · 6.00 ms in all", "from 2.00 ms to 4.00 ms in the frame"}
	testkit.That(t, slices.Equal(h.Lines, want), "the tooltip says %q", h.Lines)
	a := rig.DoubleClick(p, p.bars[1].rect.X0+5, p.bars[1].rect.Y0+5)
	testkit.That(t, a.Kind == panel.ActionOpenStrip && a.Collector == 1, "a double click asks for %v", a.Kind)
}

func TestPianoInterpolatesBetweenNeighbours(t *testing.T) {
	s := chartstest.Named("Frame", "Task")
	frame := func(number, begin, from, to int64) {
		spans := []model.Span{{Begin: begin + from, End: begin + to, Path: 2}}
		s.Append(&model.Batch{HasFrame: true, Number: number, Begin: begin, End: begin + 10e6, Spans: spans})
	}
	frame(1, 1e9, 0, 2e6)
	frame(5, 1e9+50e6, 4e6, 8e6)
	rig := chartstest.NewRig(s, 1, 900, 300)
	rig.Env.View.SetPlayhead(1e9 + 20e6) // a quarter of the way from 10 ms to 50 ms
	p := NewPiano(model.NoTrack)
	rig.Tick(p)
	testkit.MustThat(t, len(p.runs) == 1 && p.runs[0].Begin == 1e6 && p.runs[0].End == 3.5e6, "runs %+v", p.runs)
	if h := p.HitTest(rig.Env, p.bars[0].rect.X0+3, p.bars[0].rect.Y0+3); h.Frame != -1 || h.Lines[len(h.Lines)-1] != "interpolated between the frames before and after the gap" {
		t.Errorf("frame %d, %q", h.Frame, h.Lines)
	}
	rig.Env.View.Look().SetShowInterpolated(false)
	rig.Tick(p)
	testkit.That(t, len(p.bars) == 0, "bars though interpolation is off")
}

// TestLivePianoFollows runs a game and a piano roll together: it shows the newest frame, four times a
// second another one, as the figures of all panels are.
func TestLivePianoFollows(t *testing.T) {
	g, rig := chartstest.NewLiveRig(20, 200, 900, 400)
	piano := NewPiano(model.NoTrack)
	number, atNs, times := int64(0), int64(-panel.LiveValuesNs), 0
	for range 120 {
		g.Frame()
		rig.Move(piano, 500, 200)
		newest := g.S.Track(0).Frame(g.S.Track(0).NumFrames() - 1)
		if made := !panel.Stands(rig.Env, atNs); made {
			number, atNs, times = newest.Number, rig.Env.NowNs, times+1
		}
		if piano.source.number != number || piano.source.durNs != newest.End-newest.Begin && number == newest.Number {
			t.Fatalf("the roll shows frame %d, of the moment is %d", piano.source.number, number)
		}
	}
	testkit.That(t, times >= 4 && times <= 12, "%d frames of 2 s were shown", times)
}

// Where frames overlap a bar is of the span that came with the frame that is shown, also where one of
// the other's began at the same time.
func TestBarsAreOfTheirOwnFrame(t *testing.T) {
	s := chartstest.Named("Frame", "Draw")
	for k, end := range []int64{10_000, 15_000} {
		s.Append(&model.Batch{
			HasFrame: true, Number: int64(k), Begin: int64(k) * 5_000, End: end,
			Spans: []model.Span{{Begin: 5_000, End: end - 2_000, Path: 2, Lane: uint16(k)}},
			Self:  []model.CollectorTime{{Collector: 1, Ns: end - 7_000, Count: 1}},
		})
	}
	rig := chartstest.NewRig(s, 1, 600, 200)
	for k, end := range []int64{8_000, 13_000} {
		rig.Env.View.SelectFrames(k, k)
		p := NewPiano(model.NoTrack)
		rig.Tick(p)
		testkit.MustThat(t, len(p.bars) == 1, "frame %d has %d bars", k, len(p.bars))
		b, ok := p.spanOf(rig.Env, 0)
		testkit.That(t, ok && b.End == end && int(b.Ref.Lane) == k,
			"frame %d: the bar is of %+v (%v), want the one that ends at %d", k, b, ok, end)
	}
}

// The row of the selected collector is in view in a low panel, until somebody scrolls.
func TestThePianoShowsTheSelected(t *testing.T) {
	rig, p := pianoRig(chartstest.NewSession(t), 600, 70, 100)
	for _, row := range []int{len(p.rows) - 1, 0, len(p.rows) / 2} {
		rig.Env.View.SelectCollector(p.rows[row].collector)
		rig.Tick(p)
		y := p.rowY(rig.Env, row)
		plot := p.regions.plot
		testkit.That(t, y >= plot.Y0 && y+p.rowHeight(rig.Env) <= plot.Y1, "row %d of %d at %g, of %v", row, len(p.rows), y, plot)
	}
	p.scrollY = 0
	rig.Tick(p)
	testkit.That(t, p.scrollY == 0, "it scrolled by itself to %g", p.scrollY)
}

// pianoRig is a window with a piano roll of a frame.
func pianoRig(s *store.Session, w, h float32, frame int) (*chartstest.Rig, *Roll) {
	rig, p := chartstest.NewRig(s, 1, w, h), NewPiano(model.NoTrack)
	rig.Env.View.SelectFrames(frame, frame)
	rig.Tick(p)
	return rig, p
}
