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
	out.Finish(s.Paths())
}

// FrameTotals appends what each collector took, with callees and without, from the begin of the
// first to the end of the last of the frames [first, last] of a track, ascending by collector.
// Divided by the number of frames it is the mean of a frame. What a flame graph of these frames
// shows is the same. Cost: that of Tree, whose memory is reused.
func (s *Session) FrameTotals(track model.TrackID, first, last int, tree *paths.Tree, out []paths.Inside) []paths.Inside {
	t := s.Track(track)
	if t == nil || first < 0 || last < first || last >= t.NumFrames() {
		return out
	}
	one := [1]model.TrackID{track}
	s.FlameTree(one[:], t.Frame(first).Begin, t.Frame(last).End, tree)
	return tree.Inside(out)
}
