package why

import (
	"math"
	"slices"

	"framescope/model"
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
}

type kindKey struct {
	track     model.TrackID
	collector model.CollectorID
}

// Learning.
const (
	learnPairs   = 24   // pairs of frames of a thread that are looked at
	learnLeast   = 8    // of them with the collector that it takes to learn anything
	learnFrom    = 0.1  // share of the examined time from which it matters what a collector is
	learnAgain   = 1.5  // as many frames as when it was learned make it learned anew
	calleesMost  = 0.25 // of a wait's time is in calls of it
	evensOut     = 0.5  // most change of the end of a wait from frame to frame, as a share of that of its begin
	endsOften    = 0.6  // of the waits end with another thread's work,
	endsBychance = 0.3  // of other moments at most do
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
		if x.waits || float64(ns) < learnFrom*float64(p.ownNs) {
			continue
		}
		x.waits = e.learned(p.track, x.id).Waits
	}
}

// learned returns the kind of a collector of a thread, which it learns where that was not done, or when the thread
// had much fewer frames.
func (e *Engine) learned(track model.TrackID, c model.CollectorID) Kind {
	key, frames := kindKey{track, c}, e.s.Track(track).NumFrames()
	if known, ok := e.kinds[key]; ok && float64(frames) <= learnAgain*float64(known.frames) {
		return known.Kind
	}
	if e.kinds == nil {
		e.kinds = map[kindKey]kindOf{}
	}
	k := Kind{}
	if e.gather(track, c) {
		k = e.settleKind(track)
	}
	e.kinds[key] = kindOf{k, frames}
	return k
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
	for k := range min(learnPairs, n) {
		at := n * k / min(learnPairs, n)
		var pair [2]once
		found := true
		for i := range pair {
			f := t.Frame(at + i)
			one := e.s.Spans().Longest(track, c, -1, f.Begin, f.End, 1, e.bars[:0])
			if e.bars = one; len(one) == 0 || one[0].Begin < f.Begin {
				found = false
				break
			}
			pair[i] = once{one[0], f.Begin}
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

// settleKind decides of the gathered spans.
func (e *Engine) settleKind(track model.TrackID) Kind {
	if k := e.evens(); k.Waits {
		return k
	}
	return e.endsWith(track)
}

// evens reports whether the spans end more evenly in their frames than they begin: what is late in a frame makes
// them shorter. Work that begins late ends late.
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

// endsWith reports whether the spans end when work on another thread does.
func (e *Engine) endsWith(track model.TrackID) (best Kind) {
	for id := range model.TrackID(e.s.NumTracks()) {
		t := e.s.Track(id)
		if id == track || t.NumSpans() == 0 || !t.Def.Kind.Calls() || t.Def.OwnClock || t.Def.ShiftNs != 0 {
			continue
		}
		if k := e.endsWithThat(id); k.Waits && k.Seen > best.Seen {
			best = k
		}
	}
	return best
}

// endsWithThat is endsWith for one thread. What ended there counts as work if it has callees; else the lengths of
// both, from pair to pair, say which of them waits: a wait is the shorter the later it begins.
func (e *Engine) endsWithThat(id model.TrackID) (k Kind) {
	exact := e.exactAt(e.pairs[0][0].bar.End)
	chance, works, waits := 0, 0, 0
	var own, other, late []float64
	for i := range e.pairs {
		var with [2]spans.Bar
		hits := 0
		for j := range e.pairs[i] {
			b := &e.pairs[i][j].bar
			if b.End-b.Begin <= 4*exact {
				continue
			}
			k.Of++
			if _, ok := e.endingAt(id, b.Begin+(b.End-b.Begin)/2, exact); ok {
				chance++
			}
			y, ok := e.endingAt(id, b.End, exact)
			if !ok {
				continue
			}
			with[j], k.With = y, y.Collector
			hits++
			k.Seen++
			switch c := e.s.Collector(y.Collector); {
			case c.Waits:
				waits++
			case y.Collector != 0 && e.calls(y):
				works++
			}
		}
		if hits == 2 && with[0].Collector == with[1].Collector {
			a, b := &e.pairs[i][0].bar, &e.pairs[i][1].bar
			own = append(own, float64(b.End-b.Begin-a.End+a.Begin))
			other = append(other, float64(with[1].End-with[1].Begin-with[0].End+with[0].Begin))
			late = append(late, float64(b.Begin-with[1].Begin-a.Begin+with[0].Begin))
		}
	}
	k.WithTrack = id
	n := float64(k.Of)
	switch {
	case k.Of < learnLeast, float64(k.Seen) < endsOften*n, float64(chance) > endsBychance*n, 2*waits >= k.Seen:
	case 2*works >= k.Seen:
		k.Waits = true
	case len(own) >= learnLeast:
		k.Waits = correlation(own, late) < -inverse && math.Abs(correlation(other, late)) < inverse/2
	}
	return k
}

// endingAt returns what a thread was at until a time, if that ended then, give or take exact.
func (e *Engine) endingAt(id model.TrackID, ns, exact int64) (spans.Bar, bool) {
	b, ok := e.s.Spans().Innermost(id, ns-exact-1)
	return b, ok && b.Begin < ns-exact && b.End >= ns-exact && b.End <= ns+exact
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
