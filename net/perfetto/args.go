package perfetto

import (
	"strconv"

	"framescope/model"
	"framescope/net/trace"
)

// mostSaid is how many bytes the text of an instant may have before more is left out of it.
const mostSaid = 1 << 10

// annotate hands over the values of an annotation, with their whole keys.
func (d *decoder) annotate(s *sequence, data []byte, take func(key []byte, v *Value)) {
	d.namer = s
	d.notes.Each(data, take)
}

// nameIn returns a name that the sequence of the event that is read has given a number.
func (d *decoder) nameIn(t *Numbers, iid uint64) (string, bool) {
	n, ok := t.Get(iid)
	if !ok {
		return "", false
	}
	return d.texts.Text(n), true
}

// arg keeps a value for the span of the event that is read. Its text is no JSON: it has no escapes.
func (d *decoder) arg(key []byte, v *Value) {
	event := uint32(d.events)
	key = trace.Plain(key)
	switch v.Kind {
	case Int:
		d.args.Int(event, key, v.I)
	case Float:
		d.args.Float(event, key, v.F)
	case JSON:
		d.args.JSON(event, key, v.Text)
	default:
		d.args.Text(event, key, trace.Plain(v.Text))
	}
}

// say appends an instant's arguments to its text in d.key: its message behind a colon, then the rest as key=value.
// Severity and object are noted apart. An instant that begins a frame gets its message only.
func (d *decoder) say(s *sequence, e *Event, n *note) {
	d.noted = n
	for _, data := range e.Notes {
		d.annotate(s, data, d.takeMessage)
	}
	if n.frame > 0 {
		return
	}
	for _, data := range e.Notes {
		d.annotate(s, data, d.takeSaid)
	}
}

func (d *decoder) message(key []byte, v *Value) {
	if string(key) == "message" && v.Kind == Text && len(v.Text) > 0 {
		d.tell(v.Text)
	}
}

// tell appends the message of an instant to its name.
func (d *decoder) tell(text []byte) {
	if len(d.key) > 0 {
		d.key = append(d.key, ": "...)
	}
	d.key = append(d.key, text...)
}

func (d *decoder) sayMore(key []byte, v *Value) {
	if v.Kind == Text {
		switch string(key) {
		case "message":
			if len(v.Text) > 0 {
				return
			}
		case "severity":
			if is, ok := model.SeverityOf(string(v.Text)); ok {
				d.noted.severity = int8(is)
				return
			}
		case "object":
			if len(v.Text) > 0 {
				d.noted.object = d.texts.Of(v.Text)
				return
			}
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
