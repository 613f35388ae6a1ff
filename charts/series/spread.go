package series

import (
	"slices"

	"framescope/charts/draw"
	"framescope/charts/panel"
)

// spread counts values in bins, and knows where their columns lie in a plot.
type spread struct {
	plot   draw.Rect
	values []float32
	sorted []float32
	lo, hi float64
	bins   []int32
	most   int32 // in a bin
}

// count sorts the values into bins. The last bin also holds greater ones: a few wild values must
// not squeeze all others into one bin.
func (h *spread) count(bins int) {
	h.sorted = append(h.sorted[:0], h.values...)
	slices.Sort(h.sorted)
	n := len(h.sorted)
	at := func(q float64) float64 { return float64(h.sorted[int(q*float64(n-1))]) }
	h.lo, h.hi = float64(h.sorted[0]), float64(h.sorted[n-1])
	if far := at(0.95) + 1.2*(at(0.95)-at(0.05)); far < h.hi && far > h.lo {
		h.hi = far
	}
	if h.hi <= h.lo {
		h.hi = h.lo + max(1e-6, h.lo*0.01)
	}
	h.bins = panel.Zeros(h.bins, bins)
	h.most = 1
	for _, v := range h.values {
		b := h.binOf(v)
		h.bins[b]++
		h.most = max(h.most, h.bins[b])
	}
}

// binOf returns the bin of a value.
func (h *spread) binOf(v float32) int {
	share := (float64(v) - h.lo) / (h.hi - h.lo)
	return min(max(int(share*float64(len(h.bins))), 0), len(h.bins)-1)
}

// column returns the part of the plot that belongs to a bin, at full height.
func (h *spread) column(bin int) draw.Rect {
	w := h.plot.W() / float32(len(h.bins))
	return draw.Rect{
		X0: panel.Snap(h.plot.X0 + float32(bin)*w), Y0: h.plot.Y0, X1: panel.Snap(h.plot.X0 + float32(bin+1)*w), Y1: h.plot.Y1,
	}
}

// bar returns the bar of a bin; its height is the count.
func (h *spread) bar(env *panel.Env, bin int) draw.Rect {
	r := h.column(bin)
	if r.W() >= 4 {
		r.X1 -= env.Px(1)
	}
	if r.Y0 = r.Y1; h.bins[bin] > 0 {
		r.Y0 -= max(env.Px(1), panel.Snap(h.plot.H()*float32(h.bins[bin])/float32(h.most)))
	}
	return r
}

// beyond reports whether the last bin holds greater values than its own.
func (h *spread) beyond() bool { return float64(h.sorted[len(h.sorted)-1]) > h.hi }

// next returns the index of the first value from one on, in a circle, that is in a bin; -1 where
// none is.
func (h *spread) next(from, bin int) int {
	for i := range h.values {
		if k := (from + i) % len(h.values); h.binOf(h.values[k]) == bin {
			return k
		}
	}
	return -1
}

// appendRange appends which values a bin holds, written by value: "2 ms – 3 ms".
func (h *spread) appendRange(dst []byte, bin int, value func(dst []byte, v float64) []byte) []byte {
	w := (h.hi - h.lo) / float64(len(h.bins))
	dst = value(dst, h.lo+float64(bin)*w)
	if bin == len(h.bins)-1 && h.beyond() {
		return append(dst, " and more"...)
	}
	return value(append(dst, " – "...), h.lo+float64(bin+1)*w)
}

// binAt returns the bin under a point, -1 none.
func (h *spread) binAt(pxX, pxY float32) int {
	if len(h.bins) > 0 && h.plot.Contains(pxX, pxY) {
		for i := range h.bins {
			if r := h.column(i); pxX >= r.X0 && pxX < r.X1 {
				return i
			}
		}
	}
	return -1
}
