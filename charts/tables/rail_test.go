package tables

import (
	"math"
	"strings"
	"testing"

	"framescope/charts/chartstest"
	"framescope/charts/panel"
	"framescope/charts/table"
	"framescope/charts/view"
	"framescope/model"
)

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
