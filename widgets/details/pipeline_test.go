package details

import (
	"testing"

	"framescope/charts/chartstest"
	"framescope/charts/draw"
	"framescope/charts/draw/golden"
	"framescope/charts/panel"
	"framescope/charts/view"
	"framescope/internal/testkit"
	"framescope/model"
)

// Of an element its details tell how long buffers took, with a histogram, which threads push them, and
// its newest messages: a click goes to the longest stop, to the next one as long as a bar says, or to a
// message.
func TestDetailsOfAnElement(t *testing.T) {
	s := chartstest.LoadTrace(t, "latency-tee-queues.log.gz")
	queue := model.NoObject
	for _, o := range s.Topology().Objects() {
		if o.Kind == model.ObjectElement && o.Name == "q1" {
			queue = o.ID
		}
	}
	rect := draw.Rect{X1: 320, Y1: 560}
	env := testEnv(s)
	v := env.View
	v.Select(view.Element(queue))
	pane := shown(env, rect)
	x := &pane.element
	testkit.MustThat(t, x.took.N != 0 && len(pane.counts) != 0 && x.worst.Count != 0 && len(x.rows) != 0,
		"%d buffers, %d bars, rows %+v", x.took.N, len(pane.counts), x.rows)
	n := int64(0)
	for _, k := range pane.counts {
		n += int64(k)
	}
	testkit.That(t, n == x.took.N && pane.all == n, "the bars have %d buffers of %d", n, x.took.N)
	golden.Check(t, "testdata/golden/details_element.png", &draw.Picture{Seen: rect, Ground: draw.Color(env.Theme.Panel), Lists: []*draw.List{pane.List()}})
	worst, bins, bin := x.rows[0], pane.bins, histogramBins-1
	h := pane.HitTest(env, 100, worst.rect.Y0+2)
	testkit.That(t, h.Bar == worst.bar && len(h.Lines) != 0, "the longest leads to %+v", h)
	low, high := pane.lo+(pane.hi-pane.lo)*float64(bin)/histogramBins, pane.stats.Max
	pane.Update(env, rect, click(bins.X0+bins.W()*(float32(bin)+0.5)/histogramBins, bins.Y1-1))
	if took := float64(v.Span().End-v.Span().Begin) / 1e9; !v.HasSpan() || took < low*0.999 || took > high*1.001 {
		t.Errorf("a bar of %v to %v s leads to a stop of %v s", low, high, took)
	}
	env = testEnv(s)
	v = env.View
	v.Select(view.Element(queue))
	pane.Update(env, rect, &panel.Input{})
	pane.Update(env, rect, click(100, worst.rect.Y0+2))
	testkit.That(t, v.HasSpan() && v.Span().Ref == worst.bar.Ref, "a click on the longest goes to %+v", v.Span())
}

// A thing on its way has details of its own: the way, who had it and how long, those beside it; a
// click goes to any of them. No figure of a call is asked for.
func TestDetailsOfAPassage(t *testing.T) {
	s := chartstest.LoadTrace(t, "latency-tee-queues.log.gz")
	way, ok := s.Spans().At(chartstest.ThreadCalled(t, s, "videotestsrc0.src → synced.sink"), 0, 1_000_000_000, 30e6)
	testkit.MustThat(t, ok, "no span")
	rect := draw.Rect{X1: 320, Y1: 500}
	env := testEnv(s)
	env.View.SelectSpan(way)
	pane := shown(env, rect)
	x := &pane.passage
	if !x.known || x.of.Way != way || !x.of.Whole || len(x.of.Stops) != 6 || x.n != 2*besideEach || x.at != besideEach {
		t.Fatalf("%+v", x)
	}
	testkit.That(t, !pane.calls.called && pane.calls.self < 0, "it has a caller, or a time of its own: %+v", pane.calls)
	testkit.MustThat(t, len(x.rows) == 6+1+2*besideEach, "%d rows", len(x.rows))
	check := func(name string) {
		t.Helper()
		golden.Check(t, "testdata/golden/"+name+".png", &draw.Picture{Seen: rect, Ground: draw.Color(env.Theme.Panel), Lists: []*draw.List{pane.List()}})
	}
	check("details_passage")
	// A click on the queue goes to the span in it, whose way is the same.
	q := x.rows[2]
	pane.Update(env, rect, click(100, (q.rect.Y0+q.rect.Y1)/2))
	v := env.View
	testkit.MustThat(t, v.Span().Ref == q.bar.Ref && s.Track(v.Span().Ref.Track).Title() == "q2",
		"the click went to %+v", v.Span())
	pane.Update(env, rect, &panel.Input{})
	testkit.That(t, x.of.Way == way, "way %+v, want %+v", x.of.Way, way)
	check("details_passage_stop")
}
