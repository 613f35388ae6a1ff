// Frames splits the spans of a thread at its frame borders and decides which empty frames are published.
// A Publisher writes the result.

package trace

import (
	"math"
)

// Publisher hands over what there is of a thread, in order of time.
type Publisher interface {
	// Loose publishes what began before a time without a frame.
	Loose(before int64)
	// Frame publishes a frame, or one that is open, with what begins before a time.
	Frame(f ToldframesFrame, to int64)
	// Idle reports whether nothing begins before a time.
	Idle(to int64) bool
	// Refuse reports whether an empty frame is one too many, which is counted.
	Refuse() bool
	// Cancelled reports whether the sink accepts no more data.
	Cancelled() bool
}

// Frames publishes everything, cut at frames in order of their numbers. Of frames that overlap each has what begins
// in it before the next one does; what begins with the end of the last one is of that, where that is last, the end of
// all, or open. Times passed to the publisher are relative to zero. always publishes frames from the first
// on; main marks frames of the thread itself, including all empty ones.
func Frames(p Publisher, sums *SelfTimes, list []ToldframesFrame, zero, last int64, main, always bool) {
	begun, ended := main || always, int64(math.MinInt64)
	for i, f := range list {
		to := f.End - zero
		if i+1 < len(list) {
			to = min(to, list[i+1].Begin-zero)
		} else if f.Open || f.End == last {
			to = math.MaxInt64
		}
		f.Begin, f.End = f.Begin-zero, f.End-zero
		p.Loose(f.Begin)
		if f.Begin < ended {
			sums.Forget() // what ran in the one before is of that one alone
		}
		idle := !main && !sums.Runs(f.Begin) && p.Idle(to)
		switch {
		case p.Cancelled():
			return
		case idle && (!begun || p.Refuse()):
			continue
		}
		begun, ended = true, f.End
		p.Frame(f, to)
	}
	p.Loose(math.MaxInt64)
}
