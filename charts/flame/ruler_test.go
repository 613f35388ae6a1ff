package flame

import (
	"math"
	"testing"

	"framescope/charts/chartstest"
	"framescope/model"
)

// TestTheRulerMovesWithTheGraph pans a graph: the ruler counts from where the frame begins,
// wherever that is, and what fits everything or leads back to live data brings it back.
func TestTheRulerMovesWithTheGraph(t *testing.T) {
	rig := chartstest.NewRig(chartstest.NewSession(t), 1, 720, 300)
	v := rig.Env.View
	v.SelectFrames(150, 150)
	f := New(model.NoCollector)
	rig.Tick(f)
	check := func(panned bool) {
		t.Helper()
		left := f.axis.BeginNs
		if (left != 0) != panned {
			t.Fatalf("the graph begins at %v ns", left)
		}
		n := 0
		for _, m := range f.markRuler(rig.Env) {
			n++
			if at := left + float64(m.x-f.regions.ruler.X0)*f.axis.NsPerPx(f.regions.ruler); math.Abs(at-float64(m.ns)) > 1.01*f.axis.NsPerPx(f.regions.ruler) {
				t.Errorf("the mark of %d ns is where %v ns are", m.ns, at)
			}
		}
		if n < 3 {
			t.Errorf("%d marks", n)
		}
	}
	check(false)
	pan := func() {
		f.axis.Set(f.total/3, f.total, false, 0)
		f.free = true
		rig.Tick(f)
		check(true)
	}
	pan()
	v.Steer().FitAll()
	rig.Tick(f)
	check(false)
	pan()
	v.Follow(true)
	rig.Tick(f)
	if rig.Tick(f); f.axis.BeginNs != 0 || f.free {
		t.Errorf("going live left the graph at %v ns", f.axis.BeginNs)
	}
}
