package flow

import (
	"cmp"
	"slices"

	"framescope/model"
	"framescope/model/spans"
	"framescope/model/store"
)

// Way is a way through a program, and the thing with the median time on it.
type Way struct {
	Track   model.TrackID
	N       int64 // of how many it is the median, 0: it was chosen
	Cut     bool  // there were more, and those are in the middle
	Passage spans.Passage
}

// Length returns how long that was on its way, ns.
func (w *Way) Length() int64 { return w.Passage.Way.End - w.Passage.Way.Begin }

// mostGathered is the number of things that the median one is searched among.
const mostGathered = 8192

// Ways finds the ways that things went in a range of time. The zero value is ready; it keeps the memory
// that it works in.
type Ways struct{ gather []spans.Bar }

// Find appends the ways on which something set out in [t0, t1), those that take longest first. On the
// way of chosen, where that is known, chosen stands for the median.
func (w *Ways) Find(s *store.Session, t0, t1 int64, chosen *spans.Passage, out []Way) []Way {
	from := len(out)
	for id := range model.TrackID(s.NumTracks()) {
		t := s.Track(id)
		if t.Def.Kind != model.TrackStream || t.NumSpans() == 0 {
			continue
		}
		x := Way{Track: id}
		if chosen != nil && chosen.Way.Count > 0 && chosen.Way.Ref.Track == id {
			x.Passage = *chosen
		} else if !w.median(s, t, t0, t1, &x) {
			continue
		}
		out = append(out, x)
	}
	slices.SortStableFunc(out[from:], func(a, b Way) int { return cmp.Compare(b.Length(), a.Length()) })
	return out
}

// median finds the thing with the median time on a way in a range.
func (w *Ways) median(s *store.Session, t *store.Track, t0, t1 int64, x *Way) bool {
	first, last, ok := t.Bounds()
	if t0, t1 = max(t0, first), min(t1, last+1); !ok || t1 <= t0 {
		return false
	}
	if share := mostGathered / (float64(t.NumSpans()) * float64(t1-t0) / float64(last+1-first)); share < 1 {
		mid, half := t0+(t1-t0)/2, int64(float64(t1-t0)*share/2)
		t0, t1, x.Cut = mid-half, mid+half+1, true
	}
	w.gather = w.gather[:0]
	for lane := range t.Lanes() {
		w.gather = s.Spans().Visible(t.Def.ID, lane, t0, t1, 1, w.gather)
	}
	w.gather = slices.DeleteFunc(w.gather, func(b spans.Bar) bool {
		return b.Count != 1 || b.Begin < t0 || b.Begin >= t1 || b.Flags&(model.SpanOpenBegin|model.SpanOpenEnd) != 0
	})
	if len(w.gather) == 0 {
		return false
	}
	slices.SortFunc(w.gather, func(a, b spans.Bar) int { return cmp.Compare(a.End-a.Begin, b.End-b.Begin) })
	x.N = int64(len(w.gather))
	return s.Spans().Passage(w.gather[(len(w.gather)-1)/2].Ref, &x.Passage)
}
