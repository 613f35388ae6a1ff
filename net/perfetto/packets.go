// The splitter cuts the bytes of a Perfetto trace, in parts of any size, into packets. It knows how protocol
// buffer messages follow each other, and not their contents.

package perfetto

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"math/bits"

	"framescope/net/trace"
)

// PacketsMost is how many bytes a packet may have, where memory has room for it. One that is larger is left out.
const PacketsMost = 64 << 20

// The wire types of protocol buffers that may occur.
const (
	Varint  = 0
	Fixed64 = 1
	Bytes   = 2
	Fixed32 = 5
)

// Number returns a number and how many bytes it takes, 0 where it is cut off or too long.
func Number(b []byte) (v uint64, n int) { return At(b, 0) }

// At returns the number at a place, and where it ends, 0 where it is cut off or too long.
func At(b []byte, i int) (v uint64, next int) {
	if i < len(b) && b[i] < 0x80 {
		return uint64(b[i]), i + 1
	}
	return Long(b, i)
}

// Long is At of a number of several bytes: those of up to eight without a loop.
func Long(b []byte, i int) (v uint64, next int) {
	if i+1 < len(b) && b[i+1] < 0x80 {
		return uint64(b[i]&0x7f) | uint64(b[i+1])<<7, i + 2
	}
	if len(b)-i >= 8 {
		x := binary.LittleEndian.Uint64(b[i:])
		if last := ^x & 0x8080808080808080; last != 0 {
			x &= (last & -last) - 1
			x &= 0x7f7f7f7f7f7f7f7f
			x = x&0x007f007f007f007f | x&0x7f007f007f007f00>>1
			x = x&0x00003fff00003fff | x&0x3fff00003fff0000>>2
			x = x&0x000000000fffffff | x&0x0fffffff00000000>>4
			return x, i + bits.TrailingZeros64(last)>>3 + 1
		}
	}
	for n := 0; n < 10 && i+n < len(b); n++ {
		c := b[i+n]
		v |= uint64(c&0x7f) << (7 * n)
		if c < 0x80 {
			return v, i + n + 1
		}
	}
	return 0, 0
}

// PacketsKey is the key of a packet in a trace.
const PacketsKey = 1<<3 | Bytes

// Splitter splits a trace into packets. The bytes come in parts of any size.
type Splitter struct {
	Take   func(packet []byte, at int64)
	Limit  int64 // bytes of a packet; 0: Most
	buf    []byte
	need   int         // of buf until its packet is whole, as far as that is known
	at     int64       // of the first byte of buf
	skip   int64       // bytes that are still to be left out
	TooBig trace.Tally // packets that were left out
	Damage string      // why reading stopped
}

// Write takes the next bytes.
func (s *Splitter) Write(part []byte) {
	if s.Damage != "" {
		return
	}
	if s.skip > 0 {
		n := min(s.skip, int64(len(part)))
		part, s.skip, s.at = part[n:], s.skip-n, s.at+n
	}
	b := part
	if len(s.buf) > 0 {
		s.grow(len(part))
		s.buf = append(s.buf, part...)
		b = s.buf
	}
	if left := s.split(b); len(left) < len(s.buf) || len(s.buf) == 0 {
		s.buf = append(s.buf[:0], left...)
	}
}

// grow makes room for more bytes in buf: twice as much as there was, but not more than the packet needs.
func (s *Splitter) grow(more int) {
	if n := len(s.buf) + more; n > cap(s.buf) {
		s.buf = append(make([]byte, 0, max(n, min(2*cap(s.buf), s.need))), s.buf...)
	}
}

// split takes the whole packets of some bytes and returns the rest.
func (s *Splitter) split(b []byte) []byte {
	for len(b) > 0 {
		key, n := Number(b)
		if n == 0 {
			if len(b) >= 10 {
				s.Damage = fmt.Sprintf("byte %d: the key of a packet is no number", s.at)
				return nil
			}
			return b
		}
		size, k, payload := uint64(0), 0, n
		switch key & 7 {
		case Bytes:
			if size, k = Number(b[n:]); k == 0 {
				if len(b)-n >= 10 {
					s.Damage = fmt.Sprintf("byte %d: the length of a packet is no number", s.at)
					return nil
				}
				return b
			}
			payload += k
		case Varint:
			if _, k = Number(b[n:]); k == 0 && len(b)-n < 10 {
				return b
			}
			payload += k
		case Fixed64:
			size = 8
		case Fixed32:
			size = 4
		}
		if wrong := key>>3 == 0 || key&7 > Fixed32 || key&7 == 3 || key&7 == 4 || key&7 == 0 && k == 0; wrong {
			s.Damage = fmt.Sprintf("byte %d: % x… is no packet", s.at, b[:min(4, len(b))])
			return nil
		}
		if size > uint64(cmp.Or(s.Limit, PacketsMost)) {
			s.TooBig.Add(s.at)
			whole := int64(payload) + int64(min(size, 1<<62))
			s.skip = whole - min(whole, int64(len(b)))
			s.at += whole - s.skip
			b = b[whole-s.skip:]
			continue
		}
		end := payload + int(size)
		if end > len(b) {
			s.need = end
			return b
		}
		if key == PacketsKey {
			s.Take(b[payload:end], s.at)
		}
		b, s.at = b[end:], s.at+int64(end)
	}
	return nil
}

// Read is how many bytes were read.
func (s *Splitter) Read() int64 { return s.at + int64(len(s.buf)) }

// Close describes an incomplete end, "" if there is none.
func (s *Splitter) Close() (cut string) {
	if s.Damage == "" && len(s.buf)+int(min(s.skip, 1)) > 0 {
		return fmt.Sprintf("the file ends inside the packet at byte %d", s.at)
	}
	return ""
}
