package details

import (
	"testing"

	"framescope/charts/chartstest"
	"framescope/charts/draw"
	"framescope/charts/draw/golden"
	"framescope/charts/panel"
)

// A thing on its way has details of its own: the way, who had it and how long, those beside it; a
// click goes to any of them. No figure of a call is asked for.
func TestDetailsOfAPassage(t *testing.T) {
	s := chartstest.LoadTrace(t, "latency-tee-queues.log.gz")
	way, ok := s.Spans().At(chartstest.ThreadCalled(t, s, "videotestsrc0.src → synced.sink"), 0, 1_000_000_000, 30e6)
	if !ok {
		t.Fatal("no span")
	}
	rect := draw.Rect{X1: 320, Y1: 500}
	env := testEnv(s)
	env.View.SelectSpan(way)
	pane := &Panel{}
	pane.Update(env, rect, &panel.Input{})
	x := &pane.passage
	if !x.known || x.of.Way != way || !x.of.Whole || len(x.of.Stops) != 6 || x.n != 2*besideEach || x.at != besideEach {
		t.Fatalf("%+v", x)
	}
	if pane.calls.called || pane.calls.self >= 0 {
		t.Errorf("it has a caller, or a time of its own: %+v", pane.calls)
	}
	if len(x.rows) != 6+1+2*besideEach {
		t.Fatalf("%d rows", len(x.rows))
	}
	check := func(name string) {
		t.Helper()
		golden.Check(t, "testdata/golden/"+name+".png", &draw.Picture{Seen: rect, Ground: draw.Color(env.Theme.Panel), Lists: []*draw.List{pane.List()}})
	}
	check("details_passage")
	// A click on the queue goes to the span in it, whose way is the same.
	q := x.rows[2]
	pane.Update(env, rect, click(100, (q.rect.Y0+q.rect.Y1)/2))
	if v := env.View; v.Span().Ref != q.bar.Ref || s.Track(v.Span().Ref.Track).Title() != "q2" {
		t.Fatalf("the click went to %+v", v.Span())
	}
	pane.Update(env, rect, &panel.Input{})
	if x.of.Way != way {
		t.Errorf("way %+v, want %+v", x.of.Way, way)
	}
	check("details_passage_stop")
	rev := pane.List().Revision()
	if n := testing.AllocsPerRun(50, func() { pane.Update(env, rect, &panel.Input{}) }); n != 0 || pane.List().Revision() != rev {
		t.Errorf("a tick in which nothing changes allocates %v times", n)
	}
}
