package gsttrace

import (
	"bytes"
	"slices"
)

// structured reads a record in structure notation by the fields of a class: how versions after 1.28
// write it. Types in the record are not looked at, as these versions write some otherwise than they
// announce.
func (r *LogReader) structured(c *Class, m []byte) bool {
	sc := scanner{text: m, depth: maxNesting}
	if _, err := sc.begin(); err != nil {
		return false
	}
	values := r.valuesFor(c)
	for i := range values {
		values[i].Kind, values[i].Present = c.Fields[i].Kind, false
		values[i].Text = nil
	}
	r.text = r.text[:0]
	next, absent := 0, -1
	for {
		f, ok, err := sc.field()
		if err != nil {
			return false
		}
		if !ok {
			break
		}
		i := fieldAt(c, f.key, next)
		if i < 0 {
			if have, ok := bytes.CutPrefix(f.key, []byte("have-")); ok {
				if i = fieldAt(c, have, next); i >= 0 && c.Fields[i].Optional {
					if _, yes := scanBool(f.value.text); !yes {
						absent = i
					}
					continue
				}
			}
			return false
		}
		next = i + 1
		if r.set(&values[i], c.Fields[i].Kind, f.value); !readable(&c.Fields[i], &values[i], f.value.kind) {
			return false
		}
		values[i].Present = i != absent && f.value.kind != StructNull
	}
	for i := range values {
		if values[i].Text == nil && !c.Fields[i].Optional {
			return false
		}
	}
	return sc.pos == len(m) && m[len(m)-1] == ';'
}

// fieldAt finds a field, first where it is expected.
func fieldAt(c *Class, name []byte, expected int) int {
	if expected < len(c.Fields) && c.Fields[expected].Name == string(name) {
		return expected
	}
	for i := range c.Fields {
		if c.Fields[i].Name == string(name) {
			return i
		}
	}
	return -1
}

// readable reports whether a value is a number where its type is one. Enumerations and pointers are also
// written as words.
func readable(f *Field, v *Value, kind StructKind) bool {
	return v.Kind == f.Kind || kind == StructNull || !isNumber(f)
}

// isNumber reports whether the values of a field are digits whatever version writes them.
func isNumber(f *Field) bool {
	switch f.Kind {
	case KindUint, KindFloat, KindBool:
		return true
	case KindInt:
		return !isEnum(f.Type)
	}
	return false
}

// spoils reports whether a class that was made from a record has the fields of a known one, but for a
// number that is none: the record is damaged, it is no other version's.
func (c *Class) spoils(known *Class) bool {
	if known.Origin == OriginGeneric || len(c.Fields) != len(known.Fields) {
		return false
	}
	other := false
	for i := range c.Fields {
		if c.Fields[i].Name != known.Fields[i].Name {
			return false
		}
		other = other || isNumber(&known.Fields[i]) && c.Fields[i].Kind == KindText
	}
	return other
}

// misfit returns why no layout fits a record: the first field with an invalid value, if there is one.
func misfit(m []byte) string {
	sc := scanner{text: m, depth: maxNesting}
	_, err := sc.begin()
	for more := err == nil; more; {
		var f rawField
		if f, more, err = sc.field(); !more || err != nil {
			break
		}
		if fitsType(f) || len(f.key) > maxName || len(f.typ) > maxName {
			continue
		}
		return "the value of " + string(unquote(nil, f.key)) + " is no number of the type " + string(f.typ)
	}
	return "no layout that is known fits this record"
}

// fitsType reports whether a value is a number where the type beside it is one.
func fitsType(f rawField) bool {
	field, v := Field{Type: string(f.typ), Kind: kindOf(string(f.typ))}, Value{}
	new(LogReader).set(&v, field.Kind, f.value)
	return readable(&field, &v, f.value.kind)
}

// set converts a value in structure notation. A value of another kind than announced stays text.
func (r *LogReader) set(v *Value, kind ValueKind, raw rawValue) {
	v.Text = []byte{}
	if raw.kind == StructText {
		if len(raw.text) > 0 && raw.text[0] == '"' {
			from := len(r.text)
			r.text = unquote(r.text, raw.text)
			v.Text = r.text[from:len(r.text):len(r.text)]
		} else {
			v.Text = raw.text
		}
	} else if raw.kind != StructNull {
		v.Text = raw.text
	}
	v.Kind = kind
	size := -1
	switch kind {
	case KindUint:
		n := len(v.Text)
		value, ok := parseUint(v.Text)
		v.Uint = value
		if ok {
			size = n
		}
	case KindInt:
		size, v.Int = scanInt(v.Text)
	case KindBool:
		size, v.Bool = scanBool(v.Text)
	case KindFloat:
		size = scanValue(v.Text, stepFloat, v)
	case KindPointer:
		text := v.Text
		size = scanValue(v.Text, stepPointer, v)
		v.Text = text
	default:
		return
	}
	if size != len(v.Text) || size == 0 {
		v.Kind = KindText
	}
}

func parseUint(text []byte) (n uint64, ok bool) {
	for _, c := range text {
		if !isDigit(c) {
			return 0, false
		}
		d := uint64(c - '0')
		if n > (1<<64-1-d)/10 {
			return 0, false
		}
		n = n*10 + d
	}
	return n, len(text) > 0
}

// generic makes a class from a record in structure notation. nil when the message is none.
func generic(m []byte) *Class {
	sc := scanner{text: m, depth: maxNesting}
	name, err := sc.begin()
	if err != nil || len(name) > maxName {
		return nil
	}
	c := &Class{Name: string(unquote(nil, name)), Origin: OriginGeneric}
	optional := ""
	for {
		f, ok, err := sc.field()
		if err != nil || len(f.key) > maxName || len(f.typ) > maxName || len(c.Fields) >= maxFields {
			return nil
		}
		if !ok {
			break
		}
		key, typ := string(unquote(nil, f.key)), string(f.typ)
		if have, ok := bytes.CutPrefix(f.key, []byte("have-")); ok && kindOf(typ) == KindBool {
			optional = string(have)
			continue
		}
		if c.Index(key) >= 0 || !fitsType(f) {
			return nil
		}
		c.Fields = append(c.Fields, Field{Name: key, Type: typ, Kind: kindOf(typ), Optional: optional == key && key != ""})
		optional = ""
	}
	if sc.pos != len(m) || m[len(m)-1] != ';' || c.Name == "" || slices.ContainsFunc(c.Fields, func(f Field) bool { return f.Name == "" }) {
		return nil
	}
	describe(c)
	c.layout = compile(c)
	c.layout.quoted = true
	return c
}

// properlyQuoted reports whether text is a string as structure notation quotes it. A raw name is
// hardly ever.
func properlyQuoted(text []byte) bool {
	if len(text) < 2 || text[0] != '"' || text[len(text)-1] != '"' {
		return false
	}
	for i := 1; i < len(text)-1; i++ {
		if text[i] == '\\' {
			i++
			if i == len(text)-1 {
				return false
			}
		} else if !isSimple(text[i]) {
			return false
		}
	}
	return true
}
