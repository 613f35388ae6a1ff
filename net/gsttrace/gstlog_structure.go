package gsttrace

import "bytes"

// maxNesting is how deep brackets may stand in brackets.
const maxNesting = 32

// Structure is a named list of typed values in structure notation (FORMAT.md section 4).
type Structure struct {
	Name   string
	Fields []StructField
}

// StructField is one field of a structure.
type StructField struct {
	Name string
	Type string // as written, "" when none was
	Text string // the value, unquoted once; where it is itself a structure, ParseStructure reads it
}

// Get is a field by its name, or nil.
func (s *Structure) Get(name string) *StructField {
	for i := range s.Fields {
		if s.Fields[i].Name == name {
			return &s.Fields[i]
		}
	}
	return nil
}

// text is the value of a field, empty without one.
func (s *Structure) text(name string) string {
	if f := s.Get(name); f != nil {
		return f.Text
	}
	return ""
}

// ParseStructure reads structure notation, also when the whole of it is quoted as a string once more, as records
// have it. Structures inside strings stay text: read them on demand, by this function. Behind the closing semicolon
// only blanks may follow. Where the text is damaged, ok is false, and the fields before that are returned.
func ParseStructure(text []byte) (s Structure, ok bool) {
	if sc := (scanner{text: text}); len(text) > 0 && text[0] == '"' {
		if whole := sc.quoted(); !sc.bad && sc.pos == len(text) {
			text = unquote(nil, whole)
		}
	}
	sc := scanner{text: text}
	s.Name = string(unquote(nil, sc.begin()))
	for f, ok := sc.field(); ok; f, ok = sc.field() {
		field := StructField{Name: string(unquote(nil, f.key)), Type: string(f.typ)}
		if !f.value.isNull() {
			field.Text = string(unquote(nil, f.value.text))
		}
		s.Fields = append(s.Fields, field)
	}
	return s, !sc.bad && s.Name != ""
}

// scanner takes structure notation apart without copying and without allocating.
type scanner struct {
	text  []byte
	pos   int
	bad   bool // it is damaged at pos
	loose bool // text may follow behind the closing semicolon
}

// rawValue is a value as written: quoted text with its quotes, brackets without the outer pair.
type rawValue struct {
	bracket byte // that opens it, 0 for a text
	text    []byte
}

type rawField struct {
	key, typ []byte
	value    rawValue
}

func (v rawValue) isNull() bool   { return v.bracket == 0 && string(v.text) == "NULL" }
func (v rawValue) isQuoted() bool { return v.bracket == 0 && len(v.text) > 0 && v.text[0] == '"' }

// fail notes that the text is damaged here.
func (s *scanner) fail() []byte {
	s.bad = true
	return nil
}

// isSimple reports whether a byte may stand in a string without quotes.
func isSimple(c byte) bool { return simple[c] }

var simple = func() (simple [256]bool) {
	for c := range simple {
		b := byte(c)
		simple[c] = isDigit(b) || isAlpha(b) || b == '_' || b == '-' || b == '+' || b == '/' || b == ':' || b == '.'
	}
	return simple
}()

func isAlpha(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

func isSpace(c byte) bool { return c == ' ' || c >= '\t' && c <= '\r' }

// blanks skips white space, also escaped.
func (s *scanner) blanks() {
	for s.pos < len(s.text) {
		switch c := s.text[s.pos]; {
		case isSpace(c):
			s.pos++
		case c == '\\' && s.pos+1 < len(s.text) && isSpace(s.text[s.pos+1]):
			s.pos += 2
		default:
			return
		}
	}
}

func (s *scanner) peek() byte {
	if s.pos < len(s.text) {
		return s.text[s.pos]
	}
	return 0
}

// skip skips a byte between blanks. It reports whether the byte was there.
func (s *scanner) skip(c byte) bool {
	s.blanks()
	if s.peek() != c || s.pos >= len(s.text) {
		return false
	}
	s.pos++
	s.blanks()
	return true
}

// word reads simple characters or a quoted string. The quotes stay on.
func (s *scanner) word() []byte {
	if s.peek() == '"' {
		return s.quoted()
	}
	from := s.pos
	for s.pos < len(s.text) && isSimple(s.text[s.pos]) {
		s.pos++
	}
	if s.pos == from {
		return s.fail()
	}
	return s.text[from:s.pos]
}

func (s *scanner) quoted() []byte {
	from := s.pos
	for i := from + 1; i < len(s.text); i++ {
		switch s.text[i] {
		case '\\':
			i++
		case '"':
			s.pos = i + 1
			return s.text[from:s.pos]
		}
	}
	return s.fail()
}

// begin reads the name of a structure, and passes over the features behind that of caps.
func (s *scanner) begin() []byte {
	s.blanks()
	name := s.word()
	if s.peek() == '(' {
		end := bytes.IndexByte(s.text[s.pos:], ')')
		if end < 0 {
			return s.fail()
		}
		s.pos += end + 1
	}
	return name
}

// field reads the next field; ok is false at the end.
func (s *scanner) field() (f rawField, ok bool) {
	more := s.skip(',')
	switch {
	case s.bad || s.pos >= len(s.text):
		return f, false
	case s.skip(';'):
		s.bad = !s.loose && s.pos < len(s.text)
		return f, false
	case !more:
		s.fail()
		return f, false
	}
	f.key = s.word()
	if !s.skip('=') {
		s.fail()
	}
	f.typ, f.value = s.typed()
	return f, !s.bad
}

// typed reads a value with or without its type before it.
func (s *scanner) typed() (typ []byte, v rawValue) {
	if s.skip('(') {
		typ = s.word()
		if !s.skip(')') {
			s.fail()
		}
	}
	switch c := s.peek(); c {
	case '{', '<', '[':
		v = rawValue{c, s.inBrackets()}
	default:
		v.text = s.word()
	}
	return typ, v
}

// inBrackets skips to the matching bracket and returns the text between.
func (s *scanner) inBrackets() []byte {
	var open [maxNesting]byte
	n, from := 0, s.pos
	for ; s.pos < len(s.text) && !s.bad; s.pos++ {
		switch c := s.text[s.pos]; c {
		case '"':
			s.quoted()
			s.pos--
		case '{', '<', '[':
			if n >= maxNesting {
				return s.fail()
			}
			open[n] = c
			n++
		case '}', '>', ']':
			n--
			if open[n] != c-2 {
				return s.fail()
			}
			if n == 0 {
				s.pos++
				return s.text[from+1 : s.pos-1]
			}
		case '\\':
			s.pos++
		}
	}
	return s.fail()
}

// unquote appends text to dst: without its quotes and with its escapes undone, if it is quoted.
func unquote(dst, text []byte) []byte {
	if len(text) < 2 || text[0] != '"' {
		return append(dst, text...)
	}
	text = text[1 : len(text)-1]
	for i := 0; i < len(text); i++ {
		c := text[i]
		if c == '\\' && i+1 < len(text) {
			i++
			if c = text[i]; isOctal(text[i:]) {
				c = octal(text[i:])
				i += 2
			}
		}
		dst = append(dst, c)
	}
	return dst
}

// isOctal reports whether a text begins with the three digits of a byte.
func isOctal(text []byte) bool {
	return len(text) > 2 && text[0] >= '0' && text[0] <= '3' && text[1]&^7 == '0' && text[2]&^7 == '0'
}

// octal is the byte of three digits.
func octal(text []byte) byte { return (text[0]-'0')<<6 | (text[1]-'0')<<3 | (text[2] - '0') }
