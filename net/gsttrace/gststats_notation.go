package gsttrace

import (
	"bytes"
	"unicode/utf8"
)

// maxDepth bounds nested values; gst-stats has no bound but its stack.
const maxDepth = 32

// notation reads a record's message as gst-stats does: as structure notation, all of it, with every nested value.
// A value of an unknown type makes the whole record vanish.
type notation struct {
	name   []byte
	fields []field
	bufs   [maxDepth][]byte // unquoted text of each depth
}

// field is one field of a record. text is unquoted.
type field struct {
	key, typ, text []byte
}

// read takes a message apart. It ignores text behind the closing semicolon.
func (n *notation) read(message []byte) bool {
	p := parser{n: n, b: message}
	n.fields, n.bufs[0] = n.fields[:0], n.bufs[0][:0]
	return p.structure(0, true)
}

// get is a field by name and type; nil when gst-stats would not get it.
func (n *notation) get(name string, types ...string) []byte {
	for i := range n.fields {
		f := &n.fields[i]
		if string(f.key) != name {
			continue
		}
		for _, t := range types {
			if string(f.typ) == t {
				return f.text
			}
		}
	}
	return nil
}

func (n *notation) number(name string, types ...string) uint64 {
	v, _ := gststatsParseUint(n.get(name, types...))
	return v
}

func (n *notation) u32(name string) uint32 { return uint32(n.number(name, "uint", "u", "guint")) }
func (n *notation) u64(name string) uint64 { return n.number(name, "guint64") }

func (n *notation) yes(name string) bool {
	switch t := n.get(name, "boolean", "bool", "b", "gboolean"); string(bytes.ToLower(t)) {
	case "1", "true", "t", "yes":
		return true
	}
	return false
}

// str returns a string; a missing one is printf's "(null)".
func (n *notation) str(name string) string {
	t := n.get(name, "string", "s", "str", "gchararray")
	if t == nil {
		return "(null)"
	}
	return string(t)
}

// parser walks over one level of notation.
type parser struct {
	n *notation
	b []byte
}

func (p *parser) blanks() {
	for len(p.b) > 0 {
		switch {
		case isSpace(p.b[0]):
			p.b = p.b[1:]
		case p.b[0] == '\\' && len(p.b) > 1 && isSpace(p.b[1]):
			p.b = p.b[2:]
		default:
			return
		}
	}
}

func isSpace(b byte) bool { return b == ' ' || b >= '\t' && b <= '\r' }

func (p *parser) at(b byte) bool { return len(p.b) > 0 && p.b[0] == b }

func (p *parser) word() []byte {
	i := 0
	for i < len(p.b) && gststatsIsSimple(p.b[i]) {
		i++
	}
	w := p.b[:i]
	p.b = p.b[i:]
	return w
}

func gststatsIsSimple(c byte) bool {
	return gststatsIsDigit(c) || isAlpha(c) || c == '_' || c == '-' || c == '+' || c == '/' || c == ':' || c == '.'
}

// structure reads a name and fields; keep keeps them in the notation.
func (p *parser) structure(depth int, keep bool) bool {
	if depth >= maxDepth {
		return false
	}
	p.blanks()
	name := p.word()
	if len(name) == 0 || !isAlpha(name[0]) {
		return false
	}
	if keep {
		p.n.name = name
	}
	if depth > 0 && p.at('(') { // features of caps
		end := bytes.IndexByte(p.b, ')')
		if end < 0 {
			return false
		}
		p.b = p.b[end+1:]
	}
	for {
		p.blanks()
		if len(p.b) == 0 {
			return true
		}
		if p.b[0] == ';' {
			p.b = p.b[1:]
			return true
		}
		if p.b[0] != ',' {
			return false
		}
		p.b = p.b[1:]
		p.blanks()
		if len(p.b) == 0 || p.b[0] == ';' {
			p.b = p.b[min(len(p.b), 1):]
			return true
		}
		key := p.word()
		if p.blanks(); len(key) == 0 || !p.at('=') {
			return false
		}
		p.b = p.b[1:]
		typ, text, ok := p.value(nil, depth)
		if !ok {
			return false
		}
		if keep {
			if len(p.n.fields) >= 64 {
				return false
			}
			p.n.fields = append(p.n.fields, field{key, typ, text})
		}
	}
}

// value reads a value with its type, or with the type of the list in which it stands.
func (p *parser) value(inherited []byte, depth int) (typ, text []byte, ok bool) {
	typ = inherited
	p.blanks()
	if p.at('(') {
		p.b = p.b[1:]
		p.blanks()
		if typ = p.word(); len(typ) == 0 {
			return nil, nil, false
		}
		if p.blanks(); !p.at(')') {
			return nil, nil, false
		}
		p.b = p.b[1:]
		p.blanks()
	}
	if len(p.b) == 0 {
		return nil, nil, false
	}
	switch p.b[0] {
	case '{':
		return typ, nil, p.list('}', typ, depth+1)
	case '<':
		return typ, nil, p.list('>', typ, depth+1)
	case '[':
		switch string(typ) {
		case "int", "i", "gint", "gint64", "double", "d", "gdouble", "fraction", "GstFraction":
			return typ, nil, p.list(']', typ, depth+1)
		case "structure", "GstStructure", "taglist", "GstTagList", "GstCaps": // as written by hand
			end := bytes.LastIndexByte(p.b, ']')
			if end < 0 {
				return nil, nil, false
			}
			text, p.b = p.b[1:end], p.b[end+1:]
			return typ, text, p.n.readable(typ, text, depth+1)
		}
		return nil, nil, false
	}
	if p.b[0] == '"' {
		if text, ok = p.quoted(depth); !ok {
			return nil, nil, false
		}
	} else if text = p.word(); len(text) == 0 {
		return nil, nil, false
	}
	return typ, text, p.n.readable(typ, text, depth+1)
}

func (p *parser) list(end byte, typ []byte, depth int) bool {
	if depth >= maxDepth {
		return false
	}
	p.b = p.b[1:]
	p.blanks()
	if p.at(end) {
		p.b = p.b[1:]
		return end != ']'
	}
	for {
		if _, _, ok := p.value(typ, depth); !ok {
			return false
		}
		p.blanks()
		if p.at(end) {
			p.b = p.b[1:]
			return true
		}
		if !p.at(',') {
			return false
		}
		p.b = p.b[1:]
	}
}

// quoted reads a quoted string and undoes the quoting.
func (p *parser) quoted(depth int) ([]byte, bool) {
	buf := &p.n.bufs[min(depth, maxDepth-1)]
	out := *buf
	if depth > 0 { // the record's own texts are kept, one behind the other
		out = out[:0]
	}
	from := len(out)
	for i := 1; i < len(p.b); i++ {
		c := p.b[i]
		switch {
		case c == '"':
			p.b = p.b[i+1:]
			*buf = out
			return out[from:len(out):len(out)], true
		case c == '\\':
			if i++; i >= len(p.b) {
				return nil, false
			}
			if c = p.b[i]; gststatsIsDigit(c) {
				if c > '3' || i+2 >= len(p.b) || !gststatsIsOctal(p.b[i+1]) || !gststatsIsOctal(p.b[i+2]) {
					return nil, false
				}
				c = (c-'0')<<6 | (p.b[i+1]-'0')<<3 | (p.b[i+2] - '0')
				i += 2
			}
		}
		out = append(out, c)
	}
	return nil, false
}

func gststatsIsOctal(c byte) bool { return c >= '0' && c <= '7' }

// readable reports whether the type has a reader that takes the text.
func (n *notation) readable(typ, text []byte, depth int) bool {
	switch string(typ) {
	case "int", "i", "gint", "uint", "u", "guint", "gint64", "guint64", "glong", "gulong", "guchar":
		return isInteger(text)
	case "double", "d", "gdouble", "float", "f", "gfloat":
		return len(text) > 0 && (gststatsIsDigit(text[len(text)-1]) || text[len(text)-1] == '.') && (gststatsIsDigit(text[0]) || text[0] == '-' || text[0] == '+' || text[0] == '.')
	case "boolean", "bool", "b", "gboolean":
		switch string(bytes.ToLower(text)) {
		case "0", "1", "true", "false", "t", "f", "yes", "no":
			return true
		}
		return false
	case "string", "s", "str", "gchararray", "":
		return utf8.Valid(text)
	case "fraction", "GstFraction":
		return isFraction(text)
	case "bitmask", "GstBitmask":
		return isInteger(text)
	case "GstCaps":
		return n.caps(text, depth)
	case "structure", "GstStructure", "taglist", "GstTagList", "GstSegment":
		p := parser{n: n, b: text}
		return p.structure(depth, false)
	case "buffer", "GstBuffer", "GBytes":
		return len(text)%2 == 0 && len(cursorHex(text)) == 0
	case "datetime", "GstDateTime", "GDate", "date", "GstCapsFeatures", "flagset", "GstFlagSet", "type", "GType":
		return true
	}
	if bytes.HasSuffix(typ, []byte("FlagsSet")) {
		return true
	}
	return isCoreEnum(string(typ))
}

func cursorHex(text []byte) []byte {
	c := cursor{text, true}
	c.any(gststatsIsHex)
	return c.b
}

// caps reads structures one behind the other, or one of the words for special caps.
func (n *notation) caps(text []byte, depth int) bool {
	switch string(text) {
	case "ANY", "EMPTY", "NONE", "NULL":
		return true
	}
	p := parser{n: n, b: text}
	for {
		if !p.structure(depth, false) {
			return false
		}
		if p.blanks(); len(p.b) == 0 {
			return true
		}
	}
}

func isInteger(text []byte) bool {
	if len(text) > 0 && (text[0] == '-' || text[0] == '+') {
		text = text[1:]
	}
	if len(text) > 2 && text[0] == '0' && text[1]|0x20 == 'x' {
		return len(cursorHex(text[2:])) == 0
	}
	_, ok := gststatsParseUint(text)
	return ok
}

func isFraction(text []byte) bool {
	a, b, cut := bytes.Cut(text, []byte("/"))
	return isInteger(a) && (!cut || isInteger(b))
}

func gststatsParseUint(text []byte) (n uint64, ok bool) {
	for _, c := range text {
		d := uint64(c - '0')
		if d > 9 || n > (1<<64-1-d)/10 {
			return 0, false
		}
		n = n*10 + d
	}
	return n, len(text) > 0
}
