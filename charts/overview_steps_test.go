package charts

import (
	"framescope/charts/view"
	"framescope/model"
	"testing"
)

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
