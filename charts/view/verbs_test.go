package view

import (
	"fmt"
	"math"
	"reflect"
	"strconv"
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

// Every verb and all that follows from it, in a session of frames and in one without any: see verbs.txt. Each case
// begins anew.
func TestVerbs(t *testing.T) {
	sessions := map[string]func() *store.Session{"frames": game, "no frames": trace}
	for _, row := range testkit.Rows("testdata/verbs.txt") {
		v := viewOf(sessions[row[0]]())
		for call := range strings.SplitSeq(row[2], "; ") {
			if words := strings.Fields(call); len(words) > 0 {
				do(t, v, words[0], words[1:])
			}
		}
		testkit.Equal(t, state(v), row[3], "%s: %s", row[0], row[1])
		testkit.That(t, !v.HasSpan() || v.Span().Ref.Track == v.Track(),
			"%s: the span is of thread %d, the view of %d", row[1], v.Span().Ref.Track, v.Track())
	}
}

// do calls a verb of a view, or of what steers it. Its arguments are words of verbs.txt.
func do(t *testing.T, v *View, verb string, words []string) {
	t.Helper()
	f := reflect.ValueOf(v).MethodByName(verb)
	if !f.IsValid() {
		f = reflect.ValueOf(v.Steer()).MethodByName(verb)
	}
	testkit.MustThat(t, f.IsValid() && f.Type().NumIn() == len(words), "there is no %s of %q", verb, words)
	var args []reflect.Value
	for i, word := range words {
		args = append(args, reflect.ValueOf(argument(t, v.Session(), f.Type().In(i), word)))
	}
	f.Call(args)
}

// argument is what a word of verbs.txt stands for.
func argument(t *testing.T, s *store.Session, of reflect.Type, word string) any {
	name, rest, _ := strings.Cut(word, ".")
	collector, isName := map[string]model.CollectorID{"App": cApp, "Geom": cGeom, "Draw": cDraw, "Never": cNever}[name]
	track := map[string]model.TrackID{"none": model.NoTrack, "Draw": tDraw, "Idle": tIdle}[name] // else Main
	number, err := strconv.Atoi(word)
	switch of {
	case reflect.TypeFor[spans.Bar]():
		which, later, _ := strings.Cut(rest, "+")
		b := spanOf(t, s, track, collector, testkit.Must(strconv.Atoi(which))(t))
		by, _ := strconv.Atoi(later)
		b.Begin, b.End = b.Begin+int64(by)*ms, b.End+int64(by)*ms
		return b
	case reflect.TypeFor[model.CollectorID]():
		testkit.MustThat(t, isName, "nothing is called %s", word)
		return collector
	case reflect.TypeFor[bool]():
		return word == "true"
	case reflect.TypeFor[model.TrackID]():
		if err == nil {
			return model.TrackID(number)
		}
		return track
	}
	testkit.NoErr(t, err)
	switch of {
	case reflect.TypeFor[Thing]():
		return Message(tMain, model.Message{Time: int64(number) * ms})
	case reflect.TypeFor[int64]():
		return int64(number) * ms
	}
	return number
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
		"CycleMeasure":        nil, // of sessions with several
		"HideIdle":            func(l *Look) { l.HideIdle(true) },
		"MeasuredBy":          func(l *Look) { l.MeasuredBy(7) },
		"MoveTrack":           func(l *Look) { l.MoveTrack(tDraw, tMain, false) },
		"MoveTrackBy":         func(l *Look) { l.MoveTrackBy(tMain, 1) },
		"ResetColor":          func(l *Look) { l.ResetColor("App") },
		"SetColor":            func(l *Look) { l.SetColor("App", assets.RGB(1, 2, 3)) },
		"SetColors":           func(l *Look) { l.SetColors(map[string]assets.Color{"App": assets.RGB(9, 2, 3)}) },
		"SetColorsAsSent":     func(l *Look) { l.SetColorsAsSent(true) },
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
