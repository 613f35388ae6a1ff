package subject

import (
	"framescope/assets"
	"framescope/charts/draw"
	"framescope/charts/panel"
	"framescope/model"
	"framescope/model/why"
)

// leastMark is the contrast of a mark to the ground that it stands on, markChroma how much stronger its
// color is than that of an area: a small one of the same would look grey.
const leastMark, markChroma = 4.5, 1.6

// CauseMark returns the mark of hitches with a root cause, wherever frames that stand out are
// marked: in the color of the cause, grey for an unknown one, and with a shape for the kind, so
// that no mark depends on its color alone.
func CauseMark(env *panel.Env, c model.CollectorID, how why.How) (shape string, color draw.Color) {
	shape = CauseShape(how)
	if how == why.Unknown || how == why.NotMeasured || c == model.NoCollector {
		return shape, draw.Color(env.Theme.Text2)
	}
	return shape, draw.Color(markColor(env.Theme, assets.Color(env.Palette().Fill(c))))
}

// markColor returns the color of a mark of something with a fill color: of the same hue, and only so
// much darker or lighter that it stands out from the ground.
func markColor(t *assets.Theme, fill assets.Color) assets.Color {
	contrast := func(c assets.Color) float64 { return min(assets.Contrast(c, t.Well), assets.Contrast(c, t.Panel)) }
	x, step := assets.LChOf(fill), 0.01
	if assets.LChOf(t.Panel).L > 0.5 {
		step = -step
	}
	for x.C *= markChroma; contrast(fill) < leastMark && x.L+step > 0 && x.L+step < 1; x.L += step {
		fill = x.Color()
	}
	return fill
}

// CauseShape returns the shape of a mark: a triangle for an unknown cause, a diamond for new work, a
// square for more calls, a disc for longer ones.
func CauseShape(how why.How) string {
	switch how {
	case why.New:
		return "◆"
	case why.MoreCalls:
		return "■"
	case why.Longer, why.Spread, why.Waiting:
		return "●"
	}
	return "▲"
}

// DrawMark draws a mark around a point, size px high.
func DrawMark(l *draw.List, shape string, color draw.Color, x, y, size float32) {
	r := draw.Rect{X0: x - size, Y0: y - size, X1: x + size, Y1: y + size}
	l.TextIn(draw.Small, r, draw.Center, shape, color)
}
