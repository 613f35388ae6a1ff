package timeline

import (
	"framescope/charts/draw"
	"framescope/charts/format"
	"framescope/charts/panel"
	"framescope/charts/subject"
	"framescope/model"
)

// mostArrows is how many arrows are looked at for one picture; where there are more signals in view they wait for a closer look.
const mostArrows = 4000

// lockColumn collects what is too short to be drawn by itself: the threads that held a lock between two multiples of minNs.
type lockColumn struct {
	part    int64 // where it begins
	from    int   // its shares
	lone    model.LockBar
	entries int
}

// drawBase makes the base list: everything but cursors, outlines and the range under construction.
func (c *LockChart) drawBase(env *panel.Env, empty bool) {
	t, v, th := &c.axis, env.View, env.Theme
	l := t.list
	l.Reset(t.rect)
	c.px, c.shares, c.arrowPx = c.px[:0], c.shares[:0], c.arrowPx[:0]
	l.Rect(t.rect, draw.Color(th.Panel))
	if empty {
		c.drawEmpty(env)
		return
	}
	begin, end := v.Time().Visible()
	c.minNs = t.twoPixels()
	c.kept.aim(v.Session(), begin, end, c.minNs)
	l.PushClip(t.plot)
	t.drawSelectedRange(env)
	t.drawGrid(env)
	for i := range c.groups {
		g := &c.groups[i]
		y0, y1, seen := t.bandY(g.band)
		if !seen {
			continue
		}
		if g.lock == v.Collector() {
			l.Rect(draw.Rect{X0: t.plot.X0, Y0: y0, X1: t.plot.X1, Y1: y1}, draw.Color(th.Selection).WithAlpha(24))
		}
		c.bars = c.kept.barsOf(g.lock)
		c.drawHolders(env, i)
		c.drawThreads(env, i)
		l.HLine(t.plot.X0, t.plot.X1, y1, env.Scale, draw.Color(th.Separator))
	}
	c.drawArrows(env, begin, end)
	l.PopClip()
	c.drawGutter(env)
	c.drawLegend(env)
	t.drawRuler(env)
}

func (c *LockChart) drawEmpty(env *panel.Env) {
	v := env.View
	words := "No locks here\nEach lock gets a group of rows as soon as a program tells when its threads take, hold and give back locks."
	if v.Session() != nil && len(c.locks) > 0 && len(c.groups) == 0 {
		words = "All locks are hidden\nPress Shift+H to show all."
	}
	panel.DrawWords(c.axis.list, env, c.axis.rect, words)
}

// xOf returns the edges of a stretch of time in whole pixels, at least one apart.
func (c *LockChart) xOf(env *panel.Env, begin, end int64) (x0, x1 float32) {
	x0, x1 = c.axis.pxOf(begin, env), c.axis.pxOf(end, env)
	return x0, max(x1, x0+1)
}

// drawHolders draws who held a lock: what is long enough by itself, the rest in columns, recursive holds inside.
func (c *LockChart) drawHolders(env *panel.Env, group int) {
	g := &c.groups[group]
	if g.holder < 0 {
		return
	}
	row := c.rowRect(g.holder)
	c.column = lockColumn{from: len(c.shares)}
	first := len(c.px)
	for i := range c.bars {
		b := &c.bars[i]
		if b.Kind != model.LockHolding || b.Depth > 0 {
			continue
		}
		if b.End-b.Begin >= c.minNs {
			c.flush(env, group, row)
			c.drawHold(env, group, row, b)
			continue
		}
		if part := format.FloorDiv(b.Begin, c.minNs) * c.minNs; c.column.entries == 0 || part != c.column.part {
			c.flush(env, group, row)
			c.column.part, c.column.lone = part, *b
		}
		c.column.entries++
		c.share(b)
	}
	c.flush(env, group, row)
	last := len(c.px)
	for i := range c.bars {
		b := &c.bars[i]
		if b.Kind != model.LockHolding || b.Depth == 0 {
			continue
		}
		x0, x1 := c.xOf(env, b.Begin, b.End)
		in := row
		in.Y0 = min(in.Y0+env.Px(lockInset)*float32(b.Depth), in.Y1-env.Px(lockInset))
		in.X0, in.X1 = x0, x1
		if x1 <= c.axis.plot.X0 || x0 >= c.axis.plot.X1 {
			continue
		}
		fill, _ := subject.ThreadColor(env, b.Track)
		c.axis.list.Rect(in, c.merged(env, draw.Mix(fill, draw.RGB(0, 0, 0), 58), b))
		c.px = append(c.px, drawnLock{bar: *b, r: in, group: group})
	}
	for i := first; i < last; i++ {
		c.holdLabel(env, &c.px[i])
	}
}

// share adds a bar to the column under construction.
func (c *LockChart) share(b *model.LockBar) {
	for i := c.column.from; i < len(c.shares); i++ {
		if s := &c.shares[i]; s.track == b.Track {
			s.busyNs += b.BusyNs
			s.count += b.Count
			return
		}
	}
	c.shares = append(c.shares, lockShare{b.Track, b.BusyNs, b.Count})
}

// flush draws the column under construction.
func (c *LockChart) flush(env *panel.Env, group int, row draw.Rect) {
	k := c.column
	c.column = lockColumn{from: len(c.shares)}
	switch {
	case k.entries == 0:
		return
	case k.entries == 1 && k.lone.Count == 1:
		c.shares = c.shares[:k.from]
		c.column.from = k.from
		c.drawHold(env, group, row, &k.lone)
		return
	}
	x0, x1 := c.xOf(env, k.part, k.part+c.minNs)
	if x1 <= c.axis.plot.X0 || x0 >= c.axis.plot.X1 {
		c.shares = c.shares[:k.from]
		c.column.from = k.from
		return
	}
	shares := c.shares[k.from:]
	var busy int64
	for i := range shares {
		busy += shares[i].busyNs
	}
	row.X0, row.X1 = x0, x1
	full := min(float64(busy)/float64(c.minNs), 1)
	y, sum := row.Y0, int64(0)
	for i := range shares {
		sum += shares[i].busyNs
		y1 := row.Y0 + wholePx(float64(row.H())*float64(sum)/float64(max(busy, 1)))
		fill, _ := subject.ThreadColor(env, shares[i].track)
		c.axis.list.Rect(draw.Rect{X0: x0, Y0: y, X1: x1, Y1: y1}, draw.Mix(draw.Color(env.Theme.Panel), fill, uint8(84+171*full)))
		y = y1
	}
	bar := model.LockBar{LockUse: model.LockUse{Lock: k.lone.Lock, Track: model.NoTrack, Kind: model.LockHolding, Begin: k.part, End: k.part + c.minNs}, BusyNs: busy}
	for i := range shares {
		bar.Count += shares[i].count
	}
	c.px = append(c.px, drawnLock{bar: bar, r: row, group: group, from: k.from, to: len(c.shares)})
}

// waitColor returns the colour of what is drawn of waits too short to be told apart: as strong as its pixels are full of waiting. A lock that was free when it was asked for leaves hardly a trace.
func (c *LockChart) waitColor(env *panel.Env, fill draw.Color, r draw.Rect, b *model.LockBar) draw.Color {
	full := min(float64(b.BusyNs)/max(float64(r.W())*c.axis.nsPerPx, 1), 1)
	return draw.Mix(draw.Color(env.Theme.Panel), fill, uint8(48+207*full))
}

// merged returns the colour of a bar: of merged ones as strong as they are full.
func (c *LockChart) merged(env *panel.Env, fill draw.Color, b *model.LockBar) draw.Color {
	if b.Count <= 1 {
		return fill
	}
	full := min(float64(b.BusyNs)/float64(max(b.End-b.Begin, 1)), 1)
	return draw.Mix(draw.Color(env.Theme.Panel), fill, uint8(84+171*full))
}

// drawHold draws one hold.
func (c *LockChart) drawHold(env *panel.Env, group int, row draw.Rect, b *model.LockBar) {
	t, l := &c.axis, c.axis.list
	row.X0, row.X1 = c.xOf(env, b.Begin, b.End)
	if row.X1 <= t.plot.X0 || row.X0 >= t.plot.X1 {
		return
	}
	c.px = append(c.px, drawnLock{bar: *b, r: row, group: group})
	fill, _ := subject.ThreadColor(env, b.Track)
	whole := row
	if space := max(1, float32(int(env.Scale))); row.W() > 2*space {
		whole.X1 -= space
	}
	l.Rect(whole, c.merged(env, fill, b))
	c.drawOpen(env, whole, b)
}

// holdLabel writes the name of the thread into a hold, cut where it is too long, and the duration behind it where there is room for all of it.
func (c *LockChart) holdLabel(env *panel.Env, d *drawnLock) {
	t, l, b := &c.axis, c.axis.list, &d.bar
	in := draw.Rect{X0: max(d.r.X0, t.plot.X0) + env.Px(5), Y0: d.r.Y0, X1: min(d.r.X1, t.plot.X1) - env.Px(4), Y1: d.r.Y1}
	if in.W() < env.Px(12) || b.Count > 1 {
		return
	}
	_, text := subject.ThreadColor(env, b.Track)
	name := env.View.Session().Track(b.Track).Title()
	if !l.TextIn(draw.Small, in, draw.Left, name, text) {
		return
	}
	in.X0 += env.Atlas.Measure(draw.Small, name) + env.Px(7)
	if in.W() < env.Px(20) {
		return
	}
	c.buf = c.buf[:0]
	if b.OpenBegin || b.OpenEnd {
		c.buf = append(c.buf, "≥ "...)
	}
	c.buf = format.AppendDuration(c.buf, b.End-b.Begin)
	l.TextFit(draw.Small, in, draw.Left, panel.ScratchText(c.buf), text.WithAlpha(170))
}

// drawOpen hatches the end of a bar of which the beginning or end was not received.
func (c *LockChart) drawOpen(env *panel.Env, r draw.Rect, b *model.LockBar) {
	w := min(env.Px(9), r.W()/2)
	ground := draw.Color(env.Theme.Panel)
	if b.OpenBegin {
		c.axis.list.Hatch(draw.Rect{X0: r.X0, Y0: r.Y0, X1: r.X0 + w, Y1: r.Y1}, ground)
	}
	if b.OpenEnd {
		c.axis.list.Hatch(draw.Rect{X0: r.X1 - w, Y0: r.Y0, X1: r.X1, Y1: r.Y1}, ground)
	}
}

// drawThreads draws the signals of a lock, and the waits and vain tries of each thread.
func (c *LockChart) drawThreads(env *panel.Env, group int) {
	t, g := &c.axis, &c.groups[group]
	for i := range c.bars {
		b := &c.bars[i]
		ri := -1
		switch b.Kind {
		case model.LockHolding:
			continue
		case model.LockSignalling:
			ri = g.signals
		default:
			ri = c.rowOf(g, b.Track)
		}
		if ri < 0 {
			continue
		}
		row := c.rowRect(ri)
		row.X0, row.X1 = c.xOf(env, b.Begin, b.End)
		if row.X1 <= t.plot.X0 || row.X0 >= t.plot.X1 || row.Y1 <= t.plot.Y0 || row.Y0 >= t.plot.Y1 {
			continue
		}
		switch b.Kind {
		case model.LockWaiting:
			c.drawWait(env, row, b)
		case model.LockCondition:
			c.drawCondition(env, row, b)
		case model.LockFailed:
			row = c.drawFailed(env, row)
		case model.LockSignalling:
			row = c.drawSignal(env, row, b)
		}
		c.px = append(c.px, drawnLock{bar: *b, r: row, group: group})
	}
}

// drawWait draws waiting for a lock: hatched, since nothing gets done.
func (c *LockChart) drawWait(env *panel.Env, r draw.Rect, b *model.LockBar) {
	l := c.axis.list
	fill, _ := subject.ThreadColor(env, b.Track)
	if b.Count > 1 || r.W() < env.Px(4) {
		l.Rect(r, c.waitColor(env, fill, r, b))
		return
	}
	l.Rect(r, fill.WithAlpha(54))
	l.Hatch(r, fill)
	l.Outline(r, env.Scale, fill)
	c.waitTime(env, r, b)
}

// drawCondition draws waiting for a condition: an outline, since it is what the thread was meant to do.
func (c *LockChart) drawCondition(env *panel.Env, r draw.Rect, b *model.LockBar) {
	l := c.axis.list
	fill, _ := subject.ThreadColor(env, b.Track)
	if b.Count > 1 || r.W() < env.Px(4) {
		l.Rect(r, draw.Mix(draw.Color(env.Theme.Panel), c.waitColor(env, fill, r, b), 150))
		return
	}
	l.Rect(r, fill.WithAlpha(20))
	l.Outline(r, env.Scale, fill.WithAlpha(190))
	c.waitTime(env, r, b)
}

// waitTime writes how long a wait took.
func (c *LockChart) waitTime(env *panel.Env, r draw.Rect, b *model.LockBar) {
	t := &c.axis
	in := draw.Rect{X0: max(r.X0, t.plot.X0) + env.Px(3), Y0: r.Y0, X1: min(r.X1, t.plot.X1) - env.Px(3), Y1: r.Y1}
	if in.W() < env.Px(26) {
		return
	}
	c.buf = c.buf[:0]
	if b.OpenBegin || b.OpenEnd {
		c.buf = append(c.buf, "≥ "...)
	}
	c.buf = format.AppendDuration(c.buf, b.End-b.Begin)
	text := panel.ScratchText(c.buf)
	back := in
	back.X1 = in.X0 + env.Atlas.Measure(draw.Small, text) + env.Px(4)
	if back.X1 > in.X1 {
		return
	}
	if b.Kind == model.LockWaiting { // legible over the hatching
		t.list.Rect(draw.Rect{X0: back.X0, Y0: r.Y0 + 1, X1: back.X1, Y1: r.Y1 - 1}, draw.Color(env.Theme.Panel))
	}
	in.X0 += env.Px(2)
	t.list.TextFit(draw.Small, in, draw.Left, text, draw.Color(env.Theme.Text2))
}

// drawFailed draws a try in vain: a tick with a foot. It returns its place.
func (c *LockChart) drawFailed(env *panel.Env, r draw.Rect) draw.Rect {
	l, col := c.axis.list, draw.Color(env.Theme.Bad)
	w := env.Px(2)
	tick := draw.Rect{X0: r.X0, Y0: r.Y0, X1: max(r.X0+w, min(r.X1, r.X0+env.Px(8))), Y1: r.Y1}
	l.Rect(draw.Rect{X0: tick.X0, Y0: tick.Y0, X1: tick.X0 + w, Y1: tick.Y1}, col)
	l.Rect(draw.Rect{X0: tick.X0 - env.Px(2), Y0: tick.Y1 - w, X1: tick.X0 + w + env.Px(2), Y1: tick.Y1}, col)
	tick.X0 -= env.Px(2)
	tick.X1 = tick.X0 + w + env.Px(4)
	return tick
}

// drawSignal draws a signal: a triangle in the colour of the thread that gave it. It returns its place.
func (c *LockChart) drawSignal(env *panel.Env, r draw.Rect, b *model.LockBar) draw.Rect {
	l := c.axis.list
	fill, _ := subject.ThreadColor(env, b.Track)
	if b.Count > 1 {
		l.Rect(draw.Rect{X0: r.X0, Y0: r.Y0 + env.Px(2), X1: max(r.X1, r.X0+env.Px(2)), Y1: r.Y1}, fill)
		return r
	}
	w := env.Px(4)
	l.Triangle(r.X0-w, r.Y0+env.Px(1), r.X0+w, r.Y0+env.Px(1), r.X0, r.Y1, fill)
	return draw.Rect{X0: r.X0 - w, Y0: r.Y0, X1: r.X0 + w, Y1: r.Y1}
}

// drawArrows draws what joins signals to the ends of waits. Of those that would lie over each other the first is drawn.
func (c *LockChart) drawArrows(env *panel.Env, begin, end int64) {
	t, v := &c.axis, env.View
	if c.arrows = visibleArrows(v.Session(), begin, end, &c.stats, c.arrows[:0]); len(c.arrows) == 0 {
		return
	}
	for gi := range c.groups {
		g := &c.groups[gi]
		if g.signals < 0 || t.screenY(g.y+g.h) <= t.plot.Y0 || t.screenY(g.y) >= t.plot.Y1 {
			continue
		}
		first := len(c.arrowPx)
		for i := range c.arrows {
			a := &c.arrows[i]
			to := -1
			if a.Lock == g.lock {
				to = c.rowOf(g, a.ToTrack)
			}
			if to < 0 {
				continue
			}
			from, at := c.rowRect(g.signals), c.rowRect(to)
			d := drawnArrow{*a, t.pxOf(a.FromTime, env), from.Y1, t.pxOf(a.ToTime, env), (at.Y0 + at.Y1) / 2}
			if n := len(c.arrowPx); n > first && c.arrowPx[n-1].y1 == d.y1 && d.x1-c.arrowPx[n-1].x1 < 3 {
				continue
			}
			c.arrowPx = append(c.arrowPx, d)
			drawArrow(t.list, env, &d, draw.Color(env.Theme.Text).WithAlpha(170))
		}
	}
}

// visibleArrows appends what joins signals to waits in a range, nothing where there are too many signals to show any.
func visibleArrows(s *model.Session, begin, end int64, stats *[]model.LockStats, out []model.SignalArrow) []model.SignalArrow {
	*stats = s.LockTable(begin, end, (*stats)[:0])
	var n int64
	for i := range *stats {
		n += min((*stats)[i].Signals, (*stats)[i].Conditions+1)
	}
	if n == 0 || n > mostArrows {
		return out
	}
	return s.SignalArrows(begin, end, out)
}

// drawArrow draws a thin line with a head at its end.
func drawArrow(l *draw.List, env *panel.Env, d *drawnArrow, col draw.Color) {
	l.Line(d.x0, d.y0, d.x1, d.y1, env.Scale, col)
	w := env.Px(3)
	if d.x1-d.x0 > 2*w { // it comes from the left
		l.Triangle(d.x1-env.Px(6), d.y1-w, d.x1-env.Px(6), d.y1+w, d.x1, d.y1, col)
		return
	}
	down := env.Px(6)
	if d.y1 < d.y0 {
		down = -down
	}
	l.Triangle(d.x1-w, d.y1-down, d.x1+w, d.y1-down, d.x1, d.y1, col)
}

// drawGutter draws the names of locks and threads.
func (c *LockChart) drawGutter(env *panel.Env) {
	t, th, v := &c.axis, env.Theme, env.View
	l := t.list
	l.PushClip(t.gutter)
	for i := range c.groups {
		g := &c.groups[i]
		y0, y1, seen := t.bandY(g.band)
		if !seen {
			continue
		}
		if g.lock == v.Collector() {
			l.Rect(draw.Rect{X0: t.gutter.X0, Y0: y0, X1: t.gutter.X1, Y1: y1}, draw.Color(th.Selection).WithAlpha(40))
			l.Rect(draw.Rect{X0: t.gutter.X0, Y0: y0, X1: t.gutter.X0 + env.Px(3), Y1: y1}, draw.Color(th.Selection))
		}
		name := draw.Rect{X0: t.gutter.X0 + env.Px(lockNameX), Y0: y0 + env.Px(lockPad) - 1, X1: t.gutter.X1 - env.Px(lockNameX1), Y1: y0 + env.Px(lockPad) + env.Px(lockHolderH) - 1}
		l.TextIn(draw.Medium, name, draw.Left, lockName(v.Session(), g.lock), draw.Color(th.Text))
		for r := g.from; r < g.to; r++ {
			if c.rows[r].kind == lockRowThread {
				t.drawThreadName(env, c.rowRect(r), c.rows[r].track)
			}
		}
		l.HLine(t.gutter.X0, t.gutter.X1, y1, env.Scale, draw.Color(th.Separator))
	}
	l.PopClip()
	t.drawGutterEdge(env)
}

// lockName returns the name of a lock.
func lockName(s *model.Session, lock model.CollectorID) string {
	if col := s.Collector(lock); col != nil && col.Name != "" {
		return col.Name
	}
	return "(no name)"
}

// drawLegend says which colour is which thread, and at the right which look is what.
func (c *LockChart) drawLegend(env *panel.Env) {
	t, th, v := &c.axis, env.Theme, env.View
	l, r := t.list, c.legend
	if r.Empty() {
		return
	}
	l.Rect(r, draw.Color(th.PanelTitle))
	l.HLine(r.X0, r.X1, r.Y0, env.Scale, draw.Color(th.Separator))
	l.PushClip(r)
	side, x1 := env.Px(9), c.drawLooks(env)
	y := r.Y0 + float32(int((r.H()-side)/2)) + 1
	x := r.X0 + env.Px(10)
	for i, id := range c.used {
		name := v.Session().Track(id).Title()
		w := side + env.Px(6) + env.Atlas.Measure(draw.Small, name)
		left := len(c.used) - i
		if x+w+env.Px(46) > x1 && left > 1 || x+w > x1 {
			c.buf = append(format.AppendCount(append(c.buf[:0], '+'), int64(left)), " more"...)
			l.TextFit(draw.Small, draw.Rect{X0: x, Y0: r.Y0 + 1, X1: x1, Y1: r.Y1}, draw.Left, panel.ScratchText(c.buf), draw.Color(th.TextDim))
			break
		}
		fill, _ := subject.ThreadColor(env, id)
		l.Rect(draw.Rect{X0: x, Y0: y, X1: x + side, Y1: y + side}, fill)
		l.TextIn(draw.Small, draw.Rect{X0: x + side + env.Px(5), Y0: r.Y0 + 1, X1: x1, Y1: r.Y1}, draw.Left, name, draw.Color(th.Text2))
		x += w + env.Px(14)
	}
	l.PopClip()
}

// drawLooks draws small samples of a hold, a wait, a condition and a vain try at the right of the legend, where there is room, and returns where they begin.
func (c *LockChart) drawLooks(env *panel.Env) (x float32) {
	l, th, r := c.axis.list, env.Theme, c.legend
	if r.W() < env.Px(620) {
		return r.X1 - env.Px(8)
	}
	x = r.X1 - env.Px(8)
	grey := draw.Color(th.Text2)
	y0, y1 := r.Y0+env.Px(6), r.Y1-env.Px(4)
	for i, name := range [...]string{"failed try", "condition", "waiting", "holding"} {
		x -= env.Atlas.Measure(draw.Small, name)
		l.TextIn(draw.Small, draw.Rect{X0: x, Y0: r.Y0 + 1, X1: r.X1, Y1: r.Y1}, draw.Left, name, draw.Color(th.TextDim))
		x -= env.Px(24)
		box := draw.Rect{X0: x, Y0: y0, X1: x + env.Px(19), Y1: y1}
		switch i {
		case 0:
			c.drawFailed(env, draw.Rect{X0: x + env.Px(11), Y0: y0, X1: x + env.Px(13), Y1: y1})
		case 1:
			l.Outline(box, env.Scale, grey)
		case 2:
			l.Hatch(box, grey)
			l.Outline(box, env.Scale, grey)
		case 3:
			l.Rect(box, grey)
		}
		x -= env.Px(10)
	}
	return x - env.Px(4)
}
