package find

import (
	"math"
	"slices"
	"sync"

	"framescope/model"
	"framescope/model/spans"
	"framescope/model/store"
)

// Tracks returns the tracks of a session to search if none is named: all, but those with sums (model.TrackDef)
// only if the expression names a thread.
func (e *Expr) Tracks(s *store.Session) (out []model.TrackID) {
	for id := range model.TrackID(s.NumTracks()) {
		if t := s.Track(id); t != nil && (!t.Def.Sums || e.has(byThread)) {
			out = append(out, id)
		}
	}
	return out
}

// Query returns the query of a session for an expression: it finds the hits among the calls on some
// tracks that begin in [t0, t1), or go on in it. All calls are read and counted. Threads, names and
// paths are resolved here: another query finds names defined later.
func (e *Expr) Query(s *store.Session, tracks []model.TrackID, t0, t1 int64) spans.CallQuery {
	q := spans.CallQuery{T0: t0, T1: t1, Inner: true, All: true, Wanted: e.Collectors(s, nil)}
	for _, id := range tracks {
		if t := s.Track(id); t != nil && e.thread(t) {
			q.Tracks = append(q.Tracks, id)
		}
	}
	lo, hi := e.within(byLength)
	if self, _ := e.within(bySelf); self > lo {
		lo = self // no call is shorter than its self time
	}
	if q.MinNs = max(lo, 0); hi < math.MaxInt64 {
		q.BelowNs = hi + 1
	}
	if hi < q.MinNs {
		q.Tracks = nil // no length is both
	}
	j := newJudge(e, s)
	if e.has(byPath) {
		q.Path = j.path
	}
	if e.has(byFrame) {
		q.Times = func(id model.TrackID) (int64, int64) { return j.times(id, t0, t1) }
	}
	q.Runs = e.runsOf(s)
	if e.has(bySelf) || e.has(byCalls) || e.has(byFrame) || e.excludes(byLength) {
		alone := new(sync.Mutex)
		q.Accept = func() spans.Accept {
			j := newJudge(e, s)
			j.alone, j.often.alone = alone, alone
			return j.accept
		}
	}
	return q
}

// Collectors appends to out, for each collector by id, whether its name is meant.
func (e *Expr) Collectors(s *store.Session, out []bool) []bool {
	h := s.Collectors().Tree()
	out = append(out, make([]bool, s.Collectors().Len())...)
	for i := range h.All {
		if c := &h.All[i]; int(c.ID) < len(out) {
			out[c.ID] = e.Collector(c)
		}
	}
	return out
}

func (e *Expr) has(f field) bool {
	return slices.ContainsFunc(e.terms, func(t term) bool { return t.field == f })
}

// excludes reports whether a length is left out of others.
func (e *Expr) excludes(f field) bool {
	return slices.ContainsFunc(e.terms, func(t term) bool { return t.field == f && t.not })
}

// within returns the bounds of a number that meet all terms, except for values that terms exclude.
func (e *Expr) within(f field) (lo, hi int64) {
	lo, hi = math.MinInt64, math.MaxInt64
	for i := range e.terms {
		if t := &e.terms[i]; t.field == f && !t.not {
			lo, hi = max(lo, t.lo), min(hi, t.hi)
		}
	}
	return lo, hi
}

// lets reports whether the terms for a number let one through.
func (e *Expr) lets(f field, n int64) bool {
	for i := range e.terms {
		if t := &e.terms[i]; t.field == f && (n >= t.lo && n <= t.hi) == t.not {
			return false
		}
	}
	return true
}

// thread reports whether a thread is meant.
func (e *Expr) thread(t *store.Track) bool {
	for i := range e.terms {
		if x := &e.terms[i]; x.field == byThread && x.isThread(t) == x.not {
			return false
		}
	}
	return true
}

// isThread reports whether a term of threads names one.
func (x *term) isThread(t *store.Track) bool {
	title := t.Title()
	return x.name.matches(title, title) || x.lo == int64(t.Def.Index) && x.lo >= 0
}

// Threads returns the threads that a text names as the term "thread:" of an expression does: by a part of
// their names, a glob, a regular expression between slashes, or a number. The error is that of a bad one.
func Threads(s *store.Session, text string) (out []model.TrackID, err error) {
	x, how := term{field: byThread}, part
	if n := len(text) - 1; n > 1 && text[0] == '/' && text[n] == '/' {
		text, how = text[1:n], regex
	}
	if err := x.ofThread(text, how); err != nil {
		return nil, err
	}
	for id := range model.TrackID(s.NumTracks()) {
		if t := s.Track(id); t != nil && x.isThread(t) {
			out = append(out, id)
		}
	}
	return out, nil
}
