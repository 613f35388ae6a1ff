package tables

import (
	"testing"

	"framescope/charts/chartstest"
	"framescope/charts/view"
)

// What is chosen in the panel is what is selected, and the other way round; a second click puts it
// away, and other selections leave its history.
func TestObjectsAreSelected(t *testing.T) {
	rig, c := leakRig(chartstest.LeakSession(), 1, 700, 400, false)
	v := rig.Env.View
	c.choose(rig.Env, 1)
	rig.Tick(c)
	if v.Thing() != view.Resource(1) || c.Selected != 1 {
		t.Fatalf("selected %v, shown %d", v.Thing(), c.Selected)
	}
	v.Select(view.Resource(0))
	if rig.Tick(c); c.Selected != 0 {
		t.Errorf("selected elsewhere, the panel shows %d", c.Selected)
	}
	v.Select(view.Thing{})
	if rig.Tick(c); c.Selected != 0 {
		t.Errorf("nothing selected, the panel shows %d", c.Selected)
	}
	c.choose(rig.Env, 0)
	if c.choose(rig.Env, 0); !v.Thing().None() || c.Selected >= 0 {
		t.Errorf("put away: %v is selected, %d shown", v.Thing(), c.Selected)
	}
}
