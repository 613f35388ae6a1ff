package strip

import (
	"slices"

	"framescope/charts/draw"
	"framescope/charts/format"
	"framescope/charts/panel"
	"framescope/charts/subject"
	"framescope/model"
	"framescope/model/frames"
	"framescope/model/store"
)

// input handles a tick's mouse and keys: the head, the legend, the value gutter, guide bars, and
// the plot.
func (c *Chart) input(env *panel.Env, s *store.Session, track *store.Track, in *panel.Input) panel.Action {
	v := env.View
	c.hover.Begin()
	if i := c.crumbs.Input(in); i >= 0 {
		c.Focus = c.crumbs.Items[i].Collector
		c.crumbs.Follow(s, c.Focus, c.Levels)
		return panel.Action{}
	}
	if c.rescaleInput(in) || c.guideInput(env, in) {
		return panel.Action{}
	}
	if act, done := c.legendInput(env, s, in); done {
		return act
	}
	if !c.own.Window.Valid() {
		return panel.Action{}
	}
	g, over := c.time.Input(env, &c.own, in)
	if g.Panned { // not where the window only became wider or narrower
		v.Follow(false)
	}
	if g.Moved {
		b, e := c.own.Target()
		c.FollowNs = int64(e - b)
	}
	if !over {
		return panel.Action{}
	}
	c.hover.AtTime(c.own.Window.ToTime(c.regions.plot, float64(in.X)))
	column, band := c.bandAt(in.X, in.Y)
	if band >= 0 {
		c.hover.AtCollector(c.strip.Bands[band])
	}
	switch {
	case g.DoubleClick:
		// A child's band leads down; the focus' own band, or where there is none, up (VIEWER.md
		// section 9.8).
		if band < 0 || !c.Descend(c.strip.Bands[band]) {
			c.Ascend(env)
		}
		c.crumbs.Follow(s, c.Focus, c.Levels)
		c.again.Doubled(v, in)
	case g.Click && c.again.Single(v):
		c.selectAt(env, track, column, band, in)
	case g.Menu:
		return panel.MenuOf(c.HitTest(env, in.X, in.Y), in.X, in.Y)
	}
	return panel.Action{}
}

// ToggleScale fixes the vertical scale as it is, or makes it automatic again.
func (c *Chart) ToggleScale() {
	if c.FixedTop > 0 {
		c.FixedTop, c.scaleFor = 0, stripScaleKey{}
		return
	}
	c.FixedTop = c.target.top
}

// rescaleInput handles a drag on the value gutter: the value that was pressed follows the mouse
// (VIEWER.md section 9.5). A double click makes the scale automatic again. It returns true
// while it has the mouse.
func (c *Chart) rescaleInput(in *panel.Input) bool {
	plot, gutter := c.regions.plot, c.regions.values
	over := in.Over && gutter.Contains(in.X, in.Y)
	if over && in.DoubleClick {
		c.rescaling = false
		c.FixedTop, c.scaleFor = 0, stripScaleKey{}
		return true
	}
	if over && in.WheelY != 0 && c.scale.top > 0 {
		c.FixedTop = c.target.top * panel.WheelStretch(in.WheelY)
		return true
	}
	if over && in.Left.Pressed && c.scale.top > 0 && plot.H() > 0 {
		c.rescaling = true
		c.pressValue = c.valueAt(in.Y)
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
			c.FixedTop = c.pressValue / share
		}
	}
	return true
}

// guideInput handles the user's guide bars (VIEWER.md section 6.5): dragged in from the ruler
// below the plot, moved, and dragged out again. It returns true while it has the mouse.
func (c *Chart) guideInput(env *panel.Env, in *panel.Input) bool {
	plot := c.regions.plot
	if c.guideDrag >= len(c.Guides) {
		c.guideDrag = -1
	}
	if c.guideDrag < 0 {
		if !in.Over || !in.Left.Pressed || in.Shift || in.Ctrl || c.scale.top <= 0 {
			return false
		}
		if c.regions.ruler.Contains(in.X, in.Y) {
			c.Guides = append(c.Guides, 0)
			c.guideDrag = len(c.Guides) - 1
		} else if plot.Contains(in.X, in.Y) {
			for i, g := range c.Guides {
				if panel.Abs32(c.valueY(g)-in.Y) <= env.Px(4) {
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
			c.Guides[c.guideDrag] = c.valueAt(in.Y)
		}
		return true
	}
	if !inside || c.Guides[c.guideDrag] <= 0 {
		c.Guides = slices.Delete(c.Guides, c.guideDrag, c.guideDrag+1)
	}
	c.guideDrag = -1
	return true
}

// legendInput handles the legend.
func (c *Chart) legendInput(env *panel.Env, s *store.Session, in *panel.Input) (panel.Action, bool) {
	if !in.Over || !c.regions.legend.Contains(in.X, in.Y) {
		return panel.Action{}, false
	}
	band := c.bandNamedAt(in.X, in.Y)
	if band < 0 || band >= len(c.strip.Bands) {
		if in.DoubleClick {
			c.Ascend(env)
			c.crumbs.Follow(s, c.Focus, c.Levels)
		}
		return panel.Action{}, true
	}
	id := c.strip.Bands[band]
	c.hover.AtCollector(id)
	switch {
	case in.DoubleClick:
		if !c.Descend(id) {
			c.Ascend(env)
		}
		c.crumbs.Follow(s, c.Focus, c.Levels)
	case in.Left.Pressed:
		env.View.SelectCollectorOf(c.track, id)
	case in.Right.Released && !in.Right.Dragging:
		return panel.MenuOf(c.HitTest(env, in.X, in.Y), in.X, in.Y), true
	}
	return panel.Action{}, true
}

// selectAt selects the frame that a column shows and the band's collector.
func (c *Chart) selectAt(env *panel.Env, track *store.Track, column, band int, in *panel.Input) {
	v := env.View
	t := c.own.Window.ToTime(c.regions.plot, float64(in.X))
	if column >= 0 && column < len(c.strip.Columns) && c.strip.Columns[column].State == frames.ColumnData {
		if f := int(c.strip.Columns[column].Frame); f >= 0 && f < track.NumFrames() {
			// The column may show a frame that is not the one at this instant (the longest of several): the
			// one that is seen is the one that is meant.
			v.SetTrack(c.track)
			v.SelectFrames(f, f)
		}
	} else {
		v.SetPlayhead(t)
	}
	if band >= 0 {
		v.SelectCollectorOf(c.track, c.strip.Bands[band])
	}
}

// The tools of the strip chart.
const (
	toolUnit = iota
	toolColumns
	toolKnee
	toolScale
)

// units are the units of times; columns and columnNames are the modes of a column.
var (
	units       = []string{"ms", "Hz"}
	columns     = [...]frames.StripMode{frames.StripMax, frames.StripHold, frames.StripSmooth}
	columnNames = []string{"Worst frame", "Last frame", "Smooth"}
)

// Tools implements panel.Tooled.
func (c *Chart) Tools(*panel.Env) []panel.Tool {
	b := &c.tools
	b.Begin()
	if !c.Levels {
		unit := format.Pick(c.Hz, 1, 0)
		b.Choice(toolUnit, unit, units, "", "Times, or how often a second they fit in")
	}
	b.Choice(toolColumns, slices.Index(columns[:], c.Columns), columnNames, "", "What a column shows of its frames")
	if !c.Levels {
		b.Toggle(toolKnee, c.bent(), "Knee", "Linear to one and a half of the budget, logarithmic above")
	}
	b.Toggle(toolScale, c.FixedTop > 0, "Fixed scale", "The scale stays as it is")
	return b.All()
}

// Use implements panel.Tooled.
func (c *Chart) Use(_ *panel.Env, id, option int) {
	switch id {
	case toolUnit:
		c.Hz = option == 1
	case toolColumns:
		c.Columns = columns[option]
	case toolKnee:
		if c.FixedTop > 0 { // a scale that the user fixed has none
			c.FixedTop, c.Linear = 0, true
		}
		c.Linear = !c.Linear
	case toolScale:
		c.ToggleScale()
	}
}

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
		q := &c.queryKey.q
		for _, x := range c.stops {
			if x.End > q.ColumnTime(column) && x.Begin < q.ColumnTime(column+1) {
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
