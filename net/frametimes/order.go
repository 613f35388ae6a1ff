package frametimes

import (
	"cmp"
	"math"
	"slices"

	"framescope/net/trace"
)

// maxHeld is how many rows of all streams wait until a file is read to its end, because theirs are in no order.
const maxHeld = 1 << 17

// disorder finds out whether rows of a stream are further from their place than sortedRows puts in order.
type disorder struct {
	newest []float64 // the latest times, in order
	passed float64   // the latest that is none of these
	late   bool
}

// take takes the time of a row, NaN where it has none.
func (o *disorder) take(at float64) {
	n := len(o.newest)
	switch {
	case o.late || math.IsNaN(at):
		return
	case n > sortedRows:
		o.passed = o.newest[0]
		o.newest = o.newest[:copy(o.newest, o.newest[1:])]
	}
	if o.late = n > sortedRows && at < o.passed; o.late {
		o.newest = nil
		return
	}
	i := len(o.newest)
	for i > 0 && o.newest[i-1] > at {
		i--
	}
	o.newest = slices.Insert(o.newest, i, at)
}

// hold keeps a row of a stream in no order until all came, as far as there is room.
func (s *stream) hold(r *row) {
	s.held = append(s.held, *r)
	if s.d.held++; s.d.held >= maxHeld {
		s.sort()
		s.letFirst((len(s.held) + 1) / 2)
	}
}

// sort puts the rows that wait in order.
func (s *stream) sort() {
	trace.SortRuns(s.held, func(a, b row) int { return cmp.Compare(a.at, b.at) })
}

// letFirst lets so many of the rows that wait go.
func (s *stream) letFirst(n int) {
	for i := range n {
		s.let(&s.held[i])
	}
	s.held = slices.Delete(s.held, 0, n)
	if s.unordered {
		s.d.held -= n
	}
}
