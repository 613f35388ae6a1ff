package topology

import (
	"strings"
	"testing"

	"framescope/charts/chartstest"
	"framescope/model"
	"framescope/model/spans"
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
		p := At(pts, 0, 0.4)
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

// What a click on a slow buffer shows of the elements is of the time in which it was on its way, not
// of the buffers before it.
func TestTopologyOfABuffer(t *testing.T) {
	s := chartstest.LoadTrace(t, "latency-tee-queues.log.gz")
	rig, c := topoRig(s, 1, 1300, 500, false)
	first, last, _ := s.Bounds()
	var slowest spans.Bar
	for i := range s.NumTracks() {
		if tr := s.Track(model.TrackID(i)); tr.Def.Kind == model.TrackStream {
			for _, b := range s.Spans().Longest(model.TrackID(i), model.NoCollector, -1, first, last+1, 1, nil) {
				if b.End-b.Begin > slowest.End-slowest.Begin {
					slowest = b
				}
			}
		}
	}
	rig.Env.View.SelectSpan(slowest)
	rig.Tick(c)
	rig.Tick(c)
	if got := string(c.figures.appendRange(nil, s)); got != "buffer of 23.0 ms" {
		t.Errorf("the figures are of the %s", got)
	}
	for i := range c.graph.nodes {
		if n, f := &c.graph.nodes[i], &c.figures.nodes[i]; n.name == "q2" && (f.latencyMax < 19e6 || f.latencyMax < c.figures.hottest) {
			t.Errorf("q2 kept buffers for %v ns, of at most %v", f.latencyMax, c.figures.hottest)
		}
	}
}
