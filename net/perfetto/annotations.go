// Annotations of track events of Perfetto: values of many kinds, dictionaries and arrays become values with keys
// such as a.b and a[0]. This part knows the wire format, and looks up interned names.

package perfetto

import (
	"math"
	"strconv"

	"framescope/model"
)

// mostDepth is how deep annotations may lie inside each other.
const mostDepth = 32

// NotesKind is the kind of an annotation's value.
type NotesKind uint8

const (
	Text NotesKind = iota
	Int
	Float
	JSON
)

// Value is a value of an annotation, with its whole key.
type Value struct {
	Kind NotesKind
	I    int64
	F    float64
	Text []byte // of a Text or JSON; valid until take returns
}

// Reader reads annotations, as messages of protocol buffers.
type Reader struct {
	// Key and Text return the string of an interning ID, false if there is none.
	Key, Text func(iid uint64) (string, bool)
	// Wrong counts values that lie too deep or have no key, Own those in forms of programs' own, which
	// nobody else can read.
	Wrong, Own int64

	path  []byte // key of the current annotation
	text  []byte
	value Value
}

// Each hands over the values of an annotation, those inside others under keys such as a.b and a[0].
// The key is valid until take returns.
func (r *Reader) Each(data []byte, take func(key []byte, v *Value)) {
	r.path = r.path[:0]
	r.annotation(data, -1, 0, take)
}

// annotation passes the value at r.path to take. at is its index in an array, or -1 outside of one.
func (r *Reader) annotation(data []byte, at, depth int, take func([]byte, *Value)) {
	if depth > mostDepth {
		r.Wrong++
		return
	}
	before := len(r.path)
	if at >= 0 {
		r.index(at)
	} else if before > 0 {
		r.path = append(r.path, '.')
	}
	r.value = Value{}
	v, some, inside := &r.value, false, false
	for w := (Fields{Rest: data}); w.Next(); {
		is := true
		switch w.Num {
		case 10:
			if at < 0 {
				r.path = append(r.path, w.Data...)
			}
			continue
		case 1:
			if key, ok := r.Key(w.V); ok && at < 0 {
				r.path = append(r.path, key...)
			} else if at < 0 {
				r.path = strconv.AppendUint(append(r.path, "name_iid "...), w.V, 10)
			}
			continue
		case 2:
			v.Kind, v.Text = Text, falseText
			if w.V != 0 {
				v.Text = trueText
			}
		case 3:
			if v.Kind, v.I = Int, int64(w.V); v.I < 0 {
				v.Kind, v.Text = Text, strconv.AppendUint(nil, w.V, 10)
			}
		case 4:
			v.Kind, v.I = Int, int64(w.V)
		case 5:
			v.Kind, v.F = Float, math.Float64frombits(w.V)
		case 6:
			v.Kind, v.Text = Text, w.Data
		case 7:
			v.Kind, v.Text = Text, strconv.AppendUint([]byte("0x"), w.V, 16)
		case 9:
			v.Kind, v.Text = JSON, w.Data
		case 17:
			if text, ok := r.Text(w.V); ok {
				r.text = append(r.text[:0], text...)
				v.Kind, v.Text = Text, r.text
			} else {
				v.Kind, v.Text = Text, strconv.AppendUint([]byte("string_value_iid "), w.V, 10)
			}
		case 8, 11, 12:
			is, inside = false, w.Kind == Bytes
		case 14:
			r.Own++
			is = false
		default:
			is = false
		}
		some = some || is
	}
	if some {
		take(r.path, v)
	}
	if inside {
		r.within(data, depth, take)
	}
	r.path = r.path[:before]
}

var trueText, falseText = []byte("true"), []byte("false")

// index appends the place in an array to r.path.
func (r *Reader) index(at int) {
	r.path = append(strconv.AppendInt(append(r.path, '['), int64(at), 10), ']')
}

// within hands over the entries of a dictionary or an array.
func (r *Reader) within(data []byte, depth int, take func([]byte, *Value)) {
	at := 0
	for w := (Fields{Rest: data}); w.Next(); {
		if w.Kind != Bytes {
			continue
		}
		switch w.Num {
		case 8:
			r.nested(w.Data, depth+1, take)
		case 11:
			r.annotation(w.Data, -1, depth+1, take)
		case 12:
			r.annotation(w.Data, at, depth+1, take)
			at++
		}
	}
}

// nested hands over a value as they were written before there were dictionaries: keys and values are
// apart.
func (r *Reader) nested(data []byte, depth int, take func([]byte, *Value)) {
	if depth > mostDepth {
		r.Wrong++
		return
	}
	var keys [][]byte
	v, leaf, within, n, at := Value{}, false, false, 0, 0
	before := len(r.path)
	for w := (Fields{Rest: data}); w.Next(); {
		if w.Num == 2 && w.Kind == Bytes && len(keys) < model.MaxArgs {
			keys = append(keys, w.Data)
		}
	}
	for w := (Fields{Rest: data}); w.Next(); {
		leaf, within = leaf || w.Num >= 5 && w.Num <= 8, within || w.Num == 3 || w.Num == 4
		switch {
		case w.Num == 3 && w.Kind == Bytes:
			if n >= len(keys) {
				r.Wrong++
				break
			}
			if before > 0 {
				r.path = append(r.path, '.')
			}
			r.path = append(r.path, keys[n]...)
			r.nested(w.Data, depth+1, take)
			n++
		case w.Num == 4 && w.Kind == Bytes:
			r.index(at)
			r.nested(w.Data, depth+1, take)
			at++
		case w.Num == 5:
			v.Kind, v.I = Int, int64(w.V)
		case w.Num == 6:
			v.Kind, v.F = Float, math.Float64frombits(w.V)
		case w.Num == 7:
			v.Kind, v.Text = Text, falseText
			if w.V != 0 {
				v.Text = trueText
			}
		case w.Num == 8 && w.Kind == Bytes:
			v.Kind, v.Text = Text, w.Data
		}
		r.path = r.path[:before]
	}
	if leaf && !within {
		take(r.path, &v)
	}
}
