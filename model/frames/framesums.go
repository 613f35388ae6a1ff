package frames

import "framescope/model/columns"

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
	levels  [sumLevels]columns.Sliding
	step    int64 // how far leap got: columns are about as wide as the one before
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
			c.levels[k].From, c.levels[k].To = 0, 0
		}
	}
	for k := range c.levels {
		up := shift + 2*k
		from, to := (first+int64(1)<<up-1)>>up, (last+1)>>up
		l := &c.levels[k]
		if k == 0 {
			if l.Disjoint(from, to) {
				c.ordered = true
			} else if from < l.From { // some more to the left, so that panning does not move all each time
				from = max((m.t.frames.first+int64(1)<<up)>>up, from-(l.To-l.From)/4)
			}
			l.Extend(from, to, n, func(node int64, sums []float64) { c.addFrames(m, node, sums) })
		} else {
			below := &c.levels[k-1]
			l.Extend(from, to, n, func(node int64, sums []float64) { below.AddTo(node, sums) })
		}
	}
	return true
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
		if node<<up != from || (node+1)<<up > to || node < l.From || node >= l.To {
			break
		}
		at := int(node-l.From) * c.bands
		sums, next = l.Sums[at:at+c.bands], (node+1)<<up
	}
	return sums, next
}

// leap skips to the first frame from p on that ends at timeNs or later, as far as there are blocks
// of frames with ascending ends.
func (c *frameSums) leap(f *list, p, timeNs int64) int64 {
	if c == nil || !c.ordered || p < c.levels[0].From<<c.shift {
		return p
	}
	end := c.levels[0].To << c.shift
	if p >= end {
		return p
	}
	was := p
	p = columns.SearchNear(p, end-1, p+c.step, func(i int64) bool { return f.end.At(i) >= timeNs })
	c.step = p - was
	return p
}
