package spans

import (
	"framescope/model"
)

// A thing that goes through a program (a buffer of a pipeline) leaves a span on the track of its
// way (TrackStream), and one in each part that had it (TrackElement). Nothing in them names the
// thing, but a part has it from the very moment on at which the one before gave it away: sources
// take both times from one reading of the clock. So the way of a thing is the chain of spans of
// which each begins where the one before ends, from the begin of its span on the stream to the end
// of that.

// Passage is the way of one thing through a program.
type Passage struct {
	Way    Bar   // the span on the track of the way; Count is 0 where it is not known
	Stops  []Bar // the elements that had it, in order
	Whole  bool  // the stops lead to the end of the way; else its place after the last is unknown
	Number int64 // of the thing among those that were on their way, from 1
	Of     int64 // how many there were
}

// passageSteps bounds the lanes read for one answer, and passageTries the things read to find the
// one of a stop.
const (
	passageSteps = 1 << 16
	passageTries = 256
)

// passageSearch is a search for the chain that leads to end.
type passageSearch struct {
	table *Table
	parts []*LaneTrack // tracks of elements
	end   int64
	steps int
	stack []Bar
	best  []Bar // the chain that came farthest
}

// Passage finds the way of the thing that a span belongs to, on a track of a way or of an element.
// ok is false on other tracks, and without such a span. It reuses out's memory.
func (x *Table) Passage(ref Ref, out *Passage) (ok bool) {
	*out = Passage{Stops: out.Stops[:0]}
	b, ok := x.ByRef(ref)
	if !ok {
		return false
	}
	find := passageSearch{table: x}
	for _, t := range x.lanes.Tracks() {
		if t != nil && x.host.Kind(t.ID()) == model.TrackElement && t.Stored() > 0 {
			find.parts = append(find.parts, t)
		}
	}
	switch x.host.Kind(ref.Track) {
	case model.TrackStream:
		find.way(b, out)
		return true
	case model.TrackElement:
		if !find.ofStop(b, out) {
			*out = Passage{Stops: append(out.Stops[:0], b)}
		}
		return true
	}
	return false
}

// ofStop finds the way that contains a span in an element.
func (f *passageSearch) ofStop(b Bar, out *Passage) bool {
	tries := 0
	for _, t := range f.table.lanes.Tracks() {
		if t == nil || f.table.host.Kind(t.ID()) != model.TrackStream {
			continue
		}
		for lane := range t.Stack() {
			way, ok := f.table.At(t.ID(), lane, b.Begin, 0)
			if !ok || way.Begin > b.Begin || way.End < b.End {
				continue
			}
			if tries++; tries > passageTries {
				return false
			}
			f.way(way, out)
			for i := range out.Stops {
				if out.Stops[i].Ref == b.Ref {
					return true
				}
			}
		}
	}
	return false
}

// way finds the stops of a thing.
func (f *passageSearch) way(b Bar, out *Passage) {
	f.end, f.steps, f.stack, f.best = b.End, 0, f.stack[:0], f.best[:0]
	out.Way = b
	out.Whole = f.from(b.Begin)
	out.Stops = append(out.Stops[:0], f.best...)
	out.Number, out.Of = f.table.NumberOf(b)
}

// from goes on at a time. It reports whether the end was reached; the chain is in best.
func (f *passageSearch) from(timeNs int64) bool {
	if len(f.stack) > len(f.best) || timeNs == f.end {
		f.best = append(f.best[:0], f.stack...)
	}
	if timeNs == f.end {
		return true
	}
	for _, t := range f.parts {
		for lane, l := range t.Stack() {
			if f.steps++; f.steps > passageSteps {
				return false
			}
			if l == nil || l.Behind() == l.First() {
				continue
			}
			i := l.FirstBeginAt(timeNs)
			if i >= l.Behind() {
				continue
			}
			if begin, end := l.Times(i); begin != timeNs || end <= timeNs || end > f.end {
				continue
			}
			f.stack = append(f.stack, f.table.lanes.Plain(l, Ref{Track: t.ID(), Lane: uint16(lane), Index: i}))
			if f.from(f.stack[len(f.stack)-1].End) {
				return true
			}
			f.stack = f.stack[:len(f.stack)-1]
		}
	}
	return false
}

// NumberOf returns the number of a span among those of its track by the time at which they began,
// from 1, and how many there are.
func (x *Table) NumberOf(b Bar) (number, of int64) {
	for _, l := range x.lanes.Track(b.Ref.Track).Stack() {
		if l == nil {
			continue
		}
		number += l.FirstBeginAt(b.Begin)
		of += l.Behind()
	}
	return number + 1, of
}
