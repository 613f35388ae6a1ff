package trace

import (
	"strconv"

	"framescope/model"
)

const (
	// Object and Link are what texts are called that say what the program is made of, an object of JSON each: N is
	// their number, dense from 0, those of links by themselves. Others speak of objects by their numbers.
	Object = "object_info"
	Link   = "link_info"
	// Of what an object is says the word for its model.ObjectKind; In is the number of the one that it lies in, Name,
	// Type and Color are as model.ObjectDef has them.
	Type      = "type"
	Direction = "direction"
	Created   = "created" // times are in ns
	Gone      = "gone"
	// From and To are the numbers of the objects that a link is between; Media is as model.LinkDef has it. Flow is true where
	// the series from the one object to the other says what went over it.
	From  = "from"
	To    = "to"
	Since = "since"
	Until = "until"
	Media = "media"
	Flow  = "flow"
	// On and Peer are members of series and track metadata: the numbers of the object that they belong to, and of
	// the one at the other end.
	On   = "object"
	Peer = "peer"
)

const (
	mostObjects = 1 << 20
	mostLinks   = 1 << 20
	deepest     = 250 // objects that lie in each other
)

// Words of objects, and of pads. Kinds without a word are other, or not known.
var (
	objectWords = [...]string{
		model.ObjectElement: "element", model.ObjectBin: "bin", model.ObjectPad: "pad", model.ObjectGhostPad: "ghost_pad",
		model.ObjectOther: "other",
	}
	directionWords = [...]string{model.PadUnknown: "", model.PadSource: "source", model.PadSink: "sink"}
)

// ObjectWord returns the word for an object kind.
func ObjectWord(k model.ObjectKind) string { return objectWords[min(int(k), len(objectWords)-1)] }

// DirectionWord is what a direction is called, empty of one that is not known.
func DirectionWord(d model.PadDirection) string {
	if int(d) < len(directionWords) {
		return directionWords[d]
	}
	return ""
}

// ends are the objects that a series is between.
type ends struct{ from, to model.ObjectID }

// Topology holds the objects and links of the program. The zero value is empty.
type Topology struct {
	objects []model.ObjectDef
	links   []model.LinkDef
	flowing []bool                  // links, that a series says what went over them
	flows   map[ends]model.SeriesID // the traffic of links
}

// TopologyBytes bounds the memory for the text of an object or a link.
func TopologyBytes(text []byte) int64 { return int64(len(text)) + 256 }

// Take takes the text on an object or a link, by its word. ok is false where it is not the next one.
func (t *Topology) Take(word string, text []byte) (ok bool) {
	if word == Link {
		l := model.LinkDef{From: model.NoObject, To: model.NoObject, Since: model.TimeUnknown, Until: model.TimeUnknown, Flow: model.NoSeries}
		l.ID = -1
		flows := false
		Members(text, func(key, value []byte) {
			flows = flows || string(key) == Flow && string(value) == "true"
			linkMember(&l, string(key), value)
		})
		if int(l.ID) != len(t.links) || len(t.links) >= mostLinks {
			return false
		}
		t.links, t.flowing = append(t.links, l), append(t.flowing, flows)
		return true
	}
	o := model.ObjectDef{
		ID: -1, Parent: model.NoObject, Kind: model.ObjectOther, Created: model.TimeUnknown, Gone: model.TimeUnknown,
	}
	Members(text, func(key, value []byte) { objectMember(&o, string(key), value) })
	if int(o.ID) != len(t.objects) || len(t.objects) >= mostObjects {
		return false
	}
	t.objects = append(t.objects, o)
	return true
}

func linkMember(l *model.LinkDef, key string, value []byte) {
	switch key {
	case N:
		l.ID = model.LinkID(numberOf(value))
	case From:
		l.From = model.ObjectID(numberOf(value))
	case To:
		l.To = model.ObjectID(numberOf(value))
	case Since:
		l.Since = timeOf(value)
	case Until:
		l.Until = timeOf(value)
	case Media:
		l.Media = JSONText(value)
	}
}

func objectMember(o *model.ObjectDef, key string, value []byte) {
	switch key {
	case N:
		o.ID = model.ObjectID(numberOf(value))
	case In:
		o.Parent = model.ObjectID(numberOf(value))
	case Of:
		o.Kind = model.ObjectKind(wordOf(objectWords[:], value, int(model.ObjectOther)))
	case Direction:
		o.Direction = model.PadDirection(wordOf(directionWords[:], value, int(model.PadUnknown)))
	case Name:
		o.Name = JSONText(value)
	case Type:
		o.Type = JSONText(value)
	case Color:
		o.Color = colorOf(value)
	case Created:
		o.Created = timeOf(value)
	case Gone:
		o.Gone = timeOf(value)
	}
}

// numberOf reads the number of something, -1 of nothing, below that where it is none.
func numberOf(value []byte) int32 {
	n, err := strconv.ParseInt(string(value), 10, 32)
	if err != nil || n < -1 {
		return -2
	}
	return int32(n)
}

// timeOf reads a time, model.TimeUnknown where it is none.
func timeOf(value []byte) int64 {
	ns, err := strconv.ParseInt(string(value), 10, 64)
	if err != nil || ns < model.MinTime || ns > model.MaxTime {
		return model.TimeUnknown
	}
	return ns
}

// wordOf returns which of some words a text is, other where it is none.
func wordOf(words []string, text []byte, other int) int {
	for i, word := range words {
		if word != "" && string(text) == word {
			return i
		}
	}
	return other
}

// Has returns an object that there is, NoObject for others.
func (t *Topology) Has(id model.ObjectID) model.ObjectID {
	if id < 0 || int(id) >= len(t.objects) {
		return model.NoObject
	}
	return id
}

// Objects gives the objects to define; their times are from a time on. One that lies in none that there is, or in itself,
// is counted, and lies in nothing.
func (t *Topology) Objects(zero int64, define func(c model.Change), bad *Unread) {
	for i := range t.objects {
		o := &t.objects[i]
		if o.Parent != model.NoObject && !t.liesIn(o) {
			bad.Add(Object, Unknown)
			o.Parent = model.NoObject
		}
		o.Created, o.Gone = since(o.Created, zero), since(o.Gone, zero)
		define(*o)
	}
}

// liesIn reports whether an object lies in one that there is, and that in others, not in itself or too deep.
func (t *Topology) liesIn(o *model.ObjectDef) bool {
	at := o.Parent
	for range deepest {
		switch {
		case at == model.NoObject:
			return true
		case t.Has(at) == model.NoObject || at == o.ID:
			return false
		}
		at = t.objects[at].Parent
	}
	return false
}

// Links gives the links to define, with the series of what goes over them, which Flow took.
func (t *Topology) Links(zero int64, define func(c model.Change), bad *Unread) {
	for i := range t.links {
		l := &t.links[i]
		if t.Has(l.From) != l.From || t.Has(l.To) != l.To {
			bad.Add(Link, Unknown)
		}
		l.From, l.To = t.Has(l.From), t.Has(l.To)
		if flow, ok := t.flows[ends{l.From, l.To}]; ok && t.flowing[i] {
			l.Flow = flow
		}
		l.Since, l.Until = since(l.Since, zero), since(l.Until, zero)
		define(*l)
	}
}

// since moves a time that is known.
func since(ns, zero int64) int64 {
	if ns == model.TimeUnknown {
		return ns
	}
	return model.ClampTime(ns - zero)
}

// Flow takes a series that is defined, of what goes from object to object it may be, for the links between these.
func (t *Topology) Flow(def *model.SeriesDef) {
	if def.Role != model.RoleFlow || def.Object == model.NoObject {
		return
	}
	if t.flows == nil {
		t.flows = map[ends]model.SeriesID{}
	}
	t.flows[ends{def.Object, def.Peer}] = def.ID
}
