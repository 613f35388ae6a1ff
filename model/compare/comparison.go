package compare

import (
	"iter"

	"framescope/model"
	"framescope/model/frames"
	"framescope/model/spans"
	"framescope/model/store"
)

// Bounds of the data read frame by frame. Means cover all frames of a range whatever its length:
// they come from the sums that sessions keep.
const (
	mostFrames = 4096    // of a thread on a side, evenly spread
	mostValues = 1 << 21 // of call paths in these
	leastSlice = 256     // slices of the shorter side where the comparison is by time
)

// Options are the options of a comparison. The zero value is good.
type Options struct {
	BudgetNs int64 // frames that took longer are counted; 0: there is none
	// Sum is which of Summables is compared where there are any.
	Sum int
	// Whole leaves in what the collectors of a thread have in common, see Shared.
	Whole bool
}

// Comparison is one under way. It may be made a piece at a time, while the sessions grow: data that
// leaves memory before it was read is not in it.
type Comparison struct {
	sides    [2]Side
	budgetNs int64
	sum      int
	whole    bool
	result   Result
	done     bool
	alone    bool // only the usual values of A are computed

	entries  []Entry      // alone: of collectors, then of call paths
	frames   []UsualFrame // by thread
	lasted   []float64    // of the thread that is looked at: of frames
	bare     []float64
	periodNs float64           // of its frames, in the mean
	stops    []frames.Stop     // among them
	byThread map[threadKey]int // one more than the place in result.Threads
	byKin    map[string]int    // likewise of the only one of a kin, 0 where there are several

	next func() (int, bool)
	stop func()

	rows   rowTable
	tree   spans.Tree
	inside []spans.Inside
	place  []int // of each node of tree: its row
	bars   []spans.Bar
	sorted []float64
}

// Begin begins to compare two sides.
func Begin(a, b Side, o Options) *Comparison {
	return &Comparison{sides: [2]Side{a, b}, budgetNs: o.BudgetNs, sum: o.Sum, whole: o.Whole}
}

// Of compares two sides at once.
func Of(a, b Side, o Options) *Result {
	c := Begin(a, b, o)
	c.run(func(int) bool { return true })
	return c.Result()
}

// Step continues for about that much work, in nodes of call trees and values looked at, and reports
// whether the comparison is ready. Call Close if you stop before that.
func (c *Comparison) Step(most int) (done bool) {
	if c.done {
		return true
	}
	if c.next == nil {
		c.next, c.stop = iter.Pull(c.run)
	}
	for most > 0 {
		cost, more := c.next()
		if !more {
			return true
		}
		most -= cost
	}
	return false
}

// Close ends the computation.
func (c *Comparison) Close() {
	if c.stop != nil {
		c.stop()
	}
}

// Result returns the comparison, nil before it is ready.
func (c *Comparison) Result() *Result {
	if !c.done {
		return nil
	}
	return &c.result
}

// run compares, and yields the cost of each piece.
func (c *Comparison) run(yield func(cost int) bool) {
	if !c.alone && timeless(&c.sides) {
		c.runSums(yield)
		return
	}
	c.result.ByTime = !c.sides[0].Session.HasFrames() || !c.sides[1].Session.HasFrames()
	if c.result.ByTime {
		c.slice()
	}
	for _, s := range c.sides {
		c.result.stepNs = max(c.result.stepNs, s.Session.Info().Clock.Step(min(s.EndNs, model.MaxTime)))
	}
	c.threads()
	if c.alone {
		c.runAlone(yield)
		return
	}
	for k := range c.result.Threads {
		for side := range c.sides {
			if !c.gather(k, side, yield) {
				return
			}
		}
	}
	if !c.result.ByTime && !c.frameTimes(yield) {
		return
	}
	if !c.judge(yield) {
		return
	}
	c.order()
	c.explain()
	c.done, c.rows = true, rowTable{}
}

// slice cuts the time of both sides into slices of the same length.
func (c *Comparison) slice() {
	lengths := [2]int64{}
	for i := range c.sides {
		s := &c.sides[i]
		s.Track = model.NoTrack
		from, to, ok := s.Session.Bounds()
		if !ok {
			continue
		}
		s.BeginNs, s.EndNs = max(s.BeginNs, from), min(s.EndNs, to+1)
		lengths[i] = max(s.EndNs-s.BeginNs, 0)
	}
	shorter, longer := min(lengths[0], lengths[1]), max(lengths[0], lengths[1])
	c.result.SliceNs = max(shorter/leastSlice, longer/mostFrames, 1)
}

// each calls fn for the tracks of a side that did anything, in order.
func each(s *Side, fn func(id model.TrackID, t *store.Track)) {
	for i := range s.Session.NumTracks() {
		id := model.TrackID(i)
		t := s.Session.Track(id)
		if t == nil || t.NumSpans() == 0 || !s.has(id) {
			continue
		}
		fn(id, t)
	}
}

// has reports whether a track is compared.
func (s *Side) has(id model.TrackID) bool {
	if s.Only == nil {
		return true
	}
	for _, only := range s.Only {
		if only == id {
			return true
		}
	}
	return false
}

// counted returns the track with the frames that a track is counted by: its own, or those of the
// main one.
func (s *Side) counted(id model.TrackID) model.TrackID {
	if s.Session.Track(id).HasFrames() {
		return id
	}
	if s.Track != model.NoTrack {
		return s.Track
	}
	return s.Session.MainTrack()
}

// frames returns the indices of the first and last frame of a track in the side: for the side's track
// by their numbers, for another the frames that go with these (store.Session.FramesWith), and for a
// side in time those that begin in it. ok is false if there is none.
func (s *Side) frames(id model.TrackID) (first, last int, ok bool) {
	t := s.Session.Track(id)
	if t == nil || t.NumFrames() == 0 {
		return 0, 0, false
	}
	of := s.Session.Track(s.Track)
	if of == nil || of.NumFrames() == 0 {
		first, last = t.FramesBeginning(s.BeginNs, s.EndNs)
		first, last = max(first, 0), min(last, t.NumFrames()-1)
		return first, last, first <= last
	}
	a, _ := of.FrameByNumber(s.First)
	b, found := of.FrameByNumber(s.Last)
	if !found {
		b--
	}
	if a > b || b >= of.NumFrames() {
		return 0, 0, false
	}
	first, last, beside := s.Session.FramesWith(id, s.Track, a, b)
	if a == b && !beside && first < last { // one frame of each thread: of these that which runs longest with it
		with, longest := of.Frame(a), int64(-1)
		for i, end := first, last; i <= end; i++ {
			f := t.Frame(i)
			if ns := min(f.End, with.End) - max(f.Begin, with.Begin); ns > longest {
				first, last, longest = i, i, ns
			}
		}
	}
	return first, last, first <= last
}

// reachesIn reports whether a frame of a track that is not of the side runs in its time.
func (s *Side) reachesIn(id model.TrackID) bool {
	first, last := s.Session.Track(id).FramesIn(s.BeginNs, s.EndNs)
	return first <= last
}

// main returns the track with the frames of the side.
func (s *Side) main() model.TrackID {
	switch {
	case s.Track != model.NoTrack:
		return s.Track
	case len(s.Only) > 0 && s.Session.Track(s.Only[0]).HasFrames():
		return s.Only[0]
	}
	return s.Session.MainTrack()
}
