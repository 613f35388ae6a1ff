package find

import (
	"cmp"
	"math"
	"slices"

	"framescope/model"
	"framescope/model/spans"
	"framescope/model/store"
)

// Hits are the matches of an expression in a session. The search runs a little at a time (Step), and
// again when data came; until that is done, the previous matches stay. The zero value has no search.
type Hits struct {
	expr     *Expr
	given    bool // the hits are not found, but were given
	s        *store.Session
	run      [2]spans.CallSearch
	shown    int // of run: that which answers
	running  int // that which is searching; -1 none
	revision uint64
	defs     uint64
	atNs     int64
	changes  uint64

	// before counts the calls before a given one, if not all are kept.
	before  spans.CallSearch
	beforeN int64 // those that begin together with it, -1 while nothing is counted
	of      spans.Bar
	counted bool
	rank    int64

	refs   []spans.Ref // all that are kept, by thread, row and position
	begins []spans.Ref // the same in order of time
	times  []int64     // when these begin
	named  []bool      // by collector
}

const (
	// keptHits bounds the kept hits: of more the longest. They take 56 B each.
	keptHits = 1 << 15

	againNs = 1_000_000_000 // how often newer data is searched
)

// Search looks for an expression in a session from now on; nil: for nothing.
func (h *Hits) Search(s *store.Session, e *Expr) {
	if s == nil {
		e = nil
	}
	h.expr, h.s, h.running, h.given = e, s, -1, false
	h.of, h.counted, h.beforeN = spans.Bar{}, false, -1
	h.refs, h.begins, h.times = h.refs[:0], h.begins[:0], h.times[:0]
	h.changes++
	if e != nil {
		h.start(h.shown)
	}
}

// Expr returns the expression, nil if there is none.
func (h *Hits) Expr() *Expr { return h.expr }

// Give takes spans that are known instead of a search, such as the rows of a query.
func (h *Hits) Give(s *store.Session, calls []spans.Call) {
	h.Search(nil, nil)
	h.s, h.given, h.run[h.shown].More = s, true, false
	slices.SortFunc(calls, func(a, b spans.Call) int { return compareRefs(a.Ref, b.Ref) })
	h.keep(slices.CompactFunc(calls, func(a, b spans.Call) bool { return a.Ref == b.Ref }))
}

// Of reports whether it is this session that is searched.
func (h *Hits) Of(s *store.Session) bool { return (h.expr != nil || h.given) && h.s == s }

// Changes changes whenever an answer did.
func (h *Hits) Changes() uint64 { return h.changes }

// Done reports whether all data present at the begin was searched.
func (h *Hits) Done() bool { return h.expr == nil || h.running != h.shown }

// Count returns how many calls were found so far, and whether all of them are kept.
func (h *Hits) Count() (n int64, all bool) {
	if h.expr == nil {
		return int64(len(h.refs)), true
	}
	return h.run[h.shown].Sums.Count, !h.run[h.shown].More
}

// query returns the query for all calls that begin before a time.
func (h *Hits) query(before int64) spans.CallQuery {
	q := h.expr.Query(h.s, h.expr.Tracks(h.s), math.MinInt64, before)
	q.Bare, q.Limit = true, keptHits
	return q
}

// start begins a search with one of the two.
func (h *Hits) start(run int) {
	h.run[run].Start(h.s.Spans(), h.query(math.MaxInt64))
	h.running, h.revision, h.defs = run, h.s.Revision(), h.s.DefsRevision()
}

// Step continues the search for about work spans. nowNs is the time of the view: new data is
// searched about once a second.
func (h *Hits) Step(work, nowNs int64) {
	if h.expr == nil {
		return
	}
	h.count(work)
	switch {
	case h.running >= 0:
	case (h.revision != h.s.Revision() || h.defs != h.s.DefsRevision()) && nowNs-h.atNs >= againNs:
		h.start(1 - h.shown)
	default:
		return
	}
	was := h.run[h.running].Sums.Count
	done := h.run[h.running].Step(work)
	if was != h.run[h.running].Sums.Count && h.running == h.shown {
		h.changes++
	}
	if done {
		h.shown, h.running, h.atNs = h.running, -1, nowNs
		h.changes++
		h.keep(h.run[h.shown].Calls())
	}
}

// keep takes over found calls.
func (h *Hits) keep(calls []spans.Call) {
	h.refs = h.refs[:0]
	for i := range calls {
		h.refs = append(h.refs, calls[i].Ref)
	}
	slices.SortFunc(h.refs, compareRefs)
	slices.SortFunc(calls, func(a, b spans.Call) int {
		return cmp.Or(cmp.Compare(a.Begin, b.Begin), compareRefs(a.Ref, b.Ref))
	})
	h.begins, h.times = h.begins[:0], h.times[:0]
	for i := range calls {
		h.begins, h.times = append(h.begins, calls[i].Ref), append(h.times, calls[i].Begin)
	}
}

func compareRefs(a, b spans.Ref) int {
	return cmp.Or(cmp.Compare(a.Track, b.Track), cmp.Compare(a.Lane, b.Lane), cmp.Compare(a.Index, b.Index))
}

// Is reports whether a bar is a hit, or has one in it.
func (h *Hits) Is(b *spans.Bar) bool {
	if h.expr == nil && !h.given {
		return false
	}
	run := &h.run[h.shown]
	if h.running != h.shown && !run.More {
		i, is := slices.BinarySearchFunc(h.refs, b.Ref, compareRefs)
		if is || b.Count <= 1 || i == len(h.refs) {
			return is
		}
		next := h.refs[i]
		return next.Track == b.Ref.Track && next.Lane == b.Ref.Lane && next.Index < b.Ref.Index+int64(b.Count)
	}
	if b.Count == 1 {
		if stored, ok := h.s.Spans().ByRef(b.Ref); ok {
			return run.Is(&stored) // a picture may have cut it
		}
		return false
	}
	return run.Wants(b.Ref.Track, b.Path) // too many are found to keep each
}

// Collectors appends to out those with a found call, ascending by id.
func (h *Hits) Collectors(out []model.CollectorID) []model.CollectorID {
	if h.expr == nil && !h.given {
		return out
	}
	h.named = append(h.named[:0], make([]bool, h.s.Collectors().Len())...)
	name := func(c model.CollectorID) {
		if c >= 0 && int(c) < len(h.named) {
			h.named[c] = true
		}
	}
	if h.given {
		for _, r := range h.refs {
			if b, ok := h.s.Spans().ByRef(r); ok {
				name(b.Collector)
			}
		}
	} else {
		h.run[h.shown].Sums.Each(func(x *spans.CallSum) {
			_, c := h.s.Path(x.Path)
			name(c)
		})
	}
	for c, is := range h.named {
		if is {
			out = append(out, model.CollectorID(c))
		}
	}
	return out
}

// In reports whether a hit begins in [t0, t1): of very many one of the longest.
func (h *Hits) In(t0, t1 int64) bool {
	i, _ := slices.BinarySearch(h.times, t0)
	return i < len(h.times) && h.times[i] < t1
}

// Longest returns up to n of the found calls, the longest first, once all are found.
func (h *Hits) Longest(n int) (calls []spans.Call) {
	if h.expr == nil || !h.Done() {
		return nil
	}
	calls = slices.Clone(h.run[h.shown].Calls())
	slices.SortStableFunc(calls, func(a, b spans.Call) int { return cmp.Compare(b.Ns, a.Ns) })
	return calls[:min(n, len(calls))]
}

// Next returns the hit after (dir > 0) or before the one at a time, among the kept ones, in the
// order of their begins; at is the span to start from, if it is one.
func (h *Hits) Next(at *spans.Bar, timeNs int64, dir int) (spans.Bar, bool) {
	i, _ := slices.BinarySearch(h.times, timeNs)
	for k := i; at != nil && k < len(h.times) && h.times[k] == timeNs; k++ {
		if h.begins[k] == at.Ref {
			if i = k; dir > 0 {
				i++
			}
			break
		}
	}
	for step := 1; ; i += step {
		if dir < 0 {
			i, step = i-1, 0
		}
		if i < 0 || i >= len(h.begins) {
			return spans.Bar{}, false
		}
		if b, ok := h.s.Spans().ByRef(h.begins[i]); ok { // else it left memory
			return b, true
		}
	}
}
