package gsttrace

// maxNesting is how deep brackets may stand in brackets.
const maxNesting = 32

// Structure is a named list of typed values in structure notation (FORMAT.md section 4).
type Structure struct {
	Name     string
	Features string // of caps: the text in parentheses behind the name, "memory:GLMemory"
	Fields   []StructField
}

// StructField is one field of a structure.
type StructField struct {
	Name  string
	Type  string // as written, "" when none was
	Value StructValue
}

// StructKind is the form in which a value was written.
type StructKind uint8

// The forms of values.
const (
	StructText  StructKind = iota // Text, unquoted
	StructNull                    // an unquoted NULL
	StructList                    // Items: alternatives, in braces
	StructArray                   // Items: a sequence, in angle brackets
	StructRange                   // Items: lower and upper end, perhaps a step; in brackets
)

// StructValue is a value in structure notation.
type StructValue struct {
	Kind  StructKind
	Type  string // of an item of a list that has its own type
	Text  string // unquoted once; where it is itself a structure or caps, ParseStructure reads it
	Items []StructValue
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

// ParseStructure reads structure notation, also when the whole of it is quoted as a string once more, as records
// have it. maxDepth is the limit of nested brackets; 0 and more than 32 are 32. Structures inside strings stay
// text: read them on demand, by this function. Behind the closing semicolon only blanks may follow. An error names
// the byte of the (unquoted) text where reading stopped; the fields before it are returned.
func ParseStructure(text []byte, maxDepth int) (Structure, error) {
	if len(text) > 0 && text[0] == '"' {
		sc := scanner{text: text}
		tok, err := sc.quoted()
		if err == nil && sc.pos == len(text) {
			text = unquote(nil, tok)
		}
	}
	s, rest, err := parseStructure(text, maxDepth)
	if err == nil && rest < len(text) {
		err = &SyntaxError{rest, "more text behind the end"}
	}
	return s, err
}

func parseStructure(text []byte, maxDepth int) (s Structure, size int, err error) {
	if maxDepth <= 0 || maxDepth > maxNesting {
		maxDepth = maxNesting
	}
	sc := scanner{text: text, depth: maxDepth}
	name, err := sc.begin()
	if err != nil {
		return s, 0, err
	}
	if s.Name = string(unquote(nil, name)); s.Name == "" {
		return s, 0, &SyntaxError{0, "enter a file name"}
	}
	if sc.peek() == '(' {
		features, err := sc.features()
		if err != nil {
			return s, sc.pos, err
		}
		s.Features = string(features)
	}
	for {
		f, ok, err := sc.field()
		if err != nil || !ok {
			return s, sc.pos, err
		}
		sf := StructField{Name: string(unquote(nil, f.key)), Type: string(f.typ)}
		if sf.Value, err = f.value.tree(maxDepth); err != nil {
			return s, sc.pos, err
		}
		s.Fields = append(s.Fields, sf)
	}
}

// tree is a scanned value with all its items.
func (v rawValue) tree(depth int) (StructValue, error) {
	out := StructValue{Kind: v.kind}
	switch v.kind {
	case StructText:
		out.Text = string(unquote(nil, v.text))
		return out, nil
	case StructNull:
		return out, nil
	}
	sc := scanner{text: v.text, depth: depth - 1}
	for {
		typ, item, ok, err := sc.item()
		if err != nil || !ok {
			return out, err
		}
		sub, err := item.tree(depth - 1)
		if err != nil {
			return out, err
		}
		sub.Type = string(typ)
		out.Items = append(out.Items, sub)
	}
}
