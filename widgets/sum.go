package widgets

// Sum is a hash of all values added to it, in order: things with the same sum look the same. The
// zero value is the sum of nothing.
type Sum uint64

// Add adds a number.
func (s *Sum) Add(v uint64) {
	h := (uint64(*s) ^ v) * 1099511628211
	*s = Sum(h ^ h>>29)
}

// Flag adds a choice.
func (s *Sum) Flag(on bool) {
	v := uint64(0)
	if on {
		v = 1
	}
	s.Add(v)
}

// Text adds texts.
func (s *Sum) Text(texts ...string) {
	for _, text := range texts {
		for i := range len(text) {
			s.Add(uint64(text[i]))
		}
		s.Add(1 << 8) // their end
	}
}
