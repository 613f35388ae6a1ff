package gsttrace

import (
	"bytes"
	"math"
	"strconv"
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
	// quoted records are in structure notation: those of the versions after 1.28.
	quoted bool
	// announced is set when the handler has got the class.
	announced bool
}

type stepKind uint8

const (
	stepText    stepKind = iota // anything
	stepUint                    // digits
	stepInt                     // digits, perhaps a sign
	stepBool                    // 0, 1, true, false
	stepHave                    // the same, whether the optional field behind it has a value
	stepFloat                   // a number in any form of the C library
	stepPointer                 // 0x and hexadecimal digits, or (nil)
	stepEnum                    // a number, or nicks or symbols
)

type step struct {
	lit   string // before the value
	find  []byte // the same, to be searched for
	kind  stepKind
	field int32
	value ValueKind
	// optional values have a stepHave before them, which says whether they are present.
	optional bool
}

// shortType is the type name that records use for a type name of an announcement.
func shortType(name string) string {
	switch name {
	case "gchararray":
		return "string"
	case "guint":
		return "uint"
	case "gint":
		return "int"
	case "gboolean":
		return "boolean"
	case "GstStructure":
		return "structure"
	case "gdouble":
		return "double"
	case "gfloat":
		return "float"
	}
	return name
}

// kindOf is the kind of values of a short type name.
func kindOf(short string) ValueKind {
	switch short {
	case "uint", "u", "guint", "guint64", "uint64", "gulong", "guint32", "clock-time", "GstClockTime":
		return KindUint
	case "int", "i", "gint", "gint64", "int64", "glong", "gint32", "GstClockTimeDiff":
		return KindInt
	case "boolean", "b", "bool", "gboolean":
		return KindBool
	case "double", "d", "float", "f", "gdouble", "gfloat":
		return KindFloat
	case "gpointer":
		return KindPointer
	case "structure", "GstStructure":
		return KindStructure
	}
	if isEnum(short) {
		return KindInt
	}
	return KindText
}

// isEnum reports whether a type is by its name an enumeration or flags, which records write as a
// number.
func isEnum(short string) bool {
	for _, suffix := range [...]string{"Flags", "Direction", "Mode", "State", "StateChange", "Return", "Presence", "Format", "Type"} {
		if len(short) > len(suffix) && short[len(short)-len(suffix):] == suffix && short[0] >= 'A' && short[0] <= 'Z' {
			return true
		}
	}
	return false
}

func stepOf(f *Field) stepKind {
	switch f.Kind {
	case KindUint:
		return stepUint
	case KindInt:
		if isEnum(f.Type) {
			return stepEnum
		}
		return stepInt
	case KindBool:
		return stepBool
	case KindFloat:
		return stepFloat
	case KindPointer:
		return stepPointer
	}
	return stepText
}

func compile(c *Class) *layout {
	l := &layout{}
	before := c.Name
	for i := range c.Fields {
		f := &c.Fields[i]
		if f.Optional {
			l.steps = append(l.steps, step{lit: before + ", have-" + f.Name + "=(boolean)", kind: stepHave, field: int32(i)})
			before = ""
		}
		l.steps = append(l.steps, step{
			lit: before + ", " + f.Name + "=(" + f.Type + ")", kind: stepOf(f), field: int32(i), value: f.Kind,
			optional: f.Optional,
		})
		before = ""
	}
	for i := range l.steps {
		l.steps[i].find = []byte(l.steps[i].lit)
	}
	return l
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
		k++
		if k == len(l.steps) {
			s.text(m[at:], values)
			break
		}
		lit := l.steps[k].find
		for from := at; ; {
			found := bytes.Index(m[from:], lit)
			if found < 0 {
				return false
			}
			from += found
			nextK, nextAt, fits := l.run(m, from, k, values)
			if fits {
				s.text(m[at:from], values)
				k, at = nextK, nextAt
				break
			}
			from++
		}
	}
	return ok
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
		v := &values[s.field]
		switch s.kind {
		case stepText:
			return k, at, true
		case stepUint:
			n := uint64(0)
			from := at
			for at < len(m) && isDigit(m[at]) {
				d := uint64(m[at] - '0')
				if n > (math.MaxUint64-d)/10 {
					return 0, 0, false
				}
				n = n*10 + d
				at++
			}
			if at == from {
				return 0, 0, false
			}
			v.Kind, v.Uint = KindUint, n
			if !s.optional {
				v.Present = true
			}
			continue
		case stepHave:
			size, yes := scanBool(m[at:])
			if size == 0 {
				return 0, 0, false
			}
			at += size
			v.Present = yes
			continue
		}
		size := scanValue(m[at:], s.kind, v)
		if size == 0 {
			return 0, 0, false
		}
		at += size
		if !s.optional {
			v.Present = true
		}
	}
	return k, at, at == len(m)
}

func (s *step) text(text []byte, values []Value) {
	v := &values[s.field]
	v.Kind, v.Text = s.value, text
	if !s.optional {
		v.Present = true
	}
}

func scanBool(m []byte) (size int, yes bool) {
	if len(m) > 0 && (m[0] == '0' || m[0] == '1') {
		return 1, m[0] == '1'
	}
	if bytes.HasPrefix(m, []byte("true")) {
		return 4, true
	}
	if bytes.HasPrefix(m, []byte("false")) {
		return 5, false
	}
	return 0, false
}

// scanValue reads a value that is no text; size 0 means that there is none.
func scanValue(m []byte, kind stepKind, v *Value) (size int) {
	switch kind {
	case stepBool:
		size, v.Bool = scanBool(m)
		v.Kind = KindBool
		return size
	case stepInt:
		size, v.Int = scanInt(m)
		v.Kind = KindInt
		return size
	case stepFloat:
		for size < len(m) && size < 400 && isFloatByte(m[size]) {
			size++
		}
		if size > 0 && m[size-1] == ',' { // it parts two fields
			size--
		}
		var ok bool
		v.Kind = KindFloat
		if v.Float, ok = parseFloat(m[:size]); !ok {
			return 0
		}
		return size
	case stepPointer:
		if bytes.HasPrefix(m, []byte("(nil)")) {
			v.Kind, v.Uint, v.Text = KindPointer, 0, m[:5]
			return 5
		}
		if len(m) > 2 && m[0] == '0' && m[1]|0x20 == 'x' {
			size = 2
		}
		digits := size
		n := uint64(0)
		for size < len(m) && size-digits < 16 && isHex(m[size]) {
			n = n<<4 | uint64(hexDigit(m[size]))
			size++
		}
		if size == digits {
			return 0
		}
		v.Kind, v.Uint, v.Text = KindPointer, n, m[:size]
		return size
	case stepEnum:
		for size < len(m) && (isSimple(m[size])) {
			size++
		}
		if n, value := scanInt(m[:size]); n == size && n > 0 {
			v.Kind, v.Int = KindInt, value
			return size
		}
		v.Kind, v.Text = KindText, m[:size]
		return size
	}
	return 0
}

// scanInt reads a decimal number within the range of int64.
func scanInt(m []byte) (size int, n int64) {
	negative := false
	if size < len(m) && (m[size] == '-' || m[size] == '+') {
		negative = m[size] == '-'
		size++
	}
	from := size
	u := uint64(0)
	for size < len(m) && isDigit(m[size]) {
		d := uint64(m[size] - '0')
		if u > (math.MaxInt64-d)/10 {
			if negative && u*10+d == 1<<63 && u <= math.MaxInt64/10 && (size+1 == len(m) || !isDigit(m[size+1])) {
				return size + 1, math.MinInt64
			}
			return 0, 0
		}
		u = u*10 + d
		size++
	}
	if size == from {
		return 0, 0
	}
	if negative {
		return size, -int64(u)
	}
	return size, int64(u)
}

func isFloatByte(c byte) bool {
	switch c {
	case '+', '-', '.', ',', 'e', 'E', 'i', 'n', 'f', 'a', 'I', 'N', 'F', 'A':
		return true
	}
	return isDigit(c)
}

// parseFloat also reads a comma in the place of the point: printf follows the locale of the
// program.
func parseFloat(text []byte) (float64, bool) {
	if len(text) == 0 {
		return 0, false
	}
	if comma := bytes.IndexByte(text, ','); comma >= 0 {
		var buf [64]byte
		if len(text) > len(buf) {
			return 0, false
		}
		n := copy(buf[:], text)
		buf[comma] = '.'
		f, err := strconv.ParseFloat(string(buf[:n]), 64)
		return f, err == nil
	}
	f, err := strconv.ParseFloat(string(text), 64)
	return f, err == nil
}

func hexDigit(c byte) byte {
	if isDigit(c) {
		return c - '0'
	}
	return c | 0x20 - 'a' + 10
}
