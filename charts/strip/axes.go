package strip

import (
	"framescope/charts/draw"
	"framescope/charts/format"
	"framescope/charts/panel"
)

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
	if !env.View.Live() { // the window may be wider than the session is old
		earliest, _, _ := env.View.Session().Bounds()
		c.time.DrawRuler(c.List(), env, w, min(earliest, 0), env.Px(3), c.regions.all.X0+env.Px(8))
		return
	}
	step := format.NiceStep(w.NsPerPx(r) * float64(env.Px(72)))
	for ago := step; float64(ago) < w.Width(); ago += step {
		c.buf = format.AppendRoundDuration(append(c.buf[:0], "−"...), ago)
		c.time.DrawTick(c.List(), env, w, int64(w.EndNs)-ago, env.Px(3), panel.ScratchText(c.buf))
	}
}
