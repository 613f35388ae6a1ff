package draw

import "math"

// fill is the state of a list at a call of Filled: its sum, and how often the list was reset.
type fill struct {
	sum    uint64
	resets uint32
}

// Filled ends filling a list that is filled in every tick even without changes, as menus are: if it
// has the same content as at the last Filled, and was reset once since, it keeps its revision, so
// that nothing is painted.
func (l *List) Filled() {
	sum := l.sum()
	if sum == l.filled.sum && l.resets == l.filled.resets+1 {
		l.resets = l.filled.resets
	}
	l.filled = fill{sum, l.resets}
}

// sum returns a hash of the list's content.
func (l *List) sum() uint64 {
	h := uint64(len(l.Vertices))
	add := func(v uint64) {
		h = (h ^ v) * 1099511628211
		h ^= h >> 29
	}
	two := func(a, b float32) { add(uint64(math.Float32bits(a))<<32 | uint64(math.Float32bits(b))) }
	for i := range l.Vertices {
		v := &l.Vertices[i]
		two(v.X, v.Y)
		two(v.U, v.V)
		two(v.R, v.G)
		two(v.B, v.A)
	}
	for _, i := range l.Indices {
		add(uint64(i))
	}
	return h
}
