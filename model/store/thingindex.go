package store

import (
	"slices"

	"framescope/model"
)

// Indexes over series and objects. They change with the definitions, not with the samples, so that nobody has to walk over all series in every frame.

// indexEntryBytes is about what an id in a list takes, with its share of list and map.
const indexEntryBytes = 32

// maxObjectDepth bounds how deep objects lie within each other. An object that would lie deeper, or within itself, has no parent.
const maxObjectDepth = 256

// SeriesGroup is the series that have Group in common, ascending by id.
type SeriesGroup struct {
	Name   string
	Series []model.SeriesID
}

// thingIndex finds series and objects by what they belong to. All lists are ascending.
type thingIndex struct {
	children map[model.ObjectID][]model.ObjectID
	byObject map[model.ObjectID][]model.SeriesID
	byTrack  map[model.TrackID][]model.SeriesID
	byRole   map[model.SeriesRole][]model.SeriesID
	groups   []SeriesGroup
	groupOf  map[string]int
	entries  int64
}

func (x *thingIndex) init() {
	if x.children == nil {
		*x = thingIndex{
			children: map[model.ObjectID][]model.ObjectID{}, byObject: map[model.ObjectID][]model.SeriesID{}, byTrack: map[model.TrackID][]model.SeriesID{}, byRole: map[model.SeriesRole][]model.SeriesID{}, groupOf: map[string]int{},
		}
	}
}

// addSeries takes a series that was not defined before.
func (x *thingIndex) addSeries(d *model.SeriesDef) {
	x.init()
	if d.Object != model.NoObject {
		x.byObject[d.Object] = insertID(x.byObject[d.Object], d.ID)
	}
	if d.Track != model.NoTrack {
		x.byTrack[d.Track] = insertID(x.byTrack[d.Track], d.ID)
	}
	x.byRole[d.Role] = insertID(x.byRole[d.Role], d.ID)
	k, ok := x.groupOf[d.Group]
	if !ok {
		k = len(x.groups)
		x.groupOf[d.Group] = k
		x.groups = append(x.groups, SeriesGroup{Name: d.Group})
	}
	x.groups[k].Series = insertID(x.groups[k].Series, d.ID)
	x.entries += 4
}

// removeSeries forgets a definition that another one replaces.
func (x *thingIndex) removeSeries(d *model.SeriesDef) {
	removeFrom(x.byObject, d.Object, d.ID)
	removeFrom(x.byTrack, d.Track, d.ID)
	removeFrom(x.byRole, d.Role, d.ID)
	k := x.groupOf[d.Group]
	if x.groups[k].Series = removeID(x.groups[k].Series, d.ID); len(x.groups[k].Series) == 0 {
		x.groups = slices.Delete(x.groups, k, k+1)
		delete(x.groupOf, d.Group)
		for i := k; i < len(x.groups); i++ {
			x.groupOf[x.groups[i].Name] = i
		}
	}
	x.entries -= 4
}

// insertID and removeID keep a list ascending. New ids mostly are the greatest.
func insertID[T ~int32](list []T, id T) []T {
	i, ok := slices.BinarySearch(list, id)
	if ok {
		return list
	}
	return slices.Insert(list, i, id)
}

func removeID[T ~int32](list []T, id T) []T {
	if i, ok := slices.BinarySearch(list, id); ok {
		return slices.Delete(list, i, i+1)
	}
	return list
}

func removeFrom[K comparable, T ~int32](lists map[K][]T, key K, id T) {
	if list := removeID(lists[key], id); len(list) > 0 {
		lists[key] = list
	} else {
		delete(lists, key)
	}
}

// parentFor returns the parent that an object may have: what it says, unless that is out of bounds or it would lie too deep or within itself.
func (h *thingTable) parentFor(d *model.ObjectDef) model.ObjectID {
	p := d.Parent
	if p < 0 || p >= maxObjects {
		return model.NoObject
	}
	at := p
	for range maxObjectDepth {
		if at == d.ID {
			return model.NoObject
		}
		if at == model.NoObject || int(at) >= len(h.objects) {
			return p
		}
		at = h.objects[at].Parent
	}
	return model.NoObject
}

// ObjectChildren returns the objects that lie in an object, ascending by id; those that lie in none for NoObject. The slice is the session's own.
func (s *Session) ObjectChildren(id model.ObjectID) []model.ObjectID {
	return s.things.index.children[id]
}

// SeriesOf returns the series that belong to an object (SeriesDef.Object), ascending by id. The slice is the session's own.
func (s *Session) SeriesOf(id model.ObjectID) []model.SeriesID { return s.things.index.byObject[id] }

// SeriesOfTrack returns the series that belong to a track, ascending by id. The slice is the session's own.
func (s *Session) SeriesOfTrack(id model.TrackID) []model.SeriesID { return s.things.index.byTrack[id] }

// SeriesByRole returns the series of a role, ascending by id. The slice is the session's own.
func (s *Session) SeriesByRole(role model.SeriesRole) []model.SeriesID {
	return s.things.index.byRole[role]
}

// SeriesByGroup returns the groups of series in the order in which they came up, with their series. The slices are the session's own.
func (s *Session) SeriesByGroup() []SeriesGroup { return s.things.index.groups }
