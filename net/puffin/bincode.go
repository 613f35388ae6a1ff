package puffin

import "encoding/binary"

// reader reads what bincode wrote with integers of variable length. After the first mistake
// everything is 0.
type reader struct {
	b   []byte
	bad bool
}

func (r *reader) take(n uint64) []byte {
	if r.bad || n > uint64(len(r.b)) {
		r.bad = true
		return nil
	}
	out := r.b[:n]
	r.b = r.b[n:]
	return out
}

func (r *reader) byte() byte {
	if b := r.take(1); b != nil {
		return b[0]
	}
	return 0
}

// uint reads a number; one of 128 bits is a mistake, nothing is that large.
func (r *reader) uint() uint64 {
	switch b := r.byte(); b {
	default:
		return uint64(b)
	case 251:
		if b := r.take(2); b != nil {
			return uint64(binary.LittleEndian.Uint16(b))
		}
	case 252:
		if b := r.take(4); b != nil {
			return uint64(binary.LittleEndian.Uint32(b))
		}
	case 253:
		if b := r.take(8); b != nil {
			return binary.LittleEndian.Uint64(b)
		}
	case 254, 255:
		r.bad = true
	}
	return 0
}

func (r *reader) int() int64 {
	u := r.uint()
	return int64(u>>1) ^ -int64(u&1)
}

// some reports whether an optional value follows.
func (r *reader) some() bool {
	b := r.byte()
	r.bad = r.bad || b > 1
	return b == 1 && !r.bad
}

// bytes reads a text or bytes.
func (r *reader) bytes() []byte { return r.take(r.uint()) }
