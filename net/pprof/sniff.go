package pprof

import (
	"errors"
	"io"

	"google.golang.org/protobuf/encoding/protowire"
)

// topFields are the wire types of the fields of a profile (profile.proto, message Profile).
var topFields = [...]protowire.Type{
	1: protowire.BytesType, 2: protowire.BytesType, 3: protowire.BytesType, 4: protowire.BytesType, 5: protowire.BytesType,
	6: protowire.BytesType, 7: protowire.VarintType, 8: protowire.VarintType, 9: protowire.VarintType, 10: protowire.VarintType,
	11: protowire.BytesType, 12: protowire.VarintType, 13: protowire.BytesType, 14: protowire.VarintType, 15: protowire.VarintType,
}

// look is the result of a check of a profile's beginning.
type look struct {
	types, others int  // fields that describe the values, and further ones
	wrong         bool // a field is in a shape that profiles do not have
	cut           bool // the last field goes on behind the head
}

// lookAt looks at the fields of what may be a profile.
func lookAt(head []byte) (l look) {
	for len(head) > 0 {
		num, wire, k := protowire.ConsumeTag(head)
		if k < 0 {
			break
		}
		known := int(num) < len(topFields)
		if packed := num == 13; known && wire != topFields[num] && !(packed && wire == protowire.VarintType) {
			return look{wrong: true}
		}
		size := protowire.ConsumeFieldValue(num, wire, head[k:])
		if size < 0 {
			l.cut = known && errors.Is(protowire.ParseError(size), io.ErrUnexpectedEOF)
			break
		}
		switch {
		case num == 1:
			v, _ := protowire.ConsumeBytes(head[k:])
			if !isValueType(v) {
				return look{wrong: true}
			}
			l.types++
		case known:
			l.others++
		}
		head = head[k+size:]
	}
	return l
}

// looksLike reports whether bytes begin like a profile: fields that a profile has are in its shapes, what
// the numbers are is said by two numbers each, and there is more than that. The last field may be cut.
func looksLike(head []byte) bool {
	l := lookAt(head)
	return l.types > 0 && l.others > 0
}

// mayBecome reports whether more bytes may make a profile of some that do not look like one yet.
func mayBecome(head []byte) bool {
	l := lookAt(head)
	return l.cut && !l.wrong
}

// isValueType reports whether a field describes a value: indexes of two texts.
func isValueType(v []byte) bool {
	fields := 0
	for len(v) > 0 {
		num, wire, n := protowire.ConsumeTag(v)
		if n < 0 || num > 2 || wire != protowire.VarintType {
			return false
		}
		m := protowire.ConsumeFieldValue(num, wire, v[n:])
		if m < 0 {
			return false
		}
		v = v[n+m:]
		fields++
	}
	return fields <= 2
}
