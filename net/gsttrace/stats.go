package gsttrace

import (
	"hash/maphash"
	"strings"

	"framescope/model"
)

// field returns a field of the record; the plan made sure that it is there.
func (c *recordAt) field(name string) *Value { return &c.values[c.pl.field(name)] }

// unlinked notes that an element's source pad was taken from its peer. No message says which pad,
// so it is known only where there is but one.
func (m *mapper) unlinked(o *object, timeNs int64) {
	var open *model.LinkDef
	for _, pad := range o.pads {
		for _, l := range pad.links {
			if !isOpen(l) {
				continue
			}
			if open != nil {
				return
			}
			open = l
		}
	}
	if open != nil {
		open.Until = timeNs
		m.out.Define(*open)
	}
}

// created is the time of a record that announces something: not known when the tracer met it late.
func (c *recordAt) created() int64 {
	if c.pl.ts >= 0 && c.values[c.pl.ts].Unsigned() < MaxTime {
		return c.timeNs
	}
	return model.TimeUnknown
}

// newObject maps a new-element or a new-pad record. It may come twice, from two tracers, or late for an object that was
// spoken of before.
func (c *recordAt) newObject() {
	m, p, isPad := c.m, c.p, c.pl.stock == stockNewPad
	what, table, kind, created := "elements", p.elements, model.ObjectElement, c.created()
	if isPad {
		what, table, kind, created = "pads", p.pads, model.ObjectPad, c.timeNs
	}
	c.born(what)
	ix, ok := uintOf(c.field("ix"))
	if !ok {
		return
	}
	name, unnamed := objectName(m, c.field("name").Text)
	typ := m.name(c.field("type").Text)
	parent := p.element(c.field("parent-ix"))
	known := p.named[name]
	if isPad {
		known = parent.padOf(name)
	}
	o := table[ix]
	if o == nil && !unnamed && known != nil && !known.hasIx { // from another tracer
		o = known
	} else if o == nil || !o.unnamed && (o.def.Name != name || !isPad && o.def.Type != typ && o.def.Type != "") {
		// new, or the number stands for something else by now
		o = freshObject(kind, name)
		o.def.Type = typ
		p.newObject(o)
	}
	fresh := o.announce(name, typ, unnamed, created)
	if isPad {
		c.padFacts(o, parent)
	} else if kind == o.def.Kind && c.field("is-bin").Unsigned() != 0 {
		o.def.Kind = model.ObjectBin
	}
	m.setParent(o, parent, true)
	m.define(o)
	p.remember(table, ix, o)
	if !isPad && !unnamed && o.defined {
		p.named[name] = o
	}
	if fresh {
		c.say("new "+kindWord(o)+" "+o.fullName()+" ("+typ+")", o.fullName())
	}
}

// padFacts takes over which way data go through a pad, and whether it is a ghost pad, as only bins have them.
func (c *recordAt) padFacts(o, parent *object) {
	switch direction(c.field("pad-direction")) {
	case sourcePad:
		o.def.Direction = model.PadSource
	case sinkPad:
		o.def.Direction = model.PadSink
	}
	if c.field("is-ghostpad").Unsigned() == 0 {
		return
	}
	o.def.Kind = model.ObjectGhostPad
	if parent != nil && parent.def.Kind == model.ObjectElement {
		parent.def.Kind = model.ObjectBin
		c.m.define(parent)
	}
}

// announce takes over what a record announces of an object. It reports whether something of that is new.
func (o *object) announce(name, typ string, unnamed bool, created int64) (fresh bool) {
	fresh = o.def.Type == "" || o.unnamed != unnamed || !o.hasIx
	o.hasIx, o.unnamed = true, unnamed
	o.def.Name, o.def.Type = name, typ
	if o.def.Created == model.TimeUnknown {
		o.def.Created = created
	}
	if fresh {
		o.renameGroups()
	}
	return fresh
}

func objectName(m *mapper, text []byte) (name string, unnamed bool) {
	if string(text) == "(null)" || len(text) == 0 {
		return "(not named yet)", true
	}
	return m.name(text), false
}

func kindWord(o *object) string {
	switch {
	case o.isPad():
		return "pad"
	case o.def.Kind == model.ObjectBin:
		return "bin"
	}
	return "element"
}

// orient finds which way data go over the link of a buffer group: in pull mode the record's pad is
// the sink pad that pulled.
func (g *group) orient(c *recordAt) {
	g.source, g.sink = g.nodes[0].object, g.nodes[1].object
	if g.source == nil || g.sink == nil {
		return
	}
	if g.source.def.Direction == model.PadSink ||
		g.sink.def.Direction == model.PadSource && g.source.def.Direction != model.PadSource {
		g.source, g.sink = g.sink, g.source
		g.nodes[0], g.nodes[1] = g.nodes[1], g.nodes[0]
	}
	c.guessBin(g.source, g.sink)
	c.guessBin(g.sink, g.source)
}

// guessBin finds out that an element is in a bin: it is linked to the inner side of one of its
// ghost pads.
func (c *recordAt) guessBin(pad, peer *object) {
	if peer.def.Type == "GstProxyPad" && pad.def.Type != "GstProxyPad" && pad.def.Kind == model.ObjectPad &&
		peer.parent != nil && pad.parent != nil {
		c.m.setParent(pad.parent, peer.parent, false)
	}
}

// buffer maps the meaning of a buffer record beyond its values: the link, the gap to the buffer before, and the
// thread that pushed it.
func (c *recordAt) buffer(g *group) {
	if g.link == nil && g.source != nil && g.sink != nil {
		if g.link = c.m.link(g.source, g.sink, c.timeNs); g.link != nil && g.link.Flow == model.NoSeries {
			if flow := g.series[c.pl.valueOf("buffer-size")].id; flow != model.NoSeries {
				g.link.Flow = flow
				c.m.out.Define(*g.link)
			}
		}
	}
	if g.lastBufferNs != 0 {
		if !g.gap.made {
			g.make(&g.gap, model.SeriesDef{
				Group: "buffer interval", Role: model.RoleInterval, Unit: "ns",
				Description: "time since the buffer before; its spread is the jitter",
			}, "")
		}
		if d := c.timeNs - g.lastBufferNs; d > 0 {
			c.m.out.Sample(g.gap.id, c.timeNs, float64(d))
		}
	}
	g.lastBufferNs = max(c.timeNs, g.lastBufferNs, 1)
	c.passed(g.source, g.sink)
	c.keepsPace(g)
	c.t.pushed(g)
}

// messageRun is the message that bins pass upwards on a thread: each level posts it again
// (FORMAT.md section 6.2).
type messageRun struct {
	hash uint64 // of its name and structure
	seen []seenMessage
}

type seenMessage struct {
	o      *object
	timeNs int64
}

// message maps what a message means. It returns whether the message is an original, not one that a
// bin passes on.
func (c *recordAt) message(g *group) bool {
	name, structure := c.field("name").Text, c.field("structure").Text
	o := g.object
	run := &c.t.run
	hash := maphash.Bytes(c.m.seed, name) ^ maphash.Bytes(c.m.seed, structure)*31
	same := run.hash == hash
	if same && o != nil {
		for _, s := range run.seen {
			if s.o == o {
				if s.timeNs == c.timeNs {
					return false // a second tracer wrote it again
				}
				same = false // the object's own message, equal to one that it passed on
			}
		}
		if same && len(run.seen) > 0 && len(run.seen) < 64 && passesOn(run.seen[len(run.seen)-1].o, o) {
			c.m.setParent(run.seen[len(run.seen)-1].o, o, false)
			run.seen = append(run.seen, seenMessage{o, c.timeNs})
			return false
		}
	}
	run.hash, run.seen = hash, run.seen[:0]
	if o == nil {
		return true
	}
	run.seen = append(run.seen, seenMessage{o, c.timeNs})
	c.messageFacts(o, name, structure)
	return true
}

// passesOn reports whether a message of o that is equal to the one before it, of child, is that one
// passed on: o is a bin, and as far as anybody knows the one that child is in. A pipeline is in
// none.
func passesOn(child, o *object) bool {
	return o.def.Kind == model.ObjectBin && child.def.Type != "GstPipeline" && (child.parent == nil || child.parent == o)
}

// messageFacts takes from a message the facts for the session: states, and the tasks of threads.
func (c *recordAt) messageFacts(o *object, name, structure []byte) {
	switch string(name) {
	case "state-changed":
		s, _ := ParseStructure(structure)
		c.m.stateChanged(c.p, o, State(s.text("old-state")), State(s.text("new-state")), c.timeNs)
	case "qos", "buffering":
		c.figures(o, structure, messageFigures[string(name)])
	case "structure-change":
		s, _ := ParseStructure(structure)
		if s.text("busy") == "false" && strings.HasSuffix(strings.ToLower(s.text("type")), "unlink") {
			c.m.unlinked(o, c.timeNs)
		}
	case "stream-status":
		s, _ := ParseStructure(structure)
		if strings.HasSuffix(strings.ToLower(s.text("type")), "enter") {
			c.t.entered(taskName(&s))
		}
	}
}

// taskName returns the name of the thread of a stream-status message: its task, by the name that it has in the
// system as well ("queue0:src"), else the element that runs it.
func taskName(s *Structure) string {
	if name := ownerName(s.text("object")); strings.Contains(name, ":") { // a fresh task is called "task0"
		return name
	}
	if owner := s.Get("owner"); owner != nil {
		return ownerName(owner.Text)
	}
	return ""
}

// ownerName is the name in "(TypeName) name".
func ownerName(text string) string {
	if _, rest, ok := strings.Cut(text, ") "); ok && strings.HasPrefix(text, "(") {
		text = rest
	}
	return Name([]byte(text))
}

// query maps a query record: it is written before and after, and the pair nests like a call. It reports whether it
// is the first of the pair, or one with an unknown first.
func (c *recordAt) query() bool {
	m, p := c.m, c.p
	begin := !c.field("res").Present
	if !begin {
		c.capsAccepted()
	}
	text := c.field("name").Text
	if p.calls { // the log tracer has the same more exactly
		return begin
	}
	var where string
	var color model.RGB
	if pad := p.pad(c.field("pad-ix")); pad != nil {
		if pad.parent == nil {
			m.setParent(pad, p.element(c.field("element-ix")), true)
		}
		if where = pad.fullName(); pad.parent != nil {
			color = m.colors.colorOf([]byte(pad.parent.def.Name))
		}
	} else if o := p.element(c.field("element-ix")); o != nil {
		where, color = o.fullName(), m.colors.colorOf([]byte(o.def.Name))
	}
	m.details = append(append(append(m.details[:0], where...), ' '), text...)
	id := m.collector("query", []byte("query"), m.details, color)
	if begin {
		c.t.calls.push(id, c.timeNs)
		return true
	}
	known := c.t.calls.pop(id, c.timeNs)
	m.details = append(m.details[:0], "query "...)
	m.details = append(m.details, text...)
	m.details = append(m.details, ": "...)
	m.details = appendPlain(m.details, c.field("structure").Text)
	if c.field("res").Unsigned() == 0 {
		m.details = append(m.details, " — not answered"...)
	}
	c.sayText(m.details, where, model.SeverityLog)
	return !known
}
