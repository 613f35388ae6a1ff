// A stop is time in which the program did not run its loop: a breakpoint, a load screen, a window in the
// background, a suspended machine. No statistic, scale or hitch counts it.

package frames

import (
	"slices"

	"framescope/model"
	"framescope/model/columns"
)

// A stop is longer than StopNs, and than StopTimes the middle of the times from one frame's end to the
// next around it: Near on each side. So the frames of a slow program are none, nor are the first of a
// phase in which it is slow.
const (
	StopNs    = 1_000_000_000
	StopTimes = 10
)

// Stop is a frame in which the program stood still, or such a time between two frames.
type Stop struct {
	Begin, End int64
	Frame      int   // index of that frame, or of the one behind that time
	Number     int64 // of that frame
	Between    bool  // it lies before the frame
}

// period is the time from the end of the frame before to that of the frame at a position.
func (f *list) period(p int64) int64 {
	if p <= f.first {
		return f.Length(p)
	}
	return max(f.end.At(p)-min(f.end.At(p-1), f.begin.At(p)), 0)
}

// pause is the time between the frame at a position and the one before, 0 where frames are missing there.
func (f *list) pause(p int64) int64 {
	if p <= f.first || f.gapBefore(p) > 0 {
		return 0
	}
	return f.begin.At(p) - f.end.At(p-1)
}

// usual is the middle of the periods around a position; ok is false where they are too few.
func (f *list) usual(p int64) (ns int64, ok bool) {
	var some [2*Near + 1]int64
	from, to := max(p-Near, f.first), min(p+Near+1, f.number.End())
	for i := from; i < to; i++ {
		some[i-from] = f.period(i)
	}
	around := some[:to-from]
	slices.Sort(around)
	return around[(len(around)-1)/2], len(around) >= least
}

// judge decides which of the newest frames are stops, and returns the first that it decides otherwise
// than before. Frames that come later change that for the Near last at most.
func (f *list) judge() (changed int64) {
	end := f.number.End()
	if newest := end - 1; f.Length(newest) > StopNs || f.pause(newest) > StopNs {
		f.long = newest
	}
	from := max(end-1-Near, f.first)
	if f.long < from {
		return end
	}
	var found [2 * (Near + 1)]int64
	now := found[:0]
	for p := from; p < end; p++ {
		length, pause := f.Length(p), f.pause(p)
		if max(length, pause) <= StopNs {
			continue
		}
		usual, ok := f.usual(p)
		over := func(ns int64) bool { return ok && ns > StopNs && ns/StopTimes > usual }
		if over(pause) {
			now = append(now, 2*p)
		}
		if over(length) {
			now = append(now, 2*p+1)
		}
	}
	at := f.firstStop(from)
	for len(now) > 0 && at < f.stops.End() && f.stops.At(at) == now[0] {
		now, at = now[1:], at+1
	}
	changed = end
	if at < f.stops.End() {
		changed = f.stops.At(at) / 2
		f.stops.Truncate(at)
	}
	for _, v := range now {
		changed = min(changed, v/2)
		f.stops.Push(v)
	}
	return changed
}

// firstStop returns where the stops from the frame at a position on begin.
func (f *list) firstStop(p int64) int64 {
	return columns.Search(f.stops.Start(), f.stops.End(), func(i int64) bool { return f.stops.At(i) >= 2*p })
}

// stopped reports whether the frame at a position is a stop.
func (f *list) stopped(p int64) bool { return f.stops.End() > f.stops.Start() && f.stoppedIn(p, p) > 0 }

// stoppedIn returns how many of the frames [from, to] are stops.
func (f *list) stoppedIn(from, to int64) (n int64) {
	for i := f.firstStop(from); i < f.stops.End() && f.stops.At(i) <= 2*to+1; i++ {
		n += f.stops.At(i) & 1
	}
	return n
}

// stoppedBefore reports whether there is a stop between the frame at a position and the one before.
func (f *list) stoppedBefore(p int64) bool {
	i := f.firstStop(p)
	return i < f.stops.End() && f.stops.At(i) == 2*p
}

// stoppedAt reports whether a time is in a stop, given the frame that is shown at it.
func (f *list) stoppedAt(p, timeNs int64) bool {
	return f.stops.End() > f.stops.Start() && (f.stopped(p) || timeNs >= f.end.At(p) && f.stoppedBefore(p+1))
}

// counted returns how many of the frames [from, to] statistics have, and whether they leave stops out:
// where all are stops, they have these.
func (f *list) counted(from, to int64) (n int64, without bool) {
	all := to - from + 1
	if n = all - f.stoppedIn(from, to); n == 0 {
		return all, false
	}
	return n, n < all
}

// nextCounted returns the first position from p on that statistics count: with "without", stops are not.
func (f *list) nextCounted(p int64, without bool) int64 {
	for without && p < f.begin.End()-1 && f.stopped(p) {
		p++
	}
	return p
}

// stopAt describes a stop by its place in the list.
func (f *list) stopAt(i int64) Stop {
	p := f.stops.At(i) / 2
	s := Stop{Begin: f.begin.At(p), End: f.end.At(p), Frame: int(p - f.first), Number: f.number.At(p)}
	if s.Between = f.stops.At(i)&1 == 0; s.Between {
		s.Begin, s.End = f.end.At(p-1), s.Begin
	}
	return s
}

// Stopped reports whether the frame with an index is a stop.
func (t *Thread) Stopped(i int) bool {
	p, ok := t.position(i)
	return ok && t.frames.stopped(p)
}

// CountedFrames returns how many of the frames with index [first, last] figures have: they leave stops out,
// unless all are.
func (t *Thread) CountedFrames(first, last int) int64 {
	from, to, ok := t.clampFrames(first, last)
	if !ok {
		return 0
	}
	n, _ := t.frames.counted(from, to)
	return n
}

// Stops appends the stops among the frames with index [first, last], and between two of them, in order.
func (t *Thread) Stops(first, last int, out []Stop) []Stop {
	from, to, ok := t.clampFrames(first, last)
	if !ok {
		return out
	}
	f := &t.frames
	for i := f.firstStop(from); i < f.stops.End() && f.stops.At(i) <= 2*to+1; i++ {
		if f.stops.At(i) > 2*from { // that before the first is between no two
			out = append(out, f.stopAt(i))
		}
	}
	return out
}

// LastPause returns the last stop between two of the frames with index [first, last].
func (t *Thread) LastPause(first, last int) (s Stop, ok bool) {
	from, to, ok := t.clampFrames(first, last)
	if !ok {
		return s, false
	}
	f := &t.frames
	for i := f.firstStop(to+1) - 1; i >= f.stops.Start() && f.stops.At(i) > 2*from+1; i-- {
		if s = f.stopAt(i); s.Between {
			return s, true
		}
	}
	return s, false
}

// LeftOut is Stops for the figures of these frames: where all are stops, these are all that there is.
func (t *Thread) LeftOut(first, last int, out []Stop) []Stop {
	from, to, ok := t.clampFrames(first, last)
	if !ok || t.frames.stoppedIn(from, to) == to-from+1 {
		return out
	}
	return t.Stops(first, last, out)
}

// StopsTouching appends the stops that touch [t0, t1], in order.
func (t *Thread) StopsTouching(t0, t1 int64, out []Stop) []Stop {
	f := &t.frames
	if f.stops.End() == f.stops.Start() {
		return out
	}
	for i := f.firstStop(max(f.at(t0), f.first+1) - 1); i < f.stops.End(); i++ {
		if s := f.stopAt(i); s.Begin > t1 {
			break
		} else if s.End >= t0 {
			out = append(out, s)
		}
	}
	return out
}

// stoppedNs is the time of the stops in [t0, t1].
func (f *list) stoppedNs(from, to, t0, t1 int64) (ns int64) {
	for i := f.firstStop(from); i < f.stops.End() && f.stops.At(i) <= 2*to+1; i++ {
		s := f.stopAt(i)
		ns = model.AddSat(ns, max(min(s.End, t1)-max(s.Begin, t0), 0))
	}
	return ns
}
