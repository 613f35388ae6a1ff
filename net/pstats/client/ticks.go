// File ticks.go reads the counter of the processor that its clock is made of, for who notes times
// so often that asking the system for each would be most of the work: a third of its cost. Ticks
// have no unit. Marks, moments of which both the ticks and the time are known, give them one. It
// knows the standard library only, as games link it.

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
