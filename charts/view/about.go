package view

import (
	"slices"
	"strings"

	"framescope/model"
	"framescope/model/store"
)

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
