package view

import (
	"math"
	"testing"

	"framescope/charts/format"
	"framescope/internal/testkit"
	"framescope/model"
	"framescope/model/place"
	"framescope/model/spans"
	"framescope/model/store"
)

// liveGame is a game that is being received, with 50 frames from number 1 on.
func liveGame() (s *store.Session, v *View) {
	s = define("pstats")
	s.Apply(model.Info{Source: "pstats"})
	v = New(s)
	v.Tick(1, false)
	appendFrames(s, 1, 1000*ms, 50)
	v.Tick(2, false)
	return s, v
}

func TestLiveFollows(t *testing.T) {
	s, v := liveGame()
	testkit.MustThat(t, v.Live() && v.Time().Valid(), "a new session is live and visible at once")
	width := v.Time().Width()
	v.Steer().SetWidthPx(1000)
	for i := range int64(30) {
		appendFrames(s, 51+3*i, 1500*ms+30*ms*i, 3)
		v.Tick(3, false)
		_, end, _ := s.Bounds()
		d := float64(end) - v.Time().EndNs
		testkit.MustThat(t, d >= -1e-3 && d < width/1000+1, "the newest time is %g ns right of the right edge", d)
		n := s.Track(tMain).NumFrames()
		testkit.MustThat(t, v.FrameA() == n-1 && v.FrameB() == n-1, "frame %d is selected of %d", v.FrameA(), n)
	}
	d := v.Time().Width() - width
	testkit.That(t, d <= 1e-3 && d >= -1e-3, "following changed the width from %g to %g", width, v.Time().Width())
}

func TestNavigationNeverStopsTheRecording(t *testing.T) {
	s, v := liveGame()
	v.StepFrame(-1)
	testkit.MustThat(t, !v.Live() && v.FrameA() == 48, "one back: live %v, frame %d", v.Live(), v.FrameA())
	time, playhead := v.Time(), v.Playhead()
	appendFrames(s, 51, 1500*ms, 100)
	v.Tick(3, false)
	testkit.That(t, v.FrameA() == 48 && v.Playhead() == playhead && v.Time() == time, "new frames moved a paused view")
	lag := v.LagNs()
	testkit.That(t, lag >= 1_000_000_000, "the view is %d ns behind", lag)
	v.Follow(true)
	v.Tick(4, false)
	testkit.That(t, v.FrameA() == 149 && v.LagNs() <= 10*ms, "live again: frame %d, lag %d", v.FrameA(), v.LagNs())
}

// What is selected stays what it is when a late frame shifts the indices, and a range that was
// chosen as such keeps its ends while data come in.
func TestSelectionKeepsItsFrames(t *testing.T) {
	s, v := liveGame()
	v.SelectFrames(30, 20)
	testkit.MustThat(t, v.FrameA() == 20 && v.FrameB() == 30, "selected [%d, %d]", v.FrameA(), v.FrameB())
	tr := s.Track(tMain)
	first := tr.Frame(20).Number
	s.Append(&model.Batch{Track: tMain, HasFrame: true, Number: 0, Begin: 990 * ms, End: 1000 * ms, Rewind: true})
	appendFrames(s, 1, 1000*ms, 50)
	v.Tick(5, false)
	testkit.That(t, tr.Frame(v.FrameA()).Number == first && v.FrameB()-v.FrameA() == 10,
		"frames [%d, %d] are selected, not those from number %d on", v.FrameA(), v.FrameB(), first)
	v.SelectRange(1203*ms, 1217*ms)
	appendFrames(s, 51, 1500*ms, 1)
	v.Tick(6, false)
	testkit.That(t, v.RangeA() == 1203*ms && v.RangeB() == 1217*ms,
		"the range became [%d, %d] as a frame came", v.RangeA(), v.RangeB())
	v.SelectFrames(-5, 1000)
	testkit.That(t, v.FrameA() == 0 && v.FrameB() == tr.NumFrames()-1 && v.RangeA() == 990*ms,
		"clamped: [%d, %d]", v.FrameA(), v.FrameB())
}

func TestPlayheadInAGapSelectsNoFrame(t *testing.T) {
	v := viewOf(game())
	m := v.Shown()
	mid := (m.Frame(gapAfter).End + m.Frame(gapAfter+1).Begin) / 2
	v.SetPlayhead(mid)
	testkit.That(t, v.FrameA() == -1 && !v.HasRange(), "frame %d is selected inside a gap", v.FrameA())
	v.StepFrame(1)
	testkit.That(t, v.FrameA() == gapAfter+1, "one on from the gap is %d, want %d", v.FrameA(), gapAfter+1)
	v.SetPlayhead(mid)
	v.StepFrame(-1)
	testkit.That(t, v.FrameA() == gapAfter, "one back from the gap is %d, want %d", v.FrameA(), gapAfter)
	v.SelectRange(m.Frame(10).Begin+1, m.Frame(12).Begin+1)
	if v.FrameA() != 11 || v.FrameB() != 12 || v.RangeA() != m.Frame(10).Begin+1 { // those that begin in it
		t.Errorf("range over frames [%d, %d]", v.FrameA(), v.FrameB())
	}
	v.SelectRange(m.Frame(10).Begin+1, m.Frame(10).Begin+2)
	testkit.That(t, v.FrameA() == 10 && v.FrameB() == 10,
		"range inside of frame 10 has frames [%d, %d]", v.FrameA(), v.FrameB())
	v.SelectRange(mid, mid+1000)
	testkit.That(t, v.FrameA() == -1 && v.RangeB()-v.RangeA() == 1000,
		"a range in the gap has frames [%d, %d]", v.FrameA(), v.FrameB())
}

// The playhead stays within the session, wherever beside it one presses.
func TestPlayheadStaysWithinTheSession(t *testing.T) {
	v := viewOf(game())
	b, e, _ := v.Session().Bounds()
	for _, c := range []struct{ at, want int64 }{{b - 5e9, b}, {e + 5e9, e}, {(b + e) / 2, (b + e) / 2}} {
		v.SetPlayhead(c.at)
		testkit.That(t, v.Playhead() == c.want, "set to %d it is at %d, want %d", c.at, v.Playhead(), c.want)
		v.ClearSelection()
		v.PlacePlayhead(c.at)
		testkit.That(t, v.Playhead() == c.want, "placed at %d it is at %d, want %d", c.at, v.Playhead(), c.want)
	}
}

// The stamp changes with everything that pictures depend on, and with nothing else: of how one looks
// TestEveryVerbOfTheLookChangesTheStamp.
func TestStamps(t *testing.T) {
	s, v := liveGame()
	v.Follow(false)
	stamp, cursor := v.Stamp(), v.CursorStamp()
	testkit.MustThat(t, v.Stamp() == stamp && v.CursorStamp() == cursor, "nothing changed")
	owner := new(int)
	for name, move := range map[string]func(){
		"the playhead":      func() { v.PlacePlayhead(1203 * ms) },
		"the ghost cursor":  func() { v.Pointer().Set(owner, model.NoCollector, 5, true) },
		"the window":        func() { v.Steer().PlaceTime(0, 5*ms) },
		"a pan":             func() { v.Steer().PanPx(20, 100) },
		"a jump":            func() { v.Steer().ZoomTo(1000*ms, 1010*ms) },
		"what was so":       func() { v.Look().ChooseCounters(v.Look().CounterChoice()) },
		"the same filter":   func() { v.Look().SetMessageFilter(v.Look().MessageFilter()) },
		"the same measures": func() { v.Look().SetMeasure(v.Look().Measure()) },
	} {
		v.PlacePlayhead(1201 * ms)
		before := v.Stamp()
		move()
		testkit.That(t, v.Stamp() == before, "%s moved, and the stamp changed", name)
	}
	cursor = v.CursorStamp()
	v.PlacePlayhead(1234 * ms)
	testkit.That(t, v.CursorStamp() != cursor, "the playhead is a cursor")
	cursor = v.CursorStamp()
	v.Pointer().Set(owner, model.NoCollector, 77, true)
	testkit.That(t, v.CursorStamp() != cursor, "the ghost cursor is one")
	main := spanOf(t, s, tMain, cApp, 3)
	for _, c := range []struct {
		name   string
		change func()
	}{
		{"collector", func() { v.SelectCollector(cGeom) }},
		{"span", func() { v.SelectSpan(main) }},
		{"nothing selected", func() { v.ClearSelection() }},
		{"hover", func() { v.Pointer().Set(owner, cApp, 5, true) }},
		{"frames", func() { v.SelectFrames(2, 3) }},
		{"range", func() { v.SelectRange(1001*ms, 1002*ms) }},
		{"thread", func() { v.SetTrack(tDraw) }},
		{"live", func() { v.Follow(true) }},
		{"data", func() { appendFrames(s, 51, 1500*ms, 1) }},
		{"definitions", func() { s.Apply(model.CollectorDef{ID: cApp, Name: "Application"}) }},
		{"message", func() { v.SelectAt(Message(tMain, model.Message{Time: 5, Text: "x"}), 5) }},
	} {
		before := v.Stamp()
		c.change()
		testkit.That(t, v.Stamp() != before, "%s changed, the stamp did not", c.name)
	}
}

func TestHoverBelongsToTheChartWithTheMouse(t *testing.T) {
	v := viewOf(game())
	owner, other := new(int), new(int)
	v.Pointer().Set(owner, cApp, 5, true)
	v.Pointer().Clear(other)
	testkit.That(t, v.Pointer().Collector() == cApp, "a chart without the mouse cleared another's hover")
	v.Pointer().Clear(owner)
	testkit.That(t, v.Pointer().Collector() == model.NoCollector && !v.Pointer().HasTime(), "hover is not cleared")
	v.Pointer().Set(owner, cApp, 5, true)
	v.Tick(2, false)
	if v.Tick(3, false); v.Pointer().Collector() != model.NoCollector {
		t.Error("a chart that says nothing any more still has the mouse")
	}
}

func TestShowAll(t *testing.T) {
	v := viewOf(game())
	all := len(v.Look().VisibleTracks())
	v.Look().SetTrackHidden(tDraw, true)
	v.Look().SetHidden(cApp, true)
	n := len(v.Look().VisibleTracks())
	testkit.MustThat(t, n == all-1 && v.Look().HidesTracks() && v.Look().HidesCollectors(),
		"%d tracks are visible of %d, one is hidden", n, all)
	v.Look().ShowAll()
	testkit.That(t, len(v.Look().VisibleTracks()) == all && !v.Look().Hidden(cApp) && !v.Look().HidesTracks() &&
		!v.Look().HidesCollectors(), "something is still hidden")
}

// A view without a session does nothing, whatever is asked of it.
func TestNoSession(t *testing.T) {
	v := New(nil)
	v.Tick(1, false)
	for _, verb := range []func(){
		func() { v.SelectFrames(0, 1) }, func() { v.SelectRange(0, 1) }, func() { v.SelectCollector(cApp) },
		func() { v.SelectSpan(spans.Bar{}) }, func() { v.SetPlayhead(5) }, func() { v.ScrubTo(6) },
		func() { v.SetTrack(1) }, func() { v.StepFrame(1) }, func() { v.Extend(1) }, func() { v.ExtendRange(1) },
		func() { v.GoFirst() }, func() { v.GoLast() }, func() { v.StepSpike(1) }, func() { v.NextOccurrence(1) },
		func() { v.FindCollector(cApp) }, func() { v.Steer().FitAll() }, func() { v.Steer().FitSelection() }, func() { v.Steer().Page(1) },
		func() { v.Back() }, func() { v.Forward() }, func() { v.Look().CycleMeasure() }, func() { v.Unselect() },
		func() { v.Steer().CenterOn(3) }, func() { v.Follow(true) }, func() { v.Steer().Set(1, 2, false, 0) },
		func() { v.Look().VisibleTracks() }, func() { v.Stamp() }, func() { v.CursorStamp() }, func() { v.Tick(2, true) },
	} {
		verb()
	}
	testkit.That(t, v.units() == unit(byFrames{}) && v.LagNs() == 0 && v.Shown() == nil,
		"a view of nothing has something")
}

// sampled appends a thread that has n calls, and a sample of each.
func sampled(s *store.Session, track model.TrackID, n, stepNs int64) {
	s.Apply(model.CollectorDef{ID: 1, Name: "run()"})
	s.Apply(model.PathDef{ID: 1, Collector: 1})
	s.Apply(model.TrackDef{ID: track, Name: "thread"})
	id := model.SeriesID(track)
	s.Apply(model.SeriesDef{ID: id, Kind: model.SeriesEvent, Role: model.RoleStack, Track: track, Object: model.NoObject, Peer: model.NoObject})
	b := &model.Batch{Track: track}
	for i := range n {
		b.Spans = append(b.Spans, model.Span{Begin: i * stepNs, End: i*stepNs + stepNs/2, Path: 1})
		b.Samples = append(b.Samples, model.Sample{Series: id, Time: i * stepNs, Value: 1})
	}
	s.Append(b)
}

// The threads of a sampled program come by what they did: whoever is sampled live appears in the
// order of its first sample, and most of them wait.
func TestSampledThreadsByWhatTheyDid(t *testing.T) {
	s := store.NewSession()
	for id, n := range []int64{1, 2, 400, 3} {
		sampled(s, model.TrackID(id), n, 10)
	}
	v := New(s)
	testkit.EqualSlices(t, v.Look().VisibleTracks(), []model.TrackID{2, 1, 3, 0}, "order")
}

// A file of samples opens on the first hundred, and figures are of all of it until one looks elsewhere.
func TestAFileOfSamplesOpensOnTheFirst(t *testing.T) {
	s := store.NewSession()
	s.Apply(model.Info{File: true})
	sampled(s, 0, 401, 10*ms)
	s.Apply(model.End{})
	v := viewOf(s)
	begin, end := v.Time().Visible()
	testkit.That(t, begin <= 0 && begin > -100*ms && end >= 990*ms && end < 1100*ms && v.AsOpened(), "%d to %d ns are seen", begin, end)
	v.Steer().ZoomBy(0, 0.5, false, 1)
	testkit.That(t, !v.AsOpened(), "zoomed, the window is as opened")
}

// A thread that goes on after the last frame does not move it out of sight when the program ends.
func TestTheEndShowsTheLastFrame(t *testing.T) {
	s, v := liveGame()
	width := v.Time().Width()
	s.Append(&model.Batch{Track: tIdle, Spans: []model.Span{span(4000*ms, 4001*ms, cDraw, 0)}})
	v.Tick(3, false)
	end := v.Time().EndNs
	testkit.MustThat(t, end == float64(4001*ms), "while it runs the view ends at %g", end)
	s.Apply(model.End{Reason: "hung up"})
	v.Tick(4, false)
	last := s.Track(tMain).Frame(s.Track(tMain).NumFrames() - 1)
	w := v.Time()
	testkit.That(t, w.EndNs == float64(last.End) && w.Width() == width,
		"the view shows %g to %g, the last frame ended at %d", w.BeginNs, w.EndNs, last.End)
}

// Another thread's frame of the same time may begin later: the playhead goes there, what was asked
// for stays, until something else is.
func TestAnotherThreadAsksForNoOtherTime(t *testing.T) {
	s := game()
	v := viewOf(s)
	v.SelectFrames(7, 7)
	asked := v.Playhead()
	v.SetTrack(tDraw)
	testkit.That(t, v.Playhead() != asked && v.Asked() == asked,
		"asked for %d, now %d and %d", asked, v.Playhead(), v.Asked())
	v.SetTrack(tMain)
	testkit.That(t, v.Asked() == asked, "back on the main thread %d is asked for, not %d", v.Asked(), asked)
	v.SetTrack(tDraw)
	v.SelectSpan(spanOf(t, s, tMain, cApp, 9))
	testkit.That(t, v.Asked() == v.Playhead(),
		"a span of another thread asks for %d, not for %d", v.Asked(), v.Playhead())
	v.SetTrack(tDraw)
	v.SetPlayhead(v.Playhead())
	testkit.That(t, v.Asked() == v.Playhead(), "a time that was chosen is %d, not %d", v.Asked(), v.Playhead())
}

// A range that is drawn beyond the session ends with it; one wholly beyond it selects nothing.
func TestARangeIsOfWhatIsRecorded(t *testing.T) {
	s := game()
	v := viewOf(s)
	begin, end, _ := s.Bounds()
	v.SelectRange(begin-5000*ms, end+5000*ms)
	testkit.That(t, v.RangeA() == begin && v.RangeB() == end+1,
		"[%d, %d) is selected of [%d, %d]", v.RangeA(), v.RangeB(), begin, end)
	v.SelectRange(end+10*ms, end+20*ms)
	testkit.That(t, v.RangeA() == begin && v.RangeB() == end+1,
		"[%d, %d) is selected, where nothing is", v.RangeA(), v.RangeB())
}

// A place is gone to where it lies, also one that came since the last tick, far behind all that was there.
func TestPlaceThatHasJustCome(t *testing.T) {
	s := define("pstats")
	appendFrames(s, 1, 1000*ms, 20)
	v := New(s)
	v.Follow(false)
	v.Tick(1, true)
	appendFrames(s, 21, 60_000*ms, 200)
	i := s.Track(tMain).NumFrames() - 1
	f := s.Track(tMain).Frame(i)
	v.GoTo(place.Frames, place.Found{Track: tMain, First: i, Last: i, BeginNs: f.Begin, EndNs: f.End})
	for now := int64(2); now < 2e9; now += 16e6 {
		v.Tick(now, true)
	}
	b, e := v.Time().Visible()
	testkit.That(t, b <= f.Begin && e >= f.End, "[%d, %d] is shown, the frame is [%d, %d]", b, e, f.Begin, f.End)
}

// opened returns what is seen of a session whose frames came in pieces of so many, in a panel of
// 725 pixels.
func opened(file bool, frames int, pieces ...int) *View {
	s := define("pstats")
	s.Apply(model.Info{Source: "pstats", File: file})
	v := New(s)
	v.Tick(1, false)
	n := 0
	for i := 0; n < frames; i++ {
		k := min(pieces[i%len(pieces)], frames-n)
		appendFrames(s, int64(n+1), 1000*ms+10*ms*int64(n), k)
		n += k
		v.Tick(int64(i+2), false)
		v.Steer().SetWidthPx(725)
	}
	for i := range int64(3) {
		v.Tick(1000+i, false)
	}
	return v
}

// How many frames a poll happens to bring makes no difference to what is seen, nor to where in a
// pixel it lies.
func TestOpeningDoesNotDependOnPolls(t *testing.T) {
	for _, file := range []bool{false, true} {
		for _, frames := range []int{1, 2, 5, 40} {
			want := opened(file, frames, frames)
			for _, pieces := range [][]int{{1}, {2, 1}, {1, 7}, {4}} {
				got := opened(file, frames, pieces...)
				w, g := want.Time(), got.Time()
				if math.Abs(w.BeginNs-g.BeginNs) > 1 || math.Abs(w.EndNs-g.EndNs) > 1 {
					t.Errorf("file %v, %d frames in pieces of %v: [%.0f, %.0f], at once [%.0f, %.0f]", file, frames, pieces,
						g.BeginNs, g.EndNs, w.BeginNs, w.EndNs)
				}
				if got.FrameA() != want.FrameA() || got.Playhead() != want.Playhead() {
					t.Errorf("file %v, %d frames in pieces of %v: frame %d, at once %d", file, frames, pieces, got.FrameA(), want.FrameA())
				}
			}
		}
	}
}

// The width follows what is typical until the user zooms, pauses or selects.
func TestLiveWidthFollowsWhatIsTypical(t *testing.T) {
	for what, leave := range map[string]func(v *View){
		"nothing": nil,
		"zoom":    func(v *View) { v.Steer().ZoomBy(v.Time().EndNs, 1.2, false, 3) },
		"pause":   func(v *View) { v.Follow(false) },
		"select":  func(v *View) { v.StepFrame(-1) },
	} {
		v := opened(false, 50, 50)
		w := v.Time().Width()
		testkit.MustThat(t, math.Abs(w-6*DefaultBudgetNs) <= 1, "%.0f ns are seen of frames within the budget", w)
		if leave != nil {
			leave(v)
		}
		width := v.Time().Width()
		for i := range int64(100) {
			b := model.Batch{Track: tMain, HasFrame: true, Number: 51 + i, Begin: 1500*ms + i*50*ms, End: 1550*ms + i*50*ms}
			v.Session().Append(&b)
		}
		v.Tick(2000, false)
		v.Tick(2001, false)
		if leave == nil {
			width = 6 * 4 * DefaultBudgetNs
		}
		if w := v.Time().Width(); math.Abs(w-width) > 1 {
			t.Errorf("after %s: %.0f ns are seen of frames of 50 ms, want %.0f", what, w, width)
		}
	}
}

// A recording whose main thread is known only later opens on a frame of that one all the same.
func TestAFileOpensOnItsMainThread(t *testing.T) {
	s := define("pstats")
	s.Apply(model.Info{Source: "pstats", File: true})
	v := New(s)
	appendFrames(s, 1, 1000*ms, 20)
	v.Tick(1, false)
	testkit.MustThat(t, v.Track() == tMain && v.FrameA() == 0, "frame %d of track %d", v.FrameA(), v.Track())
	s.Apply(model.TrackDef{ID: tDraw, Name: "Draw", Main: true, Object: model.NoObject, Peer: model.NoObject})
	s.Append(&model.Batch{Track: tDraw, HasFrame: true, Number: 21, Begin: 1210 * ms, End: 1300 * ms})
	s.Apply(model.End{Reason: "end of file"})
	v.Tick(2, false)
	v.Tick(3, false)
	testkit.That(t, v.Track() == tDraw && v.FrameA() == 20 && !v.ChoseRange(),
		"frame %d of track %d, chosen: %v", v.FrameA(), v.Track(), v.ChoseRange())
}

// TestEndedSessionsZoomOutToAll zooms out near the left end: a session that has ended comes to stand in
// the middle with its margin; one that goes on, or is beside another, leaves room.
func TestEndedSessionsZoomOutToAll(t *testing.T) {
	for _, c := range []struct {
		name          string
		ended, beside bool
	}{{"ended", true, false}, {"beside another", true, true}, {"running", false, false}} {
		s, v := liveGame()
		v.Follow(false)
		if c.ended {
			s.Apply(model.End{Reason: "the game quit"})
		}
		begin, end, _ := s.Bounds()
		v.Steer().PlaceTime(begin, begin+(end-begin)/20)
		for now := int64(1); now < 60; now++ {
			v.Tick(now*16_000_000, false)
			if c.beside {
				v.Steer().Beside()
			}
			v.Steer().ZoomBy(float64(begin), 0.8, false, v.window.nowNs)
		}
		margin := float64(end-begin) * format.Margin
		left, right := float64(begin)-v.Time().BeginNs, v.Time().EndNs-float64(end)
		all := left > margin-2 && left < margin+2 && right > margin-2 && right < margin+2
		testkit.That(t, all == (c.name == "ended"),
			"%s: %g and %g ns are empty, the margin is %g", c.name, left, right, margin)
	}
}

// F centres the selection, then fits it, then what it is part of, with frames and without.
func TestCenterSelection(t *testing.T) {
	for name, s := range map[string]*View{"frames": viewOf(game()), "spans": viewOf(trace())} {
		t.Run(name, func(t *testing.T) {
			v := s
			b := spanOf(t, v.Session(), tMain, cApp, 3)
			v.Steer().ZoomTo(b.Begin-3*ms, b.End+30*ms)
			v.SelectSpanAt(b, b.Begin)
			width := v.Time().Width()
			v.Steer().CenterSelection()
			w := v.Time()
			testkit.That(t, w.Width() == width, "centred, %v is %v wide, was %v", w, w.Width(), width)
			v.Steer().CenterSelection()
			if w, want := v.Time(), v.Steer().padded(b.Begin, b.End); w != want {
				t.Errorf("fitted, %v is in view, want the span in %v", w, want)
			}
			v.Steer().CenterSelection()
			want := v.Steer().padded(b.Begin, b.End)
			if v.HasRange() {
				want = v.Steer().padded(v.RangeA(), v.RangeB())
			}
			w = v.Time()
			testkit.That(t, w == want, "then %v is in view, want %v", w, want)
		})
	}
}

// A time that is in view stays where it is, and none is centred beyond the data.
func TestRevealStaysWithinTheData(t *testing.T) {
	v := viewOf(game())
	begin, end, _ := v.Session().Bounds()
	v.Steer().PlaceTime(begin, begin+40*ms)
	was := v.Time()
	v.Steer().Reveal(begin + 1*ms)
	testkit.That(t, v.Time() == was, "%v moved to %v", was, v.Time())
	for _, at := range []int64{end, begin, end - 3*ms} {
		v.Steer().Reveal(at)
		w := v.Time()
		testkit.That(t, w.BeginNs >= float64(begin) && w.EndNs <= float64(end) && float64(at) >= w.BeginNs &&
			float64(at) <= w.EndNs, "%d: %v is in view of %d to %d", at, w, begin, end)
	}
}

// What is gone to by its name or figures is wholly in view, with room at its sides, and wide enough to
// be looked at; where it is that already the scale stays.
func TestGoToFitsWhatIsTooWideOrTooNarrow(t *testing.T) {
	for name, s := range map[string]*View{"frames": viewOf(game()), "spans": viewOf(trace())} {
		b := spanOf(t, s.Session(), tMain, cApp, 3)
		begin, end := b.Begin, b.End
		goTo := func() { s.GoToSpan(b) }
		if name == "frames" {
			f := s.Session().Track(tMain).Frame(3)
			begin, end = f.Begin, f.End
			goTo = func() { s.GoToFrame(3) }
		}
		long := float64(end - begin)
		for width, keeps := range map[float64]bool{long / 4: false, long * 2: true, long * 20: true, long * 100: false} {
			s.Steer().PlaceTime(begin-int64(width), begin)
			if width < long {
				s.Steer().PlaceTime(begin+1, begin+int64(width)) // a part of it is in view
			}
			was := s.Time().Width()
			goTo()
			w := s.Time()
			testkit.That(t, w.BeginNs <= float64(begin) && w.EndNs >= float64(end),
				"%s, %v wide: %v is in view of %d to %d", name, width, w, begin, end)
			kept := math.Abs(w.Width()/was-1) < 1e-6
			if share := long / w.Width(); kept != keeps || !keeps && (share < 0.5 || share > 0.9) {
				t.Errorf("%s, %v wide: %v wide now, it takes %v of that", name, was, w.Width(), share)
			}
		}
	}
}
