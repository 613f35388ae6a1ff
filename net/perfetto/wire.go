package perfetto

import (
	"encoding/binary"
	"math"

	"framescope/net/perfetto/packets"
)

// wire goes from field to field of a message.
type wire struct {
	b    []byte // what is left
	num  uint32 // of the field
	kind uint8  // its wire type
	v    uint64 // its value, where it is a number
	data []byte // where it is bytes; shares memory with the message
	bad  bool   // the message can't be read any further
}

// next reads a field. It returns false at the end of the message, and where it is damaged.
func (w *wire) next() bool {
	b := w.b
	if len(b) == 0 {
		return false
	}
	key, n := uint64(b[0]), 1
	if key >= 0x80 {
		if key, n = packets.Number(b); n == 0 {
			w.bad = true
			return false
		}
	}
	b = b[n:]
	w.kind, w.num = uint8(key&7), uint32(min(key>>3, math.MaxUint32))
	switch w.kind {
	case packets.Varint:
		if len(b) > 0 && b[0] < 0x80 {
			w.v, w.b = uint64(b[0]), b[1:]
			break
		}
		if w.v, n = packets.Number(b); n == 0 {
			w.bad = true
			return false
		}
		w.b = b[n:]
	case packets.Bytes:
		var size uint64
		if len(b) > 0 && b[0] < 0x80 {
			size, n = uint64(b[0]), 1
		} else if size, n = packets.Number(b); n == 0 {
			w.bad = true
			return false
		}
		if size > uint64(len(b)-n) {
			w.bad = true
			return false
		}
		w.data, w.b = b[n:n+int(size)], b[n+int(size):]
	case packets.Fixed64:
		if len(b) < 8 {
			w.bad = true
			return false
		}
		w.v, w.b = binary.LittleEndian.Uint64(b), b[8:]
	case packets.Fixed32:
		if len(b) < 4 {
			w.bad = true
			return false
		}
		w.v, w.b = uint64(binary.LittleEndian.Uint32(b)), b[4:]
	default:
		w.bad = true
		return false
	}
	w.bad = w.num == 0
	return !w.bad
}

// numbers appends the values of a repeated number, packed or not, whatever its wire type.
func (w *wire) numbers(dst []uint64, fixed bool) []uint64 {
	if w.kind != packets.Bytes {
		return append(dst, w.v)
	}
	for b := w.data; len(b) > 0; {
		if fixed {
			if len(b) < 8 {
				w.bad = true
				break
			}
			dst, b = append(dst, binary.LittleEndian.Uint64(b)), b[8:]
			continue
		}
		v, n := packets.Number(b)
		if n == 0 {
			w.bad = true
			break
		}
		dst, b = append(dst, v), b[n:]
	}
	return dst
}
