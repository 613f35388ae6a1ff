package why

import (
	"math"
	"math/bits"
	"slices"

	"framescope/model"
	"framescope/model/frames"
	"framescope/model/spans"
)

// Kind is how a collector of a thread is taken, and why.
type Kind struct {
	// Waits: its time is waiting, which its name does not say.
	Waits bool
	// Evens means that what begins sooner or later in a frame ends at the same time of it. Else it ends when With
	// ends on another thread.
	Evens     bool
	WithTrack model.TrackID
	With      model.CollectorID
	// Seen is in how many of Of frames it did so.
	Seen, Of int
}

// kindOf is a kind that was learned when a thread had so many frames.
type kindOf struct {
	Kind
	frames int
	open   bool          // it is a wait if With is one that does not wait for on, which is not known yet
	on     model.TrackID // where the spans are that it was learned of
}

type kindKey struct {
	track     model.TrackID
	collector model.CollectorID
}

// Learning.
const (
	learnPairs   = 24   // pairs of frames of a thread that are looked at
	learnThreads = 32   // other threads that are looked at
	learnLooks   = 1024 // looks that these are found by
	learnMost    = 64   // collectors that one answer learns of, fewer if that takes many looks; the next ones go on
	learnLeast   = 8    // of them with the collector that it takes to learn anything
	learnFrom    = 0.1  // share of the examined time from which it matters what a collector is
	learnAgain   = 1.5  // as many frames as when it was learned make it learned anew
	calleesMost  = 0.25 // of a wait's time is in calls of it
	evensOut     = 0.5  // most change of the end of a wait from frame to frame, as a share of that of its begin
	endsOften    = 0.6  // of the waits end with another thread's work,
	endsAlways   = 0.9  // of them, or with that of one thread; and
	endsByChance = 0.3  // of other moments at most do
	inverse      = 0.6  // correlation of a wait's length with the lateness of its begin
)

// Kind returns how a collector of a thread is taken, as far as that has been learned for an answer.
func (e *Engine) Kind(track model.TrackID, c model.CollectorID) Kind {
	return e.kinds[kindKey{track, c}].Kind
}

// waits reports whether a collector of a thread waits, by its name or by what was learned of it.
func (e *Engine) waits(track model.TrackID, c *model.Collector) bool {
	return c.Waits || e.Kind(track, c.ID).Waits
}

// noteTaken notes how waits were taken for that which are not called so.
func (e *Engine) noteTaken(links []Link) {
	for i := range links {
		l := &links[i]
		if l.How != Waiting && l.How != Unknown || l.State != "" || e.s.Collector(l.Collector).Waits {
			continue
		}
		if l.Taken = e.Kind(l.Track, l.Collector); !l.Taken.Waits && i+1 < len(links) {
			l.Taken = Kind{Waits: true, WithTrack: links[i+1].Track, With: links[i+1].Collector, Seen: 1, Of: 1}
		}
	}
}

// learnParts learns of the parts of a profile that have much of its time whether they are waits.
func (e *Engine) learnParts(p *profile) {
	p.own = slices.Grow(p.own[:0], len(p.slots))[:0]
	for _, r := range p.rows {
		if k := int(p.place[r.slot]) - 1; r.ref < 0 && r.slot != 0 {
			for len(p.own) <= k {
				p.own = append(p.own, 0)
			}
			p.own[k] += r.ns
		}
	}
	for k, ns := range p.own {
		x := &p.parts[k]
		if x.waits || e.s.Collector(x.id).Voice == model.SaysWork || float64(ns) < learnFrom*float64(p.ownNs) {
			continue
		}
		x.waits = e.learned(p.track, x.id).Waits
	}
}

// LearnStep is how many looks at threads take about half a millisecond: see Pace.
const LearnStep = 2048

// Pace lets answers look so often at threads from now on to learn what waits: an answer that takes more is Pending,
// and goes on when it is asked for again. Most looks that go beyond are those for one collector. Without a call all is
// learned at once.
func (e *Engine) Pace(looks int64) { e.lookUntil = e.looks + looks }

// Pending reports whether the last answer would have taken more looks than Pace allows.
func (e *Engine) Pending() bool { return e.pending }

// learned returns the kind of a collector of a thread, which it learns where that was not done, or when the thread
// had much fewer frames: of the latter an answer learns one. It returns none where the answer is Pending.
func (e *Engine) learned(track model.TrackID, c model.CollectorID) Kind {
	key, frames := kindKey{track, c}, e.s.Track(track).NumFrames()
	known, ok := e.kinds[key]
	if ok && !known.open && (float64(frames) <= learnAgain*float64(known.frames) || e.learns > 0) {
		return known.Kind
	}
	if e.pending = e.pending || e.lookUntil > 0 && e.looks >= e.lookUntil; e.pending || e.learns >= learnMost {
		return Kind{}
	}
	if e.kinds == nil {
		e.kinds = map[kindKey]kindOf{}
	}
	if !known.open {
		looks := e.looks
		known = e.learn(track, c)
		known.frames = frames
		e.learns += 1 + int(e.looks-looks)/(2*learnLooks)
	}
	if known.open {
		e.kinds[key] = kindOf{frames: frames} // what asks for itself
		with := e.learned(known.WithTrack, known.With)
		known.open, known.Waits = e.pending, !e.pending && with.Waits && with.WithTrack != known.on
	}
	e.kinds[key] = known
	return known.Kind
}

// learn learns the kind of a collector of a thread.
func (e *Engine) learn(track model.TrackID, c model.CollectorID) (k kindOf) {
	if e.statesOf(track) != nil {
		return k
	}
	if e.gather(track, c) {
		k = e.settleKind(track, c)
	}
	if !k.Waits && k.Of < learnLeast {
		k = e.learnElsewhere(track, c)
	}
	return k
}

// learnElsewhere returns the kind that a collector has on another thread, for a thread with too few, or too short,
// spans of it.
func (e *Engine) learnElsewhere(track model.TrackID, c model.CollectorID) kindOf {
	for id := range min(model.TrackID(e.s.NumTracks()), learnThreads) {
		if id == track || !e.comparable(id) || e.foreign(track, id) || e.statesOf(id) != nil {
			continue
		}
		if e.gather(id, c) {
			return e.settleKind(id, c)
		}
	}
	return kindOf{}
}

// once is a span of a collector, the longest in a frame, and the same in the next frame.
type once struct {
	bar   spans.Bar
	begin int64 // of the frame
}

// gather collects the longest spans of a collector in pairs of frames all over the session. It returns false if these
// are too few, or call others.
func (e *Engine) gather(track model.TrackID, c model.CollectorID) bool {
	t := e.s.Track(track)
	n := t.NumFrames() - 1
	e.pairs = e.pairs[:0]
	ran := func(index int) bool { // no span is looked at where it did not
		e.selfs = e.s.Frames().Self(track, index, e.selfs[:0])
		return slices.ContainsFunc(e.selfs, func(a model.CollectorTime) bool { return a.Collector == c })
	}
	pairs := min(learnPairs, n)
	for k := range pairs {
		at := n * k / pairs
		if len(e.pairs)+pairs-k < learnLeast {
			return false
		}
		if !ran(at) || !ran(at+1) {
			continue
		}
		var pair [2]once
		found := true
		for i := range pair {
			f := t.Frame(at + i)
			bar, ok := e.longestIn(track, c, f)
			if !ok || bar.Begin < f.Begin {
				found = false
				break
			}
			pair[i] = once{bar, f.Begin}
		}
		if found && len(e.pairs) < 2*learnLeast && e.calls(pair[0].bar) {
			return false
		}
		if found {
			e.pairs = append(e.pairs, pair)
		}
	}
	return len(e.pairs) >= learnLeast
}

// longestIn returns the longest span of a collector in a frame.
func (e *Engine) longestIn(track model.TrackID, c model.CollectorID, f frames.Frame) (b spans.Bar, ok bool) {
	if e.bars = e.s.Spans().Longest(track, c, -1, f.Begin, f.End, 1, e.bars[:0]); len(e.bars) > 0 {
		return e.bars[0], true
	}
	return b, false
}

// calls reports whether a span has callees that do not wait.
func (e *Engine) calls(b spans.Bar) bool {
	ns := int64(0)
	e.callees = e.s.Spans().Visible(b.Ref.Track, int(b.Ref.Lane)+1, b.Begin+1, b.End-1, (b.End-b.Begin)/8, e.callees[:0])
	for _, in := range e.callees {
		if c := e.s.Collector(in.Collector); !c.Waits {
			ns += int64(float64(min(in.End, b.End)-max(in.Begin, b.Begin)) * float64(in.Busy))
		}
	}
	return float64(ns) > calleesMost*float64(b.End-b.Begin)
}

// settleKind decides of the gathered spans. Of a name that may be one of a wait less is demanded.
func (e *Engine) settleKind(track model.TrackID, c model.CollectorID) kindOf {
	if k := e.evens(); k.Waits {
		return kindOf{Kind: k}
	}
	k := e.endsWith(track, e.s.Collector(c).Voice)
	open := !k.Waits && k.Seen >= learnLeast && float64(k.Seen) >= endsAlways*float64(k.Of) && k.With != c
	return kindOf{Kind: k, open: open, on: track}
}

// evens reports whether the spans end more evenly in their frames than they begin: a wait that begins late is
// shorter. Work that begins late ends late.
func (e *Engine) evens() Kind {
	begins, ends := e.late[:0], make([]int64, 0, len(e.pairs))
	for i := range e.pairs {
		a, b := &e.pairs[i][0], &e.pairs[i][1]
		begins = append(begins, distance(a.bar.Begin-a.begin, b.bar.Begin-b.begin))
		ends = append(ends, distance(a.bar.End-a.begin, b.bar.End-b.begin))
	}
	seen := 0
	for i := range ends {
		if float64(ends[i]) <= evensOut*float64(begins[i]) {
			seen++
		}
	}
	slices.Sort(begins)
	slices.Sort(ends)
	step := e.s.Info().Clock.Step(e.pairs[0][0].bar.End)
	e.late = begins
	mid := (len(ends) - 1) / 2
	even := begins[mid] > 4*step && float64(ends[mid]) <= evensOut*float64(begins[mid])
	return Kind{Waits: even, Evens: true, Seen: seen, Of: len(ends)}
}

func distance(a, b int64) int64 { return max(a-b, b-a) }

// endsWith reports whether the spans end when work on other threads does. Where what ends there may itself wait, the
// lengths of both, from frame to frame, say which of them does: a wait is the shorter the later it begins.
func (e *Engine) endsWith(track model.TrackID, voice model.Voice) (best Kind) {
	var all endings
	var ends [2 * learnPairs]int64
	for i := range e.pairs {
		ends[2*i], ends[2*i+1] = e.pairs[i][0].bar.End, e.pairs[i][1].bar.End
	}
	most := 0
	near := e.endsMost(track, ends[:2*len(e.pairs)])
	for _, x := range near.list[:near.n] {
		id := x.id
		var one endings
		x := e.endsWithThat(id, &one)
		if x.inverse() {
			return Kind{Waits: true, WithTrack: id, With: x.with, Seen: x.n, Of: 2 * len(e.pairs)}
		}
		if z := one.sum(voice); z.waitsFor(endsAlways) {
			return Kind{Waits: true, WithTrack: id, With: x.with, Seen: z.works, Of: z.n}
		}
		if x.n > most {
			most, best.WithTrack, best.With = x.n, id, x.with
		}
		if z, ok := e.endsWithSame(id, x.with); ok {
			return Kind{Waits: true, WithTrack: id, With: x.with, Seen: z.works, Of: z.n}
		}
		all.add(&one)
	}
	z := all.sum(voice)
	best.Seen, best.Of, best.Waits = z.works, z.n, z.waitsFor(endsOften)
	if !best.Waits {
		best.Seen = most
	}
	return best
}

// endsWithSame reports whether almost all of the gathered spans end with the outermost call of one collector on a
// thread, and that does not end at other moments in them.
func (e *Engine) endsWithSame(id model.TrackID, with model.CollectorID) (z ended, ok bool) {
	if with <= 0 {
		return z, false
	}
	for i := range e.pairs {
		for k := range e.pairs[i] {
			b := &e.pairs[i][k].bar
			exact := e.exactAt(b.End)
			if length(b) <= 8*exact {
				continue
			}
			z.n++
			if !e.turns(id, with, b.End, exact) {
				continue
			}
			z.works++
			for q := range int64(probes) {
				z.chance += count(e.turns(id, with, b.Begin+length(b)*(q+1)/(probes+1), exact))
			}
		}
	}
	return z, z.waitsFor(endsAlways)
}

// turns reports whether a thread turned from the outermost call of a collector to something else at a time.
func (e *Engine) turns(id model.TrackID, with model.CollectorID, ns, exact int64) bool {
	y, ok := e.endingAt(id, ns, exact)
	if !ok || y.Collector == 0 || e.outermost(y, ns+exact) != with {
		return false
	}
	next, ok := e.s.Spans().Innermost(id, ns+exact+1)
	return !ok || next.Collector != y.Collector
}

// nearby are the threads on which most spans ended when some of another did, the first ones first.
type nearby struct {
	n    int
	list [learnThreads]nearThread
}

// nearThread is a thread: of how many spans one of it ended at the end, and how far from it in all.
type nearThread struct {
	id    model.TrackID
	ended int
	offNs int64
}

// endsMost returns the threads of a program on which something ended most often at some times; all, where these are
// few.
func (e *Engine) endsMost(track model.TrackID, ends []int64) (near nearby) {
	threads := e.s.NumTracks()
	looks := 0
	if threads > learnThreads {
		looks = min(max(learnLooks/threads, 1), len(ends))
	}
	for id := range model.TrackID(threads) {
		if id == track || e.foreign(track, id) {
			continue
		}
		x := nearThread{id: id}
		for k := range looks {
			ns := ends[k*len(ends)/looks]
			exact := e.exactAt(ns)
			if !e.during(id, ns-exact, ns+exact) {
				continue
			}
			if y, ok := e.endedAt(id, ns, exact); ok {
				x.ended++
				x.offNs += distance(y.End, ns)
			}
		}
		needs := looks == 0 || len(ends) > 1 || x.ended > 0 // of very many threads few ended anything at one time
		if needs && e.comparable(id) {
			near.add(x)
		}
	}
	return near
}

// add adds a thread, in place of the last if there are too many.
func (near *nearby) add(x nearThread) {
	for k := range near.list[:near.n] {
		if y := &near.list[k]; x.ended > y.ended || x.ended == y.ended && x.offNs < y.offNs {
			x, *y = *y, x
		}
	}
	if near.n < learnThreads {
		near.list[near.n] = x
		near.n++
	}
}

// has reports whether a thread is among them.
func (near *nearby) has(id model.TrackID) bool {
	return slices.ContainsFunc(near.list[:near.n], func(x nearThread) bool { return x.id == id })
}

// endings says of each gathered span how it ended.
type endings [2 * learnPairs]seen

// add adds what ended with the spans on another thread.
func (a *endings) add(o *endings) {
	for i := range a {
		x, y := &a[i], &o[i]
		x.long, x.works, x.some, x.waits = x.long || y.long, x.works || y.works, x.some || y.some, x.waits || y.waits
		x.chance |= y.chance
	}
}

// ended counts spans: those that ended with work, or with a wait, and moments in them that some work ended at.
type ended struct{ n, works, waits, chance int }

// sum counts them. Of a name that may be one of a wait, it counts what may be work too.
func (a *endings) sum(voice model.Voice) (x ended) {
	for i := range a {
		y := &a[i]
		works := y.works || y.some && voice == model.MayWait
		x.n, x.works, x.waits = x.n+count(y.long), x.works+count(works), x.waits+count(y.waits)
		x.chance += bits.OnesCount8(y.chance)
	}
	return x
}

// waitsFor reports whether a share of the spans or more ended with work, and not by chance.
func (x ended) waitsFor(share float64) bool {
	often := x.n >= learnLeast && float64(x.works) >= share*float64(x.n)
	byChance := float64(x.chance) > endsByChance*float64(probes*x.works)
	return often && !byChance && 2*x.waits < x.n
}

// comparable reports whether ends of spans of a thread compare with those of others.
func (e *Engine) comparable(id model.TrackID) bool {
	t := e.s.Track(id)
	return !e.shifted(id) && t.Def.Kind.Calls() && t.NumSpans() > 0
}

// shifted reports whether a thread has, or had, a clock of its own.
func (e *Engine) shifted(id model.TrackID) bool {
	def := &e.s.Track(id).Def
	return def.OwnClock || def.ShiftNs != 0
}

// during reports whether a thread has anything between two times: most of very many threads have not.
func (e *Engine) during(id model.TrackID, fromNs, toNs int64) bool {
	begin, end, ok := e.s.Track(id).Bounds()
	return ok && begin <= toNs && end >= fromNs
}

func count(is bool) int {
	if is {
		return 1
	}
	return 0
}

// seen describes a span: whether it is long enough, and whether other work ended with it, or with its middle.
type seen struct {
	long, works, some, waits bool
	chance                   uint8 // a bit for each of some moments in it
}

// probes are the moments of a span that show how often something ends by chance.
const probes = 3

// ofThread is how spans end with those of one thread.
type ofThread struct {
	n                int
	with             model.CollectorID
	own, other, late []float64
}

// inverse reports whether the spans are the shorter the later they begin, and the others are not.
func (x *ofThread) inverse() bool {
	shorter := len(x.own) >= learnLeast && correlation(x.own, x.late) < -inverse
	return shorter && math.Abs(correlation(x.other, x.late)) < inverse/2
}

// endsWithThat compares the spans with those of a thread.
func (e *Engine) endsWithThat(id model.TrackID, all *endings) (x ofThread) {
	for i := range e.pairs {
		a, b := &e.pairs[i][0].bar, &e.pairs[i][1].bar
		with, ok := e.endsWithOne(id, a, &all[2*i], &x)
		next, too := e.endsWithOne(id, b, &all[2*i+1], &x)
		if ok && too && with.Collector == next.Collector {
			x.own = append(x.own, float64(length(b)-length(a)))
			x.other = append(x.other, float64(length(&next)-length(&with)))
			x.late = append(x.late, float64(b.Begin-next.Begin-a.Begin+with.Begin))
		}
	}
	return x
}

// endsWithOne notes what of a thread ended with a span. It returns that if it may be work or a wait.
func (e *Engine) endsWithOne(id model.TrackID, b *spans.Bar, is *seen, x *ofThread) (with spans.Bar, ok bool) {
	exact := e.exactAt(b.End)
	if is.long = length(b) > 8*exact; !is.long {
		return with, false
	}
	for q := range int64(probes) {
		y, ok := e.endingAt(id, b.Begin+length(b)*(q+1)/(probes+1), exact)
		if ok && e.endsWork(y, b) {
			is.chance |= 1 << q
		}
	}
	y, ok := e.endingAt(id, b.End, exact)
	switch {
	case !ok:
	case e.s.Collector(y.Collector).Waits:
		is.waits = true
	case e.endsWork(y, b):
		is.works = true
		x.n, x.with = x.n+1, e.outermost(y, b.End+exact)
	default:
		is.some = true
		x.n, x.with = x.n+1, y.Collector
		return y, true
	}
	return with, false
}

func length(b *spans.Bar) int64 { return b.End - b.Begin }

// endsWork reports whether a span that ends with another, b, is surely work: it has callees, or its thread did other
// things before it while b lasted.
func (e *Engine) endsWork(y spans.Bar, b *spans.Bar) bool {
	const short = 5
	return y.Collector != 0 && (short*length(&y) <= length(b) || e.calls(y))
}

// outermost returns the outermost caller of a span that ends no later than a time.
func (e *Engine) outermost(y spans.Bar, ns int64) model.CollectorID {
	c := y.Collector
	for b, ok := e.s.Spans().Caller(y.Ref); ok && b.Collector != 0 && b.End <= ns; b, ok = e.s.Spans().Caller(b.Ref) {
		c = b.Collector
	}
	return c
}

func correlation(x, y []float64) float64 {
	var xx, yy, xy float64
	for i := range x { // differences: their mean is about 0
		xx, yy, xy = xx+x[i]*x[i], yy+y[i]*y[i], xy+x[i]*y[i]
	}
	if xx == 0 || yy == 0 {
		return 0
	}
	return xy / math.Sqrt(xx*yy)
}
