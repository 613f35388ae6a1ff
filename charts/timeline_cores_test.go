package charts

import (
	"testing"

	"framescope/assets"
	"framescope/charts/draw"
	"framescope/charts/draw/golden"
)

// Processors under the lanes and messages above them, at three zooms, in both themes.
func TestTimelineCoresPictures(t *testing.T) {
	s := newLockSession(t)
	rect := draw.Rect{X1: 1000, Y1: 420}
	for _, c := range []struct {
		name       string
		begin, end int64
		light      bool
	}{
		{"timeline_cores_all", 0, 400_000_000, false},
		{"timeline_cores_frames", 150_000_000, 240_000_000, false},
		{"timeline_cores_near", 230_000_000, 239_000_000, false},
		{"timeline_cores_light", 100_000_000, 190_000_000, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			env := testEnv(s, 1)
			if c.light {
				th := assets.Light()
				env.Theme = &th
			}
			env.View.Tick(1, false)
			var tl Timeline
			settle(env, &tl, rect)
			env.View.Time.Fit(c.begin, c.end)
			settle(env, &tl, rect)
			golden.Check(t, "testdata/golden/"+c.name+".png", picture(1000, 420, tl.List()))
			t.Logf("%d quads, %d runs, %d flags", tl.List().Quads(), len(tl.cores.runs), len(tl.flags.px))
		})
	}
}
