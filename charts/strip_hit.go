package charts

import (
	"framescope/charts/draw"
	"framescope/model"
)

// HitTest returns the band, gap or label under a point.
func (c *StripChart) HitTest(env *Env, pxX, pxY float32) Hit {
	none := Hit{Collector: model.NoCollector, Frame: -1, Track: c.track}
	s, track := c.resolve(env)
	if s == nil || track == nil || len(c.xs) < 2 {
		return none
	}
	if band := c.labelAt(pxX, pxY); band >= 0 && band < len(c.strip.Bands) {
		return c.hitLabel(s, track, band)
	}
	if c.regions.values.Contains(pxX, pxY) {
		h := none
		h.Kind, h.Rect = HitAxis, c.regions.values
		c.hit.begin()
		c.hit.add("Drag to rescale, double click for the automatic scale")
		h.Lines = c.hit.all()
		return h
	}
	if !c.regions.plot.Contains(pxX, pxY) {
		return none
	}
	column, band := c.bandAt(pxX, pxY)
	if column < 0 || column >= len(c.strip.Columns) {
		return none
	}
	col := &c.strip.Columns[column]
	h := none
	h.TimeNs = c.window(env).ToTime(c.regions.plot, float64(pxX))
	h.Rect = draw.Rect{X0: c.xs[column], Y0: c.regions.plot.Y0, X1: c.xs[column+1], Y1: c.regions.plot.Y1}
	c.hit.begin()
	gap, inGap := c.gapAt(h.TimeNs)
	if col.State != model.ColumnData && col.State != model.ColumnMissing {
		inGap = false
	}
	if col.State != model.ColumnMissing && col.Frame >= 0 && int(col.Frame) < track.NumFrames() {
		h.Frame = int(col.Frame)
	}
	if band >= 0 {
		h.Kind, h.Collector = HitBand, c.strip.Bands[band]
		n := len(c.strip.Bands) + 1
		h.Rect.Y0, h.Rect.Y1 = c.edges[column*n+band+1], c.edges[column*n+band]
		c.describeBand(s, track, column, band)
	} else if inGap && col.State == model.ColumnMissing {
		h.Kind = HitGap
	} else if h.Frame >= 0 {
		h.Kind = HitFrame
		c.describeFrame(s, track, column)
	}
	if inGap && col.State == model.ColumnMissing {
		h.Gap = gap
		c.describeGap(gap, band >= 0)
	}
	if len(c.hit.ends) > 0 {
		h.Lines = c.hit.all()
	}
	return h
}

// hitLabel is the hit of a label.
func (c *StripChart) hitLabel(s *model.Session, track *model.Track, band int) Hit {
	h := Hit{Kind: HitBand, Collector: c.strip.Bands[band], Frame: -1, Track: c.track}
	for i := range c.labels {
		if c.labels[i].band == band {
			h.Rect = c.labels[i].rect
		}
	}
	d := s.Collector(h.Collector)
	unit := c.unit(s)
	t := &c.hit
	t.begin()
	t.add(fullName(d))
	if band < len(c.ref.values) && c.ref.last >= c.ref.first {
		t.buf = c.appendSample(t.buf, c.ref.values[band], unit)
		t.buf = appendTimes(t.buf, c.ref.counts[band])
		t.buf = append(t.buf, " · "...)
		t.buf = c.appendReference(t.buf, track)
		t.end()
	}
	if band < len(c.peaks) {
		t.buf = append(t.buf, "greatest in view "...)
		t.buf = c.appendSample(t.buf, float64(c.peaks[band]), unit)
		t.end()
	}
	if h.Collector != c.Focus {
		t.add("Double click: what it is made of")
	}
	h.Lines = t.all()
	return h
}

// describeBand writes name, value and frame of a band in a column.
func (c *StripChart) describeBand(s *model.Session, track *model.Track, column, band int) {
	t, col := &c.hit, &c.strip.Columns[column]
	unit := c.unit(s)
	value := float64(c.row(column)[band])
	count := int32(0)
	if col.State == model.ColumnData && c.Columns != model.StripSmooth && col.Frame >= 0 && int(col.Frame) < track.NumFrames() {
		c.bandBuf = c.bandBuf[:0]
		c.bandBuf, _ = s.FrameStrip(c.track, int(col.Frame), c.Focus, c.Levels, c.bandBuf)
		for _, b := range c.bandBuf {
			if b.Collector == c.strip.Bands[band] {
				value, count = b.Value, b.Count
			}
		}
	}
	t.buf = append(t.buf, fullName(s.Collector(c.strip.Bands[band]))...)
	t.buf = append(t.buf, " ("...)
	t.buf = c.appendSample(t.buf, value, unit)
	t.buf = appendTimes(t.buf, count)
	t.buf = append(t.buf, ')')
	t.end()
	c.describeFrame(s, track, column)
	if !c.Levels && col.Frame >= 0 && int(col.Frame) < track.NumFrames() && value > 0 {
		if step := s.Info().Clock.Step(track.Frame(int(col.Frame)).Begin); float64(step)*20 >= value*1e9 {
			t.buf = appendStep(t.buf, step)
			t.end()
		}
	}
	if band < len(c.ref.values) && c.ref.last > c.ref.first {
		t.buf = c.appendReference(t.buf, track)
		t.buf = append(t.buf, ": "...)
		t.buf = c.appendSample(t.buf, c.ref.values[band], unit)
		t.end()
	}
}

// describeFrame writes the line on the frame that a column shows.
func (c *StripChart) describeFrame(s *model.Session, track *model.Track, column int) {
	t, col := &c.hit, &c.strip.Columns[column]
	if col.State != model.ColumnData || col.Frame < 0 || int(col.Frame) >= track.NumFrames() {
		return
	}
	if c.Columns == model.StripSmooth {
		t.buf = append(t.buf, "mean of the 3 s before"...)
		t.end()
		return
	}
	f := track.Frame(int(col.Frame))
	t.buf = append(t.buf, "frame "...)
	t.buf = AppendCount(t.buf, f.Number)
	t.buf = append(t.buf, " · "...)
	t.buf = c.appendSample(t.buf, float64(col.Net), c.unit(s))
	t.buf = append(t.buf, " in total"...)
	if col.Frames > 1 {
		t.buf = append(t.buf, " · longest of "...)
		if c.Columns == model.StripHold {
			t.buf = append(t.buf[:len(t.buf)-len("longest of ")], "newest of "...)
		}
		t.buf = AppendCount(t.buf, int64(col.Frames))
	}
	t.end()
}

// describeGap writes the lines on missing frames.
func (c *StripChart) describeGap(g model.Gap, interpolated bool) {
	t := &c.hit
	t.buf = appendGap(t.buf, g)
	t.end()
	if interpolated {
		t.add("what is drawn is interpolated between the neighbours")
	}
}

// appendGap appends "8 frames missing: 12 408 – 12 415".
func appendGap(dst []byte, g model.Gap) []byte {
	dst = AppendCount(dst, g.Count())
	if g.Count() == 1 {
		dst = append(dst, " frame missing: "...)
		return AppendCount(dst, g.FirstNumber)
	}
	dst = append(dst, " frames missing: "...)
	dst = AppendCount(dst, g.FirstNumber)
	dst = append(dst, " – "...)
	return AppendCount(dst, g.LastNumber)
}

// gapAt returns the gap that covers a time.
func (c *StripChart) gapAt(timeNs int64) (model.Gap, bool) {
	perCol := int64(c.nsPerCol) + 1
	for _, g := range c.gaps {
		if timeNs >= g.Begin-perCol && timeNs < g.End+perCol {
			return g, true
		}
	}
	return model.Gap{}, false
}

// appendTimes appends " / 41x" when something ran several times.
func appendTimes(dst []byte, n int32) []byte {
	if n <= 1 {
		return dst
	}
	dst = append(dst, " / "...)
	return append(AppendCount(dst, int64(n)), 'x')
}

// appendReference appends what the labels' values stand for: "frame 12 407", "mean of 9 frames".
func (c *StripChart) appendReference(dst []byte, track *model.Track) []byte {
	first, last := c.ref.first, c.ref.last
	if last < first || last >= track.NumFrames() {
		return dst
	}
	if first == last {
		dst = append(dst, "frame "...)
		return AppendCount(dst, track.Frame(first).Number)
	}
	dst = append(dst, "mean of "...)
	dst = AppendCount(dst, int64(last-first+1))
	return append(dst, " frames"...)
}

// Title returns the panel's title: "Strip chart: Frame", with the thread unless it is the first.
func (c *StripChart) Title(env *Env) string {
	s, track := c.resolve(env)
	b := append(c.buf[:0], "Strip chart"...)
	if c.Levels {
		b = append(b[:0], "Levels"...)
	}
	if s != nil {
		b = append(b, ": "...)
		b = append(b, fullName(s.Collector(c.Focus))...)
		if u := c.unit(s); u != "" {
			b = append(append(append(b, " ("...), u...), ')')
		}
		if track != nil && c.track != 0 {
			b = append(append(append(b, " · "...), track.Title()...), ""...)
		}
	}
	c.buf = b
	return c.title.set(b)
}

// Mode returns the total and what it is the total of: "16.9 ms · frame 12 407".
func (c *StripChart) Mode(env *Env) string {
	s, track := c.resolve(env)
	b := c.buf[:0]
	switch {
	case s == nil || track == nil || track.NumFrames() == 0:
	case c.ref.inGap:
		b = appendGap(b, c.ref.gap)
	case c.ref.last >= c.ref.first:
		b = c.appendSample(b, c.ref.net, c.unit(s))
		if !c.Levels && !c.Hz && c.Focus == 0 && c.ref.net > 0 {
			b = append(b, " · "...)
			b = AppendRate(b, int64(c.ref.net*1e9))
		}
		b = append(b, " · "...)
		b = c.appendReference(b, track)
	}
	c.buf = b
	return c.mode.set(b)
}
