package strip

import (
	"framescope/charts/draw"
	"framescope/charts/format"
	"framescope/charts/panel"
	"framescope/charts/subject"
	"framescope/model"
	"framescope/model/frames"
	"framescope/model/store"
)

// HitTest returns the band, gap or name under a point.
func (c *Chart) HitTest(env *panel.Env, pxX, pxY float32) panel.Hit {
	h := panel.Hit{Collector: model.NoCollector, Frame: -1, Track: c.track}
	s, track := c.resolve(env)
	if track == nil || len(c.xs) < 2 {
		return h
	}
	if band := c.bandNamedAt(pxX, pxY); band >= 0 && band < len(c.strip.Bands) {
		return c.hitLegend(env, s, track, band)
	}
	if c.regions.values.Contains(pxX, pxY) {
		h.Kind, h.Rect = panel.HitAxis, c.regions.values
		c.hit.Begin()
		c.hit.Add("Drag to rescale, double click for the automatic scale")
		h.Lines = c.hit.All()
		return h
	}
	column, band := c.bandAt(pxX, pxY)
	if column < 0 || column >= len(c.strip.Columns) {
		return h
	}
	col := &c.strip.Columns[column]
	h.TimeNs = c.own.Window.ToTime(c.regions.plot, float64(pxX))
	h.Rect = draw.Rect{X0: c.xs[column], Y0: c.regions.plot.Y0, X1: c.xs[column+1], Y1: c.regions.plot.Y1}
	c.hit.Begin()
	gap, inGap := columnGap(track, col)
	if col.State != frames.ColumnMissing && col.Frame >= 0 && int(col.Frame) < track.NumFrames() {
		h.Frame = int(col.Frame)
	}
	if band >= 0 {
		h.Kind, h.Collector = panel.HitBand, c.strip.Bands[band]
		n := len(c.strip.Bands) + 1
		h.Rect.Y0, h.Rect.Y1 = c.edges[column*n+band+1], c.edges[column*n+band]
		c.describeBand(s, track, column, band)
		subject.LimitTip(&c.hit, env.Limits.Of(c.track, h.Collector))
	} else if inGap {
		h.Kind = panel.HitGap
	} else if h.Frame >= 0 {
		h.Kind = panel.HitFrame
		c.describeFrame(s, track, column)
	} else if c.isOpen && h.TimeNs >= c.open.Begin && h.TimeNs <= c.open.End {
		h.Kind = panel.HitAxis
		subject.OpenTip(&c.hit, track, c.open)
	}
	if inGap {
		h.Gap = gap
		c.describeGap(gap, band >= 0)
	}
	if len(c.hit.Ends) > 0 {
		h.Lines = c.hit.All()
	}
	return h
}

// hitLegend is the hit of a name in the legend.
func (c *Chart) hitLegend(env *panel.Env, s *store.Session, track *store.Track, band int) panel.Hit {
	h := panel.Hit{Kind: panel.HitBand, Collector: c.strip.Bands[band], Frame: -1, Track: c.track}
	for i := range c.legend {
		if c.legend[i].band == band {
			h.Rect = c.legend[i].rect
		}
	}
	d := s.Collector(h.Collector)
	unit := c.unit(s)
	t := &c.hit
	t.Begin()
	t.Text(d.Title()).Text(c.ownWords(s, band)).End()
	if band < len(c.ref.values) && c.ref.last >= c.ref.first {
		t.Buf = c.appendSample(t.Buf, c.ref.values[band], unit)
		t.With(appendTimes(t.Buf, c.ref.counts[band])).Text(" · ")
		t.With(c.appendReference(t.Buf, track)).End()
	}
	if band < len(c.peaks) {
		t.Text("greatest in view ")
		peak, about := format.Float32(c.peaks[band])
		if about {
			t.Text("≈ ")
		}
		t.With(c.appendSample(t.Buf, peak, unit)).End()
	}
	subject.LimitTip(t, env.Limits.Of(c.track, h.Collector))
	if h.Collector != c.Focus {
		t.Add("Double click: what it is made of")
	}
	h.Lines = t.All()
	return h
}

// describeBand writes name, value and frame of a band in a column.
func (c *Chart) describeBand(s *store.Session, track *store.Track, column, band int) {
	t, col := &c.hit, &c.strip.Columns[column]
	unit := c.unit(s)
	value := float64(c.row(column)[band])
	count := int32(0)
	if c.ofFrame(track, col) && c.Columns != frames.StripSmooth {
		c.stacked(s, col)
		for _, b := range c.bandBuf {
			if b.Collector == c.strip.Bands[band] {
				value, count = b.Value, b.Count
			}
		}
	}
	t.Text(s.Collector(c.strip.Bands[band]).Title()).Text(c.ownWords(s, band)).Text(" (")
	t.Buf = c.appendSample(t.Buf, value, unit)
	t.With(appendTimes(t.Buf, count)).Text(")").End()
	c.describeFrame(s, track, column)
	if !c.Levels && col.Frame >= 0 && int(col.Frame) < track.NumFrames() && value > 0 {
		if step := s.Info().Clock.Step(track.Frame(int(col.Frame)).Begin); float64(step)*20 >= value*1e9 {
			t.With(format.AppendStep(t.Buf, step)).End()
		}
	}
	if band < len(c.ref.values) && c.ref.last > c.ref.first {
		t.With(c.appendReference(t.Buf, track)).Text(": ")
		t.With(c.appendSample(t.Buf, c.ref.values[band], unit)).End()
	}
}

// ofFrame reports whether a column shows a frame that is there.
func (c *Chart) ofFrame(track *store.Track, col *frames.StripColumn) bool {
	return col.State == frames.ColumnData && col.Frame >= 0 && int(col.Frame) < track.NumFrames()
}

// stacked gets the bands of a column's frame, in full, and returns their sum.
func (c *Chart) stacked(s *store.Session, col *frames.StripColumn) (net float64) {
	c.bandBuf, net = s.Frames().OpenBands(c.track, int(col.Frame), c.Focus, c.opened.id, c.Levels, c.bandBuf[:0])
	return net
}

// smoothWords describe a column if columns are means.
const smoothWords = "mean of the 3 s before"

// describeFrame writes the line on the frame that a column shows.
func (c *Chart) describeFrame(s *store.Session, track *store.Track, column int) {
	t, col := &c.hit, &c.strip.Columns[column]
	if col.State == frames.ColumnStopped {
		at := int64(c.t0 + float64(column)*c.nsPerCol)
		for _, x := range c.stops {
			if x.End > at && float64(x.Begin) < float64(at)+c.nsPerCol {
				subject.StopTip(t, x)
				return
			}
		}
	}
	if !c.ofFrame(track, col) {
		return
	}
	if c.Columns == frames.StripSmooth {
		t.Add(smoothWords)
		return
	}
	f := track.Frame(int(col.Frame))
	t.Text("frame ").Count(f.Number).Text(" · ")
	t.With(c.appendSample(t.Buf, c.stacked(s, col), c.unit(s))).Text(" in total")
	if col.Frames > 1 {
		which := format.Pick(c.Columns == frames.StripHold, " · newest of ", " · longest of ")
		t.Text(which).Count(int64(col.Frames))
	}
	t.End()
}

// describeGap writes the lines on missing frames.
func (c *Chart) describeGap(g frames.Gap, interpolated bool) {
	t := &c.hit
	t.With(appendGap(t.Buf, g)).End()
	switch {
	case interpolated && c.Columns == frames.StripSmooth:
		t.Add(smoothWords)
	case interpolated:
		t.Add("the value is interpolated between the neighbours")
	}
}

// appendGap appends "8 frames missing: 12 408 – 12 415".
func appendGap(dst []byte, g frames.Gap) []byte {
	dst = format.AppendPlural(dst, g.Count(), "frame missing: ", "frames missing: ")
	if dst = format.AppendCount(dst, g.FirstNumber); g.Count() > 1 {
		dst = format.AppendCount(append(dst, " – "...), g.LastNumber)
	}
	return dst
}

// columnGap returns the gap that a column shows: that behind its frame, between which and the next
// one it is interpolated. Several may be under one pixel.
func columnGap(track *store.Track, col *frames.StripColumn) (frames.Gap, bool) {
	if col.State != frames.ColumnMissing {
		return frames.Gap{}, false
	}
	return track.GapAfter(int(col.Frame))
}

// appendTimes appends " / 41x" when something ran several times.
func appendTimes(dst []byte, n int32) []byte {
	if n <= 1 {
		return dst
	}
	dst = append(dst, " / "...)
	return append(format.AppendCount(dst, int64(n)), 'x')
}

// appendReference appends the frames of the labels' values: "frame 12 407", "mean of 9 frames".
func (c *Chart) appendReference(dst []byte, track *store.Track) []byte {
	first, last := c.ref.first, c.ref.last
	if last < first || last >= track.NumFrames() {
		return dst
	}
	if first == last {
		return format.AppendCount(append(dst, "frame "...), track.Frame(first).Number)
	}
	return panel.AppendMeanOf(dst, track.CountedFrames(first, last))
}

// Title returns the panel's title: "Strip chart: Frame", with the thread unless it is the first.
func (c *Chart) Title(env *panel.Env) string {
	s, track := c.resolve(env)
	b := append(c.title.New(), "Strip chart"...)
	if c.Levels {
		b = append(b[:0], "Levels"...)
	}
	if s.Collectors().Len() > 0 {
		b = append(append(b, ": "...), s.Collector(c.Focus).Title()...)
		if u := c.unit(s); u != "" {
			b = append(append(append(b, " ("...), u...), ')')
		}
		if track != nil && c.track != 0 {
			b = append(append(b, " · "...), track.Title()...)
		}
	}
	return c.title.Set(b)
}

// Mode returns the total and its frames: "16.9 ms · frame 12 407".
func (c *Chart) Mode(env *panel.Env) string {
	s, track := c.resolve(env)
	b := c.mode.New()
	switch {
	case track == nil || track.NumFrames() == 0:
	case c.ref.inGap:
		b = appendGap(b, c.ref.gap)
	case c.ref.last >= c.ref.first:
		b = c.appendSample(b, c.ref.net, c.unit(s))
		if !c.Levels && !c.Hz && c.Focus == 0 && c.ref.whole() {
			b = format.AppendRate(append(b, " · "...), int64(c.ref.took*1e9+0.5))
		}
		b = c.appendReference(append(b, " · "...), track)
	}
	return c.mode.Set(b)
}
