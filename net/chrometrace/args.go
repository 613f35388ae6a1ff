package chrometrace

import (
	"framescope/model"
	"framescope/net/trace"
)

// mostSaid is how long the text of an instant may be before more arguments are left out of it, bytes.
const mostSaid = 1 << 10

// isSpan holds the phases with arguments of a span.
var isSpan = [256]bool{'B': true, 'E': true, 'X': true, 'b': true, 'e': true, 'S': true, 'F': true}

// joinArgs notes that the arguments of an end are those of the span, too: where they differ they hold.
func (d *decoder) joinArgs(begin, end uint32) {
	if d.args.Adds(end, begin) {
		d.ends[begin] = end
	}
}

// addArgs gives the newest span of a batch the arguments of the events that it was made of.
func (d *decoder) addArgs(b *model.Batch, begin uint32) {
	span := len(b.Spans) - 1
	b.Args = d.args.Append(b.Args, span, begin)
	if end, ok := d.ends[begin]; ok {
		b.Args = d.args.Append(b.Args, span, end)
	}
}

// say takes the text of an instant: its name, its message, and its other arguments as key=value. It leaves out the
// number of a frame that the instant begins; severity and object are noted apart.
func (d *decoder) say(ev *event, ticks bool, n *note) {
	if len(ev.args) <= 2 {
		n.text = d.texts.of(ev.name)
		return
	}
	text := append(d.key[:0], ev.name...)
	message := trace.Member(ev.args, "message")
	if len(message) > 0 && message[0] != '{' && message[0] != '[' {
		text = append(append(text, ": "...), message...)
	} else {
		message = nil
	}
	if !ticks {
		trace.Members(ev.args, func(key, value []byte) {
			if message != nil && string(key) == "message" {
				return
			}
			if is, ok := model.SeverityOf(string(value)); ok && string(key) == "severity" {
				n.severity = is
				return
			}
			if string(key) == "object" && len(value) > 0 && value[0] != '{' && value[0] != '[' {
				n.object = d.texts.of(value)
				return
			}
			if len(text) > mostSaid {
				return
			}
			if text = append(append(append(text, ' '), key...), '='); value == nil {
				text = append(text, "null"...)
			}
			text = append(text, value...)
		})
	}
	d.key = text
	n.text = d.texts.of(text)
}
