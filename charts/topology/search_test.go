package topology

import (
	"testing"

	"framescope/charts/chartstest"
)

// The search outlines the elements that are called so, or are of such a type, and the rest steps back.
func TestSearchMarksElements(t *testing.T) {
	rig, c := topoRig(chartstest.TeePipeline().Session(), 1, 1000, 460, false)
	for range 3 {
		rig.Tick(c)
	}
	// An outline is more quads; what steps back has only other colours.
	none := c.List().Quads()
	for text, want := range map[string]int{"QUEUE": 3, "GstX264": 1, "no such thing": 0} {
		c.SetFilter(text)
		rig.Tick(c)
		found := 0
		for i := range c.graph.nodes {
			if c.found(int32(i)) {
				found++
			}
		}
		if marked := c.List().Quads() > none; found != want || marked != (want > 0) {
			t.Errorf("%q: %d elements are found, outlined: %v", text, found, marked)
		}
	}
	c.SetFilter("")
	if rig.Tick(c); c.List().Quads() != none {
		t.Error("outlines stay without a search")
	}
}
