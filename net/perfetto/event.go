package perfetto

import (
	"math"
	"strconv"

	"framescope/model"
	"framescope/net/trace"
)

// The types of events.
const (
	kindNone = iota
	kindBegin
	kindEnd
	kindInstant
	kindCounter
	kindState
)

// trackEvent takes an event. Its time is that of its packet, unless it has one of its own.
func (d *decoder) trackEvent(s *sequence, data []byte, time int64, clock uint32, ok bool) {
	e := &d.event
	if !e.Read(data) {
		d.b.Bad.Bad(trace.BadEvent, d.at)
		return
	}
	if e.OldTime != 0 {
		time, clock, ok = d.oldTime(s, e)
	}
	if !ok {
		d.b.Bad.Bad(trace.BadTime, d.at)
		return
	}
	d.step = min(d.step, d.unit)
	k := lineKey{uuid: e.Track, clock: clock}
	if !e.HasTrack {
		switch {
		case s.hasTrack:
			k.uuid = s.track
		case s.thread != nil:
			k.on = d.ownTrack(s.thread)
		}
	}
	if e.Listed {
		d.extras(s, e, time, clock)
	}
	if e.Kind == kindNone && e.Legacy != nil {
		d.legacyEvent(s, e, k, time)
		return
	}
	d.typedEvent(s, e, k, time)
}

// oldTime returns the time that an event itself has.
func (d *decoder) oldTime(s *sequence, e *Event) (ns int64, clock uint32, ok bool) {
	us := e.Absolute
	if e.OldTime == 1 {
		sum, fits := Add(s.oldTime, int64(e.Relative))
		if !fits || sum < 0 {
			return 0, 0, false
		}
		s.oldTime, us = sum, uint64(sum)
	}
	d.unit = 1000
	ns, ok = Scaled(us, 1000)
	return ns, Monotonic, ok && ns <= Most
}

// typedEvent puts an event where it belongs, by its type.
func (d *decoder) typedEvent(s *sequence, e *Event, k lineKey, time int64) {
	if e.Kind == kindCounter {
		k.of = s
	}
	l := d.line(s, k)
	if l == nil {
		d.b.Bad.Bad(trace.ManyThreads, d.at)
		return
	}
	switch e.Kind {
	case kindBegin:
		d.more(s, e, l, time, l.Begin(time, d.nameOf(s, e)))
	case kindEnd:
		d.more(s, e, l, time, l.End(time, trace.NoSymbol))
	case kindInstant:
		d.instant(s, e, l, time)
	case kindCounter:
		switch e.HasNumber {
		case 1:
			d.value(s, l, time, d.whole(e.Number))
		case 2:
			d.value(s, l, time, math.Float64frombits(e.Fraction))
		default:
			d.b.Bad.Bad(trace.BadNumber, d.at)
		}
	case kindState:
		d.state(l, time, d.nameOf(s, e))
	default:
		d.b.Bad.Bad(trace.BadEvent, d.at)
	}
}

// more keeps the annotations and flows of a span's event.
func (d *decoder) more(s *sequence, e *Event, l *line, time int64, event uint32) {
	if event == 0 {
		return
	}
	d.namer, d.arg = s, event
	for _, data := range e.Notes {
		d.notes.Each(data, d.takeArg)
	}
	d.flows(e, l, time, event, trace.NoSymbol)
}

// nameIn returns a name that a sequence has given a number.
func (d *decoder) nameIn(t interned, iid uint64) (string, bool) {
	n, ok := t[iid]
	return d.b.Words(n), ok
}

// takeArg keeps a value for the span of the event that is read. Its text is no JSON: it has no escapes.
func (d *decoder) takeArg(key []byte, v *Value) {
	key = trace.Plain(key)
	switch v.Kind {
	case Int:
		d.b.Args.Int(d.arg, key, v.I)
	case Float:
		d.b.Args.Float(d.arg, key, v.F)
	case JSON:
		d.b.Args.JSON(d.arg, key, v.Text)
	default:
		d.b.Args.Text(d.arg, key, trace.Plain(v.Text))
	}
}

// flows takes the flows that go through an event, which is a begin or an end of a span, or an instant.
func (d *decoder) flows(e *Event, l *line, time int64, event uint32, name trace.Symbol) {
	for _, id := range e.Flows {
		d.flow(l, time, 'i', id, trace.FlowThrough, event, name)
	}
	for _, id := range e.FlowEnds {
		d.flow(l, time, 'i', id, trace.FlowThroughEnd, event, name)
	}
}

// flow takes a flow of a kind of numbers.
func (d *decoder) flow(
	l *line, time int64, space byte, id uint64, role trace.FlowRole, event uint32, name trace.Symbol,
) {
	d.key = strconv.AppendUint(append(d.key[:0], space), id, 36)
	l.Flow(time, trace.Flow{Key: d.key, Name: name, Role: role, Event: event})
}

// nameOf returns an event's name.
func (d *decoder) nameOf(s *sequence, e *Event) trace.Symbol {
	if e.HasName {
		return d.b.Symbol(e.Name)
	}
	if e.NameIID == 0 {
		return trace.EmptySymbol
	}
	if n, ok := s.names[e.NameIID]; ok {
		return n
	}
	d.b.Bad.Bad(trace.BadReference, d.at)
	return d.b.Symbol(strconv.AppendUint(append(d.key[:0], "name_iid "...), e.NameIID, 10))
}

// catOf returns an event's first category.
func (d *decoder) catOf(s *sequence, e *Event) trace.Symbol {
	if len(e.Cat) > 0 {
		return d.b.Symbol(e.Cat)
	}
	if n, ok := s.cats[e.CatIID]; ok {
		return n
	}
	return trace.EmptySymbol
}

// instant takes an instant, with its text.
func (d *decoder) instant(s *sequence, e *Event, l *line, time int64) {
	name := d.nameOf(s, e)
	d.note = trace.Note{Text: name, Category: d.catOf(s, e), Object: trace.EmptySymbol, Severity: severityOf(e.Prio)}
	d.namer = s
	if digits, ticks := trace.Frame([]byte(d.b.Words(name))); ticks {
		d.note.Ticks, d.note.Frame = true, d.frameOf(e, digits)
	}
	body, logs := s.bodies[e.BodyIID]
	if logs || len(e.Notes) > 0 {
		d.key = append(d.key[:0], d.b.Words(name)...)
		if logs {
			d.appendMessage([]byte(d.b.Words(body)))
		}
		d.sayNotes(e)
		d.note.Text = d.b.Symbol(d.key)
	}
	d.flows(e, l, time, l.Note(time, d.note), name)
}

// severityOf returns the severity of a log message's priority.
func severityOf(prio uint64) model.Severity {
	switch {
	case prio == 2:
		return model.SeverityTrace
	case prio == 3:
		return model.SeverityDebug
	case prio == 5:
		return model.SeverityWarning
	case prio >= 6:
		return model.SeverityError
	}
	return 0
}

// frameOf returns the number of the frame that an instant may begin, -1 for none: the first digits in its name, else
// its annotation n (spec/chrome-trace.md, Mapping).
func (d *decoder) frameOf(e *Event, digits []byte) int64 {
	d.number = -1
	if v, err := strconv.ParseInt(string(digits), 10, 64); err == nil {
		d.number = v
	} else if len(digits) == 0 {
		for _, data := range e.Notes {
			d.notes.Each(data, d.takeNumber)
		}
	}
	return d.number
}

func (d *decoder) takeNumber(key []byte, v *Value) {
	if string(key) != "n" {
		return
	}
	switch v.Kind {
	case Int:
		d.number = v.I
	case Text:
		if n, err := strconv.ParseInt(string(v.Text), 10, 64); err == nil {
			d.number = n
		}
	}
}

// mostSaid is how many bytes the text of an instant may have before more is left out of it.
const mostSaid = 1 << 10

// sayNotes appends an instant's annotations to its text in d.key: its message behind a colon, then the rest as
// key=value. An instant that begins a frame gets its message only.
func (d *decoder) sayNotes(e *Event) {
	for _, data := range e.Notes {
		d.notes.Each(data, d.takeMessage)
	}
	if d.note.Ticks {
		return
	}
	for _, data := range e.Notes {
		d.notes.Each(data, d.takeSaid)
	}
}

func (d *decoder) takeMessage(key []byte, v *Value) {
	if string(key) == "message" && v.Kind == Text && len(v.Text) > 0 {
		d.appendMessage(v.Text)
	}
}

// appendMessage appends the message of an instant to its name.
func (d *decoder) appendMessage(text []byte) {
	if len(d.key) > 0 {
		d.key = append(d.key, ": "...)
	}
	d.key = append(d.key, text...)
}

// takeSaid takes an annotation of an instant: severity and object are those of the message, others a part of its text.
func (d *decoder) takeSaid(key []byte, v *Value) {
	if v.Kind == Text {
		is, ok := model.SeverityOf(string(v.Text))
		switch name := string(key); {
		case name == "message" && len(v.Text) > 0:
			return
		case name == "severity" && ok:
			d.note.Severity = is
			return
		case name == "object" && len(v.Text) > 0:
			d.note.Object = d.b.Symbol(v.Text)
			return
		}
	}
	if len(d.key) > mostSaid {
		return
	}
	if len(d.key) > 0 {
		d.key = append(d.key, ' ')
	}
	d.key = append(append(d.key, key...), '=')
	switch v.Kind {
	case Int:
		d.key = strconv.AppendInt(d.key, v.I, 10)
	case Float:
		d.key = strconv.AppendFloat(d.key, v.F, 'g', -1, 64)
	default:
		d.key = append(d.key, v.Text...)
	}
}
