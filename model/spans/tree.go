package spans

import (
	"iter"
	"slices"

	"framescope/model"
)

// Tree fills out with the call tree of [t0, t1) over the given tracks; spans are cut at the range's
// edges and count once for each range that they touch. out's capacity is reused. Cost: O(call paths ·
// log n) plus the two edge blocks of each lane; if out has the tree of nearly the same range, only
// that of the difference.
//
// A caller without spans of its own in the range (its frame was lost) gets the time of its callees,
// so that callees never exceed their caller.
func (x *Table) Tree(tracks []model.TrackID, t0, t1 int64, out *Tree) {
	x.sum(tracks, t0, t1, out)
	out.Finish(x.host.Paths)
}

// sum is Tree without the nodes.
func (x *Table) sum(tracks []model.TrackID, t0, t1 int64, out *Tree) {
	t0, t1 = model.ClampTime(t0), model.ClampTime(t1)
	out.Sum(x.host.Paths, func(kept *KeptPaths, sums *PathTotals) bool {
		for id := range once(tracks) {
			t := x.lanes.Track(id)
			if t == nil || t0 >= t1 {
				continue
			}
			for _, l := range t.Stack() {
				if l == nil || l.Behind() == l.First() {
					continue
				}
				if from, to := l.AddEdges(l.Whole(), t0, t1, sums); !kept.Add(l, from, to) {
					return false
				}
			}
		}
		return true
	})
}

// sumWithout is sum without some stops in the range. A span that goes on behind one is one call.
func (x *Table) sumWithout(stops []model.Stretch, tracks []model.TrackID, t0, t1 int64, sums *PathTotals) {
	for _, s := range stops {
		x.AddFrames(tracks, model.NoTrack, 0, t0, s.Begin, sums)
		for id := range once(tracks) {
			t := x.lanes.Track(id)
			if t == nil || s.Begin <= t0 || s.End >= t1 {
				continue
			}
			for lane := range len(t.Stack()) {
				if b, ok := x.At(id, lane, s.Begin, 0); ok && b.Begin < s.Begin && b.End > s.End {
					sums.Add(b.Path, 0, -1)
				}
			}
		}
		t0 = s.End
	}
	x.AddFrames(tracks, model.NoTrack, 0, t0, t1, sums)
}

// Tiles reads the times of collectors in frames; each goroutine has its own.
type Tiles struct {
	table *Table
	tile  PathTile
}

// Tiles returns a reader.
func (x *Table) Tiles() *Tiles { return &Tiles{table: x} }

// Visited returns how many spans were read. For tests.
func (r *Tiles) Visited() int64 { return r.tile.Visited }

// Each calls f with the times of each collector in frames of a track from a position on, callees included, as in call
// trees: several times for one with several call paths. mask has a bit and ns a time for each of the frames. ok is
// false if there is no room for so many of them.
func (r *Tiles) Each(
	track model.TrackID, position int64, frames []model.Stretch, f func(c model.CollectorID, mask uint64, ns []int64),
) (ok bool) {
	x, y := r.table, &r.tile
	y.Frames = append(y.Frames[:0], frames...)
	y.Begin(x.host.Paths)
	if t := x.lanes.Track(track); t != nil {
		t.AddTile(position, y)
	}
	if ok = y.Finish(x.host.Paths); ok {
		y.Each(x.host.Paths, f)
	}
	return ok
}

// AddFrames adds the spans on tracks in [t0, t1), each track once: of one of them, those of consecutive
// frames (see LaneTrack.SequenceOf), among them the one at a position; of each other one all. For trees of
// several stretches of time.
func (x *Table) AddFrames(tracks []model.TrackID, of model.TrackID, position, t0, t1 int64, sums *PathTotals) {
	t0, t1 = model.ClampTime(t0), model.ClampTime(t1)
	for id := range once(tracks) {
		t := x.lanes.Track(id)
		if t == nil || t0 >= t1 {
			continue
		}
		if id == of && t.Overlaps() {
			addSequence(t, t.SequenceOf(position), t0, t1, sums)
			continue
		}
		for _, l := range t.Stack() {
			if l != nil && l.Behind() > l.First() {
				l.AddTime(l.Whole(), t0, t1, sums)
			}
		}
	}
}

// addSequence adds the spans of a sequence of frames in [t0, t1).
func addSequence(t *LaneTrack, sequence, t0, t1 int64, sums *PathTotals) {
	for _, l := range t.Stack() {
		if l == nil || l.Behind() == l.First() {
			continue
		}
		if s, ok := l.ShareOf(sequence); ok {
			l.AddTime(s, t0, t1, sums)
		}
	}
}

// SpanTree fills out with the call tree of [t0, t1), the time of a span, on its track: if frames
// overlap, of the spans of the same ones. It is Tree if the span is not stored.
func (x *Table) SpanTree(r Ref, t0, t1 int64, out *Tree) {
	l := x.lanes.Lane(r.Track, int(r.Lane))
	if l == nil || !x.lanes.Track(r.Track).Overlaps() || r.Index < l.First() || r.Index >= l.Behind() {
		one := [1]model.TrackID{r.Track}
		x.Tree(one[:], t0, t1, out)
		return
	}
	sums := out.Begin(x.host.Paths)
	t0, t1 = model.ClampTime(t0), model.ClampTime(t1)
	for t0 < t1 {
		sequence := l.SequenceAt(r.Index, t0)
		to := l.GoesOn(r.Index, sequence, t1)
		addSequence(x.lanes.Track(r.Track), sequence, t0, to, sums)
		t0 = to
	}
	out.Finish(x.host.Paths)
}

// once yields each of the tracks once.
func once(tracks []model.TrackID) iter.Seq[model.TrackID] {
	return func(yield func(model.TrackID) bool) {
		greatest := model.NoTrack
		for k, id := range tracks {
			if id <= greatest && slices.Contains(tracks[:k], id) {
				continue
			}
			if greatest = max(greatest, id); !yield(id) {
				return
			}
		}
	}
}
