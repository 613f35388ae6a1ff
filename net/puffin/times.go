package puffin

import "time"

// farthest is how far from most others a time may be before it is taken for garbage, in ns: no recording
// is as long. A clock that goes back by more than leastStep was set.
const (
	farthest  = 10 * 365 * int64(24*time.Hour)
	leastStep = int64(time.Second)
)

// far reports whether two times are not of one recording.
func far(a, b int64) bool {
	if a < b {
		a, b = b, a
	}
	return uint64(a)-uint64(b) > uint64(farthest)
}

// span finds when it all began, whatever some of the times are, as long as these are less than half.
type span struct {
	first  int64 // the earliest one, 0 while there is none
	near   int64 // one of those that count
	other  int64 // the newest one of those that do not
	weight int   // of those that count, less the others
	any    bool
}

// see takes a time.
func (s *span) see(t int64) {
	switch {
	case s.any && !far(t, s.near):
		s.first, s.weight = min(s.first, t), s.weight+1
	case s.weight > 0:
		s.other, s.weight = t, s.weight-1
	default:
		s.first, s.near, s.weight = t, t, 1
		if s.any && !far(s.other, t) {
			s.first = min(s.other, t)
		}
		s.any = true
	}
}

// astray reports whether t lies too far from the recording.
func (d *decoder) astray(t int64) bool { return d.timed && far(t, d.zero) }

// follow makes times go on from one of the session at which the program's clock was set back.
func (d *decoder) follow(begin, from int64) {
	d.zero -= from - begin
	d.loss.steps, d.loss.back = d.loss.steps+1, d.loss.back+from-begin
}
