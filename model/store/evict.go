package store

import "framescope/model"

// mayLeave reports whether a track has data that may leave: not that of its newest frame, which may
// still be on its way.
func (t *Track) mayLeave() bool {
	if t.marks.len() < 2 {
		return false
	}
	to := &t.marks.list[t.marks.gone+1]
	return t.NumFrames() == 0 || !to.framed || to.frame < t.frames.End()
}

// evictOldest forgets the oldest part of a track, up to its second mark.
func (s *Session) evictOldest(t *Track) {
	to := t.marks.next()
	framed := t.NumFrames() > 0
	count, missing := t.frames.DropBefore(to.frame, to.time)
	rest := s.evictTimes(t, to.time)
	if framed {
		t.evicted += count
		t.evictedMissing = model.AddSat(t.evictedMissing, missing)
	} else {
		if rest == 0 && to.latest > to.time {
			t.frames.DropBefore(to.frame, to.latest)
			rest = s.evictTimes(t, to.latest)
		}
		count = rest // a source without frames: other data stands for them
	}
	s.lose(model.Loss{Reason: model.LossEvicted, Track: t.Def.ID, N: count})
	t.recover()
	s.rev++
}

// evictWhole forgets all data of a track, and returns the number of its frames, or of other data in
// their place.
func (s *Session) evictWhole(t *Track) (n int64) {
	n = t.NumSpans()
	if frames := t.allLeave(); frames > 0 {
		n = frames
	}
	s.lose(model.Loss{Reason: model.LossEvicted, Track: t.Def.ID, N: n})
	t.clearData()
	t.lo, t.hi = model.MaxTime, model.MinTime
	s.rev++
	return n
}

// referred reports whether a track's messages, lock events or flows may be referred to by their numbers,
// which must go on.
func (t *Track) referred() bool { return !t.messages.Empty() || !t.locks.Empty() || !t.flows.Empty() }

// evictButNewest forgets all data of a track but its newest frame, and returns the same as
// evictWhole. Numbers of new data go on.
func (s *Session) evictButNewest(t *Track) (n int64) {
	to, timeNs := t.frames.End(), t.hi+1
	framed := t.NumFrames() > 0
	if framed {
		to, timeNs = to-1, t.Frame(t.NumFrames()-1).Begin
	}
	n, missing := t.frames.DropBefore(to, timeNs)
	rest := s.evictTimes(t, timeNs)
	if framed {
		t.evicted += n
		t.evictedMissing = model.AddSat(t.evictedMissing, missing)
	} else {
		n = rest
	}
	s.lose(model.Loss{Reason: model.LossEvicted, Track: t.Def.ID, N: n})
	t.recover()
	s.rev++
	return n
}

// evictTimes forgets data of a track outside frames before a time, and returns the number of spans,
// messages, lock events and flows.
func (s *Session) evictTimes(t *Track, timeNs int64) (n int64) {
	spansNs := timeNs
	if t.Thread.NumFrames() > 0 { // where a clock went back, the oldest is from before the mark
		spansNs = min(timeNs, t.Frame(0).Begin)
	}
	n = t.spans.DropBefore(t.frames.Position(0), spansNs)
	t.cutArgs()
	return n + t.messages.DropBefore(timeNs) + t.locks.DropBefore(timeNs) + t.flows.DropBefore(timeNs)
}

// evictSamples forgets the oldest samples of all series, up to the second mark.
func (s *Session) evictSamples() {
	to := s.samples.next()
	n := s.series.DropBefore(to.time)
	if n == 0 && to.latest > to.time {
		n = s.series.DropBefore(to.latest)
	}
	s.spans.DropSamples()
	s.lose(model.Loss{Reason: model.LossEvicted, Track: model.NoTrack, N: n})
	s.rev++
}
