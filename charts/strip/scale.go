package strip

import (
	"math"
	"slices"

	"framescope/charts/draw"
	"framescope/charts/format"
	"framescope/charts/panel"
	"framescope/charts/subject"
)

// scale is the vertical axis: up to the knee it is linear and takes kneeShare of the plot, above it
// is logarithmic up to the top, so that a hitch is in the picture and typical frames are not flat.
// Without a knee (0) it is linear from 0 to the top.
type scale struct{ knee, top float64 }

// kneeShare is how much of the plot lies below the knee.
const kneeShare = 0.6

// topStep is how much further a scale with a knee goes where the greatest value needs it: little, so
// that it is not far above that, yet not with every one that is a bit greater.
const topStep = 4. / 3

// share returns where a value lies: 0 at the lower edge, 1 at the upper one. Values beyond the
// edges lie beyond them.
func (sc scale) share(v float64) float64 {
	switch {
	case sc.knee <= 0:
		return v / sc.top
	case v <= sc.knee:
		return kneeShare * v / sc.knee
	}
	return kneeShare + (1-kneeShare)*math.Log(v/sc.knee)/math.Log(sc.top/sc.knee)
}

// value returns the value at a share of the height.
func (sc scale) value(share float64) float64 {
	switch {
	case sc.knee <= 0:
		return share * sc.top
	case share <= kneeShare:
		return share / kneeShare * sc.knee
	}
	return sc.knee * math.Pow(sc.top/sc.knee, (share-kneeShare)/(1-kneeShare))
}

// toward returns the scale at a share u of the way to another.
func (sc scale) toward(to scale, u float64) scale {
	if (sc.knee > 0) != (to.knee > 0) {
		return to
	}
	sc.top *= math.Pow(to.top/sc.top, u)
	if sc.knee > 0 {
		sc.knee *= math.Pow(to.knee/sc.knee, u)
	}
	return sc
}

// bent reports whether the scale has a knee: not where the user fixed it, nor of counters.
func (c *Chart) bent() bool { return !c.Linear && !c.Levels && c.FixedTop <= 0 }

// rescale decides the scale and moves towards it.
func (c *Chart) rescale(env *panel.Env) {
	key := stripScaleKey{env.View.Session(), c.track, c.Focus, c.Levels, c.Linear}
	fresh := key != c.scaleFor || c.scale.top <= 0
	c.scaleFor = key
	want := scale{top: c.FixedTop}
	if want.top <= 0 {
		want = c.autoScale(env, fresh)
	}
	if fresh || !env.Animate || c.rescaling {
		c.scale, c.target, c.from = want, want, want
		return
	}
	if want != c.target {
		c.from, c.target, c.began = c.scale, want, env.NowNs
	}
	if c.scale != c.target {
		u := float64(env.NowNs-c.began) / format.AnimateNs
		if u >= 1 || u < 0 {
			c.scale = c.target
			return
		}
		u = 1 - (1-u)*(1-u)*(1-u)
		c.scale = c.from.toward(c.target, u)
	}
}

// autoScale returns the automatic scale of the visible columns. It stays while it still fits, so
// that a live chart does not breathe.
func (c *Chart) autoScale(env *panel.Env, fresh bool) scale {
	c.nets = c.nets[:0]
	peak := 0.0
	for i := range c.strip.Columns {
		if col := &c.strip.Columns[i]; c.drawn(env, i) && col.Net > 0 {
			c.nets = append(c.nets, col.Net)
			peak = max(peak, float64(col.Net))
		}
	}
	budget := float64(subject.Budget(env)) / 1e9
	if len(c.nets) == 0 {
		if !fresh && c.target.top > 0 {
			return c.target
		}
		if d := env.View.Session().Collector(c.Focus); d != nil && d.Scale > 0 {
			return scale{top: d.Scale}
		}
		if c.Levels {
			return scale{top: 1}
		}
		return scale{top: 2 * budget}
	}
	slices.Sort(c.nets)
	median := float64(c.nets[len(c.nets)/2])
	if c.bent() {
		knee, least := 1.5*budget, format.Pick(c.Focus == 0, 0.25, 0.4)
		if median < least*knee || median > knee { // a small part of the frame, or frames that are far over the budget
			knee = c.linearTop(median, peak, c.target.knee, fresh)
		}
		sc := scale{knee: knee, top: 3 * knee}
		for sc.top < peak*1.02 && sc.top < math.MaxFloat64/4 {
			sc.top *= topStep
		}
		return sc
	}
	return scale{top: c.linearTop(median, peak, c.target.top, fresh)}
}

// linearTop returns a round value above the typical one and, if it is not far beyond, above the
// peak.
func (c *Chart) linearTop(median, peak, now float64, fresh bool) float64 {
	want := max(1.5*median, min(peak*1.06, 2*median))
	if !fresh && want <= now && want >= 0.55*now {
		return now
	}
	top := format.NiceTop(want)
	if peak > top && peak <= 1.3*top { // cut by a hair
		top = format.NiceTop(peak * 1.02)
	}
	return top
}

// valueY returns the whole pixel of a value.
func (c *Chart) valueY(value float64) float32 {
	plot := c.regions.plot
	return plot.Y1 - panel.Snap(float32(min(max(c.scale.share(value)*float64(plot.H()), -1e6), 1e6)))
}

// valueAt returns the value at a height in pixels.
func (c *Chart) valueAt(pxY float32) float64 {
	plot := c.regions.plot
	return c.scale.value(float64((plot.Y1 - pxY) / plot.H()))
}

// guideStep returns the distance of automatic guide bars of times, in seconds (VIEWER.md
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

// isTarget reports whether a time bar is that of the target frame rate (VIEWER.md section 6.4:
// within 0.001 Hz).
func isTarget(seconds, targetHz float64) bool {
	return seconds > 0 && math.Abs(1/seconds-targetHz) < 0.001
}

// appendSample appends a value in the chart's units: a duration or a rate, or a level with its
// unit.
func (c *Chart) appendSample(dst []byte, value float64, unit string) []byte {
	switch {
	case c.Levels:
		return format.AppendValue(dst, value, unit)
	case c.Hz:
		if value <= 0 {
			return append(dst, "–"...)
		}
		return format.AppendRate(dst, int64(value*1e9))
	}
	return format.AppendDuration(dst, int64(value*1e9+0.5))
}

// drawValue writes a value at the right of the plot, its middle at y.
func (c *Chart) drawValue(env *panel.Env, y float32, value float64, unit string, color draw.Color) {
	r := c.regions.values
	if r.Empty() {
		return
	}
	h := env.Px(7)
	box := draw.Rect{X0: r.X0 + env.Px(5), Y0: y - h, X1: r.X1 - env.Px(2), Y1: y + h}
	c.buf = c.appendGuide(c.buf[:0], value, unit)
	if !c.List().TextFit(draw.Small, box, draw.Left, panel.ScratchText(c.buf), color) {
		c.buf = c.appendGuide(c.buf[:0], value, "")
		c.List().TextIn(draw.Small, box, draw.Left, panel.ScratchText(c.buf), color)
	}
}

// appendGuide is appendSample for the values of guide bars, which are round.
func (c *Chart) appendGuide(dst []byte, value float64, unit string) []byte {
	if c.Levels {
		return c.appendSample(dst, value, unit)
	}
	from := len(dst)
	return format.TrimZeros(c.appendSample(dst, value, unit), from)
}

// drawRuler draws the times below the plot: session times, or how long before the newest frame
// while the chart follows it: "−15 s".
func (c *Chart) drawRuler(env *panel.Env) {
	r, w := c.regions.ruler, c.own.Window
	if r.Empty() || !w.Valid() {
		return
	}
	for _, x := range c.stops {
		c.buf = panel.AppendStopped(c.buf[:0], x.End-x.Begin)
		c.time.DrawTick(c.List(), env, w, x.Begin/2+x.End/2, 0, panel.ScratchText(c.buf))
	}
	if !env.View.Live() { // the window may be wider than the session is old
		earliest, _, _ := env.View.Session().Bounds()
		c.time.DrawRuler(c.List(), env, w, min(earliest, 0), env.Px(3), c.regions.all.X0+env.Px(8))
		return
	}
	step := format.NiceStep(w.NsPerPx(r) * float64(env.Px(72)))
	begin, end := w.Visible()
	for ago := step; ago < end-begin; ago += step {
		if in, ok := w.Folds.At(end - ago); ok {
			ago = (end - in.Begin) / step * step
			continue
		}
		c.buf = format.AppendRoundDuration(append(c.buf[:0], "−"...), ago)
		c.time.DrawTick(c.List(), env, w, end-ago, env.Px(3), panel.ScratchText(c.buf))
	}
}
