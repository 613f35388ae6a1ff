package tables

import (
	"slices"
	"testing"

	"framescope/charts/chartstest"
	"framescope/charts/draw/golden"
	"framescope/model"
)

// What a real program leaked, with the history of one of its pads.
func TestLeaksOfARealTrace(t *testing.T) {
	s := chartstest.LoadTrace(t, "leaks-refs-traces.log.gz")
	rig, c := leakRig(s, 1, 1100, 480, true)
	if m := c.Mode(rig.Env); m != "8 leaked" {
		t.Errorf("mode %q", m)
	}
	i := slices.IndexFunc(s.Topology().Resources(), func(r model.ResourceDef) bool { return r.Description == "<passer:src>" })
	c.Select(rig.Env, model.ResourceID(i))
	for range 4 {
		rig.Tick(c)
	}
	h := c.history
	taken := 0
	for _, e := range h.events {
		if e.Ref {
			taken++
		}
	}
	if len(h.events) == 0 || h.unmatched-h.strays != taken-(len(h.events)-taken) {
		t.Errorf("%d steps, %d taken: %d never given up, %d given up without", len(h.events), taken, h.unmatched, h.strays)
	}
	golden.Check(t, "../testdata/golden/leaks_real.png", chartstest.Picture(1100, 480, c.List()))
}
