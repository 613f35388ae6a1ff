package topology

import (
	"strings"
	"testing"

	"framescope/charts/chartstest"
	"framescope/model"
)

// Where no link was received elements lie in the order in which data reached them: first where it
// comes from, last where it ends.
func TestWithoutLinksByFirstData(t *testing.T) {
	s := chartstest.LoadTrace(t, "latency-two-sources.log.gz")
	rig := chartstest.NewRig(s, 1, 1200, 500)
	var p Chart
	rig.Tick(&p)
	var got []string
	for i := range p.graph.nodes {
		if b := p.layout.Boxes[i]; i > 0 && b.Y0 < p.layout.Boxes[i-1].Y0 {
			t.Errorf("%s lies above %s", p.graph.nodes[i].name, p.graph.nodes[i-1].name)
		}
		got = append(got, p.graph.nodes[i].name)
	}
	names := strings.Join(got, " ")
	if len(s.Topology().Links()) > 0 || !strings.HasPrefix(names, "audiotestsrc0 videotestsrc0 audioconvert0 ") ||
		!strings.HasSuffix(names, " m fakesink0") {
		t.Errorf("%d links; %s", len(s.Topology().Links()), names)
	}
	// One link is enough to go by links.
	s.Apply(model.LinkDef{From: 0, To: 1, Since: model.TimeUnknown, Until: model.TimeUnknown, Flow: model.NoSeries})
	for i, at := range flowOrder(&p.graph, s) {
		if i != at {
			t.Fatal("with links the order of definition is another")
		}
	}
}
