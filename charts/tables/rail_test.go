package tables

import (
	"math"
	"strings"
	"testing"

	"framescope/charts/chartstest"
	"framescope/charts/panel"
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
