package topology

import (
	"strings"
	"testing"

	"framescope/charts/chartstest"
	"framescope/charts/layered"
)

// A pipeline that has ended is shown as it was while it played: its elements are not back in the
// state in which they were before, and its links are there. Tooltips tell how full a queue is, and
// what goes over a link how regularly.
func TestTopologyOfAnEndedPipeline(t *testing.T) {
	s := chartstest.LoadTrace(t, "all-audio-chain.log.gz")
	_, end, _ := s.Bounds()
	for name, place := range map[string]func(*chartstest.Rig){
		"opened":        func(*chartstest.Rig) {},
		"live":          func(rig *chartstest.Rig) { rig.Env.View.Follow(true) },
		"at the end":    func(rig *chartstest.Rig) { rig.Env.View.SetPlayhead(end) },
		"range to end":  func(rig *chartstest.Rig) { rig.Env.View.SelectRange(end/2, end+1) },
		"whole session": func(rig *chartstest.Rig) { rig.Env.View.SelectRange(0, end+1) },
	} {
		rig, c := topoRig(s, 1, 1300, 500, false)
		place(rig)
		rig.Tick(c)
		rig.Tick(c)
		for i := range c.graph.nodes {
			if f := &c.figures.nodes[i]; f.state != "playing" && c.graph.nodes[i].state >= 0 {
				t.Errorf("%s: %s is %q", name, c.graph.nodes[i].name, f.state)
			}
		}
		for i := range c.graph.edges {
			if !c.figures.edges[i].exists {
				t.Errorf("%s: edge %d is gone", name, i)
			}
		}
		if len(c.graph.edges) != 5 {
			t.Fatalf("%s: %d edges", name, len(c.graph.edges))
		}
	}
}

func TestTopologyTellsLevelsAndCaps(t *testing.T) {
	s := chartstest.LoadTrace(t, "stats-mux.log.gz")
	rig, c := topoRig(s, 1, 1300, 500, false)
	rig.Tick(c)
	rig.Tick(c)
	words := ""
	for i := range c.graph.edges {
		pts := c.layout.Routes[i]
		p := layered.At(pts, 0, 0.4)
		words += strings.Join(c.HitTest(rig.Env, c.camera.px(p.X), c.camera.py(p.Y)).Lines, "\n") + "\n"
	}
	for i := range c.graph.nodes {
		if !c.graph.nodes[i].frame {
			b := c.layout.Boxes[i]
			words += strings.Join(c.HitTest(rig.Env, c.camera.px((b.X0+b.X1)/2), c.camera.py(b.Y0+12)).Lines, "\n") + "\n"
		}
	}
	for _, want := range []string{"interval, mean\t", "jitter (std. deviation)\t", "caps\tvideo/x-vp8", "queue level buffers\t", "queue level bytes\t", "queue level time\t"} {
		if !strings.Contains(words, want) {
			t.Errorf("no %q in\n%s", want, words)
		}
	}
}
