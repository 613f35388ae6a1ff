package model

import "slices"

// netCache keeps the net values of a run of a track's frames for StripMax, so that panning and following read each frame once.
type netCache struct {
	track    *Track
	h        *hierarchy
	focus    CollectorID
	levels   bool
	rewinds  uint64
	from, to int64 // positions
	net      []float64
}

// want makes the cache hold all frames that begin in the query's range.
func (c *netCache) want(out *Strip, t *Track, q *StripQuery) {
	f := &t.frames
	from, to := max(f.at(q.T0-1)+1, f.first), f.at(q.T1-1)+1
	r := &out.reader
	if c.track != t || c.h != r.h || c.focus != q.Focus || c.levels != q.Levels || c.rewinds != t.rewinds || from > c.to || to < c.from {
		*c = netCache{track: t, h: r.h, focus: q.Focus, levels: q.Levels, rewinds: t.rewinds, from: from, to: from, net: c.net[:0]}
	}
	if from < c.from {
		// Some more to the left than asked for, so that panning does not move the whole each time.
		from = max(f.first, from-int64(len(c.net))/4)
		more := int(c.from - from)
		c.net = slices.Insert(c.net, 0, make([]float64, more)...)
		for k := range more {
			c.net[k] = r.netOf(t, from+int64(k))
		}
		c.from = from
	}
	for ; c.to < to; c.to++ {
		c.net = append(c.net, r.netOf(t, c.to))
	}
	// What lies far to the left of the view is let go.
	if waste := from - c.from; waste > 4096 && waste > 2*(to-from) {
		c.net = slices.Delete(c.net, 0, int(waste))
		c.from = from
	}
}

// worst returns the position in [from, to) of the frame with the greatest net value, the oldest of equals.
func (c *netCache) worst(from, to int64) int64 {
	best := from
	for p := from + 1; p < to; p++ {
		if c.net[p-c.from] > c.net[best-c.from] {
			best = p
		}
	}
	return best
}

// smoother slides a window over the frames. A frame counts from the end of the frame received before it to its own end, so a gap's time goes to
// the frame after the gap (pstats-viewer section 9.3); the mean is over the window, or what of it lies behind the first frame's begin.
type smoother struct {
	out      *Strip
	t        *Track
	windowNs int64
	lo, hi   int64 // sum holds the frames [lo, hi) whole
	sum      []float64
	seen     []bool
	used     []int32
}

func (m *smoother) start(out *Strip, t *Track, windowNs int64) {
	n := len(out.reader.bands)
	*m = smoother{out: out, t: t, windowNs: windowNs, lo: -1, sum: slices.Grow(out.smoothSum[:0], n)[:n], seen: slices.Grow(out.smoothSeen[:0], n)[:n], used: out.smoothUsed[:0]}
	out.smoothSum, out.smoothSeen = m.sum, m.seen
	clear(m.sum)
	clear(m.seen)
}

// ends returns the interval for which the frame at a position stands.
func (m *smoother) interval(p int64) (from, to int64) {
	f := &m.t.frames
	to = f.end.at(p)
	if p > f.first {
		return min(f.end.at(p-1), to), to
	}
	return f.begin.at(p), to
}

// add adds a frame with a weight in ns to the sum.
func (m *smoother) add(p int64, ns int64) {
	if ns == 0 {
		return
	}
	r := &m.out.reader
	r.read(m.t, p, 1)
	for _, k := range r.used {
		if !m.seen[k] {
			m.seen[k] = true
			m.used = append(m.used, k)
		}
		m.sum[k] += r.val[k] * float64(ns)
	}
	r.clear()
}

// endingAt returns the position of the first frame that ends at timeNs or later, the last one if there is none.
func (m *smoother) endingAt(timeNs int64) int64 {
	f := &m.t.frames
	p := max(f.at(timeNs), f.first)
	for p > f.first && f.end.at(p-1) >= timeNs {
		p--
	}
	for p < f.number.n-1 && f.end.at(p) < timeNs {
		p++
	}
	return p
}

// column returns the cells of the mean over the window that ends at now. now ascends from call to call.
func (m *smoother) column(now int64) cellSpan {
	f := &m.t.frames
	then := max(now-m.windowNs, f.begin.at(f.first))
	if m.lo < 0 {
		m.lo = m.endingAt(then)
		m.hi = m.lo
	}
	for m.lo < f.number.n-1 && f.end.at(m.lo) < then {
		from, to := m.interval(m.lo)
		if m.lo < m.hi {
			m.add(m.lo, from-to)
		}
		m.lo++
		if m.hi <= m.lo {
			m.hi = m.lo
			clear(m.sum) // nothing is whole in the window: no rounding remains
		}
	}
	for m.hi < f.number.n-1 && f.end.at(m.hi) < now {
		from, to := m.interval(m.hi)
		m.add(m.hi, to-from)
		m.hi++
	}
	out := m.out
	r := &out.reader
	span := cellSpan{from: int32(len(out.cells))}
	width := now - then
	if width <= 0 { // the very first instant: its frame's own values
		r.read(m.t, m.lo, 1)
		for _, k := range r.used {
			out.addCell(k, r.val[k])
		}
		r.clear()
		span.to = int32(len(out.cells))
		return span
	}
	// Edges: what of frame lo lies before the window, what of frame hi lies in it.
	if m.lo == m.hi {
		from, to := m.interval(m.lo)
		r.read(m.t, m.lo, float64(max(min(to, now)-max(from, then), 0)))
	} else {
		from, to := m.interval(m.lo)
		r.read(m.t, m.lo, -float64(max(min(to, then)-from, 0)))
		from, to = m.interval(m.hi)
		r.read(m.t, m.hi, float64(max(min(to, now)-from, 0)))
	}
	for _, k := range r.used {
		if !m.seen[k] {
			out.addCell(k, r.val[k]/float64(width))
		}
	}
	for _, k := range m.used {
		v := m.sum[k]
		if r.seen[k] {
			v += r.val[k]
		}
		if v = v / float64(width); abs(v) > 1e-6 || out.reader.levels { // below a femtosecond of a second: rounding
			out.addCell(k, v)
		}
	}
	r.clear()
	span.to = int32(len(out.cells))
	out.smoothUsed = m.used
	return span
}

func abs(v float64) float64 { return max(v, -v) }

// looseCursor walks the loose levels of a collector.
type looseCursor struct {
	c      CollectorID
	points *column[levelPoint]
	next   int64
}

// fillLoose holds the levels that belong to no frame.
func (out *Strip) fillLoose(t *Track, q *StripQuery) {
	r := &out.reader
	out.loose = out.loose[:0]
	for c, points := range t.levels.loose {
		if int(c) < len(r.ord) && r.ord[c] >= 0 {
			out.loose = append(out.loose, looseCursor{c, points, points.start()})
		}
	}
	slices.SortFunc(out.loose, func(a, b looseCursor) int { return int(a.c) - int(b.c) })
	for x := range out.Columns {
		begin := q.columnTime(x)
		if begin > t.hi {
			return
		}
		r.stamp++
		changed, some := x == 0, false
		for k := range out.loose {
			l := &out.loose[k]
			next := searchPos(l.next, l.points.n, func(i int64) bool { return l.points.at(i).time > begin })
			changed = changed || next != l.next
			l.next = next
			if next > l.points.start() {
				r.has[l.c] = r.stamp
				some = true
			}
		}
		if !some {
			continue
		}
		out.Columns[x].State = ColumnData
		if !changed {
			out.spans[x] = out.spans[x-1]
			continue
		}
		for _, l := range out.loose {
			if l.next > l.points.start() {
				r.level(l.c, l.points.at(l.next-1).value)
			}
		}
		out.spans[x] = out.takeCells()
	}
}
