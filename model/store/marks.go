package store

import (
	"slices"

	"framescope/model"
	"framescope/model/columns"
)

// mark is a point in the data of a track, or in the samples of a session, up to which they may
// leave memory together.
type mark struct {
	stamp uint64 // the store's count of appends
	age   int64  // see Session.age; at most that of the marks after it
	frame int64  // the first frame appended after it
	time  int64  // the earliest time appended after it; of frames, the time of the first
	// latest is the time at which it was made, at least that of the marks before it. It counts if
	// nothing is earlier than time: a source that claims again and again that its data is old must
	// not keep everything from leaving.
	latest int64
	framed bool // it was made for a frame
}

// marks are the marks of a track, or of the samples of a session, the oldest first.
type marks struct {
	list  []mark
	gone  int // of the list
	acc   *columns.Account
	since int64 // bytes appended after the newest mark

	queued bool // the store knows that something may leave
}

// age returns the age of something in a session as a number: less is older. Live data comes in
// order, and a program's clocks may go wrong, so it is the store's count of appends. A recording
// may hold thread after thread, or kind after kind; there it is the time of the data, for a
// separate clock counted from its begin.
func (s *Session) age(t *Track, timeNs int64, stamp uint64) int64 {
	switch {
	case !s.info.File:
		return int64(stamp)
	case t != nil && t.Def.OwnClock:
		return timeNs - t.began + s.began
	}
	return timeNs
}

// begins notes the time of the first of a track, and of a session.
func (s *Session) begins(t *Track, timeNs int64) {
	t.began = timeNs
	if !s.begun && !t.Def.OwnClock {
		s.begun, s.began = true, timeNs
	}
}

// len returns their number. Data before the second may leave.
func (x *marks) len() int { return len(x.list) - x.gone }

// oldest returns the oldest mark. There is one.
func (x *marks) oldest() *mark { return &x.list[x.gone] }

// age returns the age of the newest data that may leave next. There are two marks.
func (x *marks) age() int64 { return x.list[x.gone+1].age }

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

// due reports whether a mark should precede the next data: tracks with less data drop it in smaller
// parts, so that the rest of all of them begins at about the same time; but of at least least bytes.
func (x *marks) due(least int64) bool {
	n := x.len()
	return n == 0 || x.since >= max(columns.MarkBytes>>max(4-n/16, 0), least)
}

// add adds a mark and reports whether the next data to leave has become older. One value with a
// time in the far future must not let everything leave with it, so later ones lower the marks
// before; frames stay in the order of their numbers.
func (x *marks) add(m mark) (older bool) {
	m.latest, x.since = m.time, 0
	if k := len(x.list); k > x.gone {
		m.latest = max(m.time, x.list[k-1].latest)
	}
	if m.framed {
		m.time = m.latest
	} else {
		x.lower(m.time)
	}
	for k := len(x.list) - 1; k > x.gone && x.list[k].age > m.age; k-- {
		x.list[k].age = m.age
		older = k == x.gone+1
	}
	x.list = columns.Push(x.acc, x.list, m)
	return older
}

// insert adds a mark outside frames with a time as its age: at its place, as it may come after
// newer ones. It returns the result of add.
func (x *marks) insert(m mark) (older bool) {
	k := len(x.list)
	for k > x.gone && x.list[k-1].age > m.age {
		k--
	}
	if k == len(x.list) {
		return x.add(m)
	}
	m.latest, x.since = m.time, 0
	m.frame = x.list[max(k-1, x.gone)].frame
	x.list = columns.Push(x.acc, x.list, m)
	copy(x.list[k+1:], x.list[k:])
	x.list[k] = m
	return k <= x.gone+1
}

func (x *marks) lower(timeNs int64) {
	for k := len(x.list) - 1; k >= x.gone && x.list[k].time > timeNs; k-- {
		x.list[k].time = timeNs
	}
}

// rewind forgets the marks of frames at a position or later: new ones may begin earlier.
func (x *marks) rewind(frame int64) {
	for k := len(x.list); k > x.gone && x.list[k-1].frame >= frame; k-- {
		x.list = x.list[:k-1]
	}
}

// clear frees everything.
func (x *marks) clear() {
	columns.LetGo(x.acc, x.list)
	x.list, x.gone, x.since, x.queued = nil, 0, 0, false
}

// mark notes where the data appended from now on begin, if enough came since the last mark.
func (s *Session) mark(t *Track, b *model.Batch, begin int64) {
	stamp := s.clock.appends
	if !t.waits {
		t.waits = true
		s.clock.ready = append(s.clock.ready, evictable{s: s, track: t, marks: &t.marks, whole: true})
	}
	if !b.HasFrame {
		begin = b.Earliest()
	}
	if t.newest == 0 && begin < model.MaxTime {
		s.begins(t, begin)
	}
	t.newest = stamp
	sorted := s.info.File && !b.HasFrame
	if x := &t.marks; x.due(0) {
		if begin == model.MaxTime {
			begin = model.MinTime
		}
		m := mark{
			stamp: stamp, age: s.age(t, begin, stamp), frame: t.frames.End(), time: begin, framed: b.HasFrame,
		}
		s.marked(t, x, sorted, m)
	} else if !sorted && !b.HasFrame {
		x.lower(begin)
	}
	t.marks.since += bytesOf(b)
}

// marked adds a mark to those of a track, or of samples, and notifies the store.
func (s *Session) marked(t *Track, x *marks, sorted bool, m mark) {
	add := x.add
	if sorted {
		add = x.insert
	}
	if add(m) {
		s.parts.sooner = true
	}
	if x.len() >= 2 && !x.queued {
		x.queued = true
		s.clock.ready = append(s.clock.ready, evictable{s: s, track: t, marks: x})
	}
}

// bytesOf returns about the size of a batch in memory.
func bytesOf(b *model.Batch) int64 {
	bytes := int64(64 + b.NumSpans()*16 + len(b.Self)*8 + len(b.Levels)*18 + len(b.Messages)*128 + len(b.Locks)*48 +
		len(b.Flows)*72)
	for i := range b.Messages {
		m := &b.Messages[i]
		bytes += int64(len(m.Text) + len(m.Category) + len(m.Object))
	}
	for i := range b.Args {
		bytes += 4 + int64(len(b.Args[i].Value.Text))
	}
	return bytes
}

// markSamples notes where the samples added from now on begin, if enough came since the last mark.
// The more series, the more work to let something leave.
func (s *Session) markSamples(samples int, first int64) {
	x := &s.samples
	if x.due(int64(s.series.Len()) * 256) {
		stamp := s.clock.appends
		s.marked(nil, x, s.info.File, mark{stamp: stamp, age: s.age(nil, first, stamp), time: first})
	} else if !s.info.File {
		x.lower(first)
	}
	x.since += int64(samples) * sampleBytes
}

// remake finds the ages again where something may leave earlier than was known.
func (p *parts) remake() {
	if !p.sooner {
		return
	}
	p.sooner = false
	p.oldest = slices.DeleteFunc(p.oldest, func(e evictable) bool {
		e.marks.queued = e.marks.len() >= 2
		return !e.marks.queued
	})
	for i := range p.oldest {
		p.oldest[i].age = p.oldest[i].marks.age()
	}
	p.oldest.order()
}
