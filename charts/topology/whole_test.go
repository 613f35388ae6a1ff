package topology

import (
	"slices"
	"strings"
	"testing"

	"framescope/charts/chartstest"
	"framescope/charts/format"
)

// A pipeline of a recording has its names whole, in two lines at most, and the latencies of its
// elements, in panels of small windows, too.
func TestNamesOfAPipelineAreWhole(t *testing.T) {
	for _, capture := range []string{"all-audio-chain.log.gz", "latency-tee-queues.log.gz", "stats-rusage-pull.log.gz"} {
		s := chartstest.LoadTrace(t, capture)
		for _, size := range [][2]float32{{521, 330}, {640, 240}, {900, 300}} {
			var g chartstest.Legibility
			rig, c := g.Rig(s, 1, size[0], size[1]), New()
			rig.In.X, rig.In.Y = -1, -1
			begin, end, _ := s.Bounds()
			rig.Env.View.SelectRange(begin, end+1)
			for range 3 {
				rig.Tick(c)
			}
			var drawn []string
			for _, x := range c.List().Texts() {
				drawn = append(drawn, x.Text)
			}
			said := func(text string) bool { return slices.Contains(drawn, text) }
			names, latencies := 0, 0
			for i := range c.graph.nodes {
				n, f := &c.graph.nodes[i], &c.figures.nodes[i]
				if n.frame {
					continue
				}
				names++
				if at := n.breakAt(); !said(n.name) && !(said(n.name[:at]) && said(n.name[at:])) {
					t.Errorf("%s, %v: %q is not whole in %q", capture, size, n.name, drawn)
				}
				if f.latencyN == 0 {
					continue
				}
				latencies++
				median := string(format.AppendDuration(nil, int64(f.median+0.5)))
				if !slices.ContainsFunc(drawn, func(x string) bool { return x == median || strings.HasPrefix(x, median+"  p99 ") }) {
					t.Errorf("%s, %v: the latency of %s, %s, is not in %q", capture, size, n.name, median, drawn)
				}
			}
			if names < 3 || latencies == 0 && capture == "latency-tee-queues.log.gz" {
				t.Errorf("%s: %d names and %d latencies", capture, names, latencies)
			}
		}
	}
}
