package frames

import (
	"slices"

	"framescope/model/columns"
)

const (
	// sumShift is the binary logarithm of the frames in a block: mostly a frame is one, so that those at the
	// ends of a window need not be read either. Where the sums would get large there are four times as many,
	// and again, up to maxSumShift.
	sumShift    = 0
	sumUp       = 2
	maxSumShift = 9
	// maxSumBands keeps hostile hierarchies from making the sums large, maxSums long views (32 MiB,
	// and a third more for the levels above).
	maxSumBands = 256
	maxSums     = 4 << 20
	// sumLeast is how many frames a column has at least, in the mean, for the sums to be worth it.
	sumLeast = 2
	// sumLevels is how many levels there are: each node is four of the level below.
	sumLevels = 8
)

// frameSums keeps the sum of value times interval of each band over each frame (or more),
// over four blocks, over sixteen, and so on: windows add up a few of them, and take none off.
type frameSums struct {
	key     netKey
	bands   int
	shift   int
	ordered bool // no frame of the blocks ends before the one before it
	levels  [sumLevels]sumLevel
	step    int64 // how far leap got: columns are about as wide as the one before
}

// sumLevel are the nodes [from, to) of a level.
type sumLevel struct {
	from, to int64
	sums     []float64 // [(node-from)*bands + band]
}

// want makes the sums hold the blocks that lie in the frames [first, last]; false if it is not worth
// it.
func (c *frameSums) want(m *smoother, q *StripQuery, first, last int64) bool {
	n := len(m.out.reader.bands)
	if n > maxSumBands || last-first < sumLeast*int64(q.Columns) {
		return false
	}
	shift := sumShift
	for shift < maxSumShift && (last-first)>>shift*int64(n) > maxSums {
		shift += sumUp
	}
	if key := keyOf(m.out, m.t, q); c.key != key || c.shift != shift || c.bands != n {
		c.key, c.shift, c.bands, c.ordered = key, shift, n, true
		for k := range c.levels {
			c.levels[k].from, c.levels[k].to = 0, 0
		}
	}
	for k := range c.levels {
		up := shift + 2*k
		from, to := (first+int64(1)<<up-1)>>up, (last+1)>>up
		l := &c.levels[k]
		if k == 0 {
			if l.disjoint(from, to) {
				c.ordered = true
			} else if from < l.from { // some more to the left, so that panning does not move all each time
				from = max((m.t.frames.first+int64(1)<<up)>>up, from-(l.to-l.from)/4)
			}
			l.extend(from, to, n, func(node int64, sums []float64) { c.addFrames(m, node, sums) })
		} else {
			below := &c.levels[k-1]
			l.extend(from, to, n, func(node int64, sums []float64) { below.addTo(node, sums) })
		}
	}
	return true
}

func (l *sumLevel) disjoint(from, to int64) bool { return l.from >= l.to || from > l.to || to < l.from }

// extend makes the level hold the nodes [from, to): add sums up one that is new.
func (l *sumLevel) extend(from, to int64, n int, add func(node int64, sums []float64)) {
	if l.disjoint(from, to) {
		l.from, l.to, l.sums = from, from, l.sums[:0]
	}
	if from < l.from {
		more := int(l.from - from)
		l.sums = slices.Insert(l.sums, 0, make([]float64, more*n)...)
		for k := range more {
			add(from+int64(k), l.sums[k*n:(k+1)*n])
		}
		l.from = from
	}
	if l.to < to {
		l.sums = slices.Grow(l.sums, int(to-l.to)*n)
		for ; l.to < to; l.to++ {
			end := len(l.sums)
			l.sums = l.sums[:end+n]
			clear(l.sums[end:])
			add(l.to, l.sums[end:])
		}
	}
	// What lies far to the left of the view is let go.
	if waste := from - l.from; waste > 1024 && waste > 2*(to-from) {
		l.sums = slices.Delete(l.sums, 0, int(waste)*n)
		l.from = from
	}
}

// addTo adds the four nodes of which one of the level above is made.
func (l *sumLevel) addTo(node int64, sums []float64) {
	n := int64(len(sums))
	four := l.sums[(4*node-l.from)*n : (4*node+4-l.from)*n]
	for i, v := range four {
		sums[int64(i)%n] += v
	}
}

// addFrames adds the frames of a block.
func (c *frameSums) addFrames(m *smoother, block int64, sums []float64) {
	r := &m.out.reader
	for p := block << c.shift; p < (block+1)<<c.shift; p++ {
		from, to := m.interval(p)
		c.ordered = c.ordered && (p == m.t.frames.first || m.t.frames.end.At(p-1) <= to)
		if to > from {
			r.read(m.t, p, float64(to-from))
		}
	}
	for _, k := range r.used {
		sums[k] += r.val[k]
	}
	r.clear()
}

// block returns the sums of the greatest node that begins with the frame from and ends by the frame
// to, and the first frame after it; nil if there is none.
func (c *frameSums) block(from, to int64) (sums []float64, next int64) {
	if c == nil {
		return nil, from
	}
	for k := range c.levels {
		up := c.shift + 2*k
		l, node := &c.levels[k], from>>up
		if node<<up != from || (node+1)<<up > to || node < l.from || node >= l.to {
			break
		}
		at := int(node-l.from) * c.bands
		sums, next = l.sums[at:at+c.bands], (node+1)<<up
	}
	return sums, next
}

// leap goes on to the first frame from p on that ends at timeNs or later, as far as there are blocks
// whose frames' ends ascend.
func (c *frameSums) leap(f *list, p, timeNs int64) int64 {
	if c == nil || !c.ordered || p < c.levels[0].from<<c.shift {
		return p
	}
	end := c.levels[0].to << c.shift
	if p >= end {
		return p
	}
	was := p
	p = columns.SearchNear(p, end-1, p+c.step, func(i int64) bool { return f.end.At(i) >= timeNs })
	c.step = p - was
	return p
}
