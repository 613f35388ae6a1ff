package charts

import (
	"testing"

	"framescope/assets"
	"framescope/model"
)

// feedFrames appends n empty frames of 10 ms to track 0, from a number and a time on.
func feedFrames(w *testWriter, number, at int64, n int) (nextNumber, nextAt int64) {
	for range n {
		w.begin(0, number, at, at+10_000_000)
		w.span(0, 0, 0, 0, at, at+10_000_000)
		w.end()
		number++
		at += 10_000_000
	}
	return number, at
}

func liveView() (*testWriter, *View, int64, int64) {
	w := newTestWriter(2)
	w.s.Apply(model.Info{Source: "pstats", Program: "game"})
	w.track(0, "Main", model.TrackThread)
	v := NewView(w.s)
	v.Tick(1, false)
	number, at := feedFrames(w, 1, 1_000_000_000, 50)
	v.Tick(2, false)
	return w, v, number, at
}

func TestLiveFollows(t *testing.T) {
	w, v, number, at := liveView()
	if !v.Live || !v.Time.Valid() {
		t.Fatal("a new session is live and visible at once")
	}
	width := v.Time.Width()
	v.Time.SetWidthPx(1000)
	for range 30 {
		number, at = feedFrames(w, number, at, 3)
		v.Tick(3, false)
		_, end, _ := w.s.Bounds()
		if d := float64(end) - v.Time.EndNs; d < -1e-3 || d >= width/1000+1 {
			t.Fatalf("the newest time is %g ns right of the right edge", d)
		}
		if n := w.s.Track(0).NumFrames(); v.FrameA != n-1 || v.FrameB != n-1 {
			t.Fatalf("frame %d is selected of %d", v.FrameA, n)
		}
	}
	if d := v.Time.Width() - width; d > 1e-3 || d < -1e-3 {
		t.Errorf("following changed the width from %g to %g", width, v.Time.Width())
	}
}

func TestNavigationNeverStopsTheRecording(t *testing.T) {
	w, v, number, at := liveView()
	v.StepFrame(-1)
	if v.Live || v.FrameA != 48 {
		t.Fatalf("one back: live %v, frame %d", v.Live, v.FrameA)
	}
	b, e := v.Time.BeginNs, v.Time.EndNs
	playhead := v.Playhead
	feedFrames(w, number, at, 100)
	v.Tick(3, false)
	if v.FrameA != 48 || v.Playhead != playhead || v.Time.BeginNs != b || v.Time.EndNs != e {
		t.Error("new frames moved a paused view")
	}
	if w.s.Track(0).NumFrames() != 150 {
		t.Error("the recording stopped")
	}
	if lag := v.LagNs(); lag < 1_000_000_000 {
		t.Errorf("the view is %d ns behind", lag)
	}
	v.GoLive()
	v.Tick(4, false)
	if v.FrameA != 149 || v.LagNs() > 10_000_000 {
		t.Errorf("live again: frame %d, lag %d", v.FrameA, v.LagNs())
	}
}

func TestSelectionKeepsItsFrames(t *testing.T) {
	w, v, number, at := liveView()
	_ = at
	v.SelectFrames(30, 20)
	if v.FrameA != 20 || v.FrameB != 30 {
		t.Fatalf("selected [%d, %d]", v.FrameA, v.FrameB)
	}
	tr := w.s.Track(0)
	first := tr.Frame(20).Number
	// a late frame comes in before all others: indices shift by one, the frames stay
	w.batch.Rewind = false
	b := model.Batch{Track: 0, HasFrame: true, Number: 0, Begin: 990_000_000, End: 1_000_000_000, Rewind: true}
	w.s.Append(&b)
	next, when := int64(1), int64(1_000_000_000)
	for next < number {
		next, when = feedFrames(w, next, when, 1)
	}
	v.Tick(5, false)
	if tr.Frame(v.FrameA).Number != first || v.FrameB-v.FrameA != 10 {
		t.Errorf("frames [%d, %d] are selected, number %d, want %d", v.FrameA, v.FrameB, tr.Frame(v.FrameA).Number, first)
	}
	v.SelectFrames(-5, 1000)
	if v.FrameA != 0 || v.FrameB != tr.NumFrames()-1 || v.RangeA != 990_000_000 {
		t.Errorf("clamped: [%d, %d]", v.FrameA, v.FrameB)
	}
}

func TestPlayheadInAGapSelectsNoFrame(t *testing.T) {
	s := newTestSession(t)
	v := NewView(s)
	v.Tick(1, false)
	m := s.Track(tMain)
	mid := (m.Frame(testGapAfter).End + m.Frame(testGapAfter+1).Begin) / 2
	v.SetPlayhead(mid)
	if v.FrameA != -1 || v.RangeA != v.RangeB {
		t.Errorf("frame %d is selected inside a gap", v.FrameA)
	}
	v.StepFrame(1)
	if v.FrameA != testGapAfter+1 {
		t.Errorf("one on from the gap is %d, want %d", v.FrameA, testGapAfter+1)
	}
	v.SetPlayhead(mid)
	v.StepFrame(-1)
	if v.FrameA != testGapAfter {
		t.Errorf("one back from the gap is %d, want %d", v.FrameA, testGapAfter)
	}
	v.SetRange(m.Frame(10).Begin+1, m.Frame(12).Begin+1)
	if v.FrameA != 10 || v.FrameB != 12 || v.RangeA != m.Frame(10).Begin+1 {
		t.Errorf("range over frames [%d, %d]", v.FrameA, v.FrameB)
	}
	v.SetRange(mid, mid+1000)
	if v.FrameA != -1 || v.RangeB-v.RangeA != 1000 {
		t.Errorf("a range in the gap has frames [%d, %d]", v.FrameA, v.FrameB)
	}
}

func TestRevisions(t *testing.T) {
	w, v, number, at := liveView()
	v.Live = false
	rev, cur := v.Revision(), v.CursorRevision()
	if v.Revision() != rev || v.CursorRevision() != cur {
		t.Fatal("nothing changed")
	}
	v.Playhead++
	if v.Revision() != rev || v.CursorRevision() == cur {
		t.Error("the playhead is a cursor")
	}
	owner, other := new(int), new(int)
	for name, change := range map[string]func(){
		"collector":   func() { v.Collector = 3 },
		"hover":       func() { v.SetHover(owner, 2, 5, true) },
		"hidden":      func() { v.SetHidden(3, true) },
		"colour":      func() { v.SetColor("App", assets.RGB(1, 2, 3)) },
		"frames":      func() { v.SelectFrames(2, 3) },
		"data":        func() { feedFrames(w, number, at, 1) },
		"definitions": func() { w.s.Apply(model.CollectorDef{ID: 1, Name: "Application"}) },
		"budget":      func() { v.FrameBudgetNs = 33_000_000 },
	} {
		before := v.Revision()
		change()
		if v.Revision() == before {
			t.Errorf("%s changed, the revision did not", name)
		}
	}
	v.ClearHover(other)
	if v.HoverCollector != 2 {
		t.Error("a chart without the mouse cleared another's hover")
	}
	v.ClearHover(owner)
	if v.HoverCollector != model.NoCollector || v.HasHoverTime {
		t.Error("hover is not cleared")
	}
}

func TestPalette(t *testing.T) {
	w, v, _, _ := liveView()
	w.s.Apply(model.CollectorDef{ID: 2, Name: "Cull", Color: model.RGB{R: 10, G: 20, B: 30, Set: true}})
	v.Revision()
	if c := v.Palette().Fill(2); c.R != 10 || c.G != 20 || c.B != 30 {
		t.Errorf("the sender's colour is not used: %v", c)
	}
	if c := v.Palette().Text(2); c.R != 255 {
		t.Errorf("text on a dark bar is %v", c)
	}
	v.SetColor("Cull", assets.RGB(200, 210, 220))
	if c := v.Palette().Fill(2); c.R != 200 {
		t.Errorf("the user's colour is not used: %v", c)
	}
	v.ResetColor("Cull")
	if c := v.Palette().Fill(2); c.R != 10 {
		t.Errorf("the user's colour stays: %v", c)
	}
	if c := v.Palette().Fill(99_999); c.A != 255 {
		t.Error("an unknown collector has no colour")
	}
	v.HoverCollector = 2
	if c, _ := v.BarColor(2); c == v.Palette().Fill(2) {
		t.Error("a collector under the mouse is not lit")
	}
}

func TestShowAll(t *testing.T) {
	v := NewView(newTestSession(t))
	v.ShowAll()
	all := len(v.VisibleTracks())
	v.SetTrackHidden(tCull, true)
	v.SetHidden(cApp, true)
	if n := len(v.VisibleTracks()); n != all-1 {
		t.Fatalf("%d tracks are visible of %d, one is hidden", n, all)
	}
	v.ShowAll()
	if len(v.VisibleTracks()) != all || v.Hidden[cApp] {
		t.Error("something is still hidden")
	}
}

func TestFrameColor(t *testing.T) {
	th := assets.Dark()
	for ns, want := range map[int64]assets.Color{
		16_000_000: th.FrameBar, 16_700_000: th.FrameBar, 17_000_000: th.FrameBar, 17_500_000: th.Over, 33_000_000: th.Over, 34_000_000: th.Bad,
	} {
		if got := FrameColor(&th, ns, DefaultBudgetNs); assets.Color(got) != want {
			t.Errorf("%d ns: %v, want %v", ns, got, want)
		}
	}
	if got := FrameColor(&th, 1e9, 0); assets.Color(got) != th.FrameBar {
		t.Errorf("without a budget: %v", got)
	}
}

// The playhead stays within the session, wherever beside it one presses.
func TestPlayheadStaysWithinTheSession(t *testing.T) {
	v := NewView(newTestSession(t))
	v.Tick(1, false)
	b, e, _ := v.Session.Bounds()
	for _, c := range []struct{ at, want int64 }{{b - 5e9, b}, {e + 5e9, e}, {(b + e) / 2, (b + e) / 2}} {
		v.SetPlayhead(c.at)
		if v.Playhead != c.want {
			t.Errorf("set to %d it is at %d, want %d", c.at, v.Playhead, c.want)
		}
		v.ClearSelection()
		if v.placePlayhead(c.at); v.Playhead != c.want {
			t.Errorf("placed at %d it is at %d, want %d", c.at, v.Playhead, c.want)
		}
	}
}
