package chartstest

import (
	"cmp"
	"testing"

	"framescope/charts/draw"
	"framescope/charts/draw/golden"
	"framescope/charts/panel"
	"framescope/model/store"
)

// Shot is a picture of a chart, W by H pixels large at scale 1.
type Shot[P panel.Panel] struct {
	Name  string
	S     *store.Session
	W, H  float32
	Scale float64 // 0: 1
	Light bool
	Set   func(env *panel.Env, p P)                         // between two ticks
	Then  func(env *panel.Env, p P, r draw.Rect) *draw.List // after these: what lies over it, such as a tooltip, or nil
}

// Shoot compares pictures of charts with the golden ones.
func Shoot[P panel.Panel](t *testing.T, make func() P, shots ...Shot[P]) {
	for _, c := range shots {
		t.Run(c.Name, func(t *testing.T) {
			scale := cmp.Or(c.Scale, 1)
			env, p := ReadyEnv(c.S, scale), make()
			Light(env, c.Light)
			r := draw.Rect{X1: c.W * float32(scale), Y1: c.H * float32(scale)}
			Settle(env, p, r)
			if c.Set != nil {
				c.Set(env, p)
				Settle(env, p, r)
			}
			over := draw.NewList(env.Atlas)
			if c.Then != nil {
				over = cmp.Or(c.Then(env, p, r), over)
			}
			golden.Check(t, "../testdata/golden/"+c.Name+".png", Picture(int(r.X1), int(r.Y1), p.List(), over))
			t.Logf("%d quads, %s", p.List().Quads(), p.Mode(env))
		})
	}
}

// TipAt moves the mouse over a chart and returns the tooltip of what is there.
func TipAt(env *panel.Env, p panel.Panel, r draw.Rect, x, y float32) *draw.List {
	for range 2 {
		p.Update(env, r, MouseAt(x, y))
	}
	hit := p.HitTest(env, x, y)
	return new(panel.Tooltip).Draw(env, &hit, x, y, r)
}

// Look is a picture of a panel below its title row, W by H pixels large at scale 1.
type Look struct {
	Name  string
	S     *store.Session
	W, H  float32
	Panel panel.Panel
	Set   func(*Rig) // before the panel is drawn; nil: nothing
	Scale float32    // 0: 1
	Light bool
}

// Titled compares pictures of panels and their title rows with the golden ones.
func Titled(t *testing.T, looks ...Look) {
	for _, c := range looks {
		t.Run(c.Name, func(t *testing.T) {
			rig := NewRig(c.S, cmp.Or(c.Scale, 1), c.W, c.H)
			Light(rig.Env, c.Light)
			if c.Set != nil {
				c.Set(rig)
			}
			rig.Check(t, c.Panel, c.Name)
		})
	}
}

// Selected selects frames.
func Selected(first, last int) func(*Rig) {
	return func(rig *Rig) { rig.Env.View.SelectFrames(first, last) }
}
