package store

import (
	"math"

	"framescope/model"
)

// Frame is one received frame of one track.
type Frame struct {
	Number     int64
	Begin, End int64
	Spans      int32 // spans that began in it
	Levels     int32
	Missing    int64 // frame numbers missing directly before it
}

// Gap is a missing run of frames.
type Gap struct {
	FirstNumber, LastNumber int64
	Begin, End              int64 // end of the frame before, begin of the frame after
}

// Count is the number of frames missing.
func (g Gap) Count() int64 { return g.LastNumber - g.FirstNumber + 1 }

// maxFrameNumber bounds frame numbers either way, so that differences do not overflow.
const maxFrameNumber = 1 << 61

// frameTable holds the frames of a track by column. Positions are absolute (evicted frames keep theirs); indices that callers see start at first.
type frameTable struct {
	first      int64
	number     nearColumn
	begin, end nearColumn
	latest     nearColumn    // greatest begin so far: ascending even where a clock ran backwards, so it can be searched
	spans      column[int32] // that began in the frame
	alone      nearColumn    // position behind the frame's last row in the alone table
	levels     nearColumn    // the same in the level table
	gaps       column[int64] // positions of the frames that have a gap directly before them
	missing    int64         // frame numbers missing between the frames stored
	worst      pyramid[int64]
}

func (f *frameTable) n() int { return int(f.number.n - f.first) }

func (f *frameTable) push(number, begin, end int64, spans int32, alone, levels int64) {
	latest := begin
	if f.n() > 0 {
		last := f.number.n - 1
		latest = max(latest, f.latest.at(last))
		if gap := number - f.number.at(last) - 1; gap > 0 {
			f.gaps.push(f.number.n)
			f.missing = model.AddSat(f.missing, gap)
		}
	}
	f.number.push(number)
	f.begin.push(begin)
	f.end.push(end)
	f.latest.push(latest)
	f.spans.push(spans)
	f.alone.push(alone)
	f.levels.push(levels)
	f.worst.grow(f.number.n, worstShift, worstShift, f)
}

// truncate cuts back to the frames before position n.
func (f *frameTable) truncate(n int64) {
	for f.gaps.n > f.gaps.start() && f.gaps.at(f.gaps.n-1) >= n {
		f.gaps.truncate(f.gaps.n - 1)
	}
	f.number.truncate(n)
	f.begin.truncate(n)
	f.end.truncate(n)
	f.latest.truncate(n)
	f.spans.truncate(n)
	f.alone.truncate(n)
	f.levels.truncate(n)
	f.worst.truncate(n)
	f.countMissing()
}

// dropBefore forgets the frames before position n, and returns how many frame numbers were missing among them and before n.
func (f *frameTable) dropBefore(n int64) (missing int64) {
	before := f.missing
	f.first = n
	f.countMissing()
	f.gaps.dropBefore(searchPos(f.gaps.start(), f.gaps.n, func(i int64) bool { return f.gaps.at(i) > n }))
	keep := max(n-1, 0) // the row before the first tells where the first one's data begin
	f.number.dropBefore(keep)
	f.begin.dropBefore(keep)
	f.end.dropBefore(keep)
	f.latest.dropBefore(keep)
	f.spans.dropBefore(keep)
	f.alone.dropBefore(keep)
	f.levels.dropBefore(keep)
	f.worst.dropBefore(n)
	return before - f.missing
}

func (f *frameTable) countMissing() {
	f.missing = 0
	if f.n() > 0 {
		f.missing = f.number.at(f.number.n-1) - f.number.at(f.first) + 1 - int64(f.n())
	}
}

// rowsBefore returns the position in a row table where frame i's rows begin.
func rowsBefore(ends *nearColumn, i int64) int64 {
	if i == 0 {
		return 0
	}
	return ends.at(i - 1)
}

// find returns the position of the first frame with a number of at least number.
func (f *frameTable) find(number int64) int64 {
	return searchPos(f.first, f.number.n, func(i int64) bool { return f.number.at(i) >= number })
}

// at returns the position of the newest frame that began by timeNs, one before the first if there is none.
func (f *frameTable) at(timeNs int64) int64 {
	return searchPos(f.first, f.number.n, func(i int64) bool { return f.latest.at(i) > timeNs }) - 1
}

// gapBefore returns the frame numbers missing directly before the frame at position i.
func (f *frameTable) gapBefore(i int64) int64 {
	if i <= f.first {
		return 0
	}
	return f.number.at(i) - f.number.at(i-1) - 1
}

func (f *frameTable) init(acc *account) {
	for _, c := range f.nears() {
		c.init(acc)
	}
	f.spans.acc, f.gaps.acc, f.worst.acc = acc, acc, acc
}

func (f *frameTable) nears() [6]*nearColumn {
	return [...]*nearColumn{&f.number, &f.begin, &f.end, &f.latest, &f.alone, &f.levels}
}

// clear lets go of everything.
func (f *frameTable) clear() {
	for _, c := range f.nears() {
		c.clear()
	}
	f.spans.clear()
	f.gaps.clear()
	f.worst.clear()
	f.first, f.missing = 0, 0
}

// position turns a caller's frame index into a position; ok is false if there is no such frame.
func (t *Track) position(i int) (int64, bool) {
	if i < 0 || i >= t.frames.n() {
		return 0, false
	}
	return t.frames.first + int64(i), true
}

// clampFrames cuts the frame indices [first, last] to those stored and returns their positions; ok is false if none is left.
func (t *Track) clampFrames(first, last int) (from, to int64, ok bool) {
	first, last = max(first, 0), min(last, t.frames.n()-1)
	return t.frames.first + int64(first), t.frames.first + int64(last), first <= last
}

// NumFrames returns the number of frames stored.
func (t *Track) NumFrames() int { return t.frames.n() }

// Frame returns the i-th stored frame, 0 the oldest; the zero Frame if there is none. Frames are in ascending order of number.
func (t *Track) Frame(i int) Frame {
	p, ok := t.position(i)
	if !ok {
		return Frame{}
	}
	f := &t.frames
	return Frame{
		Number: f.number.at(p), Begin: f.begin.at(p), End: f.end.at(p), Spans: f.spans.at(p),
		Levels:  int32(min(f.levels.at(p)-rowsBefore(&f.levels, p), math.MaxInt32)),
		Missing: f.gapBefore(p),
	}
}

// FrameCovering returns the index of the frame at a time, -1 before the first and inside a gap. Between
// the end of a frame and the begin of the next number it is the earlier one.
func (t *Track) FrameCovering(timeNs int64) int {
	i := t.FrameAt(timeNs)
	if i < 0 || i+1 < t.NumFrames() && timeNs >= t.Frame(i).End && t.Frame(i+1).Missing > 0 {
		return -1
	}
	return i
}

// FrameByNumber returns the index of the frame with that number; ok is false when it is not stored (the index is then where it would be).
func (t *Track) FrameByNumber(number int64) (i int, ok bool) {
	f := &t.frames
	p := f.find(number)
	return int(p - f.first), p < f.number.n && f.number.at(p) == number
}

// FrameAt returns the index of the newest frame whose Begin <= timeNs, -1 before the first (pstats-viewer section 2, intended answers).
// Where a clock ran backwards, frames count as beginning no earlier than the frames before them.
func (t *Track) FrameAt(timeNs int64) int { return int(t.frames.at(timeNs) - t.frames.first) }

// FrameRate returns frames per second over the last windowNs, dropped numbers counted (pstats-viewer section 2): the frame numbers from the oldest
// frame that began after the newest frame's end less windowNs, to the newest, over the time from that frame's begin to the newest's end.
// 0 when there is nothing to tell.
func (t *Track) FrameRate(windowNs int64) float64 {
	f := &t.frames
	if f.n() == 0 {
		return 0
	}
	last := f.number.n - 1
	end := f.end.at(last)
	then := min(f.at(end-max(windowNs, 0))+1, last)
	seconds := float64(end-f.begin.at(then)) / 1e9
	if seconds <= 0 {
		return 0
	}
	return float64(f.number.at(last)-f.number.at(then)+1) / seconds
}

// Missing returns how many frame numbers between the first and the last stored frame were never received.
func (t *Track) Missing() int64 { return t.frames.missing }

// Gaps appends to out the gaps that touch [t0, t1].
func (t *Track) Gaps(t0, t1 int64, out []Gap) []Gap {
	f := &t.frames
	// The first gap in question is the one before the first frame that begins at t0 or later.
	from := f.at(t0-1) + 1
	i := searchPos(f.gaps.start(), f.gaps.n, func(i int64) bool { return f.gaps.at(i) >= max(from, f.first+1) })
	for ; i < f.gaps.n; i++ {
		p := f.gaps.at(i)
		g := f.gapAt(p)
		if g.Begin > t1 && f.latest.at(p) > t1 {
			break
		}
		if g.Begin <= t1 && g.End >= t0 {
			out = append(out, g)
		}
	}
	return out
}

// gapAt describes the gap before the frame at position p. Where the clock ran backwards it has no length.
func (f *frameTable) gapAt(p int64) Gap {
	begin := f.end.at(p - 1)
	return Gap{FirstNumber: f.number.at(p-1) + 1, LastNumber: f.number.at(p) - 1, Begin: begin, End: max(f.begin.at(p), begin)}
}
