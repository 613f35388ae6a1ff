package why

import (
	"framescope/model"
	"framescope/model/spans"
)

// maxChain bounds a chain, in links.
const maxChain = 8

// wait is a wait that is to be explained.
type wait struct {
	track          model.TrackID
	fromNs         int64 // where to look for what it was for: the begin of the frame
	beginNs, endNs int64 // of the wait
	excessNs       int64 // how much longer than typical
}

// candidate is what a thread did that may be what another waited for.
type candidate struct {
	link  Link
	score float64
}

// What counts.
const (
	leastScore   = 0.3  // of a candidate that is believed
	notThen      = 0.35 // factor of what ended before the wait did, and then its thread did nothing
	goesOn       = 0.15 // of what went on when the wait had ended
	usual        = 0.15 // of what is usual for its thread
	usualFrom    = 0.25 // of the wait is what is over the usual rate at least
	busyFrom     = 0.9  // of the time a thread works that always does
	workedFrom   = 0.6  // of the time between a cause and the end of a wait its thread worked
	waitsToo     = 0.95 // of a thread that waited itself
	holderScore  = 0.6  // of what is usual, and ends just when the wait does
	holderCovers = 0.7  // of the wait that is long
)

// link makes the link of a cause in a profile.
func (e *Engine) link(p *profile, c *cause, fromNs, toNs int64) Link {
	x := &p.parts[c.part]
	l := Link{
		Track: p.track, Collector: x.id, How: c.how, ExcessNs: c.excess, SelfNs: c.isNs,
		Calls: x.calls.is, TypicalCalls: x.calls.typical, Seen: x.seen, Around: p.around,
	}
	switch {
	case c.how == NotMeasured:
		l.BeginNs, l.EndNs = e.longestGap(p.track, fromNs, toNs)
	case c.how != Spread:
		var one [1]spans.Bar
		for _, b := range e.s.Spans().Longest(p.track, x.id, -1, fromNs, toNs, 1, one[:0]) {
			l.BeginNs, l.EndNs = b.Begin, b.End
		}
	}
	return l
}

// longestGap returns the longest time in [fromNs, toNs) in which nothing ran on a track but its frame.
func (e *Engine) longestGap(track model.TrackID, fromNs, toNs int64) (begin, end int64) {
	at := fromNs
	next := func(b, until int64) {
		if b-at > end-begin {
			begin, end = at, b
		}
		at = max(at, until)
	}
	row := 0
	for ; row < 2; row++ {
		e.bars = e.s.Spans().Visible(track, row, fromNs, toNs, 0, e.bars[:0])
		if len(e.bars) > 0 && e.bars[0].Collector != 0 {
			break
		}
	}
	for _, b := range e.bars {
		if row < 2 {
			next(b.Begin, b.End)
		}
	}
	next(toNs, toNs)
	return begin, end
}

// explain appends the links of what a wait, the last link so far, was for. Where nothing tells, that
// link becomes Unknown.
func (e *Engine) explain(w wait, links []Link) []Link {
	if w.endNs <= w.beginNs || len(links) >= maxChain {
		links[len(links)-1].How = Unknown
		return links
	}
	work, waits := e.enders(w, links)
	if waits.score >= leastScore && (waits.score > work.score || work.link.How != NotMeasured) {
		n := len(links)
		longer := append(links, waits.link)
		next := wait{waits.link.Track, w.fromNs, waits.link.BeginNs, waits.link.EndNs, waits.link.ExcessNs}
		longer = e.explain(next, longer)
		root := &longer[len(longer)-1]
		same := root.Track == work.link.Track && root.Collector == work.link.Collector
		if waits.score > work.score || same && root.How != Unknown {
			return longer
		}
		links = longer[:n]
	}
	if work.score < leastScore {
		links[len(links)-1].How = Unknown
		return links
	}
	return append(links, work.link)
}

// enders returns the best candidates for what ended a wait: of those that worked, and of those that
// waited themselves.
func (e *Engine) enders(w wait, links []Link) (work, waits candidate) {
	for id := range model.TrackID(e.s.NumTracks()) {
		t := e.s.Track(id)
		if t.NumSpans() == 0 || !t.Def.Kind.Calls() || inChain(links, id) {
			continue
		}
		e.window(w, id)
		if !e.rates.mayExplain(w.excessNs) {
			continue
		}
		for _, framed := range [...]bool{true, false} {
			p := &e.rates
			from, to := w.fromNs, w.endNs
			if framed {
				i := e.frameOf(w, id)
				if i < 0 || !e.other.ofFrame(e.s, e.look.tree, id, i) {
					continue
				}
				p = &e.other
			}
			e.otherCauses.find(p, w.excessNs)
			for k := range e.otherCauses.list {
				c := &e.otherCauses.list[k]
				got := e.judge(w, p, c, from, to)
				best := &work
				if c.how == Waiting {
					best = &waits
				}
				if got.score > best.score {
					*best = got
				}
			}
		}
		if got := e.holder(w, id); got.score > work.score {
			work = got
		}
	}
	return work, waits
}

func inChain(links []Link, id model.TrackID) bool {
	for i := range links {
		if links[i].Track == id {
			return true
		}
	}
	return false
}

// frameOf returns the frame of a track that has most of the time in which what a wait was for ran, -1
// if there is none.
func (e *Engine) frameOf(w wait, id model.TrackID) int {
	t := e.s.Track(id)
	if t.NumFrames() == 0 {
		return -1
	}
	const most = 64
	best, bestNs := -1, int64(0)
	i := max(t.FrameAt(w.fromNs), 0)
	for n := 0; i < t.NumFrames() && n < most; i, n = i+1, n+1 {
		f := t.Frame(i)
		if f.Begin >= w.endNs {
			break
		}
		if ns := min(f.End, w.endNs) - max(f.Begin, w.fromNs); ns > bestNs {
			best, bestNs = i, ns
		}
	}
	return best
}

// near is how exactly times of threads are compared.
func (e *Engine) near(w wait) int64 {
	return max(200_000, 2*e.s.Info().Clock.Step(w.endNs), w.excessNs*3/100)
}

// judge tells how likely it is that a wait was for a cause in a profile of another thread.
func (e *Engine) judge(w wait, p *profile, c *cause, fromNs, toNs int64) candidate {
	got := candidate{link: e.link(p, c, fromNs, toNs)}
	reach := min(float64(c.excess)/float64(w.excessNs), 1)
	if reach < explainedFrom {
		return candidate{}
	}
	got.score = reach
	l, near := &got.link, e.near(w)
	end := l.EndNs
	if c.how == MoreCalls {
		if b, ok := e.s.Spans().Next(p.track, l.Collector, w.endNs, -1); ok {
			end = b.End
		}
	}
	passive := c.how == Waiting || c.how == NotMeasured
	switch {
	case e.s.Track(p.track).Def.OwnClock || l.EndNs <= l.BeginNs:
	case end > w.endNs+near:
		got.score *= goesOn
	case end >= w.endNs-near:
		if passive { // it waited for the same
			return candidate{}
		}
	case e.worked(p.track, end, w.endNs) < workedFrom:
		if passive {
			return candidate{}
		}
		got.score *= notThen
	}
	if passive {
		got.score *= waitsToo
	} else if c.how != New && e.isUsual(w, p, c) {
		got.score *= usual
	}
	return got
}

// worked returns the share of a stretch of time in which a thread worked.
func (e *Engine) worked(track model.TrackID, fromNs, toNs int64) float64 {
	if toNs <= fromNs {
		return 1
	}
	one := [1]model.TrackID{track}
	e.s.Spans().Tree(one[:], fromNs, toNs, &e.tree)
	e.inside = e.tree.Inside(e.inside[:0])
	ns := int64(0)
	for _, in := range e.inside {
		if slot := e.look.tree.Slot(in.Collector); slot > 0 && !e.look.tree.All[slot].Waits {
			ns += in.Self
		}
	}
	return float64(ns) / float64(toNs-fromNs)
}

// isUsual tells whether a cause is what its thread does all the time: it has no more of the time than
// it usually has.
func (e *Engine) isUsual(w wait, p *profile, c *cause) bool {
	r := &e.rates
	over, id := int64(0), p.parts[c.part].id
	for k := range r.parts {
		if x := &r.parts[k]; x.id == id {
			if over = x.self.excess(); c.whole {
				over = x.whole.excess()
			}
		}
	}
	if float64(over) >= usualFrom*float64(w.excessNs) {
		return false
	}
	return c.how != Longer || r.busy >= busyFrom
}

// holder returns what a thread did that is usual, as a candidate, if it ran during (almost) all of a
// wait and ended just when the wait did, as one does that holds a lock.
func (e *Engine) holder(w wait, id model.TrackID) candidate {
	near := e.near(w)
	e.bars = e.s.Spans().Longest(id, model.NoCollector, -1, w.endNs-near, w.endNs+near, 8, e.bars[:0])
	var best candidate
	for i := len(e.bars) - 1; i >= 0; i-- { // the innermost of those that are long enough
		b := &e.bars[i]
		slot := e.look.tree.Slot(b.Collector)
		if slot <= 0 || e.look.tree.All[slot].Waits {
			continue
		}
		ran := min(b.End, w.endNs) - max(b.Begin, w.beginNs)
		if b.End < w.endNs-near || b.End > w.endNs+near/4 || float64(ran) < holderCovers*float64(w.endNs-w.beginNs) {
			continue
		}
		if float64(ran) < holderCovers*float64(w.excessNs) {
			continue
		}
		l := Link{
			Track: id, Collector: b.Collector, How: Longer, ExcessNs: min(ran, w.excessNs), SelfNs: b.End - b.Begin,
			Calls: 1, BeginNs: b.Begin, EndNs: b.End,
		}
		for k := range e.rates.parts {
			if x := &e.rates.parts[k]; x.id == b.Collector {
				if l.TypicalCalls = x.calls.typical; x.whole.typical*20 < x.whole.is {
					l.How = New
				}
			}
		}
		return candidate{l, holderScore}
	}
	return best
}
