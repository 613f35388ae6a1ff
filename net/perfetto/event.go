package perfetto

import (
	"strconv"

	"framescope/model"
	"framescope/net/trace"
)

// trackEvent takes an event. Its time is that of its packet, unless it has one of its own.
func (d *decoder) trackEvent(s *sequence, data []byte, time int64, clock uint32, ok bool) {
	e := &d.event
	if !e.read(data) {
		d.b.Bad.Bad(trace.BadEvent, d.at)
		return
	}
	if e.isOldTime {
		time, ok = d.oldTime(s, e)
		clock = monotonic
	}
	if !ok {
		d.b.Bad.Bad(trace.BadTime, d.at)
		return
	}
	d.step = min(d.step, d.unit)
	k := lineKey{uuid: e.track, clock: clock}
	switch {
	case e.hasTrack:
	case s.hasTrack:
		k.uuid = s.track
	case s.thread != nil:
		k.on = d.ownTrack(s.thread)
	}
	d.extras(s, e, time, clock)
	if e.kind == kindNone && e.legacy != nil {
		d.legacyEvent(s, e, k, time)
		return
	}
	d.typedEvent(s, e, k, time)
}

// oldTime returns the time that an event itself has.
func (d *decoder) oldTime(s *sequence, e *event) (ns int64, ok bool) {
	us := e.oldTime
	if e.isDelta {
		sum := s.oldTime + int64(us)
		if int64(us) < leastTime || int64(us) > mostTime || sum < 0 {
			return 0, false
		}
		s.oldTime, us = sum, uint64(sum)
	}
	d.unit = 1000
	return scaled(us, 1000)
}

// typedEvent puts an event where it belongs, by its type.
func (d *decoder) typedEvent(s *sequence, e *event, k lineKey, time int64) {
	if e.kind == kindCounter {
		k.of = s
	}
	l := d.line(s, k)
	if l == nil {
		return
	}
	switch e.kind {
	case kindBegin:
		d.more(s, e, l, time, l.Begin(time, d.placed(s, e)))
	case kindEnd:
		d.more(s, e, l, time, l.End(time, trace.NoSymbol))
	case kindInstant:
		d.instant(s, e, l, time)
	case kindCounter:
		if e.isNumber {
			d.value(s, l, time, d.valueOf(e.number, e.isFloat))
		} else {
			d.b.Bad.Bad(trace.BadNumber, d.at)
		}
	case kindState:
		d.state(l, time, d.nameOf(s, e))
	default:
		d.b.Bad.Bad(trace.BadEvent, d.at)
	}
}

// more keeps the annotations and flows of a span's event.
func (d *decoder) more(s *sequence, e *event, l *line, time int64, event uint32) {
	if event == 0 {
		return
	}
	d.arg = event
	d.notes.each(s, e.notes, d.takeArg)
	d.flows(e, l, time, event, trace.NoSymbol)
}

// takeArg keeps a value for the span of the event that is read. Its text is no JSON: it has no escapes.
func (d *decoder) takeArg(key []byte, v *value) {
	key = trace.Plain(key)
	switch v.kind {
	case isInt:
		d.b.Args.Int(d.arg, key, v.i)
	case isFloat:
		d.b.Args.Float(d.arg, key, v.f)
	case isJSON:
		d.b.Args.JSON(d.arg, key, v.text)
	default:
		d.b.Args.Text(d.arg, key, trace.Plain(v.text))
	}
}

// flows takes the flows that go through an event, which is a begin or an end of a span, or an instant.
func (d *decoder) flows(e *event, l *line, time int64, event uint32, name trace.Symbol) {
	for _, id := range e.flows {
		d.flow(l, time, 'i', id, trace.Flow{Role: trace.FlowThrough, Event: event, Name: name})
	}
	for _, id := range e.flowEnds {
		d.flow(l, time, 'i', id, trace.Flow{Role: trace.FlowThroughEnd, Event: event, Name: name})
	}
}

// flow takes a flow of a kind of numbers.
func (d *decoder) flow(l *line, time int64, space byte, id uint64, f trace.Flow) {
	d.text = strconv.AppendUint(append(d.text[:0], space), id, 36)
	f.Key = d.text
	l.Flow(time, f)
}

// nameOf returns an event's name.
func (d *decoder) nameOf(s *sequence, e *event) trace.Symbol {
	if e.name != nil {
		return d.b.Symbol(e.name)
	}
	if e.nameIID == 0 {
		return trace.EmptySymbol
	}
	if n, ok := s.names[e.nameIID]; ok {
		return n
	}
	d.b.Bad.Bad(trace.BadReference, d.at)
	return d.b.Symbol(strconv.AppendUint(append(d.text[:0], "name_iid "...), e.nameIID, 10))
}

// placed returns the name of the event of a span, and notes where in the source that is, if it is said.
func (d *decoder) placed(s *sequence, e *event) trace.Symbol {
	name := d.nameOf(s, e)
	at, known := s.places[e.placeIID]
	if e.place != nil {
		at, known = d.readPlace(e.place), true
	}
	if known {
		d.b.Locate(name, at.file, at.line)
	}
	return name
}

// catOf returns an event's first category.
func (d *decoder) catOf(s *sequence, e *event) trace.Symbol {
	if len(e.cat) > 0 {
		return d.b.Symbol(e.cat)
	}
	if n, ok := s.cats[e.catIID]; ok {
		return n
	}
	return trace.EmptySymbol
}

// instant takes an instant, with its text: its name, its messages behind a colon, and other annotations as key=value.
// One that begins a frame has no others.
func (d *decoder) instant(s *sequence, e *event, l *line, time int64) {
	name := d.nameOf(s, e)
	d.note = trace.Note{
		Text: name, Category: d.catOf(s, e), Object: trace.EmptySymbol, Severity: severityOf(e.prio), Frame: -1,
	}
	digits, ticks := d.b.Ticks([]byte(d.b.Words(name)))
	if d.note.Ticks = ticks; ticks && len(digits) == 0 {
		d.notes.each(s, e.notes, d.takeNumber)
	} else if v, err := strconv.ParseInt(string(digits), 10, 64); err == nil && ticks {
		d.note.Frame = v
	}
	if body, logs := s.bodies[e.bodyIID]; logs || len(e.notes) > 0 {
		d.text = append(d.text[:0], d.b.Words(name)...)
		if logs {
			d.appendMessage([]byte(d.b.Words(body)))
		}
		d.notes.each(s, e.notes, d.takeMessage)
		if !ticks {
			d.notes.each(s, e.notes, d.takeSaid)
		}
		d.note.Text = d.b.Symbol(d.text)
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

// takeNumber takes the number of the frame that an instant may begin: where its name has none, it is the annotation n
// (spec/chrome-trace.md, Mapping).
func (d *decoder) takeNumber(key []byte, v *value) {
	if string(key) != "n" {
		return
	}
	if v.kind == isInt {
		d.note.Frame = v.i
	} else if n, err := strconv.ParseInt(string(v.text), 10, 64); err == nil && v.kind == isText {
		d.note.Frame = n
	}
}

// mostSaid is how many bytes the text of an instant may have before more is left out of it.
const mostSaid = 1 << 10

func (d *decoder) takeMessage(key []byte, v *value) {
	if string(key) == "message" && v.kind == isText && len(v.text) > 0 {
		d.appendMessage(v.text)
	}
}

// appendMessage appends the message of an instant to its name.
func (d *decoder) appendMessage(text []byte) {
	if len(d.text) > 0 {
		d.text = append(d.text, ": "...)
	}
	d.text = append(d.text, text...)
}

// takeSaid takes an annotation of an instant: severity and object are those of the message, others a part of its text.
func (d *decoder) takeSaid(key []byte, v *value) {
	if v.kind == isText {
		is, ok := model.SeverityOf(string(v.text))
		switch name := string(key); {
		case name == "message" && len(v.text) > 0:
			return
		case name == "severity" && ok:
			d.note.Severity = is
			return
		case name == "object" && len(v.text) > 0:
			d.note.Object = d.b.Symbol(v.text)
			return
		}
	}
	if len(d.text) > mostSaid {
		return
	}
	if len(d.text) > 0 {
		d.text = append(d.text, ' ')
	}
	d.text = append(append(d.text, key...), '=')
	switch v.kind {
	case isInt:
		d.text = strconv.AppendInt(d.text, v.i, 10)
	case isFloat:
		d.text = strconv.AppendFloat(d.text, v.f, 'g', -1, 64)
	default:
		d.text = append(d.text, v.text...)
	}
}
