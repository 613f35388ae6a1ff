// A full server takes a new connection in place of a silent one.

package feed

import (
	"sync"
	"sync/atomic"
	"time"

	"framescope/model"
)

// How long a connection may be silent before it must give way to a newcomer.
const (
	// IdleGrace is for a connection that has not sent useful data. No client needs longer between
	// connecting and the first byte, and newcomers do not wait longer.
	IdleGrace = time.Second
	// IdleLimit is for one that goes on sending other things.
	IdleLimit = 10 * time.Second
	// SilentLimit is for a connection that has sent useful data.
	SilentLimit = 30 * time.Second
)

// ConnLimit are the places for connections. Max must be set. All methods may be called by any goroutine.
type ConnLimit struct {
	// Max is how many there are.
	Max int
	// Now replaces the clock in tests.
	Now func() time.Time

	mu    sync.Mutex
	taken map[*ConnSlot]struct{}
}

// A Seat is the place of one connection.
type ConnSlot struct {
	seats  *ConnLimit
	leave  func(reason string)
	since  time.Time
	silent atomic.Int64 // ns from since to the last byte
	useful atomic.Bool
}

// Take gives a place to a newcomer. When all are taken, the connection that has been silent longest
// and for long enough loses its own, and its leave is called with the reason, without locks held; Take
// returns nil if there is no such one.
func (s *ConnLimit) Take(leave func(reason string)) *ConnSlot {
	seat := &ConnSlot{seats: s, leave: leave, since: s.now()}
	s.mu.Lock()
	var out *ConnSlot
	if len(s.taken) >= s.Max {
		if out = s.silentest(seat.since); out == nil {
			s.mu.Unlock()
			return nil
		}
		delete(s.taken, out)
	}
	model.Put(&s.taken, seat, struct{}{})
	s.mu.Unlock()
	if out != nil {
		reason := "it was silent, and others want its place"
		if !out.useful.Load() {
			reason = "it has sent nothing of use, and others want its place"
		}
		out.leave(reason)
	}
	return seat
}

// silentest returns the connection that gives way: first those that have sent nothing of use, then
// those that were silent for long; of each, the one that was silent longest. s.mu is held.
func (s *ConnLimit) silentest(now time.Time) (out *ConnSlot) {
	var most time.Duration
	for seat := range s.taken {
		useful, quiet := seat.useful.Load(), now.Sub(seat.last())
		switch {
		case useful && quiet < SilentLimit:
			continue
		case !useful && quiet < IdleGrace && now.Sub(seat.since) < IdleLimit:
			continue
		}
		switch {
		case out == nil, out.useful.Load() && !useful, out.useful.Load() == useful && quiet > most:
			out, most = seat, quiet
		}
	}
	return out
}

func (s *ConnLimit) now() time.Time {
	if s.Now != nil {
		return s.Now()
	}
	return time.Now()
}

// Heard notes that something came.
func (s *ConnSlot) Heard() { s.silent.Store(int64(s.seats.now().Sub(s.since))) }

// Used notes that the connection brought useful data.
func (s *ConnSlot) Used() { s.useful.Store(true) }

// Free gives the place back. It may be called more than once.
func (s *ConnSlot) Free() {
	s.seats.mu.Lock()
	defer s.seats.mu.Unlock()
	delete(s.seats.taken, s)
}

// last is when something came last.
func (s *ConnSlot) last() time.Time { return s.since.Add(time.Duration(s.silent.Load())) }
