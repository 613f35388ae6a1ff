package store

import (
	"slices"

	"framescope/model"
	"framescope/model/paths"
)

// Tree fills out with the call tree of [t0, t1) over the given tracks; spans are cut at the range's
// edges and count once for each range that they touch. out's capacity is reused. Cost: O(call paths
// · log n) plus the two edge blocks of each lane.
//
// A caller without spans of its own in the range (its frame was lost) gets the time of its callees,
// so that callees never exceed their caller.
func (s *Session) FlameTree(tracks []model.TrackID, t0, t1 int64, out *paths.Tree) {
	sums := out.Begin(s.Paths())
	s.addTime(tracks, t0, t1, sums, out)
	out.Finish(s.Paths())
}

// FrameTree fills out with the call tree of what ran on the given tracks in the frames [first, last] of a track:
// the sum of the trees of these frames. What ran between two of them, where there is time between, is in none.
// Cost: that of FlameTree, for each stretch of frames that follow each other at once.
func (s *Session) FrameTree(tracks []model.TrackID, of model.TrackID, first, last int, out *paths.Tree) {
	sums := out.Begin(s.Paths())
	if t := s.Track(of); t != nil && first >= 0 && last >= first && last < t.NumFrames() {
		for i := first; i <= last; i++ {
			f := t.Frame(i)
			end := f.End
			for i < last && t.Frame(i+1).Begin == end && end > f.Begin {
				i++
				end = max(t.Frame(i).End, end)
			}
			s.addTime(tracks, f.Begin, end, sums, out)
		}
		out.Frames = int64(last - first + 1)
	}
	out.Finish(s.Paths())
}

// addTime adds what ran on tracks in [t0, t1), on each of them once.
func (s *Session) addTime(tracks []model.TrackID, t0, t1 int64, sums *paths.Totals, out *paths.Tree) {
	t0, t1 = model.ClampTime(t0), model.ClampTime(t1)
	for k, id := range tracks {
		t := s.Track(id)
		if t == nil || slices.Contains(tracks[:k], id) || t0 >= t1 {
			continue
		}
		out.Frames = max(out.Frames, t.frames.at(t1-1)-t.frames.at(t0-1))
		for _, l := range t.lanes {
			if l != nil && l.n > l.first {
				l.addTime(t0, t1, sums)
			}
		}
	}
}

// FrameTotals appends what each collector took, with callees and without, in the frames [first, last]
// of a track, ascending by collector. Divided by the number of frames it is the mean of a frame, as
// in a flame graph of these frames. Cost: that of FrameTree, whose memory is reused.
func (s *Session) FrameTotals(track model.TrackID, first, last int, tree *paths.Tree, out []paths.Inside) []paths.Inside {
	one := [1]model.TrackID{track}
	s.FrameTree(one[:], track, first, last, tree)
	return tree.Inside(out)
}
