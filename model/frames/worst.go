package frames

import (
	"slices"

	"framescope/internal/heap"
	"framescope/model"
	"framescope/model/columns"
)

// worstShift is the binary logarithm of the fan-out of the pyramid over frames: a node stands for
// 16^(k+1) of them.
const worstShift = 4

// extent sums up the frames of a node. If frames overlap or come in reversed order the first of
// them need not begin first, nor the last one end last.
type extent struct {
	longest    int64 // position of the longest, the oldest of equals; below 0: all are stops
	begin, end int64 // of all of them
	sum        int64 // of their lengths, without stops
}

type extentPyramid struct{ columns.Pyramid }

func (p *extentPyramid) Node(level int, i int64) *extent {
	return columns.Node[extent](&p.Pyramid, level, i)
}

func (p *extentPyramid) Greatest(from, to int64) (node *extent, end int64) {
	return columns.Greatest[extent](&p.Pyramid, from, to)
}

func (f *list) extentAt(p int64) extent {
	begin, end := f.begin.At(p), f.end.At(p)
	if f.stopped(p) {
		return extent{-1, begin, end, 0}
	}
	return extent{p, begin, end, end - begin}
}

func (f *list) LeafOf(from, to int64) extent {
	var x extents
	for p := from; p < to; p++ {
		x.addFrame(f, p)
	}
	return x.extent
}

func (f *list) JoinOf(nodes []extent) extent {
	var x extents
	for i := range nodes {
		x.add(f, &nodes[i])
	}
	return x.extent
}

// extents is the extent of neighbouring runs of frames that are added in their order.
type extents struct {
	extent
	some      bool
	longestNs int64
}

func (x *extents) add(f *list, next *extent) {
	x.join(next, f.longestOf(next))
}

func (x *extents) addFrame(f *list, p int64) {
	e := f.extentAt(p)
	x.join(&e, f.longestOf(&e))
}

func (x *extents) join(next *extent, longestNs int64) {
	if !x.some {
		x.extent, x.longestNs, x.some = *next, longestNs, true
		return
	}
	if next.longest >= 0 && (x.longest < 0 || longestNs > x.longestNs) {
		x.longest, x.longestNs = next.longest, longestNs
	}
	x.begin, x.end, x.sum = min(x.begin, next.begin), max(x.end, next.end), model.AddSat(x.sum, next.sum)
}

func (f *list) Length(p int64) int64 { return f.end.At(p) - f.begin.At(p) }

// longestOf returns how long the longest of some frames is, 0 where all are stops.
func (f *list) longestOf(e *extent) int64 {
	if e.longest < 0 {
		return 0
	}
	return f.Length(e.longest)
}

// extent returns that of the frames at positions [from, to), and how many frames and nodes it
// looked at; from < to.
func (f *list) extent(from, to int64) (e extent, visited int64) {
	var x extents
	for p := from; p < to; visited++ {
		if node, end := f.worst.Greatest(p, to); node != nil {
			x.add(f, node)
			p = end
		} else {
			x.addFrame(f, p)
			p++
		}
	}
	return x.extent, visited
}

// LongestFrame returns how long the longest of the frames with index [first, last] is, without stops; 0 where
// there are none. Cost: O(log frames).
func (t *Thread) LongestFrame(first, last int) int64 {
	from, to, ok := t.clampFrames(first, last)
	if !ok {
		return 0
	}
	e, _ := t.frames.extent(from, to+1)
	if e.longest < 0 {
		return e.end - e.begin
	}
	return t.frames.longestOf(&e)
}

// SumOfFrames returns how long the frames with index [first, last] are together, ns, without stops unless all are.
// Cost: O(log frames).
func (t *Thread) SumOfFrames(first, last int) int64 {
	from, to, ok := t.clampFrames(first, last)
	if !ok {
		return 0
	}
	e, _ := t.frames.extent(from, to+1)
	if e.longest < 0 {
		return e.end - e.begin
	}
	return e.sum
}

// FrameTimes returns when the first of the frames with index [first, last] begins and the last of them
// ends, whichever these are: frames may overlap, and come in reversed order. ok is false where there
// are none. Cost: O(log frames).
func (t *Thread) FrameTimes(first, last int) (begin, end int64, ok bool) {
	from, to, ok := t.clampFrames(first, last)
	if !ok {
		return 0, 0, false
	}
	e, _ := t.frames.extent(from, to+1)
	return e.begin, e.end, true
}

// Run is a run of frames, by their indices: First to Last.
type Run struct{ First, Last int }

// FramesTouching appends the frames that overlap [t0, t1), in as few runs as possible: one, unless a
// clock went back or frames overlap. Cost: O(log frames) for each run.
func (t *Thread) FramesTouching(t0, t1 int64, out []Run) []Run {
	f, from := &t.frames, len(out)
	for p := f.first; p < f.number.End(); {
		e, next := f.extentAt(p), p+1
		for to := f.number.End(); ; {
			node, end := f.worst.Greatest(p, to)
			if node == nil {
				break
			}
			if node.end <= t0 || node.begin >= t1 || node.begin > t0 && node.end < t1 { // none of them, or all
				e, next = *node, end
				break
			}
			to = end - 1 // its first part
		}
		if e.end > t0 && e.begin < t1 {
			first, last := int(p-f.first), int(next-1-f.first)
			if n := len(out); n > from && out[n-1].Last == first-1 {
				out[n-1].Last = last
			} else {
				out = append(out, Run{first, last})
			}
		}
		p = next
	}
	return out
}

// running returns the position of the newest frame that runs at a time, -1 if none does, and how
// many frames and nodes it looked at. Cost: O(log frames) where the frames around the time are few.
func (f *list) running(timeNs int64) (p, visited int64) {
	w := runningAt{f: f, timeNs: timeNs}
	end, p := f.number.End(), int64(-1)
	for k := range f.worst.Depth() { // the newest are in no node yet, or in none of a higher level
		size := int64(1) << f.worst.Shift(k)
		from := end &^ (size - 1)
		if p = w.among(k-1, max(from, f.first), end); p >= 0 || from <= f.first {
			return p, w.visited
		}
		end = from
	}
	p = w.among(f.worst.Depth()-1, f.first, end)
	return p, w.visited
}

// runningAt looks for the newest frame that runs at a time.
type runningAt struct {
	f       *list
	timeNs  int64
	visited int64
}

// among returns the position of the newest of the frames [from, to) that runs, -1 if none does, by
// the nodes of a level, or one by one below the first level. to is where one of them ends.
func (w *runningAt) among(level int, from, to int64) int64 {
	f := w.f
	if level < 0 {
		for p := to - 1; p >= from; p-- {
			w.visited++
			if f.begin.At(p) <= w.timeNs && f.end.At(p) > w.timeNs {
				return p
			}
		}
		return -1
	}
	for shift := f.worst.Shift(level); to > from; {
		i := (to - 1) >> shift
		begin := i << shift
		w.visited++
		if n := f.worst.Node(level, i); n == nil || n.begin <= w.timeNs && n.end > w.timeNs {
			if p := w.among(level-1, max(begin, from), to); p >= 0 {
				return p
			}
		}
		to = begin
	}
	return -1
}

// FramesBeginning returns the first and the last of the frames that begin in [t0, t1), in whichever order
// they came; last < first where there are none. Cost: that of Touching, and of those at the ends of
// its runs that began before.
func (t *Thread) FramesBeginning(t0, t1 int64) (first, last int) {
	begins := func(i int) bool { b := t.Frame(i).Begin; return b >= t0 && b < t1 }
	first, last = -1, -2
	var few [8]Run // more take memory
	runs := t.FramesTouching(max(t0, model.MinTime+1)-1, t1, few[:0])
	for k := range runs {
		for i := runs[k].First; first < 0 && i <= runs[k].Last; i++ {
			if begins(i) {
				first = i
			}
		}
	}
	for k := len(runs) - 1; first >= 0 && k >= 0; k-- {
		for i := runs[k].Last; last < 0 && i >= runs[k].First; i-- {
			if begins(i) {
				last = i
			}
		}
	}
	return first, last
}

// Bar is one column of the frame strip: the frames of a track, 2^n merged.
type Bar struct {
	First, Count int32 // frame indices
	Worst        int32 // index of the longest, of the first where all are stops
	Stops        int32 // frames that are stops
	WorstNs      int64 // 0 where all are stops
	MedianNs     int64 // of its frames, but for stops; of more than medianFrames, of that many evenly spread over them
	Missing      int64 // frames missing directly before First or inside the run
}

// Bars appends one bar for each run of `merge` frames from index first on, at most n bars. Cost:
// O(n · log merge).
func (x *Table) Bars(track model.TrackID, first, merge, n int, out []Bar) []Bar {
	t := x.track(track)
	if t == nil {
		return out
	}
	f := &t.frames
	merge = max(merge, 1)
	x.visited = 0
	for i := max(first, 0); i < f.n() && n > 0; n-- {
		count := min(merge, f.n()-i)
		from := f.first + int64(i)
		to := from + int64(count)
		all, visited := f.extent(from, to)
		worst := all.longest
		if worst < 0 {
			worst = from
		}
		x.visited += visited
		before := max(from-1, f.first)
		out = append(out, Bar{
			First: int32(i), Count: int32(count), Worst: int32(worst - f.first), WorstNs: f.longestOf(&all),
			Stops:    int32(f.stoppedIn(from, to-1)),
			MedianNs: f.median(from, to),
			Missing:  f.between(before, to-1),
		})
		i += count
	}
	return out
}

// Sampled reports whether MedianNs comes from only some of the frames.
func (b *Bar) Sampled() bool { return b.Count > medianFrames }

// medianFrames is how many frames of a bar are looked at to know their median.
const medianFrames = 31

// median returns the median length of the frames in [from, to), the lower one of an even number;
// from < to.
func (f *list) median(from, to int64) int64 {
	var d [medianFrames]int64
	n := to - from
	k := min(n, medianFrames)
	some := d[:0]
	for i := range k {
		if p := from + (2*i+1)*n/(2*k); !f.stopped(p) {
			some = append(some, f.Length(p))
		}
	}
	if len(some) == 0 {
		return 0
	}
	slices.Sort(some)
	return some[(len(some)-1)/2]
}

// Slowest appends the indices of the n longest frames of a track in [first, last], longest first,
// the older of equals first, without stops. Cost: O(n · log² frames).
func (x *Table) Slowest(track model.TrackID, first, last, n int, out []int) []int {
	t := x.track(track)
	from, to, ok := t.clampFrames(first, last)
	if !ok || n <= 0 {
		return out
	}
	f := &t.frames
	q := &x.host.Work.runs
	q.f, q.runs, q.visited = f, q.runs[:0], 0
	q.push(from, to+1)
	for ; n > 0 && len(q.runs) > 0; n-- {
		var top frameRun
		top, q.runs = heap.Pop(q.runs, q.before)
		out = append(out, int(top.worst-f.first))
		q.push(top.from, top.worst)
		q.push(top.worst+1, top.to)
	}
	q.f, x.visited = nil, q.visited
	return out
}

// frameRun is a run of frames and its longest.
type frameRun struct{ from, to, worst int64 }

// frameRuns is a heap of runs, that with the longest frame first.
type frameRuns struct {
	f       *list
	runs    []frameRun
	visited int64 // frames and nodes
}

func (h *frameRuns) before(a, b *frameRun) bool {
	if la, lb := h.f.Length(a.worst), h.f.Length(b.worst); la != lb {
		return la > lb
	}
	return a.worst < b.worst
}

// push adds the run [from, to) unless it is empty.
func (h *frameRuns) push(from, to int64) {
	if from >= to {
		return
	}
	all, visited := h.f.extent(from, to)
	if h.visited += visited; all.longest >= 0 {
		h.runs = heap.Push(h.runs, frameRun{from, to, all.longest}, h.before)
	}
}
