// This file judges calls that are too rare to learn of: was one call a wait, and which work ended it?

package why

import (
	"slices"

	"framescope/model"
	"framescope/model/spans"
)

// endsAsWait reports whether a link's span, which is no known wait, ended when work of another thread did that had
// begun before, as that of a lock's holder, or that did several things meanwhile. It returns these threads, until the
// next call: those of which that is sure, where there are such.
func (e *Engine) endsAsWait(l *Link, links []Link) (out []model.TrackID, best ending) {
	voice := e.s.Collector(l.Collector).Voice
	if voice == model.SaysWork {
		return out, best
	}
	says := voice == model.MayWait
	named := !says && e.namesWaits() // but seldom for another program
	var one [1]spans.Bar
	list := e.s.Spans().Longest(l.Track, l.Collector, -1, l.BeginNs, l.EndNs, 1, one[:0])
	if len(list) == 0 || list[0].Begin != l.BeginNs || e.calls(list[0]) {
		return out, best
	}
	out = e.enderIDs[:0]
	near := e.endsMost(l.Track, []int64{list[0].End})
	for id := range model.TrackID(e.s.NumTracks()) {
		if e.pending || id == l.Track || named && !e.foreign(l.Track, id) || inChain(links, id) {
			continue
		}
		ends := endsNot
		switch {
		case e.shifted(id):
			if e.ofOwnClock(id) {
				ends = endsMay
			}
		case !e.foreign(l.Track, id): // those near are comparable
			if near.has(id) {
				ends = e.endsWait(id, &list[0])
			}
		case e.comparable(id) && e.meet(l.Track, id, l.ExcessNs):
			if e.answers(id, &list[0]) {
				ends = endsMay
			}
			e.part()
		}
		if ends > best {
			out, best = out[:0], ends
		}
		if ends == best && ends != endsNot {
			out = append(out, id)
		}
	}
	e.enderIDs = out
	return out, best
}

// ending says whether work of a thread ended a wait.
type ending uint8

const (
	endsNot  ending = iota
	endsMay         // it may have
	endsSure        // it is unusual, and took much of the wait
)

// endsWait reports whether a thread ended a span, as endsAsWait says.
func (e *Engine) endsWait(id model.TrackID, b *spans.Bar) ending {
	const share, latest = 100, 250_000 // ns that the system may take to wake a thread up
	exact := e.exactAt(b.End)
	y, ok := e.endedAt(id, b.End, max(exact, min(length(b)/share, latest)))
	if !ok || e.after(&y, b) || y.Collector != 0 && (e.s.Collector(y.Collector).Waits ||
		e.learned(id, y.Collector).Waits) {
		return endsNot
	}
	const most = 0.4
	usual := e.usually(id, y)
	fills := float64(b.End-max(y.Begin, b.Begin)) >= most*float64(length(b))
	begun := e.beganBefore(y, b.Begin+exact)
	_, step := e.inStep(id)
	switch {
	case usual && (y.Collector == 0 || e.endsOftenEnough(y, exact)):
		return endsNot
	case y.Collector != 0 && !usual && fills:
		return endsSure
	case e.endsWork(y, b) || e.rests(id, y, b.End+exact):
		return endsMay
	case step && !e.endsUsually(id, y, b) && !e.endsFrames(id, y), !step && y.Collector != 0 && begun:
		return endsMay
	}
	return endsNot
}

// endsFrames reports whether the collector of a span mostly ends frames of its thread that the next follow at once, as
// idling until work comes does.
func (e *Engine) endsFrames(id model.TrackID, y spans.Bar) bool {
	const looks = 32
	t := e.s.Track(id)
	from := max(t.FrameAt(y.Begin)-2*looks, 0)
	n, found := 0, 0
	for at := from; at < min(from+4*looks, t.NumFrames()-1); at += 4 {
		f, next := t.Frame(at), t.Frame(at+1)
		last, ok := e.longestIn(id, y.Collector, f)
		if !ok || last.Begin == y.Begin {
			continue
		}
		n++
		exact := e.exactAt(f.End)
		found += count(distance(last.End, f.End) <= exact && next.Begin <= f.End+exact)
	}
	return y.Collector != 0 && n > 0 && 2*found > n
}

// after reports whether a span ended after another that ended at about the same time, and so did not end that.
func (e *Engine) after(y, b *spans.Bar) bool {
	const apart = 1000 // a call ends some time after it woke up another
	return y.End > b.End+max(apart, 2*e.s.Info().Clock.Step(b.End))
}

// endsUsually reports whether what ended with a span on a thread in step mostly ends with such spans, or, where these
// are rare, with the frames of their thread: as idling does until work comes, and work does that is always waited for.
func (e *Engine) endsUsually(id model.TrackID, y spans.Bar, b *spans.Bar) bool {
	const looks = 16
	t := e.s.Track(b.Ref.Track)
	n, found := 0, 0
	for k := range int64(looks) {
		at := t.FrameAt(e.look.beginNs + (e.look.endNs-e.look.beginNs)*k/(looks-1))
		if at < 0 || t.Frame(at).Begin <= b.Begin && t.Frame(at).End >= b.End {
			continue
		}
		f := t.Frame(at)
		ns := f.End
		if like, ok := e.longestIn(b.Ref.Track, b.Collector, f); ok {
			ns = like.End
		}
		n++
		if z, ok := e.endedAt(id, ns, e.exactAt(ns)); ok && z.Collector == y.Collector {
			found++
		}
	}
	return 2*found > n
}

// endsOftenEnough reports whether spans as short as one, with the callers that end with it, end so often that one ends
// at a time by chance.
func (e *Engine) endsOftenEnough(y spans.Bar, exact int64) bool {
	const byChance = 8
	return length(&y) < byChance*exact && !e.beganBefore(y, y.End-byChance*exact)
}

// endedAt is endingAt that also returns time of a frame outside all other spans, as a span of collector 0.
func (e *Engine) endedAt(id model.TrackID, ns, exact int64) (spans.Bar, bool) {
	e.looks++
	b, ok := e.s.Spans().Innermost(id, ns-exact-1)
	if !ok || b.Collector != 0 && b.Collector != e.frameSpans(id) {
		return b, ok && endsNear(&b, ns, exact)
	}
	end := b.End
	b.Collector = 0
	e.callees = e.s.Spans().Visible(id, int(b.Ref.Lane)+1, b.Begin, ns+exact, (ns-b.Begin)/256, e.callees[:0])
	for _, in := range e.callees {
		if in.Begin < ns-exact {
			b.Begin = max(b.Begin, in.End)
		} else {
			end = min(end, in.Begin)
		}
	}
	b.End = end
	return b, endsNear(&b, ns, exact)
}

// endsNear reports whether a span was long before a time, and ended then, give or take exact.
func endsNear(b *spans.Bar, ns, exact int64) bool {
	return b.Begin < ns-exact && b.End >= ns-exact && b.End <= ns+exact
}

// rests reports whether a thread has nothing to do once a span, and its callers that end by a time, have ended.
func (e *Engine) rests(id model.TrackID, y spans.Bar, ns int64) bool {
	for b, ok := e.s.Spans().Caller(y.Ref); ok && b.Collector != 0 && b.End <= ns; b, ok = e.s.Spans().Caller(b.Ref) {
		y = b
	}
	next, ok := e.s.Spans().Innermost(id, y.End+e.exactAt(y.End))
	return !ok || next.Collector == 0 || e.s.Collector(next.Collector).Waits || e.learned(id, next.Collector).Waits
}

// ofOwnClock reports whether a thread has a clock of its own, and frames of the same numbers.
func (e *Engine) ofOwnClock(id model.TrackID) bool {
	t := e.s.Track(id)
	_, step := e.inStep(id)
	return step && t.NumSpans() > 0 && t.Def.Kind.Calls() && e.shifted(id)
}

// answers reports whether a thread of another program had a call inside a span of the asker that fills most of it, and
// little to do before and after it, as one that serves requests. Programs that only run at the same time end many
// things within what their clocks differ by, and are held up together.
func (e *Engine) answers(id model.TrackID, b *spans.Bar) bool {
	const fills, busy, around = 0.6, 0.5, 8
	exact := e.exactAt(b.End)
	y, ok := e.endingAt(id, b.End, exact)
	if !ok || y.Collector == 0 {
		return false
	}
	for up, ok := e.s.Spans().Caller(y.Ref); ok && up.Collector != 0; up, ok = e.s.Spans().Caller(up.Ref) {
		y = up
	}
	inside := y.Begin >= b.Begin-exact && y.End <= b.End+exact
	if !inside || float64(length(&y)) < fills*float64(length(b)) || e.s.Collector(y.Collector).Waits {
		return false
	}
	near := max(2*exact, length(&y)/around)
	return e.worked(id, y.Begin-near, y.Begin) < busy && e.worked(id, y.End, y.End+near) < busy
}

// beganBefore reports whether a span, or a call that it is in, began no later than a time.
func (e *Engine) beganBefore(y spans.Bar, ns int64) bool {
	if y.Begin <= ns {
		return true
	}
	for b, ok := e.s.Spans().Caller(y.Ref); ok && b.Collector != 0; b, ok = e.s.Spans().Caller(b.Ref) {
		if b.Begin <= ns {
			return true
		}
	}
	return false
}

// namesWaits reports whether the session has collectors named as waits: then other collectors seldom wait.
func (e *Engine) namesWaits() bool {
	h := e.look.tree
	if e.namedRev != h.Rev || e.namedRev == 0 {
		e.namedRev = h.Rev
		e.named = slices.ContainsFunc(h.All, func(c model.Collector) bool { return c.HasTime && c.Voice == model.SaysWait })
	}
	return e.named
}

// atBorder reports whether a link's span ended with a frame of its thread: then all threads that go on with the next
// frame end something.
func (e *Engine) atBorder(l *Link) bool {
	t := e.s.Track(l.Track)
	i := t.FrameAt(l.EndNs)
	exact := e.exactAt(l.EndNs)
	if i < 0 || i >= t.NumFrames() {
		return false
	}
	f := t.Frame(i)
	return distance(f.End, l.EndNs) <= exact || distance(f.Begin, l.EndNs) <= exact
}

// usually reports whether most frames of a thread have the collector of a span, or as much time outside of all.
func (e *Engine) usually(id model.TrackID, y spans.Bar) bool {
	t := e.s.Track(id)
	const looks = 16
	n, found := min(t.NumFrames(), looks), 0
	for k := range n {
		at := t.NumFrames() * k / n
		if y.Collector == 0 {
			found += count(2*e.uncovered(id, at) > length(&y))
			continue
		}
		_, ran := e.longestIn(id, y.Collector, t.Frame(at))
		found += count(ran)
	}
	return 2*found > n
}

// uncovered returns the time of a frame outside all collectors.
func (e *Engine) uncovered(id model.TrackID, index int) int64 {
	f := e.s.Track(id).Frame(index)
	ns := f.End - f.Begin
	e.selfs = e.s.Frames().Self(id, index, e.selfs[:0])
	for _, a := range e.selfs {
		if a.Collector != 0 {
			ns -= a.Ns
		}
	}
	return ns
}

// endingAt returns what a thread was at until a time, if that ended then, give or take exact.
func (e *Engine) endingAt(id model.TrackID, ns, exact int64) (spans.Bar, bool) {
	e.looks++
	b, ok := e.s.Spans().Innermost(id, ns-exact-1)
	return b, ok && endsNear(&b, ns, exact)
}
