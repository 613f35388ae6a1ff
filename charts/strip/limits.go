package strip

import (
	"slices"

	"framescope/charts/draw"
	"framescope/charts/panel"
	"framescope/charts/subject"
	"framescope/charts/view"
	"framescope/model/budget"
	"framescope/model/store"
)

// limits returns the limits of the whole stack: of the focus by name, or with callees.
func (c *Chart) limits(env *panel.Env) []*view.Limit {
	c.limited = c.limited[:0]
	for _, x := range env.Limits.Of(c.track, c.Focus) {
		if m := x.Budget.Measure; c.Levels == (m == budget.Level) && m != budget.Calls && m != budget.Self {
			c.limited = append(c.limited, x)
		}
	}
	return c.limited
}

// drawLimits draws the lines of limits.
func (c *Chart) drawLimits(env *panel.Env) {
	for _, x := range c.limits(env) {
		value := x.Budget.Limit
		if x.Budget.Measure.Times() {
			value /= 1e9
		}
		if value > 0 && value <= c.scale.top {
			subject.DrawLimit(c.List(), env, c.regions.plot, c.valueY(value), x)
		}
	}
}

// washOver lays a wash over the time of frames that are over a limit, below the bands. Frames are those
// that the verdict counts.
func (c *Chart) washOver(env *panel.Env, s *store.Session) {
	t, a, plot := s.Track(c.track), c.own.Window, c.regions.plot
	if !a.Valid() {
		return
	}
	from := t.FrameAt(int64(a.BeginNs))
	if from = max(from, 0); from >= t.NumFrames() {
		return
	}
	number := t.Frame(from).Number
	for _, x := range c.limits(env) {
		at, _ := slices.BinarySearch(x.OverAt, number)
		last := plot.X0
		for _, n := range x.OverAt[at:] {
			i, ok := t.FrameByNumber(n)
			if !ok {
				continue // it has left since
			}
			f := t.Frame(i)
			if float64(f.Begin) > a.EndNs {
				break
			}
			x0, x1 := panel.Snap(float32(a.ToPx(plot, f.Begin))), panel.Snap(float32(a.ToPx(plot, f.End)))
			r := draw.Rect{X0: max(x0, last), Y0: plot.Y0, X1: max(x1, x0+1), Y1: plot.Y1}
			if r.X1 > r.X0 {
				c.List().Rect(r, subject.LimitWash(env))
				last = r.X1
			}
		}
	}
}
