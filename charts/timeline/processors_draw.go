package timeline

import (
	"math"
	"strconv"

	"framescope/charts/draw"
	"framescope/charts/format"
	"framescope/charts/panel"
	"framescope/charts/subject"
	"framescope/model"
)

// drawBase makes the base list: everything but cursors, outlines and the range under construction.
func (c *ProcessorChart) drawBase(env *panel.Env, empty bool) {
	t, v, th := &c.axis, env.View, env.Theme
	l := t.list
	l.Reset(t.rect)
	c.pieces = c.pieces[:0]
	l.Rect(t.rect, draw.Color(th.Panel))
	if empty {
		panel.DrawWords(l, env, t.rect, "No processors here\nEach gets a group of rows as soon as a program tells on which processor its threads run.")
		return
	}
	begin, end := v.Time().Visible()
	c.minNs = t.twoPixels()
	l.PushClip(t.plot)
	t.drawSelectedRange(env)
	t.drawGrid(env)
	for id := range model.TrackID(v.Session().NumTracks()) {
		if d := t.cores.seriesOf(v.Session(), id); d != nil && !v.TrackHidden(id) {
			c.cut(env, id, d, begin, end)
		}
	}
	for i := range c.pieces {
		c.drawPiece(env, &c.pieces[i])
	}
	for i := range c.groups {
		g := &c.groups[i]
		_, y1, seen := t.bandY(g.band)
		if !seen {
			continue
		}
		c.drawBusy(env, i, begin, end)
		l.HLine(t.plot.X0, t.plot.X1, y1, env.Scale, draw.Color(th.Separator))
	}
	l.PopClip()
	c.drawGutter(env)
	t.drawRuler(env)
}

// cut finds the pieces of a thread's outermost spans in [begin, end].
func (c *ProcessorChart) cut(env *panel.Env, id model.TrackID, d *model.Series, begin, end int64) {
	t, v := &c.axis, env.View
	k := &t.cores
	k.runs, k.shares = k.runs[:0], k.shares[:0]
	c.block = timelineBlock{track: id, cores: d}
	t.coreRuns(env, &c.block, begin, end)
	c.bars = v.Session().VisibleSpans(id, 0, begin, end, c.minNs, c.bars[:0])
	r := 0
	for i := range c.bars {
		bar := &c.bars[i]
		if v.Hidden(bar.Collector) {
			continue
		}
		for r < len(k.runs) && k.runs[r].end <= bar.Begin {
			r++
		}
		for j := r; j < len(k.runs) && k.runs[j].begin < max(bar.End, bar.Begin+1); j++ {
			run := &k.runs[j]
			from, to := max(bar.Begin, run.begin), min(bar.End, run.end)
			if run.changes == 0 {
				c.piece(env, bar, run.core, id, from, to, 1)
				continue
			}
			for _, s := range k.shares[run.from:run.to] {
				c.piece(env, bar, s.core, id, from, to, float32(s.share))
			}
		}
	}
}

// piece notes a part of a bar.
func (c *ProcessorChart) piece(env *panel.Env, bar *model.Bar, core int32, id model.TrackID, begin, end int64, share float32) {
	t := &c.axis
	group, row := c.find(core, id)
	if row < 0 {
		return
	}
	x0, x1 := t.pxOf(begin, env), t.pxOf(end, env)
	if x1 <= t.plot.X0 && begin != end || x0 >= t.plot.X1 {
		return
	}
	y := t.screenY(c.rows[row].y)
	p := processorPiece{drawnBar: drawnBar{bar: *bar, x0: x0, x1: max(x1, x0+1)}, begin: begin, end: end, share: share, group: group, row: row, y0: y, y1: y + env.Px(processorRowH) - 2}
	c.pieces = append(c.pieces, p)
}

// drawPiece draws a piece with the name of its span.
func (c *ProcessorChart) drawPiece(env *panel.Env, p *processorPiece) {
	t := &c.axis
	if p.y1 <= t.plot.Y0 || p.y0 >= t.plot.Y1 {
		return
	}
	fill, text := env.View.BarColor(p.bar.Collector)
	r := draw.Rect{X0: p.x0, Y0: p.y0, X1: p.x1, Y1: p.y1}
	if space := max(1, float32(int(env.Scale))); r.W() > 2*space {
		r.X1 -= space
	}
	busy := p.share
	if p.bar.Count > 1 {
		busy *= p.bar.Busy
	}
	if busy < 1 {
		fill = draw.Mix(draw.Color(env.Theme.Panel), fill, uint8(84+171*max(busy, 0)))
	}
	t.list.Rect(r, fill)
	in := draw.Rect{X0: max(r.X0, t.plot.X0) + env.Px(4), Y0: r.Y0, X1: min(r.X1, t.plot.X1) - env.Px(2), Y1: r.Y1}
	if in.W() < env.Px(20) || p.bar.Count > 1 {
		return
	}
	if col := env.View.Session().Collector(p.bar.Collector); col != nil {
		t.list.TextIn(draw.Small, in, draw.Left, col.Name, text)
	}
}

// drawBusy draws how busy a processor was: columns, divided among the threads that were on it. Where their spans together take longer than there was time, it was full.
func (c *ProcessorChart) drawBusy(env *panel.Env, group int, begin, end int64) {
	t, g := &c.axis, &c.groups[group]
	threads := g.to - g.from
	t0 := format.FloorDiv(begin, c.minNs) * c.minNs
	n := int((end-t0)/c.minNs) + 1
	if n <= 0 || threads == 0 || n*threads > 1<<20 {
		return
	}
	if cap(c.busy) < n*threads {
		c.busy = make([]float32, n*threads)
	}
	c.busy = c.busy[:n*threads]
	clear(c.busy)
	for i := range c.pieces {
		p := &c.pieces[i]
		if p.group != group {
			continue
		}
		share := p.share
		if p.bar.Count > 1 {
			share *= p.bar.Busy
		}
		for k := max((p.begin-t0)/c.minNs, 0); k < int64(n); k++ {
			from, to := t0+k*c.minNs, t0+(k+1)*c.minNs
			if from >= p.end {
				break
			}
			c.busy[int(k)*threads+p.row-g.from] += share * float32(float64(min(to, p.end)-max(from, p.begin))/float64(c.minNs))
		}
	}
	y := t.screenY(g.y) + env.Px(lockPad)
	r := draw.Rect{X0: t.plot.X0, Y0: y, X1: t.plot.X1, Y1: y + env.Px(processorBusyH)}
	t.list.Rect(r, draw.Color(env.Theme.Ground).WithAlpha(120))
	for k := 0; k < n; {
		column := c.busy[k*threads : (k+1)*threads]
		same := k + 1
		for same < n && sameColumn(column, c.busy[same*threads:(same+1)*threads]) {
			same++
		}
		x0, x1 := t.pxOf(t0+int64(k)*c.minNs, env), t.pxOf(t0+int64(same)*c.minNs, env)
		k = same
		sum, at := float32(0), float32(0)
		for _, b := range column {
			sum += b
		}
		for i, b := range column {
			if b <= 0 {
				continue
			}
			fill, _ := subject.ThreadColor(env, c.rows[g.from+i].track)
			lo, hi := at/max(sum, 1), (at+b)/max(sum, 1)
			at += b
			t.list.Rect(draw.Rect{X0: x0, Y0: r.Y1 - float32(math.Round(float64(hi*r.H()))), X1: x1, Y1: r.Y1 - float32(math.Round(float64(lo*r.H())))}, fill)
		}
	}
}

func sameColumn(a, b []float32) bool {
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

// drawGutter draws the processors' numbers and the threads' names.
func (c *ProcessorChart) drawGutter(env *panel.Env) {
	t, th := &c.axis, env.Theme
	l := t.list
	l.PushClip(t.gutter)
	for i := range c.groups {
		g := &c.groups[i]
		y0, y1, seen := t.bandY(g.band)
		if !seen {
			continue
		}
		c.buf = strconv.AppendInt(append(c.buf[:0], "CPU "...), int64(g.core), 10)
		name := draw.Rect{X0: t.gutter.X0 + env.Px(10), Y0: y0 + env.Px(lockPad), X1: t.gutter.X1 - env.Px(6), Y1: y0 + env.Px(lockPad) + env.Px(processorBusyH)}
		l.TextIn(draw.Medium, name, draw.Left, panel.ScratchText(c.buf), draw.Color(th.Text))
		for r := g.from; r < g.to; r++ {
			y := t.screenY(c.rows[r].y)
			t.drawThreadName(env, draw.Rect{Y0: y, Y1: y + env.Px(processorRowH) - 2}, c.rows[r].track)
		}
		l.HLine(t.gutter.X0, t.gutter.X1, y1, env.Scale, draw.Color(th.Separator))
	}
	l.PopClip()
	t.drawGutterEdge(env)
}

// drawOver draws what changes with the mouse and the playhead over the base list.
func (c *ProcessorChart) drawOver(env *panel.Env, in *panel.Input) {
	t, th, v := &c.axis, env.Theme, env.View
	l, one := t.list, max(1, float32(int(env.Scale)))
	l.PushClip(t.plot)
	if in.Over && !t.gestures.Busy() {
		if p := c.at(in.X, in.Y); p != nil {
			l.Outline(draw.Rect{X0: p.x0, Y0: p.y0, X1: p.x1, Y1: p.y1}, one, draw.Color(th.Text).WithAlpha(150))
		}
	}
	if v.HasSpan() {
		for i := range c.pieces {
			if p := &c.pieces[i]; p.bar.Count == 1 && p.bar.Ref == v.Span().Ref {
				l.Outline(draw.Rect{X0: p.x0 - 1, Y0: p.y0 - 1, X1: p.x1 + 1, Y1: p.y1 + 1}, env.Px(2), draw.Color(th.Text))
			}
		}
	}
	l.PopClip()
	t.drawCursors(env, in)
}
