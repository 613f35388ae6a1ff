package chrometrace

import (
	"framescope/model"
	"framescope/net/trace"
)

// collectorNote takes the metadata of a collector.
func (d *decoder) collectorNote(text []byte, at int64) {
	c, ok := trace.ReadCollector(text)
	if !ok || !d.room.Take(192) || !d.texts.tell(&c) {
		d.session.Unread.Add(trace.Collector, at)
	}
}

// toldBy returns the keys of a span's arguments that are metadata: its place and which of its ends are open. They
// are valid until the next call.
func (d *decoder) toldBy(th *thread, ev *event, seq uint32) []string {
	d.notArgs = d.notArgs[:0]
	if d.session.Told() && d.marked(ev, seq) {
		d.notArgs = append(d.notArgs, trace.Marks)
	}
	switch {
	case !th.info.Told:
	case !th.info.Kind.Calls():
		d.notArgs = append(d.notArgs, trace.SpanGroup)
	case th.info.Rows && d.placed(th, ev, seq):
		d.notArgs = append(d.notArgs, trace.Place)
	}
	return d.notArgs
}

// marked takes which ends of a span are open.
func (d *decoder) marked(ev *event, seq uint32) bool {
	text := trace.Member(ev.args, trace.Marks)
	flags := trace.ReadMarks(text)
	if flags != 0 {
		if d.openEnds == nil {
			d.openEnds = map[uint32]model.SpanFlags{}
		}
		d.openEnds[seq] = flags & (trace.Open | model.SpanUncertain)
		d.used += 32
	}
	return flags != 0
}

// placed takes the place of a span, on a thread whose spans have one.
func (d *decoder) placed(th *thread, ev *event, seq uint32) bool {
	text := trace.Member(ev.args, trace.Place)
	if text == nil {
		return false
	}
	if p, ok := trace.ReadPlace(text, mostRows); ok {
		if th.places == nil {
			th.places = map[uint32]trace.SpanPlace{}
		}
		th.places[seq] = p
		d.used += 64 + 8*int64(len(p.Below))
	}
	return true
}

// inRows puts the spans of a thread, which are settled, in their rows and on their call paths.
func (d *decoder) inRows(th *thread, list []span) []span {
	if !th.info.Rows {
		list, rows := d.nest(list)
		return d.settle(list, rows)
	}
	for i := range list {
		list[i].lane = uint16(th.places[list[i].seq].Row)
	}
	trace.SortRuns(list, func(a, b span) int { return trace.SortRunPairs(a.begin, b.begin, int64(a.lane), int64(b.lane)) })
	var rows trace.Rowed
	for i := range list {
		s := &list[i]
		p, ok := th.places[s.seq]
		if !ok {
			p.Caller = -1
			d.count(badPlace, trace.Unknown)
		}
		p.Flags |= s.flags
		s.path, s.flags = rows.Put(p, s.begin, s.end, func(parent model.PathID, collector int) model.PathID {
			text := s.text
			if collector >= 0 {
				text = d.texts.number(collector)
			}
			return d.texts.path(parent, text)
		})
	}
	th.places = nil
	return list
}

// starts is how often a call began with a span: what goes on as another's did before.
func (s *span) starts() int32 {
	if s.flags&model.SpanMoves != 0 {
		return 0
	}
	return 1
}

// setRoot calls the root so: spans of that name are its own.
func (t *texts) setRoot(raw []byte) {
	t.root = t.of(raw)
	t.about[t.root] = model.CollectorDef{Sort: -1}
	t.defineRoot()
}

func (t *texts) defineRoot() {
	def := t.about[t.root]
	def.ID, def.Name = rootCollector, t.list[t.root]
	t.define(def)
}

// tell takes the metadata of a collector.
func (t *texts) tell(c *trace.CollectorInfo) bool {
	if c.N != len(t.numbers) || c.In >= c.N && c.N > 0 || c.N >= mostCollectors {
		return false
	}
	n := noText
	switch {
	case c.N == 0:
		if n = t.root; n == noText {
			n = t.of(c.Name) // called otherwise here
		}
	case c.In == 0:
		n = t.of(c.Name)
	default:
		n = t.in(t.numbers[c.In], c.Name)
	}
	t.numbers = append(t.numbers, n)
	t.about[n] = c.Def
	switch {
	case c.N > 0:
		t.collector(n) // in the order of the file
	case n == t.root:
		t.defineRoot()
	}
	return true
}

// number returns the name of collector n of the metadata.
func (t *texts) number(n int) uint32 {
	if n >= len(t.numbers) {
		return moreText
	}
	return t.numbers[n]
}

// told returns the collector with number n of the metadata.
func (t *texts) told(n int) (model.CollectorID, bool) {
	switch {
	case n == 0:
		return rootCollector, true
	case n >= len(t.numbers):
		return 0, false
	}
	return t.collector(t.numbers[n]), true
}
