package store

import (
	"framescope/model"
	"framescope/model/columns"
)

const (
	maxSeries    = 1 << 20
	maxObjects   = 1 << 20
	maxLinks     = 1 << 20
	maxResources = 1 << 20
	maxRefEvents = 1 << 22
	maxTrace     = 64 << 10 // bytes of a stack trace
)

// thingTable holds series, objects, links and resources of a session.
type thingTable struct {
	series    []*Series
	work      seriesWork
	index     thingIndex
	lo, hi    int64 // earliest and latest sample, lo > hi while there is none
	marks     marks
	mem       *memory
	booked    columns.Booked // definitions
	sinceMark int64
	objects   []model.ObjectDef
	links     []model.LinkDef
	resources []model.ResourceDef
	refs      [][]model.RefEvent // by resource
	numRefs   int
	text      int64 // bytes
	rev       uint64
}

// maxHole is how many ids may be missing before one: ids are dense, a hole this large is not a few lost definitions.
const maxHole = 1 << 12

// grow makes room for id and returns whether it is in bounds. Holes are filled by fill.
func grow[T any](list []T, id, limit int, fill func(int) T) ([]T, bool) {
	if id < 0 || id >= limit || id-len(list) > maxHole {
		return list, false
	}
	for len(list) <= id {
		list = append(list, fill(len(list)))
	}
	return list, true
}

func (h *thingTable) defineSeries(d model.SeriesDef) (ok bool) {
	h.series, ok = grow(h.series, int(d.ID), maxSeries, func(i int) *Series {
		x := &Series{data: seriesData{work: &h.work}, Def: model.SeriesDef{ID: model.SeriesID(i), Track: model.NoTrack, Object: model.NoObject, Peer: model.NoObject}}
		x.data.init(h.mem.of(kindSeries))
		return x
	})
	if ok {
		if d.HasRange = d.HasRange && d.Min < d.Max; !d.HasRange { // NaN is no range either
			d.Min, d.Max = 0, 0
		}
		x := h.series[d.ID]
		if x.defined {
			h.index.removeSeries(&x.Def)
			h.text -= textOf(&x.Def)
		}
		x.Def, x.defined = d, true
		h.index.addSeries(&d)
		h.text += textOf(&d)
		h.rev++
	}
	return ok
}

// textOf returns the bytes of the words of a definition.
func textOf(d *model.SeriesDef) (n int64) {
	for _, name := range d.States {
		n += int64(len(name)) + 16
	}
	return n + int64(len(d.Name)+len(d.Group)+len(d.Description)+len(d.Unit))
}

func (h *thingTable) defineObject(d model.ObjectDef) (ok bool) {
	h.objects, ok = grow(h.objects, int(d.ID), maxObjects, func(i int) model.ObjectDef {
		return model.ObjectDef{ID: model.ObjectID(i), Parent: model.NoObject, Kind: model.ObjectOther, Created: model.TimeUnknown, Gone: model.TimeUnknown}
	})
	if ok {
		d.Parent = h.parentFor(&d)
		h.index.init()
		removeFrom(h.index.children, h.objects[d.ID].Parent, d.ID)
		h.index.children[d.Parent] = insertID(h.index.children[d.Parent], d.ID)
		h.text += int64(len(d.Name) + len(d.Type) - len(h.objects[d.ID].Name) - len(h.objects[d.ID].Type))
		h.objects[d.ID] = d
		h.rev++
	}
	return ok
}

func (h *thingTable) defineLink(d model.LinkDef) (ok bool) {
	h.links, ok = grow(h.links, int(d.ID), maxLinks, func(i int) model.LinkDef {
		return model.LinkDef{ID: model.LinkID(i), From: model.NoObject, To: model.NoObject, Since: model.TimeUnknown, Until: model.TimeUnknown, Flow: model.NoSeries}
	})
	if ok {
		h.links[d.ID] = d
		h.rev++
	}
	return ok
}

func (h *thingTable) defineResource(d model.ResourceDef) (ok bool) {
	d.Trace = d.Trace[:min(len(d.Trace), maxTrace)]
	d.Description = d.Description[:min(len(d.Description), maxTrace)]
	h.resources, ok = grow(h.resources, int(d.ID), maxResources, func(i int) model.ResourceDef {
		return model.ResourceDef{ID: model.ResourceID(i), RefCount: -1}
	})
	if ok {
		h.text += textOfResource(&d) - textOfResource(&h.resources[d.ID])
		h.resources[d.ID] = d
		h.rev++
	}
	return ok
}

func textOfResource(d *model.ResourceDef) int64 {
	return int64(len(d.Type) + len(d.Address) + len(d.Description) + len(d.Trace))
}

func (h *thingTable) addRef(e model.RefEvent) (ok bool) {
	if h.numRefs >= maxRefEvents || e.Resource < 0 || int(e.Resource) >= len(h.resources) {
		return false
	}
	if more := len(h.resources) - len(h.refs); int(e.Resource) >= len(h.refs) {
		h.refs = append(h.refs, make([][]model.RefEvent, more)...)
	}
	e.Trace = e.Trace[:min(len(e.Trace), maxTrace)]
	h.refs[e.Resource] = append(h.refs[e.Resource], e)
	h.numRefs++
	h.text += int64(len(e.Trace))
	h.rev++
	return true
}

func (h *thingTable) init(mem *memory) {
	h.mem, h.lo, h.hi = mem, model.MaxTime, model.MinTime
	h.marks.acc, h.work.acc = mem.of(kindSeries), mem.of(kindSeries)
}

// settle writes down what the definitions take.
func (h *thingTable) settle() {
	n := int64(len(h.series))*columns.SizeOf[Series]() + int64(cap(h.series))*8 + h.index.entries*indexEntryBytes
	n += int64(cap(h.objects))*columns.SizeOf[model.ObjectDef]() + int64(cap(h.links))*columns.SizeOf[model.LinkDef]()
	n += int64(cap(h.resources))*columns.SizeOf[model.ResourceDef]() + int64(cap(h.refs))*24
	n += int64(h.numRefs)*2*columns.SizeOf[model.RefEvent]() + h.text // a resource's list grows by doubling
	h.booked.Set(h.mem.of(kindOther), n)
}

// clear lets go of everything.
func (h *thingTable) clear() {
	for _, x := range h.series {
		x.data.clear()
	}
	h.marks.clear()
	h.work.clearAll()
	h.booked.Set(h.mem.of(kindOther), 0)
	*h = thingTable{mem: h.mem, rev: h.rev + 1}
	h.init(h.mem)
}

// NumSeries returns the number of series.
func (s *Session) NumSeries() int { return len(s.things.series) }

// Series returns a series; nil when there is none of that id.
func (s *Session) Series(id model.SeriesID) *Series {
	if uint(id) >= uint(len(s.things.series)) {
		return nil
	}
	return s.things.series[id]
}

// Objects returns the objects of the topology, by id. The slice is the session's own.
func (s *Session) Objects() []model.ObjectDef { return s.things.objects }

// Object returns an object; ok is false when there is none of that id.
func (s *Session) Object(id model.ObjectID) (o model.ObjectDef, ok bool) {
	if uint(id) >= uint(len(s.things.objects)) {
		return model.ObjectDef{}, false
	}
	return s.things.objects[id], true
}

// Links returns the links of the topology, by id. The slice is the session's own.
func (s *Session) Links() []model.LinkDef { return s.things.links }

// Resources returns what leak tracers listed, by id. The slice is the session's own.
func (s *Session) Resources() []model.ResourceDef { return s.things.resources }

// RefEvents returns the reference history of a resource, the oldest first. The slice is the session's own.
func (s *Session) RefEvents(id model.ResourceID) []model.RefEvent {
	if uint(id) >= uint(len(s.things.refs)) {
		return nil
	}
	return s.things.refs[id]
}
