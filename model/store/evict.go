package store

import (
	"framescope/model"
	"framescope/model/columns"
)

// mark is a point in the data of a track, or in the samples of a session, up to which they may
// leave memory together.
type mark struct {
	stamp uint64 // age: the store's count of appends
	frame int64  // the first frame appended after it
	time  int64  // the earliest time appended after it; of frames, the time of the first
	// latest is the time at which it was made, at least that of the marks before it. It is what
	// counts where nothing is earlier than time: a source that claims that its data are of long
	// ago, again and again, must not keep everything from leaving.
	latest int64
	framed bool // it was made for a frame
}

// marks are the marks of a track, or of the samples of a session, the oldest first.
type marks struct {
	list []mark
	gone int // of the list
	acc  *columns.Account

	queued bool // the store knows that something may leave
}

// len returns how many there are. What lies before the second may leave.
func (x *marks) len() int { return len(x.list) - x.gone }

// oldest returns the age of the oldest data. There is a mark.
func (x *marks) oldest() uint64 { return x.list[x.gone].stamp }

// next removes the oldest mark and returns the one after it.
func (x *marks) next() mark {
	x.gone++
	m := x.list[x.gone]
	if x.gone > len(x.list)/2 {
		x.list = columns.CutFront(x.acc, x.list, x.gone)
		x.gone = 0
	}
	return m
}

// add adds a mark. One value that claims to be of the far future must not let everything leave with
// it, so what comes after it lowers the marks before; frames stay in the order of their numbers.
func (x *marks) add(m mark) {
	m.latest = m.time
	if k := len(x.list); k > x.gone {
		m.latest = max(m.time, x.list[k-1].latest)
	}
	if m.framed {
		m.time = m.latest
	} else {
		x.lower(m.time)
	}
	x.list = columns.Push(x.acc, x.list, m)
}

func (x *marks) lower(timeNs int64) {
	for k := len(x.list) - 1; k >= x.gone && x.list[k].time > timeNs; k-- {
		x.list[k].time = timeNs
	}
}

// rewind forgets the marks of frames at a position or later: what comes now may begin earlier than
// these did.
func (x *marks) rewind(frame int64) {
	for k := len(x.list); k > x.gone && x.list[k-1].frame >= frame; k-- {
		x.list = x.list[:k-1]
	}
}

// clear lets go of everything.
func (x *marks) clear() {
	columns.LetGo(x.acc, x.list)
	x.list, x.gone = nil, 0
}

// mayLeave tells whether a track has data that may leave: not what belongs to its newest frame,
// which may still be on its way.
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
		count = rest // a source without frames: what it has stands for them
	}
	s.lose(model.Loss{Reason: model.LossEvicted, Track: t.Def.ID, N: count})
	t.recover()
	s.rev++
}

// mayLeaveWholly tells whether the track may let go of all that it holds, also of its newest frame:
// if that is frames, and nothing that others refer to.
func (t *Track) mayLeaveWholly() bool {
	return t.NumFrames() > 0 && t.messages.Empty() && t.locks.Empty() && t.flows.Empty()
}

// evictWhole forgets all that a track holds.
func (s *Session) evictWhole(t *Track) {
	n := t.allLeave()
	s.lose(model.Loss{Reason: model.LossEvicted, Track: t.Def.ID, N: n})
	t.clearData()
	t.lo, t.hi = model.MaxTime, model.MinTime
	s.rev++
}

// evictTimes forgets what of a track belongs to no frame and is before a time, and returns how many
// spans, messages, lock events and flows these were.
func (s *Session) evictTimes(t *Track, timeNs int64) (n int64) {
	spansNs := timeNs
	if t.NumFrames() > 0 { // where a clock went back, the oldest is from before the mark
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
