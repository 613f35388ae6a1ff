package frametimes

import "math"

const (
	pausedSteps = 50   // usual steps: a time further from the one before waits for the next; or
	manySteps   = 1000 // times that, where the rows of several programs are mixed
	endSteps    = 5000 // that a last row may be behind the one before it
	settledRows = 8    // from which on a recording is none of a few rows
)

// sieve leaves out rows with an impossible time: one that does not lie between those of its neighbours, which are
// near each other. A row with a time far from the one before, or before it, waits for the next.
type sieve struct {
	l    *layout
	pass func(cells [][]byte, line int64)

	held   heldRow
	at     float64 // its time, in the units of the file
	waits  bool
	last   float64 // time of the newest row that was passed on,
	rows   int     // how many there were since the recording began, and
	step   float64 // how far apart they mostly are
	astray rowsOf
}

// heldRow is a row with cells of its own.
type heldRow struct {
	cells [][]byte
	line  int64
}

// own returns a row with copies of its cells.
func own(cells [][]byte, line int64) heldRow {
	h := heldRow{make([][]byte, len(cells)), line}
	for i, c := range cells {
		h.cells[i] = append([]byte(nil), c...)
	}
	return h
}

// take takes a row.
func (s *sieve) take(cells [][]byte, line int64) {
	t := s.l.value(cells, s.l.time.at)
	if t != t { // it has no place, or all have none
		s.pass(cells, line)
		return
	}
	if s.waits {
		s.waits = false
		if s.isAstray(t) {
			s.astray.add(s.held.line)
		} else {
			s.let(s.held.cells, s.held.line, s.at)
		}
	}
	if s.rows < 2 || !s.near(t) {
		s.held, s.at, s.waits = own(cells, line), t, true
		return
	}
	s.let(cells, line, t)
}

// near reports whether a time follows the newest one as times mostly do.
func (s *sieve) near(t float64) bool {
	d := t - s.last
	return d >= 0 && (s.step == 0 || d <= s.far())
}

// far is how far a time is from the one before at least that is not believed at once.
func (s *sieve) far() float64 {
	if s.l.application >= 0 {
		return manySteps * pausedSteps * s.step
	}
	return pausedSteps * s.step
}

// isAstray reports whether the next time proves the time of the waiting row impossible.
func (s *sieve) isAstray(next float64) bool {
	back := s.at < s.last
	switch {
	case s.rows == 0:
		return s.l.application < 0 && next < s.at
	case !s.near(next) || !back && s.at <= next:
		return false
	case s.rows >= settledRows && s.l.application < 0:
		return true
	}
	// It may be the begin of another recording, or a row among those of several programs.
	return s.step > 0 && math.Abs(s.at-s.last) > s.far()
}

// let passes a row on.
func (s *sieve) let(cells [][]byte, line int64, t float64) {
	switch d := t - s.last; {
	case s.rows > 0 && d < 0 && s.l.application < 0: // another recording
		s.rows, s.step = 0, 0
	case s.rows > 0 && d > 0 && s.step == 0:
		s.step = d
	case s.rows > 0 && d > 0:
		s.step += (math.Min(d, s.far()) - s.step) / settledRows
	}
	s.rows++
	s.last = t
	s.pass(cells, line)
}

// flush passes on the waiting row, since nothing comes for now.
func (s *sieve) flush() {
	if s.waits {
		s.waits = false
		s.let(s.held.cells, s.held.line, s.at)
	}
}

// end ends the input.
func (s *sieve) end() {
	if s.waits && s.rows >= settledRows && (s.at < s.last && s.l.application < 0 || s.at-s.last > max(endSteps*s.step, s.far())) {
		s.waits = false
		s.astray.add(s.held.line)
	}
	s.flush()
}

// restart begins another recording.
func (s *sieve) restart() {
	s.flush()
	s.rows, s.step = 0, 0
}
