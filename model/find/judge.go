package find

import (
	"math"
	"sync"

	"framescope/model"
	"framescope/model/spans"
	"framescope/model/store"
)

// judge tests calls, for a query of one session. Calls of a lane come in the order of time: its
// results for one of them mostly hold for the next.
type judge struct {
	expr                              *Expr
	s                                 *store.Session
	frames, calls, self, leavesLength bool // properties to test

	lane    spans.Ref    // the lane of the last calls; its index means nothing
	counted *store.Track // the frames in which these are; nil: in none
	own     bool         // they are those of the thread itself
	frame   int          // of the call that came last, -1 none
	number  int64        // of that frame
	t0, t1  int64        // for calls that begin from t0 to before t1 it is the same
	meant   bool         // it can be a hit
	below   spans.Below  // the callees

	often oftenCalled
	alone *sync.Mutex // for queries that only one of several judges may make at a time
}

func newJudge(e *Expr, s *store.Session) *judge {
	return &judge{
		expr: e, s: s, frames: e.has(byFrame), calls: e.has(byCalls), self: e.has(bySelf),
		leavesLength: e.excludes(byLength), lane: spans.Ref{Track: model.NoTrack},
	}
}

// path reports whether a call path is meant.
func (j *judge) path(p model.PathID) bool {
	for i := range j.expr.terms {
		if t := &j.expr.terms[i]; t.field == byPath && j.along(p, t.path) == t.not {
			return false
		}
	}
	return true
}

// along reports whether names follow each other somewhere on a call path.
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

// framesOf returns the track with the frames of a thread's calls: its own, else the main one's.
func (j *judge) framesOf(id model.TrackID) *store.Track {
	if t := j.s.Track(id); t != nil && t.NumFrames() > 0 {
		return t
	}
	return j.s.Track(j.s.MainTrack())
}

// times returns the time of the matching frames, as far as it lies in [t0, t1). Calls that begin between
// two frames belong to the one before: its time goes on to the next, and that of the newest to t1.
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
	if last+1 == t.NumFrames() {
		return max(begin, t0), t1
	}
	return max(begin, t0), min(max(end, t.Frame(last+1).Begin, begin+1), t1)
}

// FrameOf returns the number of the frame that a call began in: of its own thread, else of the main
// one; false where it began in none that was received.
func FrameOf(s *store.Session, x *spans.Call) (number int64, ok bool) {
	j := judge{s: s}
	j.enter(x.Ref)
	j.toFrame(x.Ref, x.Begin)
	return j.number, j.frame >= 0
}

// enter goes to another lane.
func (j *judge) enter(of spans.Ref) {
	j.counted = j.framesOf(of.Track)
	if j.counted != nil && j.counted.NumFrames() == 0 {
		j.counted = nil
	}
	j.own = j.counted != nil && j.counted.Def.ID == of.Track
	j.frame, j.t0, j.t1 = -1, 0, 0
	j.lane = of
}

// toFrame goes to the frame in which a call of the lane began.
func (j *judge) toFrame(of spans.Ref, begin int64) {
	switch {
	case j.counted == nil:
		j.frame, j.t0, j.t1 = -1, math.MinInt64, math.MaxInt64
	case j.own:
		// A later call is mostly in the next frame.
		j.frame, j.t0, j.t1 = j.counted.FrameNear(of, begin, j.frame+1)
	default:
		j.frame, j.t0, j.t1 = j.counted.FrameCovering(begin), begin, begin
	}
	if j.frame >= 0 {
		j.number = j.counted.FrameNumber(j.frame)
	}
}

// accept chooses the calls that are hits, as far as path and length leave that open: see
// spans.CallQuery.
func (j *judge) accept(of spans.Ref, found []spans.Found, budget int64) (kept, seen int, work int64) {
	if of.Track != j.lane.Track || of.Lane != j.lane.Lane {
		j.enter(of)
	}
	j.below = spans.Below{}
	rows := j.s.Paths().Rows()
	framed, rest := j.frames || j.calls, j.leavesLength || j.self
	for ; seen < len(found) && (seen == 0 || work < budget); seen++ {
		f := &found[seen]
		if framed {
			if f.Begin < j.t0 || f.Begin >= j.t1 {
				of.Index = f.Index
				work += j.judgeFrame(of, f.Begin)
			}
			if !rest {
				kept, seen = j.ofFrame(rows, found, kept, seen)
				continue
			}
			if !j.meant || j.calls && !j.often.has(rows[f.Path].Collector) {
				continue
			}
		}
		if j.leavesLength && !j.expr.lets(byLength, f.Ns) {
			continue
		}
		if j.self {
			ok, cost := j.takes(of, f)
			if work += cost; !ok {
				continue
			}
		}
		found[kept] = *f
		kept++
	}
	return kept, seen, work
}

// ofFrame chooses among the calls from seen on in the frame that was judged, if there is nothing
// else to test. It returns how many are kept by then, and the last one seen.
func (j *judge) ofFrame(rows []spans.Row, found []spans.Found, kept, seen int) (nowKept, last int) {
	end := seen + 1
	for t0, t1 := j.t0, j.t1; end < len(found) && found[end].Begin >= t0 && found[end].Begin < t1; {
		end++
	}
	switch often := j.often.row; {
	case !j.meant:
	case !j.calls:
		kept += copy(found[kept:], found[seen:end])
	default:
		for ; seen < end; seen++ {
			if f := &found[seen]; bit(often, rows[f.Path].Collector) != 0 {
				found[kept] = *f
				kept++
			}
		}
	}
	return kept, end - 1
}

// judgeFrame finds out whether calls that begin at a time can be hits, and which are called often
// enough.
func (j *judge) judgeFrame(of spans.Ref, begin int64) (work int64) {
	j.toFrame(of, begin)
	if work = 4; j.frames && (j.frame < 0 || !j.expr.lets(byFrame, j.number)) {
		j.meant = false
		return work
	}
	if j.meant = true; j.calls {
		switch { // a thread without frames has one, in which all its calls are
		case j.s.Track(of.Track).NumFrames() == 0:
			work += j.often.look(j.expr, j.s, of.Track, allFrames)
		case j.frame < 0:
			j.meant = false
		default:
			work += j.often.look(j.expr, j.s, of.Track, j.number)
		}
	}
	return work
}

// takes reports whether the self time of a call is as long as the expression wants.
func (j *judge) takes(of spans.Ref, f *spans.Found) (ok bool, work int64) {
	if c := j.collector(f.Path); c == nil || c.Async {
		return false, 0 // it has no time of its own
	}
	ns, work, ok := j.s.Spans().SelfByRow(of, f, &j.below)
	if !ok {
		j.alone.Lock()
		ns, work = j.s.Spans().SelfNs(of, f)
		j.alone.Unlock()
	}
	return j.expr.lets(bySelf, ns), work
}

func (j *judge) collector(p model.PathID) *model.Collector {
	_, c := j.s.Path(p)
	return j.s.Collector(c)
}
