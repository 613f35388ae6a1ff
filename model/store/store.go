package store

import (
	"time"

	"framescope/model/columns"
	"framescope/model/frames"
	"framescope/model/spans"
)

// defaultMemoryLimit bounds the memory of all sessions by default.
const defaultMemoryLimit = 2 << 30

// Store holds all sessions of one viewer and bounds their memory.
type Store struct {
	// MemoryLimit bounds the bytes that all sessions together keep; the oldest chunks leave first.
	// 0 means 2 GiB.
	MemoryLimit int64
	sessions    []*Session
	clock       storeClock
	bytes       columns.Sum // that all sessions keep
	pool        *columns.Pool
	leaving     leaving
	over        bool // EnforceLimit has more to do
}

// New returns a store that keeps the bulk of its data outside the collected heap. It must be
// closed, or live as long as the program. (That of the zero Store is in the heap.)
func New(limit int64) *Store { return &Store{MemoryLimit: limit, pool: new(columns.Pool)} }

// Close forgets all sessions and gives back their memory. Nothing may use them any more.
func (st *Store) Close() {
	for _, s := range st.sessions {
		s.clear()
	}
	st.sessions, st.leaving = nil, leaving{}
	st.blocks().Close()
}

// storeClock counts the appends of all sessions of a store: the age of data across sessions. It
// also collects newly evictable parts.
type storeClock struct {
	appends uint64
	ready   []evictable
	ended   []*Session
	work    scratch
}

// scratch is the working memory of single queries. All sessions of a store share it, as one
// goroutine makes them all. It is not on the account, and is freed with a session, and when memory
// is short.
type scratch struct {
	frames frames.Scratch
	spans  spans.Scratch
}

func (st *Store) blocks() *columns.Pool {
	if st.pool == nil {
		st.pool = columns.Heap()
	}
	return st.pool
}

// NewSession adds an empty session.
func (st *Store) NewSession() *Session {
	s := newSession(&st.clock, st.blocks(), &st.bytes)
	st.sessions = append(st.sessions, s)
	return s
}

// Sessions returns the sessions in the order of their arrival. The slice is the store's own.
func (st *Store) Sessions() []*Session { return st.sessions }

// Remove forgets a session and frees its memory; later queries find it empty.
func (st *Store) Remove(s *Session) {
	for i, o := range st.sessions {
		if o == s {
			copy(st.sessions[i:], st.sessions[i+1:])
			st.sessions[len(st.sessions)-1] = nil
			st.sessions = st.sessions[:len(st.sessions)-1]
			st.leaving.remove(s)
			s.clear()
			return
		}
	}
}

// Memory returns the bytes that all sessions keep, by kind.
func (st *Store) Memory() Memory {
	var sum Memory
	for _, s := range st.sessions {
		m := s.Memory()
		sum.Spans += m.Spans
		sum.Pyramids += m.Pyramids
		sum.Frames += m.Frames
		sum.Totals += m.Totals
		sum.Levels += m.Levels
		sum.Series += m.Series
		sum.Other += m.Other
	}
	sum.Other += st.idle()
	return sum
}

// idle returns the bytes that wait for reuse.
func (st *Store) idle() int64 { return st.blocks().Idle() }

// Bytes is Memory().Total(), for nothing.
func (st *Store) Bytes() int64 { return st.bytes.Load() + st.idle() }

// EnforceLimit drops data of sessions until the memory is under MemoryLimit again, and a 64th
// below, so that it does not have to work at every call: the oldest data of sessions that have
// ended, then of the others, from the one that takes most. Dropped data is counted (Track.Evicted,
// LossEvicted). It stops at the deadline, the zero Time being none, and returns true when more has
// to leave; the next call goes on. Every call above the limit drops something. The game loop calls
// it after it appended; a call while there is room costs nothing. The newest batch of each track
// stays, whatever the limit; but in a session that takes more than its share only that of 64
// tracks: the viewed one and those that sent last.
func (st *Store) EnforceLimit(deadline time.Time) (more bool) {
	limit := st.MemoryLimit
	if limit <= 0 {
		limit = defaultMemoryLimit
	}
	st.leaving.hear(&st.clock)
	total := st.Bytes()
	if total <= limit && !st.over || total <= kept(limit) {
		st.over = false
		return false
	}
	if !st.over { // free pool memory and cached answers go first
		for _, s := range st.sessions {
			s.dropAnswers()
		}
		st.clock.work = scratch{}
		st.blocks().Trim(limit / 128)
	}
	for st.over = st.Bytes() > kept(limit); st.over; st.over = st.Bytes() > kept(limit) {
		if !st.leaving.one(limit) {
			st.over = false
			return false
		}
		st.blocks().Trim(limit / 128)
		if !deadline.IsZero() && !time.Now().Before(deadline) {
			return true
		}
	}
	return false
}

// kept is how much stays once something had to leave, so that it does not have to at every call.
func kept(limit int64) int64 { return limit - limit/64 }

// dropAnswers forgets the answers that are kept.
func (s *Session) dropAnswers() {
	s.spans.DropAnswers()
	s.messages.DropAnswers()
}
