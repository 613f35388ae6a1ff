package widgets

import (
	"framescope/charts/draw"
	"framescope/charts/panel"
)

// button is an action within a panel: a raised box with a verb.
type button struct {
	rect draw.Rect // where it was drawn last; empty: it is not there
	hot  bool      // the mouse is over it
	main bool      // it is the primary one of its panel, in the accent
}

// update takes the mouse and returns whether the button was clicked. It goes by where the button
// was drawn last.
func (b *button) update(in *panel.Input) (clicked bool) {
	b.hot = in.Over && b.rect.Contains(in.X, in.Y)
	return b.hot && in.Left.Released && !in.Left.Dragging && b.rect.Contains(in.Left.DownX, in.Left.DownY)
}

// draw paints the button with its left upper corner at a place.
func (b *button) draw(env *panel.Env, l *draw.List, x, y float32, label string) {
	b.rect = draw.Rect{X0: x, Y0: y, X1: x + b.width(env, label), Y1: y + env.Px(buttonHeight)}
	fill, text := env.Theme.Button, env.Theme.Text
	switch {
	case b.main:
		fill, text = env.Theme.Accent, env.Theme.Panel
	case b.hot:
		fill = env.Theme.ButtonHover
	}
	l.Rect(b.rect, draw.Color(fill))
	if b.hot && b.main {
		l.Outline(b.rect, env.Px(1), draw.Color(env.Theme.Text))
	}
	l.TextIn(draw.Regular, b.rect, draw.Center, label, draw.Color(text))
}

// width is that of a button with a label.
func (b *button) width(env *panel.Env, label string) float32 {
	return float32(int(env.Atlas.Measure(draw.Regular, label) + env.Px(20)))
}

// buttonHeight is that of a button at scale 1.
const buttonHeight = 22
