package registry

import (
	"testing"

	"framescope/charts/chartstest"
)

// TestLeaksShowAHistory chooses the object whose references were followed most.
func TestLeaksShowAHistory(t *testing.T) {
	s := chartstest.LoadTrace(t, "leaks-refs.log")
	best := longestHistory(s)
	if n := len(s.Topology().RefEvents(best)); n != 116 || s.Topology().Resources()[best].Type != "GstIdentity" {
		t.Errorf("%s with %d steps, want the GstIdentity with 116", s.Topology().Resources()[best].Type, n)
	}
}
