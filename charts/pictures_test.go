package charts

import (
	"image"

	"framescope/assets"
	"framescope/charts/draw"
	"framescope/charts/view"
	"framescope/model"
)

// testEnv returns an environment without animation for a session, as pictures and tests use it.
func testEnv(s *model.Session, scale float64) *Env {
	th := assets.Dark()
	return &Env{View: view.New(s), Theme: &th, Atlas: draw.NewAtlas(scale), Scale: float32(scale), NowNs: 1}
}

// settle runs a tick of the view and of a chart without input.
func settle(env *Env, c Chart, r draw.Rect) {
	env.NowNs += 16_000_000
	env.View.Tick(env.NowNs, env.Animate)
	c.Update(env, r, &Input{X: -1, Y: -1})
}

// picture renders lists on an opaque ground.
func picture(w, h int, lists ...*draw.List) *image.RGBA {
	img := image.NewRGBA(image.Rect(0, 0, w, h))
	draw.Render(img, lists...)
	return img
}

// mouseAt is the input of a mouse that rests over a chart.
func mouseAt(x, y float32) *Input { return &Input{X: x, Y: y, Over: true, DtNs: 16_000_000} }

// click runs the ticks of a left click.
func click(env *Env, c Chart, r draw.Rect, x, y float32) {
	for _, b := range []Button{{Down: true, Pressed: true, DownX: x, DownY: y}, {Released: true, DownX: x, DownY: y}} {
		in := mouseAt(x, y)
		in.Left = b
		env.NowNs += 16_000_000
		env.View.Tick(env.NowNs, env.Animate)
		c.Update(env, r, in)
	}
}
