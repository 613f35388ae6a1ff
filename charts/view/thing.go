package view

import (
	"fmt"
	"slices"
	"strings"

	"framescope/charts/format"
	"framescope/model"
	"framescope/model/locks"
	"framescope/model/store"
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

// about is the things related to the selected one: for an element its content and everything about
// it, for a series its element, for a message its subject.
type about struct {
	session *store.Session
	rev     uint64 // number of objects
	of      Thing
	main    model.ObjectID   // the object that it is, or is about
	ids     []model.ObjectID // objects, ascending
	names   map[string]bool
	speaks  []bool // by collector: it is about one of them
}

// Selects reports whether a collector is the selected one or belongs to the selected element: one
// of its words is the element's name. A word may also name one of its pads, "queue0.src" or
// "queue0:src".
func (s *selection) Selects(c model.CollectorID) bool {
	if c == model.NoCollector || s.thing.kind != elementThing {
		return c != model.NoCollector && c == s.Collector()
	}
	a := s.about()
	for i := len(a.speaks); i < s.session.Collectors().Len(); i++ {
		k := s.session.Collector(model.CollectorID(i))
		a.speaks = append(a.speaks, k != nil && a.named(k.Name))
	}
	return int(c) < len(a.speaks) && a.speaks[c]
}

// about updates the things related to the selected one.
func (s *selection) about() *about {
	a := &s.belongs
	rev := uint64(len(s.session.Topology().Objects()))
	if a.session == s.session && a.of == s.thing && a.rev == rev {
		return a
	}
	*a = about{
		session: s.session, rev: rev, of: s.thing, main: model.NoObject,
		ids: a.ids[:0], speaks: a.speaks[:0], names: map[string]bool{},
	}
	switch s.thing.kind {
	case elementThing:
		a.main = s.thing.object
		a.add(s.session, a.main, "")
	case seriesThing:
		if x := s.session.Series().ByID(s.thing.series); x != nil && x.Def.Object != model.NoObject {
			a.main = x.Def.Object
			a.ids = append(a.ids, a.main)
		}
	case messageThing:
		a.spokenOf(s.session, s.thing.message.Object)
	}
	slices.Sort(a.ids)
	return a
}

// maxWithin bounds the objects that belong to a selected one.
const maxWithin = 1 << 12

func (a *about) add(s *store.Session, id model.ObjectID, in string) {
	d, ok := s.Topology().Object(id)
	if !ok || len(a.ids) >= maxWithin || slices.Contains(a.ids, id) {
		return
	}
	a.ids = append(a.ids, id)
	if d.Name != "" {
		a.names[nameOf(s, &d, in)] = true
	}
	for _, child := range s.Topology().Children(id) {
		a.add(s, child, d.Name)
	}
}

// spokenOf adds the objects that words name, of a pad also its element.
func (a *about) spokenOf(s *store.Session, words string) {
	if words == "" {
		return
	}
	elements, nearest := map[string]bool{}, model.NoObject
	for word := range strings.FieldsSeq(words) {
		word = strings.ReplaceAll(word, ":", ".")
		element, _, _ := strings.Cut(word, ".")
		a.names[word], elements[element] = true, true
	}
	for _, d := range s.Topology().Objects() {
		name := nameOf(s, &d, "")
		if d.Name == "" || len(a.ids) >= maxWithin || !a.names[name] && !elements[name] {
			continue
		}
		a.ids = append(a.ids, d.ID)
		if a.main == model.NoObject && a.names[name] {
			a.main = d.ID
		} else if nearest == model.NoObject {
			nearest = d.ID
		}
	}
	if a.main == model.NoObject {
		a.main = nearest
	}
}

// nameOf returns the sources' name of an object: a pad with its element, which is in or, if that is
// empty, its parent.
func nameOf(s *store.Session, d *model.ObjectDef, in string) string {
	if d.Kind != model.ObjectPad && d.Kind != model.ObjectGhostPad {
		return d.Name
	}
	if in == "" {
		if parent, ok := s.Topology().Object(d.Parent); ok {
			in = parent.Name
		}
	}
	return in + "." + d.Name
}

// has reports whether an object belongs to it.
func (a *about) has(id model.ObjectID) bool {
	_, found := slices.BinarySearch(a.ids, id)
	return found && id != model.NoObject
}

// named reports whether a word of a text is a name of a related object.
func (a *about) named(text string) bool {
	for word := range strings.FieldsSeq(text) {
		word = strings.ReplaceAll(word, ":", ".")
		if a.names[word] {
			return true
		}
		if head, _, pad := strings.Cut(word, "."); pad && a.names[head] {
			return true
		}
	}
	return false
}
