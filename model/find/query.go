package find

import (
	"math"
	"slices"

	"framescope/model"
	"framescope/model/paths"
	"framescope/model/spans"
	"framescope/model/store"
)

// Query returns the question about a session that an expression is: which of the calls on some tracks
// that begin in [t0, t1), or go on in it, are hits. All calls are looked at and counted. Threads, names
// and paths are settled here: a name that is defined later is found by another question.
func (e *Expr) Query(s *store.Session, tracks []model.TrackID, t0, t1 int64) spans.CallQuery {
	q := spans.CallQuery{T0: t0, T1: t1, Inner: true, All: true, Wanted: e.Collectors(s, nil)}
	for _, id := range tracks {
		if t := s.Track(id); t != nil && e.thread(t) {
			q.Tracks = append(q.Tracks, id)
		}
	}
	lo, hi := e.within(byLength)
	if self, _ := e.within(bySelf); self > lo {
		lo = self // no call is shorter than what of it is its own
	}
	if q.MinNs = max(lo, 0); hi < math.MaxInt64 {
		q.BelowNs = hi + 1
	}
	if hi < q.MinNs {
		q.Tracks = nil // no length is both
	}
	j := &judge{expr: e, s: s, track: model.NoTrack}
	if e.has(byPath) {
		q.Path = j.path
	}
	if e.has(byFrame) {
		q.Times = func(id model.TrackID) (int64, int64) { return j.times(id, t0, t1) }
	}
	if e.has(bySelf) || e.has(byCalls) || e.has(byFrame) || e.excludes(byLength) {
		q.Accept = j.accept()
	}
	return q
}

// Collectors appends to out, for each collector by id, whether its name is meant.
func (e *Expr) Collectors(s *store.Session, out []bool) []bool {
	h := s.Collectors().Tree()
	out = append(out, make([]bool, s.Collectors().Len())...)
	for i := range h.All {
		if c := &h.All[i]; int(c.ID) < len(out) {
			out[c.ID] = e.Name(c.Name, c.Title())
		}
	}
	return out
}

func (e *Expr) has(f field) bool {
	return slices.ContainsFunc(e.terms, func(t term) bool { return t.field == f })
}

// excludes tells whether a length is left out of others.
func (e *Expr) excludes(f field) bool {
	return slices.ContainsFunc(e.terms, func(t term) bool { return t.field == f && t.not })
}

// within returns the bounds of a number that all terms let through, but for what they leave out.
func (e *Expr) within(f field) (lo, hi int64) {
	lo, hi = math.MinInt64, math.MaxInt64
	for i := range e.terms {
		if t := &e.terms[i]; t.field == f && !t.not {
			lo, hi = max(lo, t.lo), min(hi, t.hi)
		}
	}
	return lo, hi
}

// lets tells whether the terms for a number let one through.
func (e *Expr) lets(f field, n int64) bool {
	for i := range e.terms {
		if t := &e.terms[i]; t.field == f && (n >= t.lo && n <= t.hi) == t.not {
			return false
		}
	}
	return true
}

// thread tells whether a thread is meant.
func (e *Expr) thread(t *store.Track) bool {
	title := t.Title()
	for i := range e.terms {
		x := &e.terms[i]
		if x.field != byThread {
			continue
		}
		if is := x.name.matches(title, title) || x.lo == int64(t.Def.Index) && x.lo >= 0; is == x.not {
			return false
		}
	}
	return true
}

// judge looks at calls, for a question about one session.
type judge struct {
	expr *Expr
	s    *store.Session

	track  model.TrackID // whose calls are counted
	counts int64         // in the frame of this number, allFrames in all of it
	alone  []model.CollectorTime
	sums   map[model.CollectorID]int64
	tree   paths.Tree
}

// allFrames stands for all that a thread without frames did.
const allFrames = math.MaxInt64

// path tells whether a call path is meant.
func (j *judge) path(p model.PathID) bool {
	for i := range j.expr.terms {
		if t := &j.expr.terms[i]; t.field == byPath && j.along(p, t.path) == t.not {
			return false
		}
	}
	return true
}

// along tells whether names follow each other somewhere on a call path.
func (j *judge) along(p model.PathID, names []pattern) bool {
	for ; p != model.PathRoot; p, _ = j.s.Path(p) {
		at, k := p, len(names)-1
		for ; k >= 0 && at != model.PathRoot; k-- {
			up, id := j.s.Path(at)
			c := j.s.Collector(id)
			if c == nil || !names[k].matches(c.Name, c.Title()) {
				break
			}
			at = up
		}
		if k < 0 {
			return true
		}
	}
	return false
}

// framesOf returns the track whose frames a thread's calls are in: its own, else the main one's.
func (j *judge) framesOf(id model.TrackID) *store.Track {
	if t := j.s.Track(id); t != nil && t.NumFrames() > 0 {
		return t
	}
	return j.s.Track(j.s.MainTrack())
}

// times returns the time of the frames that are meant, as far as it lies in [t0, t1).
func (j *judge) times(id model.TrackID, t0, t1 int64) (from, to int64) {
	t := j.framesOf(id)
	if t == nil || t.NumFrames() == 0 {
		return 0, 0
	}
	lo, hi := j.expr.within(byFrame)
	first, last := 0, t.NumFrames()-1
	if lo > math.MinInt64 {
		first, _ = t.FrameByNumber(lo)
	}
	if hi < math.MaxInt64 {
		var ok bool
		if last, ok = t.FrameByNumber(hi); !ok {
			last--
		}
	}
	if first > last || first >= t.NumFrames() || last < 0 {
		return 0, 0
	}
	begin, end, _ := t.FrameTimes(first, last)
	return max(begin, t0), min(max(end, begin+1), t1)
}

// frame returns the frame that a call began in, -1 if it is none that was received.
func (j *judge) frame(x *spans.Call) (t *store.Track, frame int) {
	t = j.framesOf(x.Ref.Track)
	switch {
	case t == nil || t.NumFrames() == 0:
		return t, -1
	case t.Def.ID == x.Ref.Track:
		return t, t.FrameOf(x.Ref, x.Begin)
	}
	return t, t.FrameCovering(x.Begin)
}

// FrameOf returns the number of the frame that a call began in: of its own thread, else of the main
// one; false where it began in none that was received.
func FrameOf(s *store.Session, x *spans.Call) (number int64, ok bool) {
	j := judge{s: s}
	t, i := j.frame(x)
	if i < 0 {
		return 0, false
	}
	return t.Frame(i).Number, true
}

// accept returns what tells of a call whether it is a hit, as far as its path and length leave that
// open.
func (j *judge) accept() func(*spans.Call) (bool, int64) {
	e := j.expr
	frames, calls, self := e.has(byFrame), e.has(byCalls), e.has(bySelf)
	return func(x *spans.Call) (ok bool, work int64) {
		if !e.lets(byLength, x.Ns) {
			return false, work
		}
		if frames {
			work += 4
			if t, i := j.frame(x); i < 0 || !e.lets(byFrame, t.Frame(i).Number) {
				return false, work
			}
		}
		if calls {
			n, cost := j.callsOf(x)
			if work += cost; n == 0 || !e.lets(byCalls, n) {
				return false, work
			}
		}
		if self {
			if c := j.s.Collector(x.Collector); c == nil || c.Async {
				return false, work // it has no time of its own
			}
			ns, cost := j.s.Spans().SelfNs(x)
			if work += cost; !e.lets(bySelf, ns) {
				return false, work
			}
		}
		return true, work
	}
}

// callsOf returns how often the collector of a call was called in its frame on its thread, and in
// all on a thread without frames; 0 where that is not known.
func (j *judge) callsOf(x *spans.Call) (n, work int64) {
	number, frame := int64(allFrames), 0
	if t := j.s.Track(x.Ref.Track); t.NumFrames() > 0 {
		if _, frame = j.frame(x); frame < 0 {
			return 0, 4
		}
		number = t.Frame(frame).Number
	}
	if work = 4; j.track != x.Ref.Track || j.counts != number {
		j.track, j.counts = x.Ref.Track, number
		work += j.count(frame)
	}
	return j.sums[x.Collector], work
}

// count counts the calls of each collector in a frame.
func (j *judge) count(frame int) (work int64) {
	if j.sums == nil {
		j.sums = map[model.CollectorID]int64{}
	}
	clear(j.sums)
	if j.counts != allFrames {
		j.alone = j.s.Frames().Alone(j.track, frame, j.alone[:0])
		for i := range j.alone {
			j.sums[j.alone[i].Collector] += int64(j.alone[i].Count)
		}
		return int64(len(j.alone))
	}
	one := [1]model.TrackID{j.track}
	j.s.Spans().Tree(one[:], model.MinTime, model.MaxTime, &j.tree)
	for i := range j.tree.Nodes {
		j.sums[j.tree.Nodes[i].Collector] += j.tree.Nodes[i].Count
	}
	return j.tree.Visited
}
