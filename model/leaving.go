package model

// leaving knows which data may leave memory, in the order in which they do: the oldest of sessions
// that have ended and that nobody looks at, then the oldest of the others. A step costs the logarithm of the number of
// tracks, and what the track has lanes.
type leaving struct{ ended, others evictableHeap }

// evictable is a part of a session that has data which may leave: a track, the samples of all
// series (neither track nor all), or of a session that has ended all that is left.
type evictable struct {
	s     *Session
	track *Track
	all   bool
	stamp uint64 // the age of its oldest data
}

// marks returns those of a part that is not all.
func (e *evictable) marks() *marks {
	if e.track != nil {
		return &e.track.marks
	}
	return &e.s.things.marks
}

// hear takes in what may leave from now on.
func (x *leaving) hear(clock *storeClock) {
	for _, e := range clock.ready {
		if m := e.marks(); m.len() > 0 {
			e.stamp = m.oldest()
			x.of(e.s).push(e)
		}
	}
	clear(clock.ready)
	clock.ready = clock.ready[:0]
	for _, s := range clock.ended {
		for _, t := range s.tracks {
			if t.marks.len() >= 2 {
				x.ended.push(evictable{s: s, track: t, stamp: t.marks.oldest()})
			}
		}
		if s.things.marks.len() >= 2 {
			x.ended.push(evictable{s: s, stamp: s.things.marks.oldest()})
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
	return &x.others
}

// leavesFirst tells whether the session leaves before others, whatever the age of its data.
func (s *Session) leavesFirst() bool { return s.ended && !s.held }

// one lets the next part leave; false when there is none.
func (x *leaving) one() bool {
	for _, h := range [...]*evictableHeap{&x.ended, &x.others} {
		var waiting []evictable
		done := false
		for !done && len(*h) > 0 {
			e := h.pop()
			switch {
			case h == &x.ended && !e.s.leavesFirst():
				x.others.push(e)
			case h == &x.others && e.s.leavesFirst(): // it stands in the other heap
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
		if done {
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
		n := int64(t.frames.n())
		t.evicted += n
		t.evictedMissing = addSat(t.evictedMissing, t.frames.missing)
		if n == 0 {
			n = t.NumSpans() + t.NumMessages() + t.locks.events.n - t.locks.first
		}
		some = some || n > 0
		s.lose(Loss{Reason: LossEvicted, Track: t.Def.ID, N: n})
	}
	var samples int64
	for _, x := range s.things.series {
		samples += x.Len()
	}
	if !some && samples == 0 {
		return false
	}
	s.lose(Loss{Reason: LossEvicted, Track: NoTrack, N: samples})
	tracks := s.tracks
	s.clear()
	for _, old := range tracks {
		t := s.ensureTrack(old.Def.ID)
		t.Def, t.Alive, t.defined = old.Def, old.Alive, old.defined
		t.losses, t.evicted, t.evictedMissing = old.losses, old.evicted, old.evictedMissing
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
	list = list[:last]
	for i := 0; ; {
		best := i
		for child := 2*i + 1; child <= min(2*i+2, last-1); child++ {
			if list[child].stamp < list[best].stamp {
				best = child
			}
		}
		if best == i {
			break
		}
		list[i], list[best] = list[best], list[i]
		i = best
	}
	*h = list
	return top
}
