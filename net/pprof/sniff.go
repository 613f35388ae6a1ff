package pprof

import (
	"errors"
	"io"
	"slices"

	"google.golang.org/protobuf/encoding/protowire"
)

// numberFields are the fields of a profile that are numbers; the others up to lastField are messages and texts, and
// commentField is either.
var numberFields = []protowire.Number{7, 8, 9, 10, 12, 14, 15}

const (
	commentField = 13
	lastField    = 15
)

// look looks at the fields of what may be a profile: its begin is like one where fields that a profile has are in its
// shapes, what the numbers are is said by two numbers each, and there is more than that. The last field may be cut:
// more bytes may make a profile of what is none yet.
func look(head []byte) (like, cut bool) {
	types, others := 0, 0
	for len(head) > 0 {
		num, wire, k := protowire.ConsumeTag(head)
		if k < 0 {
			break
		}
		size := protowire.ConsumeFieldValue(num, wire, head[k:])
		known := num <= lastField
		switch {
		case known && !isShaped(num, wire):
			return types > 0 && others >= sureFields, false // damage, where so much before is as it should be
		case size < 0:
			cut = known && errors.Is(protowire.ParseError(size), io.ErrUnexpectedEOF)
			return types > 0 && others > 0, cut
		case num == typeField && !isValueType(head[k:]):
			return false, false
		case num == typeField:
			types++
		case known:
			others++
		}
		head = head[k+size:]
	}
	return types > 0 && others > 0, false
}

// isShaped reports whether a field is one of a profile, in its shape.
func isShaped(num protowire.Number, wire protowire.Type) bool {
	shape := protowire.Type(protowire.BytesType)
	if slices.Contains(numberFields, num) {
		shape = protowire.VarintType
	}
	return num <= lastField && (wire == shape || num == commentField)
}

// isValueType reports whether a field describes a value: indexes of two texts.
func isValueType(field []byte) bool {
	v, _ := protowire.ConsumeBytes(field)
	fields := 0
	for ; len(v) > 0; fields++ {
		num, wire, n := protowire.ConsumeField(v)
		if n < 0 || num > 2 || wire != protowire.VarintType {
			return false
		}
		v = v[n:]
	}
	return fields <= 2
}
