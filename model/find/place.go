package find

import (
	"slices"

	"framescope/model"
	"framescope/model/spans"
)

// Place returns the index, from 1 on, and the count of a span among the found calls, in the order of
// their begins. If not all are kept it is its place among the longest, or, for a search for names
// alone, a little is counted in each Step: until that is done, and for a span that is no hit, ok is
// false.
func (h *Hits) Place(b *spans.Bar) (n, of int64, ok bool) {
	if h.expr == nil && !h.given || h.running == h.shown {
		return 0, 0, false
	}
	of, all := h.Count()
	if !all && !h.expr.OfCalls() {
		return h.counts(b), of, h.counted && h.rank > 0
	}
	i, _ := slices.BinarySearch(h.times, b.Begin)
	for ; i < len(h.times) && h.times[i] == b.Begin; i++ {
		if h.begins[i] == b.Ref {
			return int64(i) + 1, int64(len(h.begins)), true
		}
	}
	return 0, 0, false
}

// counts returns the place of a span as far as it is known, 0 of none, and begins to count where it is
// another than before.
func (h *Hits) counts(b *spans.Bar) int64 {
	if h.of.Ref == b.Ref && h.of.Begin == b.Begin && h.of.Collector == b.Collector {
		return h.rank
	}
	h.of, h.counted, h.rank, h.beforeN = *b, true, 0, -1
	if !h.run[h.shown].Wants(b.Ref.Track, b.Path) {
		return 0
	}
	h.counted, h.beforeN = false, h.together(b)
	q := h.query(b.Begin)
	q.Limit = 1
	h.before.Start(h.s.Spans(), q)
	return 0
}

// together returns how many of the calls that begin when a span does come before it: by thread, then by
// collector.
func (h *Hits) together(b *spans.Bar) (n int64) {
	for _, c := range h.Collectors(nil) {
		for id := range model.TrackID(h.s.NumTracks()) {
			if id > b.Ref.Track || id == b.Ref.Track && c >= b.Collector {
				break
			}
			if x, ok := h.s.Spans().Next(id, c, b.Begin-1, 1); ok && x.Begin == b.Begin {
				n++
			}
		}
	}
	return n
}

// count goes on with the calls before one.
func (h *Hits) count(work int64) {
	if h.beforeN >= 0 && h.before.Step(work) {
		h.rank, h.counted, h.beforeN = h.before.Sums.Count+h.beforeN+1, true, -1
	}
}

// Fresh reports whether all present data was searched.
func (h *Hits) Fresh() bool {
	return h.expr == nil || h.running < 0 && h.revision == h.s.Revision() && h.defs == h.s.DefsRevision()
}
