package decode

import (
	"unsafe"

	"framescope/model"
	"framescope/net/pstats"
)

// The windows of recent frames lie in pages, frame after frame: adding a frame appends its bytes, and
// dropping one only counts. A page is used again when all of its frames have left.

// pageWords is the length of a page in words of 8 bytes; those of threads that have sent little, or
// that hold a single large frame, have others.
const pageWords = 8 << 10

// page is memory of a window.
type page struct {
	words []uint64
	used  int // words
	live  int // frames that have not left the window
}

// size returns the bytes that a page takes.
func (g *page) size() int64 { return int64(8*len(g.words)) + 64 }

// stored is a raw frame in a page, with the nesting state before it: the state's numbers, the ends of its
// lanes, what it carries, the events and the levels.
type stored struct {
	page           *page
	at             int32
	events, levels int32
	lanes, carried int16
}

// rawFrame is a frame as it came.
type rawFrame struct {
	number int64
	bytes  int // on the wire
	events []pstats.Event
	levels []pstats.Level
}

const (
	stateWords = 3 // number, endNs, skewNs
	carryWords = 2
)

// wordsOf returns how many words a frame takes behind a state.
func wordsOf(f *pstats.Frame, st *nestState) int {
	return stateWords + len(st.laneEndNs) + carryWords*len(st.carried) + len(f.Events) + len(f.Levels)
}

// put appends a frame and the state before it to the page, which has room for it.
func (g *page) put(events []pstats.Event, levels []pstats.Level, st *nestState) stored {
	s := stored{
		page: g, at: int32(g.used), events: int32(len(events)), levels: int32(len(levels)),
		lanes: int16(len(st.laneEndNs)), carried: int16(len(st.carried)),
	}
	g.live++
	s.putState(st)
	copy(s.eventList(), events)
	copy(s.levelList(), levels)
	g.used += s.words()
	return s
}

func (s *stored) words() int { return s.eventsAt() - int(s.at) + int(s.events) + int(s.levels) }

func (s *stored) eventsAt() int {
	return int(s.at) + stateWords + int(s.lanes) + carryWords*int(s.carried)
}

// eventList returns the frame's events, in the page.
func (s *stored) eventList() []pstats.Event {
	return listIn[pstats.Event](s.page.words[s.eventsAt():], int(s.events))
}

// levelList returns the frame's levels, in the page.
func (s *stored) levelList() []pstats.Level {
	return listIn[pstats.Level](s.page.words[s.eventsAt()+int(s.events):], int(s.levels))
}

// listIn returns n values of 8 bytes without pointers that lie in words.
func listIn[T pstats.Event | pstats.Level](words []uint64, n int) []T {
	words = words[:n]
	return unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(words))), n)
}

// fits reports whether a state has room where the one is that was stored.
func (s *stored) fits(st *nestState) bool {
	return len(st.laneEndNs) == int(s.lanes) && len(st.carried) == int(s.carried)
}

// putState writes a state that fits.
func (s *stored) putState(st *nestState) {
	words := s.page.words[s.at:]
	words[0], words[1], words[2] = uint64(st.number), uint64(st.endNs), uint64(st.skewNs)
	words = words[stateWords:]
	for i, ns := range st.laneEndNs {
		words[i] = uint64(ns)
	}
	words = words[len(st.laneEndNs):]
	for i, c := range st.carried {
		words[carryWords*i] = uint64(uint32(c.collector))<<32 | uint64(c.path)
		words[carryWords*i+1] = uint64(c.lane)
	}
}

// state makes st the state before the frame.
func (s *stored) state(st *nestState) {
	words := s.page.words[s.at:]
	st.number, st.endNs, st.skewNs = int64(words[0]), int64(words[1]), int64(words[2])
	words = words[stateWords:]
	st.laneEndNs, st.carried = st.laneEndNs[:0], st.carried[:0]
	for _, ns := range words[:s.lanes] {
		st.laneEndNs = append(st.laneEndNs, int64(ns))
	}
	words = words[s.lanes:]
	for i := range int(s.carried) {
		w := words[carryWords*i]
		st.carried = append(st.carried, carry{int32(w >> 32), model.PathID(uint32(w)), uint16(words[carryWords*i+1])})
	}
}
