package gsttrace

import (
	"bytes"
	"math"
	"slices"
	"strconv"
	"strings"
)

// A layout is the anchored pattern of a class, compiled (FORMAT.md section 5): name, then for every
// field ", NAME=(TYPE)" and a value, then ";".
//
// Numbers take only what numbers are made of. Texts are written raw and take anything, so they end
// where the literal of the next field is found and the numbers behind it fit: shortest match first.
// That is the same as a regular expression with backtracking, but linear: when the fields behind a
// text fit up to the next text, a later end of the first can't make the second fit better, since
// the second could then only begin later, with fewer places left for its own end. So only the
// numbers directly behind a text are ever tried again.
type layout struct {
	steps []step
	// quoted records may be in structure notation: those of the versions after 1.28.
	quoted bool
}

type step struct {
	lit   string // before the value
	find  []byte // the same, to be searched for
	kind  ValueKind
	field int32
	have  bool // it says whether the optional field behind it has a value
	// optional values have such a step before them.
	optional bool
}

// shortTypes are the type names that records use for those of announcements.
var shortTypes = map[string]string{
	"gchararray": "string", "guint": "uint", "gint": "int", "gboolean": "boolean", "GstStructure": "structure",
	"gdouble": "double", "gfloat": "float",
}

// shortType is the type name that records use for a type name of an announcement.
func shortType(name string) string {
	if short, ok := shortTypes[name]; ok {
		return short
	}
	return name
}

// kinds are the kinds of values by type names.
var kinds = map[string]ValueKind{
	"uint": KindUint, "u": KindUint, "guint64": KindUint, "uint64": KindUint, "gulong": KindUint, "guint32": KindUint,
	"clock-time": KindUint, "GstClockTime": KindUint,
	"int": KindInt, "i": KindInt, "gint64": KindInt, "int64": KindInt, "glong": KindInt, "gint32": KindInt,
	"GstClockTimeDiff": KindInt,
	"boolean":          KindBool, "b": KindBool, "bool": KindBool,
	"double": KindFloat, "d": KindFloat, "float": KindFloat, "f": KindFloat,
	"gpointer": KindPointer, "structure": KindStructure,
}

// kindOf is the kind of values of a type name.
func kindOf(name string) ValueKind {
	name = shortType(name)
	if kind, ok := kinds[name]; ok || !isEnum(name) {
		return kind
	}
	return KindEnum
}

// enumEnds are what the names of enumerations and flags end with.
var enumEnds = []string{"Flags", "Direction", "Mode", "State", "StateChange", "Return", "Presence", "Format", "Type"}

// isEnum reports whether a type is by its name an enumeration or flags, which records write as a
// number.
func isEnum(short string) bool {
	return short != "" && short[0] >= 'A' && short[0] <= 'Z' &&
		slices.ContainsFunc(enumEnds, func(end string) bool { return strings.HasSuffix(short, end) && short != end })
}

// compile makes the layout of a class. quoted records may be in structure notation.
func (c *Class) compile(quoted bool) {
	l := &layout{quoted: quoted}
	before := c.Name
	for i := range c.Fields {
		f := &c.Fields[i]
		if f.Optional {
			l.add(step{lit: before + ", have-" + f.Name + "=(boolean)", kind: KindBool, field: int32(i), have: true})
			before = ""
		}
		lit := before + ", " + f.Name + "=(" + f.Type + ")"
		l.add(step{lit: lit, kind: f.Kind, field: int32(i), optional: f.Optional})
		before = ""
	}
	c.layout = l
}

func (l *layout) add(s step) {
	s.find = []byte(s.lit)
	l.steps = append(l.steps, s)
}

// match reads the values of a record from its message and reports whether it is one of this class.
func (l *layout) match(name string, m []byte, values []Value) bool {
	if len(m) == 0 || m[len(m)-1] != ';' {
		return false
	}
	m = m[:len(m)-1]
	if len(l.steps) == 0 {
		return string(m) == name
	}
	k, at, ok := l.run(m, 0, 0, values)
	for ok && k < len(l.steps) { // step k is a text that begins at at
		s := &l.steps[k]
		if k++; k == len(l.steps) {
			s.text(m[at:], values)
			break
		}
		k, at, ok = l.textBefore(m, at, k, s, values)
	}
	return ok
}

// textBefore reads a text that begins at from, up to the next step, and the steps from there on.
func (l *layout) textBefore(m []byte, from, next int, s *step, values []Value) (nextK, nextAt int, ok bool) {
	for at := from; ; at++ {
		found := bytes.Index(m[at:], l.steps[next].find)
		if found < 0 {
			return 0, 0, false
		}
		at += found
		if nextK, nextAt, ok = l.run(m, at, next, values); ok {
			s.text(m[from:at], values)
			return nextK, nextAt, true
		}
	}
}

// run reads steps from k on until a text, or until the end of the message at the last.
func (l *layout) run(m []byte, at, k int, values []Value) (nextK, nextAt int, ok bool) {
	for ; k < len(l.steps); k++ {
		s := &l.steps[k]
		end := at + len(s.lit)
		if end > len(m) || string(m[at:end]) != s.lit {
			return 0, 0, false
		}
		at = end
		if IsText(s.kind) {
			return k, at, true
		}
		v := &values[s.field]
		size := 0
		if s.have {
			var yes uint64
			size, yes = scanBool(m[at:])
			v.Present = yes != 0
		} else {
			size = scanValue(m[at:], s.kind, v)
			v.Present = v.Present || !s.optional
		}
		if size == 0 {
			return 0, 0, false
		}
		at += size
	}
	return k, at, at == len(m)
}

func (s *step) text(text []byte, values []Value) {
	v := &values[s.field]
	v.Kind, v.Text = s.kind, text
	if !s.optional {
		v.Present = true
	}
}

func scanBool(m []byte) (size int, yes uint64) {
	switch {
	case len(m) > 0 && (m[0] == '0' || m[0] == '1'):
		return 1, uint64(m[0] - '0')
	case bytes.HasPrefix(m, []byte("true")):
		return 4, 1
	case bytes.HasPrefix(m, []byte("false")):
		return 5, 0
	}
	return 0, 0
}

// scanValue reads a value that is no text; size 0 means that there is none.
func scanValue(m []byte, kind ValueKind, v *Value) (size int) {
	v.Kind = kind
	switch kind {
	case KindUint:
		size, v.Uint = scanUint(m)
	case KindBool:
		size, v.Uint = scanBool(m)
	case KindInt:
		size, v.Uint = scanInt(m)
	case KindFloat:
		size, v.Float = scanFloat(m)
	case KindPointer:
		size, v.Uint = scanPointer(m)
		v.Text = m[:size]
	case KindEnum:
		for size < len(m) && isSimple(m[size]) {
			size++
		}
		v.Kind, v.Text = KindInt, m[:size]
		var n int
		if n, v.Uint = scanInt(v.Text); n < size {
			v.Kind = KindText
		}
	}
	return size
}

// scanUint reads a decimal number.
func scanUint(m []byte) (size int, n uint64) {
	for size < len(m) && isDigit(m[size]) {
		d := uint64(m[size] - '0')
		if n > (math.MaxUint64-d)/10 {
			return 0, 0
		}
		n = n*10 + d
		size++
	}
	return size, n
}

// scanInt reads a decimal number within the range of int64, as two's complement.
func scanInt(m []byte) (size int, n uint64) {
	negative, sign := len(m) > 0 && m[0] == '-', 0
	if negative || len(m) > 0 && m[0] == '+' {
		sign = 1
	}
	size, u := scanUint(m[sign:])
	switch {
	case size == 0:
		return 0, 0
	case negative && u <= 1<<63:
		return size + 1, -u
	case negative || u > math.MaxInt64:
		return 0, 0
	}
	return size + sign, u
}

// scanFloat reads a number in any form of the C library, with a comma in the place of the point where that of the
// program's locale is one.
func scanFloat(m []byte) (size int, f float64) {
	for size < len(m) && size < 400 && (isDigit(m[size]) || bytes.IndexByte([]byte("+-.,einfaEINFA"), m[size]) >= 0) {
		size++
	}
	if size > 0 && m[size-1] == ',' { // it parts two fields
		size--
	}
	f, err := strconv.ParseFloat(strings.Replace(string(m[:size]), ",", ".", 1), 64)
	if err != nil {
		return 0, 0
	}
	return size, f
}

// scanPointer reads hexadecimal digits, with or without 0x before them, or (nil).
func scanPointer(m []byte) (size int, n uint64) {
	if bytes.HasPrefix(m, []byte("(nil)")) {
		return len("(nil)"), 0
	}
	digits := m[len(hexPrefix(m)):]
	digits = digits[:min(len(digits), 16)]
	digits = digits[:len(digits)-len(bytes.TrimLeft(digits, hexDigits))]
	n, err := strconv.ParseUint(string(digits), 16, 64)
	if err != nil {
		return 0, 0
	}
	return len(hexPrefix(m)) + len(digits), n
}

// hexPrefix is the 0x before hexadecimal digits, if it is there.
func hexPrefix(m []byte) []byte {
	if len(m) > 2 && m[0] == '0' && m[1]|0x20 == 'x' {
		return m[:2]
	}
	return nil
}

// readStructure reads a record in structure notation by the fields of a class: how versions after 1.28
// write it. Types in the record are not looked at, as these versions write some otherwise than they
// announce.
func (r *LogReader) readStructure(c *Class, m []byte) bool {
	sc := scanner{text: m}
	sc.begin()
	values := r.valuesFor(c)
	clear(values)
	r.text = r.text[:0]
	found, absent := 0, -1
	for f, ok := sc.field(); ok; f, ok = sc.field() {
		i := c.fieldAt(f.key, found)
		if have, ok := bytes.CutPrefix(f.key, []byte("have-")); ok && i < 0 {
			if i = c.fieldAt(have, found); i < 0 {
				return false
			}
			if _, yes := scanBool(f.value.text); yes == 0 {
				absent = i
			}
			continue
		}
		if i < 0 || !r.set(&values[i], &c.Fields[i], f.value) {
			return false
		}
		values[i].Present = i != absent && !f.value.isNull()
		found++
	}
	for i := range values {
		if values[i].Text == nil && !c.Fields[i].Optional {
			return false
		}
	}
	return !sc.bad && m[len(m)-1] == ';'
}

// fieldAt finds a field, first where it is expected.
func (c *Class) fieldAt(name []byte, expected int) int {
	if expected < len(c.Fields) && c.Fields[expected].Name == string(name) {
		return expected
	}
	return c.Index(string(name))
}

// set converts a value in structure notation. It reports whether that is a number where the type of the field is one;
// enumerations and pointers are also written as words.
func (r *LogReader) set(v *Value, f *Field, raw rawValue) bool {
	text := raw.text
	switch {
	case raw.isNull():
		text = []byte{}
	case raw.isQuoted():
		from := len(r.text)
		r.text = unquote(r.text, raw.text)
		text = r.text[from:len(r.text):len(r.text)]
	}
	v.Kind = f.Kind
	size := len(text)
	if !IsText(f.Kind) {
		size = scanValue(text, f.Kind, v)
	}
	v.Text = text
	if size < len(text) || size == 0 && !IsText(f.Kind) {
		v.Kind = KindText
		return raw.isNull() || f.Kind == KindPointer || f.Kind == KindEnum
	}
	return true
}
