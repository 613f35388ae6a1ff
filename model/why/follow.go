package why

import (
	"math"

	"framescope/model"
)

// maxChain bounds a chain, in links.
const maxChain = 8

// wait is a wait that is to be explained.
type wait struct {
	track          model.TrackID
	collector      model.CollectorID
	fromNs         int64 // where to look for what it was for: the begin of the frame
	beginNs, endNs int64 // of the wait
	excessNs       int64 // how much longer than typical
	unusual        bool  // such waits are in (almost) none of the frames around
}

func waitOf(l *Link, fromNs int64) wait {
	w := wait{l.Track, l.Collector, min(fromNs, l.BeginNs), l.BeginNs, l.EndNs, l.ExcessNs, false}
	w.unusual = float64(l.Seen) <= rare*float64(l.Around)
	return w
}

// candidate is a thread that may have done what another waited for, and what it did.
type candidate struct {
	link   Link
	fromNs int64 // begin of what was looked at
	score  float64
	work   Link // what it did besides, where the link waits and nothing tells for what
	worked bool
}

// What counts.
const (
	leastReach   = 0.5  // of the excess of a wait that is on a thread that is believed to have caused it
	leastScore   = 0.3  // of a candidate that is believed
	notThen      = 0.25 // factor of a thread that did nothing when the wait ended
	usual        = 0.15 // of what is usual for its thread
	usualFrom    = 0.25 // of the wait is what is over the usual rate at least
	busyFrom     = 0.9  // of the time a thread works that always does
	workedFrom   = 0.6  // of the time between a cause and the end of a wait its thread worked
	idleFrom     = 0.1  // of a frame is not measured where a thread idles in what no collector covers
	unsure       = 0.8  // factor of what cannot be told by time
	byRate       = 0.9  // of what is known by its rate alone
	holderScore  = 0.6  // of what is usual, and ends just when the wait does
	holderCovers = 0.7  // of the wait that is long
)

// explain appends the links of what a wait, the last link so far, was for. Where nothing tells, that
// link becomes Unknown.
func (e *Engine) explain(w wait, links []Link) []Link {
	best := candidate{}
	if w.endNs > w.beginNs && len(links) < maxChain {
		for id := range model.TrackID(e.s.NumTracks()) {
			if t := e.s.Track(id); t.NumSpans() == 0 || !t.Def.Kind.Calls() || inChain(links, id) {
				continue
			}
			if got := e.ender(w, id); got.score > best.score {
				best = got
			}
		}
	}
	if best.score < leastScore {
		links[len(links)-1].How = Unknown
		return links
	}
	n := len(links)
	links = append(links, best.link)
	if best.link.How != Waiting {
		return links
	}
	links = e.explain(waitOf(&best.link, best.fromNs), links)
	if last := &links[len(links)-1]; last.How == Unknown && best.worked {
		links = append(links[:n], best.work)
	}
	return links
}

func inChain(links []Link, id model.TrackID) bool {
	for i := range links {
		if links[i].Track == id {
			return true
		}
	}
	return false
}

// ender returns what a thread did as a candidate for what a wait was for.
func (e *Engine) ender(w wait, id model.TrackID) candidate {
	offset, step := e.inStep(id)
	t := e.s.Track(id)
	if step && (t.Def.OwnClock || t.Def.ShiftNs != 0) {
		return e.byNumber(w, id, offset)
	}
	e.window(w, id)
	if !e.rates.mayExplain(w.excessNs) {
		return candidate{}
	}
	if step {
		i := e.frameOf(w, id)
		if i < 0 || !e.other.ofFrame(e.s, e.look.tree, id, i) {
			return candidate{}
		}
		return e.partner(w, e.turned(w, id))
	}
	return e.stranger(w, id)
}

// inStep tells whether the frames of a thread are those of the thread that is asked about, by number:
// they work for each other. offset is how far its numbers are ahead.
func (e *Engine) inStep(id model.TrackID) (offset int64, ok bool) {
	t, of := e.s.Track(id), e.s.Track(e.own.track)
	if t.NumFrames() == 0 {
		return 0, false
	}
	const most = 3
	if t.Def.OwnClock || t.Def.ShiftNs != 0 {
		_, ok := t.FrameByNumber(e.look.number)
		return 0, ok
	}
	var off [2]int64
	for k, i := range [...]int{e.look.first, e.look.last} {
		f := of.Frame(i)
		at := t.FrameAt((f.Begin + f.End) / 2)
		if at < 0 {
			return 0, false
		}
		off[k] = t.Frame(at).Number - f.Number
		if off[k] < -most || off[k] > most {
			return 0, false
		}
	}
	d := off[1] - off[0]
	return off[0], d >= -1 && d <= 1
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
	return max(100_000, 2*e.s.Info().Clock.Step(w.endNs), w.excessNs*2/100)
}

// turned tells whether a thread turned to something else when a wait ended: a span or a frame of it
// began or ended then.
func (e *Engine) turned(w wait, id model.TrackID) bool {
	near, t := e.near(w), e.s.Track(id)
	is := func(ns int64) bool { return ns >= w.endNs-near && ns <= w.endNs+near }
	for i := max(t.FrameAt(w.endNs+near)-1, 0); i < t.NumFrames(); i++ {
		f := t.Frame(i)
		if is(f.Begin) || is(f.End) {
			return true
		}
		if f.Begin > w.endNs+near {
			break
		}
	}
	for row := range min(t.Lanes(), 3) {
		e.bars = e.s.Spans().Visible(id, row, w.endNs-near, w.endNs+near, 0, e.bars[:0])
		for _, b := range e.bars {
			if is(b.Begin) || is(b.End) {
				return true
			}
		}
	}
	return false
}

// partner returns what a frame of a thread that is in step did, from the profile in e.other: its
// excess as a whole must reach that of the wait.
func (e *Engine) partner(w wait, turned bool) candidate {
	p := &e.other
	e.otherCauses.find(p, w.excessNs)
	f := e.s.Track(p.track).Frame(p.frame)
	got := candidate{fromNs: f.Begin}
	sum := int64(0)
	for k := range e.otherCauses.list {
		c := &e.otherCauses.list[k]
		l := e.link(p, c, f.Begin, f.End)
		if e.waitedToo(w, p, c, &l) {
			continue
		}
		sum += c.excess
		if got.link.ExcessNs == 0 {
			got.link = l
		}
		if c.how != Waiting && !got.worked {
			got.work, got.worked = l, true
		}
	}
	if reach := min(float64(sum)/float64(w.excessNs), 1); reach >= leastReach {
		got.score = math.Pow(reach, 1.5)
	}
	if !turned {
		got.score *= notThen
	}
	return got
}

// waitedToo tells whether a cause is that a thread waited or idled as the other one did.
func (e *Engine) waitedToo(w wait, p *profile, c *cause, l *Link) bool {
	switch c.how {
	case Waiting:
		if w.unusual && float64(l.Seen) > rare*float64(l.Around) { // it idles as ever
			return true
		}
		return l.EndNs >= w.endNs-e.near(w) && l.Collector == w.collector || l.BeginNs >= w.endNs
	case NotMeasured:
		x := &p.parts[c.part]
		return float64(x.self.typical) >= idleFrom*float64(p.parts[0].whole.typical) || l.BeginNs >= w.endNs-e.near(w)
	}
	return false
}

// byNumber returns what a thread did whose clock is not the session's: in the frame of the number, or
// in one of those before that it may be behind by.
func (e *Engine) byNumber(w wait, id model.TrackID, offset int64) (best candidate) {
	const behind = 2
	t := e.s.Track(id)
	for back := range int64(behind + 1) {
		i, ok := t.FrameByNumber(e.look.number + offset - back)
		if !ok || !e.other.ofFrame(e.s, e.look.tree, id, i) {
			continue
		}
		if got := e.partner(w, true); got.score*unsure > best.score && got.link.How != Waiting && got.link.How != NotMeasured {
			got.score *= unsure
			best = got
		}
	}
	return best
}

// stranger returns what a thread did that has a pace of its own. e.rates is its profile up to the end
// of the wait.
func (e *Engine) stranger(w wait, id model.TrackID) (best candidate) {
	if i := e.frameOf(w, id); i >= 0 && e.other.ofFrame(e.s, e.look.tree, id, i) {
		best = e.judged(w, &e.other, 1)
	}
	if got := e.judged(w, &e.rates, byRate); got.score > best.score {
		best = got
	}
	if got := e.holder(w, id); got.score > best.score {
		best = got
	}
	return best
}

func (e *Engine) judged(w wait, p *profile, factor float64) (best candidate) {
	e.otherCauses.find(p, w.excessNs)
	for k := range e.otherCauses.list {
		got := e.judge(w, p, &e.otherCauses.list[k])
		if got.score *= factor; got.score > best.score {
			best = got
		}
	}
	return best
}

// judge tells how likely it is that a wait was for a cause in a profile of a thread with a pace of its
// own: it must have run until the wait ended, or until then its thread must have worked on, and it must
// be unusual for the thread.
func (e *Engine) judge(w wait, p *profile, c *cause) candidate {
	got := candidate{link: e.link(p, c, w.fromNs, w.endNs), fromNs: w.fromNs}
	l, near := &got.link, e.near(w)
	excess := min(c.excess, e.inWindow(p, c).is)
	reach := min(float64(excess)/float64(w.excessNs), 1)
	if reach < leastReach || l.EndNs <= l.BeginNs {
		return candidate{}
	}
	got.score = math.Pow(reach, 1.5)
	end := l.EndNs
	if c.how == MoreCalls {
		if b, ok := e.s.Spans().Next(p.track, l.Collector, w.endNs, -1); ok {
			end = b.End
		}
	}
	passive := c.how == Waiting || c.how == NotMeasured
	switch {
	case end > w.endNs+near:
		return candidate{}
	case end >= w.endNs-near:
		if c.how == NotMeasured || c.how == Waiting && l.Collector == w.collector {
			return candidate{}
		}
	case passive, e.rates.busy >= busyFrom, e.worked(p.track, end, w.endNs) < workedFrom:
		return candidate{}
	}
	if !passive && c.how != New && e.isUsual(w, p, c) {
		got.score *= usual
	}
	return got
}

// inWindow returns what the part of a cause took from the begin of the frame to the end of the wait.
func (e *Engine) inWindow(p *profile, c *cause) quantity {
	id := p.parts[c.part].id
	for k := range e.rates.parts {
		if x := &e.rates.parts[k]; x.id == id {
			if c.whole {
				return x.whole
			}
			return x.self
		}
	}
	return quantity{}
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
	if float64(e.inWindow(p, c).excess()) >= usualFrom*float64(w.excessNs) {
		return false
	}
	return c.how != Longer || e.rates.busy >= busyFrom
}

// holder returns what a thread did that is usual, as a candidate, if it ran during (almost) all of a
// wait and ended just when the wait did, as one does that holds a lock.
func (e *Engine) holder(w wait, id model.TrackID) candidate {
	near := e.near(w)
	e.bars = e.s.Spans().Longest(id, model.NoCollector, -1, w.endNs-near, w.endNs+near, 8, e.bars[:0])
	for i := len(e.bars) - 1; i >= 0; i-- { // the innermost of those that are long enough
		b := &e.bars[i]
		slot := e.look.tree.Slot(b.Collector)
		if slot <= 0 || e.look.tree.All[slot].Waits {
			continue
		}
		ran := min(b.End, w.endNs) - max(b.Begin, w.beginNs)
		if b.End < w.endNs-near || b.End > w.endNs+near || float64(ran) < holderCovers*float64(w.endNs-w.beginNs) {
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
		return candidate{link: l, fromNs: w.fromNs, score: holderScore}
	}
	return candidate{}
}
