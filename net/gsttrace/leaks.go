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
	} else if p.listing == 0 || p.kind != kind && !(p.kind == stockAdded && kind == stockRemoved) && !(p.told && p.kind == stockNone) {
		p.beginListing(c.m)
	}
	p.kind = kind
	if c.m.nResources >= MaxResources {
		c.m.out.Beyond(trace.ManyObjects)
		p.last = nil
		return
	}
	r := &resource{def: model.ResourceDef{
		ID: c.m.nResources, Listing: p.listing, Time: p.listNs, Type: c.m.names.Name(c.of("type-name").Text), Address: textOf(c.of("address")), RefCount: -1,
	}}
	switch kind {
	case stockAlive:
		r.def.Fate = model.ResourceAlive
		if p.ending {
			r.def.Fate = model.ResourceLeaked
		}
		r.def.Description, _ = Cut(c.of("description").Text, MaxText)
		r.def.RefCount = int64(min(c.of("ref-count").Unsigned(), 1<<62))
		r.def.Trace = c.m.names.Trace(c.of("trace").Text)
	case stockAdded:
		r.def.Fate = model.ResourceAdded
	case stockRemoved:
		r.def.Fate = model.ResourceRemoved
	}
	if !c.m.out.Admit(r.def, trace.ManyObjects) {
		p.last = nil
		return
	}
	c.m.nResources++
	p.last = r
	if kind == stockAlive {
		p.byAddress[r.def.Address] = r
		if !p.told {
			p.undecided = append(p.undecided, r)
		}
	}
	c.m.out.Define(r.def)
}

// reference maps one step in the history of the object listed before it.
func (c *recordAt) reference() {
	p := c.p
	address := c.of("address")
	r := p.last
	if r == nil || string(address.Text) != r.def.Address {
		if r = p.byAddress[string(address.Text)]; r == nil {
			if r = c.unlisted(); r == nil {
				return
			}
		}
	}
	if c.m.nRefs >= MaxRefEvents {
		c.m.out.Beyond(trace.ManyObjects)
		return
	}
	ref := !bytes.HasPrefix(c.of("description").Text, []byte("unref"))
	count := c.of("ref-count").Unsigned()
	if k := len(c.m.refs); k > 0 && c.m.refs[k-1].Resource != r.def.ID {
		c.m.flushRefs()
	}
	e := model.RefEvent{
		Resource: r.def.ID, Time: c.timeNs, Ref: ref, Count: int64(min(count, 1<<62)),
		Trace: c.m.names.Trace(c.of("trace").Text),
	}
	if !c.m.out.Admit(e, trace.ManyObjects) {
		return
	}
	c.m.nRefs++
	c.m.refs = append(c.m.refs, e)
	if !r.refs.made && c.m.nRefSeries < MaxRefSeries {
		c.m.nRefSeries++
		r.refs.made = true
		d := model.SeriesDef{
			Name: Label(r.title() + p.suffix()), Group: "references", Description: "reference count, after each reference taken or given up", Kind: model.SeriesValue,
			Role: model.RoleRefCount, Track: model.NoTrack, Object: model.NoObject, Peer: model.NoObject,
		}
		r.refs.id = c.m.things.newSeries(p.pid, &d)
	}
	if r.refs.made {
		c.m.out.Sample(r.refs.id, c.timeNs, float64(count))
	}
}

// flushRefs hands over the history of the object that was listed last, which is complete. It is
// nearly in order of time: threads took turns with the list.
func (m *mapper) flushRefs() {
	trace.SortRuns(m.refs, func(a, b model.RefEvent) int { return cmp.Compare(a.Time, b.Time) })
	for _, e := range m.refs {
		m.out.Define(e)
	}
	clear(m.refs)
	m.refs = m.refs[:0]
}

// unlisted makes a resource for references without an object-alive record in the log.
func (c *recordAt) unlisted() *resource {
	p := c.p
	if c.m.nResources >= MaxResources {
		c.m.out.Beyond(trace.ManyObjects)
		return nil
	}
	if p.listing == 0 {
		p.beginListing(c.m)
	}
	r := &resource{def: model.ResourceDef{
		ID: c.m.nResources, Fate: model.ResourceAlive, Listing: p.listing, Time: p.listNs,
		Address: textOf(c.of("address")), RefCount: -1,
	}}
	if i := c.pl.field("type-name"); i >= 0 {
		r.def.Type = c.m.names.Name(c.values[i].Text)
	}
	if !c.m.out.Admit(r.def, trace.ManyObjects) {
		return nil
	}
	c.m.nResources++
	p.byAddress[r.def.Address] = r
	p.last = r
	c.m.out.Define(r.def)
	return r
}

// title names a resource among others.
func (r *resource) title() string {
	return r.def.Type + " " + r.def.Address + " #" + strconv.Itoa(r.def.Listing)
}

// settle decides at the end of the log about a last listing that no line announced: nothing came after it, so the
// program had freed everything else, and the objects alive have leaked.
func (p *process) settle() {
	for _, r := range p.undecided {
		r.def.Fate = model.ResourceLeaked
		p.m.out.Define(r.def)
	}
	p.undecided = nil
}
