// Package panel is the example of CONTRIBUTING.md: a panel that shows how long the selected frame took.
package panel

import (
	"framescope/charts/draw"
	"framescope/charts/format"
	"framescope/charts/panel"
	"framescope/model/store"
)

// Def is its line of the registry: with it come its tab, its command and key, its help and its picture
// by `framescope render --panel clock`.
func Def() panel.Def {
	return panel.Def{
		ID: "clock", Title: "Clock", Home: "flame", Help: "how long the selected frame took",
		Has: framed, Lacks: "frames", Tab: framed, Frames: true, Height: 120,
		New: func() panel.Panel { return &Clock{} },
		Commands: []panel.Command{{
			ID: "clock.unit", Name: "Clock: milliseconds or Hz",
			Run: func(_ *panel.Env, p panel.Panel) { c := p.(*Clock); c.rate = !c.rate },
		}},
	}
}

// framed reports whether the panel has content for a session. As Tab it leaves the tab out for the
// others, where it would be empty.
func framed(c store.Contents) bool { return c.Frames }

// Clock is the panel. Its content is in its key: the list is filled again only when that changes.
type Clock struct {
	list *draw.List
	key  clockKey
	rate bool
}

type clockKey struct {
	rect  draw.Rect
	scale float32
	ns    int64
	rate  bool
	looks uint64
}

// Update implements panel.Panel.
func (c *Clock) Update(env *panel.Env, rect draw.Rect, _ *panel.Input) panel.Action {
	if panel.ListFor(&c.list, env) {
		c.key = clockKey{}
	}
	key := clockKey{rect: rect, scale: env.Scale, ns: frameNs(env), rate: c.rate, looks: env.View.Stamp()}
	if key == c.key {
		return panel.Action{}
	}
	c.key = key
	c.list.Reset(rect)
	if key.ns == 0 {
		panel.DrawWords(c.list, env, rect, "How long a frame took.\nSelect one.")
		return panel.Action{}
	}
	text := format.AppendDuration(nil, key.ns)
	if c.rate {
		text = format.AppendRate(nil, key.ns)
	}
	c.list.TextIn(draw.Medium, rect, draw.Center, string(text), draw.Color(env.Theme.Text))
	return panel.Action{}
}

// frameNs returns how long the selected frame took, 0 where none is.
func frameNs(env *panel.Env) int64 {
	if t, i := env.View.Shown(), env.View.FrameA(); t != nil && i >= 0 && i < t.NumFrames() {
		f := t.Frame(i)
		return f.End - f.Begin
	}
	return 0
}

// List implements panel.Panel.
func (c *Clock) List() *draw.List { return c.list }

// HitTest implements panel.Panel: there is nothing to point at.
func (c *Clock) HitTest(*panel.Env, float32, float32) panel.Hit { return panel.NoHit() }

// Title implements panel.Panel.
func (c *Clock) Title(*panel.Env) string { return "Clock" }

// Mode implements panel.Panel.
func (c *Clock) Mode(*panel.Env) string { return "" }
