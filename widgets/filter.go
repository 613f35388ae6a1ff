package widgets

import (
	"framescope/charts/draw"
	"framescope/charts/panel"
)

// Filter is a text field above lists that filters them.
type Filter struct {
	Field TextField

	list *draw.List
	rect draw.Rect
	key  filterKey
}

type filterKey struct {
	rect  draw.Rect
	scale float32
	text  string
	theme uint64
}

// Update implements panel.Panel: a press gives the field the keyboard.
func (f *Filter) Update(env *panel.Env, rect draw.Rect, in *panel.Input) panel.Action {
	f.rect = draw.Rect{X0: rect.X0 + env.Px(8), Y0: rect.Y0 + env.Px(8), X1: rect.X1 - env.Px(8), Y1: rect.Y1 - env.Px(6)}
	if in.Over && in.Left.Pressed && f.rect.Contains(in.X, in.Y) && !f.Field.Focused() {
		f.Field.Focus(true)
	} else {
		f.Field.Point(in)
	}
	c := env.Theme.Well
	key := filterKey{rect: rect, scale: env.Scale, text: f.Field.Text(), theme: uint64(c.R)<<16 | uint64(c.G)<<8 | uint64(c.B)}
	if f.list != nil && f.list.Atlas() == env.Atlas && key == f.key && !f.Field.Focused() {
		return panel.Action{}
	}
	f.key = key
	if f.Field.Focused() {
		f.key.scale = 0 // once more when it is not
	}
	if f.list == nil || f.list.Atlas() != env.Atlas {
		f.list = draw.NewList(env.Atlas)
	}
	f.list.Reset(rect)
	f.Field.Hint = "Filter names"
	f.Field.Draw(f.list, env, f.rect, "")
	f.list.Filled()
	return panel.Action{}
}

// Holds reports whether a point is in the field.
func (f *Filter) Holds(x, y float32) bool { return f.rect.Contains(x, y) }

// List implements panel.Panel.
func (f *Filter) List() *draw.List { return f.list }

// HitTest implements panel.Panel.
func (f *Filter) HitTest(*panel.Env, float32, float32) panel.Hit { return panel.NoHit() }

// Title implements panel.Panel.
func (f *Filter) Title(*panel.Env) string { return "Filter" }

// Mode implements panel.Panel.
func (f *Filter) Mode(*panel.Env) string { return "" }
