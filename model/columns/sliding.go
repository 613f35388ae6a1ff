package columns

import "slices"

// Sliding are the nodes [From, To) of a level of sums, of n values each, that follows a view: it grows at
// either end, and drops nodes far to the left.
type Sliding struct {
	From, To int64
	Sums     []float64 // [(node-From)*n + value]
}

// Disjoint reports whether nothing of [from, to) is next to the kept range.
func (l *Sliding) Disjoint(from, to int64) bool { return l.From >= l.To || from > l.To || to < l.From }

// Extend makes the level hold the nodes [from, to). add computes the sums of a new node.
func (l *Sliding) Extend(from, to int64, n int, add func(node int64, sums []float64)) {
	if l.Disjoint(from, to) {
		l.From, l.To, l.Sums = from, from, l.Sums[:0]
	}
	if from < l.From {
		more := int(l.From - from)
		l.Sums = slices.Insert(l.Sums, 0, make([]float64, more*n)...)
		for k := range more {
			add(from+int64(k), l.Sums[k*n:(k+1)*n])
		}
		l.From = from
	}
	if l.To < to {
		l.Sums = slices.Grow(l.Sums, int(to-l.To)*n)
		for ; l.To < to; l.To++ {
			end := len(l.Sums)
			l.Sums = l.Sums[:end+n]
			clear(l.Sums[end:])
			add(l.To, l.Sums[end:])
		}
	}
	// Drop nodes far to the left of the view.
	if waste := from - l.From; waste > 1024 && waste > 2*(to-from) {
		l.Sums = slices.Delete(l.Sums, 0, int(waste)*n)
		l.From = from
	}
}

// AddTo adds the four nodes below a node of the next level to its sums.
func (l *Sliding) AddTo(node int64, sums []float64) {
	n := int64(len(sums))
	four := l.Sums[(4*node-l.From)*n : (4*node+4-l.From)*n]
	for i, v := range four {
		sums[int64(i)%n] += v
	}
}
