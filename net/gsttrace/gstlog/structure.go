package gstlog

import "errors"

// Structure is a named list of typed values in structure notation (FORMAT.md section 4).
type Structure struct {
	Name   string
	Fields []StructField
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

// Get is the value of a field by its name, or nil.
func (s *Structure) Get(name string) *StructField {
	for i := range s.Fields {
		if s.Fields[i].Name == name {
			return &s.Fields[i]
		}
	}
	return nil
}

// ParseStructure reads structure notation. maxDepth bounds brackets inside brackets; 0 is 32. Structures inside strings stay text: read them on demand, by the same function.
// An error tells the byte where reading stopped; the fields before it are returned.
func ParseStructure(text []byte, maxDepth int) (Structure, error) {
	return Structure{}, errors.New("structure: not read yet")
}
