package model

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
	var spans int64
	for _, l := range t.lanes {
		if l != nil {
			spans += l.evictBefore(to.time, &s.pool)
		}
	}
	rest := spans + t.notes.dropBefore(to.time) + t.locks.dropBefore(to.time)
	if f.n() == 0 {
		s.lose(Loss{Reason: LossEvicted, Track: t.Def.ID, N: rest}) // a source without frames: what it has stands for them
	}
	t.recover()
	s.rev++
	t.addMemory(&after)
	return before.Total() - after.Total() - int64(len(s.pool.free)-pooled)*fullChunkBytes
}
