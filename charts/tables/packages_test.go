package tables

import (
	"math"
	"testing"

	"framescope/charts/chartstest"
	"framescope/charts/panel"
	"framescope/charts/table"
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
