package gsttrace

import "strconv"

// SyntaxError says where structure notation ends to be such.
type SyntaxError struct {
	Offset int // in the text that was read
	Reason string
}

func (e *SyntaxError) Error() string {
	return "structure: byte " + strconv.Itoa(e.Offset) + ": " + e.Reason
}

// scanner takes structure notation apart without copying and without allocating.
type scanner struct {
	text  []byte
	pos   int
	depth int // how many brackets may still be opened
}

// rawValue is a value as written: quoted text with its quotes, brackets without the outer pair.
type rawValue struct {
	kind StructKind
	text []byte
}

type rawField struct {
	key, typ []byte
	value    rawValue
}

func (s *scanner) fail(reason string) error { return &SyntaxError{s.pos, reason} }

// isSimple reports whether a byte may stand in a string without quotes.
func isSimple(c byte) bool {
	return isDigit(c) || c|0x20 >= 'a' && c|0x20 <= 'z' || c == '_' || c == '-' || c == '+' || c == '/' || c == ':' || c == '.'
}

// blanks skips white space, also escaped.
func (s *scanner) blanks() {
	for s.pos < len(s.text) {
		c := s.text[s.pos]
		switch {
		case c == ' ' || c == '\t' || c == '\n' || c == '\r':
			s.pos++
		case c == '\\' && s.pos+1 < len(s.text) && s.text[s.pos+1] == ' ':
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

// word reads simple characters or a quoted string. The quotes stay on.
func (s *scanner) word() ([]byte, error) {
	if s.peek() == '"' {
		return s.quoted()
	}
	from := s.pos
	for s.pos < len(s.text) && isSimple(s.text[s.pos]) {
		s.pos++
	}
	if s.pos == from {
		return nil, s.fail("a name or value is missing")
	}
	return s.text[from:s.pos], nil
}

func (s *scanner) quoted() ([]byte, error) {
	from := s.pos
	for i := from + 1; i < len(s.text); i++ {
		switch s.text[i] {
		case '\\':
			i++
		case '"':
			s.pos = i + 1
			return s.text[from:s.pos], nil
		}
	}
	return nil, s.fail("a quoted string has no end")
}

// begin reads the name of a structure.
func (s *scanner) begin() ([]byte, error) {
	s.blanks()
	return s.word()
}

// features reads the text in parentheses behind the name of caps.
func (s *scanner) features() ([]byte, error) {
	from := s.pos + 1
	for i := from; i < len(s.text); i++ {
		if s.text[i] == ')' {
			s.pos = i + 1
			return s.text[from:i], nil
		}
	}
	return nil, s.fail("no closing parenthesis behind the features")
}

// field reads the next field; ok is false at the end.
func (s *scanner) field() (f rawField, ok bool, err error) {
	s.blanks()
	if s.pos >= len(s.text) {
		return f, false, nil
	}
	switch s.text[s.pos] {
	case ';':
		s.pos++
		s.blanks()
		return f, false, nil
	case ',':
		s.pos++
	default:
		return f, false, s.fail("neither a comma nor a semicolon")
	}
	s.blanks()
	if c := s.peek(); s.pos >= len(s.text) || c == ';' { // a trailing comma
		if s.pos < len(s.text) {
			s.pos++
			s.blanks()
		}
		return f, false, nil
	}
	if f.key, err = s.word(); err != nil {
		return f, false, err
	}
	s.blanks()
	if s.peek() != '=' {
		return f, false, s.fail("no equals sign behind the name of a field")
	}
	s.pos++
	f.typ, f.value, err = s.typed()
	return f, err == nil, err
}

// item reads the next item of a list; ok is false at the end.
func (s *scanner) item() (typ []byte, v rawValue, ok bool, err error) {
	s.blanks()
	if s.pos >= len(s.text) {
		return nil, v, false, nil
	}
	if s.text[s.pos] == ',' {
		s.pos++
		s.blanks()
		if s.pos >= len(s.text) {
			return nil, v, false, nil
		}
	}
	typ, v, err = s.typed()
	return typ, v, err == nil, err
}

// typed reads a value with or without its type before it.
func (s *scanner) typed() (typ []byte, v rawValue, err error) {
	s.blanks()
	if s.peek() == '(' {
		s.pos++
		s.blanks()
		if typ, err = s.word(); err != nil {
			return nil, v, err
		}
		s.blanks()
		if s.peek() != ')' {
			return nil, v, s.fail("no closing parenthesis behind a type")
		}
		s.pos++
		s.blanks()
	}
	v, err = s.value()
	return typ, v, err
}

func (s *scanner) value() (v rawValue, err error) {
	switch s.peek() {
	case '{':
		v.kind = StructList
		v.text, err = s.bracket()
	case '<':
		v.kind = StructArray
		v.text, err = s.bracket()
	case '[':
		v.kind = StructRange
		v.text, err = s.bracket()
		if err == nil && !isRange(v.text) {
			v.kind = StructText // a structure or caps written by hand
		}
	default:
		v.text, err = s.word()
		if string(v.text) == "NULL" {
			v = rawValue{kind: StructNull}
		}
	}
	return v, err
}

// isRange reports whether what stands in brackets is values, not a structure: that has equals signs
// or no comma.
func isRange(text []byte) bool {
	comma := false
	for _, c := range text {
		if c == '=' {
			return false
		}
		comma = comma || c == ','
	}
	return comma
}

// bracket skips to the matching bracket and returns the text between.
func (s *scanner) bracket() ([]byte, error) {
	var open [maxNesting]byte
	n := 0
	from := s.pos
	for s.pos < len(s.text) {
		c := s.text[s.pos]
		switch c {
		case '"':
			if _, err := s.quoted(); err != nil {
				return nil, err
			}
			continue
		case '{', '<', '[':
			if n >= s.depth || n >= maxNesting {
				return nil, s.fail("brackets too deep")
			}
			open[n] = c
			n++
		case '}', '>', ']':
			if open[n-1] != c-2 {
				return nil, s.fail("brackets that don't match")
			}
			n--
			if n == 0 {
				s.pos++
				return s.text[from+1 : s.pos-1], nil
			}
		case '\\':
			s.pos++
		}
		s.pos++
	}
	s.pos = min(s.pos, len(s.text))
	return nil, s.fail("a bracket is not closed")
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
			if i+3 < len(text) && text[i+1] >= '0' && text[i+1] <= '3' && gstlogIsOctal(text[i+2]) && gstlogIsOctal(text[i+3]) {
				dst = append(dst, (text[i+1]-'0')<<6|(text[i+2]-'0')<<3|(text[i+3]-'0'))
				i += 3
				continue
			}
			i++
			c = text[i]
		}
		dst = append(dst, c)
	}
	return dst
}

func gstlogIsOctal(c byte) bool { return c >= '0' && c <= '7' }
