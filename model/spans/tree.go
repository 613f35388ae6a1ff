package spans

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
func (x *Table) Tree(tracks []model.TrackID, t0, t1 int64, out *paths.Tree) {
	x.AddTime(tracks, t0, t1, out.Begin(x.host.Paths))
	out.Finish(x.host.Paths)
}

// AddTime adds what ran on tracks in [t0, t1), on each of them once: for trees of several stretches
// of time.
func (x *Table) AddTime(tracks []model.TrackID, t0, t1 int64, sums *paths.Totals) {
	t0, t1 = model.ClampTime(t0), model.ClampTime(t1)
	for k, id := range tracks {
		t := x.track(id)
		if t == nil || slices.Contains(tracks[:k], id) || t0 >= t1 {
			continue
		}
		for _, l := range t.lanes {
			if l != nil && l.n > l.first {
				l.addTime(t0, t1, sums)
			}
		}
	}
}
