package tables

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"framescope/charts/chartstest"
	"framescope/charts/draw"
	"framescope/charts/draw/golden"
	"framescope/charts/panel"
	"framescope/charts/table"
	"framescope/charts/view"
	"framescope/model"
	"framescope/model/spans"
)

// What methods burn adds up to all, below their packages, the greatest first.
func TestPackages(t *testing.T) {
	s := chartstest.LoadFlare(t, "recorded-60s")
	rig := chartstest.NewRig(s, 1, 300, 600)
	p := NewPackages()
	tb := table.New("Packages", p)
	rig.Tick(tb)
	n, _ := p.Rows(rig.Env)
	all, below, head := 0.0, 0.0, 0.0
	last, lastHead := 2.0, 2.0
	for i := range n {
		r := p.At(i)
		if r.head {
			if all > 0 && math.Abs(below-head) > 1e-9 && below > 0 {
				t.Errorf("a package has %v, its methods %v", head, below)
			}
			if r.share > lastHead {
				t.Error("packages are not in order")
			}
			all, below, head, last, lastHead = all+r.share, 0, r.share, 2, r.share
			continue
		}
		if below += r.share; r.share > last {
			t.Error("methods are not in order")
		}
		last = r.share
	}
	if n < 4 || math.Abs(all-1) > 1e-9 {
		t.Fatalf("%d rows, %v of all", n, all)
	}
	first, rows := p.At(0).collector, n
	p.fold(first)
	if n, _ = p.Rows(rig.Env); n >= rows || p.At(0).collector != first {
		t.Errorf("%d rows after folding, %d before", n, rows)
	}
	tb.SetFilter("burn")
	rig.Tick(tb)
	if n, _ = p.Rows(rig.Env); n != 2 || !p.At(0).head {
		t.Errorf("%d rows are called burn", n)
	}
	p.Click(rig.Env, p.At(1), &panel.Input{})
	if rig.Env.View.Collector() != p.At(1).collector {
		t.Error("the method is not selected")
	}
}

// Elements stand below their bins, with what their latencies say; a click selects one in all
// panels.
func TestElements(t *testing.T) {
	s := chartstest.LoadTrace(t, "latency-tee-queues.log.gz")
	rig := chartstest.NewRig(s, 1, 300, 600)
	e := NewElements()
	n, _ := e.Rows(rig.Env)
	var queue *elementRow
	seen := map[model.ObjectID]bool{}
	for i := range n {
		r := e.At(i)
		if r.head || seen[r.object] {
			continue
		}
		seen[r.object] = true
		if e.name(rig.Env, r) == "q2" {
			queue = r
		}
	}
	if queue == nil {
		t.Fatalf("%d elements, no q2", len(seen))
	}
	sum, count := 0.0, int64(0)
	for id := range model.SeriesID(s.Series().Len()) {
		if x := s.Series().ByID(id); x.Def.Name == "q2.src" && x.Def.Role == model.RoleLatency {
			begin, end, _ := x.Bounds()
			b := x.Bins(begin, end+1, 1, nil)
			sum, count = sum+b[0].Sum, count+b[0].N
		}
	}
	if count == 0 || queue.took.N != count || math.Abs(queue.took.MeanNs-sum/float64(count)) > 1 {
		t.Errorf("%d buffers of %v ns in q2, want %d of %v", queue.took.N, queue.took.MeanNs, count, sum/float64(count))
	}
	e.Click(rig.Env, queue, &panel.Input{})
	if v := rig.Env.View; v.Thing() != view.Element(queue.object) || v.Track() != queue.track || !e.Row(rig.Env, queue).Selected {
		t.Error("the element is not selected")
	}
	p := NewElementPanel()
	rig.Tick(p)
	p.SetFilter("Q2")
	rig.Tick(p)
	if p.NumRows() < 1 || p.NumRows() > 2 { // and its bin
		t.Errorf("%d rows are called q2", p.NumRows())
	}
}

// Where no element has a mean the list says why, and with what it would have.
func TestElementsSayWhatIsNotTraced(t *testing.T) {
	for log, want := range map[string]bool{"stats-mux.log.gz": true, "latency-tee-queues.log.gz": false} {
		rig, p := chartstest.NewRig(chartstest.LoadTrace(t, log), 1, 300, 600), NewElementPanel()
		rig.Tick(p)
		r := p.FootRect()
		said := strings.Join(p.HitTest(rig.Env, r.X0+20, (r.Y0+r.Y1)/2).Lines, "\n")
		if p.NumRows() == 0 || !r.Empty() != want || strings.Contains(said, "GST_TRACERS=") != want {
			t.Errorf("%s: %d rows, and below them %v: %q", log, p.NumRows(), r, said)
		}
	}
}

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
