package overview

import (
	"math"
	"strings"
	"testing"

	"framescope/assets"
	"framescope/charts/draw"
	"framescope/charts/draw/golden"
	"framescope/charts/panel"
	"framescope/charts/table"
	"framescope/charts/tables"
	"framescope/charts/view"
	"framescope/internal/testkit"
	"framescope/internal/testkit/chartstest"
	"framescope/model"
	"framescope/model/store"
)

func TestFramelessPictures(t *testing.T) {
	traced, sampled := chartstest.NewCallSession(false), chartstest.NewCallSession(true)
	themes := []struct {
		suffix string
		theme  assets.Theme
	}{{"", assets.Dark()}, {"_light", assets.Light()}}
	for _, c := range []struct {
		name string
		s    *store.Session
		w, h float32
		make func() panel.Panel
		set  func(v *view.View)
	}{
		{"overview_spans", traced, 1200, 62, func() panel.Panel { return &Overview{} }, func(v *view.View) {
			v.Steer().PlaceTime(2_000_000_000, 4_500_000_000)
			v.SelectRange(2_400_000_000, 3_100_000_000)
			v.PlacePlayhead(2_400_000_000)
		}},
		{"overview_load", sampled, 1200, 62, func() panel.Panel { return &Overview{} }, func(v *view.View) { v.SetPlayhead(6_000_000_000) }},
		{"overview_narrow_window", sampled, 700, 62, func() panel.Panel { return &Overview{} }, func(v *view.View) { v.Steer().PlaceTime(5_000_000_000, 5_010_000_000) }},
		{"overview_events", chartstest.LoadSession(), 900, 62, func() panel.Panel { return &Overview{} }, func(*view.View) {}},
		{"calls_tree", traced, 232, 300, func() panel.Panel { return table.New("Collectors", tables.NewCollectorTree()) }, func(*view.View) {}},
		{"calls_tree_wide", traced, 640, 300, func() panel.Panel { return table.New("Collectors", tables.NewCollectorTree()) }, func(v *view.View) { v.SelectRange(3e9, 3_500_000_000) }},
		{"calls_stats", traced, 760, 200, func() panel.Panel { return table.New("Statistics", tables.NewStats()) }, func(*view.View) {}},
		{"calls_threads", sampled, 232, 170, func() panel.Panel { return table.New("Threads", tables.NewThreads()) }, func(*view.View) {}},
		{"calls_threads_wide", sampled, 1060, 190, func() panel.Panel { return table.New("Threads", tables.NewThreads()) }, func(v *view.View) { v.SelectRange(2e9, 9e9) }},
		{"calls_threads_spans", traced, 620, 190, func() panel.Panel { return table.New("Threads", tables.NewThreads()) }, func(*view.View) {}},
		{"calls_received", sampled, 250, 260, func() panel.Panel {
			return table.New("Received", tables.NewLosses())
		}, func(*view.View) {}},
		{"calls_spikes", traced, 250, 260, func() panel.Panel { return table.New("Spikes", tables.NewSpikes()) }, func(v *view.View) { v.SelectCollector(5) }},
	} {
		for _, th := range themes {
			t.Run(c.name+th.suffix, func(t *testing.T) {
				rig := chartstest.NewRig(c.s, 1, c.w, c.h)
				theme := th.theme
				rig.Env.Theme = &theme
				rig.Env.MemoryOf = func(*store.Session) int64 { return 1 << 20 }
				chart := c.make()
				rig.Tick(chart)
				c.set(rig.Env.View)
				rig.Tick(chart)
				golden.Check(t, "../testdata/golden/"+c.name+th.suffix+".png", chartstest.Picture(int(c.w), int(c.h), chart.List()))
			})
		}
	}
}

// What is above is drawn at other scales, too.
func TestOverviewAtTwiceTheSize(t *testing.T) {
	rig := chartstest.NewRig(chartstest.NewCallSession(true), 2, 700, 62)
	var o Overview
	rig.Env.View.Steer().PlaceTime(1_000_000_000, 4_000_000_000)
	rig.Tick(&o)
	golden.Check(t, "../testdata/golden/overview_2x.png", chartstest.Picture(1400, 124, o.List()))
}

// What an overview costs to draw goes by its columns.
func TestOverviewCostGoesByColumns(t *testing.T) {
	rig := chartstest.NewRig(chartstest.NewCallSession(true), 1, 900, 62)
	var o Overview
	rig.Tick(&o)
	testkit.That(t, o.List().Quads() <= 12*450, "%d quads for 450 columns", o.List().Quads())
}

// A session of more threads than are looked at in a tick, that begins anywhere and grows: columns
// of rows that nobody has looked at yet are joined as those of others are, and in the end all have
// the same as if they had come at once.
func TestOverviewOfManyThreadsThatGrow(t *testing.T) {
	for begin := range int64(2) {
		s := store.NewSession()
		s.Apply(model.CollectorDef{ID: 1, Name: "work"})
		s.Apply(model.PathDef{ID: 1, Collector: 1})
		at := (begin + 1) * 7_777_777
		add := func(tracks int) {
			for k := range tracks {
				s.Apply(model.TrackDef{ID: model.TrackID(k), Index: k})
				s.Append(&model.Batch{Track: model.TrackID(k), Spans: []model.Span{{Begin: at, End: at + 1000, Path: 1}}})
			}
			at += 1000
		}
		rig := chartstest.NewRig(s, 1, 600, 60)
		rig.Env.Animate, rig.Env.Paced = true, true
		var o, whole Overview
		for k := range 24 {
			add(3*overviewRows + k)
			rig.Tick(&o)
			at += 1000 << k
		}
		for o.data.pending {
			rig.Tick(&o)
		}
		rig.Tick(&whole)
		for whole.data.pending {
			rig.Tick(&whole)
		}
		testkit.MustEqual(t, len(o.data.rows), len(whole.data.rows), "rows, %d at once", len(whole.data.rows))
		for i := range o.data.rows {
			a, b := o.data.rows[i].total, whole.data.rows[i].total
			testkit.That(t, a >= 0.99*b && a <= 1.01*b, "row %d: %v busy, %v at once", i, a, b)
		}
	}
}

// The gestures of the overview: what each does to playhead, selection and the timeline's window.
func TestOverviewGestures(t *testing.T) {
	rig := chartstest.NewRig(chartstest.NewCallSession(true), 1, 1000, 62)
	v := rig.Env.View
	var o Overview
	rig.Tick(&o)
	at := func(ns int64) float32 { return float32(o.view.ToPx(o.rect, ns)) }
	near := func(what string, got, want int64) {
		t.Helper()
		d := got - want
		testkit.That(t, d >= -20_000_000 && d <= 20_000_000, "%s at %d, want %d", what, got, want)
	}
	const s = int64(1e9)
	v.Steer().PlaceTime(2*s, 4*s)
	rig.Click(&o, at(7*s), 40)
	near("playhead", v.Playhead(), 7*s)
	testkit.That(t, v.RangeB() <= v.RangeA(), "a click selected a range")
	v.Steer().PlaceTime(2*s, 4*s)
	rig.Drag(&o, at(6*s), 40, at(5*s), 45)
	near("range begin", v.RangeA(), 5*s)
	near("range end", v.RangeB(), 6*s)
	rig.In.Shift = true
	rig.Click(&o, at(8*s), 40)
	rig.In.Shift = false
	near("extended range begin", v.RangeA(), 5*s)
	near("extended range end", v.RangeB(), 8*s)
	// the bar moves the window, its edges resize it
	b, e := v.Time().Visible()
	near("window begin", b, 2*s)
	rig.Drag(&o, at(3*s), 4, at(6*s), 4)
	b, e = v.Time().Visible()
	near("moved window begin", b, 5*s)
	near("moved window end", e, 7*s)
	rig.Drag(&o, at(7*s), 40, at(8*s), 40)
	b, e = v.Time().Visible()
	near("window begin", b, 5*s)
	near("resized window end", e, 8*s)
	rig.Drag(&o, at(5*s), 40, at(9*s), 40) // beyond the other edge
	b, e = v.Time().Visible()
	testkit.That(t, e > b, "the window is empty: %d to %d", b, e)
	// ctrl + drag zooms, and Back returns
	v.Steer().PlaceTime(2*s, 4*s)
	rig.In.Ctrl = true
	rig.Drag(&o, at(6*s), 40, at(8*s), 40)
	rig.In.Ctrl = false
	b, e = v.Time().Visible()
	testkit.That(t, b <= 6*s && e >= 8*s && e-b <= 5*s/2, "zoomed to %d to %d", b, e)
	// the wheel zooms around the mouse, shift moves
	v.Steer().PlaceTime(2*s, 4*s)
	rig.Move(&o, at(3*s), 40)
	rig.In.WheelY = 2
	rig.Tick(&o)
	w := v.Time().Width()
	testkit.That(t, math.Abs(w-2e9/(panel.WheelZoom*panel.WheelZoom)) <= 1e6, "the wheel made the window %g wide", w)
	rig.In.WheelX = 1
	rig.Tick(&o)
	b2, _ := v.Time().Visible()
	testkit.That(t, b2 > 2*s, "the wheel did not move the window: %d", b2)
	rig.In.X = at(8 * s)
	rig.In.DoubleClick = true
	rig.Tick(&o)
	b, e = v.Time().Visible()
	near("centre of the window", (b+e)/2, 8*s)
	// the right button opens the menu
	rig.Move(&o, at(1*s), 40)
	rig.In.Right.Pressed, rig.In.Right.Down = true, true
	rig.Tick(&o)
	rig.In.Right.Down, rig.In.Right.Released = false, true
	a := rig.Tick(&o)
	testkit.That(t, a.Kind == panel.ActionMenu, "the right button gave %v", a.Kind)
	hit := o.HitTest(rig.Env, at(9*s), 40)
	text := strings.Join(hit.Lines, "\n")
	testkit.That(t, strings.Contains(text, "main") && strings.Contains(text, "CPU load"), "tooltip %q", hit.Lines)
}

// What left memory is hatched, and is no place to go to.
func TestOverviewOfWhatLeftMemory(t *testing.T) {
	w := chartstest.NewCallWriter(false)
	w.Run(2_000_000_000)
	rig := chartstest.NewRig(w.S, 1, 600, 62)
	var o Overview
	rig.Tick(&o)
	o.data.stretch(1_000_000_000, 2_000_000_000) // as if the first second had left
	o.data.changes++
	testkit.MustThat(t, o.data.begin < o.data.from, "the overview forgot where the session began")
	rig.Env.View.Steer().PlaceTime(1_200_000_000, 1_900_000_000)
	x := float32(o.view.ToPx(o.rect, 300_000_000))
	hit := o.HitTest(rig.Env, x, 40)
	testkit.That(t, len(hit.Lines) >= 2 && strings.Contains(hit.Lines[1], "left memory"), "tooltip %q", hit.Lines)
	rig.Click(&o, x, 40)
	testkit.That(t, rig.Env.View.Playhead() >= 1_000_000_000,
		"the playhead went to %d, which left", rig.Env.View.Playhead())
}

// The label says how much the highest column is, not the round value at the upper edge.
func TestLabelIsTheHighestColumn(t *testing.T) {
	for _, sampled := range []bool{false, true} {
		rig := chartstest.NewRig(chartstest.NewCallSession(sampled), 1, 1200, 62)
		o := &Overview{}
		rig.Tick(o)
		want, cw := 0.0, rig.Env.Px(overviewPx)
		for x := o.rect.X0; x < o.rect.X1; x += cw {
			from, to := o.columnsOf(x, x+cw)
			sum := 0.0
			for row := range o.data.rows {
				sum += o.value(row, from, to)
			}
			want = math.Max(want, sum)
		}
		testkit.That(t, want > 0 && o.most == want && o.top >= o.most,
			"sampled %v: %v is the highest, the label says %v, the edge is %v", sampled, want, o.most, o.top)
	}
}

// The label says so where it does not count all tracks.
func TestLabelOfTooManyTracks(t *testing.T) {
	s := store.NewSession()
	s.Apply(model.CollectorDef{ID: 1, Name: "work"})
	s.Apply(model.PathDef{ID: 1, Collector: 1})
	for _, c := range []struct {
		tracks int
		want   string
	}{{3, ""}, {overviewRowsMax + 5, ", counting 512 of 517 tracks"}} {
		for k := range c.tracks {
			s.Apply(model.TrackDef{ID: model.TrackID(k), Index: k})
			s.Append(&model.Batch{Track: model.TrackID(k), Spans: []model.Span{{Begin: 0, End: 1000, Path: 1}}})
		}
		var o Overview
		chartstest.NewRig(s, 1, 600, 60).Tick(&o)
		testkit.Equal(t, string(o.data.appendLeft(nil)), c.want, "%d tracks", c.tracks)
	}
}

// feedFrames appends n empty frames of 10 ms to track 0, from a number and a time on.
func feedFrames(w *chartstest.Writer, number, at int64, n int) (nextNumber, nextAt int64) {
	for range n {
		w.Begin(0, number, at, at+10_000_000)
		w.Span(0, 0, 0, 0, at, at+10_000_000)
		w.End()
		number++
		at += 10_000_000
	}
	return number, at
}

func liveView() (*chartstest.Writer, *view.View, int64, int64) {
	w := chartstest.NewWriter(2)
	w.S.Apply(model.Info{Source: "pstats", Program: "game"})
	w.Track(0, "Main", model.TrackThread)
	v := view.New(w.S)
	v.Tick(1, false)
	number, at := feedFrames(w, 1, 1_000_000_000, 50)
	v.Tick(2, false)
	return w, v, number, at
}

// The first look: the track with the most spans, unless the source names another or the user chose
// one.
func TestFramelessFirstTrack(t *testing.T) {
	w, now, bySpans := chartstest.NewCallWriter(false), int64(0), view.PerUnit[bool]{Spans: true}
	w.S.Apply(model.Info{Source: "flare", Program: "shop"})
	v := view.New(w.S)
	shows := func(v *view.View, want model.TrackID, when string) {
		t.Helper()
		now += 300_000_000
		v.Tick(now, false)
		testkit.That(t, v.Track() == want && bySpans.Of(v), "%s: track %d is shown, want %d", when, v.Track(), want)
	}
	w.At[chartstest.UtMain] = 1 << 60 // the main thread is silent for now
	w.Run(1_000_000_000)
	shows(v, chartstest.UtWorker, "first")
	w.At[chartstest.UtMain] = 1_000_000_000
	w.Run(3_000_000_000)
	for range 6 {
		shows(v, chartstest.UtMain, "once it has more spans")
		w.Run(3_000_000_000 + now/100)
	}
	for i := range int64(2000) {
		span := model.Span{Begin: 1<<40 + i, End: 1<<40 + i, Path: 5}
		w.S.Append(&model.Batch{Track: chartstest.UtLoader, Spans: []model.Span{span}})
	}
	shows(v, chartstest.UtMain, "after a second")
	chosen := view.New(w.S)
	chosen.Tick(1, false)
	chosen.SetTrack(chartstest.UtIdle)
	w.Run(5_000_000_000)
	shows(chosen, chartstest.UtIdle, "where the user chose it")
	w.S.Apply(model.TrackDef{ID: chartstest.UtWorker, Name: "worker-1", Main: true})
	shows(view.New(w.S), chartstest.UtWorker, "where the source chose it")
}

// A file that is still being read stays fitted; what the user looks at stays.
func TestFramelessStaysFitted(t *testing.T) {
	w := chartstest.NewCallWriter(false)
	v := view.New(w.S)
	for i := range int64(5) {
		w.Run((i + 1) * 1e9)
		v.Tick(i, false)
	}
	b, e, _ := w.S.Bounds()
	testkit.That(t, int64(v.Time().BeginNs) == b && int64(v.Time().EndNs) == e,
		"[%g, %g] of [%d, %d] is shown", v.Time().BeginNs, v.Time().EndNs, b, e)
	v.Steer().ZoomAt(1e9, 2)
	was := v.Time().BeginNs
	w.Run(8e9)
	v.Tick(9, false)
	testkit.That(t, v.Time().BeginNs == was, "the view jumped away from what the user looked at")
}

// Of a long live session the strip shows all frames beside the newest; a press there goes to a frame of long ago,
// and new frames do not end that.
func TestHistoryShowsAllOfALiveSession(t *testing.T) {
	s := chartstest.SessionOf(2000)
	env := chartstest.NewEnv(s, 1)
	v := env.View
	v.Follow(true)
	h, r := &History{}, draw.Rect{X1: 1000, Y1: 70}
	tick := func(in *panel.Input) {
		v.Tick(1, false)
		h.Update(env, r, in)
	}
	away := &panel.Input{X: -1, Y: -1}
	tick(away)
	tick(away)
	shown := func(f *FrameStrip) (first, last int32) {
		return f.columns[0].bar.First, f.columns[len(f.columns)-1].bar.First + f.columns[len(f.columns)-1].bar.Count
	}
	testkit.MustThat(t, h.divided, "one strip alone")
	first, last := shown(&h.whole)
	testkit.That(t, first == 0 && last == 2000, "all are frames %d to %d", first, last)
	first, last = shown(&h.Frames)
	testkit.That(t, first > 1700 && last == 2000, "the newest are frames %d to %d", first, last)
	testkit.That(t, h.List().Quads() >= h.whole.List().Quads()+h.Frames.List().Quads(), "a strip is missing")
	golden.Check(t, "../testdata/golden/history_live.png", chartstest.Picture(1000, 70, h.List()))

	in := chartstest.MouseAt(300, 40)
	in.Left = panel.Button{Down: true, Pressed: true, DownX: 300, DownY: 40}
	tick(in)
	testkit.That(t, !v.Live() && v.FrameA() > 500 && v.FrameA() < 1200, "a press shows frame %d", v.FrameA())
	up := chartstest.MouseAt(300, 40)
	up.Left = panel.Button{Released: true}
	tick(up)
	hit := h.HitTest(env, 300, 40)
	testkit.That(t, hit.Kind == panel.HitFrame && hit.Frame > 500 && hit.Frame < 1200, "under the mouse is %+v", hit)
	tick(away)
	testkit.That(t, h.divided, "paused it is one strip")
}
