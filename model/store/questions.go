package store

import (
	"slices"

	"framescope/model"
	"framescope/model/spans"
)

// Queries that need frames and the spans in them.

// FrameTree fills out with the call tree of the given tracks in the frames [first, last] of a track:
// the sum of the trees of these frames, without stops, unless all are. Time between two of them is in none; if two
// overlap, spans of one are not in the other. Cost: that of spans.Table.Tree, once for each stretch of consecutive
// frames; if out has the tree of nearly the same frames of a session that did not change, for each
// stretch that is in one of the two and not in the other.
func (s *Session) FrameTree(tracks []model.TrackID, of model.TrackID, first, last int, out *spans.Tree) {
	t := s.Track(of)
	if t == nil || first < 0 || last < first || last >= t.NumFrames() {
		out.Begin(s.Paths())
		out.Finish(s.Paths())
		return
	}
	stops := t.Stopped(first) && t.CountedFrames(first, last) == int64(last-first+1) // all are
	if stops || t.spans.Overlaps() {
		s.addFrames(tracks, of, first, last, stops, out.Begin(s.Paths()))
		out.Finish(s.Paths())
		return
	}
	if until, begin, end := t.frames.Unbroken(first, last); until == last && !t.Stopped(first) {
		s.spans.Tree(tracks, begin, end, out)
		return
	}
	from, to := t.frames.Apart(first, last)
	out.Fill(s.Paths(), func(kept *spans.KeptPaths, sums *spans.PathTotals) bool {
		s.addFrames(tracks, of, first, from-1, false, sums)
		s.addFrames(tracks, of, to, last, false, sums)
		for k, id := range tracks {
			if s.Track(id) == nil || slices.Contains(tracks[:k], id) {
				continue
			}
			if !kept.Add(s.framesFor(id, of), t.frames.Position(from), t.frames.Position(to)) {
				return false
			}
		}
		return true
	})
}

// addFrames adds the spans on tracks in the frames [first, last] of a track, which exist, with stops or without.
func (s *Session) addFrames(
	tracks []model.TrackID, of model.TrackID, first, last int, stops bool, sums *spans.PathTotals,
) {
	t := s.Track(of)
	for i := first; i <= last; i++ {
		if !stops && t.Stopped(i) {
			continue
		}
		position := t.frames.Position(i)
		until, begin, end := t.frames.Unbroken(i, last)
		s.spans.AddFrames(tracks, of, position, begin, end, sums)
		i = until
	}
	sums.Visited += int64(max(last-first+1, 0))
}

// framesOn is the spans on a track in the frames of one, as an adder for spans.Kept.
type framesOn struct {
	s  *Session
	on [1]model.TrackID
	of model.TrackID
}

// framesFor returns the adder of a track in the frames of one, the same each time.
func (s *Session) framesFor(on, of model.TrackID) *framesOn {
	key := [2]model.TrackID{on, of}
	f := s.framesOn[key]
	if f == nil {
		if s.framesOn == nil {
			s.framesOn = map[[2]model.TrackID]*framesOn{}
		}
		f = &framesOn{s: s, on: [1]model.TrackID{on}, of: of}
		s.framesOn[key] = f
	}
	return f
}

// AddRange implements spans.Adder. No frame before or behind these touches them.
func (f *framesOn) AddRange(from, to int64, sums *spans.PathTotals) {
	first := f.s.Track(f.of).frames.Position(0)
	f.s.addFrames(f.on[:], f.of, int(from-first), int(to-1-first), false, sums)
}

// Cuts implements spans.Adder: new spans may belong to existing frames.
func (f *framesOn) Cuts() uint64 { return f.s.rev }

// FrameTotals appends the time of each collector, with callees and without, in the frames [first,
// last] of a track, ascending by collector. Divided by the number of frames it is the mean per
// frame, as in a flame graph of these frames. Cost: that of FrameTree, with its memory reused.
func (s *Session) FrameTotals(
	track model.TrackID, first, last int, tree *spans.Tree, out []spans.Inside,
) []spans.Inside {
	one := [1]model.TrackID{track}
	s.FrameTree(one[:], track, first, last, tree)
	return tree.Inside(out)
}

// Outside is a collector's calls outside of the received frames.
type Outside struct {
	Collector model.CollectorID
	Calls     int64 // that began outside
	SelfNs    int64 // without callees
}

// OutsideFrames appends to out the time on a track outside all of its frames, ascending by
// collector: the sum of its spans, less that of its frames. There is some only if the frames of one
// thread cut those of the others; a thread that sends frames of its own sends nothing else. Cost:
// that of spans.Table.Tree, with its memory reused, and of frames.Table.AllStats.
func (s *Session) OutsideFrames(track model.TrackID, tree *spans.Tree, out []Outside) []Outside {
	t := s.Track(track)
	if t == nil || !t.HasFrames() || s.framesOf() == model.NoTrack {
		return out
	}
	within := s.Frames().AllStats(track, false, 0, t.NumFrames()-1, nil)
	one := [1]model.TrackID{track}
	s.Spans().TreeOf(spans.MeasureDuration, one[:], model.MinTime, model.MaxTime, tree) // without stops
	for _, all := range tree.Inside(nil) {
		x := Outside{all.Collector, all.Count, all.Self}
		for len(within) > 0 && within[0].Collector < x.Collector {
			within = within[1:]
		}
		if len(within) > 0 && within[0].Collector == x.Collector {
			st := &within[0]
			x.Calls -= st.Count
			x.SelfNs -= st.SelfNs()
		}
		if x.Calls, x.SelfNs = max(x.Calls, 0), max(x.SelfNs, 0); x.Calls > 0 || x.SelfNs > 0 {
			out = append(out, x)
		}
	}
	return out
}

// PianoRuns appends to out the runs of every collector in a frame, see spans.Table.Runs.
func (s *Session) PianoRuns(track model.TrackID, frame int, out []spans.Run) []spans.Run {
	t := s.Track(track)
	if t == nil || frame < 0 || frame >= t.NumFrames() {
		return out
	}
	f := t.Frame(frame)
	shared := f.End > f.Begin && frame+1 < t.NumFrames() && t.Frame(frame+1).Begin == f.End
	return s.spans.Runs(track, t.frames.Position(frame), f.Begin, f.End, shared, out)
}
