package registry

import (
	"testing"

	"framescope/charts/chartstest"
	"framescope/charts/draw"
	"framescope/charts/locks"
	"framescope/charts/panel"
	"framescope/charts/tables"
	"framescope/charts/timeline"
)

// What moves every tick allocates nothing once it was drawn.
func TestNewChartsAllocateNothing(t *testing.T) {
	s := chartstest.NewLockSession(t)
	for name, c := range map[string]panel.Panel{"timeline": &timeline.Timeline{}, "locks": &locks.Chart{}, "processors": &timeline.Chart{}, "messages": tables.NewMessages()} {
		env := chartstest.NewEnv(s, 1)
		env.View.Tick(1, false)
		r := draw.Rect{X1: 1000, Y1: 400}
		chartstest.Settle(env, c, r)
		i, in := int64(0), chartstest.MouseAt(300, 60)
		tick := func() {
			i++
			env.NowNs += 16_000_000
			d := i % 50 * 1_000_000
			env.View.Steer().Set(float64(d), float64(d+200_000_000), false, 0)
			env.View.PlacePlayhead(d * 3)
			env.View.Tick(env.NowNs, false)
			in.Y = float32(60 + i%300)
			c.Update(env, r, in)
			c.HitTest(env, 300, float32(60+i%300))
			c.Mode(env)
		}
		for range 400 {
			tick()
		}
		if n := testing.AllocsPerRun(400, tick); n >= 1 {
			t.Errorf("%s: %g allocations a tick", name, n)
		}
	}
}
