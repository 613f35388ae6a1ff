package spans

import (
	"math"

	"framescope/model"
	"framescope/model/columns"
)

// Over the samples of a series lies a pyramid: a node for each 32 samples, for each 8 of those, and
// so on. A node is made when no late sample can come among its own any more, and never changes. The
// samples of a range are a few nodes and a few single samples at its two ends, so a bin costs the
// logarithm of its content; the newest 4,096 samples are read one by one, once in a picture.

// seriesSummary summarises a run of samples. Of the fields after gaps nothing counts while n is 0.
type seriesSummary struct {
	n, gaps         int64
	firstAt, lastAt int64 // positions of the first and the last sample with a value
	min, max, sum   float64
	m2              float64 // sum of the squares of the differences from the mean
}

// sample adds the sample at position i. Without spread m2 is left out: it costs two divisions.
func (a *seriesSummary) sample(r *SeriesRow, i int64, spread bool) {
	v := r.Value
	if math.IsNaN(v) {
		a.gaps++
		return
	}
	if a.n == 0 {
		a.firstAt, a.min, a.max = i, v, v
	} else {
		a.min, a.max = min(a.min, v), max(a.max, v)
		if spread { // Welford's step, in terms of the sum
			d := v - a.sum/float64(a.n)
			a.m2 += d * d * float64(a.n) / float64(a.n+1)
		}
	}
	a.n++
	a.lastAt = i
	a.sum += v
}

// join adds a later summary.
func (a *seriesSummary) join(b *seriesSummary, spread bool) {
	gaps := a.gaps + b.gaps
	switch {
	case b.n == 0:
	case a.n == 0:
		*a = *b
	default:
		if spread {
			n, m := float64(a.n), float64(b.n)
			d := b.sum/m - a.sum/n
			a.m2 += b.m2 + d*d*n*m/(n+m)
		}
		a.n += b.n
		a.lastAt = b.lastAt
		a.min, a.max = min(a.min, b.min), max(a.max, b.max)
		a.sum += b.sum
	}
	a.gaps = gaps
}

// derive makes the nodes with final samples. It is called after each sample.
func (s *Series) derive() {
	if n := s.rows.End() - columns.SampleWindow; n > 0 && n&(1<<columns.SeriesLeaf-1) == 0 {
		columns.Grow(&s.nodes.Pyramid, n, columns.SeriesLeaf, columns.SeriesUp, s)
	}
	s.deriveForces()
}

func (s *Series) LeafOf(from, to int64) (node seriesSummary) {
	s.leaf(from, to, &node, true)
	return node
}

func (s *Series) JoinOf(nodes []seriesSummary) (node seriesSummary) {
	for i := range nodes {
		node.join(&nodes[i], true)
	}
	return node
}

// leaf adds the samples at [from, to), which lie in one chunk.
func (s *Series) leaf(from, to int64, node *seriesSummary, spread bool) {
	run := s.rows.Run(from, to)
	for i := range run {
		node.sample(&run[i], from+int64(i), spread)
	}
}

// sum adds the samples at [from, to) to node and returns how many samples and nodes were looked at.
// Cost: O(log n).
func (s *Series) sum(from, to int64, node *seriesSummary, spread bool) (visited int64) {
	for from < to {
		if n, end := s.nodes.Greatest(from, to); n != nil {
			node.join(n, spread)
			from = end
			visited++
			continue
		}
		stop := min((from>>columns.SeriesLeaf+1)<<columns.SeriesLeaf, to)
		s.leaf(from, stop, node, spread) // it lies in one chunk
		visited += stop - from
		from = stop
	}
	return visited
}

// Bins appends n bins that divide [t0, t1) evenly. Cost: O(n · log samples).
func (s *Series) Bins(t0, t1 int64, n int, out []SeriesBin) []SeriesBin {
	t0, t1 = model.ClampTime(t0), model.ClampTime(t1)
	if n <= 0 || t1 <= t0 {
		return out
	}
	whole, rest := (t1-t0)/int64(n), (t1-t0)%int64(n)
	var visited int64
	lo := s.From(t0)
	end := t0
	expected := int64(1) // samples in a bin
	for i := range int64(n) {
		b := SeriesBin{Begin: end}
		end = t0 + whole*(i+1) + rest*(i+1)/int64(n)
		b.End = end
		if r, ok := s.Before(lo); ok && !r.Gap() {
			b.Before, b.HasBefore = r.Value, true
		}
		var node seriesSummary
		hi := s.near(lo, lo+expected, end)
		visited += s.sum(lo, hi, &node, false)
		var f force
		if s.holds && s.Len() > 0 {
			visited += s.inForce(lo, hi, b.Begin, b.End, &node, &f, false)
			b.HeldNs = f.ns
		}
		if b.Mean = node.mean(&f); hi > lo {
			b.N, b.Gaps = node.n, node.gaps
			if node.n > 0 {
				b.Min, b.Max, b.Sum = node.min, node.max, node.sum
				b.First, b.Last = s.rows.Ref(node.firstAt).Value, s.rows.Ref(node.lastAt).Value
			}
			expected, lo = hi-lo, hi
		}
		out = append(out, b)
	}
	s.work.visited = visited
	return out
}

// valueBefore returns the position of the last sample with a value before position i, -1 without
// one. Cost: O(log n).
func (s *Series) valueBefore(i int64) int64 {
	for i > s.first {
		if !s.rows.Ref(i - 1).Gap() {
			return i - 1
		}
		skip := int64(1)
		for k := range s.nodes.Depth() {
			shift := s.nodes.Shift(k)
			if i&(1<<shift-1) != 0 {
				break
			}
			if node := s.nodes.Node(k, i>>shift-1); node == nil || node.n > 0 {
				break
			}
			skip = 1 << shift
		}
		i -= skip
	}
	return -1
}

// valueFrom returns the position of the first sample with a value from position i on, -1 without
// one. Cost: O(log n).
func (s *Series) valueFrom(i int64) int64 {
	for i < s.rows.End() {
		if !s.rows.Ref(i).Gap() {
			return i
		}
		skip := int64(1)
		for k := range s.nodes.Depth() {
			shift := s.nodes.Shift(k)
			if i&(1<<shift-1) != 0 {
				break
			}
			if node := s.nodes.Node(k, i>>shift); node == nil || node.n > 0 {
				break
			}
			skip = 1 << shift
		}
		i += skip
	}
	return -1
}
