package chrometrace

import (
	"framescope/model"
	"framescope/net/trace"
)

// mostSaid is how long the text of an instant may be before more arguments are left out of it, bytes.
const mostSaid = 1 << 10

// note returns an instant as a message: its name, its message, and its other arguments as key=value, without severity
// and object, which a message has. Those of an instant that begins a frame are left out.
func (d *decoder) note(ev *event, ticks bool) trace.Note {
	n := trace.Note{Category: d.b.JSONSymbol(ev.cat), Object: trace.EmptySymbol}
	if len(ev.args) <= 2 {
		n.Text = d.b.JSONSymbol(ev.name)
		return n
	}
	d.key = append(d.key[:0], ev.name...)
	message := trace.Member(ev.args, "message")
	if isPlain(message) {
		d.key = append(append(d.key, ": "...), message...)
	} else {
		message = nil
	}
	if !ticks {
		trace.Members(ev.args, func(key, value []byte) {
			if message == nil || string(key) != "message" {
				d.argument(&n, key, value)
			}
		})
	}
	n.Text = d.b.JSONSymbol(d.key)
	return n
}

// isPlain reports whether a value is there, and neither an object nor an array.
func isPlain(value []byte) bool { return len(value) > 0 && value[0] != '{' && value[0] != '[' }

// argument takes an argument of an instant.
func (d *decoder) argument(n *trace.Note, key, value []byte) {
	if is, ok := model.SeverityOf(string(value)); ok && string(key) == "severity" {
		n.Severity = is
		return
	}
	if string(key) == "object" && isPlain(value) {
		n.Object = d.b.JSONSymbol(value)
		return
	}
	if len(d.key) > mostSaid {
		return
	}
	if value == nil {
		value = []byte("null")
	}
	d.key = append(append(append(append(d.key, ' '), key...), '='), value...)
}
