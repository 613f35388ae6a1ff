package details

import (
	"testing"

	"framescope/charts/chartstest"
	"framescope/charts/draw"
	"framescope/charts/draw/golden"
	"framescope/charts/panel"
	"framescope/charts/view"
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
	pane := &Panel{}
	pane.Update(env, rect, &panel.Input{})
	x := &pane.element
	if x.took.N == 0 || len(pane.counts) == 0 || x.worst.Count == 0 || len(x.rows) == 0 {
		t.Fatalf("%d buffers, %d bars, rows %+v", x.took.N, len(pane.counts), x.rows)
	}
	n := int64(0)
	for _, k := range pane.counts {
		n += int64(k)
	}
	if n != x.took.N || pane.all != n {
		t.Errorf("the bars have %d buffers of %d", n, x.took.N)
	}
	golden.Check(t, "testdata/golden/details_element.png", &draw.Picture{Seen: rect, Ground: draw.Color(env.Theme.Panel), Lists: []*draw.List{pane.List()}})
	worst, bins, bin := x.rows[0], pane.bins, histogramBins-1
	if h := pane.HitTest(env, 100, worst.rect.Y0+2); h.Bar != worst.bar || len(h.Lines) == 0 {
		t.Errorf("the longest leads to %+v", h)
	}
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
	if !v.HasSpan() || v.Span().Ref != worst.bar.Ref {
		t.Errorf("a click on the longest goes to %+v", v.Span())
	}
}
