package gsttrace

import (
	"cmp"
	"math"
	"slices"
	"strconv"

	"framescope/model"
	"framescope/net/trace"
)

// record maps a record: what its announcement says of each value, and what a stock record means
// beyond that.
func (pl *plan) record(c *recordAt) {
	switch pl.stock {
	case stockNewElement, stockNewPad:
		c.newObject()
		return
	case stockAlive, stockRefings, stockAdded, stockRemoved:
		c.leak()
		return
	case stockQuery:
		if !c.query() {
			return // the answer: counted and reported with the query
		}
	}
	g := pl.group(c)
	if g == nil {
		return
	}
	original := pl.stock != stockMessage || c.message(g)
	details := pl.details && original
	for i := range pl.values {
		switch v := &pl.values[i]; v.treat {
		case treatNumber:
			c.number(g, v, &g.series[i])
		case treatState:
			if !c.state(g, v, &g.series[i]) {
				details = true
			}
		}
	}
	if pl.category >= 0 {
		c.category(g)
	}
	if pl.event != nil {
		if !g.event.made {
			g.make(&g.event, *pl.event, "")
		}
		c.m.out.Sample(g.event.id, c.timeNs, 1)
	}
	switch pl.stock {
	case stockBuffer:
		c.buffer(g)
	case stockEvent:
		c.capsEvent()
	case stockLatency:
		c.latency(g)
	}
	if details && pl.stock != stockQuery {
		c.detail(g)
	}
}

// number takes a sample of a number. Where an optional value is missing, or stands for unknown, one
// sample marks the gap.
func (c *recordAt) number(g *group, v *valuePlan, s *groupSeries) {
	x := &c.values[v.field]
	if !x.Present || IsText(x.Kind) || v.nsAll && x.Unsigned() == math.MaxUint64 {
		c.gap(s)
		return
	}
	if !s.made {
		g.make(s, v.def, "")
	}
	s.gap = false
	if v.def.Role == model.RoleCPUTime {
		c.rusage(g, s, x.Unsigned())
		return
	}
	value := x.Number()
	if v.signed {
		value = float64(int64(x.Unsigned()))
	}
	c.m.out.Sample(s.id, c.timeNs, value*v.factor)
}

// gap marks that from here on there is no value.
func (c *recordAt) gap(s *groupSeries) {
	if s.made && !s.gap {
		s.gap, s.last = true, 0
		c.m.out.Sample(s.id, c.timeNs, math.NaN())
	}
}

// state takes a sample of a state when it changed. It returns false when the state could not be
// taken, because there are too many different ones.
func (c *recordAt) state(g *group, v *valuePlan, s *groupSeries) bool {
	x := &c.values[v.field]
	if !x.Present {
		c.gap(s)
		return true
	}
	if !s.made {
		g.make(s, v.def, "")
	}
	at := x.Unsigned()
	if x.Kind != KindBool {
		k, ok := s.index(c, x, c.pl.class.Fields[v.field].Type)
		if !ok {
			c.gap(s)
			c.m.out.Beyond(trace.ManyNames)
			return false
		}
		at = uint64(k)
	}
	if s.last != at+1 {
		s.last, s.gap = at+1, false
		c.m.out.Sample(s.id, c.timeNs, float64(at))
	}
	return true
}

// index is the number of a state by its text or number; a new state is named in the series.
func (s *groupSeries) index(c *recordAt, x *Value, typ string) (k int, ok bool) {
	key := x.Text
	if !IsText(x.Kind) {
		c.m.key = appendValue(c.m.key[:0], x)
		key = c.m.key
	}
	if k, ok = s.states[string(key)]; ok {
		return k, true
	}
	k = len(s.def.States)
	if k >= MaxStates || len(key) > MaxName || !c.m.out.Names.Take(stateBytes+2*int64(len(key))) {
		return 0, false
	}
	model.Put(&s.states, string(key), k)
	label := c.m.name(key)
	if u, err := strconv.ParseUint(label, 0, 64); err == nil { // flags are also written in hexadecimal
		if word, ok := WordOf(typ, u); ok {
			label = word
		}
	}
	s.def.States = append(slices.Clone(s.def.States), label) // the ones that were handed over stay as they are
	if s.id != model.NoSeries {
		c.m.out.Define(s.def)
	}
	return k, true
}

// category takes a sample of the kind of event that a text names.
func (c *recordAt) category(g *group) {
	v := &c.pl.values[c.pl.category]
	x := &c.values[v.field]
	if !x.Present {
		return
	}
	s := g.kinds[string(x.Text)]
	if s == nil {
		s = c.newCategory(g, x.Text)
	}
	c.m.out.Sample(s.id, c.timeNs, 1)
}

// newCategory makes the series of a kind of event. Beyond the limit all are "other".
func (c *recordAt) newCategory(g *group, text []byte) *groupSeries {
	kind := c.m.name(text)
	if len(g.kinds) >= MaxCategories || len(text) > MaxName {
		c.m.out.Beyond(trace.ManyNames)
		kind = "other"
		text = []byte("other")
		if s := g.kinds[kind]; s != nil {
			return s
		}
	}
	s := &groupSeries{}
	model.Put(&g.kinds, string(text), s)
	d := c.pl.values[c.pl.category].def
	d.Kind, d.Role, d.Unit = model.SeriesEvent, model.RoleActivity, ""
	d.Group = cmp.Or(categoryGroups[c.pl.stock], Label(Name([]byte(c.pl.class.Name))))
	d.Description = Label(kind + ": " + d.Group)
	if c.pl.stock == stockEvent && kind == markerEvent {
		if c.p.latencies {
			d.Group = markerGroup
		} else {
			defer func() { c.p.markers = append(c.p.markers, s) }()
		}
	}
	g.make(s, d, ": "+kind)
	return s
}

// categoryGroups name the groups of series of kinds of events; other records have theirs by their class.
var categoryGroups = map[stock]string{
	stockEvent: "events", stockMessage: "messages", stockQuery: "queries", stockElementQuery: "element queries",
}

// The latency tracer's own events would drown all others (FORMAT.md section 6.2): they have a group
// of series of their own, which charts can leave out.
const (
	markerEvent = "custom-downstream"
	markerGroup = "latency markers"
)

// sawLatencies notes that the latency tracer is on.
func (p *process) sawLatencies() {
	if p.latencies {
		return
	}
	p.latencies = true
	for _, s := range p.markers {
		s.def.Group = markerGroup
		if s.id != model.NoSeries {
			p.m.out.Define(s.def)
		}
	}
	p.markers = nil
}

// textOf is a value as text.
func textOf(v *Value) string {
	if v.Kind == KindPointer {
		return Name(v.Text)
	}
	s, _ := Cut(appendValue(nil, v), MaxText)
	return s
}

// appendValue appends a value as text.
func appendValue(dst []byte, v *Value) []byte {
	switch v.Kind {
	case KindUint:
		return strconv.AppendUint(dst, v.Uint, 10)
	case KindInt:
		return strconv.AppendInt(dst, int64(v.Uint), 10)
	case KindFloat:
		return strconv.AppendFloat(dst, v.Float, 'g', -1, 64)
	case KindBool:
		return strconv.AppendBool(dst, v.Uint != 0)
	}
	return append(dst, v.Text...)
}
