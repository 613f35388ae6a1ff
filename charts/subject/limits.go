package subject

import (
	"framescope/assets"
	"framescope/charts/draw"
	"framescope/charts/format"
	"framescope/charts/panel"
	"framescope/charts/view"
)

// LimitTip adds a line for each limit: the measured item, its value, and the allowed one.
func LimitTip(tip *panel.TipLines, list []*view.Limit) {
	for _, x := range list {
		tip.Text("budget\t").Text(x.Words).End()
	}
}

// LimitColor is the color of a kept or broken limit.
func LimitColor(env *panel.Env, broken bool) draw.Color {
	return draw.Color(format.Pick(broken, env.Theme.Bad, env.Theme.Live))
}

// DrawLimit draws the line of a limit across a plot, with its name at the left if there is room.
func DrawLimit(l *draw.List, env *panel.Env, plot draw.Rect, y float32, x *view.Limit) {
	if y < plot.Y0 || y >= plot.Y1 {
		return
	}
	color := LimitColor(env, x.Breach())
	one := max(1, env.Px(1))
	l.HLine(plot.X0, plot.X1, y, one, color)
	words := x.Budget.Name
	if words == "" {
		words = x.Budget.Measured()
	}
	h, w := env.Px(14), env.Atlas.Measure(draw.Small, words)+env.Px(8)
	r := draw.Rect{X0: plot.X0, Y0: y - h, X1: plot.X0 + w, Y1: y}
	if r.Y0 < plot.Y0 {
		r.Y0, r.Y1 = y+one, y+one+h
	}
	if w < plot.W()/2 && r.Y1 <= plot.Y1 && plot.H() >= 4*h { // in a low one they would hide what is there
		l.TextPlate(draw.Small, r, draw.Center, words, color, draw.Color(env.Theme.Panel))
	}
}

// LimitWash is laid over values above a limit.
func LimitWash(env *panel.Env) draw.Color { return draw.Color(env.Theme.Bad).WithAlpha(26) }

// OverBudget reports whether a frame that took ns is over a budget (0: there is none). A 32nd above
// looks as within: frames that wait for the display are as often a little longer than its interval
// as a little shorter. That is for the eye; packages compare and budget count without a margin.
func OverBudget(ns, budgetNs int64) bool { return budgetNs > 0 && ns > budgetNs+budgetNs/32 }

// FrameColor returns the color of a frame that took ns: within the budget, over it (see
// OverBudget), more than twice over it.
func FrameColor(t *assets.Theme, ns, budgetNs int64) draw.Color {
	switch {
	case !OverBudget(ns, budgetNs):
		return draw.Color(t.FrameBar)
	case ns <= 2*budgetNs:
		return draw.Color(t.Over)
	}
	return draw.Color(t.Bad)
}

// Budget returns the frame budget in ns, never 0.
func Budget(env *panel.Env) int64 {
	if b := env.View.Look().FrameBudgetNs(); b > 0 {
		return b
	}
	return view.DefaultBudgetNs
}
