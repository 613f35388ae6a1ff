package tables

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"framescope/charts/chartstest"
	"framescope/charts/draw"
	"framescope/charts/draw/golden"
	"framescope/model"
	"framescope/model/spans"
)

// A buffer's way is shown stop by stop: each begins where the one before ends, and all together take
// what the way takes. It is the median one, until another is selected.
func TestWayOfTheMedianBuffer(t *testing.T) {
	s := chartstest.LoadTrace(t, "latency-tee-queues.log.gz")
	rig := chartstest.NewRig(s, 1, 700, 360)
	w := NewWaterfall()
	rig.Tick(w)
	if len(w.ways) != 2 || w.shown != 0 {
		t.Fatalf("%d paths, shown is %d", len(w.ways), w.shown)
	}
	x := &w.ways[0]
	var took []int64
	for lane := range s.Track(x.Track).Lanes() {
		for _, b := range s.Spans().Visible(x.Track, lane, -1<<40, 1<<40, 1, nil) {
			took = append(took, b.End-b.Begin)
		}
	}
	slices.Sort(took)
	if int64(len(took)) != x.N || x.Length() != took[(len(took)-1)/2] {
		t.Errorf("%d buffers, the median took %d; want %d, %d", x.N, x.Length(), len(took), took[(len(took)-1)/2])
	}
	at, sum := x.Passage.Way.Begin, int64(0)
	for _, b := range x.Passage.Stops {
		if b.Begin != at {
			t.Errorf("a stop begins at %d, the one before ended at %d", b.Begin, at)
		}
		at, sum = b.End, sum+b.End-b.Begin
	}
	if !x.Passage.Whole || sum != x.Length() || len(x.Passage.Stops) < 5 {
		t.Errorf("%d stops of %d ns, the way took %d", len(x.Passage.Stops), sum, x.Length())
	}
	if len(w.rows) != len(w.ways)+len(x.Passage.Stops)+len(w.ways[1].Passage.Stops) {
		t.Errorf("%d rows, where there is room for the stops of all paths", len(w.rows))
	}
	if mode, want := w.Mode(rig.Env), fmt.Sprintf("buffer %d, nearest to the median of %d buffers", x.Passage.Number, x.N); mode != want {
		t.Errorf("it is %q, not %q", mode, want)
	}
	for i := range w.ways { // of the other paths each says which its buffer is
		said := string(appendWhich(nil, &w.ways[i]))
		if i != w.shown && !slices.ContainsFunc(w.List().Texts(), func(x draw.WatchedText) bool { return x.Text == said }) {
			t.Errorf("nothing says %q", said)
		}
	}
	for i, f := range w.spread[0] { // what a mark tells is what is told of the element
		b := x.Passage.Stops[i]
		want := rig.Env.View.Causes().Flow().Passed(s.Track(b.Ref.Track).Def.Object, s.Collector(b.Collector).Name, -1<<40, 1<<40)
		if hit := w.HitTest(rig.Env, w.rows[1+i].r.X0+20, w.rows[1+i].r.Y0+4); f.N > 1 && (f.MedianNs != want.MedianNs ||
			!slices.ContainsFunc(hit.Lines, func(l string) bool { return strings.HasPrefix(l, "median in it\t") })) {
			t.Errorf("stop %d: median %v, want %v; %q", i, f.MedianNs, want.MedianNs, hit.Lines)
		}
	}
	golden.Check(t, "../testdata/golden/waterfall_all.png", chartstest.Picture(700, 360, w.List()))
	rig = chartstest.NewRig(s, 1, 700, 220)
	rig.Tick(w)
	if len(w.rows) != len(w.ways)+len(x.Passage.Stops) {
		t.Errorf("%d rows, where there is room for those of one", len(w.rows))
	}
	golden.Check(t, "../testdata/golden/waterfall_median.png", chartstest.Picture(700, 220, w.List()))

	// A click on a stop selects it, and the buffer stays.
	r := w.rows[len(w.ways)+2]
	stop := x.Passage.Stops[2].Ref
	rig.Click(w, r.r.X0+200, r.r.Y0+8)
	rig.Tick(w)
	if v := rig.Env.View; !v.HasSpan() || v.Span().Ref != stop || w.ways[w.shown].N != 0 {
		t.Fatal("the stop is not selected")
	}
	if mode := w.Mode(rig.Env); !strings.Contains(mode, "selected") {
		t.Errorf("it is %q", mode)
	}
	golden.Check(t, "../testdata/golden/waterfall_selected.png", chartstest.Picture(700, 220, w.List()))

	// A buffer on the other path, selected anywhere, is shown on its path.
	other := w.ways[1]
	var way []spans.Bar
	for lane := range s.Track(other.Track).Lanes() {
		way = s.Spans().Visible(other.Track, lane, -1<<40, 1<<40, 1, way)
	}
	rig.Env.View.SelectSpan(way[3])
	if rig.Tick(w); w.ways[w.shown].Track != other.Track || w.ways[w.shown].Passage.Way.Ref != way[3].Ref {
		t.Error("the selected buffer is not shown")
	}
	rig.Env.View.ClearSelection()
	rig.Tick(w)
	for i := range w.rows {
		if r := &w.rows[i]; r.stop < 0 && r.way != w.shown {
			want := w.ways[r.way].Track
			if rig.Click(w, r.r.X0+20, r.r.Y0+8); rig.Env.View.Track() != want {
				t.Errorf("a click on a path shows track %d, want %d", rig.Env.View.Track(), want)
			}
			if rig.Tick(w); w.ways[w.shown].Track != want {
				t.Error("the path that was clicked is not shown")
			}
			break
		}
	}
	if hit := w.HitTest(rig.Env, w.rows[0].r.X0+20, w.rows[0].r.Y0+8); hit.Track == model.NoTrack || len(hit.Lines) < 3 {
		t.Errorf("%+v", hit)
	}
}

func TestWithoutWays(t *testing.T) {
	rig := chartstest.NewRig(chartstest.LoadTrace(t, "factories.log"), 1, 700, 200)
	w := NewWaterfall()
	rig.Tick(w)
	if len(w.rows) != 0 || len(w.List().Vertices) == 0 {
		t.Error("an empty panel says nothing")
	}
}
