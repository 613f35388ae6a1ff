// This file writes Perfetto traces: track events of threads, of asynchronous tracks and of counters, in
// ns, which ui.perfetto.dev and its trace processor read, and Framescope itself. It has no words of its own: what the
// format has no place for is left out, and counted.

package convert

import (
	"bufio"
	"context"
	"io"
	"math"
	"strconv"
	"strings"

	"google.golang.org/protobuf/encoding/protowire"

	"framescope/charts/subject"
	"framescope/model"
	"framescope/model/frames"
	"framescope/model/spans"
)

// PerfettoFormat is the format of Perfetto traces.
var PerfettoFormat = Format{
	ID: "perfetto", Name: "Perfetto trace", Ext: ".pftrace",
	Help:  "threads, spans, frames, counters, states, messages: ui.perfetto.dev, trace_processor",
	Why:   (*Part).WhyTimeless,
	Write: perfettoWrite,
}

// Numbers of written fields, and some values; see net/perfetto for their meaning.
const (
	packetOf = 1 // of the trace

	packetTime, packetSequence, packetEvent  = 8, 10, 11
	packetInterned, packetFlags, packetTrack = 12, 13, 60
	flagCleared, flagNeedsState              = 1, 2
	sequence                                 = 1 // there is but one

	eventAnnotation, eventCategoryID, eventType, eventNameID = 4, 3, 9, 10
	eventTrack, eventCategory, eventName                     = 11, 22, 23
	eventNumber, eventDouble                                 = 30, 44
	eventFlow, eventFlowEnd                                  = 47, 48

	typeBegin, typeEnd, typeInstant, typeCounter, typeState = 1, 2, 3, 4, 5

	trackUUID, trackName, trackProcess, trackThread, trackParent, trackCounter = 1, 2, 3, 4, 5, 8
)

// perfettoWriter writes packets, one after the other.
type perfettoWriter struct {
	ctx     context.Context
	p       *Part
	out     *bufio.Writer
	procs   []Process
	threads []Thread
	of      []uint64 // tracks of processes in the trace
	uuids   uint64   // that were given to tracks
	shift   int64    // that makes no time negative

	names      []bool // collectors with a name in the trace
	categories []bool // collectors with a full name in the trace, as a category

	packet, event, part, inner message // scratch

	flows map[spans.Ref][]end // ends of arrows, by the spans that carry them

	until  int64 // the session's last time, MaxTime where the part is not all of it
	last   int64 // the latest time that was written
	open   []uint64
	marked int64 // spans with flags that the format cannot hold
}

func perfettoWrite(ctx context.Context, p *Part, w io.Writer) error {
	x := &perfettoWriter{ctx: ctx, p: p, out: bufio.NewWriterSize(w, 1<<18), until: model.MaxTime, last: math.MinInt64}
	x.procs, x.threads = p.Threads()
	counters := p.Counters(x.threads)
	begin, end, _ := p.Session.Bounds()
	for i := range counters {
		if s := counters[i].Series; s != nil {
			if first, _, ok := s.Bounds(); ok {
				begin = min(begin, first)
			}
		}
	}
	x.shift = -min(begin, 0)
	if p.Whole() {
		x.until = end
	}
	if err := x.arrows(); err != nil {
		return err
	}
	x.begin()
	tracks := make([]uint64, len(x.threads))
	for i := range x.threads {
		tracks[i] = x.track(&x.threads[i], i)
		if err := x.thread(&x.threads[i], tracks[i]); err != nil {
			return err
		}
	}
	if err := x.counters(counters, tracks); err != nil {
		return err
	}
	for i := range x.threads {
		if err := x.frames(&x.threads[i], tracks[i]); err != nil {
			return err
		}
	}
	if x.last < x.until && len(x.open) > 0 { // open spans last until the latest time of the trace, which one of them tells
		x.marked++
		x.start(typeEnd, x.open[0])
		x.send(x.until)
	}
	p.leaveTimed(x.procs, x.threads, x.marked)
	return x.out.Flush()
}

// begin writes that the trace begins, and which processes there are.
func (x *perfettoWriter) begin() {
	x.packet = x.packet[:0]
	x.packet.number(packetSequence, sequence)
	x.packet.number(packetFlags, flagCleared)
	x.write()
	for i := range x.procs {
		p := &x.procs[i]
		x.part = x.part[:0]
		x.part.number(1, uint64(p.PID))
		if p.Name != "" {
			x.part.text(6, valid(p.Name))
		}
		x.of = append(x.of, x.describe(0, "", trackProcess, x.part))
	}
}

// write writes the packet.
func (x *perfettoWriter) write() {
	x.inner = x.inner[:0]
	x.inner.bytes(packetOf, x.packet)
	x.out.Write(x.inner)
}

// describe writes the description of a track, and returns its number.
func (x *perfettoWriter) describe(parent uint64, name string, kind protowire.Number, what []byte) uint64 {
	x.uuids++
	m := x.event[:0]
	m.number(trackUUID, x.uuids)
	if parent != 0 {
		m.number(trackParent, parent)
	}
	if name != "" {
		m.text(trackName, valid(name))
	}
	if kind != 0 {
		m.bytes(kind, what)
	}
	x.event = m
	x.packet = x.packet[:0]
	x.packet.number(packetSequence, sequence)
	x.packet.bytes(packetTrack, m)
	x.write()
	return x.uuids
}

// track describes the track of a thread or of asynchronous spans.
func (x *perfettoWriter) track(th *Thread, at int) uint64 {
	parent := x.of[th.Process]
	if !th.Track.Def.Kind.Calls() {
		return x.describe(parent, th.Name, 0, nil)
	}
	m := x.part[:0]
	m.number(1, uint64(x.procs[th.Process].PID))
	m.number(2, uint64(th.TID))
	m.number(3, uint64(at+1))
	if th.Name != "" {
		m.text(5, valid(th.Name))
	}
	x.part = m
	return x.describe(parent, "", trackThread, m)
}

// start begins an event.
func (x *perfettoWriter) start(kind, uuid uint64) {
	x.event = x.event[:0]
	x.event.number(eventType, kind)
	x.event.number(eventTrack, uuid)
	x.part = x.part[:0] // names that this event defines
}

// send writes the event.
func (x *perfettoWriter) send(ns int64) {
	x.last = max(x.last, ns)
	m := x.packet[:0]
	m.number(packetTime, uint64(max(ns+x.shift, 0)))
	m.number(packetSequence, sequence)
	m.number(packetFlags, flagNeedsState)
	if len(x.part) > 0 {
		m.bytes(packetInterned, x.part)
	}
	m.bytes(packetEvent, x.event)
	x.packet = m
	x.write()
}

// called names the event as a collector, with the collector's parent as its category.
func (x *perfettoWriter) called(c model.CollectorID) {
	x.event.number(eventNameID, uint64(c)+1)
	if markWritten(&x.names, c) {
		x.intern(2, uint64(c)+1, x.p.Name(c))
	}
	if col := x.p.Session.Collector(c); col != nil && col.Parent > 0 {
		x.event.number(eventCategoryID, uint64(col.Parent)+1)
		if up := x.p.Session.Collector(col.Parent); markWritten(&x.categories, col.Parent) && up != nil {
			x.intern(1, uint64(col.Parent)+1, up.FullName)
		}
	}
}

// markWritten marks a collector as written, and reports whether it was not before.
func markWritten(list *[]bool, c model.CollectorID) bool {
	for len(*list) <= int(c) {
		*list = append(*list, false)
	}
	before := (*list)[c]
	(*list)[c] = true
	return !before
}

// intern defines a text with the event; later events refer to it by its number.
func (x *perfettoWriter) intern(kind protowire.Number, iid uint64, text string) {
	x.inner = x.inner[:0]
	x.inner.number(1, iid)
	x.inner.text(2, valid(text))
	x.part.bytes(kind, x.inner)
}

// thread writes the spans and messages of a track.
func (x *perfettoWriter) thread(th *Thread, track uint64) error {
	rows := []uint64{track}
	err := x.p.Nested(th.ID, func(e Edge) error {
		for len(rows) <= e.Row {
			rows = append(rows, x.beside(th, track))
		}
		uuid := rows[e.Row]
		if e.Begins {
			flags := e.Flags & spanMarks
			if e.End == x.until {
				flags &^= model.SpanOpenEnd // which the missing end says
			}
			if flags != 0 {
				x.marked++
			}
			x.start(typeBegin, uuid)
			x.called(e.Collector)
			x.args(e.Span)
			if e.Flags&model.SpanMoves == 0 {
				x.ends(e.Ref)
			}
			x.send(e.Begin)
			return x.p.Done(x.ctx, 1)
		}
		if e.Flags&model.SpanOpenEnd != 0 && e.End == x.until {
			x.open = append(x.open, uuid)
			return nil
		}
		x.start(typeEnd, uuid)
		x.send(e.End)
		return nil
	})
	if err != nil {
		return err
	}
	return x.p.Messages(th.ID, func(m *model.Message) error {
		x.message(track, m)
		return x.p.Done(x.ctx, 1)
	})
}

// beside describes another track of a thread, or of asynchronous spans, for spans that do not nest.
func (x *perfettoWriter) beside(th *Thread, track uint64) uint64 {
	if th.Track.Def.Kind.Calls() {
		return x.describe(track, th.Track.Title()+" (overlapping)", 0, nil)
	}
	return x.describe(x.of[th.Process], th.Name, 0, nil) // readers merge tracks of one name
}

// message writes an instant. A text that begins like a frame would be read as one.
func (x *perfettoWriter) message(track uint64, m *model.Message) {
	x.start(typeInstant, track)
	if len(m.Text) >= len("frame") && strings.EqualFold(m.Text[:len("frame")], "frame") {
		x.event.text(eventName, "message")
		x.annotate("message", m.Text)
	} else {
		x.event.text(eventName, valid(m.Text))
	}
	if m.Category != "" {
		x.event.text(eventCategory, valid(m.Category))
	}
	if m.Severity != model.SeverityInfo {
		x.annotate("severity", subject.SeverityName(m.Severity))
	}
	if m.Object != "" {
		x.annotate("object", m.Object)
	}
	x.send(m.Time)
}

// annotate puts a detail to the event.
func (x *perfettoWriter) annotate(key, value string) {
	x.inner = x.inner[:0]
	x.inner.text(10, key)
	x.inner.text(6, valid(value))
	x.event.bytes(eventAnnotation, x.inner)
}

// args puts the arguments of a span to the event.
func (x *perfettoWriter) args(s *Span) {
	for _, a := range x.p.Args(s) {
		x.inner = x.inner[:0]
		x.inner.text(10, valid(a.Key))
		switch a.Value.Kind {
		case model.ArgInt:
			x.inner.number(4, uint64(a.Value.Int()))
		case model.ArgFloat:
			x.inner.double(5, a.Value.Float())
		default:
			x.inner.text(6, valid(a.Value.Text))
		}
		x.event.bytes(eventAnnotation, x.inner)
	}
}

// frames writes where the frames of a process begin.
func (x *perfettoWriter) frames(th *Thread, track uint64) error {
	if th.ID != x.procs[th.Process].Host {
		return nil
	}
	var name []byte
	return x.p.EachFrame(th.ID, func(f frames.Frame) error {
		name = strconv.AppendInt(append(name[:0], "frame "...), f.Number, 10)
		x.start(typeInstant, track)
		x.event.bytes(eventName, name)
		x.send(f.Begin)
		return x.p.Done(x.ctx, 1)
	})
}

// counters writes values and states along time.
func (x *perfettoWriter) counters(list []Counter, tracks []uint64) error {
	parents := map[model.TrackID]int{}
	for i := range x.threads {
		parents[x.threads[i].ID] = i
	}
	uuids := map[*Counter]uint64{}
	for i := range list {
		c := &list[i]
		parent, name := uint64(0), called(c, "")
		if c.Process != Nobody {
			parent = x.of[c.Process]
		}
		if at, ok := parents[c.Track]; ok {
			th := &x.threads[at]
			name = called(c, th.Track.Title())
			parent = tracks[at]
			if !th.Track.Def.Kind.Calls() {
				name = th.Track.Title() + " " + name
			}
		}
		if states(c) != nil {
			uuids[c] = x.describe(parent, name, 0, nil)
			continue
		}
		m := x.part[:0]
		switch c.Unit {
		case "":
		case "ns":
			m.number(3, 1)
		case "B":
			m.number(3, 3)
		default:
			m.text(6, valid(c.Unit))
		}
		x.part = m
		uuids[c] = x.describe(parent, name, trackCounter, m)
	}
	odd, gaps := int64(0), int64(0)
	err := x.p.Values(list, func(c *Counter, ns int64, v float64) error {
		names := states(c)
		switch {
		case names != nil:
			x.start(typeState, uuids[c])
			if !math.IsNaN(v) { // else it is in none from here on
				x.event.text(eventName, valid(stateName(names, v)))
			}
		case math.IsInf(v, 0):
			odd++
			return nil
		case math.IsNaN(v):
			gaps++
			return nil
		default:
			x.start(typeCounter, uuids[c])
			if n := int64(v); float64(n) == v && math.Abs(v) < 1<<53 {
				x.event.number(eventNumber, uint64(n))
			} else {
				x.event.double(eventDouble, v)
			}
		}
		x.send(ns)
		return x.p.Done(x.ctx, 1)
	})
	x.p.leaveValues(list, odd, gaps)
	return err
}

// called is the name of a counter on its track; title is its thread's, empty for none.
func called(c *Counter, title string) string {
	if c.Series == nil || c.Series.Def.Group == "" || c.Series.Def.Name == "" {
		return c.Group
	}
	name := c.Series.Def.Name
	if c.Track == model.NoTrack {
		name = c.Name // without its process, which the track is of
	}
	switch name {
	case "", c.Group, title:
		return c.Group
	default:
		return c.Group + " " + name
	}
}

// states returns the names of the states of a series that has some.
func states(c *Counter) []string {
	if c.Series == nil || c.Series.Def.Kind != model.SeriesState {
		return nil
	}
	return c.Series.Def.States
}

func stateName(names []string, v float64) string {
	if i := int(v); i >= 0 && i < len(names) && float64(i) == v {
		return names[i]
	}
	return strconv.FormatFloat(v, 'g', -1, 64)
}

// valid returns a text as UTF-8.
func valid(s string) string { return strings.ToValidUTF8(s, "\ufffd") }
