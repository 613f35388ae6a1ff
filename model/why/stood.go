package why

import (
	"framescope/model"
	"framescope/model/spans"
)

// A runtime that stops all threads, as to collect garbage, announces that to none: each is in a call that lasts
// longer. It shows in that a call took long in which nothing began or ended on any thread but one, which did unusual
// work just then, beginning to end.
const (
	stoodCovers = 0.7 // of the excess that work takes at least
	stoodLeast  = 2   // threads besides the frame's own that stood in the midst of a call
)

// stood explains a call that took longer by work of another thread during which all others stood still.
func (e *Engine) stood(l Link, fromNs, toNs int64, links []Link) []Link {
	if l.How != Longer || l.EndNs <= l.BeginNs || len(links) >= maxChain || e.s.Track(l.Track).Def.OwnClock {
		return links
	}
	w := waitOf(&l, fromNs, toNs)
	for id := range model.TrackID(e.s.NumTracks()) {
		if e.pending || id == l.Track || !e.during(id, l.BeginNs, l.EndNs) || !e.comparable(id) || e.foreign(l.Track, id) {
			continue
		}
		e.bars = e.s.Spans().Longest(id, model.NoCollector, -1, l.BeginNs, l.EndNs, 4, e.bars[:0])
		for _, b := range e.bars {
			c := e.s.Collector(b.Collector)
			long := b.Collector > 0 && c.Works() && float64(length(&b)) >= stoodCovers*float64(l.ExcessNs)
			w.beginNs, w.endNs, w.excessNs = b.Begin, b.End, min(l.ExcessNs, length(&b))
			if !long || !e.throughout(l.Track, &b) || !e.allStood(w, id, &b) {
				continue
			}
			e.window(w, id)
			if found := e.holder(w, id).link; found.ExcessNs > 0 {
				l.How = Waiting
				return append(append(links[:len(links)-1], l), found)
			}
		}
	}
	return links
}

// allStood reports whether all other threads stood still while a span of one ran, some of them in the midst of calls.
func (e *Engine) allStood(w wait, of model.TrackID, b *spans.Bar) bool {
	n := 0
	for id := range model.TrackID(e.s.NumTracks()) {
		if e.pending || id == of || id == w.track || !e.comparable(id) || e.foreign(w.track, id) {
			continue
		}
		switch at, ok := e.s.Spans().Innermost(id, (b.Begin+b.End)/2); {
		case !ok || at.Collector <= 0 || !e.s.Collector(at.Collector).Works() || e.learned(id, at.Collector).Waits:
		case !e.throughout(id, b):
			return false
		case n < stoodLeast && e.longer(w, id, &at):
			n++
		}
	}
	return !e.pending && n >= stoodLeast
}

// longer reports whether a call takes longer than those of its name on its thread by about as much as a wait.
func (e *Engine) longer(w wait, id model.TrackID, b *spans.Bar) bool {
	e.window(w, id)
	for k := range e.rates.parts {
		if x := &e.rates.parts[k]; x.id == b.Collector {
			return float64(length(b)) >= x.callWhole+stoodCovers*float64(w.excessNs)
		}
	}
	return false
}

// throughout reports whether a thread was in one call all the time that a span of another lasted.
func (e *Engine) throughout(id model.TrackID, b *spans.Bar) bool {
	exact := e.exactAt(b.End)
	at, ok := e.s.Spans().Innermost(id, (b.Begin+b.End)/2)
	return ok && at.Begin <= b.Begin+exact && at.End >= b.End-exact
}
