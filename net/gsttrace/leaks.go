package gsttrace

import (
	"bytes"
	"cmp"
	"strconv"

	"framescope/model"
	"framescope/net/trace"
)

// leaks is the state of one process's leaks tracer (FORMAT.md section 6.4).
type leaks struct {
	listing   int   // of the session; 0 before the first
	listNs    int64 // when it began
	kind      stock // of the last record in it
	heading   bool  // a line announced a listing; its records have not come yet
	ending    bool  // the tracer is being destroyed: objects listed now have leaked
	told      bool  // lines of the leaks category are in the log, so they mark the begins of listings
	byAddress map[string]*resource
	last      *resource
	undecided []*resource // of a listing that leaked if nothing comes after it
}

// resource is one listed object.
type resource struct {
	def  model.ResourceDef
	refs groupSeries
}

// leaksLine notes how a line of the leaks category describes the records that follow.
func (p *process) leaksLine(m *mapper, e *LogEntry) {
	p.told = true
	switch text := e.Message; {
	case bytes.Contains(text, []byte("destroying tracer")):
		p.ending = true
	case bytes.Contains(text, []byte("start listing")), bytes.Contains(text, []byte("objects created since")):
		p.beginListing(m)
		p.heading = true
	}
}

func (p *process) beginListing(m *mapper) {
	m.listings++
	p.listing, p.listNs, p.kind = m.listings, m.lineNs, stockNone
	p.byAddress, p.last = map[string]*resource{}, nil
	p.undecided = nil
}

// leak maps a record of the leaks tracer.
func (c *recordAt) leak() {
	p := c.p
	kind := c.pl.stock
	if kind == stockRefings {
		c.reference()
		return
	}
	// Without headings, a listing begins where the kind of record does; a checkpoint lists added objects, then
	// removed ones.
	if p.heading {
		p.heading = false
	} else if p.listing == 0 ||
		p.kind != kind && !(p.kind == stockAdded && kind == stockRemoved) && !(p.told && p.kind == stockNone) {
		p.beginListing(c.m)
	}
	p.kind = kind
	d := model.ResourceDef{RefCount: -1}
	switch kind {
	case stockAlive:
		d.Fate = model.ResourceAlive
		if p.ending {
			d.Fate = model.ResourceLeaked
		}
		d.Description, _ = Cut(c.field("description").Text, MaxText)
		d.RefCount = int64(min(c.field("ref-count").Unsigned(), 1<<62))
		d.Trace = c.trace()
	case stockAdded:
		d.Fate = model.ResourceAdded
	case stockRemoved:
		d.Fate = model.ResourceRemoved
	}
	if r := c.list(d); r != nil && kind == stockAlive && !p.told {
		p.undecided = append(p.undecided, r)
	}
}

// list adds an object to the listing; it returns nil beyond the limit.
func (c *recordAt) list(d model.ResourceDef) *resource {
	m, p := c.m, c.p
	d.ID, d.Listing, d.Time, d.Address = m.nResources, p.listing, p.listNs, textOf(c.field("address"))
	if i := c.pl.field("type-name"); i >= 0 {
		d.Type = m.name(c.values[i].Text)
	}
	p.last = nil
	if m.nResources >= MaxResources || !m.out.Names.Admit(d) {
		m.out.Beyond(trace.ManyObjects)
		return nil
	}
	m.nResources++
	p.last = &resource{def: d}
	if d.Fate <= model.ResourceLeaked {
		p.byAddress[d.Address] = p.last
	}
	m.out.Define(d)
	return p.last
}

// trace is the backtrace of the record.
func (c *recordAt) trace() string {
	text := c.field("trace").Text
	return c.m.texts.Of(text[:min(len(text), maxTraceText)])
}

// reference maps one step in the history of the object listed before it.
func (c *recordAt) reference() {
	p := c.p
	address := c.field("address")
	r := p.last
	if r == nil || string(address.Text) != r.def.Address {
		if r = p.byAddress[string(address.Text)]; r == nil {
			if p.listing == 0 {
				p.beginListing(c.m)
			}
			if r = c.list(model.ResourceDef{Fate: model.ResourceAlive, RefCount: -1}); r == nil {
				return
			}
		}
	}
	ref := !bytes.HasPrefix(c.field("description").Text, []byte("unref"))
	count := c.field("ref-count").Unsigned()
	if k := len(c.m.refs); k > 0 && c.m.refs[k-1].Resource != r.def.ID {
		c.m.flushRefs()
	}
	e := model.RefEvent{
		Resource: r.def.ID, Time: c.timeNs, Ref: ref, Count: int64(min(count, 1<<62)),
		Trace: c.trace(),
	}
	if !c.m.out.Admit(e, trace.ManyObjects) {
		return
	}
	c.m.refs = append(c.m.refs, e)
	if !r.refs.made {
		r.refs.made = true
		r.refs.id = p.series(r.title(), nil, model.SeriesDef{
			Group: "references", Description: "reference count, after each reference taken or given up",
			Role: model.RoleRefCount,
		})
	}
	c.m.out.Sample(r.refs.id, c.timeNs, float64(count))
}

// flushRefs hands over the history of the object that was listed last, which is complete. It is
// nearly in order of time: threads took turns with the list.
func (m *mapper) flushRefs() {
	if len(m.refs) == 0 {
		return
	}
	trace.SortRuns(m.refs, func(a, b model.RefEvent) int { return cmp.Compare(a.Time, b.Time) })
	for _, e := range m.refs {
		m.out.Define(e)
	}
	clear(m.refs)
	m.refs = m.refs[:0]
}

// title names a resource among others.
func (r *resource) title() string {
	return r.def.Type + " " + r.def.Address + " #" + strconv.Itoa(r.def.Listing)
}

// endListing decides at the end of the log about a last listing that no line announced: nothing came after it, so the
// program had freed everything else, and the objects alive have leaked.
func (p *process) endListing() {
	for _, r := range p.undecided {
		r.def.Fate = model.ResourceLeaked
		p.m.out.Define(r.def)
	}
	p.undecided = nil
}
