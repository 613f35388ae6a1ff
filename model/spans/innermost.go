package spans

import "framescope/model"

// plainLanes is the number of lanes up to which all lanes of a track are searched. Of more, only the
// outermost are, as deep as spans nest at the time.
const plainLanes = 64

// Innermost returns the span of a track that a moment belongs to: of those that begin at it, the
// innermost; else of those that run then; else of those that end with it. On a track with spans that
// are no calls, it is the one that began last. Cost: O(lanes · log spans).
func (x *Table) Innermost(track model.TrackID, timeNs int64) (best Bar, ok bool) {
	t := x.lanes.Track(track)
	if t == nil {
		return Bar{}, false
	}
	n := t.Lanes()
	if n > plainLanes {
		n = max(plainLanes, x.Depth(track, n, timeNs, timeNs))
	}
	rank := func(b *Bar) int {
		switch {
		case b.Begin == timeNs:
			return 3
		case b.End > timeNs:
			return 2
		}
		return 1
	}
	calls := x.host.Kind(track).Calls()
	most := 0
	for lane := n - 1; lane >= 0; lane-- {
		b, here := x.At(track, lane, timeNs, 0)
		if !here {
			continue
		}
		if r := rank(&b); r > most || r == most && !calls && b.Begin > best.Begin {
			best, most = b, r
		}
	}
	return best, most > 0
}
