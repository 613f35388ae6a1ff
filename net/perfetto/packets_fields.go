package perfetto

import (
	"encoding/binary"
	"math"
)

// Fields goes from field to field of a message.
type Fields struct {
	Rest []byte // unread bytes
	Num  uint32 // of the field
	Kind uint8  // its wire type
	V    uint64 // its value, where it is a number
	Data []byte // where it is bytes; shares memory with the message
	Bad  bool   // the rest of the message is unreadable
}

// Next reads a field. It returns false at the end of the message, and where it is damaged.
func (w *Fields) Next() bool {
	b := w.Rest
	if len(b) == 0 {
		return false
	}
	key, n := uint64(b[0]), 1
	if key >= 0x80 {
		if key, n = Number(b); n == 0 {
			w.Bad = true
			return false
		}
	}
	b = b[n:]
	w.Kind, w.Num = uint8(key&7), uint32(min(key>>3, math.MaxUint32))
	switch w.Kind {
	case Varint:
		if len(b) > 0 && b[0] < 0x80 {
			w.V, w.Rest = uint64(b[0]), b[1:]
			break
		}
		if w.V, n = Number(b); n == 0 {
			w.Bad = true
			return false
		}
		w.Rest = b[n:]
	case Bytes:
		var size uint64
		if len(b) > 0 && b[0] < 0x80 {
			size, n = uint64(b[0]), 1
		} else if size, n = Number(b); n == 0 {
			w.Bad = true
			return false
		}
		if size > uint64(len(b)-n) {
			w.Bad = true
			return false
		}
		w.Data, w.Rest = b[n:n+int(size)], b[n+int(size):]
	case Fixed64:
		if len(b) < 8 {
			w.Bad = true
			return false
		}
		w.V, w.Rest = binary.LittleEndian.Uint64(b), b[8:]
	case Fixed32:
		if len(b) < 4 {
			w.Bad = true
			return false
		}
		w.V, w.Rest = uint64(binary.LittleEndian.Uint32(b)), b[4:]
	default:
		w.Bad = true
		return false
	}
	w.Bad = w.Num == 0
	return !w.Bad
}

// Numbers appends the values of a repeated number, packed or not, whatever its wire type.
func (w *Fields) Numbers(dst []uint64, fixed bool) []uint64 {
	if w.Kind != Bytes {
		return append(dst, w.V)
	}
	for b := w.Data; len(b) > 0; {
		if fixed {
			if len(b) < 8 {
				w.Bad = true
				break
			}
			dst, b = append(dst, binary.LittleEndian.Uint64(b)), b[8:]
			continue
		}
		v, n := Number(b)
		if n == 0 {
			w.Bad = true
			break
		}
		dst, b = append(dst, v), b[n:]
	}
	return dst
}
