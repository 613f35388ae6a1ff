package view

import (
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"

	"framescope/assets"
	"framescope/internal/testkit"
	"framescope/model"
	"framescope/model/find"
	"framescope/model/spans"
	"framescope/model/store"
)

// state tells all that is selected, times in ms: the thread, the frames by number, the range, the
// playhead, the span, the collector (and the one that is walked through where that is another),
// whether the view is live and whether the playhead is in view.
func state(v *View) string {
	t := v.Shown()
	s := t.Def.Name
	if a, b := v.FrameA(), v.FrameB(); a >= 0 {
		s += fmt.Sprintf(" #%d-%d", t.Frame(a).Number, t.Frame(b).Number)
	}
	if v.HasRange() {
		s += fmt.Sprintf(" [%d %d]", v.RangeA()/ms, v.RangeB()/ms)
	}
	s += fmt.Sprintf(" @%d", v.Playhead()/ms)
	name := func(c model.CollectorID) string {
		if c == model.NoCollector {
			return "nothing"
		}
		return v.Session().Collector(c).Name
	}
	if v.HasSpan() {
		s += fmt.Sprintf(" span %d", v.Span().Begin/ms)
	}
	if s += " " + name(v.Collector()); v.Chosen() != v.Collector() {
		s += " of " + name(v.Chosen())
	}
	if v.Live() {
		s += " live"
	}
	if w := v.Time(); float64(v.Playhead()) < w.BeginNs || float64(v.Playhead()) > w.EndNs {
		s += " out of view"
	}
	return s
}

// Every verb and all that follows from it, in a session of frames and in one without any. Each case
// begins anew.
func TestVerbs(t *testing.T) {
	type do func(v *View)
	bar := func(v *View, track model.TrackID, c model.CollectorID, n int) spans.Bar {
		return spanOf(t, v.Session(), track, c, n)
	}
	framed := []struct {
		verb string
		do   do
		want string
	}{
		{"nothing", func(*View) {}, "Main #1-1 [1000 1010] @1000 nothing"},
		{"a span", func(v *View) { v.SelectSpan(bar(v, tMain, cApp, 60)) }, "Main #70-70 [1690 1700] @1691 span 1691 App"},
		{"a span of another thread", func(v *View) { v.SelectSpan(bar(v, tDraw, cDraw, 60)) },
			"Draw #70-70 [1694 1704] @1695 span 1695 Draw"},
		{"a span in view, within it", func(v *View) { v.SelectSpanAt(bar(v, tDraw, cDraw, 2), 1029*ms) },
			"Draw #3-3 [1024 1034] @1029 span 1025 Draw"},
		{"a span that was drawn elsewhere", func(v *View) {
			b := bar(v, tMain, cApp, 2)
			b.Begin, b.End = b.Begin+7*ms, b.End+7*ms
			v.SelectSpanAt(b, 1022*ms)
		}, "Main #3-3 [1020 1030] @1022 span 1021 App"},
		{"a step to a span", func(v *View) { v.SelectCollector(cGeom); v.StepToSpan(bar(v, tMain, cApp, 1)) },
			"Main #2-2 [1010 1020] @1011 span 1011 App of Geom"},
		{"a call", func(v *View) { v.SelectCall(bar(v, tDraw, cDraw, 70), 1802*ms, false) },
			"Draw #80-80 [1795 1802] @1795 span 1795 Draw"},
		{"a call of a search", func(v *View) {
			v.SelectCollector(cGeom)
			v.SelectCall(bar(v, tDraw, cDraw, 70), 1802*ms, false)
		}, "Draw #80-80 [1795 1802] @1795 span 1795 Draw of Geom"},
		{"a call that is chosen", func(v *View) {
			v.SelectCollector(cGeom)
			v.SelectCall(bar(v, tDraw, cDraw, 70), 1802*ms, true)
		}, "Draw #80-80 [1795 1802] @1795 span 1795 Draw"},
		{"a collector", func(v *View) { v.SelectCollector(cGeom) }, "Main #1-1 [1000 1010] @1000 Geom"},
		{"a collector of a thread", func(v *View) { v.SelectCollectorOf(tDraw, cDraw) }, "Draw #1-1 [1004 1014] @1004 Draw"},
		{"a collector of all threads", func(v *View) { v.SelectCollectorOf(model.NoTrack, cDraw) },
			"Main #1-1 [1000 1010] @1000 Draw"},
		{"the collector of the span", func(v *View) { v.SelectSpan(bar(v, tMain, cApp, 3)); v.SelectCollector(cApp) },
			"Main #4-4 [1030 1040] @1031 span 1031 App"},
		{"another than that of the span", func(v *View) { v.SelectSpan(bar(v, tMain, cApp, 3)); v.SelectCollector(cGeom) },
			"Main #4-4 [1030 1040] @1031 Geom"},
		{"frames", func(v *View) { v.SelectFrames(62, 60) }, "Main #70-72 [1690 1720] @1690 nothing"},
		{"frames around the span", func(v *View) { v.SelectSpan(bar(v, tMain, cApp, 3)); v.SelectFrames(2, 5) },
			"Main #3-6 [1020 1060] @1020 span 1031 App"},
		{"frames beside the span", func(v *View) { v.SelectSpan(bar(v, tMain, cApp, 3)); v.SelectFrames(7, 7) },
			"Main #8-8 [1070 1080] @1070 App"},
		{"a range", func(v *View) { v.SelectRange(1025*ms, 1013*ms) }, "Main #3-3 [1013 1025] @1000 nothing"},
		{"a range beside the span", func(v *View) { v.SelectSpan(bar(v, tMain, cApp, 0)); v.SelectRange(1012*ms, 1014*ms) },
			"Main #2-2 [1012 1014] @1001 App"},
		{"a brush that is empty", func(v *View) { v.Brush(1013*ms, 1013*ms) }, "Main #1-1 [1000 1010] @1000 nothing"},
		{"a range that grows", func(v *View) { v.SelectRange(1012*ms, 1014*ms); v.ExtendRange(2) },
			"Main #2-2 [1012 1020] @1000 nothing"},
		{"the playhead", func(v *View) { v.SetPlayhead(1705 * ms) }, "Main #71-71 [1700 1710] @1705 nothing"},
		{"the playhead in view", func(v *View) { v.PlacePlayhead(1705 * ms) },
			"Main #71-71 [1700 1710] @1705 nothing out of view"},
		{"the playhead in a gap", func(v *View) { v.SetPlayhead(1450 * ms) }, "Main @1450 nothing"},
		{"a scrub beside the span", func(v *View) { v.SelectSpan(bar(v, tMain, cApp, 3)); v.ScrubTo(1045 * ms) },
			"Main #5-5 [1040 1050] @1045 App"},
		{"a thread", func(v *View) { v.SetPlayhead(1705 * ms); v.SetTrack(tDraw) }, "Draw #71-71 [1704 1714] @1705 nothing"},
		{"a thread beside the span", func(v *View) { v.SelectSpan(bar(v, tMain, cApp, 3)); v.SetTrack(tDraw) },
			"Draw #4-4 [1034 1044] @1034 App"},
		{"a thread that is none", func(v *View) { v.SetTrack(99) }, "Main #1-1 [1000 1010] @1000 nothing"},
		{"the next frame", func(v *View) { v.StepFrame(1) }, "Main #2-2 [1010 1020] @1010 nothing"},
		{"frames on over a gap", func(v *View) { v.StepFrame(45) }, "Main #55-55 [1540 1550] @1540 nothing"},
		{"a frame more", func(v *View) { v.Extend(1) }, "Main #1-2 [1000 1020] @1000 nothing"},
		{"a screen more", func(v *View) { v.GoToFrame(10); v.ExtendPage(1) }, "Main #11-18 [1100 1180] @1100 nothing out of view"},
		{"a screen more at the left", func(v *View) { v.GoToFrame(60); v.ExtendPage(-1) }, "Main #64-70 [1630 1700] @1630 nothing"},
		{"up to the newest", func(v *View) { v.GoToFrame(10); v.ExtendAll(1) }, "Main #11-109 [1100 2090] @1100 nothing out of view"},
		{"up to the oldest", func(v *View) { v.GoToFrame(10); v.ExtendAll(-1) }, "Main #1-11 [1000 1110] @1000 nothing"},
		{"the last frame", func(v *View) { v.GoLast() }, "Main #109-109 [2080 2090] @2080 nothing"},
		{"the first frame", func(v *View) { v.GoLast(); v.GoFirst() }, "Main #1-1 [1000 1010] @1000 nothing"},
		{"no spike", func(v *View) { v.StepSpike(1) }, "Main #1-1 [1000 1010] @1000 nothing"},
		{"the next occurrence", func(v *View) { v.SelectCollector(cGeom); v.NextOccurrence(1) },
			"Main #5-5 [1040 1050] @1042 span 1042 Geom"},
		{"the one before it", func(v *View) { v.SelectSpan(bar(v, tMain, cGeom, 3)); v.NextOccurrence(-1) },
			"Main #15-15 [1140 1150] @1142 span 1142 Geom"},
		{"an occurrence on another thread", func(v *View) { v.SelectCollector(cDraw); v.NextOccurrence(1) },
			"Draw #1-1 [1004 1014] @1005 span 1005 Draw"},
		{"no further occurrence", func(v *View) { v.SelectCollector(cNever); v.NextOccurrence(1) },
			"Main #1-1 [1000 1010] @1000 Never"},
		{"a search", func(v *View) { v.SetPlayhead(1700 * ms); v.FindCollector(cDraw) },
			"Draw #71-71 [1704 1714] @1705 span 1705 Draw"},
		{"a search behind all", func(v *View) { v.GoLast(); v.FindCollector(cGeom) },
			"Main #105-105 [2040 2050] @2042 span 2042 Geom"},
		{"a search for nothing", func(v *View) { v.FindCollector(cNever) }, "Main #1-1 [1000 1010] @1000 Never"},
		{"a message", func(v *View) { v.SelectAt(Message(tMain, model.Message{Time: 1025 * ms}), 1025*ms) },
			"Main #3-3 [1020 1030] @1025 nothing"},
		{"live", func(v *View) { v.SelectSpan(bar(v, tMain, cApp, 3)); v.Follow(true); v.Tick(2, false) },
			"Main #109-109 [2080 2090] @2090 App live"},
		{"all let go", func(v *View) { v.SelectSpan(bar(v, tMain, cApp, 3)); v.ClearSelection() }, "Main @1031 nothing"},
		{"the thing let go", func(v *View) { v.SelectSpan(bar(v, tMain, cApp, 3)); v.ClearThing() },
			"Main #4-4 [1030 1040] @1031 nothing"},
		{"let go by steps: a span", func(v *View) { v.SelectSpan(bar(v, tMain, cApp, 3)); v.Unselect() },
			"Main #4-4 [1030 1040] @1031 nothing"},
		{"let go by steps: frames", func(v *View) { v.SelectFrames(3, 5); v.Unselect() },
			"Main #4-4 [1030 1040] @1030 nothing"},
		{"let go by steps: a range in a gap", func(v *View) { v.SelectRange(1440*ms, 1450*ms); v.Unselect() },
			"Main @1000 nothing"},
		{"let go by steps: a frame", func(v *View) { v.Unselect() }, "Main #1-1 [1000 1010] @1000 nothing"},
		{"a zoom to a range", func(v *View) { v.Steer().ZoomTo(1700*ms, 1710*ms) },
			"Main #1-1 [1000 1010] @1000 nothing out of view"},
		{"back from there", func(v *View) { v.Steer().ZoomTo(1700*ms, 1710*ms); v.Back() }, "Main #1-1 [1000 1010] @1000 nothing"},
		{"and there again", func(v *View) { v.Steer().ZoomTo(1700*ms, 1710*ms); v.Back(); v.Forward() },
			"Main #1-1 [1000 1010] @1000 nothing out of view"},
	}
	frameless := []struct {
		verb string
		do   do
		want string
	}{
		{"nothing", func(*View) {}, "Main @0 nothing"},
		{"a span", func(v *View) { v.SelectSpan(bar(v, tMain, cGeom, 3)) }, "Main @31 span 31 Geom"},
		{"a span of another thread", func(v *View) { v.SelectSpan(bar(v, tDraw, cDraw, 3)) }, "Draw @530 span 530 Draw"},
		{"a call", func(v *View) { v.SelectCall(bar(v, tDraw, cDraw, 3), 531*ms, false) },
			"Draw [530 531] @530 span 530 Draw"},
		{"a range", func(v *View) { v.SelectRange(20*ms, 40*ms) }, "Main [20 40] @0 nothing"},
		{"the playhead within the range", func(v *View) { v.SelectRange(20*ms, 40*ms); v.SetPlayhead(25 * ms) },
			"Main [20 40] @25 nothing"},
		{"the playhead beside the range", func(v *View) { v.SelectRange(20*ms, 40*ms); v.SetPlayhead(45 * ms) },
			"Main @45 nothing"},
		{"a span beside the range", func(v *View) { v.SelectRange(20*ms, 40*ms); v.SelectSpan(bar(v, tMain, cApp, 5)) },
			"Main @50 span 50 App"},
		{"a thread keeps the range", func(v *View) { v.SelectRange(20*ms, 40*ms); v.SetTrack(tDraw) },
			"Draw [20 40] @0 nothing"},
		{"a step over the row", func(v *View) { v.StepToSpan(bar(v, tMain, cApp, 3)); v.StepFrame(2) },
			"Main @50 span 50 App of nothing"},
		{"a step over the collector", func(v *View) { v.SelectCollector(cGeom); v.StepFrame(2) }, "Main @11 span 11 Geom"},
		{"ten steps on", func(v *View) { v.GoFirst(); v.StepFrame(1); v.StepFrame(10) }, "Main @110 span 110 App of nothing"},
		{"a step back", func(v *View) { v.GoFirst(); v.StepFrame(10); v.StepFrame(-1) }, "Main @90 span 90 App of nothing"},
		{"steps beyond the first", func(v *View) { v.SetPlayhead(500 * ms); v.StepFrame(-1000) }, "Main @0 span 0 App of nothing"},
		{"steps where nothing ran", func(v *View) { v.SetTrack(tIdle); v.SetPlayhead(500 * ms); v.StepFrame(-2) }, "Idle @400 nothing"},
		{"a range where nothing ran", func(v *View) { v.SetTrack(tIdle); v.SetPlayhead(400 * ms); v.ExtendRange(2) },
			"Idle [400 499] @400 nothing"},
		{"a spike of a collector after a step", func(v *View) { v.SelectCollector(cGeom); v.StepFrame(1); v.StepSpike(1) },
			"Main @11 span 11 Geom"},
		{"a range from the playhead", func(v *View) { v.SetPlayhead(500 * ms); v.Extend(1) }, "Main [500 549] @500 nothing"},
		{"a screen more", func(v *View) { v.SetPlayhead(500 * ms); v.ExtendPage(1) }, "Main [500 993] @500 nothing"},
		{"up to the end", func(v *View) { v.SelectRange(20*ms, 40*ms); v.ExtendAll(1) }, "Main [20 993] @0 nothing"},
		{"up to the begin", func(v *View) { v.SelectRange(20*ms, 40*ms); v.ExtendAll(-1) }, "Main [0 40] @0 nothing"},
		{"the end", func(v *View) { v.GoLast() }, "Main @993 nothing"},
		{"spikes of the row", func(v *View) { v.StepSpike(1); v.StepSpike(1) }, "Main @20 span 20 App of nothing"},
		{"a spike of a collector", func(v *View) { v.SelectCollector(cGeom); v.StepSpike(1) }, "Main @1 span 1 Geom"},
		{"an occurrence on another thread", func(v *View) { v.SelectCollector(cDraw); v.NextOccurrence(1) },
			"Draw @500 span 500 Draw"},
		{"a search", func(v *View) { v.SetPlayhead(700 * ms); v.FindCollector(cDraw) }, "Draw @700 span 700 Draw"},
	}
	run := func(s *store.Session, verb, want string, do do) {
		t.Helper()
		v := viewOf(s)
		do(v)
		got := state(v)
		testkit.That(t, got == want, "%s:\n got %s\nwant %s", verb, got, want)
		testkit.That(t, !v.HasSpan() || v.Span().Ref.Track == v.Track(),
			"%s: the span is of thread %d, the view of %d", verb, v.Span().Ref.Track, v.Track())
	}
	for _, c := range framed {
		run(game(), c.verb, c.want, c.do)
	}
	for _, c := range frameless {
		run(trace(), "frameless: "+c.verb, c.want, c.do)
	}
}

// Whatever is done in whatever order, what is selected is one thing: the span is of the thread and
// of the selected time, the frames are the thread's, and the collector is the span's.
func TestOneTruth(t *testing.T) {
	for name, s := range map[string]*store.Session{"game": game(), "trace": trace()} {
		v := viewOf(s)
		rng := uint64(7)
		pick := func(n int) int {
			rng = rng*6364136223846793005 + 1442695040888963407
			return int(rng>>33) % n
		}
		_, end, _ := s.Bounds()
		at := func() int64 { return int64(pick(int(end/ms))) * ms }
		track := func() model.TrackID { return model.TrackID(pick(4) - 1) }
		any := func() spans.Bar {
			for {
				c := model.CollectorID(pick(3) + 1)
				if b, ok := v.nearestSpan(c, at(), 1); ok {
					return b
				}
			}
		}
		tick := int64(0)
		verbs := []func(){
			func() { v.SelectSpan(any()) },
			func() { v.StepToSpan(any()) },
			func() { b := any(); v.SelectSpanAt(b, b.Begin) },
			func() { b := any(); v.SelectCall(b, b.End, pick(2) == 0) },
			func() { v.SelectCollector(model.CollectorID(pick(6) - 1)) },
			func() { v.SelectCollectorOf(track(), model.CollectorID(pick(5))) },
			func() { v.SelectFrames(pick(120), pick(120)) },
			func() { v.SelectRange(at(), at()) },
			func() { v.SetPlayhead(at()) },
			func() { v.SetTrack(track()) },
			func() { v.StepFrame(pick(7) - 3) },
			func() { v.Extend(pick(7) - 3) },
			func() { v.StepSpike(pick(2)*2 - 1) },
			func() { v.NextOccurrence(pick(2)*2 - 1) },
			func() { v.FindCollector(model.CollectorID(pick(5))) },
			func() { v.Unselect() },
			func() { v.Follow(pick(2) == 0); v.Tick(tick, false) },
		}
		for ; tick < 20_000; tick++ {
			verb := pick(len(verbs))
			verbs[verb]()
			tr := v.Shown()
			b := v.Span()
			switch {
			case v.FrameA() > v.FrameB() || v.FrameB() >= tr.NumFrames() || (v.FrameA() < 0) != (v.FrameB() < 0):
				t.Fatalf("%s, verb %d: frames %d to %d of %d", name, verb, v.FrameA(), v.FrameB(), tr.NumFrames())
			case v.HasSpan() && (b.Ref.Track != v.Track() || v.Collector() != b.Collector):
				t.Fatalf("%s, verb %d: a span of another thread: %s", name, verb, state(v))
			case v.HasSpan() && v.HasRange() && (b.Begin >= v.RangeB() || b.End < v.RangeA()):
				t.Fatalf("%s, verb %d: a span beside what is selected: %s", name, verb, state(v))
			}
		}
	}
}

// Hits of several names are gone through in the order of time, there and back, and around the ends.
func TestStepFoundGoesThroughAllThatWasFound(t *testing.T) {
	v := viewOf(game())
	of := []model.CollectorID{cDraw, cGeom}
	v.Follow(false)
	v.SetPlayhead(math.MinInt64 + 1)
	var there []spans.Bar
	for v.StepFound(of, 1) {
		b := v.Span()
		if n := len(there); n > 0 && b.Ref == there[0].Ref {
			break // around
		} else if n > 0 && placeOf(&b).compare(placeOf(&there[n-1])) <= 0 {
			t.Fatalf("after %v comes %v", there[n-1], b)
		}
		there = append(there, b)
		testkit.MustThat(t, len(there) <= 10_000, "there is no end")
	}
	want := 0
	for id := range model.TrackID(v.session.NumTracks()) {
		for _, c := range of {
			for from := int64(math.MinInt64 + 1); ; want++ {
				b, ok := v.session.Spans().Next(id, c, from, 1)
				if !ok {
					break
				}
				from = b.Begin
			}
		}
	}
	testkit.MustThat(t, len(there) == want && want >= 10, "%d of %d were gone through", len(there), want)
	for i := len(there) - 1; i >= 0; i-- {
		v.StepFound(of, -1)
		testkit.MustThat(t, v.Span().Ref == there[i].Ref, "back at %d is %v, not %v", i, v.Span(), there[i])
	}
	testkit.That(t, !v.StepFound([]model.CollectorID{cNever}, 1), "something was found that never ran")
}

// Back takes selections back, too: each click is a step, a drag is one, and what a click chooses
// besides is the same one.
func TestBackOfSelections(t *testing.T) {
	v := New(game())
	w := walker{t: t, v: v, now: 1}
	w.tick(1)
	v.Follow(false)
	w.state = func() string { return fmt.Sprint(v.Playhead(), v.FrameA(), v.Collector()) }
	w.thereAndBack([]func(){
		func() { v.SelectFrames(1, 1) },
		func() { v.SelectCollector(2); v.SelectFrames(2, 2) },
		func() {
			for i := range 5 {
				v.SelectFrames(i, i)
				w.tick(16e6)
			}
		},
	})
}

// walker goes through the history of a view.
type walker struct {
	t     *testing.T
	v     *View
	now   int64
	state func() string
}

func (w *walker) tick(ns int64) { w.now += ns; w.v.Tick(w.now, false) }

// thereAndBack does some things, each of which is a step, takes all of them back, and does them again.
func (w *walker) thereAndBack(steps []func()) {
	w.t.Helper()
	live := w.v.Live()
	var was []string
	for i, f := range steps {
		w.tick(2e9)
		was = append(was, w.state())
		f()
		testkit.MustThat(w.t, w.state() != was[i], "step %d did nothing", i)
	}
	end := w.state()
	for i := len(was) - 1; i >= 0; i-- {
		w.tick(2e9)
		testkit.MustThat(w.t, w.v.CanBack(), "no way back to step %d", i)
		if w.v.Back(); w.state() != was[i] || w.v.Live() != live {
			w.t.Errorf("back at step %d: %s, live %v, want %s, %v", i, w.state(), w.v.Live(), was[i], live)
		}
	}
	for w.v.CanForward() {
		w.v.Forward()
	}
	testkit.That(w.t, w.state() == end && w.v.Live() == live, "forward ended at %s, want %s", w.state(), end)
}

func TestHistory(t *testing.T) {
	var h History[int]
	same := func(a, b int) bool { return a == b }
	for i := range 100 {
		h.Push(i)
	}
	here, i := 100, 99
	for at, ok := h.Back(here, same); ok; at, ok = h.Back(here, same) {
		testkit.MustThat(t, at == i, "back at %d, want %d", at, i)
		here, i = at, i-1
	}
	testkit.That(t, here == 36, "the oldest step that is remembered is %d, want 36", here)
	for at, ok := h.Forward(here, same); ok; at, ok = h.Forward(here, same) {
		here = at
	}
	testkit.That(t, here == 100, "forward ended at %d, want 100", here)
	h.Push(here)
	at, _ := h.Back(here, same)
	testkit.That(t, at == 99, "back after a step that was none is at %d, want 99", at)
	h.Push(7)
	testkit.That(t, len(h.forward) <= 0, "a new step leaves the old future")
}

// Whatever changes how a session is looked at changes the stamp that pictures are drawn by: each
// verb there is, so that none can be forgotten that is new.
func TestEveryVerbOfTheLookChangesTheStamp(t *testing.T) {
	verbs := map[string]func(l *Look){
		"CycleDepth":          func(l *Look) { l.CycleDepth() },
		"CycleMeasure":        nil, // of sessions with several
		"HideIdle":            func(l *Look) { l.HideIdle(true) },
		"MeasuredBy":          func(l *Look) { l.MeasuredBy(7) },
		"MoveTrack":           func(l *Look) { l.MoveTrack(tDraw, tMain, false) },
		"MoveTrackBy":         func(l *Look) { l.MoveTrackBy(tMain, 1) },
		"ResetColor":          func(l *Look) { l.ResetColor("App") },
		"SetColor":            func(l *Look) { l.SetColor("App", assets.RGB(1, 2, 3)) },
		"SetColors":           func(l *Look) { l.SetColors(map[string]assets.Color{"App": assets.RGB(9, 2, 3)}) },
		"SetColorsAsSent":     func(l *Look) { l.SetColorsAsSent(true) },
		"SetDepthLimit":       func(l *Look) { l.SetDepthLimit(7) },
		"SetFound":            func(l *Look) { l.SetFound(true, []model.CollectorID{cApp}) },
		"SetFoundCalls":       func(l *Look) { l.SetFoundCalls(new(find.Hits)) },
		"SetFoundNames":       func(l *Look) { l.SetFoundNames(new(find.Hits)) },
		"SetFrameBudget":      func(l *Look) { l.SetFrameBudget(33 * ms) },
		"SetGoneShown":        func(l *Look) { l.SetGoneShown(true) },
		"SetGroupClosed":      func(l *Look) { l.SetGroupClosed("threads", true) },
		"SetHidden":           func(l *Look) { l.SetHidden(cGeom, true) },
		"SetMeasure":          func(l *Look) { l.SetMeasure(spans.MeasureSamples) },
		"SetMessageFilter":    func(l *Look) { l.SetMessageFilter(MessageFilter{Text: "x"}) },
		"ChooseCounters":      func(l *Look) { l.ChooseCounters(CountersAll) },
		"MarkCounter":         func(l *Look) { l.MarkCounter(CounterLog, LevelCounter(0, 1), true) },
		"SetShowWall":         func(l *Look) { l.SetShowWall(!l.ShowWall()) },
		"SetShowDayTime":      func(l *Look) { l.SetShowDayTime(!l.ShowDayTime()) },
		"SetShowFlows":        func(l *Look) { l.SetShowFlows(!l.ShowFlows()) },
		"SetShowInterpolated": func(l *Look) { l.SetShowInterpolated(!l.ShowInterpolated()) },
		"SetTrackFolded":      func(l *Look) { l.SetTrackFolded(tDraw, true) },
		"SetTrackGrouping":    func(l *Look) { l.SetTrackGrouping(TracksByKind) },
		"SetTrackHidden":      func(l *Look) { l.SetTrackHidden(tDraw, true) },
		"SetTrackLanes":       func(l *Look) { l.SetTrackLanes(tDraw, 2) },
		"SetTrackOrder":       func(l *Look) { l.SetTrackOrder(TracksByName) },
		"SetTrackPinned":      func(l *Look) { l.SetTrackPinned(tDraw, true) },
		"SetTracks":           func(l *Look) { l.SetTracks(TrackLook{Pinned: []string{"Draw"}}) },
		"ShowAll":             func(l *Look) { l.SetHidden(cGeom, true); l.ShowAll() },
		"ShowAllTracks":       nil, // of what is hidden: TestTracksOfSums
		"ShowTracks":          nil, // of what is hidden: TestShowAll
	}
	look := reflect.TypeFor[*Look]()
	for i := range look.NumMethod() {
		name := look.Method(i).Name
		verb := look.Method(i).Type.NumOut() == 0
		for _, prefix := range []string{"Set", "Cycle", "Move", "Hide", "Reset"} {
			rest, is := strings.CutPrefix(name, prefix)
			verb = verb || is && rest != "" && rest[0] >= 'A' && rest[0] <= 'Z'
		}
		_, listed := verbs[name]
		testkit.That(t, !verb || listed, "%s is not looked at", name)
	}
	for name, do := range verbs {
		_, there := look.MethodByName(name)
		testkit.That(t, there, "there is no %s", name)
		if do == nil {
			continue
		}
		v := viewOf(game())
		switch name { // what there was before
		case "ResetColor":
			v.Look().SetColor("App", assets.RGB(1, 2, 3))
		case "SetFound":
			v.Look().SetFound(true, nil)
		}
		before := v.Stamp()
		do(v.Look())
		testkit.That(t, v.Stamp() != before, "%s changed how the session is looked at, the stamp did not change", name)
	}
}
