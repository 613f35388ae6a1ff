package server

import (
	"fmt"
	"sync"
	"time"

	"framescope/model/measure"
)

// shortFrames is what makes a client worth lines of its own in the log. Of those with fewer frames there may be very
// many: they share the lines of those without.
const shortFrames = 64

// The log has room for so many lines about clients with few frames or none, one more each second.
const (
	silentLines    = 20
	silentLineEach = time.Second
	silentEvery    = 10 * time.Second // how often their number is logged
)

// silentClients counts the clients that left without a frame, those apart that are none of PStats:
// they become no session, and of very many the log says only how many. So it does of short sessions.
type silentClients struct {
	mu    sync.Mutex
	log   func(line string)
	n     int64     // that sent nothing
	other int64     // that did not send PStats
	short int64     // that sent a few frames, and had no line
	told  int64     // of all three
	lines float64   // that there is room for
	at    time.Time // when lines was right
	timer *time.Timer
	over  bool
}

// logf writes a line about a client with few frames or none, and reports whether there was room.
func (s *silentClients) logf(format string, args ...any) (written bool) {
	s.mu.Lock()
	now := time.Now()
	if s.at.IsZero() {
		s.lines = silentLines
	} else {
		s.lines = min(s.lines+float64(now.Sub(s.at))/float64(silentLineEach), silentLines)
	}
	s.at = now
	write := s.lines >= 1
	if write {
		s.lines--
	}
	s.mu.Unlock()
	if write {
		s.log(fmt.Sprintf(format, args...))
	}
	return write
}

// left counts a client that left without a frame, or without a line, in a count of s.
func (s *silentClients) left(n *int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	*n++
	if s.timer == nil && !s.over {
		s.timer = time.AfterFunc(silentEvery, s.logGrowth)
	}
}

// logGrowth logs the number of silent clients, if it grew since the last log line.
func (s *silentClients) logGrowth() {
	s.mu.Lock()
	n, other, short := s.n, s.other, s.short
	news := n+other+short > s.told
	s.told, s.timer = n+other+short, nil
	s.mu.Unlock()
	if news && n > 0 {
		s.log(SilentWords(n))
	}
	if news && other > 0 {
		s.log(NonsenseWords(other, "PStats"))
	}
	if news && short > 0 {
		n := measure.CountText(short)
		s.log(fmt.Sprintf("%s sessions of fewer than %d frames have no line here", n, shortFrames))
	}
}

// stop ends the telling, with a last line if there is news.
func (s *silentClients) stop() {
	s.mu.Lock()
	s.over = true
	waits := s.timer != nil && s.timer.Stop()
	s.mu.Unlock()
	if waits {
		s.logGrowth()
	}
}

// SilentWords puts into words that n clients connected and left without a frame.
func SilentWords(n int64) string {
	if n == 1 {
		return "1 client connected and sent no frame"
	}
	return measure.CountText(n) + " clients connected and sent no frame"
}

// NonsenseWords returns a text about n connections that did not speak a format.
func NonsenseWords(n int64, format string) string {
	if n == 1 {
		return "1 connection sent something other than " + format
	}
	return measure.CountText(n) + " connections sent something other than " + format
}

// Silent returns how many clients connected and left without a frame, since the server listens, and
// how many connections brought something that is not PStats. They are no sessions; SilentWords and
// NonsenseWords put the numbers into words.
func (s *Server) Silent() (silent, nonsense int64) {
	s.silent.mu.Lock()
	defer s.silent.mu.Unlock()
	return s.silent.n, s.silent.other
}
