package topology

import (
	"slices"
	"testing"

	"framescope/charts/chartstest"
	"framescope/charts/draw/golden"
	"framescope/charts/layered"
	"framescope/model"
)

// The bins, ghost pads and flows of a real pipeline.
func TestTopologyOfARealTrace(t *testing.T) {
	s := chartstest.LoadTrace(t, "stats-bins-ghostpads.log.gz")
	rig, c := topoRig(s, 1, 1500, 480, false)
	rig.Env.View.PlacePlayhead(0)
	rig.Tick(c)
	var names []string
	for i := range c.graph.nodes {
		if c.graph.nodes[i].frame {
			names = append(names, c.graph.nodes[i].name)
		}
	}
	slices.Sort(names)
	if !slices.Equal(names, []string{"d", "decodebin0", "pipeline0"}) {
		t.Errorf("frames %q", names)
	}
	for i := range c.graph.edges {
		if f := &c.figures.edges[i]; !f.exists || f.n == 0 || len(c.layout.Routes[i]) == 0 {
			t.Errorf("edge %s: %+v", c.padName(rig.Env, c.graph.edges[i].to), f)
		}
	}
	// A ghost pad and the proxy pad behind it are one port.
	for i := range c.graph.nodes {
		if n := &c.graph.nodes[i]; n.name == "decodebin0" && (len(n.ports[layered.Left]) != 1 || len(n.ports[layered.Right]) != 2 || n.ports[layered.Left][0].inner == model.NoObject || n.ports[layered.Right][1].inner == model.NoObject) {
			t.Errorf("ports of decodebin0: %+v, %+v", n.ports[layered.Left], n.ports[layered.Right])
		}
	}
	golden.Check(t, "../testdata/golden/topology_real.png", chartstest.Picture(1500, 480, c.List()))
}
