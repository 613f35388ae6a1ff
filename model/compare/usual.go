package compare

import (
	"slices"

	"framescope/model"
	"framescope/model/measure"
	"framescope/model/spans"
)

// Usual holds the usual values: their median, and the range of nine tenths of them. Values in that
// range are unremarkable. Values are those of frames, of calls, or of 32 parts of a time.
type Usual struct {
	N                 int     // values that were looked at; 0: nothing is known
	Low, Median, High float64 // 5th percentile, median, 95th percentile
}

// Off returns by how much a value is more than the median, and on which side of the usual it lies: 1
// above, -1 below, 0 within.
func (u *Usual) Off(v float64) (delta float64, side int) {
	switch {
	case v > u.High:
		side = 1
	case v < u.Low:
		side = -1
	}
	return v - u.Median, side
}

// usualOf returns the usual values of n values; those not in some are 0, and none is less than that. It
// sorts some.
func usualOf(n int, some []float64) Usual {
	if n = max(n, len(some)); n == 0 {
		return Usual{}
	}
	slices.Sort(some)
	at := func(i int64) float64 {
		if k := int(i) - (n - len(some)); k >= 0 {
			return some[k]
		}
		return 0
	}
	low, high := measure.Middle(int64(n))
	return Usual{
		N: n, Low: at(measure.Rank(int64(n), 5)), Median: (at(low) + at(high)) / 2, High: at(measure.Rank(int64(n), 95)),
	}
}

// usual is usualOf of values in memory of its own, which is used again.
func (c *Comparison) usual(n int, some []float64) Usual {
	c.sorted = append(c.sorted[:0], some...)
	return usualOf(n, c.sorted)
}

// usualOfRow sets the usual values of a row's figures on side A.
func (c *Comparison) usualOfRow(r *row) {
	n, v := int(c.result.Threads[r.Thread].Looked[0]), &r.sides[0]
	if c.result.ByTime {
		r.Total.Usual, r.Self.Usual = c.usualByTime(n, v.at, v.total), c.usualByTime(n, v.at, v.self)
	} else {
		r.Total.Usual, r.Self.Usual = c.usual(n, v.total), c.usual(n, v.self)
	}
	r.Call = usualOf(0, r.lengths)
}

// stretches is the number of parts of a time that usual values come from. Slices are shorter: a few
// of a sampled stack hold next to nothing.
const stretches = 32

// usualByTime is usual for the means of so many stretches of n slices; those at some places have values.
func (c *Comparison) usualByTime(n int, at []int32, some []float64) Usual {
	parts := min(n, stretches)
	c.sorted = append(c.sorted[:0], make([]float64, parts)...)
	for k, i := range at {
		part := int(i) * parts / n
		from, to := (part*n+parts-1)/parts, ((part+1)*n+parts-1)/parts // the slices i with i·parts/n = part
		c.sorted[part] += some[k] / float64(to-from)
	}
	return usualOf(parts, c.sorted)
}

// mostCalls is about how many calls of a thread are examined for their usual length.
const mostCalls = 1 << 20

// lengths notes how long calls are that begin in [begin, end), of the thread of a unit: one by one, by
// call path and by collector. Of those that are not known whole, nothing is noted. It returns how many
// it looked at.
func (c *Comparison) lengths(u *unit, begin, end int64) (cost int) {
	s := c.sides[u.side].Session
	for _, id := range c.result.Threads[u.thread].All[u.side] {
		for lane := range s.Track(id).Lanes() {
			c.bars = s.Spans().Visible(id, lane, begin, end-1, 0, c.bars[:0])
			cost += len(c.bars)
			for i := range c.bars {
				c.length(u, &c.bars[i], begin, end)
			}
		}
	}
	return cost
}

func (c *Comparison) length(u *unit, b *spans.Bar, begin, end int64) {
	const open = model.SpanOpenBegin | model.SpanOpenEnd
	if b.Begin < begin || b.Begin >= end || b.Count != 1 || b.Flags&open != 0 {
		return
	}
	ns := float64(b.End - b.Begin)
	if int(b.Path) < len(u.paths) && u.paths[b.Path] > 0 {
		r := &c.rows.paths[u.paths[b.Path]-1]
		r.lengths = append(r.lengths, ns)
	}
	if b.Collector >= 0 && int(b.Collector) < len(u.collectors) && u.collectors[b.Collector] > 0 {
		r := &c.rows.collectors[u.collectors[b.Collector]-1]
		r.lengths = append(r.lengths, ns)
	}
}
