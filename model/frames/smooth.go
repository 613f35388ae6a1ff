package frames

import (
	"math"
	"slices"

	"framescope/model"
)

// smoother slides a window over the frames. A frame counts from the end of the frame received
// before it to its own end, so a gap's time goes to the frame after the gap (pstats-viewer section
// 9.3); the mean is over the window, or what of it lies behind the first frame's begin.
//
// Where a column has few frames, each is read twice: when it enters the window and when it leaves
// it. Where it has many, the sums of whole blocks of frames come from a cache of prefix sums, and
// only the frames at the edges of the window are read.
type smoother struct {
	out      *Strip
	t        *Track
	windowNs int64
	lo, hi   int64 // sum holds the frames [lo, hi) whole
	sum      []float64
	seen     []bool
	used     []int32
	prefix   *prefixCache // where many frames share a column: sums come from here, not from sliding
}

func (m *smoother) start(out *Strip, t *Track, q *StripQuery) {
	n := len(out.reader.bands)
	*m = smoother{
		out: out, t: t, windowNs: q.SmoothNs, lo: -1, used: out.smoothUsed[:0],
		sum: slices.Grow(out.smoothSum[:0], n)[:n], seen: slices.Grow(out.smoothSeen[:0], n)[:n],
	}
	out.smoothSum, out.smoothSeen = m.sum, m.seen
	clear(m.sum)
	clear(m.seen)
	first, last := max(t.frames.at(q.T0-min(q.SmoothNs, model.MaxTime)), t.frames.first), t.frames.at(q.T1)
	if last > first && out.prefix.want(m, q, first+1, last) {
		m.prefix = &out.prefix
	}
}

// interval returns the time for which the frame at a position stands.
func (m *smoother) interval(p int64) (from, to int64) {
	f := &m.t.frames
	to = f.end.At(p)
	if p > f.first {
		return min(f.end.At(p-1), to), to
	}
	return f.begin.At(p), to
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

// readPart reads what of a frame lies in [then, now].
func (m *smoother) readPart(p, then, now int64) {
	from, to := m.interval(p)
	if ns := min(to, now) - max(from, then); ns > 0 {
		m.out.reader.read(m.t, p, float64(ns))
	}
}

// endingAt returns the position of the first frame that ends at timeNs or later, the last one if
// there is none.
func (m *smoother) endingAt(timeNs int64) int64 {
	f := &m.t.frames
	p := max(f.at(timeNs), f.first)
	for p > f.first && f.end.At(p-1) >= timeNs {
		p--
	}
	for p < f.number.End()-1 && f.end.At(p) < timeNs {
		p++
	}
	return p
}

// slide makes the sum that of the frames from the one that ends in the window first up to the one
// in which it ends.
func (m *smoother) slide(then, now int64) {
	f := &m.t.frames
	for m.lo < f.number.End()-1 && f.end.At(m.lo) < then {
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
	for m.hi < f.number.End()-1 && f.end.At(m.hi) < now {
		from, to := m.interval(m.hi)
		m.add(m.hi, to-from)
		m.hi++
	}
}

// column returns the cells of the mean over the window that ends at now. now ascends from call to
// call.
func (m *smoother) column(now int64) cellSpan {
	f := &m.t.frames
	then := max(now-m.windowNs, f.begin.At(f.first))
	if m.lo < 0 {
		m.lo = m.endingAt(then)
		m.hi = m.lo
	}
	if m.prefix != nil {
		m.lo = m.prefix.skip(f, m.lo, then)
		m.hi = m.prefix.skip(f, max(m.hi, m.lo), now)
	} else {
		m.slide(then, now)
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
	switch {
	case m.lo == m.hi:
		m.readPart(m.lo, then, now)
	case m.prefix != nil:
		m.readPart(m.lo, then, now)
		from, to := m.prefix.whole(m.lo+1, m.hi)
		for p := m.lo + 1; p < from; p++ {
			m.readPart(p, then, now)
		}
		m.prefix.difference(r, from, to)
		for p := to; p <= m.hi; p++ {
			m.readPart(p, then, now)
		}
	default: // frame lo is in the sum whole, frame hi is not
		from, to := m.interval(m.lo)
		r.read(m.t, m.lo, -float64(max(min(to, then)-from, 0)))
		m.readPart(m.hi, then, now)
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
		// Below a femtosecond of a second is rounding.
		if v = v / float64(width); math.Abs(v) > 1e-6 || r.levels {
			out.addCell(k, v)
		}
	}
	r.clear()
	span.to = int32(len(out.cells))
	out.smoothUsed = m.used
	return span
}

const (
	// prefixShift is the binary logarithm of the frames in a block. Where the cache would get large
	// there are four times as many, and again, up to maxPrefixShift.
	prefixShift    = 1
	prefixUp       = 2
	maxPrefixShift = 9
	// maxPrefixBands keeps hostile hierarchies from making the cache large, maxPrefixSums long
	// views (32 MiB).
	maxPrefixBands = 256
	maxPrefixSums  = 4 << 20
)

// prefixCache keeps, for each border between blocks of two frames (or more), the sum of value
// times interval of each band over all frames before it, counted from some block on. A band that
// does not occur between two borders has exactly the same sum at both.
type prefixCache struct {
	key      netKey
	bands    int
	shift    int
	ordered  bool      // no frame of the blocks ends before the one before it
	from, to int64     // borders kept, in blocks
	sums     []float64 // [(border-from)*bands + band]
}

// want makes the cache hold the blocks that lie in the frames [first, last]; false if it is not
// worth it.
func (c *prefixCache) want(m *smoother, q *StripQuery, first, last int64) bool {
	n := len(m.out.reader.bands)
	if n > maxPrefixBands || (last-first)>>prefixShift < int64(q.Columns) {
		return false
	}
	shift := prefixShift
	for shift < maxPrefixShift && (last-first)>>shift*int64(n) > maxPrefixSums {
		shift += prefixUp
	}
	round := int64(1)<<shift - 1
	from, to := (first+round)>>shift, (last+1)>>shift
	key := keyOf(m.out, m.t, q)
	if c.key != key || c.shift != shift || from > c.to || to < c.from {
		c.key, c.bands, c.shift, c.from, c.to, c.ordered = key, n, shift, from, from, true
		c.sums = append(c.sums[:0], make([]float64, n)...)
	}
	if from < c.from {
		from = max((m.t.frames.first+1+round)>>shift, from-(c.to-c.from)/4)
		more := int(c.from - from)
		c.sums = slices.Insert(c.sums, 0, make([]float64, more*n)...)
		for k := more - 1; k >= 0; k-- {
			copy(c.sums[k*n:(k+1)*n], c.sums[(k+1)*n:(k+2)*n])
			c.addBlock(m, from+int64(k), c.sums[k*n:(k+1)*n], -1)
		}
		c.from = from
	}
	for ; c.to < to; c.to++ {
		c.sums = append(c.sums, c.sums[len(c.sums)-n:]...)
		c.addBlock(m, c.to, c.sums[len(c.sums)-n:], 1)
	}
	return true
}

// addBlock adds the frames of a block to sums.
func (c *prefixCache) addBlock(m *smoother, block int64, sums []float64, sign float64) {
	r := &m.out.reader
	for p := block << c.shift; p < (block+1)<<c.shift; p++ {
		from, to := m.interval(p)
		c.ordered = c.ordered && (p == m.t.frames.first || m.t.frames.end.At(p-1) <= to)
		r.read(m.t, p, sign*float64(to-from))
	}
	for _, k := range r.used {
		sums[k] += r.val[k]
	}
	r.clear()
}

// whole returns the part of the frames [from, to) that is whole blocks; both ends are to if there
// is none.
func (c *prefixCache) whole(from, to int64) (int64, int64) {
	a := max((from+int64(1)<<c.shift-1)>>c.shift, c.from)
	b := min(to>>c.shift, c.to)
	if a >= b {
		return to, to
	}
	return a << c.shift, b << c.shift
}

// difference adds the sum of the frames [from, to), borders of blocks.
func (c *prefixCache) difference(r *bandReader, from, to int64) {
	if from >= to {
		return
	}
	a, b := c.border(from>>c.shift), c.border(to>>c.shift)
	for k := range a {
		if d := b[k] - a[k]; d != 0 {
			r.add(int32(k), d)
		}
	}
}

// border returns the sums before a block.
func (c *prefixCache) border(block int64) []float64 {
	at := int(block-c.from) * c.bands
	return c.sums[at : at+c.bands]
}

// skip returns the position of the first frame from p on that ends at timeNs or later, the last one
// if there is none.
func (c *prefixCache) skip(f *list, p, timeNs int64) int64 {
	last := f.number.End() - 1
	for p < last && f.end.At(p) < timeNs {
		if p++; c.ordered && p >= c.from<<c.shift {
			p = c.leap(f, p, timeNs)
		}
	}
	return p
}

// leap does what skip does for frames whose ends ascend, as far as these go.
func (c *prefixCache) leap(f *list, p, timeNs int64) int64 {
	end := c.to << c.shift
	step := int64(1)
	for p+step < end && f.end.At(p+step-1) < timeNs {
		p += step
		step *= 2
	}
	for ; step > 0; step /= 2 {
		if p+step < end && f.end.At(p+step-1) < timeNs {
			p += step
		}
	}
	return p
}
