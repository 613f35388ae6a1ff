package decode

import (
	"math/bits"

	"framescope/model"
)

// event is a start or stop whose time was checked: nanoseconds, never negative.
type event struct {
	timeNs    int64
	collector int32
	stop      bool
}

// collectorState is the scratch space that one frame's passes need for a collector. It is valid for the frame whose number it carries in epoch, so that
// nothing is cleared between frames.
type collectorState struct {
	aloneNs   int64 // charged so far
	sinceNs   int64 // begin of the current charge
	epoch     uint32
	depth     int32 // running starts
	count     int32
	prev      int32 // neighbours in the list of running collectors, in order of their outermost start; -1 none
	next      int32
	carried   int32 // spans of it that were open at the end of the frame before (nest pass)
	overLimit int32 // starts that the nest pass did not take (see MaxDepth)
}

// viewPass charges the time of one frame to collectors (pstats-viewer section 4.1): at any moment the most recently started running collector is
// charged. What is meant there is implemented: a collector that stops while paused is no longer paused, and at the end of the frame whatever runs is closed altogether.
//
// At most one collector is charged at a time and all other running ones are paused, so starting is "charge the running one and push", stopping is "unlink, and the
// last of the list resumes": constant time per event, with the list threaded through the collectors' states.
type viewPass struct {
	cols    []collectorState // by collector
	touched collectorSet     // collectors with events in this frame
	early   []int32          // collectors of stops that had no start in this frame, in order of the stops
	epoch   uint32
	tail    int32 // most recently started running collector, -1 none
	charged int32 // the collector that is charged, -1 none
}

// begin starts a frame and makes room for collectors up to the greatest index among its events.
func (v *viewPass) begin() {
	v.epoch++
	if v.epoch == 0 { // wrapped: states of 2^32 frames ago must not look fresh
		for i := range v.cols {
			v.cols[i].epoch = 0
		}
		v.epoch = 1
	}
	for word := range v.touched.words(len(v.cols)) { // the nest pass may have asked for more
		v.touched.take(word)
	}
	v.early = v.early[:0]
	v.tail, v.charged = -1, -1
}

// state returns the collector's state of this frame.
func (v *viewPass) state(c int32) *collectorState {
	if int(c) >= len(v.cols) {
		v.cols = append(v.cols, make([]collectorState, int(c)+64-len(v.cols))...)
	}
	s := &v.cols[c]
	if s.epoch != v.epoch {
		*s = collectorState{epoch: v.epoch, prev: -1, next: -1}
		v.touched.add(uint(c))
	}
	return s
}

// run charges the events, which must not be empty, and appends the result to out, ascending by collector.
func (v *viewPass) run(events []event, out []model.CollectorTime) []model.CollectorTime {
	v.begin()
	firstNs := events[0].timeNs
	for i := range events {
		e := &events[i]
		s := v.state(e.collector)
		if !e.stop {
			s.count++
			s.depth++
			if s.depth == 1 {
				v.start(e.collector, s, e.timeNs)
			}
			continue
		}
		if s.depth == 0 { // it was started before this frame
			v.early = append(v.early, e.collector)
			v.start(e.collector, s, firstNs)
		} else {
			s.depth--
		}
		if s.depth == 0 {
			v.stop(e.collector, s, e.timeNs)
		}
	}
	if v.charged >= 0 {
		s := &v.cols[v.charged]
		s.aloneNs += events[len(events)-1].timeNs - s.sinceNs
	}
	for word := range v.touched.words(len(v.cols)) {
		for set := v.touched.take(word); set != 0; set &= set - 1 {
			c := word*64 + bits.TrailingZeros64(set)
			s := &v.cols[c]
			out = append(out, model.CollectorTime{Collector: model.CollectorID(c), Ns: s.aloneNs, Count: s.count})
		}
	}
	return out
}

// collectorSet is a set of collectors that gives them back in order.
type collectorSet [1 << 15 / 64]uint64

func (s *collectorSet) add(c uint) { s[c/64%uint(len(s))] |= 1 << (c % 64) }

// words returns how many words may be used by collectors below n.
func (s *collectorSet) words(n int) int { return min((n+63)/64, len(s)) }

// take empties a word and returns what it was: bit b stands for collector 64·word + b.
func (s *collectorSet) take(word int) uint64 {
	set := s[word]
	if set != 0 {
		s[word] = 0
	}
	return set
}

func (v *viewPass) start(c int32, s *collectorState, timeNs int64) {
	if v.charged >= 0 {
		r := &v.cols[v.charged]
		r.aloneNs += timeNs - r.sinceNs
	}
	s.sinceNs = timeNs
	s.prev, s.next = v.tail, -1
	if v.tail >= 0 {
		v.cols[v.tail].next = c
	}
	v.tail, v.charged = c, c
}

func (v *viewPass) stop(c int32, s *collectorState, timeNs int64) {
	if s.prev >= 0 {
		v.cols[s.prev].next = s.next
	}
	if s.next >= 0 {
		v.cols[s.next].prev = s.prev
	} else {
		v.tail = s.prev
	}
	if v.charged != c {
		return // charged already, when a later one paused it
	}
	s.aloneNs += timeNs - s.sinceNs
	v.charged = v.tail
	if v.charged >= 0 {
		v.cols[v.charged].sinceNs = timeNs
	}
}
