package widgets

import (
	"framescope/charts/draw"
	"framescope/charts/panel"
)

// Check draws the mark of an enabled item around a point.
func Check(l *draw.List, env *panel.Env, x, y float32) {
	s, c := env.Px(3), draw.Color(env.Theme.Accent)
	l.Line(x-s, y, x-s/3, y+s, env.Px(1.5), c)
	l.Line(x-s/3, y+s, x+s*1.3, y-s, env.Px(1.5), c)
}
