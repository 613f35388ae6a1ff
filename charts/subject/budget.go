package subject

import (
	"framescope/assets"
	"framescope/charts/draw"
	"framescope/charts/panel"
	"framescope/charts/view"
)

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
