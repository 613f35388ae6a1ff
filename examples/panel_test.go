package examples

import (
	"testing"

	"framescope/charts/chartstest"
	"framescope/charts/panel"
	example "framescope/examples/panel"
	"framescope/internal/testkit"
)

// The panel shows the selected frame, fills its list only when that changes, and does what its command
// says.
func TestClock(t *testing.T) {
	d := example.Def()
	p := d.New()
	rig := chartstest.NewRig(chartstest.NewSession(t), 1, 300, 120)
	rig.Env.View.SelectFrames(10, 10)
	rig.Tick(p)
	quads, at := p.List().Quads(), p.List().Revision()
	testkit.MustThat(t, quads != 0, "nothing is drawn")
	rig.Tick(p)
	testkit.That(t, p.List().Revision() == at, "drawn again though nothing changed")
	rig.Env.View.SelectFrames(20, 20)
	rig.Tick(p)
	testkit.That(t, p.List().Revision() != at, "another frame is selected, and nothing was drawn")
	at = p.List().Revision()
	if c := &d.Commands[0]; c.ID == "" || c.Name == "" || c.Run == nil { // as the program demands of its commands
		t.Errorf("the command lacks something: %+v", c)
	}
	d.Commands[0].Run(rig.Env, p)
	rig.Tick(p)
	testkit.That(t, p.List().Revision() != at, "the command does nothing")
	n := testing.AllocsPerRun(50, func() { rig.Tick(p) })
	testkit.That(t, n <= 0, "%g allocations a tick", n)
	var _ panel.Panel = p
}
