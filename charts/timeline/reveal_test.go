package timeline

import (
	"testing"

	"framescope/charts/chartstest"
	"framescope/charts/view"
	"framescope/model"
)

// A span that is selected elsewhere is scrolled into view; one that is in view, or is selected here,
// leaves the timeline where it is.
func TestSelectedElsewhereIsScrolledTo(t *testing.T) {
	s := chartstest.NewSession(t)
	rig := chartstest.NewRig(s, 1, 700, 130)
	var tl Timeline
	rig.Tick(&tl)
	last := model.NoTrack
	groups := tl.stack.Groups()
	last = groups[len(groups)-1].track
	b, ok := s.Spans().At(last, 0, 0, 1<<62)
	if !ok {
		t.Fatal("the last thread has no spans")
	}
	rig.Env.View.SelectSpan(b)
	rig.Tick(&tl)
	rig.Tick(&tl)
	if row, _ := tl.spans.drawn(b.Ref); row == nil || row.y0 < tl.pane.Plot().Y0 || row.y1 > tl.pane.Plot().Y1 {
		t.Fatalf("the span is not in view: %+v, scrolled to %v", row, tl.pane.Scroll())
	}
	at := tl.pane.Scroll()
	if at == 0 {
		t.Fatal("the session is too low for the test")
	}
	rig.Tick(&tl)
	tl.pane.ScrollTo(0)
	rig.Tick(&tl)
	if tl.pane.Scroll() != 0 {
		t.Error("it scrolls again though nothing else was selected")
	}
	rig.Env.View.Back()
	rig.Tick(&tl)
	rig.Env.View.Forward()
	rig.Tick(&tl)
	if tl.pane.Scroll() != at {
		t.Errorf("brought back, scrolled to %v, want %v", tl.pane.Scroll(), at)
	}
}

// Another session begins at its top, however far one had scrolled down in the one before.
func TestAnotherSessionBeginsAtItsTop(t *testing.T) {
	rig := chartstest.NewRig(chartstest.NewSession(t), 1, 700, 130)
	var tl Timeline
	rig.Tick(&tl)
	tl.pane.ScrollTo(60)
	rig.Tick(&tl)
	if tl.pane.Scroll() == 0 {
		t.Fatal("the session is too low for the test")
	}
	rig.Env.View = view.New(chartstest.NewSession(t))
	rig.Tick(&tl)
	rig.Tick(&tl)
	if at := tl.pane.Scroll(); at != 0 {
		t.Errorf("it is scrolled to %v", at)
	}
}
