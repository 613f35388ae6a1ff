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
	"why": func(l *draw.List, env *panel.Env, x, y float32, c draw.Color) { // a question
		r := draw.Rect{X0: x - env.Px(14), Y0: y - env.Px(14), X1: x + env.Px(14), Y1: y + env.Px(14)}
		l.TextIn(draw.Medium, r, draw.Center, "?", c)
	},
	"against": func(l *draw.List, env *panel.Env, x, y float32, c draw.Color) { // bars on both sides of a line
		line := max(1, env.Px(1))
		l.Rect(draw.Rect{X0: x, Y0: y - env.Px(7), X1: x + line, Y1: y + env.Px(7)}, c)
		for i, w := range [...]float32{7, 4, -5} {
			y0 := y + env.Px(float32(i*5-6))
			l.Rect(draw.Rect{X0: min(x, x+env.Px(w)), Y0: y0, X1: max(x, x+env.Px(w)), Y1: y0 + env.Px(3)}, c)
		}
	},
	"details": func(l *draw.List, env *panel.Env, x, y float32, c draw.Color) { // a card with lines
		w, h := env.Px(6), env.Px(7)
		l.Outline(draw.Rect{X0: x - w, Y0: y - h, X1: x + w, Y1: y + h}, env.Px(1), c)
		for i := range 3 {
			l.HLine(x-env.Px(3), x+env.Px(3), y+env.Px(float32(i*3-3)), env.Px(1), c)
		}
	},
	"spikes": func(l *draw.List, env *panel.Env, x, y float32, c draw.Color) { // one frame above the others
		for i, h := range [...]float32{3, 4, 13, 4, 3} {
			x0 := x + env.Px(float32(i*3-7))
			l.Rect(draw.Rect{X0: x0, Y0: y + env.Px(6-h), X1: x0 + env.Px(2), Y1: y + env.Px(6)}, c)
		}
	},
	"received": func(l *draw.List, env *panel.Env, x, y float32, c draw.Color) { // an arrow into a tray
		l.Rect(draw.Rect{X0: x - max(1, env.Px(1))/2, Y0: y - env.Px(7), X1: x + max(1, env.Px(1)), Y1: y + env.Px(1)}, c)
		l.Triangle(x-env.Px(4), y-env.Px(1), x+env.Px(4), y-env.Px(1), x, y+env.Px(4), c)
		l.HLine(x-env.Px(7), x+env.Px(7), y+env.Px(6), env.Px(1), c)
	},
}
