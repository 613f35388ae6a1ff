package view

import (
	"cmp"
	"math"

	"framescope/charts/format"
	"framescope/model"
	"framescope/model/spans"
)

// unit is the division of time on the view's thread, and its consequences: frames if it has some,
// else single spans and ranges of time. Panels have a PerUnit for each.
type unit interface {
	// atPlayhead, atSpan and atTrack select the unit at the playhead, at the span just selected, and
	// on the thread just chosen. For atTrack, a frame of it lies beside the previous selection, -1:
	// none.
	atPlayhead(v *View)
	atSpan(v *View)
	atTrack(v *View, frame int)
	// step selects the n-th unit after the selected one (n < 0: before), extend makes the selection
	// longer by n at the right, or for n < 0 at the left.
	step(v *View, n int)
	extend(v *View, n int)
	// reach makes the selection longer up to a time, at the right, or for dir < 0 at the left; by one at
	// least.
	reach(v *View, dir int, ns int64)
	// edge returns when the selection ends, for dir < 0 when it begins.
	edge(v *View, dir int) int64
	// first and last select the first and the last one.
	first(v *View)
	last(v *View)
	// spike goes to the next one that stands out, for dir < 0 to the previous, if it is to step;
	// false where none is.
	spike(v *View, dir int, step bool) bool
	// around returns when the one of the playhead begins and ends; ok is false where time has none.
	around(v *View) (beginNs, endNs int64, ok bool)
	// follow selects the newest one and returns where the playhead is then.
	follow(v *View, endNs int64) int64
	// open chooses the first view of a session from begin to end.
	open(v *View, beginNs, endNs int64)
	// grow shows more of a session that became longer, if the user has not chosen a view.
	grow(v *View, beginNs, endNs int64)
}

type unitKey struct {
	rev   uint64
	track model.TrackID
	any   bool
}

// units returns the division of time on the view's thread. A thread that never had a frame has
// spans, once its session has data.
func (v *View) units() unit {
	if k := (unitKey{v.session.Revision(), v.track, true}); v.unitOf != k {
		v.unitOf, v.unit = k, byFrames{}
		if t := v.Shown(); t == nil || !t.HasFrames() {
			if _, _, ok := v.session.Bounds(); ok {
				v.unit = bySpans{}
			}
		}
	}
	return v.unit
}

// PerUnit is a panel's value for each unit of time: columns, words, a chart. Of chooses, so that no
// other code depends on the unit.
type PerUnit[T any] struct {
	Frames T // where the view's thread goes by frames, or nothing is stored yet
	Spans  T // where it goes by spans and ranges of time: it never had a frame
}

// Of returns the panel's value for the unit of time of the view's thread.
func (p *PerUnit[T]) Of(v *View) T {
	return format.Pick(v.units() == (byFrames{}), p.Frames, p.Spans)
}

// StepFrame selects the frame n after (n < 0: before) the selected one, from the playhead where
// none is selected. Where there are no frames it steps over spans. It ends Live.
func (v *View) StepFrame(n int) { v.units().step(v, n) }

// Extend makes the selection longer by n frames at the right (n < 0: at the left). Where there are
// no frames it is ExtendRange.
func (v *View) Extend(n int) { v.units().extend(v, n) }

// ExtendPage makes the selection longer by the width of the window of time, at the right (dir < 0: at
// the left), and brings that end into view.
func (v *View) ExtendPage(dir int) {
	if v.window.axis.Valid() {
		v.reach(dir, v.units().edge(v, dir)+int64(dir)*int64(v.window.axis.Width()))
	}
}

// ExtendAll makes the selection longer up to the newest, for dir < 0 to the oldest.
func (v *View) ExtendAll(dir int) {
	v.reach(dir, int64(dir)*model.MaxTime)
}

func (v *View) reach(dir int, ns int64) {
	b, e, ok := v.session.Bounds()
	if !ok {
		return
	}
	v.units().reach(v, dir, min(max(ns, b), e))
	at := v.units().edge(v, dir)
	v.window.axis.Show(at, at, v.window.animate, v.window.nowNs)
}

// GoFirst goes to the first frame, or where there are none to the begin of the session.
func (v *View) GoFirst() { v.units().first(v) }

// GoLast goes to the last frame, or where there are none to the end of the session.
func (v *View) GoLast() { v.units().last(v) }

// StepSpike selects the next (dir > 0) or previous spike of the view's thread, of those that the
// list of spikes shows (spans.Table.Spikes, SpikeSpans). It returns false where there is none.
func (v *View) StepSpike(dir int) bool { return v.units().spike(v, dir, true) }

// HasSpike reports whether StepSpike would find one.
func (v *View) HasSpike(dir int) bool { return v.units().spike(v, dir, false) }

// NextOccurrence selects the next span (dir < 0: the previous one) of the selected collector, from
// the selected span or the playhead: on the view's thread, and if it never runs there on the thread
// where it does so next. It returns false where there is none.
func (v *View) NextOccurrence(dir int) bool {
	c := v.Collector()
	if c == model.NoCollector {
		return false
	}
	from := v.walksFrom()
	b, ok := v.session.Spans().Next(v.track, c, from, dir)
	if _, here := v.session.Spans().Next(v.track, c, math.MinInt64, 1); !ok && !here {
		b, ok = v.nearestSpan(c, from, dir)
	}
	if ok {
		v.SelectSpan(b)
	}
	return ok
}

// FindCollector chooses a collector, and of its spans on all threads the next one from the playhead
// on, else the last one before it, if it has any.
func (v *View) FindCollector(c model.CollectorID) {
	v.SelectCollector(c)
	if v.hasSpan {
		return
	}
	b, ok := v.nearestSpan(c, v.playhead-1, 1)
	if !ok {
		b, ok = v.nearestSpan(c, v.playhead, -1)
	}
	if ok {
		v.SelectSpan(b)
	}
}

// StepFound selects the next span (dir < 0: the one before) of any of some collectors on any thread:
// from the selected span, else from the playhead on, and behind the last the first. It is false where
// they have none. Cost: O(threads · collectors · log spans).
func (v *View) StepFound(of []model.CollectorID, dir int) bool {
	at := spanPlace{v.playhead, -1, -1}
	if dir < 0 {
		at = spanPlace{v.playhead, math.MaxInt32, math.MaxInt32}
	}
	if v.hasSpan {
		at = placeOf(&v.span)
	}
	b, ok := v.foundBeside(of, at, dir)
	if !ok {
		from := int64(math.MinInt64 + 1)
		if dir < 0 {
			from = math.MaxInt64 - 1
		}
		b, ok = v.foundBeside(of, spanPlace{from, -1, -1}, dir)
	}
	if ok {
		v.SelectSpan(b)
	}
	return ok
}

// spanPlace is where a span stands among those that are gone through: by its begin, and of several
// that begin together by thread and collector.
type spanPlace struct {
	begin     int64
	track     model.TrackID
	collector model.CollectorID
}

func placeOf(b *spans.Bar) spanPlace { return spanPlace{b.Begin, b.Ref.Track, b.Collector} }

func (p spanPlace) compare(o spanPlace) int {
	return cmp.Or(cmp.Compare(p.begin, o.begin), cmp.Compare(p.track, o.track), cmp.Compare(p.collector, o.collector))
}

// foundBeside returns the span of any of the collectors that stands next to a place.
func (v *View) foundBeside(of []model.CollectorID, at spanPlace, dir int) (best spans.Bar, ok bool) {
	for id := range model.TrackID(v.session.NumTracks()) {
		for _, c := range of {
			b, some := v.session.Spans().Next(id, c, at.begin-int64(dir), dir) // with those that begin there
			if some && placeOf(&b).compare(at)*dir <= 0 {
				b, some = v.session.Spans().Next(id, c, at.begin, dir)
			}
			if some && (!ok || placeOf(&b).compare(placeOf(&best))*dir < 0) {
				best, ok = b, true
			}
		}
	}
	return best, ok
}

// ThreadOf returns the thread to look at a collector on: the given one if it runs there, else the
// first where it does, else the given one.
func (v *View) ThreadOf(c model.CollectorID, id model.TrackID) model.TrackID {
	if _, ok := v.session.Spans().Next(id, c, math.MinInt64, 1); ok {
		return id
	}
	if b, ok := v.nearestSpan(c, math.MinInt64, 1); ok {
		return b.Ref.Track
	}
	return id
}

// nearestSpan returns the next span of a collector after a time (dir < 0: before) on any thread, of
// several that begin together that on the view's.
func (v *View) nearestSpan(c model.CollectorID, from int64, dir int) (best spans.Bar, ok bool) {
	for id := range model.TrackID(v.session.NumTracks()) {
		b, some := v.session.Spans().Next(id, c, from, dir)
		nearer := (b.Begin < best.Begin) == (dir > 0) && b.Begin != best.Begin
		if some && (!ok || nearer || b.Begin == best.Begin && id == v.track) {
			best, ok = b, true
		}
	}
	return best, ok
}
