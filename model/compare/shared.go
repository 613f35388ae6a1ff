package compare

import (
	"fmt"
	"math"
	"slices"

	"framescope/model/estimate"
)

// Shared is a factor that the collectors of a thread have in common, from frame to frame: a scene that grows, a machine
// that slows down or another one. Where they have one it is taken out before anything is tested: else everything would
// be slower, or nothing would be significant, as no frame stands alone. Waits keep theirs.
type Shared struct {
	Taken  bool
	Factor float64 // of B over A, in the mean

	of [2][]float64 // by examined frame, 1 in the mean of A
}

const (
	sharedRows   = 4    // collectors that are needed
	sharedMost   = 64   // and that are looked at, those that take most
	sharedIn     = 0.9  // of the frames of both sides that a collector is in
	sharedParts  = 32   // of a side: their means are what collectors have in common, or not
	sharedLeast  = 8    // frames of a part
	sharedAlike  = 0.25 // the least mean correlation of two collectors
	sharedMiddle = 4    // one in so many of the greatest and of the least values of a frame is left out of its factor
)

// share finds what the collectors of a thread have in common.
func (c *Comparison) share(thread int) (s Shared) {
	logs := c.logsOf(thread)
	if len(logs) < sharedRows || alike(logs) < sharedAlike {
		return s
	}
	s.commonOf(logs)
	var w ranker
	relative := make([][2][]float64, 0, len(logs))
	for _, row := range logs { // those that change beside it are no part of it
		var x [2][]float64
		for side := range row {
			for i, y := range row[side] {
				x[side] = append(x[side], math.Exp(y)/s.of[side][i])
			}
		}
		if p := w.test(x[0], x[1]).p; !(p*float64(len(logs)) < ErrorRate) {
			relative = append(relative, row)
		}
	}
	if 2*len(relative) > len(logs) {
		s.commonOf(relative)
	}
	s.Taken = true
	return s
}

// logsOf returns the logarithms of the self times of the collectors of a thread that are in most frames, over their
// means. Where one is not in a frame it is as in the mean.
func (c *Comparison) logsOf(thread int) (logs [][2][]float64) {
	th := &c.result.Threads[thread]
	var rows []*row
	for i := range c.rows.collectors {
		if r := &c.rows.collectors[i]; r.Thread == thread && !r.async && c.works(&r.Row) && r.inMost(th) {
			rows = append(rows, r)
		}
	}
	slices.SortStableFunc(rows, func(a, b *row) int { return int(min(max(b.sides[0].sums[1]-a.sides[0].sums[1], -1), 1)) })
	for _, r := range rows[:min(len(rows), sharedMost)] {
		var row [2][]float64
		sum, n := 0.0, 0
		for side := range r.sides {
			v := &r.sides[side]
			row[side] = slices.Repeat([]float64{math.NaN()}, int(th.Looked[side]))
			for k, at := range v.at {
				if v.self[k] > 0 {
					row[side][at] = math.Log(v.self[k])
					sum, n = sum+row[side][at], n+1
				}
			}
		}
		mean := sum / float64(n)
		for _, side := range row {
			for i, y := range side {
				if side[i] = y - mean; math.IsNaN(y) {
					side[i] = 0
				}
			}
		}
		logs = append(logs, row)
	}
	return logs
}

// works reports whether a row is of work, and no wait.
func (c *Comparison) works(r *Row) bool {
	for side := range c.sides {
		if id := r.Collectors[side]; id >= 0 && !c.sides[side].Session.Collector(id).Works() {
			return false
		}
	}
	return true
}

// inMost reports whether a row has time of its own in most frames of its thread that were looked at.
func (r *row) inMost(th *Thread) bool {
	for side := range r.sides {
		n := 0
		for _, ns := range r.sides[side].self {
			if ns > 0 {
				n++
			}
		}
		if th.Looked[side] < sharedParts || float64(n) < sharedIn*float64(th.Looked[side]) {
			return false
		}
	}
	return true
}

// alike returns the mean correlation of two rows, by the means of parts of both sides.
func alike(logs [][2][]float64) float64 {
	var sums, z []float64
	for _, row := range logs {
		z = z[:0]
		for _, side := range row {
			each := max(len(side)/sharedParts, sharedLeast)
			for i := 0; i+each <= len(side); i += each {
				z = append(z, estimate.Mean(side[i:i+each]))
			}
		}
		if sums == nil {
			sums = make([]float64, len(z))
		}
		mean, variance := estimate.Variance(z)
		if !(variance > 0) {
			continue
		}
		for i, v := range z {
			sums[i] += (v - mean) / math.Sqrt(variance)
		}
	}
	_, variance := estimate.Variance(sums)
	n := float64(len(logs))
	return (variance/n - 1) / (n - 1)
}

// commonOf sets the factor to what some rows have in common.
func (s *Shared) commonOf(logs [][2][]float64) {
	all := make([]float64, len(logs))
	var means [2]float64
	for side := range s.of {
		of := s.of[side][:0]
		for i := range logs[0][side] {
			for k := range logs {
				all[k] = logs[k][side][i]
			}
			slices.Sort(all)
			cut := len(all) / sharedMiddle
			of = append(of, estimate.Mean(all[cut:len(all)-cut]))
		}
		s.of[side], means[side] = of, estimate.Mean(of)
	}
	for _, of := range s.of {
		for i, y := range of {
			of[i] = math.Exp(y - means[0])
		}
	}
	s.Factor = math.Exp(means[1] - means[0])
}

// String says it in a sentence.
func (s *Shared) String() string {
	const little = 0.005
	what := fmt.Sprintf("its collectors all take %.3g %% longer in B", 100*(s.Factor-1))
	switch {
	case math.Abs(s.Factor-1) < little:
		what = "its collectors take longer and shorter together"
	case s.Factor < 1:
		what = fmt.Sprintf("its collectors all take %.3g %% less long in B", 100*(1-s.Factor))
	}
	return what + "; that is taken out of their verdicts and differences."
}

// takeOut divides the values of a side by the factor.
func (s *Shared) takeOut(side int, x []float64) {
	if s.Taken {
		for i := range x {
			x[i] /= s.of[side][i]
		}
	}
}
