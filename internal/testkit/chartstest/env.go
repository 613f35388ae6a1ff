package chartstest

import (
	"sync"

	"framescope/assets"
	"framescope/charts/draw"
	"framescope/charts/panel"
	"framescope/charts/view"
	"framescope/model/store"
)

// NewEnv returns an environment without animation for a session, as pictures and tests use it.
func NewEnv(s *store.Session, scale float64) *panel.Env {
	a, ok := atlases.Load(scale)
	if !ok {
		a, _ = atlases.LoadOrStore(scale, draw.NewAtlas(scale))
	}
	return NewEnvOver(s, a.(*draw.Atlas))
}

// atlases are those of each scale: making one is dear.
var atlases sync.Map

// NewEnvOver is NewEnv at the scale of an atlas.
func NewEnvOver(s *store.Session, a *draw.Atlas) *panel.Env {
	th := assets.Dark()
	return panel.NewEnv(view.New(s), &th, a)
}

// Settle runs a tick of the view and of a chart without input.
func Settle(env *panel.Env, c panel.Panel, r draw.Rect) {
	env.NowNs += 16_000_000
	env.View.Tick(env.NowNs, env.Animate)
	c.Update(env, r, &panel.Input{X: -1, Y: -1})
}

// Picture returns the picture of w by h pixels of lists on nothing.
func Picture(w, h int, lists ...*draw.List) *draw.Picture {
	return &draw.Picture{Seen: draw.Rect{X1: float32(w), Y1: float32(h)}, Lists: lists}
}

// MouseAt is the input of a mouse that rests over a chart.
func MouseAt(x, y float32) *panel.Input {
	return &panel.Input{X: x, Y: y, Over: true, DtNs: 16_000_000}
}

// Click runs the ticks of a left click.
func Click(env *panel.Env, c panel.Panel, r draw.Rect, x, y float32) {
	for _, b := range []panel.Button{{Down: true, Pressed: true, DownX: x, DownY: y},
		{Released: true, DownX: x, DownY: y}} {
		in := MouseAt(x, y)
		in.Left = b
		env.NowNs += 16_000_000
		env.View.Tick(env.NowNs, env.Animate)
		c.Update(env, r, in)
	}
}

// ReadyEnv is NewEnv after the first tick of the view.
func ReadyEnv(s *store.Session, scale float64) *panel.Env {
	env := NewEnv(s, scale)
	env.View.Tick(1, false)
	return env
}

// Light gives a window the theme for bright rooms where that is wanted.
func Light(env *panel.Env, wanted bool) {
	if wanted {
		th := assets.Light()
		env.Theme = &th
	}
}
