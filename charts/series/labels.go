package series

import (
	"framescope/assets"
	"framescope/charts/draw"
	"framescope/charts/format"
	"framescope/charts/panel"
	"framescope/charts/subject"
	"framescope/charts/view"
	"framescope/model"
	"framescope/model/spans"
)

// refTime returns the time of the figures: under the mouse in any panel, else the end of the
// selected range, the newest while live, the playhead if it is in view.
func (c *Chart) refTime(env *panel.Env) int64 {
	v := env.View
	begin, end := v.Time().Visible()
	switch {
	case v.Pointer().HasTime():
		return v.Pointer().Time()
	case v.Live():
		return end
	case v.RangeB() > v.RangeA():
		return v.RangeB() - 1
	// not where it stands in a session just opened
	case v.Playhead() > begin && v.Playhead() < end && v.Playhead() > opened(v):
		return v.Playhead()
	}
	return end
}

// opened is where the playhead stands in a session just opened.
func opened(v *view.View) int64 {
	begin, _, _ := v.Session().Bounds()
	return begin
}

// appendFigure appends the value of a series at a time; faint means that it is unknown, or older.
func (c *Chart) appendFigure(env *panel.Env, dst []byte, it *seriesItem, timeNs int64) (text []byte, faint bool) {
	x := env.View.Session().Series().ByID(it.id)
	if x.Def.Kind == model.SeriesEvent {
		return c.appendEventRate(env, dst, it, x, timeNs)
	}
	sample, ok := x.At(timeNs)
	if !ok && timeNs >= c.pick.end { // a series that ended with everything has no value then: the one before counts
		sample, ok = x.At(c.pick.end - 1)
	}
	if !ok {
		return append(dst, "–"...), true
	}
	_, last, _ := x.Bounds()
	if x.Def.Kind == model.SeriesState {
		return subject.AppendState(dst, &x.Def, sample.Value), false
	}
	old := float64(timeNs-last) > env.View.Time().Width()/10 // a tenth of the panel without news
	return it.value.Append(dst, sample.Value), old && x.Def.Kind == model.SeriesValue
}

// appendEventRate appends the rate of events: of the column under the mouse, else of the range of
// the statistics.
func (c *Chart) appendEventRate(
	env *panel.Env, dst []byte, it *seriesItem, x *spans.Series, timeNs int64,
) (text []byte, faint bool) {
	if env.View.Pointer().HasTime() {
		if col, ok := c.columnAt(it.id, timeNs); ok && col.known() {
			return it.curve.Append(dst, col.mid), false
		}
		return append(dst, "–"...), true
	}
	span := c.statsRange(env)
	c.one = x.Bins(span.a, span.b, 1, c.one[:0])
	if len(c.one) == 0 || span.b <= span.a {
		return append(dst, "–"...), true
	}
	sum := float64(c.one[0].N)
	if c.Weight {
		sum = c.one[0].Sum
	}
	return it.curve.Append(dst, sum*1e9/float64(span.b-span.a)), c.one[0].N == 0
}

// figure makes c.buf the value of a series at a time, and returns its color.
func (c *Chart) figure(env *panel.Env, it *seriesItem, timeNs int64) (color draw.Color) {
	text, faint := c.appendFigure(env, c.buf[:0], it, timeNs)
	if c.buf = text; faint {
		return draw.Color(env.Theme.TextDim)
	}
	return draw.Color(env.Theme.Text)
}

// columnAt returns the drawn column of a series at a time.
func (c *Chart) columnAt(id model.SeriesID, timeNs int64) (seriesCol, bool) {
	for k := range c.lines {
		ln := &c.lines[k]
		if c.pick.items[ln.item].id != id {
			continue
		}
		if i := column(c.grid(ln).times, timeNs); i >= 0 {
			return c.cols(ln)[i], true
		}
	}
	return seriesCol{}, false
}

// drawLabels draws names and figures: as a legend beside an overlay, or beside each row.
func (c *Chart) drawLabels(env *panel.Env) {
	at := c.refTime(env)
	r := &c.regions
	if r.labels.Empty() {
		return
	}
	clip := r.labels
	clip.X1 += env.Px(4)
	c.List().PushClip(clip)
	defer c.List().PopClip()
	defer c.names.Draw(c.List())
	if !c.overlaid() {
		for i := range c.plots {
			c.drawRowLabel(env, &c.plots[i], at)
		}
		return
	}
	n := c.legendCount(env)
	for i := range n {
		it := &c.pick.items[i]
		row := c.legendRow(env, i)
		c.drawGround(env, row, it.id)
		name := c.drawSwatch(env, row, it.color)
		color := c.figure(env, it, at)
		title := env.View.Session().Series().ByID(it.id).Def.Name
		c.drawLine(env, name, title, draw.Small, draw.Color(env.Theme.Text), color)
	}
	if rest := len(c.pick.items) - n; rest > 0 {
		row := c.legendRow(env, n)
		row.X0 += env.Px(25)
		c.buf = append(format.AppendCount(append(c.buf[:0], "and "...), int64(rest)), " more"...)
		c.List().TextIn(draw.Small, row, draw.Left, panel.ScratchText(c.buf), draw.Color(env.Theme.TextDim))
	}
}

// name writes the name of a series, shortened so that it differs from the others.
func (c *Chart) name(f draw.Face, r draw.Rect, name string, color draw.Color) {
	c.names.Add(0, f, r, draw.Left, name, color)
}

// drawGround marks the label of the focused series and of the one under the mouse.
func (c *Chart) drawGround(env *panel.Env, row draw.Rect, id model.SeriesID) {
	lit := c.focused(env).id != id && env.View.Lights(view.Series(id))
	if len(c.pick.items) > 1 && (c.over == id || lit) {
		c.List().Rect(row, draw.Color(env.Theme.Hover))
	}
	if len(c.pick.items) > 1 && c.focused(env).id == id {
		c.List().Rect(draw.Rect{X0: row.X0, Y0: row.Y0 + env.Px(1), X1: row.X0 + env.Px(2), Y1: row.Y1 - env.Px(1)},
			draw.Color(env.Theme.Accent))
	}
}

// drawSwatch draws the color of a label and returns the rest of the row.
func (c *Chart) drawSwatch(env *panel.Env, row draw.Rect, color draw.Color) draw.Rect {
	s := env.Px(9)
	box := draw.Rect{X0: row.X0 + env.Px(9), Y0: row.Y0 + panel.Snap((row.H()-s)/2)}
	box.X1, box.Y1 = box.X0+s, box.Y0+s
	c.List().Rect(box, color)
	row.X0 = box.X1 + env.Px(7)
	return row
}

// drawLine writes a name and c.buf, at the right where there is room for it.
func (c *Chart) drawLine(env *panel.Env, row draw.Rect, name string, face draw.Face, nameColor, color draw.Color) {
	w := env.Atlas.Measure(face, panel.ScratchText(c.buf)) + env.Px(6)
	if panel.RoomBeside(env, draw.Regular, name, row.W(), w) {
		c.List().TextFit(face, row, draw.Right, panel.ScratchText(c.buf), color)
		row.X1 -= w
	}
	c.name(draw.Regular, row, name, nameColor)
}

// drawRowLabel draws name and figure of a row, of gauges with a bar, of counters with the rate.
func (c *Chart) drawRowLabel(env *panel.Env, p *seriesPlot, at int64) {
	l, th := c.List(), env.Theme
	it := &c.pick.items[p.item]
	s := env.View.Session()
	x := s.Series().ByID(it.id)
	row := draw.Rect{X0: c.regions.labels.X0, Y0: p.row.Y0, X1: c.regions.labels.X1, Y1: p.row.Y1}
	c.drawGround(env, row, it.id)
	nameColor := draw.Color(format.Pick(it.empty, th.TextDim, th.Text))
	if row.H() < env.Px(36) {
		name := row
		name.X0 += env.Px(9)
		if p.kind != model.SeriesState {
			name = c.drawSwatch(env, row, it.color)
		}
		color := c.figure(env, it, at)
		if p.kind == model.SeriesState {
			color = draw.Color(th.TextDim)
		}
		c.drawLine(env, name, x.Def.Name, draw.Small, nameColor, color)
		return
	}
	h := format.Pick(p.kind == model.SeriesGauge, env.Px(42), env.Px(36))
	y := panel.Snap((row.Y0 + row.Y1 - h) / 2)
	name := draw.Rect{X0: row.X0, Y0: y, X1: row.X1, Y1: y + env.Px(18)}
	name = c.drawSwatch(env, name, it.color)
	c.name(draw.Regular, name, x.Def.Name, nameColor)
	fig := draw.Rect{X0: name.X0, Y0: name.Y1, X1: row.X1, Y1: name.Y1 + env.Px(16)}
	color := c.figure(env, it, at)
	if it.empty {
		c.buf, color = append(c.buf[:0], "no samples yet"...), draw.Color(th.TextDim)
	}
	l.TextIn(draw.Regular, fig, draw.Left, panel.ScratchText(c.buf), color)
	switch p.kind {
	case model.SeriesGauge:
		if sample, ok := x.At(at); ok {
			c.drawGauge(env, p, it, sample.Value,
				draw.Rect{X0: fig.X0, Y0: fig.Y1 + env.Px(1), X1: fig.X1 - env.Px(2), Y1: fig.Y1 + env.Px(6)})
		}
	case model.SeriesCounter:
		fig.X0 += env.Atlas.Measure(draw.Regular, panel.ScratchText(c.buf)) + env.Px(6)
		if col, ok := c.columnAt(it.id, at); ok && col.known() {
			c.buf = it.curve.Append(c.buf[:0], col.mid)
			l.TextFit(draw.Small, fig, draw.Right, panel.ScratchText(c.buf), draw.Color(th.Text2))
		}
	}
}

// drawGauge draws how far a value is along its scale, with a mark at the greatest in view.
func (c *Chart) drawGauge(env *panel.Env, p *seriesPlot, it *seriesItem, v float64, r draw.Rect) {
	l := c.List()
	if !p.scale.Set || r.Empty() {
		return
	}
	l.Rect(r, draw.Color(env.Theme.Hover))
	fill := r
	fill.X1 = r.X0 + panel.Snap(r.W()*float32(p.scale.Share(v)))
	l.Rect(fill, it.color)
	peak, some := 0.0, false
	for k := range c.lines {
		if c.lines[k].item != p.item {
			continue
		}
		for _, col := range c.cols(&c.lines[k]) {
			if col.known() && (!some || col.hi > peak) {
				peak, some = col.hi, true
			}
		}
	}
	if some {
		x := min(r.X0+panel.Snap(r.W()*float32(p.scale.Share(peak))), r.X1-env.Px(1))
		l.VLine(x, r.Y0-env.Px(1), r.Y1+env.Px(1), env.Px(1), draw.Color(env.Theme.Text))
	}
}

// stateColor returns the color of a state: from its name, so that it is the same in every series;
// grey for idle ones.
func (c *Chart) stateColor(env *panel.Env, d *model.SeriesDef, value float64) draw.Color {
	c.buf = subject.AppendState(c.buf[:0], d, value)
	return subject.NamedStateColor(env, panel.ScratchText(c.buf))
}

// drawStates draws the band of a state series: one bar a run, with the name if there is room. A
// column with several changes is divided: above the first state, below the last one. After the last
// sample the last state is drawn faintly.
func (c *Chart) drawStates(env *panel.Env, ln *seriesLine, p *seriesPlot) {
	l, xs, cols := c.List(), c.grid(ln).xs, c.cols(ln)
	d := &env.View.Session().Series().ByID(c.pick.items[ln.item].id).Def
	one := env.Px(1)
	bar := p.rect
	if bar.H() > env.Px(26) {
		mid := panel.Snap((bar.Y0 + bar.Y1) / 2)
		bar.Y0, bar.Y1 = mid-env.Px(13), mid+env.Px(13)
	}
	// look is the content of a bar; columns with several changes stand alone.
	type look struct {
		known, last bool
		value       float64
		alone       int
	}
	panel.EachRun(len(cols), func(i int) (k look) {
		if col := &cols[i]; col.known() {
			k = look{known: true, last: col.state == colLast, value: col.mid}
			if col.many {
				k.alone = i + 1
			}
		}
		return k
	}, func(k look, i, j int) {
		if !k.known {
			return
		}
		fill := c.stateColor(env, d, k.value)
		if k.alone > 0 {
			half := panel.Snap((bar.Y0 + bar.Y1) / 2)
			l.Rect(draw.Rect{X0: xs[i], Y0: bar.Y0, X1: xs[j], Y1: half}, c.stateColor(env, d, cols[i].lo))
			l.Rect(draw.Rect{X0: xs[i], Y0: half, X1: xs[j], Y1: bar.Y1}, fill)
			return
		}
		r := draw.Rect{X0: xs[i], Y0: bar.Y0, X1: max(xs[j], xs[i]+one), Y1: bar.Y1}
		text := draw.Color(assets.TextOn(fill.R, fill.G, fill.B))
		if k.last {
			l.Rect(r, fill.WithAlpha(60))
			l.HLine(r.X0, r.X1, r.Y0, one, fill.WithAlpha(150))
			l.HLine(r.X0, r.X1, r.Y1-one, one, fill.WithAlpha(150))
			text = draw.Color(env.Theme.Text)
		} else {
			l.Rect(r, fill)
			if r.W() > 3*one {
				l.VLine(r.X0, r.Y0, r.Y1, one, draw.Mix(fill, draw.RGB(0, 0, 0), 70))
			}
		}
		r.X0, r.X1 = max(r.X0, p.rect.X0)+env.Px(5), r.X1-env.Px(3)
		if r.W() > env.Px(14) {
			c.buf = subject.AppendState(c.buf[:0], d, k.value)
			l.TextIn(draw.Small, r, draw.Left, panel.ScratchText(c.buf), text)
		}
	})
}

// drawStateLegend names the colors of the states, above the rows.
func (c *Chart) drawStateLegend(env *panel.Env) {
	if c.regions.info.Empty() {
		return
	}
	g := subject.Legend{List: c.List(), Env: env, Row: c.regions.info}
	g.Row.X0, g.Row.X1 = g.Row.X0+env.Px(9), g.Row.X1-env.Px(8)
	for _, name := range c.pick.states {
		g.Swatch(name, draw.Color(env.Theme.Text2), subject.NamedStateColor(env, name))
	}
}
