package calls

import (
	"math/rand/v2"
	"slices"
	"testing"

	"framescope/charts/chartstest"
	"framescope/charts/panel"
	"framescope/charts/view"
	"framescope/model/spans"
	"framescope/model/store"
)

// The call tree and the slowest calls of every kind of source: totals agree with those of the
// store, whatever is unfolded, sorted, filtered and clicked.
func TestCallPanelsOfEverySource(t *testing.T) {
	for _, src := range []struct {
		name string
		open func(t *testing.T) *store.Session
	}{
		{"pstats", func(t *testing.T) *store.Session { return chartstest.LoadCapture(t, "threads") }},
		{"gsttrace", func(t *testing.T) *store.Session { return chartstest.LoadTrace(t, "latency-tee-queues.log.gz") }},
		{"profilelib", func(t *testing.T) *store.Session { return chartstest.LoadProfile(t, "locks-waits-logs.prof") }},
		{"flare", func(t *testing.T) *store.Session { return chartstest.LoadFlare(t, "recorded-60s") }},
		{"undefined paths", func(*testing.T) *store.Session { return chartstest.HolesSession() }},
		{"nothing", func(*testing.T) *store.Session { return store.NewSession() }},
	} {
		t.Run(src.name, func(t *testing.T) {
			s := src.open(t)
			rng := rand.New(rand.NewPCG(9, 9))
			rig := chartstest.NewRig(s, 1, 600, 300)
			tree, calls := NewTree(), NewSlow()
			if b, e, ok := s.Bounds(); ok {
				rig.Env.View.SelectRange(b, e+1)
			}
			rig.Tick(tree)
			var sum int64
			for _, r := range tree.source.roots {
				sum += tree.source.nodes[r].total
			}
			var own int64
			if shown := tree.source.tree; shown != nil {
				for i := range shown.Nodes {
					own += shown.Nodes[i].Self
				}
			}
			if sum != tree.source.total() || own > sum {
				t.Errorf("roots add up to %d of %d, methods themselves to %d", sum, tree.source.total(), own)
			}
			// Every collector with a call is found by the search, its longest call is that of the
			// statistics.
			stats := s.Spans().Stats(rig.Env.View.Look().VisibleTracks(), -1<<60, 1<<60, nil)
			for _, st := range stats {
				rig.Env.View.SelectCollector(st.Collector)
				searchAll(t, rig, calls)
				found := calls.source.run().Calls()
				if len(found) == 0 || found[0].Ns != st.MaxNs || int64(len(found)) > st.Calls {
					t.Errorf("%s: %d calls of %d, the longest should take %d", s.Collector(st.Collector).Name, len(found), st.Calls, st.MaxNs)
				}
				if !slices.IsSortedFunc(found, func(a, b spans.Call) int { return int(b.Ns - a.Ns) }) {
					t.Errorf("%s: calls are not in order", s.Collector(st.Collector).Name)
				}
			}
			for i := range 400 { // no click breaks anything
				tree.BottomUp = rng.IntN(10) == 0 != tree.BottomUp
				if i%50 == 0 {
					tree.SetFilter([]string{"", "a", "run", "zzz"}[rng.IntN(4)])
					calls.Text = []string{"", "a", "."}[rng.IntN(3)]
					calls.Regexp, calls.Flat, calls.InRange = rng.IntN(2) == 0, rng.IntN(2) == 0, rng.IntN(2) == 0
					rig.Env.View.Look().SetMeasure(spans.Measure(rng.IntN(3)))
				}
				for _, c := range []panel.Panel{tree, calls} {
					x, y := rng.Float32()*rig.R.X1, rng.Float32()*rig.R.Y1
					if rng.IntN(4) == 0 {
						rig.DoubleClick(c, x, y)
					} else {
						rig.Click(c, x, y)
					}
					rig.In.WheelY = float32(rng.IntN(7) - 3)
					rig.Tick(c)
					c.HitTest(rig.Env, x, y)
					c.Mode(rig.Env)
				}
			}
			rig.Env.View = view.New(nil)
			for _, c := range []panel.Panel{tree, calls} {
				c.HitTest(rig.Env, 100, 100)
				rig.Tick(c)
				c.HitTest(rig.Env, 100, 100)
			}
		})
	}
}
