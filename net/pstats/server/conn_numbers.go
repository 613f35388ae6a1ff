package server

// setNumbers is how many of the newest numbers of a thread are remembered: a second at 240 Hz.
const setNumbers = 256

// numberSet is which of the newest numbers of a thread came by one way. Its zero value is empty.
type numberSet struct {
	some bool
	top  int64 // the greatest
	bits [setNumbers / 64]uint64
}

func (s *numberSet) bit(n int64) (word *uint64, mask uint64) {
	at := uint64(n) % setNumbers
	return &s.bits[at/64], 1 << (at % 64)
}

// reaches tells whether the set can hold a number.
func (s *numberSet) reaches(n int64) bool { return s.some && n > s.top-setNumbers }

func (s *numberSet) has(n int64) bool {
	if !s.reaches(n) || n > s.top {
		return false
	}
	word, mask := s.bit(n)
	return *word&mask != 0
}

func (s *numberSet) add(n int64) {
	switch {
	case !s.some || n >= s.top+setNumbers:
		*s = numberSet{some: true, top: n}
	case n <= s.top-setNumbers:
		return
	default:
		for ; s.top < n; s.top++ {
			word, mask := s.bit(s.top + 1)
			*word &^= mask
		}
	}
	word, mask := s.bit(n)
	*word |= mask
}

func (s *numberSet) remove(n int64) {
	if s.has(n) {
		word, mask := s.bit(n)
		*word &^= mask
	}
}
