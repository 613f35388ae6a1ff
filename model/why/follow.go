package why

import (
	"math"
	"slices"

	"framescope/model"
	"framescope/model/spans"
)

// maxChain bounds a chain, in links.
const maxChain = 8

// wait is a wait that is to be explained.
type wait struct {
	track          model.TrackID
	collector      model.CollectorID
	fromNs         int64 // where the search for the reason begins: the begin of the frame
	untilNs        int64 // end of the frame
	beginNs, endNs int64 // of the wait
	excessNs       int64 // how much longer than typical
	unusual        bool  // such waits are in (almost) none of the frames around
	blocked        bool  // the data say that the thread was blocked just then
}

func waitOf(l *Link, fromNs, untilNs int64) wait {
	w := wait{l.Track, l.Collector, min(fromNs, l.BeginNs), max(untilNs, l.EndNs), l.BeginNs, l.EndNs, l.ExcessNs, false,
		false}
	w.unusual = float64(l.Seen) <= rare*float64(l.Around)
	return w
}

// candidate is a thread that another may have waited for, and its work.
type candidate struct {
	link   Link
	fromNs int64 // begin and end of the examined time
	toNs   int64
	score  float64
	work   Link // its other work, if the link waits for an unknown reason
	worked bool
}

// The weights.
const (
	leastReach   = 0.4  // of the excess of a wait that is on a thread that is believed to have caused it
	sure         = 0.6  // of a candidate that is not looked at in another way
	certain      = 0.95 // of a candidate beside which no others are looked at
	leastScore   = 0.3  // of a candidate that is believed
	notThen      = 0.25 // factor of a thread that did nothing when the wait ended
	usual        = 0.15 // factor if it is usual for its thread
	usualFrom    = 0.25 // least share of the wait's excess over the usual rate
	busyFrom     = 0.9  // of the time a thread works that always does
	nearly       = 0.6  // factor if it ended about when the wait did
	workedOn     = 0.4  // factor if it ended before, and its thread worked on until the wait ended
	workedFrom   = 0.9  // of the time between a cause and the end of a wait its thread worked
	idleFrom     = 0.1  // of a frame is uncovered if a thread idles outside all collectors
	unsure       = 0.8  // factor if the time gives no evidence
	byRate       = 0.9  // if known by its rate only
	waitsToo     = 0.95 // of a thread that waited itself
	holderScore  = 0.5  // if usual, and it ends just when the wait does
	holderCovers = 0.7  // of the wait that is long
	atOnce       = 5    // as exact as that is the end of one that is sure
	likely       = 0.65 // of a candidate for the reason of a call that is no known wait
)

// mostTried is how many candidates are followed until one ends at a root.
const mostTried = 3

// explain appends the links that explain a wait, the last link so far. Without a reason, that link
// becomes Unknown.
func (e *Engine) explain(w wait, links []Link) []Link {
	var tried [mostTried]candidate
	if len(links) < maxChain {
		e.enders(w, links, &tried)
	}
	n := len(links)
	var open []Link // a chain that ends at a wait
	for _, c := range tried {
		if c.score < max(leastScore, e.least) {
			break
		}
		links = append(links[:n], c.link)
		if c.link.How != Waiting {
			return e.mayWait(c.fromNs, c.toNs, links)
		}
		links = e.explain(waitOf(&c.link, c.fromNs, c.toNs), links)
		switch last := &links[len(links)-1]; {
		case last.How != Unknown:
			return links
		case c.worked:
			return append(links[:n], c.work)
		case !w.unusual && open == nil:
			open = slices.Clone(links[n:])
		}
	}
	links = append(links[:n], open...)
	links[len(links)-1].How = Unknown
	return links
}

// mayWait follows the last link as a wait if it ended as one does, and work was found that it waited for.
func (e *Engine) mayWait(fromNs, toNs int64, links []Link) []Link {
	n := len(links)
	l := links[n-1]
	switch l.How {
	case Longer, MoreCalls, New:
	default:
		return links
	}
	if n >= maxChain || e.statesOf(l.Track) != nil {
		return links
	}
	if k := e.learned(l.Track, l.Collector); n > 1 && l.How == Longer && !k.Waits && k.Of >= learnLeast {
		return links
	}
	on, ends := e.endsAsWait(&l, links)
	if len(on) == 0 {
		return links
	}
	links[n-1].How = Waiting
	if e.s.Collector(l.Collector).Voice == model.SaysNothing || !slices.ContainsFunc(on, e.comparable) {
		if e.only = on; ends != endsSure {
			e.least = likely
		}
	}
	out := e.explain(waitOf(&l, fromNs, toNs), links)
	e.least, e.only = 0, nil
	if last := &out[len(out)-1]; last.How == Unknown || last.How == Spread && last.Collector == 0 && ends != endsSure {
		links[n-1] = l // out may be elsewhere
		out = links
	}
	return out
}

// enders finds the best candidates for the reason of a wait, the best first. The wait may be
// several: each of the longest is tried.
func (e *Engine) enders(w wait, links []Link, best *[mostTried]candidate) {
	only := e.only
	e.only = nil
	var waits [mostTried]spans.Bar
	list := e.s.Spans().Longest(w.track, w.collector, -1, w.fromNs, max(w.endNs, w.untilNs), mostTried, waits[:0])
	if w.blocked {
		list = append(waits[:0], spans.Bar{Begin: w.beginNs, End: w.endNs, Collector: w.collector})
	}
	for _, b := range list {
		if 2*(b.End-b.Begin) < w.excessNs || b.End > w.untilNs {
			continue
		}
		one := w
		one.beginNs, one.endNs = b.Begin, b.End
		for id := range model.TrackID(e.s.NumTracks()) {
			t := e.s.Track(id)
			known := best[0].score >= certain && best[0].link.How != Waiting
			if known || e.pending || t.NumSpans() == 0 || !t.Def.Kind.Calls() || inChain(links, id) {
				continue
			}
			if only != nil && !slices.Contains(only, id) {
				continue
			}
			if !e.meet(w.track, id, w.excessNs) {
				continue
			}
			got := candidate{}
			if !e.foreign(w.track, id) || e.answers(id, &b) {
				got = e.ender(one, id)
			}
			if l := &got.link; l.How <= New && waited(links, l.Collector) {
				l.How = Waiting
			}
			if l := &got.link; l.How == Waiting {
				got.score *= waitsToo
				if l.EndNs > b.End && float64(l.Seen) > rare*float64(l.Around) {
					got.score = 0 // it idles until the thread that waits gives it work
				}
			}
			e.part()
			for k := range best {
				if got.score > best[k].score {
					got, best[k] = best[k], got
				}
			}
		}
	}
}

// waited reports whether a thread of a chain waits in a collector: then others do, too.
func waited(links []Link, c model.CollectorID) bool {
	return c > 0 && slices.ContainsFunc(links, func(l Link) bool { return l.How == Waiting && l.Collector == c })
}

func inChain(links []Link, id model.TrackID) bool {
	for i := range links {
		if links[i].Track == id {
			return true
		}
	}
	return false
}

// ender returns the work of a thread as a candidate for the reason of a wait.
func (e *Engine) ender(w wait, id model.TrackID) candidate {
	t := e.s.Track(id)
	if e.shifted(id) {
		if offset, step := e.inStep(id); step {
			return e.byNumber(w, id, offset)
		}
	}
	e.window(w, id)
	if !e.rates.mayExplain(w.excessNs) {
		return candidate{}
	}
	best := candidate{}
	turned := e.turned(w, id)
	if _, step := e.inStep(id); step && (turned || e.refreshes()) { // else its score would be too low
		const most = 3
		i := t.FrameAt(w.endNs - 1)
		for n := 0; n < most && i-n >= 0 && t.Frame(i-n).End > w.fromNs; n++ {
			if !e.other.ofFrame(e, e.look.tree, id, i-n, &e.own) {
				break
			}
			in := func(l Link) float64 { return e.inTime(w, turned, &l) }
			if got := e.partner(w, in); got.score > best.score {
				best = got
			}
		}
	}
	if best.score < sure {
		if got := e.stranger(w, id); got.score > best.score {
			best = got
		}
	}
	return best
}

// inStep reports whether the frames of a thread correspond by number to those of the examined thread:
// they work for each other. offset is how far its numbers are ahead.
func (e *Engine) inStep(id model.TrackID) (offset int64, ok bool) {
	t, of := e.s.Track(id), e.s.Track(e.own.track)
	if t.NumFrames() == 0 {
		return 0, false
	}
	if t.Def.OwnClock || t.Def.ShiftNs != 0 {
		_, ok := t.FrameByNumber(e.look.number)
		return 0, ok
	}
	const most, looks = 3, 9
	var offs [looks]int64
	n := 0
	for k := range looks {
		f := of.Frame(e.look.first + (e.look.last-e.look.first)*k/(looks-1))
		if at := t.FrameCovering((f.Begin + f.End) / 2); at >= 0 {
			offs[n] = t.Frame(at).Number - f.Number
			n++
		}
	}
	if n < looks/3 {
		return 0, false
	}
	slices.Sort(offs[:n])
	offset = offs[n/2]
	agree := 0
	for _, o := range offs[:n] {
		if o >= offset-1 && o <= offset+1 {
			agree++
		}
	}
	return offset, offset >= -most && offset <= most && 10*agree >= 7*n && !e.crosses(id, max(offset, 0))
}

// crosses reports whether work of a thread often goes on from frame to frame, or begins before the frame of the
// examined thread that has its number, as where a recording has frames of the program alone: then it has a pace of
// its own.
func (e *Engine) crosses(id model.TrackID, ahead int64) bool {
	const looks = 8
	t, of := e.s.Track(id), e.s.Track(e.own.track)
	found := 0
	for k := range int64(looks) {
		at := t.FrameAt(e.look.beginNs + (e.look.endNs-e.look.beginNs)*k/looks)
		if at < 0 {
			continue
		}
		ns := t.Frame(at).Begin
		b, ok := e.s.Spans().At(id, 0, ns, 0)
		if ok && b.Collector == 0 {
			b, ok = e.s.Spans().At(id, 1, ns, 0)
		}
		exact := e.exactAt(ns)
		over := ok && b.Begin < ns-exact && b.End > ns+exact && !e.waits(id, e.s.Collector(b.Collector))
		k, same := of.FrameByNumber(t.Frame(at).Number - ahead)
		found += count(over || same && ns < of.Frame(k).Begin-exact)
	}
	return found > looks/8
}

// frameOf returns the frame of a track that covers most of the examined time of a wait, -1 if there
// is none.
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
	const share, least, most = 0.02, 100_000, 2_500_000
	late := min(int64(share*float64(w.excessNs)), most)
	return max(least, 2*e.s.Info().Clock.Step(w.endNs), late) + e.apartNs
}

// turned reports whether a thread turned to something else when a wait ended: a span or a frame of it
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

// partner returns the work of a frame of a thread in step, from the profile in e.other: it scores by
// its share in the wait's excess. when rates the time of its end, as a factor of the score; nil if the
// thread's clock is not the session's.
func (e *Engine) partner(w wait, when func(l Link) float64) candidate {
	p := &e.other
	e.otherCauses.find(p, w.excessNs)
	f := e.s.Track(p.track).Frame(p.frame)
	got := candidate{fromNs: f.Begin, toNs: f.End}
	sum := int64(0)
	for k := range e.otherCauses.list {
		c := &e.otherCauses.list[k]
		l := e.link(p, c, f.Begin, f.End)
		if e.waitedToo(w, p, c, &l) || e.atItsRate(w, p, c) || e.mayIdle(w, &l) {
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
	if when != nil {
		got.score *= when(got.link)
	}
	return got
}

// mayIdle reports whether a link is what the wait is, too, until that ends, or is as ever in its thread and has a
// name that waits may have, or is the rest of a frame that goes on after the wait: a thread that lasts longer because
// it has nothing to do explains nothing.
func (e *Engine) mayIdle(w wait, l *Link) bool {
	voice, exact := e.s.Collector(l.Collector).Voice, e.exact(w)
	if l.Collector == w.collector && l.How != NotMeasured && l.EndNs >= w.endNs-e.near(w) {
		return true
	}
	if l.How == New || l.Seen == 0 {
		return false
	}
	if l.How == Longer && l.Calls <= 1 && l.EndNs > w.endNs+exact {
		return voice != model.SaysWork && e.atBorder(l)
	}
	return voice == model.MayWait && l.EndNs >= w.endNs-exact && (l.BeginNs <= w.beginNs || e.atBorder(l))
}

// inTime is the factor for a thread that turned to something else when a wait ended, or did not.
func (e *Engine) inTime(w wait, turned bool, l *Link) float64 {
	switch {
	case l.How == Spread:
		y, ended := e.endedAt(l.Track, w.endNs, e.exact(w))
		turned = turned && ended && y.Collector != 0
	case w.unusual && l.How != Waiting:
		turned = turned && e.until(w, l.Track, l)
	case l.How == MoreCalls:
		turned = turned && !e.wentOn(w, l.Track, l)
	}
	if !turned && !e.refreshed(w, l.EndNs) {
		return notThen
	}
	return 1
}

// until reports whether a thread was at something until a wait ended, or worked on until then.
func (e *Engine) until(w wait, track model.TrackID, l *Link) bool {
	end := l.EndNs
	if b, ok := e.s.Spans().Next(track, l.Collector, w.endNs, -1); ok {
		end = max(end, b.End)
	}
	return end >= w.endNs-e.near(w) || e.worked(track, end, w.endNs) >= workedFrom
}

// wentOn reports whether a thread was still in a repeated call when a wait had ended.
func (e *Engine) wentOn(w wait, track model.TrackID, l *Link) bool {
	b, ok := e.s.Spans().Next(track, l.Collector, w.endNs, -1)
	return ok && b.End > w.endNs+e.exact(w)
}

// refreshes reports whether the examined frame ended at a refresh of the screen: its length is a
// multiple of the typical length.
func (e *Engine) refreshes() bool {
	const differs = 0.03
	period, length := e.look.typicalNs, e.look.frameEndNs-e.look.frameBeginNs
	times := (length + period/2) / period
	off := math.Abs(float64(length - times*period))
	return times >= 2 && off <= differs*float64(period)+float64(e.s.Info().Clock.Step(e.look.frameEndNs))
}

// refreshed reports whether a wait that ended at a refresh was the rest of the time to it from ns on.
func (e *Engine) refreshed(w wait, ns int64) bool {
	return ns > w.endNs-e.look.typicalNs && ns <= w.endNs && e.refreshes()
}

// sameRate is the share of its usual calls, in as much time, that a thread at its rate makes at least.
const sameRate = 0.8

// atItsRate reports whether a thread in step did no more than it does all the time, in as much time: its
// frame has more of it because it is longer. e.rates is its profile up to the end of the wait.
func (e *Engine) atItsRate(w wait, p *profile, c *cause) bool {
	if e.rates.track != p.track || c.how == New || c.how == Waiting || c.how == NotMeasured {
		return false
	}
	if float64(e.inWindow(p, c).excess()) >= usualFrom*float64(w.excessNs) {
		return false
	}
	is, typical := int64(0), int64(0)
	for k := range e.rates.parts {
		is, typical = is+e.rates.parts[k].calls.is, typical+e.rates.parts[k].calls.typical
	}
	return float64(is) >= sameRate*float64(typical)
}

// waitedToo reports whether a cause is that a thread waited or idled as the other one did.
func (e *Engine) waitedToo(w wait, p *profile, c *cause, l *Link) bool {
	switch c.how {
	case Waiting:
		return w.idles(l) || l.BeginNs >= w.endNs
	case NotMeasured:
		x := &p.parts[c.part]
		return float64(x.self.typical) >= idleFrom*float64(p.parts[0].whole.typical) || l.BeginNs >= w.endNs-e.near(w)
	}
	return false
}

// idles reports whether another thread's wait is one as ever, and this one is not: it has nothing to do.
func (w *wait) idles(l *Link) bool { return w.unusual && float64(l.Seen) > rare*float64(l.Around) }

// byNumber returns the work of a thread with another clock than the session's: in the frame with
// the number of the waiting one, or in one of those before it that it may be behind by.
func (e *Engine) byNumber(w wait, id model.TrackID, offset int64) (best candidate) {
	const behind = 2
	t, number := e.s.Track(id), e.look.number
	if of := e.s.Track(w.track); w.track != e.own.track && of.NumFrames() > 0 {
		if at := of.FrameCovering(w.endNs - 1); at >= 0 {
			if _, step := e.inStep(w.track); step {
				number = of.Frame(at).Number
			}
		}
	}
	for back := range int64(behind + 1) {
		i, ok := t.FrameByNumber(number + offset - back)
		if !ok || !e.other.ofFrame(e, e.look.tree, id, i, &e.own) {
			continue
		}
		if got := e.partner(w, nil); got.score*unsure > best.score && got.link.How != Waiting && got.link.How != NotMeasured {
			got.score *= unsure
			best = got
		}
	}
	return best
}

// stranger returns the work of a thread with a pace of its own. e.rates is its profile up to the end
// of the wait.
func (e *Engine) stranger(w wait, id model.TrackID) (best candidate) {
	if i := e.frameOf(w, id); i >= 0 && e.other.ofFrame(e, e.look.tree, id, i, &e.own) {
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

// judge rates whether a wait was for a cause in a profile of a thread with its own pace: it must have
// run until the wait ended, or its thread must have worked on until then, and it must be unusual for
// the thread.
func (e *Engine) judge(w wait, p *profile, c *cause) candidate {
	got := candidate{link: e.link(p, c, w.fromNs, w.endNs), fromNs: w.fromNs, toNs: w.endNs}
	l, near := &got.link, e.near(w)
	if c.how == New { // nothing else is likely: a scheduler or an interpreter's lock may wake the other thread late
		near *= 2
	}
	if l.How == MoreCalls && l.Calls == 1 {
		l.How = Longer // it runs now and then
	}
	excess := min(c.excess, e.inWindow(p, c).is)
	reach := min(float64(excess)/float64(w.excessNs), 1)
	if l.EndNs <= l.BeginNs || e.mayIdle(w, l) {
		return candidate{}
	}
	end := l.EndNs
	if b, ok := e.s.Spans().Next(p.track, l.Collector, w.endNs, -1); ok && !w.ends(end, near) && c.how != NotMeasured {
		end = b.End
	}
	if !w.ends(end, near) {
		end = e.callerEnds(w, p.track, l, end)
	}
	passive := c.how == Waiting || c.how == NotMeasured
	switch {
	case end > w.endNs+near, passive && w.idles(l):
		return candidate{}
	case w.ends(end, near):
		if c.how == NotMeasured || c.how == Waiting && l.Collector == w.collector {
			return candidate{}
		}
		got.score = 1
		if !w.ends(end, e.exact(w)) { // the nearest is believed most
			got.score = nearly - (nearly-workedOn)*math.Abs(float64(w.endNs-end))/float64(near)
		}
	case passive, e.rates.busy >= busyFrom, e.worked(p.track, end, w.endNs) < workedFrom:
		return candidate{}
	default:
		got.score = workedOn
	}
	if least := leastReach * (2 - got.score); reach < least {
		return candidate{}
	}
	got.score *= math.Pow(reach, 1.5)
	if !passive && c.how != New && e.isUsual(w, p, c) {
		got.score *= usual
	}
	if l.How == MoreCalls && e.wentOn(w, p.track, l) {
		got.score *= notThen
	}
	return got
}

// callerEnds returns the end of the wait if a caller of a link's longest span ended then, else the
// given time.
func (e *Engine) callerEnds(w wait, track model.TrackID, l *Link, otherwise int64) int64 {
	var one [1]spans.Bar
	for _, b := range e.s.Spans().Longest(track, l.Collector, -1, w.fromNs, w.endNs, 1, one[:0]) {
		for ok := true; ok; b, ok = e.s.Spans().Caller(b.Ref) {
			if b.Collector != 0 && w.ends(b.End, e.exact(w)) {
				return w.endNs
			}
		}
	}
	return otherwise
}

// ends reports whether a time is the end of the wait, as exactly as that is given.
func (w *wait) ends(ns, exactly int64) bool { return ns >= w.endNs-exactly && ns <= w.endNs+exactly }

// exact is the precision of the times of an event and the wake-up that it causes.
func (e *Engine) exact(w wait) int64 { return e.exactAt(w.endNs) }

func (e *Engine) exactAt(ns int64) int64 { return max(50_000, 2*e.s.Info().Clock.Step(ns)) + e.apartNs }

// apartShare is the most, of an excess, by which the clocks of two programs may differ for one to explain the other.
const apartShare = 0.125

// meet makes times of a thread compare with those of another as exactly as the clocks of their programs do, until
// part. It returns false if that is too inexact to explain an excess.
func (e *Engine) meet(track, with model.TrackID, excessNs int64) bool {
	if !e.foreign(track, with) {
		return true
	}
	ns := model.AddSat(e.s.Track(track).Def.ProgramSpreadNs, e.s.Track(with).Def.ProgramSpreadNs)
	if float64(ns) > apartShare*float64(excessNs) {
		return false
	}
	e.apartNs = ns
	return true
}

func (e *Engine) part() { e.apartNs = 0 }

// foreign reports whether a thread is of another program.
func (e *Engine) foreign(track, of model.TrackID) bool {
	return e.s.Track(track).Def.Program != e.s.Track(of).Def.Program
}

// inWindow returns the time of a cause's part from the begin of the frame to the end of the wait.
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
		if slot := e.look.tree.Slot(in.Collector); slot > 0 && !e.waits(track, &e.look.tree.All[slot]) {
			ns += in.Self
		}
	}
	return float64(ns) / float64(toNs-fromNs)
}

// isUsual reports whether a cause is the constant work of its thread: it has no more than its usual
// share of the time.
func (e *Engine) isUsual(w wait, p *profile, c *cause) bool {
	if float64(e.inWindow(p, c).excess()) >= usualFrom*float64(w.excessNs) {
		return false
	}
	return c.how != Longer || e.rates.busy >= busyFrom
}

// holder returns usual work of a thread, as a candidate, if it ran during (almost) all of a wait and
// ended just when the wait did, as that of a lock's holder does.
func (e *Engine) holder(w wait, id model.TrackID) candidate {
	exact := e.exact(w)
	e.bars = e.s.Spans().Longest(id, model.NoCollector, -1, w.endNs-exact, w.endNs+exact, 8, e.bars[:0])
	for i := len(e.bars) - 1; i >= 0; i-- { // the innermost of those that are long enough
		b := &e.bars[i]
		slot := e.look.tree.Slot(b.Collector)
		if slot <= 0 || e.waits(id, &e.look.tree.All[slot]) {
			continue
		}
		ran := min(b.End, w.endNs) - max(b.Begin, w.beginNs)
		if e.look.tree.All[slot].Voice == model.MayWait || b.Collector == w.collector || !w.ends(b.End, exact) {
			continue
		}
		if float64(ran) < holderCovers*float64(max(w.endNs-w.beginNs, w.excessNs)) {
			continue
		}
		l := Link{
			Track: id, Collector: e.heart(b), How: Longer, ExcessNs: min(ran, w.excessNs), SelfNs: b.End - b.Begin,
			Calls: 1, BeginNs: b.Begin, EndNs: b.End, Baseline: e.base != nil,
		}
		for k := range e.rates.parts {
			if x := &e.rates.parts[k]; x.id == l.Collector {
				l.Calls, l.TypicalCalls, l.Seen, l.Around = x.calls.is, x.calls.typical, x.seen, e.rates.around
				switch {
				case x.waits:
					l.How = Waiting
				case float64(x.seen) <= rare*float64(e.rates.around):
					l.How = New
				}
			}
		}
		got := candidate{link: l, fromNs: w.fromNs, toNs: w.endNs, score: holderScore}
		if b.Begin <= w.beginNs && w.ends(b.End, exact/atOnce) {
			got.score = likely
		}
		return got
	}
	return candidate{}
}

// heart returns the collector that has most of the time of a span, as far as there is one.
func (e *Engine) heart(b *spans.Bar) model.CollectorID {
	e.s.Spans().SpanTree(b.Ref, b.Begin, b.End, &e.tree)
	nodes, at := e.tree.Nodes, -1
	for i := range nodes {
		if inside := at < 0 ||
			nodes[i].Parent == int32(at); inside && float64(nodes[i].Total) >= allShare*float64(b.End-b.Begin) {
			at = i
		}
	}
	if at < 0 {
		return b.Collector
	}
	return nodes[at].Collector
}
