package frames

import (
	"math"

	"framescope/model"
	"framescope/model/columns"
)

// Frame is one received frame of one track.
type Frame struct {
	Number     int64
	Begin, End int64
	Spans      int32 // spans that began in it
	Levels     int32
	Missing    int64 // frame numbers missing directly before it
}

// OpenFrame is a frame that had not ended at the end of the data: it is longer than from Begin to End. It is
// not among the frames of its track, so it has no index and no statistic includes it.
type Open struct {
	Number, Begin, End int64
}

// Gap is a missing run of frames.
type Gap struct {
	FirstNumber, LastNumber int64
	Begin, End              int64 // end of the frame before, begin of the frame after
}

// Count is the number of frames missing.
func (g Gap) Count() int64 { return g.LastNumber - g.FirstNumber + 1 }

// MaxNumber bounds frame numbers either way, so that differences do not overflow.
const MaxNumber = 1 << 61

// list holds the frames of a track by column. Positions are absolute (evicted frames keep theirs);
// indices that callers see start at first.
type list struct {
	first      int64
	number     columns.Near
	begin, end columns.Near
	latest     columns.Near   // when frames count as beginning: ascending, so it can be searched, see order.go
	bent       int64          // position of the newest frame that showed earlier ones to be ahead; 0: none did
	spans      columns.Int32s // that began in the frame
	selfEnd    columns.Near   // position behind the frame's last row in the table of self times
	levels     columns.Near   // the same in the level table
	gaps       columns.Int64s // positions of the frames that have a gap directly before them
	missing    int64          // frame numbers missing between the frames stored
	skips      bool           // numbers leave some out: none is missing
	worst      extentPyramid
	stops      columns.Int64s // twice the position of a frame before which there is one, or one more: it is one
	long       int64          // position of the newest frame that may be a stop
	open       *Open          // behind all of them, nil: none is
}

func (f *list) n() int { return int(f.number.End() - f.first) }

func (f *list) push(number, begin, end int64, spans int32, self, levels int64) {
	f.open = nil
	if f.n() > 0 {
		last := f.number.End() - 1
		if gap := number - f.number.At(last) - 1; gap > 0 && !f.skips {
			f.gaps.Push(f.number.End())
			f.missing = model.AddSat(f.missing, gap)
		}
	}
	f.number.Push(number)
	f.begin.Push(begin)
	f.end.Push(end)
	f.order()
	f.spans.Push(spans)
	f.selfEnd.Push(self)
	f.levels.Push(levels)
}

// sumUp brings the pyramid up to the newest frame.
func (f *list) sumUp() { columns.Grow(&f.worst.Pyramid, f.number.End(), worstShift, worstShift, f) }

// truncate cuts back to the frames before position n.
func (f *list) truncate(n int64) {
	for f.gaps.End() > f.gaps.Start() && f.gaps.At(f.gaps.End()-1) >= n {
		f.gaps.Truncate(f.gaps.End() - 1)
	}
	f.number.Truncate(n)
	f.begin.Truncate(n)
	f.end.Truncate(n)
	f.reorder(n)
	f.spans.Truncate(n)
	f.selfEnd.Truncate(n)
	f.levels.Truncate(n)
	f.worst.Truncate(n)
	f.stops.Truncate(f.firstStop(n))
	f.long = n
	f.countMissing()
}

// dropBefore forgets the frames before position n, and returns how many frame numbers were missing
// among them and before n.
func (f *list) dropBefore(n int64) (missing int64) {
	before := f.missing
	f.first = n
	f.countMissing()
	f.gaps.DropBefore(columns.Search(f.gaps.Start(), f.gaps.End(), func(i int64) bool { return f.gaps.At(i) > n }))
	f.stops.DropBefore(f.firstStop(n))
	keep := max(n-1, 0) // the row before marks where the data of the first frame begins
	f.number.DropBefore(keep)
	f.begin.DropBefore(keep)
	f.end.DropBefore(keep)
	f.latest.DropBefore(keep)
	f.spans.DropBefore(keep)
	f.selfEnd.DropBefore(keep)
	f.levels.DropBefore(keep)
	f.worst.DropBefore(n)
	return before - f.missing
}

func (f *list) countMissing() {
	f.missing = 0
	if f.n() > 0 {
		f.missing = f.between(f.first, f.number.End()-1)
	}
}

// between returns how many frame numbers are missing between the frames at two positions, a <= b.
func (f *list) between(a, b int64) int64 {
	if f.skips {
		return 0
	}
	return f.number.At(b) - f.number.At(a) - (b - a)
}

// Skip reports whether the numbers of frames leave some out that were never there (model.TrackDef.Skips).
func (t *Track) Skip(skips bool) {
	f := &t.frames
	if f.skips == skips {
		return
	}
	f.skips = skips
	f.gaps.Truncate(f.gaps.Start())
	for p := f.first + 1; p < f.number.End(); p++ {
		if f.gapBefore(p) > 0 {
			f.gaps.Push(p)
		}
	}
	f.countMissing()
}

// rowsBefore returns the position in a row table where frame i's rows begin.
func rowsBefore(ends *columns.Near, i int64) int64 {
	if i == 0 {
		return 0
	}
	return ends.At(i - 1)
}

// find returns the position of the first frame with a number of at least number.
func (f *list) find(number int64) int64 {
	return columns.Search(f.first, f.number.End(), func(i int64) bool { return f.number.At(i) >= number })
}

// at returns the position of the newest frame that began by timeNs, one before the first if there
// is none.
func (f *list) at(timeNs int64) int64 {
	return columns.Search(f.first, f.number.End(), func(i int64) bool { return f.latest.At(i) > timeNs }) - 1
}

// gapBefore returns the frame numbers missing directly before the frame at position i.
func (f *list) gapBefore(i int64) int64 {
	if i <= f.first {
		return 0
	}
	return f.between(i-1, i)
}

func (f *list) init(acc *columns.Account) {
	for _, c := range f.nears() {
		c.Init(acc)
	}
	f.spans.Acc, f.gaps.Acc, f.stops.Acc, f.worst.Acc = acc, acc, acc, acc
}

func (f *list) nears() [6]*columns.Near {
	return [...]*columns.Near{&f.number, &f.begin, &f.end, &f.latest, &f.selfEnd, &f.levels}
}

// clear frees everything.
func (f *list) clear() {
	for _, c := range f.nears() {
		c.Clear()
	}
	f.spans.Clear()
	f.gaps.Clear()
	f.stops.Clear()
	f.worst.Clear()
	f.first, f.missing, f.bent, f.long, f.open = 0, 0, 0, 0, nil
}

// position turns a caller's frame index into a position; ok is false if there is no such frame.
func (t *Thread) position(i int) (int64, bool) {
	if i < 0 || i >= t.frames.n() {
		return 0, false
	}
	return t.frames.first + int64(i), true
}

// Position returns the position of the i-th stored frame: it does not change when older ones leave.
func (t *Thread) Position(i int) int64 { return t.frames.first + int64(i) }

// clampFrames cuts the frame indices [first, last] to those stored and returns their positions; ok
// is false if none is left.
func (t *Thread) clampFrames(first, last int) (from, to int64, ok bool) {
	if t == nil {
		return 0, 0, false
	}
	first, last = max(first, 0), min(last, t.frames.n()-1)
	return t.frames.first + int64(first), t.frames.first + int64(last), first <= last
}

// NumFrames returns the number of frames stored.
func (t *Thread) NumFrames() int { return t.frames.n() }

// FrameNumber returns the number of the frame with an index, 0 where there is none.
func (t *Thread) FrameNumber(i int) int64 {
	if p, ok := t.position(i); ok {
		return t.frames.number.At(p)
	}
	return 0
}

// Frame returns the i-th stored frame, 0 the oldest; the zero Frame if there is none. Frames are in
// ascending order of number.
func (t *Thread) Frame(i int) Frame {
	p, ok := t.position(i)
	if !ok {
		return Frame{}
	}
	f := &t.frames
	return Frame{
		Number: f.number.At(p), Begin: f.begin.At(p), End: f.end.At(p), Spans: f.spans.At(p),
		Levels:  int32(min(f.levels.At(p)-rowsBefore(&f.levels, p), math.MaxInt32)),
		Missing: f.gapBefore(p),
	}
}

// Unbroken returns the last of the frames with index [first, last] up to which they follow each other
// at once, from the first on, with no stop behind it, and when these begin and end. There is a frame with each index.
func (t *Thread) Unbroken(first, last int) (until int, begin, end int64) {
	f := &t.frames
	p := f.first + int64(first)
	begin, end = f.begin.At(p), f.end.At(p)
	for ; first < last && end > begin && f.begin.At(p+1) == end && !f.stopped(p+1); first++ {
		p++
		end = max(f.end.At(p), end)
	}
	return first, begin, end
}

// Apart returns the greatest run of the frames with index [first, last] that lies between two frames of
// them, and that time lies before and behind: the indices of its first frame and of the one behind its
// last, which are the same where there is none. Frames do not overlap, and there is one with each index.
func (t *Thread) Apart(first, last int) (from, to int) {
	f := &t.frames
	joined := func(i int) bool { p := f.first + int64(i); return f.begin.At(p) == f.end.At(p-1) }
	for from = first + 1; from <= last && joined(from); from++ {
	}
	for to = last; to > from && joined(to); to-- {
	}
	return from, max(from, to)
}

// FrameCovering returns the index of the frame at a time: the newest of those that run then, whichever
// order they came in. Where none does it is -1 before the first, inside a gap and in one that is open; between the
// end of a frame and the begin of the next number it is the earlier one.
func (t *Thread) FrameCovering(timeNs int64) int {
	f := &t.frames
	if p, _ := f.running(timeNs); p >= 0 {
		return int(p - f.first)
	}
	return f.covering(f.at(timeNs), f.first, f.number.End(), timeNs)
}

// CoveringOf is Covering among the frames at the positions from from to before to, which do not
// overlap.
func (t *Thread) CoveringOf(from, to, timeNs int64) int {
	f := &t.frames
	from, to = max(from, f.first), min(to, f.number.End())
	p := columns.Search(from, to, func(i int64) bool { return f.begin.At(i) > timeNs }) - 1
	return f.covering(p, from, to, timeNs)
}

// CoveringNear is CoveringOf among all frames, which do not overlap, given the index of a frame
// nearby. The answer is the same from t0 to before t1.
func (t *Thread) CoveringNear(timeNs int64, near int) (frame int, t0, t1 int64) {
	f := &t.frames
	from, to := f.first, f.number.End()
	p := max(from+int64(near), from)
	if p+1 < to { // mostly it is that one
		t0, t1 = f.begin.At(p), f.begin.At(p+1)
	}
	if timeNs < t0 || timeNs >= t1 {
		p = columns.SearchNear(from, to, p+1, func(i int64) bool { return f.begin.At(i) > timeNs }) - 1
		if t0, t1 = model.MinTime, model.MinTime; p+1 < to {
			t1 = f.begin.At(p + 1)
		}
		if p < from {
			return -1, t0, t1
		}
		t0 = f.begin.At(p)
	}
	if p+1 < to && f.gapBefore(p+1) == 0 {
		return int(p - from), t0, t1
	}
	end := f.end.At(p)
	if timeNs >= end && (p+1 < to || f.open != nil && timeNs >= f.open.Begin) {
		return -1, end, t1
	}
	return int(p - from), t0, end // times after the newest may still get a frame
}

// covering returns the index of the frame at position p, the last of those from from to before to
// that began by a time; -1 if there is none, or the time is in a gap or in a frame that is open.
func (f *list) covering(p, from, to, timeNs int64) int {
	if p < from || p+1 < to && timeNs >= f.end.At(p) && f.gapBefore(p+1) > 0 ||
		p+1 == f.number.End() && f.open != nil && timeNs >= max(f.open.Begin, f.end.At(p)) {
		return -1
	}
	return int(p - f.first)
}

// FrameByNumber returns the index of the frame with that number; ok is false when it is not stored (the
// index is then where it would be).
func (t *Thread) FrameByNumber(number int64) (i int, ok bool) {
	f := &t.frames
	p := f.find(number)
	return int(p - f.first), p < f.number.End() && f.number.At(p) == number
}

// FrameAt returns the index of the newest frame with Begin <= timeNs, -1 before the first (VIEWER.md
// section 2, intended answers). If a clock ran backwards, frames count as beginning no earlier than
// the frames before them, and a few that were far ahead as beginning when the clock came back.
func (t *Thread) FrameAt(timeNs int64) int { return int(t.frames.at(timeNs) - t.frames.first) }

// FrameRateOf returns frames per second of the frames with index [first, last], dropped numbers counted as in
// Rate, over the time from the begin of the first to the end of the last, whichever these are, without
// stops. 0 without data.
func (t *Thread) FrameRateOf(first, last int) float64 {
	from, to, ok := t.clampFrames(first, last)
	begin, end, timed := t.FrameTimes(first, last)
	if !ok || !timed || end <= begin {
		return 0
	}
	n, without := t.frames.counted(from, to)
	ns := end - begin
	if without || n == to-from+1 && n > 1 {
		ns -= t.frames.stoppedNs(from, to, begin, end)
	}
	return float64(n+t.frames.between(from, to)) / (float64(max(ns, 1)) / 1e9)
}

// FrameRate returns frames per second over the last windowNs, dropped numbers counted (VIEWER.md
// section 2): the frame numbers from the oldest frame that began after the newest frame's end less
// windowNs, to the newest, over the time from that frame's begin to the newest's end. 0 without
// data.
func (t *Thread) FrameRate(windowNs int64) float64 {
	f := &t.frames
	if f.n() == 0 {
		return 0
	}
	last := f.number.End() - 1
	end := f.end.At(last)
	then := min(f.at(end-max(windowNs, 0))+1, last)
	seconds := float64(end-f.begin.At(then)) / 1e9
	if seconds <= 0 {
		return 0
	}
	return float64(last-then+1+f.between(then, last)) / seconds
}

// Missing returns how many frame numbers between the first and the last stored frame were never
// received.
func (t *Thread) Missing() int64 { return t.frames.missing }

// MissingIn is Missing of the frames with index [first, last].
func (t *Thread) MissingIn(first, last int) int64 {
	from, to, ok := t.clampFrames(first, last)
	if !ok {
		return 0
	}
	return t.frames.between(from, to)
}

// Gaps appends to out the gaps that touch [t0, t1].
func (t *Thread) Gaps(t0, t1 int64, out []Gap) []Gap {
	f := &t.frames
	// The first gap in question is the one before the first frame that begins at t0 or later.
	from := f.at(t0-1) + 1
	i := columns.Search(f.gaps.Start(), f.gaps.End(), func(i int64) bool { return f.gaps.At(i) >= max(from, f.first+1) })
	for ; i < f.gaps.End(); i++ {
		p := f.gaps.At(i)
		g := f.gapAt(p)
		if g.Begin > t1 && f.latest.At(p) > t1 {
			break
		}
		if g.Begin <= t1 && g.End >= t0 {
			out = append(out, g)
		}
	}
	return out
}

// GapAfter returns the gap directly behind the i-th stored frame; ok is false if there is none.
func (t *Thread) GapAfter(i int) (g Gap, ok bool) {
	p, ok := t.position(i + 1)
	if !ok || t.frames.gapBefore(p) <= 0 {
		return Gap{}, false
	}
	return t.frames.gapAt(p), true
}

// LastGap returns the last of the frames first+1 to last directly before which at least that many
// frames are missing; ok is false where there is none. least is 1 or more. Cost: O(frames missing there
// / least · log frames), and at most that of all frames.
func (t *Thread) LastGap(first, last int, least int64) (i int, ok bool) {
	from, to, ok := t.clampFrames(first, last)
	if !ok {
		return 0, false
	}
	p, ok := t.frames.lastGap(from, to, max(least, 1))
	return int(p - t.frames.first), ok
}

// lastGap is LastGap for the frames at positions (from, to].
func (f *list) lastGap(from, to, least int64) (p int64, ok bool) {
	switch {
	case to <= from || f.between(from, to) < least:
		return 0, false
	case to-from == 1:
		return to, true
	}
	mid := (from + to) / 2
	if p, ok = f.lastGap(mid, to, least); ok {
		return p, true
	}
	return f.lastGap(from, mid, least)
}

// gapAt describes the gap before the frame at position p. Where the clock ran backwards it has no
// length.
func (f *list) gapAt(p int64) Gap {
	begin := f.end.At(p - 1)
	return Gap{
		FirstNumber: f.number.At(p-1) + 1, LastNumber: f.number.At(p) - 1, Begin: begin,
		End: max(f.begin.At(p), begin),
	}
}
