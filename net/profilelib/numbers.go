package profilelib

// numbers counts the numbers of a run: of blocks and messages together, which in an intact run are 129, 130, … without
// a gap (FORMAT.md section 6).
type numbers struct {
	n        int64
	min, max uint32
	early    [1 << 10]uint64 // a bit for each of the first 65,536: a new run begins with them
}

// has reports whether an early number was seen.
func (s *numbers) has(number uint32) bool {
	return number < 1<<16 && s.early[number>>6]>>(number&63)&1 != 0
}

// add notes a number.
func (s *numbers) add(number uint32) {
	if number < 1<<16 {
		s.early[number>>6] |= 1 << (number & 63)
	}
	if s.n == 0 || number < s.min {
		s.min = number
	}
	s.max = max(s.max, number)
	s.n++
}

// missing returns how many numbers between the least and the greatest were never seen.
func (s *numbers) missing() int64 {
	if s.n == 0 {
		return 0
	}
	return max(int64(s.max)-int64(s.min)+1-s.n, 0)
}
