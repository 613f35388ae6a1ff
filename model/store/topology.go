// The topology of a program: objects and their parents, the links between them, and the objects
// listed by leak tracers. TopologyTable answers; TopologyKeeper changes the data for the session.
// They know the model and columns, but no sessions.

package store

import (
	"framescope/model"
	"framescope/model/columns"
)

const (
	maxObjects   = 1 << 20
	maxLinks     = 1 << 20
	maxResources = 1 << 20
	maxRefEvents = 1 << 22
	maxTrace     = 64 << 10 // bytes of a stack trace
)

// maxObjectDepth bounds how deep objects lie within each other. An object that would lie deeper, or
// within itself, has no parent.
const maxObjectDepth = 256

// TopologyTable has objects, links and resources. Its methods are queries.
type TopologyTable struct {
	objects   []model.ObjectDef
	children  map[model.ObjectID][]model.ObjectID // ascending
	links     []model.LinkDef
	resources []model.ResourceDef
	refs      [][]model.RefEvent // by resource
	numRefs   int
	text      int64 // bytes
	rev       uint64
	acc       *columns.Account
	booked    columns.Booked
}

// TopologyKeeper is a table with the methods that change it.
type TopologyKeeper struct{ TopologyTable }

// Init makes the table ready.
func (x *TopologyKeeper) Init(acc *columns.Account) { x.acc = acc }

// DefineObject takes an object. ok is false where its id is out of bounds.
func (x *TopologyKeeper) DefineObject(d model.ObjectDef) (ok bool) {
	x.objects, ok = columns.GrowTo(x.objects, int(d.ID), maxObjects, func(i int) model.ObjectDef {
		return model.ObjectDef{
			ID: model.ObjectID(i), Parent: model.NoObject, Kind: model.ObjectOther,
			Created: model.TimeUnknown, Gone: model.TimeUnknown,
		}
	})
	if ok {
		d.Parent = x.parentFor(&d)
		if x.children == nil {
			x.children = map[model.ObjectID][]model.ObjectID{}
		}
		columns.RemoveFrom(x.children, x.objects[d.ID].Parent, d.ID)
		x.children[d.Parent] = columns.InsertID(x.children[d.Parent], d.ID)
		x.text += int64(len(d.Name) + len(d.Type) - len(x.objects[d.ID].Name) - len(x.objects[d.ID].Type))
		x.objects[d.ID] = d
		x.rev++
	}
	return ok
}

// DefineLink takes a link. ok is false where its id is out of bounds.
func (x *TopologyKeeper) DefineLink(d model.LinkDef) (ok bool) {
	x.links, ok = columns.GrowTo(x.links, int(d.ID), maxLinks, func(i int) model.LinkDef {
		return model.LinkDef{
			ID: model.LinkID(i), From: model.NoObject, To: model.NoObject,
			Since: model.TimeUnknown, Until: model.TimeUnknown, Flow: model.NoSeries,
		}
	})
	if ok {
		x.links[d.ID] = d
		x.rev++
	}
	return ok
}

// DefineResource adds an object of a leak tracer's listing. ok is false if its id is out of bounds.
func (x *TopologyKeeper) DefineResource(d model.ResourceDef) (ok bool) {
	d.Trace = d.Trace[:min(len(d.Trace), maxTrace)]
	d.Description = d.Description[:min(len(d.Description), maxTrace)]
	x.resources, ok = columns.GrowTo(x.resources, int(d.ID), maxResources, func(i int) model.ResourceDef {
		return model.ResourceDef{ID: model.ResourceID(i), RefCount: -1}
	})
	if ok {
		x.text += textOfResource(&d) - textOfResource(&x.resources[d.ID])
		x.resources[d.ID] = d
		x.rev++
	}
	return ok
}

func textOfResource(d *model.ResourceDef) int64 {
	return int64(len(d.Type) + len(d.Address) + len(d.Description) + len(d.Trace))
}

// AddRef takes an event of a resource. ok is false where there is no such resource, or no room.
func (x *TopologyKeeper) AddRef(e model.RefEvent) (ok bool) {
	if x.numRefs >= maxRefEvents || e.Resource < 0 || int(e.Resource) >= len(x.resources) {
		return false
	}
	if more := len(x.resources) - len(x.refs); int(e.Resource) >= len(x.refs) {
		x.refs = append(x.refs, make([][]model.RefEvent, more)...)
	}
	e.Trace = e.Trace[:min(len(e.Trace), maxTrace)]
	x.refs[e.Resource] = append(x.refs[e.Resource], e)
	x.numRefs++
	x.text += int64(len(e.Trace))
	x.rev++
	return true
}

// Settle accounts for the definitions.
func (x *TopologyKeeper) Settle() {
	n := int64(cap(x.objects))*columns.SizeOf[model.ObjectDef]() + int64(cap(x.links))*columns.SizeOf[model.LinkDef]()
	n += int64(cap(x.resources))*columns.SizeOf[model.ResourceDef]() + int64(cap(x.refs))*24
	n += int64(x.numRefs)*2*columns.SizeOf[model.RefEvent]() + x.text // a resource's list grows by doubling
	x.booked.Set(x.acc, n)
}

// Clear frees everything.
func (x *TopologyKeeper) Clear() {
	x.booked.Set(x.acc, 0)
	*x = TopologyKeeper{TopologyTable{acc: x.acc, rev: x.rev + 1}}
}

// parentFor returns the valid parent of an object: the given one, unless that is out of bounds or
// it would lie too deep or within itself.
func (x *TopologyTable) parentFor(d *model.ObjectDef) model.ObjectID {
	p := d.Parent
	if p < 0 || p >= maxObjects {
		return model.NoObject
	}
	at := p
	for range maxObjectDepth {
		if at == d.ID {
			return model.NoObject
		}
		if at == model.NoObject || int(at) >= len(x.objects) {
			return p
		}
		at = x.objects[at].Parent
	}
	return model.NoObject
}

// Revision changes with every definition.
func (x *TopologyTable) Revision() uint64 { return x.rev }

// Objects returns the objects, by id. The slice is the table's own.
func (x *TopologyTable) Objects() []model.ObjectDef { return x.objects }

// Object returns an object; ok is false when there is none of that id.
func (x *TopologyTable) Object(id model.ObjectID) (o model.ObjectDef, ok bool) {
	if uint(id) >= uint(len(x.objects)) {
		return model.ObjectDef{}, false
	}
	return x.objects[id], true
}

// Children returns the objects that lie in an object, ascending by id; those that lie in none for
// NoObject. The slice is the table's own.
func (x *TopologyTable) Children(id model.ObjectID) []model.ObjectID { return x.children[id] }

// Links returns the links, by id. The slice is the table's own.
func (x *TopologyTable) Links() []model.LinkDef { return x.links }

// Resources returns the objects listed by leak tracers, by id. The slice is the table's own.
func (x *TopologyTable) Resources() []model.ResourceDef { return x.resources }

// RefEvents returns the reference history of a resource, the oldest first. The slice is the table's
// own.
func (x *TopologyTable) RefEvents(id model.ResourceID) []model.RefEvent {
	if uint(id) >= uint(len(x.refs)) {
		return nil
	}
	return x.refs[id]
}
