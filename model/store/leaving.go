package store

import (
	"slices"

	"framescope/model"
	"framescope/model/columns"
)

// leaving knows which data may leave memory, in the order in which they do: the oldest of sessions
// that have ended and that nobody looks at, then of the others, of which always the one that takes
// most pays, but for what is looked at (see lookedAt): first its oldest data, and then, as long as
// it takes more than its share, what the tracks that sent nothing for longest still hold. So nobody
// loses anything because of a greater neighbour. A step costs the logarithm of the number of
// tracks, what the track has lanes, and a little for each session.
type leaving struct {
	ended  evictableHeap
	others []*Session // that have something, or had
	steps  uint64
}

// parts are what may leave of a session that goes on.
type parts struct {
	oldest evictableHeap
	wholes evictableHeap  // all tracks that hold something, by when they last got something, or before
	known  bool           // the session is among leaving.others
	dry    uint64         // step at which nothing may leave
	booked columns.Booked // wholes
}

func (p *parts) settle(m *memory) {
	p.booked.Set(m.of(kindOther), int64(cap(p.wholes))*columns.SizeOf[evictable]())
}

// leastTracks is how many tracks of a session always keep their newest frame, whatever the limit:
// the one that is looked at and those that sent last.
const leastTracks = 64

// evictable is a part of a session that has data which may leave: a track, the samples of all
// series (neither track nor all), or of a session that has ended all that is left.
type evictable struct {
	s     *Session
	track *Track
	all   bool
	whole bool   // all of the track, and not what is oldest of it
	stamp uint64 // the age of its oldest data, of a whole that of its newest
}

// marks returns those of a part that is not all.
func (e *evictable) marks() *marks {
	if e.track != nil {
		return &e.track.marks
	}
	return &e.s.samples.marks
}

// hear takes in what may leave from now on.
func (x *leaving) hear(clock *storeClock) {
	for _, e := range clock.ready {
		if e.s.removed {
			continue
		}
		x.add(e.s)
		if m := e.marks(); m.len() > 0 && e.whole {
			e.stamp = e.track.newest
			e.s.parts.wholes.push(e)
			e.s.parts.settle(&e.s.mem)
		} else if m.len() > 0 {
			e.stamp = m.oldest()
			x.of(e.s).push(e)
		} else if e.whole {
			e.track.waits = false
		}
	}
	clear(clock.ready)
	clock.ready = clock.ready[:0]
	for _, s := range clock.ended {
		if s.removed {
			continue
		}
		s.parts.oldest = nil // they stand here from now on
		for _, t := range s.tracks {
			if t.marks.len() >= 2 {
				x.ended.push(evictable{s: s, track: t, stamp: t.marks.oldest()})
			}
		}
		if s.samples.marks.len() >= 2 {
			x.ended.push(evictable{s: s, stamp: s.samples.marks.oldest()})
		}
		x.ended.push(evictable{s: s, all: true, stamp: s.newest})
	}
	clear(clock.ended)
	clock.ended = clock.ended[:0]
}

func (x *leaving) of(s *Session) *evictableHeap {
	if s.leavesFirst() {
		return &x.ended
	}
	return &s.parts.oldest
}

// add puts a session among the others.
func (x *leaving) add(s *Session) {
	if !s.parts.known {
		s.parts.known = true
		x.others = append(x.others, s)
	}
}

// remove forgets a session.
func (x *leaving) remove(s *Session) {
	s.removed = true
	if i := slices.Index(x.others, s); i >= 0 {
		x.others = slices.Delete(x.others, i, i+1)
	}
	x.ended.remove(s)
}

// leavesFirst tells whether the session leaves before others, whatever the age of its data.
func (s *Session) leavesFirst() bool { return s.ended && !s.held }

// one lets the next part leave, to come to a limit; false when there is none.
func (x *leaving) one(limit int64) bool {
	if x.step(&x.ended, true) {
		return true
	}
	x.steps++
	for shelter := true; ; {
		var s *Session
		sessions, most := int64(0), int64(0)
		for _, o := range x.others {
			if o.leavesFirst() {
				continue
			}
			sessions++
			bytes := o.Memory().Total()
			if bytes > most && o.parts.dry != x.steps && !(shelter && o.lookedAt() && bytes <= limit/2) {
				s, most = o, bytes
			}
		}
		switch {
		case s == nil && shelter: // nobody else has anything to give
			shelter = false
			continue
		case s == nil:
			return false
		}
		if x.step(&s.parts.oldest, false) || most > limit/sessions && s.parts.whole() {
			return true
		}
		s.parts.dry = x.steps
	}
}

// lookedAt tells whether somebody looks at what is not growing, so that it stays while it takes no
// more than half of the limit: what was opened to be looked at must not leave under one's eyes
// because a game goes on.
func (s *Session) lookedAt() bool { return s.held && (s.ended || s.info.File) }

// step lets the oldest part of a heap leave: of sessions that leave before others, or of one of the
// others. False: there is none.
func (x *leaving) step(h *evictableHeap, ended bool) (done bool) {
	var waiting []evictable
	for !done && len(*h) > 0 {
		e := h.pop()
		switch {
		case e.s.leavesFirst() != ended:
			if ended {
				x.add(e.s)
				if !e.all { // what is newest stays while it is held
					e.s.parts.oldest.push(e)
				}
			} // else it stands in the other heap
		case e.all:
			done = e.s.leave()
		case e.marks().len() < 2:
			e.marks().queued = false
		case e.marks().oldest() != e.stamp: // some of it was taken back
			e.stamp = e.marks().oldest()
			h.push(e)
		case e.track != nil && !e.track.mayLeave():
			waiting = append(waiting, e)
		default:
			if e.track != nil {
				e.s.evictOldest(e.track)
			} else {
				e.s.evictSamples()
			}
			if e.marks().len() >= 2 {
				e.stamp = e.marks().oldest()
				h.push(e)
			} else {
				e.marks().queued = false
			}
			done = true
		}
	}
	for _, e := range waiting {
		h.push(e)
	}
	return done
}

// whole lets all of the track leave that got nothing for longest; false when there is none.
func (p *parts) whole() bool {
	h, least := &p.wholes, leastTracks
	for len(*h) > least {
		e := h.pop()
		t := e.track
		switch {
		case !t.holds():
			t.waits = false
		case t.newest != e.stamp:
			e.stamp = t.newest
			h.push(e)
		case t.s.part.track == t: // all others got something before
			h.push(e)
			return false
		case t.Def.ID == t.s.looked-1: // there is no other of it
			least--
			defer h.push(e)
		case !t.mayLeaveWholly(): // never again: messages and lock events may be referred to
		default:
			t.waits = false
			e.s.evictWhole(t)
			return true
		}
	}
	return false
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
		s.mem.of(kindOther).Add(int64(len(old.Def.Name)))
		t.Def, t.Alive, t.defined = old.Def, old.Alive, old.defined
		t.account = old.account
	}
	return true
}

// evictableHeap is a binary heap, the oldest first.
type evictableHeap []evictable

func (h *evictableHeap) push(e evictable) {
	list := append(*h, e)
	for i := len(list) - 1; i > 0; {
		up := (i - 1) / 2
		if list[up].stamp <= list[i].stamp {
			break
		}
		list[i], list[up] = list[up], list[i]
		i = up
	}
	*h = list
}

func (h *evictableHeap) pop() evictable {
	list := *h
	top, last := list[0], len(list)-1
	list[0], list[last] = list[last], evictable{}
	*h = list[:last]
	h.sink(0)
	return top
}

// sink moves an entry down to where none below is older.
func (h *evictableHeap) sink(i int) {
	list := *h
	for {
		best := i
		for child := 2*i + 1; child <= min(2*i+2, len(list)-1); child++ {
			if list[child].stamp < list[best].stamp {
				best = child
			}
		}
		if best == i {
			return
		}
		list[i], list[best] = list[best], list[i]
		i = best
	}
}

// remove takes out all of a session.
func (h *evictableHeap) remove(s *Session) {
	*h = slices.DeleteFunc(*h, func(e evictable) bool { return e.s == s })
	for i := len(*h)/2 - 1; i >= 0; i-- {
		h.sink(i)
	}
}
