package timeline

import (
	"testing"

	"framescope/assets"
	"framescope/charts/chartstest"
	"framescope/charts/draw"
	"framescope/charts/draw/golden"
)

// The timeline shows what the tracks did with the selected lock, and arrows from signals to the
// waits that they ended.
func TestTimelineLocksPicture(t *testing.T) {
	s := chartstest.NewLockSession(t)
	for _, light := range []bool{false, true} {
		name := "timeline_locks"
		env := chartstest.NewEnv(s, 1)
		if light {
			th := assets.Light()
			env.Theme, name = &th, name+"_light"
		}
		env.View.Tick(1, false)
		var tl Timeline
		r := draw.Rect{X1: 1000, Y1: 330}
		chartstest.Settle(env, &tl, r)
		env.View.Steer().PlaceTime(110_000_000, 142_000_000)
		env.View.SelectCollector(chartstest.LkPool)
		chartstest.Settle(env, &tl, r)
		golden.Check(t, "../testdata/golden/"+name+".png", chartstest.Picture(1000, 330, tl.List()))
		if len(tl.locks.px) == 0 {
			t.Error("no arrows")
		}
	}
}
