package timeline

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"framescope/charts/draw"
	"framescope/charts/format"
	"framescope/charts/panel"
	"framescope/charts/subject"
	"framescope/charts/view"
	"framescope/internal/recordings"
	"framescope/internal/testkit"
	"framescope/internal/testkit/chartstest"
	"framescope/model"
	"framescope/model/store"
	"framescope/model/why"
	"framescope/net/profilelib"
	"framescope/net/pstats/decode"
)

var testRect = draw.Rect{X0: 20, Y0: 30, X1: 1020, Y1: 730}

// timelineOn returns a timeline of the test session, settled on a range.
func timelineOn(env *panel.Env, begin, end int64) *Timeline {
	var tl Timeline
	env.View.Tick(env.NowNs, false)
	env.View.Steer().PlaceTime(begin, end)
	chartstest.Settle(env, &tl, testRect)
	return &tl
}

// marked returns whether nothing has drawn the base of a timeline since it last was called with
// this timeline: what was put behind the bars then is still there.
func marked(tl *Timeline) bool {
	mark := spanRow{track: model.NoTrack, y0: -1, y1: -2}
	n := len(tl.spans.rows)
	still := n > 0 && tl.spans.rows[n-1] == mark
	if !still {
		tl.spans.rows = append(tl.spans.rows, mark)
	}
	return still
}

// topOf returns where a block begins in the window.
func topOf(tl *Timeline, block int) float32 {
	y, _ := tl.stack.Band(block)
	return tl.pane.ScreenY(y)
}

// laneY returns the edges of the bars of a lane in the window.
func laneY(env *panel.Env, tl *Timeline, block, lane int) (y0, y1 float32) {
	b := &tl.stack.Groups()[block]
	top := topOf(tl, block) + b.spansY0
	return top + tl.spans.laneY(env, b, lane), top + tl.spans.laneY(env, b, lane+1) - 1
}

func TestTimelineGapAndLabels(t *testing.T) {
	_, env, m, tl := gameOn(t, 158, 163)
	mid := (m.Frame(chartstest.TestGapAfter).End + m.Frame(chartstest.TestGapAfter+1).Begin) / 2
	hit := tl.HitTest(env, float32(env.View.Time().ToPx(tl.pane.Plot(), mid)), tl.pane.Plot().Y0+20)
	testkit.That(t, hit.Kind == panel.HitGap && hit.Gap.Count() == chartstest.TestGapFrames &&
		hit.Lines[0] == "8 frames missing", "in the gap: %+v", hit)
	hit = tl.HitTest(env, tl.pane.Gutter().X0+5, tl.pane.Plot().Y0+20)
	testkit.That(t, hit.Kind == panel.HitLabel && hit.Track == chartstest.TMain && hit.Lines[0] == "Main",
		"on the label: %+v", hit)
	hit = tl.HitTest(env, tl.pane.Plot().X0+5, testRect.Y0+5)
	testkit.That(t, hit.Kind == panel.HitAxis && hit.Frame == 158, "on the ruler: %+v", hit)
}

func TestTimelineClickSelects(t *testing.T) {
	_, env, _, tl := gameOn(t, 150, 150)
	v := env.View
	before := v.Time()
	y := tl.pane.Plot().Y0 + 5 + rootLaneH + 8
	chartstest.Click(env, tl, testRect, 500, y)
	hit := tl.HitTest(env, 500, y)
	if !v.HasSpan() || v.Span().Ref != hit.Bar.Ref || v.Collector() != hit.Collector || v.FrameA() != 150 || v.Playhead() != v.Time().ToTime(tl.pane.Plot(), 500) {
		t.Errorf("selected %+v at frame %d, playhead %d", v.Span(), v.FrameA(), v.Playhead())
	}
	testkit.That(t, v.Time().BeginNs == before.BeginNs && v.Time().EndNs == before.EndNs, "a click moved the axis")
	in := chartstest.MouseAt(500, y)
	in.DoubleClick, in.Left = true, panel.Button{Down: true, Pressed: true, DownX: 500, DownY: y}
	tl.Update(env, testRect, in)
	selected := v.Span()
	in = chartstest.MouseAt(500, y)
	in.Left = panel.Button{Released: true, DownX: 500, DownY: y}
	tl.Update(env, testRect, in)
	testkit.That(t, v.Span() == selected && v.FrameA() == 150, "the release of a double click selected %+v", v.Span())
	got, want := v.Time().Width(), float64(hit.Bar.End-hit.Bar.Begin)*1.5
	testkit.That(t, math.Abs(got/want-1) <= 0.06, "a double click shows %g ns, want %g", got, want)
	v.Back()
	testkit.That(t, v.Time().BeginNs == before.BeginNs && v.Time().EndNs == before.EndNs, "back does not return")
}

// Where there is no room for all tracks, lanes without room for a name in any span are low; where there is, none is.
func TestLanesOfSliversAreLow(t *testing.T) {
	s := chartstest.NewSession(t)
	env := chartstest.NewEnv(s, 1)
	env.View.Look().ChooseCounters(view.CountersNone)
	for _, high := range []float32{220, 4000} {
		var tl Timeline
		r := testRect
		r.Y1 = r.Y0 + high
		chartstest.Settle(env, &tl, r)
		slim := 0
		for _, b := range tl.stack.Groups() {
			slim += b.slim
			testkit.Equal(t, b.low, format.Pick(high < 1000, b.slim, 0), "lanes that are low")
		}
		testkit.That(t, slim > 0, "every lane has a wide span")
	}
}

func TestTimelineFoldKeepsTheRowUnderTheCursor(t *testing.T) {
	s := chartstest.NewSession(t)
	env := chartstest.NewEnv(s, 1)
	r := testRect
	r.Y1 = r.Y0 + 220
	env.View.Look().ChooseCounters(view.CountersNone)
	var tl Timeline
	chartstest.Settle(env, &tl, r)
	tl.pane.ScrollTo(200)
	chartstest.Settle(env, &tl, r)
	i := tl.stack.At(&tl.pane, tl.pane.Plot().Y0+60)
	top := topOf(&tl, i)
	y := top + 10
	chartstest.Click(env, &tl, r, tl.pane.Gutter().X0+10, y)
	testkit.MustThat(t, tl.stack.Groups()[i].folded, "a click on the label did not fold the track")
	testkit.Equal(t, topOf(&tl, i), top, "top of the track that was folded")
	// a track above the plot's top that grows or shrinks does not move what is visible
	top = topOf(&tl, i)
	env.View.Look().SetTrackFolded(tl.stack.Groups()[0].track, true)
	chartstest.Settle(env, &tl, r)
	if got := topOf(&tl, i); got != top && tl.pane.Scroll() > 0 {
		t.Errorf("folding a track above moved the visible one from %g to %g", top, got)
	}
}

// Numbers of frames stand beside a ruler that does not move on: words that stand to be read would be
// of other frames than the ruler shows.
func TestFramesAreNamedWhileTheyStand(t *testing.T) {
	w := chartstest.NewWriter(9)
	w.Track(0, "Main", model.TrackThread)
	for i := range int64(20) {
		w.Begin(0, 100+i, i*10_000_000, (i+1)*10_000_000)
		w.Span(w.Span(0, 0, 0, 0, i*10_000_000, (i+1)*10_000_000), 0, chartstest.CApp, 1, i*10_000_000, i*10_000_000+5_000_000)
		w.End()
	}
	env := chartstest.NewEnv(w.S, 1)
	tl := timelineOn(env, 50_000_000, 80_000_000)
	for live, want := range map[bool]string{false: "frames 10", true: "newest frames · "} {
		env.View.Follow(live)
		testkit.That(t, strings.HasPrefix(tl.Mode(env), want), "live %v: %q", live, tl.Mode(env))
	}
	env.View.Follow(true)
	w.S.Apply(model.End{})
	testkit.That(t, strings.HasPrefix(tl.Mode(env), "frames 10"), "it has ended: %q", tl.Mode(env))
}

// While the cause of a hitch on another thread is selected, the numbers beside the ruler are those of its thread.
func TestFramesAreNamedAsTheRulerDoes(t *testing.T) {
	w := chartstest.NewWriter(9)
	for id, name := range []string{"Main", "Worker"} {
		track := model.TrackID(id)
		w.Track(track, name, model.TrackThread)
		for i := range int64(20) {
			w.Begin(track, 100+400*int64(id)+i, i*10_000_000, (i+1)*10_000_000)
			w.Span(w.Span(0, 0, 0, 0, i*10_000_000, (i+1)*10_000_000), 0, chartstest.CApp, 1, i*10_000_000, i*10_000_000+5_000_000)
			w.End()
		}
	}
	env := chartstest.NewEnv(w.S, 1)
	env.View.SelectFrames(6, 6)
	env.View.SelectCause(&why.Link{Track: 1, Collector: chartstest.CApp, BeginNs: 60_000_000, EndNs: 65_000_000})
	testkit.MustThat(t, env.View.Track() == 1 && env.View.LeadTrack() == 0, "no cause is selected")
	tl := timelineOn(env, 50_000_000, 80_000_000)
	testkit.That(t, strings.HasPrefix(tl.Mode(env), "frames 105 – 107 "), "%q", tl.Mode(env))
}

func TestTimelineNeverDrawsFinerThanTheClock(t *testing.T) {
	w := chartstest.NewWriter(9)
	w.Track(0, "Main", model.TrackThread)
	const hour = 3_600_000_000_000
	w.Begin(0, 1, hour, hour+16_000_000)
	p := w.Span(0, 0, 0, 0, hour, hour+16_000_000)
	for i := range int64(200) { // far shorter than the step of 0.24 ms
		w.Span(p, 0, chartstest.CApp, 1, hour+i*70_000, hour+i*70_000+60_000)
	}
	w.End()
	env := chartstest.NewEnv(w.S, 1)
	tl := timelineOn(env, hour, hour+4_000_000)
	step := w.S.Info().Clock.Step(hour)
	for i := range tl.spans.rows {
		if n := tl.spans.rows[i].to - tl.spans.rows[i].from; n > 2*int(4_000_000/step)+2 { // one that covers a step, one of those at an instant
			t.Errorf("lane %d has %d bars in 4 ms with a clock step of %d ns", tl.spans.rows[i].lane, n, step)
		}
	}
	m := tl.Mode(env)
	testkit.That(t, strings.Contains(m, "time step 244 µs"), "the mode %q does not tell the clock's step", m)
}

func TestTimelineReusesItsList(t *testing.T) {
	_, env, _, tl := gameOn(t, 100, 107)
	in := &panel.Input{X: -1, Y: -1, DtNs: 16_000_000}
	rev := tl.List().Revision()
	tl.Update(env, testRect, in)
	testkit.That(t, tl.List().Revision() == rev, "nothing changed, yet the list was made anew")
	marked(tl)
	env.View.PlacePlayhead(env.View.Playhead() + 1)
	tl.Update(env, testRect, in)
	testkit.That(t, tl.List().Revision() != rev && marked(tl), "the playhead must be drawn anew, and only it")
	env.View.Pointer().Set(nil, chartstest.CGeom, 0, false)
	tl.Update(env, testRect, in)
	testkit.That(t, !marked(tl), "another collector is under the mouse, yet the bars were not drawn anew")
}

func TestTimelineRangeSnapsAndItsEdgesMove(t *testing.T) {
	_, env, _, tl := gameOn(t, 150, 150)
	v := env.View
	y := tl.pane.Plot().Y0 + 5 + rootLaneH + 8
	// from a pixel left of a bar's begin to two right of its end
	var d drawnBar
	for _, c := range tl.spans.bars {
		if c.bar.Collector == chartstest.CCull && c.bar.Ref.Track == chartstest.TMain {
			d = c
		}
	}
	drag := func(from, to float32, shift, alt bool) {
		for i, x := range []float32{from, (from + to) / 2, to, to} {
			in := chartstest.MouseAt(x, y)
			in.Shift, in.Alt = shift, alt
			in.Left = panel.Button{Down: i < 3, Pressed: i == 0, Released: i == 3, Dragging: i > 0, DownX: from, DownY: y}
			env.NowNs += 16_000_000
			v.Tick(env.NowNs, false)
			tl.Update(env, testRect, in)
		}
	}
	drag(d.x0-1, d.x1+2, true, false)
	testkit.MustThat(t, v.RangeA() == d.bar.Begin && v.RangeB() == d.bar.End,
		"range [%d, %d], the bar is [%d, %d]", v.RangeA(), v.RangeB(), d.bar.Begin, d.bar.End)
	axis := v.Time().BeginNs
	drag(d.x1-1, d.x1+60, false, true)
	want := v.Time().ToTime(tl.pane.Plot(), float64(d.x1+60))
	testkit.That(t, v.RangeA() == d.bar.Begin && v.RangeB() == want,
		"the edge was dragged to [%d, %d], want %d", v.RangeA(), v.RangeB(), want)
	testkit.That(t, v.Time().BeginNs == axis, "dragging an edge panned")
	drag(d.x1+60, d.x0-80, false, true) // past the other edge
	if want := v.Time().ToTime(tl.pane.Plot(), float64(d.x0-80)); v.RangeA() != want || v.RangeB() != d.bar.Begin {
		t.Errorf("dragged past the other edge: [%d, %d], want [%d, %d]", v.RangeA(), v.RangeB(), want, d.bar.Begin)
	}
}

// A track with a clock of its own is placed by frame number, and says so.
func TestTimelineAlignsAForeignClock(t *testing.T) {
	w := chartstest.NewWriter(4)
	w.Track(0, "Main", model.TrackThread)
	w.S.Apply(model.TrackDef{ID: 1, Name: "GPU", Kind: model.TrackGPU, Index: 1, OwnClock: true})
	const epoch = 700_000_000_000
	for i := range int64(20) {
		at := 5_000_000_000 + i*16_000_000
		w.Begin(0, i, at, at+16_000_000)
		w.Span(0, 0, 0, 0, at, at+16_000_000)
		w.End()
		w.Begin(1, i, epoch+at, epoch+at+9_000_000)
		p := w.Span(0, 0, 0, 0, epoch+at, epoch+at+9_000_000)
		w.Span(p, 0, 24, 1, epoch+at+1_000_000, epoch+at+8_000_000)
		w.End()
	}
	env := chartstest.NewEnv(w.S, 1)
	m := w.S.Track(0)
	tl := timelineOn(env, m.Frame(10).Begin, m.Frame(12).End)
	y0, y1 := laneY(env, tl, 1, 1)
	x := env.View.Time().ToPx(tl.pane.Plot(), m.Frame(11).Begin+4_000_000)
	hit := tl.HitTest(env, float32(x), (y0+y1)/2)
	testkit.MustThat(t, hit.Kind == panel.HitSpan && hit.Collector == 24,
		"frame 11 of the GPU is not over that of Main: %+v", hit)
	testkit.That(t, strings.Contains(strings.Join(hit.Lines, "\n"), "approximately"),
		"the tooltip %q does not say that the place is approximate", hit.Lines)
	chartstest.Click(env, tl, testRect, float32(x), (y0+y1)/2)
	got, ok := w.S.Spans().ByRef(env.View.Span().Ref)
	testkit.That(t, ok && got.Begin == env.View.Span().Begin,
		"the selected span is %+v, stored is %+v", env.View.Span(), got)
}

func TestTimelineCounters(t *testing.T) {
	s, env, m, tl := gameOn(t, 100, 107)
	v := env.View
	names := func() string {
		var names []string
		chartstest.Settle(env, tl, testRect)
		for _, d := range tl.counters.px {
			names = append(names, d.row.of.Name(s))
		}
		return strings.Join(names, ", ")
	}
	buffers := view.LevelCounter(chartstest.TMain, chartstest.CBuffers)
	for _, want := range []struct {
		after func()
		names string
	}{
		{func() {}, "Nodes, Vertex buffers"}, // that of pixels never changes
		{func() { v.Look().MarkCounter(view.CounterPinned, buffers, true) }, "Vertex buffers, Nodes"},
		{func() { v.Look().MarkCounter(view.CounterHidden, buffers, true) }, "Nodes"},
		{func() { v.Look().ChooseCounters(view.CountersNone) }, ""},
		{func() { v.Look().MarkCounter(view.CounterShown, buffers, true) }, "Vertex buffers"},
		{func() { v.Look().ChooseCounters(view.CountersAll) }, "Nodes, Vertex buffers, Pixels"},
	} {
		want.after()
		got := names()
		testkit.That(t, got == want.names, "counters %q, want %q", got, want.names)
	}
	useful := tl.Useful(env)
	for at := range 60 { // nothing beside it moves while one scrolls
		begin := m.Frame(100 + at).Begin
		v.Steer().PlaceTime(begin, begin+20*chartstest.Ms)
		chartstest.Settle(env, tl, testRect)
		testkit.MustThat(t, tl.Useful(env) == useful, "at frame %d it can use %v, before %v", 100+at, tl.Useful(env), useful)
	}
	v.Steer().PlaceTime(m.Frame(100).Begin, m.Frame(107).End)
	chartstest.Settle(env, tl, testRect)
	d := tl.counters.px[1]
	x := float32(v.Time().ToPx(tl.pane.Plot(), (m.Frame(103).Begin+m.Frame(103).End)/2))
	hit := tl.HitTest(env, x, (d.r.Y0+d.r.Y1)/2)
	bands, drawn := s.Frames().OpenBands(chartstest.TMain, 103, chartstest.CBuffers, 0, true, nil)
	sent := s.Frames().Stats(chartstest.TMain, chartstest.CBuffers, true, 103, 103).Mean // what report says
	want := "value\t" + string(format.AppendValue(nil, drawn, "MB")) + "\nreported without its parts\t" + string(format.AppendValue(nil, sent, "MB"))
	testkit.That(t, hit.Kind == panel.HitBand && hit.Collector == chartstest.CBuffers && len(bands) >= 2 &&
		strings.Contains(strings.Join(hit.Lines, "\n"), want), "hit %+v, want %q among its lines", hit, want)
	in := chartstest.MouseAt(x, (d.r.Y0+d.r.Y1)/2)
	in.DoubleClick = true
	if act := tl.Update(env, testRect, in); act.Kind != panel.ActionOpenLevels || act.Collector != chartstest.CBuffers || act.Track != chartstest.TMain {
		t.Errorf("a double click asks for %+v", act)
	}
	in = &panel.Input{X: -1}
	chartstest.AllocatesNothing(t, "counters", func() {
		v.Pointer().Set(nil, v.Pointer().Collector()%20+1, 0, false)
		v.Tick(env.NowNs, false)
		tl.Update(env, testRect, in)
	})
}

// Where many frames share a column, a counter's line is at their mean, on a band from the least to the greatest.
func TestCountersOfManyFrames(t *testing.T) {
	s := store.NewSession()
	s.Apply(model.TrackDef{ID: 0, Name: "Main"})
	s.Apply(model.CollectorDef{ID: 0, Name: "root", Parent: model.NoCollector})
	s.Apply(model.CollectorDef{ID: 1, Name: "States"})
	const n = 16000
	for i := range int64(n) {
		level := model.Level{Collector: 1, Time: i * chartstest.Ms, Value: 117}
		if i%4 == 3 {
			level.Value = 169
		}
		s.Append(&model.Batch{HasFrame: true, Number: i, Begin: level.Time, End: level.Time + chartstest.Ms,
			Levels: []model.Level{level}})
	}
	env := chartstest.NewEnv(s, 1)
	env.View.Look().ChooseCounters(view.CountersAll)
	tl := timelineOn(env, 0, n*chartstest.Ms)
	testkit.MustEqual(t, len(tl.counters.px), 1, "counters")
	cols, sum := tl.counters.px[0].row.cols, 0.0
	for i := range cols {
		k := &cols[i]
		testkit.MustThat(t, k.lo == 117 && k.hi == 169, "column %d: %+v", i, k)
		sum += k.value
	}
	mean := s.Frames().Stats(0, 1, true, 0, n-1).Mean // what report says
	drawn := sum / float64(len(cols))
	testkit.That(t, math.Abs(drawn-mean) < .1 && math.Abs(mean-130) < 1e-9, "mean of columns %v, of frames %v", drawn, mean)
}

// Series have rows as counters do, as many as the tracks leave room for, those that change most first; that of
// a running total shows its growth.
func TestSeriesAreCounters(t *testing.T) {
	w := chartstest.NewSeriesWriter()
	sample := func(name string, kind model.SeriesKind, value func(k int) float64) model.SeriesID {
		return w.Sample(model.SeriesDef{Name: name, Group: "of all", Kind: kind, Unit: "B"}, 128, chartstest.Ms, value)
	}
	sample("constant", model.SeriesGauge, func(int) float64 { return 7 })
	sample("state", model.SeriesState, func(k int) float64 { return float64(k % 2) })
	sample("rare", model.SeriesGauge, func(k int) float64 { return float64(k / 64) })
	sample("sent", model.SeriesCounter, func(k int) float64 { return float64(k * 1000) })
	heap := sample("heap", model.SeriesGauge, func(k int) float64 { return float64(100 + k) })
	s := w.Flush()
	env := chartstest.NewEnv(s, 1)
	env.View.Steer().PlaceTime(0, 127*chartstest.Ms)
	env.View.SetPlayhead(50 * chartstest.Ms)
	var tl Timeline
	show := func(height float32) (names []string) {
		chartstest.Settle(env, &tl, draw.Rect{X1: 900, Y1: height})
		for _, d := range tl.counters.px {
			names = append(names, d.row.name)
		}
		return names
	}
	for height, want := range map[float32][]string{
		300: {"of all: sent", "of all: heap", "of all: rare"}, 120: {"of all: sent", "of all: heap"}, 60: nil,
	} {
		got := show(height)
		testkit.That(t, slices.Equal(got, want), "in %v pixels: %q, want %q", height, got, want)
	}
	useful := tl.Useful(env)
	got := show(useful)
	testkit.MustThat(t, len(got) == 3 && tl.Useful(env) == useful, "in the height that it can use: %q", got)
	texts := tl.List().Texts()
	for _, want := range []string{"977 KiB/s", "150 B", "226 B", "1 B"} {
		testkit.That(t, slices.ContainsFunc(texts, func(x draw.WatchedText) bool { return x.Text == want }), "%q is missing in %v", want, texts)
	}
	d := &tl.counters.px[1]
	hit := tl.HitTest(env, float32(env.View.Time().ToPx(tl.pane.Plot(), 60.5*chartstest.Ms)), d.r.Y1-2)
	lines := strings.Join(hit.Lines, ", ")
	want := "heap, of all, value\t160 B, time\t0:00.060, least in view\t100 B, greatest in view\t226 B"
	testkit.That(t, lines == want && hit.Thing == view.Series(heap), "the hit is %q, want %q", lines, want)
	env.View.Look().MarkCounter(view.CounterLog, view.SeriesCounter(heap), true)
	scale := tl.List().Revision()
	show(useful)
	testkit.That(t, tl.List().Revision() != scale, "a logarithmic scale changes nothing")
}

// A click on a thread's label selects it; only the arrow before the name folds.
func TestLabelsSelectAndArrowsFold(t *testing.T) {
	rig := chartstest.NewRig(chartstest.NewSession(t), 1, 900, 600)
	rig.Env.View.Look().ChooseCounters(view.CountersNone)
	var tl Timeline
	rig.Tick(&tl)
	other := tl.stack.Groups()[1].track
	y, _ := tl.stack.Band(1)
	at := tl.pane.ScreenY(y) + 5
	rig.Click(&tl, tl.pane.Gutter().X1-4, at)
	if v := rig.Env.View; v.Track() != other || v.Look().TrackFolded(other) {
		t.Errorf("beside the name: thread %d, folded %v", v.Track(), v.Look().TrackFolded(other))
	}
	rig.Click(&tl, tl.pane.Gutter().X0+10, at)
	testkit.That(t, rig.Env.View.Look().TrackFolded(other), "the arrow does not fold")
}

// The oldest frames left memory: what is before those that are kept is marked, and said.
func TestWhatLeftMemoryIsSaid(t *testing.T) {
	st := &store.Store{MemoryLimit: 2 << 20}
	s := chartstest.Fill(st.NewSession(), 2000)
	st.EnforceLimit(time.Time{})
	left := s.Track(chartstest.TMain).Evicted()
	testkit.MustThat(t, left != 0 && s.Track(chartstest.TMain).NumFrames() != 0,
		"%d frames left memory, %d are kept", left, s.Track(chartstest.TMain).NumFrames())
	env := chartstest.ReadyEnv(s, 1)
	env.View.Look().ChooseCounters(view.CountersNone)
	m := s.Track(chartstest.TMain)
	var tl Timeline
	env.View.Steer().PlaceTime(m.Frame(0).Begin-60_000_000, m.Frame(0).Begin+40_000_000)
	chartstest.Settle(env, &tl, draw.Rect{X1: 1000, Y0: 60, Y1: 360})
	hit := tl.HitTest(env, tl.pane.Plot().X0+60, tl.pane.Plot().Y0+30)
	testkit.That(t, hit.Kind == panel.HitGap && hit.Lines[0] == string(subject.AppendLeft(nil, left)),
		"before the oldest frame: %+v", hit)
}

// Below the name of a thread stands the time in which it was busy in its frame, and which that is; also of a
// thread that is cut by the frames of another.
func TestFrameTimesAreOfTheirThread(t *testing.T) {
	rig := chartstest.NewRig(chartstest.Load(t, profilelib.Source{}, recordings.ProfileLib, "small-clean.prof"), 1, 1000, 500)
	rig.Env.View.SelectFrames(0, 0)
	tl := &Timeline{}
	rig.Ticks(tl, 2)
	var below []string
	for _, x := range tl.pane.List().Texts() {
		if strings.HasPrefix(x.Text, "#0 ") && x.Box.X1 <= tl.pane.Gutter().X1 {
			below = append(below, x.Text)
		}
	}
	testkit.That(t, slices.Equal(below, []string{"#0 493 µs", "#0 188 µs", "#0 188 µs", "#0 104 µs", "#0 1.33 ms"}), "below the names stands %q", below)
}

// Of a thread that runs several frames in the selected one, the timeline says the mean that the list of
// threads says, and of how many, below its name and in its tooltip; and the same mean as the list while live.
func TestFrameTimesAreThoseOfTheList(t *testing.T) {
	several := 0
	rig := chartstest.NewRig(chartstest.Load(t, decode.Source{}, recordings.PStats, "threads.pstats"), 1, 1000, 700)
	v, s := rig.Env.View, rig.Env.View.Session()
	i, _ := v.Shown().FrameByNumber(200)
	v.SelectFrames(i, i)
	tl := &Timeline{}
	rig.Ticks(tl, 2)
	for id := range model.TrackID(s.NumTracks()) {
		first, last := panel.FramesOf(v, id)
		x, ok := tl.times.of[id]
		if !ok || last < first {
			continue
		}
		want := subject.WorkOf(s, id, first, last, subject.SharedBy(v))
		testkit.That(t, x.count() == want.Frames && x.work == want,
			"%s: %d frames did %+v, the list says %+v", s.Track(id).Title(), x.count(), x.work, want)
		var tip panel.TipLines
		tip.Begin()
		x.tip(&tip)
		n := want.Frames
		words := fmt.Sprintf("%d frames", n)
		if said := string(x.append(nil, v.Look(), 0, frameTimeNames)); n > 1 && (!strings.HasPrefix(said, words) || !strings.HasPrefix(tip.All()[0], "in "+words)) {
			t.Errorf("%s: %d frames are %q, %q", s.Track(id).Title(), n, said, tip.All()[0])
		}
		several += int(min(n-1, 1))
	}
	testkit.That(t, several != 0, "no thread runs several frames in the selected one")
	v.Follow(true)
	rig.Ticks(tl, 2)
	for id, x := range tl.times.of {
		first, last := panel.FramesOf(v, id)
		want := subject.WorkOf(s, id, first, last, subject.SharedBy(v))
		testkit.That(t, x.work == want && want.Frames > 1, "%s, live: %+v, the list says %+v", s.Track(id).Title(), x.work, want)
	}
}

// gameOn is a timeline of some frames of a game.
func gameOn(t *testing.T, first, last int) (*store.Session, *panel.Env, *store.Track, *Timeline) {
	t.Helper()
	s := chartstest.NewSession(t)
	env, m := chartstest.NewEnv(s, 1), s.Track(chartstest.TMain)
	return s, env, m, timelineOn(env, m.Frame(first).Begin, m.Frame(last).End)
}

// placed is a timeline of a session, so many pixels large, in a window of time.
func placed(s *store.Session, w, h float32, beginNs, endNs int64) (*panel.Env, *Timeline, draw.Rect) {
	env, tl, r := chartstest.ReadyEnv(s, 1), &Timeline{}, draw.Rect{X1: w, Y1: h}
	chartstest.Settle(env, tl, r)
	env.View.Steer().PlaceTime(beginNs, endNs)
	return env, tl, r
}

// The ruler shows the time of day where that is chosen and known.
func TestRulerOfTheDay(t *testing.T) {
	s, env, _, tl := gameOn(t, 158, 163)
	texts := func() (all []string) {
		tl.Update(env, testRect, &panel.Input{})
		for _, x := range tl.List().Texts() {
			all = append(all, x.Text)
		}
		return all
	}
	info := s.Info()
	at := time.Date(2026, 11, 21, 22, 29, 0, 0, time.UTC).Add(-time.Duration(env.View.Time().BeginNs))
	info.ZeroAt.UnixNs = at.UnixNano()
	s.Apply(info)
	holds := func(x string) bool { return strings.HasPrefix(x, "22:29:0") }
	testkit.That(t, !slices.ContainsFunc(texts(), holds), "the time of day is on the ruler unasked")
	env.View.Look().SetShowDayTime(true)
	testkit.That(t, slices.ContainsFunc(texts(), holds), "the ruler says %q", texts())
	env.View.Steer().PlaceTime(int64(env.View.Time().BeginNs), int64(env.View.Time().BeginNs)+600e9)
	testkit.That(t, slices.Contains(texts(), "22:29:03"), "the ruler of all says %q", texts())
}

// A stop is a gap on every track, even where a span was open throughout: it has no load column and no filled bar.
// Shorter spans in it stay.
func TestStopsAreGaps(t *testing.T) {
	const ms = 1_000_000
	w := chartstest.NewWriter(5)
	w.S.Apply(model.CollectorDef{ID: 1, Name: "Work"})
	w.S.Apply(model.CollectorDef{ID: 2, Name: "Wait"})
	at, begin := int64(0), int64(0)
	for i := range int64(600) {
		length, busy := int64(16*ms), int64(8*ms)
		if i == 300 {
			begin, length, busy = at, 20_000*ms, 19_999*ms
		}
		for _, id := range []model.TrackID{chartstest.TMain, chartstest.TCull} {
			w.Begin(id, i, at, at+length)
			root := w.Span(0, 0, 0, 0, at, at+length)
			if id == chartstest.TMain {
				work := w.Span(root, 0, 1, 1, at, at+busy)
				w.Span(work, 1, 1, 2, at+busy/2, at+busy/2+busy/10)
			}
			w.End()
		}
		at += length
	}
	fill := func(env *panel.Env, tl *Timeline, x, y float32) draw.Color {
		c := chartstest.Picture(1020, 730, tl.List()).Image().RGBAAt(int(x), int(y))
		return draw.Color{R: c.R, G: c.G, B: c.B, A: c.A}
	}
	said := func(tl *Timeline, words string) (n int) {
		for _, x := range tl.List().Texts() {
			n += min(strings.Count(x.Text, words), 1)
		}
		return n
	}
	env := chartstest.NewEnv(w.S, 1)
	env.View.Follow(false)
	ground, mid := draw.Color(env.Theme.Ground), begin+10_000*ms
	for _, x := range []struct {
		begin, end int64
		words      string
	}{{0, at, "stopped 20.0 s"}, {-150_000 * ms, at + 150_000*ms, "20.0 s"}} {
		tl := timelineOn(env, x.begin, x.end)
		testkit.MustThat(t, len(tl.spans.load.drawn) == 2, "%d curves", len(tl.spans.load.drawn))
		y0, y1 := laneY(env, tl, 0, 1)
		working := int64(0)
		for i := range tl.spans.load.drawn {
			d := &tl.spans.load.drawn[i]
			from, to := d.columns.inSight(env, &tl.stack.Groups()[i])
			for number := from; number <= to; number++ {
				col := d.columns.at(number)
				if i == 0 && col.workNs == 1<<d.columns.shift && number>>1 > 0 && number<<d.columns.shift+col.workNs < at {
					working++
					share := float64(col.shares[0])
					testkit.That(t, math.Abs(share-0.5) < 0.1, "column %d is busy for %v", number, share)
				}
			}
			_, col := tl.spans.load.at((d.y0+d.y1)/2, mid)
			testkit.That(t, col == nil, "track %d has a column %+v in the stop", d.track, col)
		}
		testkit.That(t, working > 2, "%d columns beside the stop", working)
		px := tl.pane.PxOf(env, begin+1_000*ms)
		testkit.Equal(t, fill(env, tl, px, (y0+y1)/2), ground, "the load in the stop")
		testkit.Equal(t, said(tl, x.words), 2, x.words)
		testkit.Equal(t, tl.HitTest(env, px, (y0+y1)/2).Lines[0], "stopped\t20.0 s", "tooltip")
	}
	tl := timelineOn(env, begin-1_000*ms, begin+21_000*ms)
	px := tl.pane.PxOf(env, begin+12_000*ms) - 2
	color := func(lane int) draw.Color {
		y0, _ := laneY(env, tl, 0, lane)
		return fill(env, tl, px, y0+2)
	}
	short := draw.Color(env.Palette().Drawn(1, false).Fill)
	testkit.Equal(t, [3]draw.Color{color(0), color(1), color(2)}, [3]draw.Color{ground, ground, short}, "lanes in the stop")
	testkit.That(t, said(tl, "stopped 20.0 s") == 3 && said(tl, "Work") > 0, "the stop says %+v", tl.List().Texts())
}
