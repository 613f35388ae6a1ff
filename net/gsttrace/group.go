package gsttrace

import (
	"encoding/binary"
	"strings"

	"framescope/model"
	"framescope/net/feed"
	"framescope/net/trace"
)

// group is the records of one class with one key.
type group struct {
	pl           *plan
	p            *process
	nodes        []node
	name         string
	object, peer *object // NoObject's where nil
	track        model.TrackID
	at           *thread // thread that the key is, or nil
	series       []groupSeries
	made         []*groupSeries          // all that are named after it
	kinds        map[string]*groupSeries // event series by text
	event        groupSeries

	// of buffers
	source, sink *object // data go from source to sink
	thread       *thread // that pushed last, and how often in a row of counts
	threadCount  int64
	link         *model.LinkDef
	gap          groupSeries // time between buffers
	lastBufferNs int64
	pace         Pace

	stream *stream // of latencies
	path   model.PathID
	cpu    *cpuCurve
}

// groupSeries is one series of a group.
type groupSeries struct {
	id     model.SeriesID
	def    model.SeriesDef
	suffix string // behind the group's name
	made   bool
	gap    bool   // the newest sample marks a gap, or there is none yet
	last   uint64 // the newest state, plus one
	states map[string]int
}

// node is one place that a key names.
type node struct {
	object *object
	text   string
}

// group returns the group of a record, a new one if need be; nil beyond the limit.
func (pl *plan) group(c *recordAt) *group {
	m := c.m
	key := binary.LittleEndian.AppendUint64(m.scratch[:0], c.p.pid)
	for _, i := range pl.key {
		v := &c.values[i]
		switch v.Kind {
		case KindText, KindStructure, KindPointer:
			key = binary.LittleEndian.AppendUint32(key, uint32(len(v.Text)))
			key = append(key, v.Text...)
		default:
			key = binary.LittleEndian.AppendUint64(key, v.Unsigned())
		}
	}
	if len(pl.key) == 0 && pl.thread >= 0 {
		key = binary.LittleEndian.AppendUint32(key, uint32(c.t.track))
	}
	m.scratch = key
	if g, ok := pl.groups[string(key)]; ok {
		return g
	}
	if len(key) > 4*MaxName || !m.out.Names.Take(groupBytes+seriesBytes*int64(len(pl.values))+2*int64(len(key))) {
		m.out.Beyond(trace.ManyCounters)
		return pl.moreOf(c)
	}
	kept := string(key)
	g := &group{pl: pl, p: c.p, track: model.NoTrack, series: make([]groupSeries, len(pl.values))}
	pl.groups[kept] = g
	g.describe(c)
	return g
}

// moreOf returns what stands for all groups that there is no room for; nil where measurements of
// different places have nothing to do with each other. Latencies are spans, and shown as such.
func (pl *plan) moreOf(c *recordAt) *group {
	if pl.stock != stockLatency {
		return nil
	}
	if pl.more == nil {
		pl.more = &group{pl: pl, p: c.p, track: model.NoTrack, series: make([]groupSeries, len(pl.values))}
		pl.more.name = feed.MoreNames
	}
	return pl.more
}

// describe resolves the key: objects of the tree, a thread, or just texts.
func (g *group) describe(c *recordAt) {
	g.findNodes(c)
	for _, n := range g.nodes {
		if n.object == nil {
			continue
		}
		n.object.groups = append(n.object.groups, g)
		if n.object.isPad() && n.object.parent != nil && n.object.parent.unnamed {
			n.object.parent.groups = append(n.object.parent.groups, g)
		}
	}
	if g.pl.stock == stockBuffer && len(g.nodes) == 2 {
		g.orient(c)
	}
	if g.pl.thread >= 0 && len(g.pl.key) == 0 {
		g.at, g.track = c.t, c.t.track
		c.t.groups = append(c.t.groups, g)
	}
	for _, n := range g.nodes {
		switch {
		case n.object == nil:
		case g.object == nil:
			g.object = n.object
		case g.peer == nil:
			g.peer = n.object
		}
	}
	if g.pl.stock == stockLatency && len(g.nodes) == 1 && g.object != nil && g.object.isPad() {
		g.object = g.object.parent // an element's use is a matter of the element
	}
	g.name = g.makeName()
}

// findNodes finds what the fields of the key stand for.
func (g *group) findNodes(c *recordAt) {
	address := "" // of the next element
	dir := model.PadSource
	for _, i := range g.pl.key {
		f, v := &g.pl.class.Fields[i], &c.values[i]
		switch {
		case f.Related == RelatedProcess:
			g.add(nil, "process "+textOf(v))
		case f.Related == RelatedElement && IsText(v.Kind) && isAddress(v.Text):
			address = string(v.Text)
		case f.Related == RelatedElement && IsText(v.Kind):
			g.add(c.p.elementNamed(c.m.name(v.Text), address), "")
			address = ""
		case f.Related == RelatedPad && IsText(v.Kind):
			g.addPad(c, v.Text, dir)
			dir = model.PadSink // the second one of a pair
		case f.Related == RelatedElement:
			g.addElement(c, c.p.element(v))
		case f.Related == RelatedPad:
			g.add(c.p.pad(v), "")
		default:
			g.add(nil, Name([]byte(textOf(v))))
		}
	}
	g.add(nil, address) // one without a name
}

// add adds a place, unless it is none.
func (g *group) add(o *object, text string) {
	if o != nil || text != "" {
		g.nodes = append(g.nodes, node{o, text})
	}
}

// lastObject is the object of the place that was added last.
func (g *group) lastObject() *object {
	if k := len(g.nodes); k > 0 {
		return g.nodes[k-1].object
	}
	return nil
}

// addPad adds a pad by its name, which stands behind that of its element.
func (g *group) addPad(c *recordAt, name []byte, dir model.PadDirection) {
	if o := g.lastObject(); o != nil && !o.isPad() {
		g.nodes[len(g.nodes)-1].object = c.p.padNamed(o, c.m.name(name), dir)
	} else if pad := c.p.padJoined(name); pad != nil {
		g.add(pad, "")
	} else {
		g.add(nil, Name(name))
	}
}

// addElement adds an element, unless it is that of the pad before it.
func (g *group) addElement(c *recordAt, o *object) {
	if pad := g.lastObject(); pad != nil && pad.isPad() && o != nil {
		c.m.setParent(pad, o, true)
		if pad.parent == o {
			return
		}
	}
	g.add(o, "")
}

// makeName names the group by its key.
func (g *group) makeName() string {
	if g.at != nil {
		return Label(g.at.title() + g.p.suffix())
	}
	var parts []string
	for _, n := range g.nodes {
		if n.object != nil {
			parts = append(parts, n.object.fullName())
		} else {
			parts = append(parts, n.text)
		}
	}
	if len(parts) == 0 {
		return Label(g.pl.class.Name + g.p.suffix())
	}
	return Label(strings.Join(parts, " → ") + g.p.suffix())
}

// rename names the group and its series again after an object or a thread got its name.
func (g *group) rename() {
	old := g.name
	g.name = g.makeName()
	if g.name == old {
		return
	}
	for _, s := range g.made {
		if s.id != model.NoSeries {
			s.def.Name = g.name + s.suffix
			g.p.m.out.Define(s.def)
		}
	}
}

// make defines a series of the group. suffix comes behind the group's name.
func (g *group) make(s *groupSeries, d model.SeriesDef, suffix string) {
	s.made, s.gap, s.suffix = true, true, suffix
	d.Name = g.name + suffix
	d.Track, d.Object, d.Peer = g.track, g.object.id(), g.peer.id()
	s.id = g.p.m.newSeries(g.p.pid, &d)
	s.def = d
	g.made = append(g.made, s)
}

// isAddress reports whether a text is an address rather than a name.
func isAddress(text []byte) bool {
	return isThread(text) && (len(text) == 16 || len(hexPrefix(text)) > 0 || text[0] == '(')
}
