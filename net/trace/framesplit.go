// Frames splits the spans of a thread at its frame borders and decides which empty frames are published.
// A Publisher writes the result.

package trace

import "math"

// Publisher hands over what there is of a thread, in order of time.
type Publisher interface {
	// Loose publishes what began before a time without a frame.
	Loose(before int64)
	// Frame publishes a frame, or one that is open, with what begins before a time.
	Frame(f Border, to int64)
	// Idle reports whether nothing begins before a time.
	Idle(to int64) bool
	// Refuse reports whether an empty frame is one too many, which is counted.
	Refuse() bool
	// Cancelled reports whether the sink accepts no more data.
	Cancelled() bool
}

// Frames publishes everything, cut at frames in order of their numbers. Of frames that overlap each has what begins
// in it before the next one does; what begins with the end of the last one is of that, where that is last, the end of
// all, or open. Times passed to the publisher are relative to zero; main marks frames of the thread itself, which are
// published from the first on, including all empty ones.
func Frames(p Publisher, sums *SelfTimes, list []Border, zero, last int64, main bool) {
	begun, ended := main, int64(math.MinInt64)
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

// Numbered keeps the numbers of frames in order of time, -1 for no number, if they ascend; skips reports gaps
// in them, which need not be lost frames. Otherwise it counts the frames from 0; lost reports that some had
// numbers.
func Numbered(list []Border) (skips, lost bool) {
	ascend := true
	for i, f := range list {
		lost = lost || f.Number >= 0
		ascend = ascend && f.Number >= 0 && f.Number <= mostNumber && (i == 0 || f.Number > list[i-1].Number)
	}
	if n := len(list); n > 0 && ascend {
		return list[n-1].Number-list[0].Number >= int64(n), false
	}
	for i := range list {
		list[i].Number = int64(i)
	}
	return false, lost
}
