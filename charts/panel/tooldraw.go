package panel

import "framescope/charts/draw"

// MoreTool stands for the button that opens the menu of a title row.
const MoreTool = -2

// Width is how wide a tool is.
func (t *Tool) Width(env *Env) float32 {
	w := Snap(env.Atlas.Measure(draw.Regular, t.Label)) + env.Px(16)
	if t.Kind == ToolChoice {
		w += env.Px(10)
	}
	return w
}

// Draw paints a tool: a raised box, with accent on its ground while it is on, with a triangle
// where it opens a menu.
func (t *Tool) Draw(l *draw.List, env *Env, r draw.Rect, hot bool) {
	th := env.Theme
	ground, text := draw.Color(th.Button), draw.Color(th.Text2)
	if hot {
		ground, text = draw.Color(th.ButtonHover), draw.Color(th.Text)
	}
	if t.Kind == ToolToggle && t.On {
		ground, text = draw.Color(th.AccentGround), draw.Color(th.Accent)
		if hot {
			ground = draw.Mix(ground, draw.Color(th.Text), 24)
		}
	}
	l.Rect(r, ground)
	if t.ID == MoreTool {
		mid, s := (r.Y0+r.Y1)/2, env.Px(2)
		for i := float32(-1); i <= 1; i++ {
			x := Snap((r.X0+r.X1)/2 + i*env.Px(5))
			l.Rect(draw.Rect{X0: x - s/2, Y0: mid - s/2, X1: x + s/2, Y1: mid + s/2}, text)
		}
		return
	}
	in := r
	in.X0, in.X1 = r.X0+env.Px(8), r.X1-env.Px(8)
	if t.Kind == ToolChoice {
		x, mid := r.X1-env.Px(14), (r.Y0+r.Y1)/2
		MenuMark(l, env, x, mid, text)
		in.X1 = x - env.Px(4)
	}
	l.TextIn(draw.Regular, in, draw.Left, t.Label, text)
}
