// Package why explains why a frame took longer than the frames around it: the work on its own
// thread and, for waits, the work on other threads that they waited for, from thread to thread,
// until work is found or the data ends. An Engine answers for a session. docs/why.md describes the
// rules.
package why

import (
	"slices"

	"framescope/model"
	"framescope/model/compare"
	"framescope/model/spans"
	"framescope/model/store"
)

// How is the way in which a link of a chain took longer than in the frames around.
type How uint8

// The ways.
const (
	// Longer: as often, and each time longer.
	Longer How = iota
	// MoreCalls: more often.
	MoreCalls
	// New: it is in (almost) none of the frames around.
	New
	// Waiting: it waited; the next link names the reason.
	Waiting
	// Spread: many things took a little longer, none stands out. The collector is the parent of all of
	// them.
	Spread
	// NotMeasured: time that no collector covers.
	NotMeasured
	// Unknown: it waited, and the received data has no reason: the chain ends here.
	Unknown
	numHows
)

var hows = [numHows]string{"longer", "more_calls", "new", "waiting", "spread", "not_measured", "unknown"}

// String returns the word that JSON has for it.
func (h How) String() string { return hows[h] }

// Link is one thing that took longer than it does in the frames around.
type Link struct {
	Track     model.TrackID
	Role      model.TrackID // of a root: the first thread of its role, such as the first of some workers; else Track
	Collector model.CollectorID
	How       How
	// ExcessNs is the excess over the typical. For a collector that took longer as a whole, it
	// includes its descendants.
	ExcessNs int64
	// SelfNs is how long it took in all.
	SelfNs int64
	// Calls is how often it started, TypicalCalls how often in the middle of the frames around.
	Calls, TypicalCalls int64
	// Seen is in how many of the Around frames around it ran; 0 and 0 where these were not counted.
	Seen, Around int
	// Nothing is set for NotMeasured if no data came from the things that run in the frames around.
	Nothing bool
	// Baseline means that Around counts frames of a baseline, and typical values come from it.
	Baseline bool
	// BeginNs and EndNs are when its longest span ran; equal where there is none.
	BeginNs, EndNs int64
	// Within is, for a wait, the call in which its longest span ran, if that is unusual: it is new, or
	// comes more often than is typical, or the wait is new there. 0: none.
	Within model.CollectorID
	// Taken says how a call became a wait that is not named as one.
	Taken Kind
	// State is, for a wait, what the data say that the thread did meanwhile, such as "waiting: sync"; empty: nothing.
	State string
	// Ran are, for a thread that had no processor, the threads that had one, the longest first; 0: none, or unknown.
	Ran [2]model.CollectorID
}

// Answer is why a frame took as long as it did, or a thing on its way (see Thing).
type Answer struct {
	Track  model.TrackID
	Frame  int // index
	Number int64
	// DurationNs is how long it took, TypicalNs the middle of the frames around, 0 where these are too
	// few to know.
	DurationNs, TypicalNs int64
	// HitchNs is the length from which it would be a hitch, by how much those around vary; 0 where they are too few.
	HitchNs int64
	// Hitch means that it is much longer than the frames around (frames.Table.Hitch).
	Hitch bool
	// Baseline means that TypicalNs is the median of a baseline's frames, 0 if it has none of the track;
	// typical values of the links come from it, too.
	Baseline bool
	// Stands means that it is unusually long: a hitch, or longer than 95 % of the baseline's frames.
	Stands bool
	// Chain begins on the frame's own thread and ends at the root cause. It is empty where the frame is
	// not longer than typical.
	Chain []Link
	// Others are the links of further causes: each ends with a link that is not Waiting.
	Others []Link
	// UnexplainedNs is the excess over the typical that neither explains.
	UnexplainedNs int64
	least         Part // the part furthest below typical, on the frame's own thread
}

// begin empties the answer, but for its memory, for a frame or a thing.
func (a *Answer) begin(track model.TrackID, index int) {
	*a = Answer{Track: track, Frame: index, Chain: a.Chain[:0], Others: a.Others[:0]}
}

// ExcessNs is how much longer than typical the frame took, 0 where it did not, or nothing is known.
func (a *Answer) ExcessNs() int64 {
	if a.TypicalNs == 0 {
		return 0
	}
	return max(a.DurationNs-a.TypicalNs, 0)
}

// RestNs returns the part of UnexplainedNs that no link names, without waits for unknown reasons.
func (a *Answer) RestNs() int64 {
	ns := a.UnexplainedNs
	for first, last := range a.causes {
		if last.How == Unknown {
			ns -= first.ExcessNs
		}
	}
	return max(ns, 0)
}

// LessNs is the sum by which all other parts took less than is typical: by so much the causes exceed
// the frame's excess. It is 0 if they do not.
func (a *Answer) LessNs() int64 {
	ns := -a.ExcessNs()
	for first := range a.causes {
		ns += first.ExcessNs
	}
	return max(ns, 0)
}

// LessIn returns the part furthest below typical, on the frame's own thread. false: no part has half
// of LessNs or more by itself.
func (a *Answer) LessIn() (p Part, ok bool) {
	ns := a.LessNs()
	return a.least, ns > 0 && -2*a.least.ExcessNs() >= ns
}

// causes yields the first and the last link of each cause.
func (a *Answer) causes(yield func(first, last *Link) bool) {
	for _, links := range [...][]Link{a.Chain, a.Others} {
		first := 0
		for i := range links {
			if links[i].How == Waiting && i+1 < len(links) {
				continue
			}
			if !yield(&links[first], &links[i]) {
				return
			}
			first = i + 1
		}
	}
}

// Root returns the last link of the chain, where there is one.
func (a *Answer) Root() (l Link, ok bool) {
	if len(a.Chain) == 0 {
		return Link{}, false
	}
	return a.Chain[len(a.Chain)-1], true
}

// Engine answers for one session. Like the session it belongs to one goroutine. It keeps its
// working memory, so that answers allocate only their results.
type Engine struct {
	s    *store.Session
	look lookup

	base               *compare.Against // source of typical values; nil: the frames around
	own, other, rates  profile          // of the frame; of one of another thread; of a stretch of time of that
	found, otherCauses causes
	links              []Link
	tree               spans.Tree
	inside             []spans.Inside
	bars               []spans.Bar
	beside             []spans.Stat

	books  map[model.TrackID]*book
	answer Answer
	times  []int64

	kinds    map[kindKey]kindOf
	named    bool // some collector's name says that it waits
	namedRev uint64
	listing  bool            // parts are listed as the recording has them, the spans that are frames among them
	apartNs  int64           // by how much the clock of the thread that is looked at may differ: see meet
	only     []model.TrackID // those on which a reason is looked for; nil: all
	enderIDs []model.TrackID // of endsAsWait
	least    float64         // score of a candidate that is believed
	pairs    [][2]once
	callees  []spans.Bar
	selfs    []model.CollectorTime
	learns   int  // of collectors, for this answer
	learning bool // of one
	pieces   bool // an answer learns of one collector, and is short if it takes more
	short    bool
	looks    int64 // how often learning looked at a thread, for tests

	ways  map[model.TrackID]*way
	late  []int64
	stops stops
}

// NewEngine returns an engine for a session.
func NewEngine(s *store.Session) *Engine { return &Engine{s: s} }

// Session returns the session that it answers for.
func (e *Engine) Session() *store.Session { return e.s }

// lookup is the input of one answer.
type lookup struct {
	tree                     *model.Hierarchy
	number                   int64 // of the frame
	first, last              int   // frames around, and it
	beginNs, endNs           int64 // of these
	frameBeginNs, frameEndNs int64
	typicalNs                int64 // of the frame
	hitches                  []int // among the frames around
}

// shares of the excess.
const (
	leastShare = 0.2  // the least share of a cause in the excess
	newShare   = 0.6  // the same where that something is new
	allShare   = 0.75 // a child with this share of the excess has all of it
)

// Frame fills out with why a frame took as long as it did. The slices of out are reused. ok is false
// where there is no such frame.
func (e *Engine) Frame(track model.TrackID, index int, out *Answer) (ok bool) {
	if !e.typical(track, index, out) {
		return false
	}
	excess := out.ExcessNs()
	if excess == 0 {
		return true
	}
	t := e.s.Track(track)
	f := t.Frame(index)
	e.look.tree, e.learns = e.s.Collectors().Tree(), 0
	if !e.own.ofFrame(e, e.look.tree, track, index, nil) {
		out.UnexplainedNs = excess
		return true
	}
	e.look.number = f.Number
	e.look.first, e.look.last = max(index-sideRefs, 0), min(index+sideRefs, t.NumFrames()-1)
	if len(e.own.refs) > 0 {
		e.look.first, e.look.last = min(slices.Min(e.own.refs), index), max(slices.Max(e.own.refs), index)
	}
	e.look.beginNs, e.look.endNs, _ = t.FrameTimes(e.look.first, e.look.last)
	e.look.frameBeginNs, e.look.frameEndNs, e.look.typicalNs = f.Begin, f.End, out.TypicalNs
	e.lookAtHitches(t, index)
	e.found.find(&e.own, excess)
	great := len(e.found.list)
	e.found.lesser(excess)
	out.UnexplainedNs = excess
	for i := range e.found.list {
		l := e.link(&e.own, &e.found.list[i], f.Begin, f.End)
		e.links = append(e.links[:0], l)
		e.links = e.follow(f.Begin, f.End, e.links)
		if last := &e.links[len(e.links)-1]; last.How != Unknown || last.State == Runnable {
			out.UnexplainedNs -= e.links[0].ExcessNs
		}
		switch {
		case i == 0:
			out.Chain = append(out.Chain, e.links...)
		case limited(e.links) && e.refreshes():
			out.UnexplainedNs -= l.ExcessNs
		case limited(out.Chain) && l.How != Waiting && i < great && e.refreshes():
			out.UnexplainedNs -= out.Chain[0].ExcessNs
			out.Chain = append(out.Chain[:0], e.links...)
		default:
			out.Others = append(out.Others, e.links...)
		}
	}
	out.UnexplainedNs = max(out.UnexplainedNs, 0)
	out.least = e.own.least(&e.found)
	e.noteTaken(out.Chain)
	e.noteTaken(out.Others)
	if n := len(out.Chain); n > 0 {
		out.Chain[n-1].Role = e.roleOf(out.Chain[n-1].Track, track)
	}
	return true
}

// follow appends the links that explain the last one: what the data say that it waited for, else what the times do.
func (e *Engine) follow(fromNs, toNs int64, links []Link) []Link {
	if out, ok := e.byState(links); ok {
		return out
	}
	l := links[len(links)-1]
	if l.How != Waiting {
		if out := e.mayWait(fromNs, toNs, links); len(out) > len(links) {
			return out
		}
		return e.stood(l, fromNs, toNs, links)
	}
	n := len(links)
	out := e.explain(waitOf(&l, fromNs, toNs), links)
	if k := e.Kind(l.Track, l.Collector); k.Waits && !k.Evens && out[len(out)-1].How == Unknown {
		// It was taken for a wait because other work ends with it, and nothing explains it: then it is work.
		l.How = Longer
		if l.Calls > l.TypicalCalls {
			l.How = MoreCalls
		}
		return append(out[:n-1], l)
	}
	return out
}

// lookAtHitches notes the other hitches among the frames around: the work of other threads during
// these is not typical. If hitches take much of the time, it notes none.
func (e *Engine) lookAtHitches(t *store.Track, index int) {
	l, p := &e.look, &e.own
	if e.base != nil {
		return
	}
	l.hitches, p.others = e.s.Frames().Hitches(p.track, l.first, l.last, l.hitches[:0]), p.others[:0]
	ns := int64(0)
	for _, i := range l.hitches {
		if f := t.Frame(i); i != index {
			p.others = append(p.others, f.Begin, f.End)
			ns += f.End - f.Begin
		}
	}
	if 2*ns > l.endNs-l.beginNs-(l.frameEndNs-l.frameBeginNs) {
		p.others = p.others[:0]
	}
}

// limited reports whether a chain is a wait of unknown reason that most frames have, such as a
// limiter or a vsync, which makes a late frame later still. If work took longer besides, that made
// the frame late.
func limited(chain []Link) bool {
	return len(chain) == 1 && chain[0].How == Unknown && 2*chain[0].Seen >= chain[0].Around
}
