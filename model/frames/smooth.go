package frames

import (
	"slices"

	"framescope/model"
)

// smoother slides a window over the frames. A frame counts from the end of the frame received before
// it to its own end, so a gap's time goes to the frame after the gap (VIEWER.md section 9.3);
// the mean is over the window, or the part of it behind the first frame's begin, without stops.
//
// It never subtracts from a sum: once a great level has left the window, a subtraction leaves no
// digits. Windows that share a frame, the pivot, are in two parts instead, which only grow: the part
// before the pivot grows from column to column to the left, and is added up at the first of these
// columns; the part from the pivot on grows to the right. So each frame is read twice at most. If a
// column has many, whole blocks of them are added at once (frameSums).
type smoother struct {
	out      *Strip
	t        *Thread
	windowNs int64
	los      []int64 // of each column: the first frame that ends in its window
	hi       int64   // the first that ends behind that of the last column
	pivot    int64
	head     int64 // sum holds the frames [pivot, head)
	sum      []float64
	seen     []bool
	used     []int32
	first    int // column of the pivot: before holds its part and those of later ones
	blocks   *frameSums
	few      bool // a frame has many columns: their common parts are kept
}

// manyColumns is the number of columns of a frame from which on their common parts are kept.
const manyColumns = 4

// kept is the sum of the frames [from, to), weighted by time if they are several.
type kept struct {
	from, to int64
	cells    []stripCell
}

// smoothRoom is the memory of a smoother.
type smoothRoom struct {
	sum   []float64
	seen  []bool
	used  []int32
	los   []int64
	parts []stripCell // parts of windows before the pivot
	spans []cellSpan  // of columns from the first on: their parts
	// Common parts of columns: the frames at both ends of their windows, and all between these.
	atLo, atHi, whole kept
}

func (m *smoother) start(out *Strip, t *Thread, q *StripQuery) {
	n, room := len(out.reader.bands), &out.smooth
	*m = smoother{out: out, t: t, windowNs: q.SmoothNs, pivot: -1}
	room.sum, room.seen = slices.Grow(room.sum[:0], n)[:n], slices.Grow(room.seen[:0], n)[:n]
	room.los = slices.Grow(room.los[:0], q.Columns)[:q.Columns]
	room.spans = room.spans[:0]
	m.sum, m.seen, m.used, m.los = room.sum, room.seen, room.used[:0], room.los
	room.atLo.to, room.atHi.to, room.whole.to = -1, -1, -1
	clear(m.sum)
	clear(m.seen)
	f := &t.frames
	t0, t1 := q.ColumnTime(0), q.ColumnTime(q.Columns)
	first, last := max(f.at(t0-min(q.SmoothNs, model.MaxTime)), f.first), f.at(t1)
	m.few = (last-f.at(t0))*manyColumns < int64(q.Columns)
	if last > first && out.sums.want(m, q, first+1, last) {
		m.blocks = &out.sums
	}
	lo := int64(-1)
	for x := range m.los {
		then := m.begin(q.ColumnTime(x))
		if lo < 0 {
			lo = m.endingAt(then)
		}
		lo = m.skip(lo, then)
		m.los[x] = lo
	}
	m.hi = lo
	if len(m.los) > 0 {
		m.hi = m.los[0]
	}
}

// begin returns the begin of the window that ends at a time.
func (m *smoother) begin(now int64) int64 {
	return max(now-m.windowNs, m.t.frames.begin.At(m.t.frames.first))
}

// interval returns the time for which the frame at a position stands.
func (m *smoother) interval(p int64) (from, to int64) {
	f := &m.t.frames
	to = f.end.At(p)
	levels := m.out.reader.levels
	if !levels && f.stopped(p) {
		return to, to
	}
	if p > f.first && (levels || !f.stoppedBefore(p)) {
		return min(f.end.At(p-1), to), to
	}
	return f.begin.At(p), to
}

// readPart reads the part of a frame in [then, now].
func (m *smoother) readPart(k *kept, p, then, now int64) {
	from, to := m.interval(p)
	ns := min(to, now) - max(from, then)
	switch r := &m.out.reader; {
	case ns <= 0:
	case k.holds(p, p+1):
		r.addCells(k.cells, float64(ns))
	default:
		if sums, _ := m.blocks.block(p, p+1); sums != nil {
			r.addDense(sums, float64(ns)/float64(to-from))
			r.meet()
			return
		}
		r.read(m.t, p, float64(ns))
	}
}

// holds reports whether the frames [from, to) are kept.
func (k *kept) holds(from, to int64) bool { return k.from == from && k.to == to }

// keep keeps the frames [from, to), which the reader has.
func (k *kept) keep(from, to int64, r *bandReader) {
	k.from, k.to, k.cells = from, to, k.cells[:0]
	for _, band := range r.used {
		k.cells = append(k.cells, stripCell{band, r.val[band]})
	}
}

// keepFrame keeps a frame, if frames have many columns. The reader is empty before and after.
func (m *smoother) keepFrame(k *kept, p int64) {
	if r := &m.out.reader; m.few && !k.holds(p, p+1) {
		r.read(m.t, p, 1)
		k.keep(p, p+1, r)
		r.clear()
	}
}

// readWhole reads the frames [from, to), in blocks where there are some.
func (m *smoother) readWhole(from, to int64) {
	r := &m.out.reader
	for from < to {
		if sums, next := m.blocks.block(from, to); sums != nil {
			r.addDense(sums, 1)
			from = next
			continue
		}
		if begin, end := m.interval(from); end > begin {
			r.read(m.t, from, float64(end-begin))
		}
		from++
	}
	r.meet()
}

// endingAt returns the position of the first frame that ends at timeNs or later, the last one if
// there is none.
func (m *smoother) endingAt(timeNs int64) int64 {
	f := &m.t.frames
	p := max(f.at(timeNs), f.first)
	for p > f.first && f.end.At(p-1) >= timeNs {
		p--
	}
	return m.skip(p, timeNs)
}

// skip returns the position of the first frame from p on that ends at timeNs or later, the last one
// if there is none.
func (m *smoother) skip(p, timeNs int64) int64 {
	f := &m.t.frames
	last := f.number.End() - 1
	for p < last && f.end.At(p) < timeNs {
		p++
		p = m.blocks.leap(f, p, timeNs)
	}
	return p
}

// column returns the cells of the mean over the window of a column, which ends at now. Columns
// ascend from call to call.
func (m *smoother) column(x int, now int64) cellSpan {
	out, then, lo := m.out, m.begin(now), m.los[x]
	r, room := &out.reader, &out.smooth
	m.hi = m.skip(max(m.hi, lo), now)
	stopped := int64(0)
	if !r.levels {
		stopped = m.t.frames.stoppedNs(lo, m.hi+1, then, now)
	}
	width := float64(now - then - stopped)
	if width <= 0 && stopped > 0 {
		return cellSpan{}
	}
	if width <= 0 { // the very first instant: its frame's own values
		width = 1
		r.read(m.t, lo, 1)
	} else {
		m.keepFrame(&room.atLo, lo)
		if m.hi > lo {
			m.keepFrame(&room.atHi, m.hi)
			m.readWindow(x, lo+1, m.hi)
			m.readPart(&room.atHi, m.hi, then, now)
		}
		m.readPart(&room.atLo, lo, then, now)
	}
	span := cellSpan{from: int32(len(out.cells))}
	for _, k := range r.used {
		if r.shows(k) {
			out.cells = append(out.cells, stripCell{k, r.val[k] / width})
		}
	}
	r.clear()
	span.to = int32(len(out.cells))
	return span
}

// readWindow reads the frames [from, to), those of the window of column x that are in it whole. The
// reader is empty before.
func (m *smoother) readWindow(x int, from, to int64) {
	r, room := &m.out.reader, &m.out.smooth
	if room.whole.holds(from, to) {
		r.addCells(room.whole.cells, 1)
		return
	}
	if m.pivot < 0 || from > m.pivot {
		m.turn(x, from, to)
	}
	if m.head < to {
		m.readWhole(m.head, to)
		m.head = to
		for _, k := range r.used {
			if !m.seen[k] {
				m.seen[k] = true
				m.used = append(m.used, k)
			}
			m.sum[k] += r.val[k]
		}
		r.clear()
	}
	if from < m.pivot {
		part := room.spans[x-m.first]
		r.addCells(room.parts[part.from:part.to], 1)
	}
	for _, k := range m.used {
		r.add(k, m.sum[k])
	}
	room.used = m.used
	if m.few {
		room.whole.keep(from, to, r)
	}
}

// turn makes the end of the window of column x the pivot, and adds up the parts of later columns
// before it.
func (m *smoother) turn(x int, from, to int64) {
	r, room := &m.out.reader, &m.out.smooth
	for _, k := range m.used {
		m.sum[k], m.seen[k] = 0, false
	}
	m.used = m.used[:0]
	m.pivot, m.head, m.first = to, to, x
	n := 0
	for x+n < len(m.los) && m.los[x+n]+1 < to {
		n++
	}
	room.parts = room.parts[:0]
	room.spans = slices.Grow(room.spans[:0], n)[:n]
	for end := to; n > 0; n-- {
		begin := max(m.los[x+n-1]+1, from)
		m.readWhole(begin, end)
		end = begin
		part := cellSpan{from: int32(len(room.parts))}
		for _, k := range r.used {
			room.parts = append(room.parts, stripCell{k, r.val[k]})
		}
		part.to = int32(len(room.parts))
		room.spans[n-1] = part
	}
	r.clear()
}
