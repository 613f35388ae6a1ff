package charts

import (
	"math"
	"strings"
	"testing"

	"framescope/charts/view"
	"framescope/model"
)

// The gestures of the overview: what each does to playhead, selection and the timeline's window.
func TestOverviewGestures(t *testing.T) {
	rig := newPanelRig(newCallSession(true), 1, 1000, 62)
	v := rig.env.View
	var o Overview
	rig.tick(&o)
	at := func(ns int64) float32 { return float32(o.view.ToPx(o.rect, ns)) }
	near := func(what string, got, want int64) {
		t.Helper()
		if d := got - want; d < -20_000_000 || d > 20_000_000 {
			t.Errorf("%s at %d, want %d", what, got, want)
		}
	}
	const s = int64(1e9)
	v.PlaceTime(2*s, 4*s)
	rig.click(&o, at(7*s), 40)
	near("playhead", v.Playhead(), 7*s)
	if v.RangeB() > v.RangeA() {
		t.Error("a click selected a range")
	}
	v.PlaceTime(2*s, 4*s)
	rig.drag(&o, at(6*s), 40, at(5*s), 45)
	near("range begin", v.RangeA(), 5*s)
	near("range end", v.RangeB(), 6*s)
	rig.in.Shift = true
	rig.click(&o, at(8*s), 40)
	rig.in.Shift = false
	near("extended range begin", v.RangeA(), 5*s)
	near("extended range end", v.RangeB(), 8*s)
	// the bar moves the window, its edges resize it
	b, e := v.Time().Visible()
	near("window begin", b, 2*s)
	rig.drag(&o, at(3*s), 4, at(6*s), 4)
	b, e = v.Time().Visible()
	near("moved window begin", b, 5*s)
	near("moved window end", e, 7*s)
	rig.drag(&o, at(7*s), 40, at(8*s), 40)
	b, e = v.Time().Visible()
	near("window begin", b, 5*s)
	near("resized window end", e, 8*s)
	rig.drag(&o, at(5*s), 40, at(9*s), 40) // beyond the other edge
	if b, e = v.Time().Visible(); e <= b {
		t.Errorf("the window is empty: %d to %d", b, e)
	}
	// ctrl + drag zooms, and Back returns
	v.PlaceTime(2*s, 4*s)
	rig.in.Ctrl = true
	rig.drag(&o, at(6*s), 40, at(8*s), 40)
	rig.in.Ctrl = false
	b, e = v.Time().Visible()
	if b > 6*s || e < 8*s || e-b > 5*s/2 {
		t.Errorf("zoomed to %d to %d", b, e)
	}
	// the wheel zooms around the mouse, shift moves
	v.PlaceTime(2*s, 4*s)
	rig.move(&o, at(3*s), 40)
	rig.in.WheelY = 2
	rig.tick(&o)
	if w := v.Time().Width(); math.Abs(w-2e9/(wheelZoom*wheelZoom)) > 1e6 {
		t.Errorf("the wheel made the window %g wide", w)
	}
	rig.in.WheelX = 1
	rig.tick(&o)
	if b2, _ := v.Time().Visible(); b2 <= 2*s {
		t.Errorf("the wheel did not move the window: %d", b2)
	}
	rig.in.X = at(8 * s)
	rig.in.DoubleClick = true
	rig.tick(&o)
	b, e = v.Time().Visible()
	near("centre of the window", (b+e)/2, 8*s)
	// the right button opens the menu
	rig.move(&o, at(1*s), 40)
	rig.in.Right.Pressed, rig.in.Right.Down = true, true
	rig.tick(&o)
	rig.in.Right.Down, rig.in.Right.Released = false, true
	if a := rig.tick(&o); a.Kind != ActionMenu {
		t.Errorf("the right button gave %v", a.Kind)
	}
	hit := o.HitTest(rig.env, at(9*s), 40)
	if text := strings.Join(hit.Lines, "\n"); !strings.Contains(text, "main") || !strings.Contains(text, "CPU load") {
		t.Errorf("tooltip %q", hit.Lines)
	}
}

// What left memory is hatched, and is no place to go to.
func TestOverviewOfWhatLeftMemory(t *testing.T) {
	w := newCallWriter(false)
	w.run(2_000_000_000)
	rig := newPanelRig(w.s, 1, 600, 62)
	var o Overview
	rig.tick(&o)
	o.data.stretch(1_000_000_000, 2_000_000_000) // as if the first second had left
	o.data.changes++
	if o.data.begin >= o.data.from {
		t.Fatal("the overview forgot where the session began")
	}
	rig.env.View.PlaceTime(1_200_000_000, 1_900_000_000)
	x := float32(o.view.ToPx(o.rect, 300_000_000))
	hit := o.HitTest(rig.env, x, 40)
	if len(hit.Lines) < 2 || !strings.Contains(hit.Lines[1], "left memory") {
		t.Errorf("tooltip %q", hit.Lines)
	}
	rig.click(&o, x, 40)
	if rig.env.View.Playhead() < 1_000_000_000 {
		t.Errorf("the playhead went to %d, which left", rig.env.View.Playhead())
	}
}

// The first look: the track with the most spans, unless the source names another or the user chose one.
func TestUnframedFirstTrack(t *testing.T) {
	w := newCallWriter(false)
	w.s.Apply(model.Info{Source: "flare", Program: "shop"})
	v := view.New(w.s)
	w.at[utMain] = 1 << 60 // the main thread is silent for now
	w.run(1_000_000_000)
	now := int64(0)
	tick := func() { now += 300_000_000; v.Tick(now, false) }
	tick()
	if v.Track() != utWorker {
		t.Fatalf("track %d is shown first", v.Track())
	}
	if !v.Unframed() {
		t.Error("a session without frames counts as one with frames")
	}
	w.at[utMain] = 1_000_000_000
	w.run(3_000_000_000)
	tick()
	if v.Track() != utMain {
		t.Errorf("track %d is shown though main has more spans by now", v.Track())
	}
	for range 5 {
		tick()
		w.run(3_000_000_000 + now/100)
	}
	w.at[utLoader] = 4_000_000_000
	for i := range int64(2000) {
		w.s.Append(&model.Batch{Track: utLoader, Spans: []model.Span{{Begin: 1<<40 + i, End: 1<<40 + i, Path: 5}}})
	}
	tick()
	if v.Track() != utMain {
		t.Errorf("after a second the view jumped to track %d", v.Track())
	}
	chosen := view.New(w.s)
	chosen.Tick(1, false)
	chosen.SetTrack(utIdle)
	w.run(5_000_000_000)
	chosen.Tick(2e9, false)
	if chosen.Track() != utIdle {
		t.Errorf("the view left the user's track for %d", chosen.Track())
	}
	w.s.Apply(model.TrackDef{ID: utWorker, Name: "worker-1", Main: true})
	fresh := view.New(w.s)
	fresh.Tick(1, false)
	if fresh.Track() != utWorker {
		t.Errorf("track %d is shown, not the source's own choice", fresh.Track())
	}
}

// A file that is still being read stays fitted; what the user looks at stays.
func TestUnframedStaysFitted(t *testing.T) {
	w := newCallWriter(false)
	v := view.New(w.s)
	for i := range int64(5) {
		w.run((i + 1) * 1e9)
		v.Tick(i, false)
	}
	if b, e, _ := w.s.Bounds(); int64(v.Time().BeginNs) != b || int64(v.Time().EndNs) != e {
		t.Errorf("[%g, %g] of [%d, %d] is shown", v.Time().BeginNs, v.Time().EndNs, b, e)
	}
	v.Steer().ZoomAt(1e9, 2)
	was := v.Time().BeginNs
	w.run(8e9)
	v.Tick(9, false)
	if v.Time().BeginNs != was {
		t.Error("the view jumped away from what the user looked at")
	}
}

func TestUnframedSteps(t *testing.T) {
	s := newCallSession(false)
	rig := newPanelRig(s, 1, 100, 100)
	v := rig.env.View
	v.SetTrack(utMain)
	v.GoFirst()
	first, _ := s.SpanByRef(model.SpanRef{Track: utMain})
	second, _ := s.SpanByRef(model.SpanRef{Track: utMain, Index: 1})
	if v.StepFrame(1); !v.HasSpan() || v.Span().Ref != second.Ref && v.Span().Ref != first.Ref {
		t.Fatalf("a step went to %+v", v.Span())
	}
	at := v.Span().Ref.Index
	v.StepFrame(10)
	if v.Span().Ref.Index != at+10 || v.Playhead() != v.Span().Begin {
		t.Errorf("ten steps from %d went to %d", at, v.Span().Ref.Index)
	}
	v.StepFrame(-1)
	if v.Span().Ref.Index != at+9 {
		t.Errorf("a step back went to %d", v.Span().Ref.Index)
	}
	v.StepFrame(-1000)
	if v.Span().Ref.Index != 0 {
		t.Errorf("a thousand steps back end at %d", v.Span().Ref.Index)
	}
	v.SelectCollector(5)
	v.StepFrame(1)
	if v.Span().Collector != 5 {
		t.Errorf("a step over calls of 5 went to %+v", v.Span())
	}
	from := v.Span().Begin
	if !v.StepSpike(1) || v.Span().Begin <= from || v.Span().Collector != 5 {
		t.Errorf("the next spike is %+v", v.Span())
	}
	v.GoLast()
	if _, e, _ := s.Bounds(); v.Playhead() != e {
		t.Errorf("the end is %d, the playhead %d", e, v.Playhead())
	}
	// Without spans the playhead moves by a twentieth of the window.
	v.ClearSelection()
	v.SetTrack(utIdle)
	v.PlaceTime(0, 2e9)
	v.SetPlayhead(1e9)
	v.StepFrame(-2)
	if v.Playhead() != 8e8 {
		t.Errorf("two steps without spans go to %d", v.Playhead())
	}
	v.ExtendRange(2)
	if v.RangeA() != 8e8 || v.RangeB() != 1e9 {
		t.Errorf("the range became [%d, %d]", v.RangeA(), v.RangeB())
	}
	// A look at something inside the range leaves it, one outside does not.
	if v.SetPlayhead(9e8); v.RangeB() != 1e9 {
		t.Error("the range was lost")
	}
	if v.SetTrack(utMain); v.RangeB() != 1e9 {
		t.Error("the range was lost with another track")
	}
	if v.SetPlayhead(5e9); v.RangeB() > v.RangeA() {
		t.Error("the range stayed")
	}
}

// The dashboard's figures are those of the session's spans and series; it sorts and filters.
func TestDashboard(t *testing.T) {
	s := newCallSession(true)
	rig := newPanelRig(s, 1, 800, 200)
	c, src := NewDashboard()
	rig.tick(c)
	name := func(row int) string { return s.Track(src.all[src.rows[row]].id).Title() }
	if len(src.rows) != 4 || name(0) != "main" || name(3) != "Finalizer" {
		t.Errorf("%d rows, first %q, last %q", len(src.rows), name(0), name(len(src.rows)-1))
	}
	n := int64(0)
	for i := int64(0); ; i++ {
		if _, ok := s.SpanByRef(model.SpanRef{Track: utMain, Index: i}); !ok {
			n = i
			break
		}
	}
	if r := &src.all[0]; r.samples != n || !r.timed || r.cpuNs <= 0 || r.share < 0.5 || r.share > 1 {
		t.Errorf("%+v, want %d samples", *r, n)
	}
	src.Sort(dashName, false)
	rig.tick(c)
	if name(0) != "Finalizer" {
		t.Errorf("by name, %q is first", name(0))
	}
	src.Filter = "WORK"
	rig.tick(c)
	if len(src.rows) != 1 || name(0) != "worker-1" {
		t.Errorf("%d rows are called like that", len(src.rows))
	}
	rig.click(c, 100, 30)
	if rig.env.View.Track() != utWorker {
		t.Error("a click does not choose the thread")
	}
}

// What tables say of a session without frames never speaks of frames.
func TestUnframedTablesDoNotSpeakOfFrames(t *testing.T) {
	for _, s := range []*model.Session{newCallSession(true), newCallSession(false)} {
		rig := newPanelRig(s, 1, 900, 400)
		for _, src := range []TableSource{NewCollectorTree(), NewStatsTable(false), NewThreadTable(), NewDashboardTable(), NewLossTable(), NewSpikeTable()} {
			table := NewTable("x", src)
			rig.tick(table)
			if table.rows == 0 {
				t.Errorf("%T has no rows", src)
			}
			words := src.Empty()
			for _, c := range src.Columns() {
				words += " " + c.Title
			}
			for row := range table.rows {
				for col := range src.Columns() {
					c := table.fetch(rig.env, row, col)
					words += " " + c.Text + string(c.Buf)
				}
				if tips, ok := src.(TableTips); ok {
					var tip Tip
					tips.Tip(rig.env, row, &tip)
					words += " " + strings.Join(tip.lines.all(), " ")
				}
			}
			if _, loss := src.(*LossTable); !loss && strings.Contains(strings.ToLower(words), "frame") {
				t.Errorf("%T: %s", src, words)
			}
		}
	}
}

// What a table had of another session is gone when one without calls is shown.
func TestTablesOfCallsForgetOtherSessions(t *testing.T) {
	bare := model.NewSession()
	bare.Apply(model.CollectorDef{ID: 3, Name: "later"})
	bare.Apply(model.TrackDef{ID: 0, Name: "main", Kind: model.TrackThread})
	bare.Apply(model.SeriesDef{ID: 0, Name: "load", Kind: model.SeriesValue})
	bare.Append(&model.Batch{Track: model.NoTrack, Samples: []model.Sample{{Time: 5, Value: 1}, {Time: 9, Value: 2}}})
	for _, animate := range []bool{false, true} {
		rig := newPanelRig(newCallSession(false), 1, 900, 400)
		rig.env.Animate = animate
		full := rig.env.View
		other := view.New(bare)
		spikes, stats, tree := NewSpikeTable(), NewStatsTable(false), NewCollectorTree()
		tables := []*Table{NewTable("a", spikes), NewTable("b", stats), NewTable("c", tree)}
		for range 3 {
			for _, v := range []*view.View{full, other} {
				rig.env.View = v
				for _, table := range tables {
					rig.tick(table)
					rig.click(table, 100, 60)
				}
				if v == full && (len(spikes.spans) == 0 || len(stats.rows) == 0) {
					t.Errorf("the session with calls has %d spikes and %d rows of statistics", len(spikes.spans), len(stats.rows))
				}
				if v == other && (!v.Unframed() || len(spikes.spans) != 0 || len(stats.rows) != 0 || v.HasSpan()) {
					t.Errorf("the session without calls has %d spikes and %d rows of statistics; a span is selected: %v", len(spikes.spans), len(stats.rows), v.HasSpan())
				}
			}
		}
	}
}
