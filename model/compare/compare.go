// Package compare compares two ranges of sessions: for each collector and each call path it returns the
// time on both sides, the difference, its confidence, and whether it is more than noise. Sides may be of
// one session or of two; threads, collectors and call paths are matched by name. It reads sessions only,
// and knows no files or windows.
//
// If both sessions have frames, values are means per frame: of a thread's own frames, or of those of the
// main thread if it has none, or if several threads are one. Else they are means per second; and if one
// of them has no times, sums.
package compare

import (
	"math"

	"framescope/model"
	"framescope/model/store"
)

// Side is one of the two that are compared. FramesOf and TimeOf make one.
type Side struct {
	Session *store.Session
	// Track is the thread with the frames of the range, NoTrack for a range of time. First and Last are
	// the numbers of its first and last frame.
	Track       model.TrackID
	First, Last int64
	// BeginNs and EndNs are the time [BeginNs, EndNs) in which frames begin of threads that count for
	// themselves, see store.Session.FramesWith.
	BeginNs, EndNs int64
	// Only are the threads that are compared; nil: all.
	Only []model.TrackID
}

// FramesOf returns the side of the frames with index [first, last] of a track, and of those of other
// threads that go with them, see store.Session.FramesWith.
func FramesOf(s *store.Session, track model.TrackID, first, last int) Side {
	t := s.Track(track)
	begin, end, _ := t.FrameTimes(first, last)
	return Side{
		Session: s, Track: track, First: t.Frame(first).Number, Last: t.Frame(last).Number,
		BeginNs: begin, EndNs: max(end, begin+1),
	}
}

// TimeOf returns the side of the time [beginNs, endNs).
func TimeOf(s *store.Session, beginNs, endNs int64) Side {
	return Side{Session: s, Track: model.NoTrack, BeginNs: beginNs, EndNs: endNs}
}

// All returns the side of a whole session, threads on clocks of their own included.
func All(s *store.Session) Side { return TimeOf(s, model.MinTime, model.MaxTime) }

// Verdict is the kind of a change from A to B.
type Verdict uint8

// The verdicts. A change is one that noise does not explain, see holm.
const (
	Noise     Verdict = iota // the difference is within the usual variation of frames
	Slower                   // B takes longer
	Faster                   // B takes less
	New                      // it is in B alone
	Gone                     // it is in A alone
	Mixed                    // most frames changed one way, but a few long ones moved the mean the other way
	Untested                 // there is too little data, see Figure.Lack
	Identical                // each frame, or slice, has the very same on both sides
)

var verdictNames = [...]string{"noise", "slower", "faster", "new", "gone", "mixed", "untested", "identical"}

// String returns the verdict's name.
func (v Verdict) String() string { return verdictNames[v] }

// Changed reports whether the verdict is that something changed.
func (v Verdict) Changed() bool { return v != Noise && v != Untested && v != Identical }

// Figure is a mean on both sides, in ns a frame or ns a second.
type Figure struct {
	// A and B are over all of the range, including frames without it.
	A, B float64
	// Typical are the means of the examined values, with outliers cut (Tukey's outer fence of both
	// sides together): a few hitches do not move them. A and B, if nothing was tested.
	Typical [2]float64
	// Half is half of the 95 % interval of the difference of Typical, and P the probability of such ranks
	// of the frames by chance, corrected for the number of tests; NaN where nothing was tested.
	Half, P float64
	Verdict Verdict
	// Lack is why it is Untested, and Needs about how many frames of each side a test takes; 0 if
	// unknown.
	Lack  Lack
	Needs int
	// Usual has the usual values of A's examined frames or slices.
	Usual Usual
	// AsLong reports, of single frames, that their difference is below what counts, see Result.AsLong.
	AsLong bool
	// Known is false if the figure does not exist: self time of asynchronous spans.
	Known bool
}

// Exact reports whether a figure is the only one of each side, so that its difference is exact and nothing is
// tested: a sum, or a time in a single frame.
func (f *Figure) Exact() bool { return f.Lack == LacksTimes || f.Lack == LacksOthers }

// Differs reports whether a figure is to be shown as changed: by its verdict, or an exact one if it differs.
func (f *Figure) Differs() bool {
	return f.Verdict.Changed() || f.Exact() && f.Delta() != 0 && !f.AsLong
}

// Delta returns the typical value of B minus that of A.
func (f *Figure) Delta() float64 { return f.Typical[1] - f.Typical[0] }

// WithinHalf reports whether a figure is slower or faster by the ranks of the frames, but the 95 %
// interval of the difference of the means includes 0.
func (f *Figure) WithinHalf() bool {
	return (f.Verdict == Slower || f.Verdict == Faster) && math.Abs(f.Delta()) <= f.Half
}

// Row is a collector, or a call path, of one thread.
type Row struct {
	Thread int // index into Result.Threads
	// Names are the full names of the collectors of a call path, outermost first; of a collector its
	// own alone.
	Names  []string
	Parent int // of a call path: index of its caller in Result.Paths, -1 none
	// Collectors and Paths are the ids on both sides, NoCollector and PathRoot where it is not there.
	Collectors [2]model.CollectorID
	Paths      [2]model.PathID
	// Total is with callees, Self without. Calls are how many, a frame or a second: they are counted,
	// not tested.
	Total, Self Figure
	Calls       [2]float64
	// Call has the usual lengths of the calls of A, of those examined and completely known. Sampled
	// stacks have none: their runs are no calls.
	Call Usual
}

// IsPath reports whether the row is a call path.
func (r *Row) IsPath() bool { return r.Paths != [2]model.PathID{} }

// Name returns the full name of the collector.
func (r *Row) Name() string { return r.Names[len(r.Names)-1] }

// Title returns the name for people: the root of PStats' collectors is no collector to them.
func (r *Row) Title() string {
	if r.Name() == model.FrameRoot && (r.Collectors[0] == 0 || r.Collectors[1] == 0) {
		return "whole frame"
	}
	return r.Name()
}

// Thread is a thread of both sides, or of one.
type Thread struct {
	Title  string
	Tracks [2]model.TrackID // NoTrack where it is not; of several the first
	// All are all of its threads: several if only numbers of a run distinguish them, as goroutines of a
	// function.
	All [2][]model.TrackID
	// Frames is how many were received in the range, or its length in ns where the comparison is by time;
	// Looked how many of them, or of its slices, were looked at one by one.
	Frames, Looked [2]int64
	// Reaches means that none of its frames belongs to the range, but one of them runs in it: its
	// work in the range is unknown, not gone.
	Reaches [2]bool
	// Shared is what its collectors have in common: it is in A and B of their figures, and not in Typical.
	Shared Shared
}

// Typical returns the typical value of a figure of the thread on a side; NaN if the thread was
// absent, so that it is unknown.
func (t *Thread) Typical(f *Figure, side int) float64 {
	if t.Frames[side] == 0 {
		return math.NaN()
	}
	return f.Typical[side]
}

// Result is a comparison.
type Result struct {
	ByTime bool // values are per second, not per frame
	// Sums is the measure that values are sums of, in its unit, if a side has no times; nil else. Totals
	// are those of all threads. Nothing is tested then: a sum has no known variance.
	Sums    *Summed
	Totals  [2]float64
	SliceNs int64
	Threads []Thread
	// Collectors are in order of their threads, those that take most first; Paths callers before
	// callees.
	Collectors, Paths []Row
	Frames            *FrameTimes // nil where the comparison is by time
	Tests             int         // P is corrected by their number; equal ones count once
	// Explains is, of two single frames, the index in Collectors of the one whose self time explains most of
	// their difference, -1 if none explains half of it; where no work does it is a wait: Waited.
	Explains int
	Waited   bool
	stepNs   int64 // of the clocks
}

// AsLong reports whether two times differ by no more than a step of their clock, or by less than a thousandth.
func (r *Result) AsLong(a, b float64) bool {
	const counts = 1e-3
	d := math.Abs(b - a)
	return d <= float64(r.stepNs) || d < counts*max(a, b)
}

// Single reports whether each side is a single frame.
func (r *Result) Single() bool {
	return r.Frames != nil && r.Frames.Sides[0].Received == 1 && r.Frames.Sides[1].Received == 1
}

// explain finds the collector that explains most of the difference of two single frames: a wait only where no
// work does, as another thread has the reason.
func (c *Comparison) explain() {
	r := &c.result
	if r.Explains = -1; !r.Single() {
		return
	}
	if r.Explains, r.Waited = c.explains(false), false; r.Explains < 0 {
		r.Explains = c.explains(true)
		r.Waited = r.Explains >= 0
	}
}

// explains finds the collector, or the wait, with most of the difference, -1 where none has half of it.
func (c *Comparison) explains(waits bool) (at int) {
	const least = 0.5
	r := &c.result
	whole := float64(r.Frames.Sides[1].Longest - r.Frames.Sides[0].Longest)
	best := least
	at = -1
	for i := range r.Collectors {
		x := &r.Collectors[i]
		side := 0
		if x.Collectors[0] == model.NoCollector {
			side = 1
		}
		k := c.sides[side].Session.Collector(x.Collectors[side])
		if share := x.Self.Delta() / whole; x.Self.Known && share > best && (waits && k.Waits || !waits && k.Works()) {
			at, best = i, share
		}
	}
	return at
}
