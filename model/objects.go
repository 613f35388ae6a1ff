package model

// ObjectID is the index of an Object within its session, dense from 0.
type ObjectID int32

// NoObject is the absence of an object.
const NoObject ObjectID = -1

// ObjectKind is what an object is.
type ObjectKind uint8

// The kinds of objects.
const (
	ObjectElement  ObjectKind = iota // a node that does work
	ObjectBin                        // a node that holds others
	ObjectPad                        // a port of an element
	ObjectGhostPad                   // a port of a bin that stands for a port inside
	ObjectOther
)

// PadDirection is which way data go through a pad.
type PadDirection uint8

// The directions of pads.
const (
	PadUnknown PadDirection = iota
	PadSource
	PadSink
)

// ObjectDef defines, or defines again, an object: a node of the topology, or a port of one. It is a Change.
type ObjectDef struct {
	ID        ObjectID
	Parent    ObjectID // the bin of an element, the element of a pad, or NoObject
	Kind      ObjectKind
	Direction PadDirection // of pads
	Name      string
	Type      string // class in the words of the source: "GstQueue"
	Created   int64  // ns; TimeUnknown when not known
	Gone      int64  // ns; TimeUnknown while it lives
}

// TimeUnknown is a time that is not known.
const TimeUnknown int64 = -1 << 63

// LinkID is the index of a Link within its session, dense from 0.
type LinkID int32

// LinkDef defines, or defines again, a link: data go from one pad (or element) to another. It is a Change.
type LinkDef struct {
	ID       LinkID
	From, To ObjectID
	Since    int64    // ns: the first time it was seen
	Until    int64    // ns: when it was taken apart; TimeUnknown while it holds
	Flow     SeriesID // the RoleFlow series of what went over it, or NoSeries
}

// ResourceID is the index of a Resource within its session, dense from 0.
type ResourceID int32

// ResourceFate is what a listing said of a resource.
type ResourceFate uint8

// The fates of resources.
const (
	ResourceLeaked  ResourceFate = iota // alive when the program had given up everything
	ResourceAlive                       // alive when a listing was asked for
	ResourceAdded                       // made since the checkpoint before
	ResourceRemoved                     // given up since the checkpoint before
)

// ResourceDef is an object that a leak tracer listed. It is a Change.
type ResourceDef struct {
	ID          ResourceID
	Fate        ResourceFate
	Listing     int    // number of the listing or checkpoint in the session, from 1
	Time        int64  // ns, of the listing
	Type        string // "GstBuffer"
	Address     string
	Description string
	RefCount    int64 // when listed; -1 unknown
	Trace       string
}

// RefEvent is one change of the reference count of a resource. It is a Change; those of a resource come in order of time.
type RefEvent struct {
	Resource ResourceID
	Time     int64 // ns
	Ref      bool  // a reference was taken; else one was given up
	Count    int64 // after it
	Trace    string
}

func (SeriesDef) change()   {}
func (ObjectDef) change()   {}
func (LinkDef) change()     {}
func (ResourceDef) change() {}
func (RefEvent) change()    {}

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
	booked    booked // definitions
	sinceMark int64
	objects   []ObjectDef
	links     []LinkDef
	resources []ResourceDef
	refs      [][]RefEvent // by resource
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

func (h *thingTable) defineSeries(d SeriesDef) (ok bool) {
	h.series, ok = grow(h.series, int(d.ID), maxSeries, func(i int) *Series {
		x := &Series{data: seriesData{work: &h.work}, Def: SeriesDef{ID: SeriesID(i), Track: NoTrack, Object: NoObject, Peer: NoObject}}
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
func textOf(d *SeriesDef) (n int64) {
	for _, name := range d.States {
		n += int64(len(name)) + 16
	}
	return n + int64(len(d.Name)+len(d.Group)+len(d.Description)+len(d.Unit))
}

func (h *thingTable) defineObject(d ObjectDef) (ok bool) {
	h.objects, ok = grow(h.objects, int(d.ID), maxObjects, func(i int) ObjectDef {
		return ObjectDef{ID: ObjectID(i), Parent: NoObject, Kind: ObjectOther, Created: TimeUnknown, Gone: TimeUnknown}
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

func (h *thingTable) defineLink(d LinkDef) (ok bool) {
	h.links, ok = grow(h.links, int(d.ID), maxLinks, func(i int) LinkDef {
		return LinkDef{ID: LinkID(i), From: NoObject, To: NoObject, Since: TimeUnknown, Until: TimeUnknown, Flow: NoSeries}
	})
	if ok {
		h.links[d.ID] = d
		h.rev++
	}
	return ok
}

func (h *thingTable) defineResource(d ResourceDef) (ok bool) {
	d.Trace = d.Trace[:min(len(d.Trace), maxTrace)]
	d.Description = d.Description[:min(len(d.Description), maxTrace)]
	h.resources, ok = grow(h.resources, int(d.ID), maxResources, func(i int) ResourceDef {
		return ResourceDef{ID: ResourceID(i), RefCount: -1}
	})
	if ok {
		h.text += textOfResource(&d) - textOfResource(&h.resources[d.ID])
		h.resources[d.ID] = d
		h.rev++
	}
	return ok
}

func textOfResource(d *ResourceDef) int64 {
	return int64(len(d.Type) + len(d.Address) + len(d.Description) + len(d.Trace))
}

func (h *thingTable) addRef(e RefEvent) (ok bool) {
	if h.numRefs >= maxRefEvents || e.Resource < 0 || int(e.Resource) >= len(h.resources) {
		return false
	}
	if more := len(h.resources) - len(h.refs); int(e.Resource) >= len(h.refs) {
		h.refs = append(h.refs, make([][]RefEvent, more)...)
	}
	e.Trace = e.Trace[:min(len(e.Trace), maxTrace)]
	h.refs[e.Resource] = append(h.refs[e.Resource], e)
	h.numRefs++
	h.text += int64(len(e.Trace))
	h.rev++
	return true
}

func (h *thingTable) init(mem *memory) {
	h.mem, h.lo, h.hi = mem, maxTime, minTime
	h.marks.acc, h.work.acc = mem.of(kindSeries), mem.of(kindSeries)
}

// settle writes down what the definitions take.
func (h *thingTable) settle() {
	n := int64(len(h.series))*sizeOf[Series]() + int64(cap(h.series))*8 + h.index.entries*indexEntryBytes
	n += int64(cap(h.objects))*sizeOf[ObjectDef]() + int64(cap(h.links))*sizeOf[LinkDef]()
	n += int64(cap(h.resources))*sizeOf[ResourceDef]() + int64(cap(h.refs))*24
	n += int64(h.numRefs)*2*sizeOf[RefEvent]() + h.text // a resource's list grows by doubling
	h.booked.set(h.mem.of(kindOther), n)
}

// clear lets go of everything.
func (h *thingTable) clear() {
	for _, x := range h.series {
		x.data.clear()
	}
	h.marks.clear()
	h.work.clearAll()
	h.booked.set(h.mem.of(kindOther), 0)
	*h = thingTable{mem: h.mem, rev: h.rev + 1}
	h.init(h.mem)
}

// NumSeries returns the number of series.
func (s *Session) NumSeries() int { return len(s.things.series) }

// Series returns a series; nil when there is none of that id.
func (s *Session) Series(id SeriesID) *Series {
	if uint(id) >= uint(len(s.things.series)) {
		return nil
	}
	return s.things.series[id]
}

// Objects returns the objects of the topology, by id. The slice is the session's own.
func (s *Session) Objects() []ObjectDef { return s.things.objects }

// Object returns an object; ok is false when there is none of that id.
func (s *Session) Object(id ObjectID) (o ObjectDef, ok bool) {
	if uint(id) >= uint(len(s.things.objects)) {
		return ObjectDef{}, false
	}
	return s.things.objects[id], true
}

// Links returns the links of the topology, by id. The slice is the session's own.
func (s *Session) Links() []LinkDef { return s.things.links }

// Resources returns what leak tracers listed, by id. The slice is the session's own.
func (s *Session) Resources() []ResourceDef { return s.things.resources }

// RefEvents returns the reference history of a resource, the oldest first. The slice is the session's own.
func (s *Session) RefEvents(id ResourceID) []RefEvent {
	if uint(id) >= uint(len(s.things.refs)) {
		return nil
	}
	return s.things.refs[id]
}
