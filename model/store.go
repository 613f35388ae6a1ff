package model

import "time"

// defaultMemoryLimit bounds the memory of all sessions when nothing else is asked for.
const defaultMemoryLimit = 2 << 30

// Store holds all sessions of one viewer and bounds their memory.
type Store struct {
	// MemoryLimit bounds the bytes that all sessions together keep; the oldest chunks leave first. 0 means 2 GiB.
	MemoryLimit int64
	sessions    []*Session
	clock       storeClock
	checked     storeClock // at the last check of the limit
	room        int64      // bytes that may come before the next check
	enforced    int64      // the limit at that check
	over        bool       // EnforceLimit stopped at its deadline
}

// storeClock counts what all sessions of a store appended: the age of data across sessions.
type storeClock struct {
	appends uint64
	bytes   int64 // about
}

// NewSession adds an empty session.
func (st *Store) NewSession() *Session {
	s := NewSession()
	s.clock = &st.clock
	st.sessions = append(st.sessions, s)
	return s
}

// Sessions returns the sessions in the order of their arrival. The slice is the store's own.
func (st *Store) Sessions() []*Session { return st.sessions }

// Remove forgets a session.
func (st *Store) Remove(s *Session) {
	for i, o := range st.sessions {
		if o == s {
			copy(st.sessions[i:], st.sessions[i+1:])
			st.sessions[len(st.sessions)-1] = nil
			st.sessions = st.sessions[:len(st.sessions)-1]
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
	return sum
}

// EnforceLimit makes the oldest data of all sessions leave until the memory is under MemoryLimit again, and a 64th below, so that it does not
// have to work at every call. What left is counted (Track.Evicted, LossEvicted). It stops at the deadline, the zero Time being none, and returns true when more has to leave;
// the next call goes on. Something leaves at every call that has to work. The game loop calls it after it appended; a call without new data costs nothing.
// The newest batch of each track stays, whatever the limit.
func (st *Store) EnforceLimit(deadline time.Time) (more bool) {
	limit := st.MemoryLimit
	if limit <= 0 {
		limit = defaultMemoryLimit
	}
	if limit != st.enforced {
		st.enforced, st.room, st.checked = limit, 0, storeClock{}
	}
	// Summing the memory of thousands of tracks is not free: far from the limit, or after little that is new, it can wait.
	if !st.over && st.clock.bytes-st.checked.bytes < st.room && st.clock.appends-st.checked.appends < 1<<14 {
		return false
	}
	if !st.over && st.clock == st.checked {
		return false
	}
	st.over = false
	st.checked = st.clock
	total := st.Memory().Total()
	st.room = (limit-total)/4 - 4*fullChunkBytes // less what lanes may add at once
	if total <= limit {
		return false
	}
	for _, s := range st.sessions { // chunks that wait for reuse and answers that are kept go first
		total -= s.pool.trim(int(limit/128/fullChunkBytes)) + s.bars.drop() + s.notes.searches.drop()
	}
	for total > limit-limit/64 {
		t, s := st.oldest()
		if s == nil {
			return false
		}
		if t == nil {
			total -= s.evictSamples()
		} else {
			total -= s.evictOldest(t)
			total -= s.pool.trim(int(limit / 128 / fullChunkBytes))
		}
		if !deadline.IsZero() && !time.Now().Before(deadline) {
			st.over = true
			return true
		}
	}
	return false
}

// oldest returns the track with the data that were appended first and may leave; without a track, it is the samples of the session.
func (st *Store) oldest() (track *Track, of *Session) {
	var age uint64
	for _, s := range st.sessions {
		if m := s.things.marks; len(m) >= 2 && (of == nil || m[0].stamp < age) {
			track, of, age = nil, s, m[0].stamp
		}
		for _, t := range s.tracks {
			if len(t.marks) < 2 {
				continue
			}
			if of == nil || t.marks[0].stamp < age {
				track, of, age = t, s, t.marks[0].stamp
			}
		}
	}
	return track, of
}
