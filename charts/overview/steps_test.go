package overview

import (
	"testing"

	"framescope/charts/chartstest"
	"framescope/charts/view"
	"framescope/model"
	"framescope/model/spans"
)

// The first look: the track with the most spans, unless the source names another or the user chose
// one.
func TestFramelessFirstTrack(t *testing.T) {
	w := chartstest.NewCallWriter(false)
	w.S.Apply(model.Info{Source: "flare", Program: "shop"})
	v := view.New(w.S)
	w.At[chartstest.UtMain] = 1 << 60 // the main thread is silent for now
	w.Run(1_000_000_000)
	now := int64(0)
	tick := func() { now += 300_000_000; v.Tick(now, false) }
	tick()
	if v.Track() != chartstest.UtWorker {
		t.Fatalf("track %d is shown first", v.Track())
	}
	if bySpans := (view.PerUnit[bool]{Spans: true}); !bySpans.Of(v) {
		t.Error("a session without frames counts as one with frames")
	}
	w.At[chartstest.UtMain] = 1_000_000_000
	w.Run(3_000_000_000)
	tick()
	if v.Track() != chartstest.UtMain {
		t.Errorf("track %d is shown though main has more spans by now", v.Track())
	}
	for range 5 {
		tick()
		w.Run(3_000_000_000 + now/100)
	}
	w.At[chartstest.UtLoader] = 4_000_000_000
	for i := range int64(2000) {
		w.S.Append(&model.Batch{Track: chartstest.UtLoader, Spans: []model.Span{{Begin: 1<<40 + i, End: 1<<40 + i, Path: 5}}})
	}
	tick()
	if v.Track() != chartstest.UtMain {
		t.Errorf("after a second the view jumped to track %d", v.Track())
	}
	chosen := view.New(w.S)
	chosen.Tick(1, false)
	chosen.SetTrack(chartstest.UtIdle)
	w.Run(5_000_000_000)
	chosen.Tick(2e9, false)
	if chosen.Track() != chartstest.UtIdle {
		t.Errorf("the view left the user's track for %d", chosen.Track())
	}
	w.S.Apply(model.TrackDef{ID: chartstest.UtWorker, Name: "worker-1", Main: true})
	fresh := view.New(w.S)
	fresh.Tick(1, false)
	if fresh.Track() != chartstest.UtWorker {
		t.Errorf("track %d is shown, not the source's own choice", fresh.Track())
	}
}

// A file that is still being read stays fitted; what the user looks at stays.
func TestFramelessStaysFitted(t *testing.T) {
	w := chartstest.NewCallWriter(false)
	v := view.New(w.S)
	for i := range int64(5) {
		w.Run((i + 1) * 1e9)
		v.Tick(i, false)
	}
	if b, e, _ := w.S.Bounds(); int64(v.Time().BeginNs) != b || int64(v.Time().EndNs) != e {
		t.Errorf("[%g, %g] of [%d, %d] is shown", v.Time().BeginNs, v.Time().EndNs, b, e)
	}
	v.Steer().ZoomAt(1e9, 2)
	was := v.Time().BeginNs
	w.Run(8e9)
	v.Tick(9, false)
	if v.Time().BeginNs != was {
		t.Error("the view jumped away from what the user looked at")
	}
}

func TestFramelessSteps(t *testing.T) {
	s := chartstest.NewCallSession(false)
	rig := chartstest.NewRig(s, 1, 100, 100)
	v := rig.Env.View
	v.SetTrack(chartstest.UtMain)
	v.GoFirst()
	first, _ := s.Spans().ByRef(spans.Ref{Track: chartstest.UtMain})
	second, _ := s.Spans().ByRef(spans.Ref{Track: chartstest.UtMain, Index: 1})
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
	v.SetTrack(chartstest.UtIdle)
	v.Steer().PlaceTime(0, 2e9)
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
	if v.SetTrack(chartstest.UtMain); v.RangeB() != 1e9 {
		t.Error("the range was lost with another track")
	}
	if v.SetPlayhead(5e9); v.RangeB() > v.RangeA() {
		t.Error("the range stayed")
	}
}
