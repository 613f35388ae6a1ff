package sessionfile

import (
	"math"

	"framescope/net/pstats"
)

// threadMap gives the threads of a live session their indices in a session file. They are those on
// the wire, except when a client uses an index again for another thread: its frame numbers begin
// anew, and in one thread of a file they would overwrite those of the old one. The new thread gets
// an index that is free.
//
// The rules are the decoder's, so that a saved session has the tracks that were on screen.
type threadMap struct {
	places map[int]*threadPlace // by index on the wire
	used   map[int]Thread       // by index in the file
	free   int                  // none below is free, except numbers never used on the wire
}

// Thread is a thread of a client: its index on the wire, and which of those that had the index one
// after the other, counted from 0.
type Thread struct{ Wire, Nth int }

type threadPlace struct {
	index    int // in the file
	nth      int // see Thread
	name     string
	expired  bool
	timed    bool // newest and endNs are valid
	newest   int64
	newestNs int64        // end of the newest frame
	firstNs  int64        // begin of the earliest frame
	old      *threadPlace // that had the index before, nil if none
}

func newThreadMap() threadMap {
	return threadMap{places: map[int]*threadPlace{}, used: map[int]Thread{}}
}

// maxFileThread is the greatest index of a thread in a file: the next one ends the list.
const maxFileThread = math.MaxUint16 - 1

// place returns the thread that a wire index stands for now.
func (m *threadMap) place(wireIndex int) *threadPlace {
	p := m.places[wireIndex]
	if p == nil {
		p = &threadPlace{index: wireIndex}
		if m.isUsed(wireIndex) || wireIndex > maxFileThread {
			p.index = m.next(wireIndex)
		}
		m.used[p.index] = Thread{Wire: wireIndex}
		m.places[wireIndex] = p
	}
	return p
}

func (m *threadMap) isUsed(index int) bool { _, used := m.used[index]; return used }

// next returns an index that no thread has, or the wire's own if there is none.
func (m *threadMap) next(wireIndex int) int {
	for m.free <= maxFileThread && (m.isUsed(m.free) || m.places[m.free] != nil) {
		m.free++
	}
	if m.free > maxFileThread {
		return min(wireIndex, maxFileThread)
	}
	return m.free
}

// another makes a wire index stand for a new thread.
func (m *threadMap) another(wireIndex int) *threadPlace {
	old := m.places[wireIndex]
	old.old = nil
	p := &threadPlace{index: m.next(old.index), nth: old.nth + 1, name: old.name, old: old}
	m.used[p.index] = Thread{wireIndex, p.nth}
	m.places[wireIndex] = p
	return p
}

// frame returns the thread of a frame; renamed marks a new thread with the name of the old one.
func (m *threadMap) frame(f *pstats.Frame) (p *threadPlace, renamed bool) {
	p = m.place(int(f.Thread))
	beginNs, ok := pstats.FirstTime(f.Events)
	if !ok {
		return p, false
	}
	if f.Continues {
		p.firstNs = min(p.firstNs, beginNs)
		return p, false
	}
	number := int64(f.Number)
	switch {
	case p.timed && number <= p.newest && beginNs > p.newestNs:
		p, renamed = m.another(int(f.Thread)), true
	case p.timed && p.old != nil && beginNs < p.firstNs:
		p = p.old // a late one of the thread before
	}
	if !p.timed || beginNs < p.firstNs {
		p.firstNs = beginNs
	}
	if !p.timed || number >= p.newest {
		p.timed, p.newest, p.newestNs = true, number, beginNs
		for i := len(f.Events) - 1; i >= 0; i-- {
			if ns, ok := pstats.Nanoseconds(f.Events[i].Time); ok {
				p.newestNs = max(beginNs, ns)
				break
			}
		}
	}
	return p, renamed
}

// name returns the thread that a definition names. An expired one that gets another name is another
// thread.
func (m *threadMap) name(wireIndex int, name string) *threadPlace {
	p := m.place(wireIndex)
	if p.expired && name != "" && name != p.name {
		p = m.another(wireIndex)
	}
	if name != "" {
		p.name = name
	}
	return p
}

func (m *threadMap) expire(wireIndex int) {
	if p := m.places[wireIndex]; p != nil {
		p.expired = true
	}
}
