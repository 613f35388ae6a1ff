package trace

import "math/bits"

// eventSet is a set of events, to which those with higher numbers are added. Each has a place among them, from 0 on.
type eventSet struct {
	words  []eventWord // of 64 numbers each
	n      int
	newest uint32
}

type eventWord struct {
	bits   uint64
	before uint32 // events in the words before
}

// add adds an event with a higher number than all others.
func (x *eventSet) add(event uint32) {
	for int(event/64) >= len(x.words) {
		x.words = append(x.words, eventWord{before: uint32(x.n)})
	}
	x.words[event/64].bits |= 1 << (event % 64)
	x.newest = event
	x.n++
}

// find returns the place of an event. ok is false where it is not in the set.
func (x *eventSet) find(event uint32) (place int, ok bool) {
	if int(event/64) >= len(x.words) {
		return 0, false
	}
	w, bit := &x.words[event/64], uint64(1)<<(event%64)
	return int(w.before) + bits.OnesCount64(w.bits&(bit-1)), w.bits&bit != 0
}
