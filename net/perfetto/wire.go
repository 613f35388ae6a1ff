package perfetto

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"io"

	"google.golang.org/protobuf/encoding/protowire"

	"framescope/net/feed"
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
	packetKey    = 1<<3 | uint64(protowire.BytesType) // of a packet in a trace
	mostPacket   = 64 << 20                           // bytes of a packet, where memory has room for it
	packetParts  = 16                                 // of the memory that there is: one for a packet
	packetBuffer = 128 << 10
)

var (
	errCut    = errors.New("it ends within a packet")
	errDamage = errors.New("no packet begins here")
)

// packets reads the packets of a trace.
type packets struct {
	take  func(packet []byte, at int64) // nil is one that is too large
	gap   func(at int64)                // called for bytes that are no packet; nil: reading ends there
	at    int64                         // of the packet
	in    *bufio.Reader
	limit uint64       // bytes of a packet
	large bytes.Buffer // a packet that the buffer of in has no room for
}

// read reads packets up to the end. Its error is errCut, errDamage, or that of reading.
func (p *packets) read(from io.Reader) error {
	if p.in == nil {
		p.in = bufio.NewReaderSize(from, packetBuffer)
	}
	p.in.Reset(from)
	p.limit = uint64(feed.Room(mostPacket, packetParts))
	for {
		err := p.next()
		damaged := errors.Is(err, errCut) || errors.Is(err, errDamage)
		if err != nil && !(damaged && p.gap != nil && p.skip()) {
			return notEOF(err, nil)
		}
	}
}

// next takes the packets that are whole in the buffer, or else one that is not. Its error is io.EOF at the end.
func (p *packets) next() error {
	if err := p.buffered(); err != nil {
		return err
	}
	head, err := p.in.Peek(2 * binary.MaxVarintLen64)
	if len(head) == 0 {
		return err
	}
	key, start, size := lengthOf(head)
	switch {
	case start < 0 && err != nil:
		return notEOF(err, errCut)
	case start < 0 || key != packetKey || size > mostPacket:
		return errDamage
	}
	if size < uint64(p.in.Size()-start) && size <= p.limit {
		end := start + int(size)
		b, err := p.in.Peek(end + 1)
		switch {
		case len(b) > end: // it is whole in the buffer now
			return nil
		case len(b) < end:
			return notEOF(err, errCut)
		}
		p.take(b[start:], p.at)
		p.in.Discard(end)
	} else {
		p.in.Discard(start)
		if err := p.one(size); err != nil {
			return notEOF(err, errCut)
		}
	}
	p.at += int64(start) + int64(size)
	return nil
}

// buffered takes the packets that are whole in the buffer, and of which it shows what follows: where neither that is a
// packet nor the contents are a message, the length is wrong.
func (p *packets) buffered() (err error) {
	b, _ := p.in.Peek(p.in.Buffered())
	done := 0
	for {
		key, start, size := lengthOf(b[done:])
		if start < 0 || key != packetKey || size >= uint64(len(b)-done-start) || size > p.limit {
			break
		}
		from := done + start
		end := from + int(size)
		if uint64(b[end]) != packetKey && !isMessage(b[from:end]) {
			err = errDamage
			break
		}
		p.take(b[from:end], p.at)
		done = end
		p.at += int64(start) + int64(size)
	}
	p.in.Discard(done)
	return err
}

func isMessage(b []byte) bool {
	w := fields{rest: b}
	for w.next() {
	}
	return !w.bad()
}

// skip goes on to the next packets behind bytes that are none. It returns false where there are none.
func (p *packets) skip() bool {
	at, from := p.at, 1
	for {
		b, err := p.in.Peek(p.in.Size())
		until := len(b)
		if err == nil {
			until /= 2 // chains begin there whose ends can be seen
		}
		for i := from; i < until; i++ {
			if uint64(b[i]) == packetKey && isChain(b[i:], err != nil) {
				p.in.Discard(i)
				p.gap(p.at)
				p.at = at + int64(i)
				return true
			}
		}
		if err != nil {
			return false
		}
		p.in.Discard(until)
		at, from = at+int64(until), 0
	}
}

// isChain reports whether two packets follow each other, or one is the last of the file.
func isChain(b []byte, ends bool) bool {
	for i := range 2 {
		key, start, size := lengthOf(b)
		if start < 0 || key != packetKey || size == 0 || size > mostPacket {
			return false
		}
		if size > uint64(len(b)-start) {
			return i > 0
		}
		if is := lookAt(b[start : start+int(size)]); !is.valid || !is.stamped {
			return false
		}
		if b = b[start+int(size):]; len(b) == 0 {
			return ends
		}
	}
	return true
}

// one takes a packet of any size, from the begin of its contents. One that is cut off can be read again.
func (p *packets) one(size uint64) (err error) {
	var data []byte
	if size > p.limit {
		_, err = io.CopyN(io.Discard, p.in, int64(size))
	} else {
		p.large.Reset() // how many bytes there are to be changes nothing before they come
		_, err = io.CopyN(&p.large, p.in, int64(size))
		if data = p.large.Bytes(); errors.Is(err, io.EOF) {
			p.in.Reset(bytes.NewReader(append([]byte{0}, data...))) // a byte for what stood before them
		}
	}
	if size > p.limit || err == nil {
		p.take(data, p.at)
	}
	return err
}

// notEOF returns an error, another one in place of the end of the file.
func notEOF(err, end error) error {
	if errors.Is(err, io.EOF) {
		return end
	}
	return err
}

// lengthOf reads the begin of a field: its key, where its contents begin, which is less than 0 where that is no field,
// and how many bytes they have.
func lengthOf(head []byte) (key uint64, start int, size uint64) {
	key, start = varint(head)
	if start < 0 || key>>3 == 0 {
		return key, -1, 0
	}
	n := 0
	switch protowire.Type(key & 7) {
	case protowire.BytesType:
		size, n = varint(head[start:])
	case protowire.VarintType:
		_, n = varint(head[start:])
	case protowire.Fixed64Type:
		size = 8
	case protowire.Fixed32Type:
		size = 4
	default:
		n = -1
	}
	if n < 0 {
		return key, -1, 0
	}
	return key, start + n, size
}

// known are the fields by which packets are recognised: whether they are messages.
var known = map[uint64]bool{
	1: true, 2: true, 3: false, 6: true, 8: false, 10: false, 11: true, 12: true, 13: false, 33: true, 35: true, 36: true,
	41: false, 42: false, 43: true, 44: true, 45: true, 50: true, 52: true, 53: true, 58: false, 59: true, 60: true, 69: true, 76: true,
	79: false, 87: false, 89: true, 98: false, 133: true,
}

// looks is what a message looks like: no field has another type than in packets, one is known from packets, and there
// is a time or the number of a sequence.
type looks struct{ valid, known, stamped bool }

func lookAt(packet []byte) (is looks) {
	w := fields{rest: packet}
	for w.next() {
		message, ours := known[w.num]
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

// begins reports whether head begins a trace: packets that follow each other, one of them with fields of packets. seen
// is the number of bytes in head if the file is longer.
func begins(head []byte, seen int) bool {
	if len(head) == 0 || uint64(head[0]) != packetKey {
		return false
	}
	good, sure, bad := 0, false, false
	var p packets
	p.take = func(packet []byte, _ int64) {
		if (good < enough || !sure) && !bad && len(packet) > 0 {
			is := lookAt(packet)
			bad, sure = !is.valid, sure || is.known
			good++
			p.gap = func(int64) {} // what is damaged behind a packet changes nothing
		}
	}
	err := p.read(bytes.NewReader(head))
	switch {
	case bad, good >= enough:
		return sure && !bad
	case good > 0:
		return sure && !errors.Is(err, errDamage) // a short file, or one with a large packet
	}
	// The first packet is larger than head: settings, or a compressed packet.
	_, start, size := lengthOf(head)
	if start < 0 || size < uint64(seen/2) || size > mostPacket || len(head) < seen {
		return false
	}
	w := fields{rest: head[start:]}
	for w.next() {
		if message, ours := known[w.num]; ours && message == (w.data != nil) {
			return true
		}
	}
	return known[w.num] // a message that head cuts off
}
