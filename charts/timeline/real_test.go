package timeline

import (
	"framescope/charts/chartstest"
	"framescope/charts/draw"
	"framescope/charts/draw/golden"
	"framescope/charts/overview"
	"framescope/charts/view"
	"testing"
)

func TestTimelineOfRealSessions(t *testing.T) {
	for _, c := range []struct {
		name, capture string
		h             float32
		set           func(v *view.View)
	}{
		{"timeline_real_gpu", "render_gl_gpu", 520, func(v *view.View) {
			tr := v.Shown()
			i := tr.NumFrames() / 2
			v.Steer().PlaceTime(tr.Frame(i).Begin, tr.Frame(i+1).End)
			v.SelectFrames(i+1, i+1)
		}},
		{"timeline_real_threads", "threads", 420, func(v *view.View) {
			tr := v.Shown()
			i := tr.NumFrames() / 2
			v.Steer().PlaceTime(tr.Frame(i).Begin, tr.Frame(i+9).End)
		}},
		{"timeline_real_recursion", "recursion", 300, func(v *view.View) {
			tr := v.Shown()
			i := tr.NumFrames() / 2
			v.Steer().PlaceTime(tr.Frame(i).Begin, tr.Frame(i+1).End)
		}},
		{"timeline_real_gaps", "gaps", 200, func(v *view.View) { v.Steer().FitAll() }},
	} {
		t.Run(c.name, func(t *testing.T) {
			env := chartstest.NewEnv(chartstest.LoadCapture(t, c.capture), 1)
			r := draw.Rect{X1: 1100, Y1: c.h}
			env.View.Tick(1, false)
			var tl Timeline
			chartstest.Settle(env, &tl, r)
			c.set(env.View)
			chartstest.Settle(env, &tl, r)
			var fs overview.FrameStrip
			strip := draw.Rect{X1: 1100, Y0: c.h, Y1: c.h + 60}
			chartstest.Settle(env, &fs, strip)
			golden.Check(t, "../testdata/golden/"+c.name+".png", chartstest.Picture(1100, int(c.h)+60, tl.List(), fs.List()))
			t.Logf("%d quads, %s", tl.List().Quads(), tl.Mode(env))
		})
	}
}
