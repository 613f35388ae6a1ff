package model

// mark is a point in the data of a track, or in the samples of a session, up to which they may leave memory together.
type mark struct {
	stamp uint64 // age: the store's count of appends
	frame int64  // the first frame appended after it
	time  int64  // the earliest time appended after it; of frames, the time of the first
	// latest is the time at which it was made, at least that of the marks before it. It is what counts where nothing is earlier than time: a source that claims that
	// its data are of long ago, again and again, must not keep everything from leaving.
	latest int64
}

// addMark adds a mark. One value that claims to be of the far future must not let everything leave with it, so what comes after it lowers the marks before;
// frames stay in the order of their numbers.
func addMark(marks []mark, m mark, frame bool) []mark {
	m.latest = m.time
	if k := len(marks); k > 0 {
		m.latest = max(m.time, marks[k-1].latest)
	}
	if frame {
		m.time = m.latest
	} else {
		lowerMarks(marks, m.time)
	}
	return append(marks, m)
}

func lowerMarks(marks []mark, timeNs int64) {
	for k := len(marks) - 1; k >= 0 && marks[k].time > timeNs; k-- {
		marks[k].time = timeNs
	}
}

// evictOldest forgets the oldest part of a track, up to its second mark, and returns the bytes that became free.
func (s *Session) evictOldest(t *Track) (freed int64) {
	var before, after Memory
	t.addMemory(&before)
	pooled := len(s.pool.free)
	to := t.marks[1]
	t.marks = dropFront(t.marks, 1)
	f := &t.frames
	if n := f.n(); n > 0 {
		from := min(max(to.frame, f.first), f.number.n-1)
		count := from - f.first
		alone, levels := rowsBefore(&f.alone, from), rowsBefore(&f.levels, from)
		t.evictedMissing = addSat(t.evictedMissing, f.dropBefore(from))
		t.alone.dropBefore(alone)
		for k := range t.stats {
			t.stats[k].dropBefore(from)
		}
		t.levels.dropBefore(levels, to.time)
		t.evicted += count
		s.lose(Loss{Reason: LossEvicted, Track: t.Def.ID, N: count})
	} else {
		t.levels.dropBefore(0, to.time)
	}
	rest := s.evictTimes(t, to.time)
	if f.n() == 0 {
		if rest == 0 && to.latest > to.time {
			t.levels.dropBefore(0, to.latest)
			rest = s.evictTimes(t, to.latest)
		}
		s.lose(Loss{Reason: LossEvicted, Track: t.Def.ID, N: rest}) // a source without frames: what it has stands for them
	}
	t.recover()
	s.rev++
	t.addMemory(&after)
	return before.Total() - after.Total() - int64(len(s.pool.free)-pooled)*fullChunkBytes
}

// evictTimes forgets what of a track belongs to no frame and is before a time, and returns how many spans, messages and lock events these were.
func (s *Session) evictTimes(t *Track, timeNs int64) (n int64) {
	for _, l := range t.lanes {
		if l != nil {
			n += l.evictBefore(timeNs, &s.pool)
		}
	}
	return n + t.notes.dropBefore(timeNs) + t.locks.dropBefore(timeNs)
}

// evictSamples forgets the oldest samples of all series, up to the second mark, and returns the bytes that became free.
func (s *Session) evictSamples() (freed int64) {
	h := &s.things
	before, _ := h.bytes()
	to := h.marks[1]
	h.marks = dropFront(h.marks, 1)
	n := h.dropBefore(to.time)
	if n == 0 && to.latest > to.time {
		n = h.dropBefore(to.latest)
	}
	s.measures.dropBefore()
	s.lose(Loss{Reason: LossEvicted, Track: NoTrack, N: n})
	s.rev++
	after, _ := h.bytes()
	return before - after
}

// dropBefore forgets the samples before a time and returns how many.
func (h *thingTable) dropBefore(timeNs int64) (n int64) {
	h.lo, h.hi = maxTime, minTime
	for _, x := range h.series {
		n += x.data.dropBefore(timeNs)
		if begin, end, ok := x.data.bounds(); ok {
			h.lo, h.hi = min(h.lo, begin), max(h.hi, end)
		}
	}
	return n
}
