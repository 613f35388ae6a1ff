package workspace

import (
	"framescope/charts/draw"
	"framescope/charts/panel"
)

// Icons stand for the lists beside the charts where there is no room for them, in the middle of a
// square of 28 pixels at scale 1.
var Icons = map[string]func(l *draw.List, env *panel.Env, x, y float32, c draw.Color){
	"sessions": func(l *draw.List, env *panel.Env, x, y float32, c draw.Color) { // a screen
		w, h := env.Px(7), env.Px(5)
		l.Outline(draw.Rect{X0: x - w, Y0: y - h - env.Px(1), X1: x + w, Y1: y + h - env.Px(1)}, env.Px(1), c)
		l.HLine(x-env.Px(4), x+env.Px(4), y+env.Px(6), env.Px(1), c)
	},
	"threads": func(l *draw.List, env *panel.Env, x, y float32, c draw.Color) { // lines
		for i, w := range [...]float32{14, 14, 9} {
			l.HLine(x-env.Px(7), x-env.Px(7)+env.Px(w), y+env.Px(float32(i*5-5)), env.Px(1), c)
		}
	},
	"elements": func(l *draw.List, env *panel.Env, x, y float32, c draw.Color) { // two boxes and a link
		w, h := env.Px(4), env.Px(3)
		for _, dx := range [...]float32{-7, 3} {
			x0 := x + env.Px(dx)
			l.Outline(draw.Rect{X0: x0, Y0: y - h, X1: x0 + w, Y1: y + h}, env.Px(1), c)
		}
		l.HLine(x-env.Px(3), x+env.Px(3), y, env.Px(1), c)
	},
	"packages": func(l *draw.List, env *panel.Env, x, y float32, c draw.Color) { // bars, the longest first
		for i, w := range [...]float32{14, 9, 5} {
			y0 := y + env.Px(float32(i*5-6))
			l.Rect(draw.Rect{X0: x - env.Px(7), Y0: y0, X1: x - env.Px(7) + env.Px(w), Y1: y0 + env.Px(3)}, c)
		}
	},
	"collectors": func(l *draw.List, env *panel.Env, x, y float32, c draw.Color) { // a tree
		box := func(dx, dy, w float32) {
			x0, y0 := x+env.Px(dx), y+env.Px(dy)
			l.Rect(draw.Rect{X0: x0, Y0: y0, X1: x0 + env.Px(w), Y1: y0 + env.Px(3)}, c)
		}
		box(-7, -6, 9)
		box(-2, -1, 9)
		box(-2, 4, 6)
	},
}
