package charts

import (
	"framescope/charts/draw"
	"framescope/model"
)

// input handles a tick's mouse and keys: the head, the labels, the value gutter, guide bars, and the plot.
func (c *StripChart) input(env *Env, s *model.Session, track *model.Track, in *Input) Action {
	v := env.View
	c.layHead(env)
	if i := c.crumbs.input(in); i >= 0 {
		c.Focus = c.crumbs.items[i].collector
		c.crumbs.follow(s, c.Focus, c.Levels)
		return Action{}
	}
	c.pressChip(c.chips.input(in))
	if c.rescaleInput(env, in) || c.guideInput(env, in) {
		return Action{}
	}
	if act, done := c.labelInput(env, s, in); done {
		return act
	}
	a := c.axis(env)
	if !a.Valid() {
		return Action{}
	}
	g := c.gestures.Update(env, a, c.regions.plot, in)
	if g.Moved {
		c.moved(env, g.Panned, in)
	}
	if c.ranging = g.Ranging; g.Ranging {
		c.rangeA, c.rangeB = g.RangeA, g.RangeB
	}
	if g.RangeDone && !g.Zooming {
		v.SetRange(g.RangeA, g.RangeB)
	}
	if !in.Over || g.Busy || !c.regions.plot.Contains(in.X, in.Y) {
		return Action{}
	}
	v.HoverTime, v.HasHoverTime = a.ToTime(c.regions.plot, float64(in.X)), true
	column, band := c.bandAt(in.X, in.Y)
	if band >= 0 {
		v.HoverCollector = c.strip.Bands[band]
	}
	switch {
	case g.DoubleClick:
		// A child's band leads down; the focus' own band, or where there is none, up (pstats-viewer section 9.8).
		if band < 0 || !c.Descend(c.strip.Bands[band]) {
			c.Ascend(env)
		}
		c.crumbs.follow(s, c.Focus, c.Levels)
		c.again.doubled(v, in)
	case g.Click && c.again.single(v):
		c.selectAt(env, track, column, band, in)
	case g.Menu:
		h := c.HitTest(env, in.X, in.Y)
		return Action{Kind: ActionMenu, Track: c.track, Collector: h.Collector, Frame: h.Frame, X: in.X, Y: in.Y, Hit: h}
	}
	return Action{}
}

// moved notes that the user moved the time axis: the view no longer follows the newest data, except when a chart with its own window only became wider or narrower.
func (c *StripChart) moved(env *Env, panned bool, in *Input) {
	if c.Linked {
		if panned {
			env.View.Live = false
		}
		return
	}
	if panned {
		env.View.Live = false
	}
	b, e := c.own.Target()
	c.FollowNs = int64(e - b)
}

// pressChip does what a switch in the head stands for.
func (c *StripChart) pressChip(id int) {
	switch id {
	case chipUnit:
		c.Hz = !c.Hz
	case chipColumns:
		switch c.Columns {
		case model.StripMax:
			c.Columns = model.StripSmooth
		case model.StripSmooth:
			c.Columns = model.StripHold
		default:
			c.Columns = model.StripMax
		}
	case chipScale:
		c.ToggleScale()
	}
}

// ToggleScale fixes the vertical scale as it is, or makes it automatic again.
func (c *StripChart) ToggleScale() {
	if c.Scale == ScaleAuto {
		c.Scale, c.FixedTop = ScaleFixed, c.topTarget
		return
	}
	c.Scale = ScaleAuto
	c.topFor = stripScaleKey{}
}

// rescaleInput handles a drag on the value gutter: the value that was pressed follows the mouse (pstats-viewer section 9.5). A double click makes the scale automatic again.
// It returns true while it has the mouse.
func (c *StripChart) rescaleInput(env *Env, in *Input) bool {
	plot, gutter := c.regions.plot, c.regions.values
	over := in.Over && gutter.Contains(in.X, in.Y)
	if over && in.DoubleClick {
		c.rescaling = false
		c.Scale, c.topFor = ScaleAuto, stripScaleKey{}
		return true
	}
	if over && in.WheelY != 0 && c.top > 0 {
		c.Scale, c.FixedTop = ScaleFixed, c.topTarget
		for range int(min(abs32(in.WheelY)+0.5, 8)) {
			if in.WheelY > 0 {
				c.FixedTop /= 1.25
			} else {
				c.FixedTop *= 1.25
			}
		}
		return true
	}
	if over && in.Left.Pressed && c.top > 0 && plot.H() > 0 {
		c.rescaling = true
		c.pressValue = c.top * float64((plot.Y1-in.Y)/plot.H())
	}
	if !c.rescaling {
		return false
	}
	if !in.Left.Down {
		c.rescaling = false
		return false
	}
	if in.Left.Dragging {
		share := float64((plot.Y1 - in.Y) / plot.H())
		if share > 0.02 && c.pressValue > 0 {
			c.Scale, c.FixedTop = ScaleFixed, c.pressValue/share
		}
	}
	return true
}

// guideInput handles the user's guide bars (pstats-viewer section 6.5): dragged in from the ruler below the plot, moved, and dragged out again. It returns true while it has the mouse.
func (c *StripChart) guideInput(env *Env, in *Input) bool {
	plot := c.regions.plot
	if c.guideDrag >= len(c.Guides) {
		c.guideDrag = -1
	}
	if c.guideDrag < 0 {
		if !in.Over || !in.Left.Pressed || in.Shift || in.Ctrl || c.top <= 0 {
			return false
		}
		if c.regions.ruler.Contains(in.X, in.Y) {
			c.Guides = append(c.Guides, 0)
			c.guideDrag = len(c.Guides) - 1
		} else if plot.Contains(in.X, in.Y) {
			for i, g := range c.Guides {
				if abs32(c.valueY(g)-in.Y) <= env.Px(4) {
					c.guideDrag = i
				}
			}
		}
		if c.guideDrag < 0 {
			return false
		}
	}
	inside := in.Y > plot.Y0 && in.Y < plot.Y1
	if in.Left.Down {
		c.Guides[c.guideDrag] = 0
		if inside {
			c.Guides[c.guideDrag] = c.top * float64((plot.Y1-in.Y)/plot.H())
		}
		return true
	}
	if !inside || c.Guides[c.guideDrag] <= 0 {
		c.Guides = append(c.Guides[:c.guideDrag], c.Guides[c.guideDrag+1:]...)
	}
	c.guideDrag = -1
	return true
}

// labelInput handles the label column.
func (c *StripChart) labelInput(env *Env, s *model.Session, in *Input) (Action, bool) {
	if !in.Over || !c.regions.labels.Contains(in.X, in.Y) {
		return Action{}, false
	}
	band := c.labelAt(in.X, in.Y)
	if band < 0 || band >= len(c.strip.Bands) {
		if in.DoubleClick {
			c.Ascend(env)
			c.crumbs.follow(s, c.Focus, c.Levels)
		}
		return Action{}, true
	}
	id := c.strip.Bands[band]
	env.View.HoverCollector = id
	switch {
	case in.DoubleClick:
		if !c.Descend(id) {
			c.Ascend(env)
		}
		c.crumbs.follow(s, c.Focus, c.Levels)
	case in.Left.Pressed:
		env.View.Collector = id
	case in.Right.Released && !in.Right.Dragging:
		h := c.HitTest(env, in.X, in.Y)
		return Action{Kind: ActionMenu, Track: c.track, Collector: id, Frame: -1, X: in.X, Y: in.Y, Hit: h}, true
	}
	return Action{}, true
}

// selectAt selects the frame that a column shows and the band's collector.
func (c *StripChart) selectAt(env *Env, track *model.Track, column, band int, in *Input) {
	v := env.View
	t := c.axis(env).ToTime(c.regions.plot, float64(in.X))
	if column >= 0 && column < len(c.strip.Columns) && c.strip.Columns[column].State == model.ColumnData {
		if f := int(c.strip.Columns[column].Frame); f >= 0 && f < track.NumFrames() {
			// The column may show a frame that is not the one at this instant (the longest of several): the one that is seen is the one that is meant.
			if c.track == v.Track {
				v.SelectFrames(f, f)
			} else {
				v.SetPlayhead(track.Frame(f).Begin)
			}
			t = v.Playhead
		}
	} else {
		v.SetPlayhead(t)
	}
	if band >= 0 {
		v.Collector = c.strip.Bands[band]
	}
}

// HitTest returns the band, gap or label under a point.
func (c *StripChart) HitTest(env *Env, pxX, pxY float32) Hit {
	none := Hit{Collector: model.NoCollector, Frame: -1, Track: c.track}
	s, track := c.resolve(env)
	if s == nil || track == nil || len(c.xs) < 2 {
		return none
	}
	if band := c.labelAt(pxX, pxY); band >= 0 && band < len(c.strip.Bands) {
		return c.hitLabel(env, s, track, band, pxX, pxY)
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
	h.TimeNs = c.axis(env).ToTime(c.regions.plot, float64(pxX))
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
		c.describeBand(env, s, track, column, band)
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
func (c *StripChart) hitLabel(env *Env, s *model.Session, track *model.Track, band int, pxX, pxY float32) Hit {
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
func (c *StripChart) describeBand(env *Env, s *model.Session, track *model.Track, column, band int) {
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

// fullName is a collector's full name; the root's is its own.
func fullName(d *model.Collector) string {
	if d.FullName == "" {
		return d.Name
	}
	return d.FullName
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
