package gsttrace

import (
	"bytes"
	"strconv"

	"framescope/model"
	"framescope/net/trace"
)

// say makes a message of the record.
func (c *recordAt) say(text, object string) {
	c.sayText([]byte(text), object, model.SeverityDebug)
}

func (c *recordAt) sayText(text []byte, object string, severity model.Severity) {
	s, short := Shorten(text, MaxText)
	if short {
		c.m.out.Beyond(trace.LongText)
	}
	c.m.out.Message(c.t.track, model.Message{
		Time: c.timeNs, Severity: severity, Text: s, Category: Label(c.pl.class.Name), Object: object,
	})
}

// detail makes a message of the texts of a record that have no place in a series.
func (c *recordAt) detail(g *group) {
	text := c.m.details[:0]
	severity := model.SeverityDebug
	if c.pl.category >= 0 {
		x := &c.values[c.pl.values[c.pl.category].field]
		text = append(text, x.Text...)
		if s, ok := messageSeverities[string(x.Text)]; ok && c.pl.stock == stockMessage {
			severity = s
		}
	}
	for i := range c.pl.values {
		v := &c.pl.values[i]
		x := &c.values[v.field]
		if v.treat != treatDetail && (v.treat != treatState || !IsText(x.Kind)) || !x.Present {
			continue
		}
		if len(text) > 0 {
			text = append(text, ", "...)
		}
		if c.pl.stock != stockMessage {
			text = append(append(text, c.pl.class.Fields[v.field].Name...), '=')
		}
		if x.Kind == KindStructure {
			text = appendPlain(text, x.Text)
		} else {
			text = appendValue(text, x)
		}
	}
	c.m.details = text
	object := ""
	if g.at == nil && len(g.nodes) > 0 {
		object = g.name
	}
	c.sayText(text, object, severity)
}

// messageSeverities are how grave messages on the bus are; others are for debugging.
var messageSeverities = map[string]model.Severity{
	"error": model.SeverityError, "warning": model.SeverityWarning, "info": model.SeverityInfo, "eos": model.SeverityInfo,
}

// appendPlain appends structure notation without the backslashes that nested quoting piles up: for
// reading, not for parsing.
func appendPlain(dst, text []byte) []byte {
	if len(text) > 1 && text[0] == '"' && text[len(text)-1] == '"' {
		text = text[1 : len(text)-1]
	}
	for len(text) > 0 && len(dst) <= MaxText {
		c := text[0]
		if text = text[1:]; c != '\\' {
			dst = append(dst, c)
			continue
		}
		if text = bytes.TrimLeft(text, `\`); isOctal(text) {
			dst = append(dst, octal(text))
			text = text[3:]
		}
	}
	return bytes.TrimSuffix(dst, []byte(";"))
}

// Message implements Handler: an entry that is no record.
func (m *mapper) Message(e *LogEntry) {
	if m.out.cancelled {
		return
	}
	p, t := m.enter(e)
	m.flushRefs()
	shown := true
	at, text := m.lineNs, e.Message
	if hook, phase, ok := Of(e); ok {
		if ns, rest, ok := ClockTime(text); ok {
			at, text = ns, rest
		}
		shown = m.call(p, t, e, hook, phase, at)
	} else {
		m.learn(p, e)
	}
	if shown {
		m.addMessage(t, e, text, at)
	}
	m.out.Full()
}

// learn takes from an ordinary line the facts for the session.
func (m *mapper) learn(p *process, e *LogEntry) {
	switch string(e.Category) {
	case "leaks":
		p.leaksLine(m, e)
	case "GST_INIT":
		const begin = "Initializing GStreamer Core Library version "
		if v, ok := bytes.CutPrefix(e.Message, []byte(begin)); ok && m.version == "" && len(v) < 32 {
			m.version = Name(v)
			m.inform()
		}
	}
}

// addMessage makes a message of a line, with the place in the source behind the text.
func (m *mapper) addMessage(t *thread, e *LogEntry, message []byte, timeNs int64) {
	text := m.details[:0]
	if len(message) > MaxText {
		m.out.Beyond(trace.LongText)
		text = append(append(text, message[:MaxText]...), "…"...)
	} else {
		text = append(text, message...)
	}
	if len(e.Function) > 0 || len(e.File) > 0 {
		text = append(text, " ("...)
		if len(e.File) > 0 {
			text = append(append(append(text, e.File...), ':'), strconv.Itoa(e.FileLine)...)
			text = append(text, ':')
		}
		text = append(append(text, e.Function...), ')')
	}
	m.details = text
	s, _ := Cut(text, MaxText+2*MaxName)
	x := model.Message{
		Time: timeNs, Severity: e.Level, Text: s,
		Category: m.name(e.Category),
	}
	if len(e.Object) > 0 {
		x.Object = m.name(e.Object)
	}
	m.out.Message(t.track, x)
}

// aside puts a message on the track of text from outside of the log; its thread is unknown.
func (m *mapper) aside(category string, severity model.Severity, text []byte) {
	if m.stray == model.NoTrack {
		m.stray = m.addTrack(model.TrackDef{Name: "Program output", Kind: model.TrackOutput})
	}
	s, _ := Shorten(text, MaxForeign)
	m.out.Message(m.stray, model.Message{Time: m.lineNs, Severity: severity, Text: s, Category: category})
}

// Foreign implements Handler: a line of the program itself.
func (m *mapper) Foreign(text []byte) {
	if !m.out.cancelled {
		m.aside("foreign", model.SeverityInfo, text)
		m.out.Full()
	}
}

// Unreadable implements Handler: it shows and counts the text. Decoder.Close counts the end of the log.
func (m *mapper) Unreadable(kind trace.Kind, line int64, text []byte) {
	if m.out.cancelled {
		return
	}
	m.aside("unreadable", model.SeverityWarning, text)
	if kind != trace.Cut {
		m.out.bad.Bad(kind, line)
	}
	m.out.Full()
}
