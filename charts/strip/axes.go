package strip

import (
	"framescope/charts/draw"
	"framescope/charts/format"
	"framescope/charts/panel"
	"framescope/model/store"
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
	if !c.List().TextFit(draw.SmallMono, box, draw.Left, panel.ScratchText(c.buf), color) {
		c.buf = c.appendGuide(c.buf[:0], value, "")
		c.List().TextIn(draw.SmallMono, box, draw.Left, panel.ScratchText(c.buf), color)
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

// drawLabels draws the label column: swatch, name, value, and where a label is not beside its band
// a line that leads there.
func (c *Chart) drawLabels(env *panel.Env, s *store.Session) {
	l, area, v := c.List(), c.regions.labels, env.View
	if area.Empty() {
		return
	}
	unit := c.unit(s)
	rowH := env.Px(labelPx)
	if c.hidden > 0 {
		c.buf = append(format.AppendCount(append(c.buf[:0], '+'), int64(c.hidden)), " more"...)
		top := area.Y0
		if len(c.labels) > 0 {
			top = c.labels[len(c.labels)-1].rect.Y0 - rowH
		}
		l.TextIn(draw.Small, draw.Rect{X0: area.X0 + env.Px(25), Y0: top, X1: area.X1, Y1: top + rowH}, draw.Left, panel.ScratchText(c.buf), draw.Color(env.Theme.TextDim))
	}
	valueW := env.Px(58)
	for i := range c.labels {
		lb := &c.labels[i]
		id := c.strip.Bands[lb.band]
		r := lb.rect
		fill := v.Look().Palette().Fill(id)
		if v.Selects(id) {
			l.Rect(draw.Rect{X0: r.X0, Y0: r.Y0, X1: r.X0 + env.Px(2), Y1: r.Y1}, draw.Color(env.Theme.Selection))
		}
		if c.isLit(v, lb.band) {
			l.Rect(r, draw.Color(env.Theme.Hover))
			fill = draw.Highlight(fill)
		}
		sw := env.Px(9)
		line := r // of the name
		if c.twoLines {
			line.Y0 += env.Px(1)
			line.Y1 = line.Y0 + env.Px(16)
		}
		box := draw.Rect{X0: r.X0 + env.Px(9), Y0: line.Y0 + panel.Snap((line.H()-sw)/2)}
		box.X1, box.Y1 = box.X0+sw, box.Y0+sw
		hidden := v.Look().Hidden(id)
		if hidden {
			l.Outline(box, env.Px(1), fill)
		} else {
			l.Rect(box, fill)
		}
		if !hidden {
			c.drawLeader(env, i, fill)
		}
		name := draw.Rect{X0: box.X1 + env.Px(7), Y0: line.Y0, X1: r.X1 - valueW, Y1: line.Y1}
		value, align := draw.Rect{X0: r.X1 - valueW, Y0: r.Y0, X1: r.X1 - env.Px(2), Y1: r.Y1}, draw.Right
		switch {
		case c.twoLines:
			name.X1 = r.X1 - env.Px(2)
			value, align = draw.Rect{X0: name.X0, Y0: line.Y1 - env.Px(2), X1: r.X1, Y1: r.Y1 - env.Px(1)}, draw.Left
		case c.narrow(env): // the value is in the tooltip
			name.X1, value.X0 = r.X1-env.Px(2), value.X1
		}
		text, text2 := draw.Color(env.Theme.Text), draw.Color(env.Theme.Text2)
		if hidden {
			text, text2 = draw.Color(env.Theme.TextDim), draw.Color(env.Theme.TextDim)
		}
		short := s.Collector(id).Name
		c.names.Add(0, draw.Regular, name, draw.Left, short, text)
		if id == c.Focus && len(c.strip.Bands) > 1 { // what is left of the focus on top of its children
			name.X0 += env.Atlas.Measure(draw.Regular, short) + env.Px(5)
			l.TextFit(draw.Small, name, draw.Left, "self", draw.Color(env.Theme.TextDim))
		}
		if lb.band < len(c.ref.values) && c.ref.last >= c.ref.first {
			c.buf = c.appendSample(c.buf[:0], c.ref.values[lb.band], unit)
			if !c.Levels && c.ref.values[lb.band] == 0 {
				c.buf = append(c.buf[:0], "–"...) // did not run
			}
			if !l.TextFit(draw.SmallMono, value, align, panel.ScratchText(c.buf), text2) {
				c.buf = c.appendSample(c.buf[:0], c.ref.values[lb.band], "")
				l.TextFit(draw.SmallMono, value, align, panel.ScratchText(c.buf), text2)
			}
		}
	}
	c.names.Draw(l)
}

// drawLeader draws the line from a label to the height where its band lies in the mean of what is
// visible.
func (c *Chart) drawLeader(env *panel.Env, i int, color draw.Color) {
	lb := &c.labels[i]
	plot := c.regions.plot
	y0 := panel.Snap((lb.rect.Y0 + lb.rect.Y1) / 2)
	if c.twoLines {
		y0 = lb.rect.Y0 + env.Px(9)
	}
	y1 := min(max(lb.desired, plot.Y0), plot.Y1-env.Px(1))
	x0, x1 := c.regions.labels.X1+env.Px(1), plot.X0-env.Px(1)
	color = color.WithAlpha(170)
	if panel.Abs32(y0-y1) < env.Px(2) {
		c.List().HLine(x0, x1, y0, env.Px(1), color)
		return
	}
	mid := x0 + env.Px(2) + env.Px(2)*float32(i%3) // so that the bends of neighbours stand apart
	c.List().HLine(x0, mid, y0, env.Px(1), color)
	c.List().VLine(mid, min(y0, y1), max(y0, y1)+env.Px(1), env.Px(1), color)
	c.List().HLine(mid, x1, y1, env.Px(1), color)
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
		c.time.DrawRuler(c.List(), env, w, min(earliest, 0), env.Px(3), c.regions.labels.X0+env.Px(9))
		return
	}
	step := format.NiceStep(w.NsPerPx(r) * float64(env.Px(72)))
	for ago := step; float64(ago) < w.Width(); ago += step {
		c.buf = format.AppendRoundDuration(append(c.buf[:0], "−"...), ago)
		c.time.DrawTick(c.List(), env, w, int64(w.EndNs)-ago, env.Px(3), panel.ScratchText(c.buf))
	}
}
