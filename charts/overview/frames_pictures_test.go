package overview

import (
	"framescope/charts/chartstest"
	"framescope/charts/draw"
	"framescope/charts/draw/golden"
	"framescope/charts/panel"
	"testing"
)

func TestFrameStripPictures(t *testing.T) {
	for _, c := range []struct {
		name   string
		scale  float64
		frames int
		set    func(env *panel.Env, fs *FrameStrip, r draw.Rect)
	}{
		{"frames", 1, chartstest.TestFrames, func(env *panel.Env, _ *FrameStrip, _ draw.Rect) { env.View.SelectFrames(104, 108) }},
		{"frames_2x", 2, chartstest.TestFrames, func(env *panel.Env, _ *FrameStrip, _ draw.Rect) { env.View.SelectFrames(104, 108) }},
		{"frames_long", 1, 3000, func(env *panel.Env, _ *FrameStrip, _ draw.Rect) { env.View.SelectFrames(1204, 1208) }},
		{"frames_live", 1, 3000, func(env *panel.Env, _ *FrameStrip, _ draw.Rect) { env.View.Follow(true) }},
		{"frames_near", 1, 600, func(env *panel.Env, fs *FrameStrip, r draw.Rect) {
			env.View.SelectFrames(555, 555)
			in := chartstest.MouseAt(900, 30)
			in.WheelY = 6
			fs.Update(env, r, in)
			fs.Update(env, r, chartstest.MouseAt(700, 30))
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			env := chartstest.NewEnv(chartstest.SessionOf(c.frames), c.scale)
			env.View.Tick(1, false)
			var fs FrameStrip
			r := draw.Rect{X1: 1400 * float32(c.scale), Y1: 62 * float32(c.scale)}
			chartstest.Settle(env, &fs, r)
			c.set(env, &fs, r)
			chartstest.Settle(env, &fs, r)
			golden.Check(t, "../testdata/golden/"+c.name+".png", chartstest.Picture(int(r.X1), int(r.Y1), fs.List()))
			t.Logf("%d columns, %d quads, %s", fs.Columns(), fs.List().Quads(), fs.Mode(env))
		})
	}
}
