package server

import (
	"fmt"
	"sync"
	"time"

	"framescope/model/measure"
)

// The log has room for so many lines about clients that send no frame, one more each second.
const (
	silentLines    = 20
	silentLineEach = time.Second
	silentEvery    = 10 * time.Second // how often their number is logged
)

// silentClients counts the clients that left without a frame, those apart that are none of PStats:
// they become no session, and of very many the log says only how many.
type silentClients struct {
	mu    sync.Mutex
	log   func(line string)
	n     int64     // that sent nothing
	other int64     // that did not send PStats
	told  int64     // of both
	lines float64   // that there is room for
	at    time.Time // when lines was right
	timer *time.Timer
	over  bool
}

// logf writes a line about a client without frames, if there is room.
func (s *silentClients) logf(format string, args ...any) {
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
}

// left counts a client that left without a frame.
func (s *silentClients) left(nonsense bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if nonsense {
		s.other++
	} else {
		s.n++
	}
	if s.timer == nil && !s.over {
		s.timer = time.AfterFunc(silentEvery, s.tell)
	}
}

// tell logs the number of silent clients, if it grew since the last log line.
func (s *silentClients) tell() {
	s.mu.Lock()
	n, other := s.n, s.other
	news := n+other > s.told
	s.told, s.timer = n+other, nil
	s.mu.Unlock()
	if news && n > 0 {
		s.log(SilentWords(n))
	}
	if news && other > 0 {
		s.log(NonsenseWords(other, "PStats"))
	}
}

// stop ends the telling, with a last line if there is news.
func (s *silentClients) stop() {
	s.mu.Lock()
	s.over = true
	waits := s.timer != nil && s.timer.Stop()
	s.mu.Unlock()
	if waits {
		s.tell()
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
		return "1 connection sent what is not " + format
	}
	return measure.CountText(n) + " connections sent what is not " + format
}

// Silent returns how many clients connected and left without a frame, since the server listens, and
// how many connections brought something that is not PStats. They are no sessions; SilentWords and
// NonsenseWords put the numbers into words.
func (s *Server) Silent() (silent, nonsense int64) {
	s.silent.mu.Lock()
	defer s.silent.mu.Unlock()
	return s.silent.n, s.silent.other
}
