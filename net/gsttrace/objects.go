package gsttrace

import (
	"strconv"

	"framescope/model"
	"framescope/net/trace"
)

// object is an element or a pad.
type object struct {
	def      model.ObjectDef
	defined  bool    // it has an id; not so beyond the limit
	parent   *object // the bin of an element, the element of a pad
	pads     map[string]*object
	hasIx    bool   // it was announced, or spoken of, by a number
	address  string // of an element, from latency records
	unnamed  bool   // its name stands for one that is not known
	groups   []*group
	byRecord bool // its parent is from a record or a call, not guessed
	state    *groupSeries
	media    string                 // caps that were sent from this pad last
	links    []*model.LinkDef       // from this pad
	levels   map[string]*queueLevel // of a queue, by its way through
	renamed  int
}

type linkKey struct{ from, to model.ObjectID }

// isOpen reports whether the pads are linked still, as far as is known.
func isOpen(l *model.LinkDef) bool { return l.Until == model.TimeUnknown }

// seriesKey identifies a series: its quantity and its place.
type seriesKey struct {
	group, name  string
	object, peer model.ObjectID
	track        model.TrackID
	pid          uint64
}

// newSeries defines a series, or returns the one that is the same; NoSeries when there are too
// many.
func (m *mapper) newSeries(pid uint64, d *model.SeriesDef) model.SeriesID {
	k := seriesKey{d.Group, d.Name, d.Object, d.Peer, d.Track, pid}
	if id, ok := m.series[k]; ok {
		d.ID = id
		return id
	}
	if m.nSeries >= MaxSeries || !m.out.Names.Admit(*d) {
		m.out.Beyond(trace.ManyCounters)
		return model.NoSeries
	}
	d.ID = m.nSeries
	m.nSeries++
	m.series[k] = d.ID
	m.out.Define(*d)
	return d.ID
}

// series defines a series of a process, of an object or of none.
func (p *process) series(name string, o *object, d model.SeriesDef) model.SeriesID {
	d.Name, d.Track, d.Object, d.Peer = Label(name+p.suffix()), model.NoTrack, o.id(), model.NoObject
	return p.m.newSeries(p.pid, &d)
}

// newObject defines an object.
func (m *mapper) newObject(o *object) *object {
	if m.nObjects >= MaxObjects || !m.out.Names.Admit(o.def) {
		m.out.Beyond(trace.ManyObjects)
		o.def.ID = model.NoObject
		return o
	}
	o.def.ID, o.defined = m.nObjects, true
	m.nObjects++
	m.define(o)
	return o
}

func (m *mapper) define(o *object) {
	if !o.defined {
		return
	}
	o.def.Parent = model.NoObject
	if o.parent != nil {
		o.def.Parent = o.parent.def.ID
	}
	if o.def.Kind == model.ObjectElement {
		o.def.Color = m.colors.colorOf([]byte(o.def.Name))
	}
	m.out.Define(o.def)
}

// freshObject returns an object that has no id yet, of unknown times.
func freshObject(kind model.ObjectKind, name string) *object {
	return &object{def: model.ObjectDef{Kind: kind, Name: name, Created: model.TimeUnknown, Gone: model.TimeUnknown}}
}

// id is the object's id; NoObject of none.
func (o *object) id() model.ObjectID {
	if o == nil {
		return model.NoObject
	}
	return o.def.ID
}

func (o *object) isPad() bool {
	return o.def.Kind == model.ObjectPad || o.def.Kind == model.ObjectGhostPad
}

// fullName is "element.pad" of pads, else the name.
func (o *object) fullName() string {
	if o.isPad() && o.parent != nil {
		return o.parent.def.Name + "." + o.def.Name
	}
	return o.def.Name
}

// setParent puts an object into another, unless that would close a circle. A record outweighs a guess from other
// records.
func (m *mapper) setParent(o, parent *object, byRecord bool) {
	if o == nil || parent == nil || o == parent || o.parent == parent || o.byRecord && !byRecord {
		return
	}
	if !byRecord && o.parent != nil {
		return
	}
	for a, n := parent, 0; a != nil; a, n = a.parent, n+1 {
		if a == o || n > 64 {
			return
		}
	}
	o.parent, o.byRecord = parent, byRecord
	if o.isPad() {
		parent.keepPad(o)
	}
	m.define(o)
	if o.isPad() {
		o.renameGroups()
	}
}

// padOf returns the pad of a name, nil for none.
func (o *object) padOf(name string) *object {
	if o == nil {
		return nil
	}
	return o.pads[name]
}

func (o *object) keepPad(pad *object) {
	model.Put(&o.pads, pad.def.Name, pad)
}

// renameGroups names again the series that are named after the object.
func (o *object) renameGroups() {
	if o.renamed++; o.renamed > MaxRenames {
		return
	}
	for _, g := range o.groups {
		g.rename()
	}
}

// element returns the element of a number; one that was never announced (the log began later) gets
// a name that stands for it. nil for none.
func (p *process) element(v *Value) *object {
	return p.numbered(p.elements, v, model.ObjectElement, "element ")
}

// pad returns the pad of a number, like element.
func (p *process) pad(v *Value) *object {
	return p.numbered(p.pads, v, model.ObjectPad, "pad ")
}

func (p *process) numbered(table map[uint32]*object, v *Value, kind model.ObjectKind, name string) *object {
	ix, ok := uintOf(v)
	if !ok {
		return nil
	}
	if o := table[ix]; o != nil {
		return o
	}
	o := freshObject(kind, name+strconv.FormatUint(uint64(ix), 10))
	o.hasIx, o.unnamed = true, true
	p.newObject(o)
	p.remember(table, ix, o)
	return o
}

// remember keeps the object of a number. Beyond the limit of objects nothing is kept, so that the
// table is bounded, too.
func (p *process) remember(table map[uint32]*object, ix uint32, o *object) {
	if o.defined {
		table[ix] = o
	}
}

// elementNamed returns an element by its name and, if it is not empty, its address, as latency
// records and the log tracer speak of it (FORMAT.md section 8.1).
func (p *process) elementNamed(name, address string) *object {
	if address != "" {
		if o := p.at[address]; o != nil && o.def.Name == name {
			return o
		}
	}
	o := p.named[name]
	if o == nil || address != "" && o.address != "" && o.address != address {
		o = p.newObject(freshObject(model.ObjectElement, name))
		if !o.defined {
			return o
		}
		p.named[name] = o
	}
	if address != "" {
		o.address = address
		p.at[address] = o
	}
	return o
}

// padNamed returns a pad by its element and name.
func (p *process) padNamed(element *object, name string, dir model.PadDirection) *object {
	if o := element.pads[name]; o != nil {
		return o
	}
	o := freshObject(model.ObjectPad, name)
	o.parent, o.byRecord, o.def.Direction = element, true, dir
	p.newObject(o)
	if o.defined {
		element.keepPad(o)
	}
	return o
}

// padJoined finds a pad by its element's name and its own in one, "fakesink0_sink", as version 1.14
// and before write them; nil when there is none of that name.
func (p *process) padJoined(text []byte) *object {
	for i, b := range text[:min(len(text), MaxName)] {
		if b != '_' {
			continue
		}
		if element := p.named[string(text[:i])]; element != nil {
			if pad := element.pads[string(text[i+1:])]; pad != nil {
				return pad
			}
		}
	}
	return nil
}

// link returns the link between two pads, a new one if need be; nil beyond the limit.
func (m *mapper) link(from, to *object, timeNs int64) *model.LinkDef {
	if from == nil || to == nil || !from.defined || !to.defined {
		return nil
	}
	k := linkKey{from.def.ID, to.def.ID}
	if l := m.links[k]; l != nil {
		if !isOpen(l) && timeNs > l.Until { // linked again
			l.Until = model.TimeUnknown
			m.out.Define(*l)
		}
		return l
	}
	l := &model.LinkDef{
		ID: model.LinkID(len(m.links)), From: k.from, To: k.to, Since: timeNs, Until: model.TimeUnknown, Flow: model.NoSeries,
		Media: from.media,
	}
	if len(m.links) >= MaxLinks || !m.out.Names.Admit(*l) {
		m.out.Beyond(trace.ManyObjects)
		return nil
	}
	m.links[k] = l
	from.links = append(from.links, l)
	m.out.Define(*l)
	return l
}
