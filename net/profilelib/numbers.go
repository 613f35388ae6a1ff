package profilelib

import "framescope/net/feed"

// numbers is the set of seen numbers of a run: of blocks and messages together, which in an intact run
// are 129, 130, … without a gap (FORMAT.md section 6). Complete pages take next to nothing, however
// long the run is.
type numbers struct {
	pages    map[uint32]*numberPage // by the upper 16 bits
	page     *numberPage            // of the last number looked up
	pageNo   uint32
	min, max uint32
	n        int64
	partial  int // pages with gaps
	room     *feed.Names
	full     bool // numbers were not noted
}

// numberPage notes 65,536 numbers.
type numberPage struct {
	bits [1024]uint64
	n    int
}

// wholePage stands for all pages with every number seen.
var wholePage = func() *numberPage {
	p := &numberPage{n: 1 << 16}
	for i := range p.bits {
		p.bits[i] = ^uint64(0)
	}
	return p
}()

// Bounds of the memory of numbers: 32 MiB, and a quarter of the stream's share for names. Numbers
// beyond are not noted.
const (
	maxPages  = 1 << 12
	pageBytes = 8<<10 + 64 // of a page and its entry
	pageShare = 4
)

// has reports whether a number was seen.
func (s *numbers) has(number uint32) bool {
	p := s.find(number)
	return p != nil && p.bits[number>>6&1023]>>(number&63)&1 != 0
}

func (s *numbers) find(number uint32) *numberPage {
	if s.page != nil && s.pageNo == number>>16 {
		return s.page
	}
	return s.pages[number>>16]
}

// add notes a number; again reports whether it was there before.
func (s *numbers) add(number uint32) (again bool) {
	p := s.find(number)
	if p == nil {
		if p = s.newPage(number >> 16); p == nil {
			return false
		}
	}
	s.page, s.pageNo = p, number>>16
	bit := uint64(1) << (number & 63)
	w := &p.bits[number>>6&1023]
	if *w&bit != 0 {
		return true
	}
	*w |= bit
	if p.n++; p.n == wholePage.n {
		s.pages[number>>16], s.page = wholePage, wholePage
		s.partial--
		s.room.Give(pageBytes)
	}
	if s.n == 0 || number < s.min {
		s.min = number
	}
	s.max = max(s.max, number)
	s.n++
	return false
}

// newPage makes a page; nil when there are too many with gaps.
func (s *numbers) newPage(no uint32) *numberPage {
	s.full = s.full || s.partial >= maxPages || int64(s.partial)*pageBytes > s.room.Share()/pageShare ||
		!s.room.Take(pageBytes)
	if s.full {
		return nil
	}
	if s.pages == nil {
		s.pages = map[uint32]*numberPage{}
	}
	p := new(numberPage)
	s.pages[no] = p
	s.partial++
	return p
}

// forget empties the set for the next run.
func (s *numbers) forget() {
	s.room.Give(int64(s.partial) * pageBytes)
	*s = numbers{room: s.room}
}

// missing returns how many numbers between the least and the greatest were never seen.
func (s *numbers) missing() int64 {
	if s.n == 0 || s.full {
		return 0
	}
	return int64(s.max) - int64(s.min) + 1 - s.n
}
