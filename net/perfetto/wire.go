package perfetto

import (
	"bytes"
	"encoding/binary"
	"errors"

	"google.golang.org/protobuf/encoding/protowire"

	"framescope/net/feed"
	"framescope/net/trace"
)

// varint returns a number and how many bytes it takes, less than 0 where it is cut off or too long.
func varint(b []byte) (uint64, int) {
	if len(b) > 0 && b[0] < 0x80 {
		return uint64(b[0]), 1
	}
	return protowire.ConsumeVarint(b)
}

// varintAt returns the number at a place, and where it ends, less than 0 where it is cut off or too long.
func varintAt(b []byte, i int) (v uint64, end int) {
	v, n := protowire.ConsumeVarint(b[i:])
	if n < 0 {
		return 0, n
	}
	return v, i + n
}

// field reads the field at a place in a message of protocol buffers: its number, its value, or its bytes, which are nil
// where it is a number, and where it ends, less than 0 where it is damaged. Numbers of one byte, which most are, are
// read here, since that is faster.
func field(b []byte, i int) (num uint64, v uint64, data []byte, end int) {
	key := uint64(b[i])
	if i++; key >= 0x80 {
		if key, i = varintAt(b, i-1); i < 0 {
			return 0, 0, nil, -1
		}
	}
	if num = key >> 3; num == 0 {
		return 0, 0, nil, -1
	}
	kind := protowire.Type(key & 7)
	if kind != protowire.VarintType && kind != protowire.BytesType {
		v, end = fixed(kind, b, i)
		return num, v, nil, end
	}
	if i == len(b) {
		return num, 0, nil, -1
	}
	if v = uint64(b[i]); v < 0x80 {
		i++
	} else if v, i = varintAt(b, i); i < 0 {
		return num, 0, nil, -1
	}
	if kind == protowire.VarintType {
		return num, v, nil, i
	}
	if v > uint64(len(b)-i) {
		return num, 0, nil, -1
	}
	end = i + int(v)
	return num, 0, b[i:end:end], end
}

// fixed reads the number of a fixed size at a place.
func fixed(kind protowire.Type, b []byte, i int) (v uint64, end int) {
	switch {
	case kind == protowire.Fixed64Type && len(b)-i >= 8:
		return binary.LittleEndian.Uint64(b[i:]), i + 8
	case kind == protowire.Fixed32Type && len(b)-i >= 4:
		return uint64(binary.LittleEndian.Uint32(b[i:])), i + 4
	}
	return 0, -1
}

// fields goes from field to field of a message.
type fields struct {
	rest []byte // the message
	at   int    // how much of it was read
	num  uint64
	v    uint64
	data []byte // nil where it is a number
}

// next reads a field. It returns false at the end of the message, and where it is damaged.
func (w *fields) next() bool {
	if w.at >= len(w.rest) {
		return false
	}
	w.num, w.v, w.data, w.at = field(w.rest, w.at)
	if w.at < 0 {
		w.at = len(w.rest) + 1
		return false
	}
	return true
}

// bad reports whether the message is damaged.
func (w *fields) bad() bool { return w.at > len(w.rest) }

// flat are the last values of the fields of a small message, by their numbers.
type flat struct {
	v    [21]uint64
	data [21][]byte
	has  [21]bool
}

func flatten(data []byte) (f flat) {
	for w := (fields{rest: data}); w.next(); {
		if w.num < uint64(len(f.v)) {
			f.v[w.num], f.data[w.num], f.has[w.num] = w.v, w.data, true
		}
	}
	return f
}

// joined returns the texts of a field that a message has several times, with blanks between them.
func joined(data []byte, num uint64) []byte {
	var words [][]byte
	for w := (fields{rest: data}); w.next(); {
		if w.num == num && len(words) < 64 {
			words = append(words, w.data)
		}
	}
	return bytes.Join(words, []byte(" "))
}

// numbers appends the values of a repeated number, packed or not.
func (w *fields) numbers(dst []uint64, fixed bool) []uint64 {
	if w.data == nil {
		return append(dst, w.v)
	}
	for b := w.data; len(b) > 0; {
		v, n := uint64(0), 8
		switch {
		case !fixed:
			v, n = varint(b)
		case len(b) >= 8:
			v = binary.LittleEndian.Uint64(b)
		default:
			n = -1
		}
		if n < 0 {
			break
		}
		dst, b = append(dst, v), b[n:]
	}
	return dst
}

const (
	packetKey   = 1<<3 | byte(protowire.BytesType) // of a packet in a trace
	mostPacket  = 64 << 20                         // bytes of a packet, where memory has room for it
	packetParts = 16                               // of the memory that there is: one for a packet
	chainMost   = 64 << 10                         // bytes of a packet behind damage
)

var (
	errDamage = errors.New("no packet begins here")
	errLarge  = errors.New("a packet is too large for the memory that there is")
)

// newPackets cuts a trace into packets.
func newPackets(take func(packet []byte, at int64), lost func(at int64, why error)) trace.Records {
	limit := uint64(feed.Room(mostPacket, packetParts))
	return trace.Records{
		Mark: []byte{packetKey}, Sure: isChain, Lost: lost,
		Take: func(record []byte, at int64) error {
			start, _ := contents(record)
			take(record[start:], at)
			return nil
		},
		Cut: func(b []byte, ends bool) (size int, whole bool, err error) {
			start, n := contents(b)
			end := start + int(n)
			switch {
			case start > 0 && n > limit:
				return 0, false, errLarge
			case start < 0 || start > 0 && end < len(b) && b[end] != packetKey && !isMessage(b[start:end]):
				return 0, false, errDamage // or the length is wrong
			}
			return end, start > 0 && (end < len(b) || ends), nil
		},
	}
}

// contents returns where the contents of the packet begin with which b begins, and how many bytes they have. Less than
// 0: none begins there; 0: b is too short to say.
func contents(b []byte) (start int, size uint64) {
	if len(b) == 0 {
		return 0, 0
	}
	size, n := varint(b[1:])
	switch {
	case b[0] != packetKey, n < 0 && len(b) > binary.MaxVarintLen64, size > mostPacket:
		return -1, 0
	case n < 0:
		return 0, 0
	}
	return 1 + n, size
}

func isMessage(b []byte) bool {
	w := fields{rest: b}
	for w.next() {
	}
	return !w.bad()
}

// isChain reports whether b begins with two packets, of which the second may be large, or with one that is the last.
func isChain(b []byte, ends bool) (sure, short bool) {
	for i := range 2 {
		start, size := contents(b)
		end := start + int(size)
		switch {
		case start < 0 || start > 0 && size == 0 || i == 0 && end > chainMost:
			return false, false
		case start == 0 || end > len(b) && end <= chainMost:
			return i > 0 && ends, !ends
		case end > len(b):
			return true, false
		}
		if is := lookAt(b[start:end]); !is.valid || !is.stamped {
			return false, false
		}
		if b = b[end:]; len(b) == 0 && ends {
			return true, false
		}
	}
	return true, false
}

// known reports whether packets are recognised by a field, and whether that is a message.
func known(num uint64) (message, ours bool) {
	switch num {
	case 1, 2, 6, 11, 12, 33, 35, 36, 43, 44, 45, 50, 52, 53, 59, 60, 69, 76, 89, 133:
		return true, true
	case 3, 8, 10, 13, 41, 42, 58, 79, 87, 98:
		return false, true
	}
	return false, false
}

// looks is what a message looks like: no field has another type than in packets, one is known from packets, and there
// is a time or the number of a sequence.
type looks struct{ valid, known, stamped bool }

func lookAt(packet []byte) (is looks) {
	w := fields{rest: packet}
	for w.next() {
		message, ours := known(w.num)
		if ours && message != (w.data != nil) {
			return looks{}
		}
		is.known = is.known || ours
		is.stamped = is.stamped || w.num == 8 || w.num == 10
	}
	is.valid = !w.bad()
	return is
}

// enough is the number of packets that have to be valid.
const enough = 3

// overwritten is what damage leaves in place of packets.
var overwritten = make([]byte, 16)

// begins reports whether head begins a trace: packets that follow each other, one of them with fields of packets. seen
// is the number of bytes in head if the file is longer.
func begins(head []byte, seen int) bool {
	if len(head) == 0 || head[0] != packetKey {
		return false
	}
	good, sure := 0, false
	for rest := head; len(rest) > 0 && (good < enough || !sure); {
		start, size := contents(rest)
		if start < 0 {
			return sure && (good >= enough || bytes.HasPrefix(rest, overwritten))
		}
		if start == 0 || size > uint64(len(rest)-start) {
			break
		}
		packet := rest[start : start+int(size)]
		rest = rest[start+int(size):]
		is := lookAt(packet)
		switch {
		case is.valid:
			good, sure = good+1, sure || is.known
		case !bytes.Contains(packet, overwritten):
			return false
		}
	}
	if good > 0 {
		return sure // of a short file, or one with a large packet
	}
	// The first packet is larger than head: settings, or a compressed packet.
	start, size := contents(head)
	if start <= 0 || size < uint64(seen/2) || len(head) < seen {
		return false
	}
	w := fields{rest: head[start:]}
	for w.next() {
		if message, ours := known(w.num); ours && message == (w.data != nil) {
			return true
		}
	}
	message, _ := known(w.num) // which head cuts off
	return message
}
