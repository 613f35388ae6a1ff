package chartstest

import (
	"testing"

	"framescope/charts/draw"
	"framescope/charts/panel"
)

// BenchmarkPan moves a chart by a pixel a tick, so that its list is made anew each time. The range
// from begin to end is share times the shown one.
func BenchmarkPan(b *testing.B, env *panel.Env, c panel.Panel, begin, end, share int64) {
	r := draw.Rect{X1: 1920, Y1: 900}
	w := float64(end-begin) / float64(share)
	env.View.Tick(1, false)
	at := float64(begin+end) / 2
	in := &panel.Input{X: -1, Y: -1}
	c.Update(env, r, in) // one-time work is no part of it
	b.ReportAllocs()
	i := 0
	for b.Loop() {
		i++
		d := float64(i%64) * w / 1920 // one pixel a tick: the list is made anew each time
		env.View.Steer().Set(at-w/2+d, at+w/2+d, false, 0)
		env.View.PlacePlayhead(int64(at + d))
		c.Update(env, r, in)
	}
	b.ReportMetric(float64(c.List().Quads()), "quads")
}
