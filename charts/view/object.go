package view

import (
	"slices"
	"strings"

	"framescope/model"
)

// object is the selected element, bin or pad, and what belongs to it.
type object struct {
	session *model.Session
	rev     uint64 // number of objects
	id      model.ObjectID
	ids     []model.ObjectID // itself and what lies in it, ascending
	names   map[string]bool
	about   []bool // by collector: it is about one of them
}

// SelectObject selects an element, a bin or a pad: its series, its messages and the collectors that are
// about it stand out in all panels. NoObject selects none.
func (v *View) SelectObject(id model.ObjectID) {
	if id == v.shown.object {
		return
	}
	v.chooses(false)
	v.ClearThing()
	v.shown.object = id
}

// Object returns the selected element, bin or pad, NoObject where there is none.
func (v *View) Object() model.ObjectID { return v.shown.object }

// Selects tells whether a collector is what is selected, or is about the selected object: one of its
// words is the object's name. A word may name a pad of it, "queue0.src" or "queue0:src".
func (v *View) Selects(c model.CollectorID) bool {
	if c == model.NoCollector || v.shown.object == model.NoObject {
		return c != model.NoCollector && c == v.Collector()
	}
	o := v.objectNow()
	for i := len(o.about); i < v.session.NumCollectors(); i++ {
		k := v.session.Collector(model.CollectorID(i))
		o.about = append(o.about, k != nil && o.named(k.Name))
	}
	return int(c) < len(o.about) && o.about[c]
}

// SelectsObject tells whether an object is the selected one, or lies in it.
func (v *View) SelectsObject(id model.ObjectID) bool {
	if id == model.NoObject || v.shown.object == model.NoObject {
		return false
	}
	_, found := slices.BinarySearch(v.objectNow().ids, id)
	return found
}

// SelectsName tells whether what a message says of its object means the selected one.
func (v *View) SelectsName(text string) bool {
	return text != "" && v.shown.object != model.NoObject && v.objectNow().named(text)
}

// objectNow brings what belongs to the selected object up to date.
func (v *View) objectNow() *object {
	o := &v.objects
	rev := uint64(len(v.session.Objects()))
	if o.session == v.session && o.id == v.shown.object && o.rev == rev {
		return o
	}
	*o = object{session: v.session, rev: rev, id: v.shown.object, ids: o.ids[:0], about: o.about[:0], names: map[string]bool{}}
	o.add(v.session, o.id, "")
	slices.Sort(o.ids)
	return o
}

// maxWithin bounds the objects that belong to a selected one.
const maxWithin = 1 << 12

func (o *object) add(s *model.Session, id model.ObjectID, in string) {
	d, ok := s.Object(id)
	if !ok || len(o.ids) >= maxWithin || slices.Contains(o.ids, id) {
		return
	}
	o.ids = append(o.ids, id)
	name := d.Name
	if d.Kind == model.ObjectPad || d.Kind == model.ObjectGhostPad {
		if in == "" {
			if parent, ok := s.Object(d.Parent); ok {
				in = parent.Name
			}
		}
		name = in + "." + name
	}
	if d.Name != "" {
		o.names[name] = true
	}
	for _, child := range s.ObjectChildren(id) {
		o.add(s, child, d.Name)
	}
}

// named tells whether a word of a text is a name of what belongs to it.
func (o *object) named(text string) bool {
	for word := range strings.FieldsSeq(text) {
		word = strings.ReplaceAll(word, ":", ".")
		if o.names[word] {
			return true
		}
		if head, _, pad := strings.Cut(word, "."); pad && o.names[head] {
			return true
		}
	}
	return false
}
