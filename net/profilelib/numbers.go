package profilelib

// numbers notes which numbers of a run were seen: of blocks and messages together, which in an intact run are 129, 130, … without a gap (FORMAT.md section 6).
type numbers struct {
	pages    map[uint32]*[1024]uint64 // by the upper 16 bits
	page     *[1024]uint64            // of the number asked last
	pageNo   uint32
	min, max uint32
	n        int64
}

// maxPages bounds the memory that numbers can make us keep, to 32 MiB; numbers beyond are not noted.
const maxPages = 1 << 12

// has tells whether a number was seen.
func (s *numbers) has(number uint32) bool {
	p := s.find(number)
	return p != nil && p[number>>6&1023]>>(number&63)&1 != 0
}

func (s *numbers) find(number uint32) *[1024]uint64 {
	if s.page != nil && s.pageNo == number>>16 {
		return s.page
	}
	return s.pages[number>>16]
}

// add notes a number; again tells that it was seen before.
func (s *numbers) add(number uint32) (again bool) {
	p := s.find(number)
	if p == nil {
		if len(s.pages) >= maxPages {
			return false
		}
		if s.pages == nil {
			s.pages = map[uint32]*[1024]uint64{}
		}
		p = new([1024]uint64)
		s.pages[number>>16] = p
	}
	s.page, s.pageNo = p, number>>16
	bit := uint64(1) << (number & 63)
	w := &p[number>>6&1023]
	if *w&bit != 0 {
		return true
	}
	*w |= bit
	if s.n == 0 || number < s.min {
		s.min = number
	}
	s.max = max(s.max, number)
	s.n++
	return false
}

// missing returns how many numbers between the least and the greatest were never seen.
func (s *numbers) missing() int64 {
	if s.n == 0 || len(s.pages) >= maxPages {
		return 0
	}
	return int64(s.max) - int64(s.min) + 1 - s.n
}
