package chrometrace

import (
	"framescope/model"
	"framescope/net/trace"
)

// mostSaid is how long the text of an instant may be before more arguments are left out of it, bytes.
const mostSaid = 1 << 10

// noter makes texts of instants.
type noter struct {
	symbols *trace.Symbols
	text    []byte // scratch
}

// note returns an instant as a message: its name, its message, and its other arguments as key=value, without severity
// and object, which a message has. Those of an instant that begins a frame are left out.
func (t *noter) note(ev *event, ticks bool) trace.Note {
	n := trace.Note{Category: t.symbols.JSONSymbol(ev.cat), Object: trace.EmptySymbol}
	if len(ev.args) <= 2 {
		n.Text = t.symbols.JSONSymbol(ev.name)
		return n
	}
	t.text = append(t.text[:0], ev.name...)
	message := trace.Member(ev.args, "message")
	if isPlain(message) {
		t.text = append(append(t.text, ": "...), message...)
	} else {
		message = nil
	}
	if !ticks {
		trace.Members(ev.args, func(key, value []byte) {
			if message == nil || string(key) != "message" {
				t.argument(&n, key, value)
			}
		})
	}
	n.Text = t.symbols.JSONSymbol(t.text)
	return n
}

// isPlain reports whether a value is there, and neither an object nor an array.
func isPlain(value []byte) bool { return len(value) > 0 && value[0] != '{' && value[0] != '[' }

// argument takes an argument of an instant.
func (t *noter) argument(n *trace.Note, key, value []byte) {
	if is, ok := model.SeverityOf(string(value)); ok && string(key) == "severity" {
		n.Severity = is
		return
	}
	if string(key) == "object" && isPlain(value) {
		n.Object = t.symbols.JSONSymbol(value)
		return
	}
	if len(t.text) > mostSaid {
		return
	}
	if value == nil {
		value = []byte("null")
	}
	t.text = append(append(append(append(t.text, ' '), key...), '='), value...)
}
