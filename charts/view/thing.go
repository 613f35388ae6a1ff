package view

import (
	"fmt"
	"strings"

	"framescope/charts/format"
	"framescope/model"
	"framescope/model/locks"
)

// Thing is a selected item other than spans, collectors and time: an element, a bin or a pad; a lock or one use
// of it; a series; a message; an object listed by a leak tracer. The zero value is none. Things are equal when
// they are the same.
type Thing struct {
	kind    thingKind
	object  model.ObjectID
	listed  model.ResourceID
	series  model.SeriesID
	use     locks.Use     // of a lock as such: only its Lock is set
	track   model.TrackID // of a message
	message model.Message
}

// Like reports whether both are of one kind: elements, messages, nothing.
func (t Thing) Like(o Thing) bool { return t.kind == o.kind }

type thingKind uint8

const (
	noThing thingKind = iota
	elementThing
	lockThing
	useThing
	seriesThing
	messageThing
	resourceThing
)

// Element returns an element, a bin or a pad as a thing, none for NoObject.
func Element(id model.ObjectID) Thing {
	if id == model.NoObject {
		return Thing{}
	}
	return Thing{kind: elementThing, object: id}
}

// Lock returns a lock as a thing, none for NoCollector.
func Lock(id model.CollectorID) Thing {
	if id == model.NoCollector {
		return Thing{}
	}
	return Thing{kind: lockThing, use: locks.Use{Lock: id}}
}

// Use returns one use of a lock as a thing.
func Use(u locks.Use) Thing { return Thing{kind: useThing, use: u} }

// Series returns a series as a thing, none for NoSeries.
func Series(id model.SeriesID) Thing {
	if id == model.NoSeries {
		return Thing{}
	}
	return Thing{kind: seriesThing, series: id}
}

// Message returns a message of a track as a thing.
func Message(track model.TrackID, m model.Message) Thing {
	return Thing{kind: messageThing, track: track, message: m}
}

// Resource returns an object that a leak tracer listed as a thing, none for a negative id.
func Resource(id model.ResourceID) Thing {
	if id < 0 {
		return Thing{}
	}
	return Thing{kind: resourceThing, listed: id}
}

// Resource returns which listed object it is; ok is false where it is something else.
func (t Thing) Resource() (id model.ResourceID, ok bool) { return t.listed, t.kind == resourceThing }

// None reports whether it is no thing.
func (t Thing) None() bool { return t.kind == noThing }

// Element returns which element, bin or pad it is, NoObject where it is something else.
func (t Thing) Element() model.ObjectID {
	return format.Pick(t.kind != elementThing, model.NoObject, t.object)
}

// Lock returns which lock it is, or is a use of, NoCollector where it is something else.
func (t Thing) Lock() model.CollectorID {
	return format.Pick(t.kind != lockThing && t.kind != useThing, model.NoCollector, t.use.Lock)
}

// Use returns which use of a lock it is; ok is false where it is something else.
func (t Thing) Use() (u locks.Use, ok bool) { return t.use, t.kind == useThing }

// Series returns which series it is, NoSeries where it is something else.
func (t Thing) Series() model.SeriesID {
	return format.Pick(t.kind != seriesThing, model.NoSeries, t.series)
}

// Message returns which message it is, and its track; ok is false where it is something else.
func (t Thing) Message() (track model.TrackID, m model.Message, ok bool) {
	return t.track, t.message, t.kind == messageThing
}

// String names a thing by its kind and its ids, for tests and logs; "" is none.
func (t Thing) String() string {
	switch t.kind {
	case elementThing:
		return fmt.Sprintf("element %d", t.object)
	case lockThing:
		return fmt.Sprintf("lock %d", t.use.Lock)
	case useThing:
		return fmt.Sprintf("use of lock %d by %d from %d to %d", t.use.Lock, t.use.Track, t.use.Begin, t.use.End)
	case seriesThing:
		return fmt.Sprintf("series %d", t.series)
	case messageThing:
		return fmt.Sprintf("message of %d at %d: %s", t.track, t.message.Time, t.message.Text)
	}
	if t.kind == resourceThing {
		return fmt.Sprintf("listed object %d", t.listed)
	}
	return ""
}

// when returns the thread and the time that a thing belongs to; ok is false where it is not of a
// time.
func (t Thing) when() (track model.TrackID, begin, end int64, ok bool) {
	switch t.kind {
	case useThing:
		return t.use.Track, t.use.Begin, t.use.End, true
	case messageThing:
		return t.track, t.message.Time, t.message.Time, true
	}
	return model.NoTrack, 0, 0, false
}

// Select selects a thing instead of the selected span, collector or thing: it, and everything
// related, stands out in all panels (Lights). A lock, or a use of one, chooses the lock's
// collector. The zero Thing drops the selected one.
func (v *View) Select(t Thing) {
	if t == v.thing {
		return
	}
	v.chooses(false)
	v.ClearThing()
	v.thing, v.chosen = t, t.Lock()
}

// SelectAt is Select that moves the playhead to a time as PlacePlayhead does: where the thing is,
// or where it was clicked. A message and a use of a lock bring their thread with them.
func (v *View) SelectAt(t Thing, timeNs int64) {
	if t != v.thing {
		v.chooses(false)
	}
	if track, _, _, ok := t.when(); ok && v.session.Track(track) != nil {
		v.setTrack(track)
	}
	v.PlacePlayhead(timeNs)
	v.Select(t)
}

// Thing returns the selected thing. Of a selected span or collector there is none.
func (s *selection) Thing() Thing { return s.thing }

// Lights reports whether a thing stands out: it is the selected one, is a part of it, or is about it.
// A lock stands out with its uses and when its collector is selected; an element with its series
// and its messages; a series or a message with its element; a listed object with the series of its
// references.
func (s *selection) Lights(t Thing) bool {
	if s.thing == t {
		return t.kind != noThing
	}
	switch t.kind {
	case elementThing:
		return s.Element() != model.NoObject && s.about().has(t.object)
	case lockThing:
		return s.Collector() == t.use.Lock
	case seriesThing:
		x := s.session.Series().ByID(t.series)
		if x == nil {
			return false
		}
		return s.thing.kind == elementThing && s.about().has(x.Def.Object) || s.countedBy(&x.Def)
	case messageThing:
		return t.message.Object != "" && s.thing.kind == elementThing && s.about().named(t.message.Object)
	}
	return false
}

// countedBy reports whether a series counts the references of the selected listed object: it is called
// after it.
func (s *selection) countedBy(d *model.SeriesDef) bool {
	id, ok := s.thing.Resource()
	list := s.session.Topology().Resources()
	if !ok || d.Role != model.RoleRefCount || int(id) >= len(list) {
		return false
	}
	r := &list[id]
	rest, typed := strings.CutPrefix(d.Name, r.Type+" ")
	rest, same := strings.CutPrefix(rest, r.Address)
	return typed && same && (rest == "" || rest == fmt.Sprint(" #", r.Listing) ||
		strings.HasPrefix(rest, fmt.Sprint(" #", r.Listing, " ")))
}

// Element returns the element, bin or pad that the selected thing is, or is about: that of a
// series, or the one that a message names. It is NoObject where there is none.
func (s *selection) Element() model.ObjectID {
	if s.thing.None() {
		return model.NoObject
	}
	return s.about().main
}

// keepThing drops a thing that belongs to a time if it lies outside the selected time.
func (s *selection) keepThing() {
	track, begin, end, ok := s.thing.when()
	if !ok || !s.HasRange() {
		return
	}
	if t := s.session.Track(track); t != nil && t.Def.OwnClock {
		return // its times are not those of the range
	}
	if begin >= s.rangeB || end < s.rangeA {
		s.dropThing()
	}
}

// dropThing drops the selected thing. If it was a use of a lock, the lock stays chosen.
func (s *selection) dropThing() { s.thing = Thing{} }

// SelectElement selects an element, and its row of the timeline where it has one.
func (v *View) SelectElement(id model.ObjectID, track model.TrackID) {
	if track != model.NoTrack {
		v.SetTrack(track)
	}
	v.Select(Element(id))
}
