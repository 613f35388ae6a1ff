package timeline

import (
	"testing"

	"framescope/charts/chartstest"
	"framescope/charts/panel"
	"framescope/model"
	"framescope/model/store"
)

// deepLater is a session of two threads: the first has one lane at first and twelve later.
func deepLater() *store.Session {
	s := store.NewSession()
	for id := range model.TrackID(2) {
		s.Apply(model.TrackDef{ID: id, Name: "Thread"})
	}
	for i := range int64(200) {
		at := i * 10_000_000
		depth := 1
		if i >= 100 {
			depth = 12
		}
		for id := range model.TrackID(2) {
			b := model.Batch{Track: id}
			for lane := range depth {
				b.Spans = append(b.Spans, model.Span{Begin: at, End: at + 9_000_000 - int64(lane)*1000, Lane: uint16(lane)})
				if id == 1 {
					break
				}
			}
			s.Append(&b)
		}
	}
	return s
}

// Blocks are as high as what is in view, and where one scrolled down the row under the mouse stays
// where it is.
func TestRowUnderTheMouseStays(t *testing.T) {
	rig := chartstest.NewRig(deepLater(), 1, 900, 700)
	var tl Timeline
	rig.Env.View.Steer().PlaceTime(1_500_000_000, 1_600_000_000)
	rig.Tick(&tl)
	deep := tl.stack.Groups()[0].lanes
	tl.pane.ScrollTo(0)
	place := func() float32 {
		y, _ := tl.stack.Band(1)
		return tl.pane.ScreenY(y)
	}
	if deep != 12 {
		t.Fatalf("%d lanes in view, want 12", deep)
	}
	rig.Env.View.Steer().PlaceTime(100_000_000, 200_000_000)
	rig.Tick(&tl)
	if n := tl.stack.Groups()[0].lanes; n != 1 {
		t.Fatalf("%d lanes in view, want 1", n)
	}
	rig.R.Y1 = rig.R.Y0 + 76 // so that there is something to scroll
	rig.Tick(&tl)
	if tl.pane.ScrollTo(3); tl.pane.Scroll() != 3 {
		t.Fatalf("scrolled by %v, want 3", tl.pane.Scroll())
	}
	rig.Move(&tl, 500, place()+8)
	before := place()
	rig.Env.View.Steer().PlaceTime(1_500_000_000, 1_600_000_000)
	rig.Tick(&tl)
	if after := place(); after != before {
		t.Errorf("the row under the mouse moved from %v to %v", before, after)
	}
	rig.Env.View.Steer().PlaceTime(100_000_000, 200_000_000)
	rig.Tick(&tl)
	if tl.pane.Scroll() != 3 {
		t.Errorf("and back, it is scrolled by %v, want 3", tl.pane.Scroll())
	}
}

// A timeline that was out of sight comes back as it was scrolled, however high its rows are by then.
func TestTimelineComesBackAsItWasScrolled(t *testing.T) {
	for _, away := range []int64{0, awayNs} {
		rig := chartstest.NewRig(deepLater(), 1, 900, 76)
		var tl Timeline
		rig.Env.View.Steer().PlaceTime(100_000_000, 200_000_000)
		rig.Tick(&tl)
		tl.pane.ScrollTo(3)
		second, _ := tl.stack.Band(1)
		rig.Move(&tl, 500, tl.pane.ScreenY(second)+8)
		rig.Move(&tl, 501, tl.pane.ScreenY(second)+8)
		rig.Env.View.Steer().PlaceTime(1_500_000_000, 1_600_000_000)
		rig.Env.NowNs += away
		rig.Tick(&tl)
		if held := tl.pane.Scroll() != 3; held != (away == 0) {
			t.Errorf("after %d ns it is scrolled by %v", away, tl.pane.Scroll())
		}
	}
}

// A timeline at its top stays there, wherever the mouse is: however its rows grow as one goes
// elsewhere in time, and however high its window is.
func TestTopStaysAtTheTop(t *testing.T) {
	rig := chartstest.NewRig(deepLater(), 1, 900, 200)
	var tl Timeline
	see := func(timeNs int64, h float32, compact bool) {
		t.Helper()
		rig.Env.View.Steer().PlaceTime(timeNs, timeNs+100_000_000)
		rig.R.Y1, rig.Env.Compact = rig.R.Y0+h, compact
		rig.Tick(&tl)
		rig.Tick(&tl)
		if tl.pane.Scroll() != 0 {
			t.Fatalf("at %d ns in %v px, compact %v: the top is %v px above", timeNs, h, compact, tl.pane.Scroll())
		}
	}
	see(100_000_000, 200, false)
	second, _ := tl.stack.Band(1)
	rig.Move(&tl, 500, tl.pane.ScreenY(second)+8)
	rig.Move(&tl, 501, tl.pane.ScreenY(second)+8)
	see(1_500_000_000, 200, false)
	see(1_500_000_000, 120, true)
	see(1_500_000_000, 200, false)
	see(100_000_000, 90, true)
	see(1_500_000_000, 90, false)
	if h := tl.stack.Height(); h <= tl.pane.Plot().H() {
		t.Fatalf("%v px of rows in %v px: nothing could have scrolled", h, tl.pane.Plot().H())
	}
}

// Of lanes that are cut by an edge nothing is drawn.
func TestHalfLanesAreNotDrawn(t *testing.T) {
	for h := float32(80); h < 220; h += 7 {
		rig := chartstest.NewRig(deepLater(), 1, 900, h)
		var tl Timeline
		rig.Env.View.Steer().PlaceTime(1_500_000_000, 1_600_000_000)
		rig.Tick(&tl)
		for _, scroll := range []float32{0, 7, 33} {
			tl.pane.ScrollTo(scroll)
			tl.Update(rig.Env, rig.R, &panel.Input{X: -1})
			plot := tl.pane.Plot()
			for _, row := range tl.spans.rows {
				if row.y0 < plot.Y0 || row.y1 > plot.Y1 {
					t.Fatalf("height %v, scrolled %v: lane from %v to %v in %v", h, scroll, row.y0, row.y1, plot)
				}
			}
			if len(tl.spans.rows) == 0 {
				t.Errorf("height %v, scrolled %v: no lanes", h, scroll)
			}
		}
	}
}

// The depth of a part of time is how many lanes have a span in it.
func TestDepthInView(t *testing.T) {
	s := chartstest.NewSession(t)
	begin, end, _ := s.Bounds()
	for _, id := range []model.TrackID{chartstest.TMain, chartstest.TCull, chartstest.TGPU} {
		tr := s.Track(id)
		for i := range int64(60) {
			t0 := begin + (end-begin)*i/60
			t1 := t0 + (i+1)*300_000
			want := 0
			for want < tr.Lanes() {
				b, ok := s.Spans().At(id, want, (t0+t1)/2, (t1-t0+1)/2)
				if !ok || b.Begin > t1 || b.End < t0 {
					break
				}
				want++
			}
			if got := s.Spans().Depth(id, tr.Lanes(), t0, t1); got != want {
				t.Fatalf("track %d from %d to %d: %d lanes, want %d", id, t0, t1, got, want)
			}
		}
	}
}

// A thread of a live view that is silent for a moment keeps its height, and has another one when it is
// heard of again.
func TestSilentThreadKeepsItsHeight(t *testing.T) {
	s := deepLater()
	rig := chartstest.NewRig(s, 1, 900, 700)
	var tl Timeline
	v := rig.Env.View
	v.Steer().PlaceTime(1_800_000_000, 2_000_000_000)
	v.Follow(true)
	rig.Tick(&tl)
	at := int64(2_000_000_000)
	send := func(id model.TrackID, n int) {
		for range n {
			s.Append(&model.Batch{Track: id, Spans: []model.Span{{Begin: at, End: at + 9_000_000}}})
			at += 10_000_000
			rig.Tick(&tl)
		}
	}
	lanes := func(when string, want int) {
		t.Helper()
		if n := tl.stack.Groups()[0].lanes; n != want || !v.Live() {
			t.Errorf("%s: %d lanes, want %d; live %v", when, n, want, v.Live())
		}
	}
	lanes("at first", 12)
	send(1, 200)
	if b, _ := v.Time().Visible(); b < 2_100_000_000 {
		t.Fatalf("the window begins at %d: the thread is still in it", b)
	}
	lanes("while it is silent", 12)
	send(0, 30)
	lanes("when it does less", 1)
}
