package store

import (
	"math"
	"slices"

	"framescope/model"
	"framescope/model/columns"
)

// leaving chooses the data that leaves memory, in order: first that of sessions that have ended and
// that nobody looks at, then that of the others, always from the one that takes most, except for
// viewed data (see lookedAt). In a session the oldest data leaves first, whatever its kind (see
// Session.age): a part of a track or of the samples, or all of a track without newer data. So nobody
// loses anything because of a greater neighbour, and the rest of all threads begins at about the
// same time. A step costs the logarithm of the number of tracks, the lanes of the track, and a
// little for each session.
type leaving struct {
	sessions []*Session // that have something, or had
	steps    uint64
}

// parts are the parts of a session that may leave.
type parts struct {
	oldest evictableHeap
	wholes evictableHeap  // all tracks that hold something, by when they last got something, or before
	hollow evictableHeap  // of these the ones with only their newest frame, by its time
	sooner bool           // something in oldest may leave earlier than it stands there for
	known  bool           // the session is among leaving.sessions
	dry    uint64         // step at which nothing may leave
	booked columns.Booked // wholes
}

func (p *parts) account(m *memory) {
	p.booked.Set(m.account(kindOther), int64(cap(p.wholes)+cap(p.hollow))*columns.SizeOf[evictable]())
}

// leastTracks is how many tracks of a session always keep their newest frame, whatever the limit,
// where nothing else is left: the one that is looked at and those that sent last.
const leastTracks = 64

// evictable is a part of a session that has data which may leave: a track, or the samples of all
// series.
type evictable struct {
	s     *Session
	track *Track // nil: the samples
	marks *marks // of it; the track has others once all of it left
	whole bool   // all of the track, not its oldest part
	age   int64  // of the newest data that would leave
}

// hear takes in newly evictable parts.
func (x *leaving) hear(clock *storeClock) {
	for _, e := range clock.ready {
		if e.s.removed {
			continue
		}
		x.add(e.s)
		p := &e.s.parts
		switch m := e.marks; {
		case e.whole && m.len() > 0:
			e.age = e.track.newestAge()
			p.wholes.push(e)
			p.account(&e.s.mem)
		case e.whole:
			e.track.waits = false
		case m.len() >= 2:
			e.age = m.age()
			p.oldest.push(e)
		default:
			m.queued = false
		}
	}
	clear(clock.ready)
	clock.ready = clock.ready[:0]
	for _, s := range clock.ended {
		if !s.removed {
			x.add(s)
		}
	}
	clear(clock.ended)
	clock.ended = clock.ended[:0]
}

// newestAge returns the age of the newest data of a track.
func (t *Track) newestAge() int64 { return t.s.age(t, t.hi, t.newest) }

// add puts a session among those that have something.
func (x *leaving) add(s *Session) {
	if !s.parts.known {
		s.parts.known = true
		x.sessions = append(x.sessions, s)
	}
}

// forget takes a session out of them.
func (x *leaving) forget(s *Session) {
	if i := slices.Index(x.sessions, s); i >= 0 {
		x.sessions = slices.Delete(x.sessions, i, i+1)
	}
	s.parts.known = false
}

// remove forgets a session.
func (x *leaving) remove(s *Session) {
	s.removed = true
	x.forget(s)
}

// leavesFirst reports whether the session leaves before others, whatever the age of its data.
func (s *Session) leavesFirst() bool { return s.ended && !s.held }

// one lets the next part leave, to come to a limit; false when there is none.
func (x *leaving) one(limit int64) bool {
	for s := x.ended(); s != nil; s = x.ended() {
		if s.letGo(false) || s.leave() {
			return true
		}
		x.forget(s)
	}
	x.steps++
	for shelter := true; ; {
		var s *Session
		most := int64(0)
		for _, o := range x.sessions {
			bytes := o.Memory().Total()
			if bytes > most && o.parts.dry != x.steps && !(shelter && o.lookedAt() && bytes <= limit/2) {
				s, most = o, bytes
			}
		}
		switch {
		case s == nil && shelter: // no other has anything to give
			shelter = false
			continue
		case s == nil:
			return false
		}
		if s.letGo(most > kept(limit)/int64(len(x.sessions))) {
			return true
		}
		s.parts.dry = x.steps
	}
}

// ended returns which of the sessions that leave before others has the oldest data; nil if there is
// none.
func (x *leaving) ended() (first *Session) {
	oldest := uint64(math.MaxUint64)
	for _, s := range x.sessions {
		if stamp := s.oldestStamp(); s.leavesFirst() && (first == nil || stamp < oldest) {
			first, oldest = s, stamp
		}
	}
	return first
}

// oldestStamp returns when the next data to leave was appended.
func (s *Session) oldestStamp() uint64 {
	if h := s.parts.oldest; len(h) > 0 && h[0].marks.len() > 0 {
		return h[0].marks.oldest().stamp
	}
	return s.newest
}

// lookedAt reports whether a view shows the session and it does not grow, so that it stays while it
// takes no more than half of the limit: a file opened for viewing must not vanish because a game
// goes on.
func (s *Session) lookedAt() bool { return s.held && (s.ended || s.info.File) }

// letGo drops the oldest part; false if there is none. Whole tracks are dropped only if wholes is
// set; of those that are not older than the rest of others leastTracks keep something.
func (s *Session) letGo(wholes bool) bool {
	p := &s.parts
	p.remake()
	return wholes && p.older() || p.step() || wholes && p.crowded()
}

// step lets the oldest part of a track leave, or of the samples; false if there is none.
func (p *parts) step() (done bool) {
	h := &p.oldest
	var waiting []evictable
	for !done && len(*h) > 0 {
		e := h.pop()
		switch m := e.marks; {
		case m.len() < 2:
			m.queued = false
			continue
		case m.age() != e.age: // some of it was taken back
		case e.track != nil && !e.track.mayLeave():
			waiting = append(waiting, e)
			continue
		case e.track != nil:
			e.s.evictOldest(e.track)
			done = true
		default:
			e.s.evictSamples()
			done = true
		}
		if m := e.marks; m.len() >= 2 {
			e.age = m.age()
			h.push(e)
		} else {
			m.queued = false
		}
	}
	for _, e := range waiting {
		h.push(e)
	}
	return done
}

// older drops the whole track with the longest time without data, if that is older than the next
// parts of others; false when there is none. A track that may get more keeps the newest frame.
func (p *parts) older() bool {
	if len(p.oldest) == 0 {
		return false
	}
	return p.whole(0, p.oldest[0].age, func(e evictable) bool {
		switch t := e.track; {
		case t.referred():
			return e.s.evictButNewest(t) > 0
		case t.Alive && !e.s.info.File:
			p.hollow.push(e)
			return e.s.evictButNewest(t) > 0
		default:
			return e.s.evictWhole(t) > 0
		}
	})
}

// crowded lets all of the track leave that got nothing for longest, if more than leastTracks hold
// something; false when there is none.
func (p *parts) crowded() bool {
	leave := func(e evictable) bool {
		if e.track.referred() {
			return e.s.evictButNewest(e.track) > 0
		}
		e.track.crowded = e.track.NumFrames() > 0
		return e.s.evictWhole(e.track) > 0
	}
	for len(p.hollow) > max(0, leastTracks-len(p.wholes)) {
		e := p.hollow.pop()
		switch t := e.track; {
		case !t.holds() || t.waits || t.newestAge() != e.age: // gone, or it got something since
		case t.Def.ID == t.s.looked-1:
			t.waits = true
			p.wholes.push(e)
		case leave(e):
			return true
		}
	}
	return p.whole(leastTracks, math.MaxInt64, leave)
}

// whole lets all of the track leave that got nothing for longest, if that is older than an age and
// more than so many hold something; false when there is none.
func (p *parts) whole(least int, before int64, leave func(evictable) bool) (done bool) {
	h := &p.wholes
	var waiting []evictable
	for !done && len(*h) > least && (*h)[0].age < before {
		e := h.pop()
		t := e.track
		switch age := t.newestAge(); {
		case !t.holds():
			t.waits = false
		case age != e.age:
			e.age = age
			h.push(e)
		case t.filled:
			waiting = append(waiting, e)
		case t.Def.ID == t.s.looked-1: // there is no other of it
			least--
			waiting = append(waiting, e)
		default:
			t.waits = false
			done = leave(e)
		}
	}
	for _, e := range waiting {
		h.push(e)
	}
	return done
}

// leave lets all that is left of a session go; false if there is nothing. Its tracks stay, without
// data.
func (s *Session) leave() bool {
	some := false
	for _, t := range s.tracks {
		n := t.allLeave()
		if n == 0 {
			n = t.NumSpans() + t.NumMessages() + t.locks.Stored() + t.flows.Stored()
		}
		some = some || n > 0
		s.lose(model.Loss{Reason: model.LossEvicted, Track: t.Def.ID, N: n})
	}
	samples := s.series.Stored()
	if !some && samples == 0 {
		return false
	}
	s.lose(model.Loss{Reason: model.LossEvicted, Track: model.NoTrack, N: samples})
	tracks := s.tracks
	s.clear()
	for _, old := range tracks {
		t := s.ensureTrack(old.Def.ID)
		s.mem.account(kindOther).Add(int64(len(old.Def.Name)))
		t.Def, t.Alive, t.defined = old.Def, old.Alive, old.defined
		t.account = old.account
	}
	return true
}
