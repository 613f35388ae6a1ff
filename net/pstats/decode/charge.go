package decode

import (
	"math/bits"

	"framescope/model"
)

// event is a start or stop with a checked time: nanoseconds, never before the previous event.
type event struct {
	timeNs    int64
	collector int32
	stop      bool
}

// collectorState is the nest pass's state of a collector. It is valid for the frame with the number in
// epoch, so that nothing is cleared between frames.
type collectorState struct {
	selfNs    int64 // charged so far
	epoch     uint32
	count     int32 // starts
	depth     int32 // starts without a stop so far, while early stops are looked for
	carried   int32 // spans of it that were open at the end of the frame before
	overLimit int32 // starts that were not taken (see MaxDepth)
}

// charge is the self time of a frame's collectors: at any moment the innermost running span is
// charged, so that no time is below zero, the sum is the time in which anything ran, and the call tree
// shows the same for each collector. (The official viewer charges the collector started last, and in
// retrospect those started before the frame, VIEWER.md section 4.1. In well nested frames the
// result is the same.)
type charge struct {
	cols    []collectorState // by collector
	touched collectorSet     // collectors with events or time in this frame
	epoch   uint32
	sinceNs int64 // begin of the present charge
}

// begin starts a frame.
func (h *charge) begin(ns int64) {
	h.epoch++
	if h.epoch == 0 { // wrapped: states of 2^32 frames ago must not look fresh
		for i := range h.cols {
			h.cols[i].epoch = 0
		}
		h.epoch = 1
	}
	for word := range h.touched.wordsBelow(len(h.cols)) { // of a frame that was given up
		h.touched.clearWord(word)
	}
	h.sinceNs = ns
}

// state returns the collector's state of this frame.
func (h *charge) state(c int32) *collectorState {
	if int(c) >= len(h.cols) {
		h.cols = append(h.cols, make([]collectorState, int(c)+64-len(h.cols))...)
	}
	s := &h.cols[c]
	if s.epoch != h.epoch {
		*s = collectorState{epoch: h.epoch}
	}
	return s
}

// until charges the collector that was innermost since the last call.
func (h *charge) until(ns int64, innermost int32) {
	if ns > h.sinceNs {
		h.state(innermost).selfNs += ns - h.sinceNs
		h.touched.add(uint(innermost))
	}
	h.sinceNs = ns
}

// finish appends the frame's result to out, ascending by collector.
func (h *charge) finish(out []model.CollectorTime) []model.CollectorTime {
	for word := range h.touched.wordsBelow(len(h.cols)) {
		for set := h.touched.clearWord(word); set != 0; set &= set - 1 {
			c := word*64 + bits.TrailingZeros64(set)
			s := &h.cols[c]
			out = append(out, model.CollectorTime{Collector: model.CollectorID(c), Ns: s.selfNs, Count: s.count})
		}
	}
	return out
}

// collectorSet is a set of collectors that gives them back in order.
type collectorSet [1 << 15 / 64]uint64

func (s *collectorSet) add(c uint) { s[c/64%uint(len(s))] |= 1 << (c % 64) }

// wordsBelow returns how many words may be used by collectors below n.
func (s *collectorSet) wordsBelow(n int) int { return min((n+63)/64, len(s)) }

// clearWord empties a word and returns its old value: bit b stands for collector 64·word + b.
func (s *collectorSet) clearWord(word int) uint64 {
	set := s[word]
	if set != 0 {
		s[word] = 0
	}
	return set
}
