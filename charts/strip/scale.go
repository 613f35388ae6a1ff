package strip

import (
	"framescope/charts/format"
	"framescope/charts/panel"
	"framescope/charts/subject"
	"framescope/charts/view"
	"math"
	"slices"
)

// rescale decides the value at the plot's upper edge and moves towards it.
func (c *Chart) rescale(env *panel.Env) {
	key := stripScaleKey{env.View.Session(), c.track, c.Focus, c.Levels}
	fresh := key != c.topFor || c.top <= 0
	c.topFor = key
	want := c.FixedTop
	if want <= 0 {
		want = c.autoTop(env, fresh)
	}
	if fresh || !env.Animate || c.rescaling {
		c.top, c.topTarget, c.topFrom = want, want, want
		return
	}
	if want != c.topTarget {
		c.topFrom, c.topTarget, c.topStart = c.top, want, env.NowNs
	}
	if c.top != c.topTarget {
		u := float64(env.NowNs-c.topStart) / view.AnimateNs
		if u >= 1 || u < 0 {
			c.top = c.topTarget
			return
		}
		u = 1 - (1-u)*(1-u)*(1-u)
		c.top = c.topFrom * math.Pow(c.topTarget/c.topFrom, u)
	}
}

// autoTop returns the automatic scale of the visible columns. It stays what it was while it still
// suits, so that a live chart does not breathe.
func (c *Chart) autoTop(env *panel.Env, fresh bool) float64 {
	c.nets = c.nets[:0]
	peak := 0.0
	for i := range c.strip.Columns {
		if col := &c.strip.Columns[i]; c.drawn(env, i) && col.Net > 0 {
			c.nets = append(c.nets, col.Net)
			peak = max(peak, float64(col.Net))
		}
	}
	if len(c.nets) == 0 {
		if !fresh && c.topTarget > 0 {
			return c.topTarget
		}
		if d := env.View.Session().Collector(c.Focus); d != nil && d.Scale > 0 {
			return d.Scale
		}
		if c.Levels {
			return 1
		}
		return 2 * float64(subject.Budget(env)) / 1e9
	}
	slices.Sort(c.nets)
	median := float64(c.nets[len(c.nets)/2])
	want := max(1.5*median, min(peak*1.06, 2*median))
	if !fresh && want <= c.topTarget && want >= 0.55*c.topTarget {
		return c.topTarget
	}
	top := format.NiceTop(want)
	if peak > top && peak <= 1.3*top { // cut by a hair
		top = format.NiceTop(peak * 1.02)
	}
	return top
}

// guideStep returns the distance of automatic guide bars of times, in seconds (pstats-viewer
// section 6.4): a multiple or a fraction of the target frame time, about n to the full scale.
func guideStep(n int, full, targetHz float64) float64 {
	if n <= 0 || !(full > 0) || !(targetHz > 0) {
		return 0
	}
	bottom := float64(n) / full
	if targetHz < bottom {
		return 1 / (math.Floor(bottom/targetHz+0.5) * targetHz)
	}
	return math.Floor(targetHz/bottom+0.5) / targetHz
}

// isTarget tells whether a time bar is that of the target frame rate (pstats-viewer section 6.4:
// within 0.001 Hz).
func isTarget(seconds, targetHz float64) bool {
	return seconds > 0 && math.Abs(1/seconds-targetHz) < 0.001
}
