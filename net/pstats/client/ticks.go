// The tick counter of the processor makes a cheap clock: with a system call for each time, that call
// would be a third of the cost. Ticks have no unit. Marks, moments with known ticks and time,
// calibrate them. Standard library only, as games link it.

package client

// A Mark is one moment on both clocks.
type TickMark struct {
	Ticks int64
	Ns    int64
}

// A Scale turns ticks between two marks into times.
type TickScale struct {
	from, to TickMark
	ns       float64 // of a tick
}

// Between returns the scale of what lies between two marks. No time it gives lies outside.
func Between(from, to TickMark) TickScale {
	s := TickScale{from: from, to: to}
	if to.Ticks > from.Ticks && to.Ns > from.Ns {
		s.ns = float64(to.Ns-from.Ns) / float64(to.Ticks-from.Ticks)
	}
	return s
}

// Ns returns the time of a tick, in nanoseconds. Later ticks have no earlier times.
func (s *TickScale) Ns(ticks int64) int64 {
	switch {
	case ticks <= s.from.Ticks:
		return s.from.Ns
	case ticks >= s.to.Ticks:
		return max(s.to.Ns, s.from.Ns)
	}
	return s.from.Ns + int64(float64(ticks-s.from.Ticks)*s.ns)
}
