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
	kinds        map[string]*groupSeries // event series by text
	event        groupSeries

	// of buffers
	source, sink *object // data go from source to sink
	thread       *thread // that pushed last, and how often in a row of counts
	threadCount  int64
	link         *link
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
	room := m.things.nGroups < MaxGroups && len(key) <= 4*MaxName
	if !room || !m.out.Names.Take(pl.groupBytes+2*int64(len(key))) {
		m.out.Beyond(trace.ManyCounters)
		return pl.moreOf(c)
	}
	m.things.nGroups++
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
	var address string
	source := true // the next pad named by text is a source pad; the second one of a pair is a sink
	for _, i := range g.pl.key {
		f, v := &g.pl.class.Fields[i], &c.values[i]
		switch {
		case f.Related == RelatedProcess:
			g.nodes = append(g.nodes, node{text: "process " + textOf(v)})
		case f.Related == RelatedElement && IsText(v.Kind):
			if isAddress(v.Text) {
				address = string(v.Text)
				continue
			}
			g.nodes = append(g.nodes, node{object: c.p.elementNamed(c.m.names.Name(v.Text), address)})
			address = ""
		case f.Related == RelatedPad && IsText(v.Kind):
			dir := model.PadSource
			if !source {
				dir = model.PadSink
			}
			source = false
			if k := len(g.nodes); k > 0 && g.nodes[k-1].object != nil && !g.nodes[k-1].object.isPad() {
				g.nodes[k-1].object = c.p.padNamed(g.nodes[k-1].object, c.m.names.Name(v.Text), dir)
			} else if pad := c.p.padJoined(v.Text); pad != nil {
				g.nodes = append(g.nodes, node{object: pad})
			} else {
				g.nodes = append(g.nodes, node{text: Name(v.Text)})
			}
		case f.Related == RelatedElement:
			o := c.p.element(v)
			if k := len(g.nodes); k > 0 && o != nil && g.nodes[k-1].object != nil && g.nodes[k-1].object.isPad() {
				pad := g.nodes[k-1].object
				c.m.things.setParent(pad, o, true)
				if pad.parent == o {
					continue // the element of the pad before it
				}
			}
			if o != nil {
				g.nodes = append(g.nodes, node{object: o})
			}
		case f.Related == RelatedPad:
			if o := c.p.pad(v); o != nil {
				g.nodes = append(g.nodes, node{object: o})
			}
		default:
			g.nodes = append(g.nodes, node{text: Name([]byte(textOf(v)))})
		}
	}
	if address != "" { // an address without a name
		g.nodes = append(g.nodes, node{text: address})
	}
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

// rename names the group and its series again after an object got its name.
func (g *group) rename() {
	old := g.name
	g.name = g.makeName()
	if g.name == old {
		return
	}
	again := func(s *groupSeries) {
		if s.made && s.id != model.NoSeries {
			s.def.Name = g.name + s.suffix
			g.p.m.out.Define(s.def)
		}
	}
	for i := range g.series {
		again(&g.series[i])
	}
	again(&g.event)
	again(&g.gap)
	for _, s := range g.kinds {
		again(s)
	}
}

// make defines a series of the group. suffix comes behind the group's name.
func (g *group) make(s *groupSeries, d model.SeriesDef, suffix string) {
	s.made, s.gap, s.suffix = true, true, suffix
	if g.at != nil {
		g.name = g.makeName() // the thread may have got its name by now
	}
	d.Name = g.name + suffix
	d.Track, d.Object, d.Peer = g.track, g.object.id(), g.peer.id()
	s.id = g.p.m.things.newSeries(g.p.pid, &d)
	s.def = d
	if g.at != nil && s.id != model.NoSeries {
		g.at.series = append(g.at.series, threadSeries{d, suffix})
	}
}

// isAddress reports whether a text is an address rather than a name.
func isAddress(text []byte) bool {
	if len(text) == 5 && string(text) == "(nil)" {
		return true
	}
	if len(text) > 2 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X') {
		text = text[2:]
	} else if len(text) != 16 {
		return false
	}
	for _, b := range text {
		if (b < '0' || b > '9') && (b|0x20 < 'a' || b|0x20 > 'f') {
			return false
		}
	}
	return true
}
