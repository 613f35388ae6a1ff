package profilelib

import (
	"slices"

	"framescope/model"
)

// border is one frame of the main thread, at which all threads are cut.
type border struct {
	number     int64
	begin, end int64
}

// frameState is the state of the main thread's frames.
type frameState struct {
	expected bool // there are frames, or will be
	thread   uint32
	borders  []border
	base     int   // how many were dropped before borders[0]
	last     int64 // number of the last frame, model.NoFrame before the first
	lastEnd  int64
	shift    int64 // from the program's counter to our numbers
	pauses   []pause
	minStart int64 // the earliest time seen
	looseTo  int64 // the latest time that was published without a frame
	refound  int   // how often it was no number that follows
	credit   int64 // empty frames that may be published
}

// maxJump bounds plausible jumps of a frame counter, maxCounter its value.
const (
	maxJump    = 1 << 32
	maxCounter = 1 << 60
)

func (f *frameState) total() int { return f.base + len(f.borders) }

// addFrame takes an end-of-frame record. The main thread is that with most of them, as far as is known, or else the
// first that has one.
//
// Frames have the program's numbers: a jump is a gap, as of lost frames. If the counter repeats or
// falls back, the numbers go on from the last one instead, which is counted.
func (d *Decoder) addFrame(th *thread, e *event) {
	if d.main == nil {
		if d.frames.expected && d.frames.thread != th.id {
			return
		}
		d.main = th
		d.frames.expected = true
		d.nameThread(th)
	}
	f := &d.frames
	end := max(e.timeNs, f.lastEnd)
	number := e.counter + f.shift
	first := f.last == model.NoFrame
	wild := e.counter > maxCounter || e.counter < -maxCounter
	if wild || !first && (number <= f.last || number-f.last > maxJump) {
		f.refound++
		if first {
			f.last = -1
		}
		number = f.last + 1
		f.shift = number - e.counter
	}
	begin := f.lastEnd
	switch {
	case first:
		begin = max(min(f.minStart, end), f.looseTo)
	case number > f.last+1:
		begin = d.afterGap(th, end, number-f.last)
	}
	for len(f.pauses) > 0 && f.pauses[0].at <= end {
		p := f.pauses[0]
		f.pauses = f.pauses[1:]
		if p.until <= end && p.until > begin && (p.fresh || !th.runsAt(p.at, p.until)) {
			begin = p.until
		}
	}
	begin = min(begin, end)
	f.last, f.lastEnd = number, end
	f.borders = append(f.borders, border{number, begin, end})
	if len(f.borders) > 2*maxBorders {
		f.base += maxBorders
		f.borders = f.borders[:copy(f.borders, f.borders[maxBorders:])]
	}
}

// afterGap estimates the begin of a frame after missing ones: there is no record of a begin, and the
// time since the last frame is that of all of them. They share it evenly; if an outermost block began
// near that, the frame begins there.
func (d *Decoder) afterGap(th *thread, end, frames int64) int64 {
	mean := (end - d.frames.lastEnd) / frames
	guess := end - mean
	best := guess
	far := mean/2 + 1
	list := th.spans[th.next:]
	for i := len(list) - 1; i >= 0 && list[i].begin > guess-far; i-- {
		if list[i].depth > 0 || list[i].begin >= end {
			continue
		}
		if dist := max(list[i].begin-guess, guess-list[i].begin); dist < far {
			best, far = list[i].begin, dist
		}
	}
	return best
}

// runsAt reports whether an outermost block of the thread went on through a pause.
func (th *thread) runsAt(at, until int64) bool {
	return slices.ContainsFunc(th.spans[th.next:], func(sp span) bool {
		return sp.depth == 0 && sp.begin < at && sp.end > until
	})
}
