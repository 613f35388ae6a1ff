package perfetto

import (
	"math"
	"strconv"

	"framescope/model"
)

// mostDepth is how deep annotations may lie inside each other.
const mostDepth = 32

// valueKind is the kind of an annotation's value.
type valueKind uint8

const (
	isText valueKind = iota
	isInt
	isFloat
	isJSON
)

// value is a value of an annotation. Its text is valid until the next one is read.
type value struct {
	kind valueKind
	i    int64
	f    float64
	text []byte
}

// notes reads annotations: values of many kinds, and dictionaries and arrays, whose values have keys such as a.b and
// a[0].
type notes struct {
	words func(in interned, iid uint64) (string, bool) // of a name that has a number
	seq   *sequence                                    // that gives names numbers
	path  []byte                                       // key of the current one
	now   value
	text  []byte // scratch
	wrong int64  // values that lie too deep or have no key
	own   int64  // values in forms of programs' own, which nobody else can read
}

// takeNote takes a value of an annotation. The key is valid until it returns.
type takeNote func(key []byte, v *value)

// each hands over the values of annotations.
func (n *notes) each(s *sequence, list [][]byte, take takeNote) {
	n.seq = s
	for _, data := range list {
		n.path = n.path[:0]
		n.annotation(data, -1, 0, take)
	}
}

// annotation reads an annotation below n.path. at is its index in an array, or -1 outside of one.
func (n *notes) annotation(data []byte, at, depth int, take takeNote) {
	if depth > mostDepth {
		n.wrong++
		return
	}
	before := len(n.path)
	if at >= 0 {
		n.index(at)
	} else if before > 0 {
		n.path = append(n.path, '.')
	}
	n.now = value{}
	some, nested := false, false
	for w := (fields{rest: data}); w.next(); {
		switch w.num {
		case 1, 10:
			if at < 0 {
				n.key(&w)
			}
		case 8, 11, 12:
			nested = true
		case 14:
			n.own++
		default:
			some = n.value(&w) || some
		}
	}
	if some {
		take(n.path, &n.now)
	}
	if nested {
		n.within(data, depth+1, take)
	}
	n.path = n.path[:before]
}

// key appends the key of an annotation.
func (n *notes) key(w *fields) {
	if w.num == 10 {
		n.path = append(n.path, w.data...)
	} else if key, ok := n.words(n.seq.keys, w.v); ok {
		n.path = append(n.path, key...)
	} else {
		n.path = strconv.AppendUint(append(n.path, "name_iid "...), w.v, 10)
	}
}

// index appends a place in an array.
func (n *notes) index(at int) {
	n.path = append(strconv.AppendInt(append(n.path, '['), int64(at), 10), ']')
}

// value reads the value of an annotation; false: the field is none.
func (n *notes) value(w *fields) bool {
	v := &n.now
	switch w.num {
	case 2:
		*v = n.textOf(strconv.FormatBool(w.v != 0))
	case 3, 4:
		if *v = (value{kind: isInt, i: int64(w.v)}); w.num == 3 && v.i < 0 {
			*v = n.textOf(strconv.FormatUint(w.v, 10))
		}
	case 5:
		*v = value{kind: isFloat, f: math.Float64frombits(w.v)}
	case 6:
		*v = value{text: w.data}
	case 7:
		*v = n.textOf("0x" + strconv.FormatUint(w.v, 16))
	case 9:
		*v = value{kind: isJSON, text: w.data}
	case 17:
		text, ok := n.words(n.seq.values, w.v)
		if !ok {
			text = "string_value_iid " + strconv.FormatUint(w.v, 10)
		}
		*v = n.textOf(text)
	default:
		return false
	}
	return true
}

func (n *notes) textOf(text string) value {
	n.text = append(n.text[:0], text...)
	return value{text: n.text}
}

// within reads the entries of a dictionary or an array.
func (n *notes) within(data []byte, depth int, take takeNote) {
	at := 0
	for w := (fields{rest: data}); w.next(); {
		switch w.num {
		case 8:
			n.nested(w.data, depth, take)
		case 11:
			n.annotation(w.data, -1, depth, take)
		case 12:
			n.annotation(w.data, at, depth, take)
			at++
		}
	}
}

// nested reads a value as they were written before there were dictionaries: keys and values are apart.
func (n *notes) nested(data []byte, depth int, take takeNote) {
	if depth > mostDepth {
		n.wrong++
		return
	}
	var keys [][]byte
	for w := (fields{rest: data}); w.next(); {
		if w.num == 2 && len(keys) < model.MaxArgs {
			keys = append(keys, w.data)
		}
	}
	some, at := false, 0
	before := len(n.path)
	for w := (fields{rest: data}); w.next(); {
		switch w.num {
		case 3:
			if len(keys) == 0 {
				n.wrong++
				continue
			}
			if before > 0 {
				n.path = append(n.path, '.')
			}
			n.path, keys = append(n.path, keys[0]...), keys[1:]
			n.nested(w.data, depth+1, take)
		case 4:
			n.index(at)
			n.nested(w.data, depth+1, take)
			at++
		case 5, 6, 7, 8: // whole number, number, truth, text
			w.num = [...]uint64{4, 5, 2, 6}[w.num-5]
			some = n.value(&w)
		}
		n.path = n.path[:before]
	}
	if some {
		take(n.path, &n.now)
	}
}
