package model

// ObjectID is the index of an Object within its session, dense from 0.
type ObjectID int32

// NoObject is the absence of an object.
const NoObject ObjectID = -1

// ObjectKind is the kind of an object.
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

// ObjectDef defines, or defines again, an object: a node of the topology, or a port of one. It is a
// Change.
type ObjectDef struct {
	ID        ObjectID
	Parent    ObjectID // the bin of an element, the element of a pad, or NoObject
	Kind      ObjectKind
	Direction PadDirection // of pads
	Name      string
	Type      string // class in the words of the source: "GstQueue"
	Color     RGB    // of the spans at it, or a zero value
	Created   int64  // ns; TimeUnknown when not known
	Gone      int64  // ns; TimeUnknown while it lives
}

// TimeUnknown is a time that is not known.
const TimeUnknown int64 = -1 << 63

// LinkID is the index of a Link within its session, dense from 0.
type LinkID int32

// LinkDef defines, or defines again, a link: data go from one pad (or element) to another. It is a
// Change.
type LinkDef struct {
	ID       LinkID
	From, To ObjectID
	Since    int64    // ns: the first time it was seen
	Until    int64    // ns: when it was taken apart; TimeUnknown while it holds
	Flow     SeriesID // the RoleFlow series of its traffic, or NoSeries
	Media    string   // the kind of its data, in the words of the source; empty: not known
}

// ResourceID is the index of a Resource within its session, dense from 0.
type ResourceID int32

// ResourceFate is the state of a resource in a listing.
type ResourceFate uint8

// The fates of resources.
const (
	ResourceLeaked  ResourceFate = iota // alive when the program had given up everything
	ResourceAlive                       // alive at the time of a listing
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

// RefEvent is one change of the reference count of a resource. It is a Change; those of a resource
// come in order of time.
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
