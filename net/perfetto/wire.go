package perfetto

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"math"

	"google.golang.org/protobuf/encoding/protowire"

	"framescope/net/feed"
)

// fields goes from field to field of a message of protocol buffers.
type fields struct {
	rest []byte // unread bytes
	num  uint32
	kind protowire.Type
	v    uint64 // a number; 0 where it is bytes
	data []byte // bytes, which share memory with the message; nil where it is a number
	bad  bool   // the rest of the message is unreadable
}

// varint returns a number and how many bytes it takes, less than 0 where it is cut off or too long.
func varint(b []byte) (uint64, int) {
	if len(b) > 0 && b[0] < 0x80 {
		return uint64(b[0]), 1
	}
	return protowire.ConsumeVarint(b)
}

// next reads a field. It returns false at the end of the message, and where it is damaged.
func (w *fields) next() bool {
	if len(w.rest) == 0 {
		return false
	}
	key, n := uint64(w.rest[0]), 1
	if key >= 0x80 {
		key, n = protowire.ConsumeVarint(w.rest)
	}
	w.bad = n < 0 || key < 8
	if w.bad {
		return false
	}
	w.kind, w.num, w.v, w.data = protowire.Type(key&7), uint32(min(key>>3, math.MaxUint32)), 0, nil
	b := w.rest[n:]
	switch w.kind {
	case protowire.VarintType:
		if len(b) > 0 && b[0] < 0x80 {
			w.v, n = uint64(b[0]), 1
		} else {
			w.v, n = protowire.ConsumeVarint(b)
		}
	case protowire.BytesType:
		w.data, n = bytesOf(b)
	case protowire.Fixed64Type:
		w.v, n = protowire.ConsumeFixed64(b)
	case protowire.Fixed32Type:
		var v uint32
		v, n = protowire.ConsumeFixed32(b)
		w.v = uint64(v)
	default:
		n = -1
	}
	if w.bad = n < 0; w.bad {
		return false
	}
	w.rest = b[n:]
	return true
}

// bytesOf returns the bytes whose length stands at the begin of b, and where they end, less than 0 where they are cut
// off.
func bytesOf(b []byte) ([]byte, int) {
	size, n := varint(b)
	if n < 0 || size > uint64(len(b)-n) {
		return nil, -1
	}
	end := n + int(size)
	return b[n:end:end], end
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
	errDamage = errors.New("what follows is no packet")
)

// packets reads the packets of a trace.
type packets struct {
	take  func(packet []byte, at int64) // nil is one that is too large
	at    int64                         // of the packet
	in    *bufio.Reader
	large bytes.Buffer // a packet that the buffer of in has no room for
}

// read reads packets up to the end. Its error is errCut, errDamage, or that of reading.
func (p *packets) read(from io.Reader) error {
	if p.in == nil {
		p.in = bufio.NewReaderSize(from, packetBuffer)
	}
	p.in.Reset(from)
	limit := uint64(feed.Room(mostPacket, packetParts))
	for {
		head, err := p.in.Peek(2 * binary.MaxVarintLen64)
		if len(head) == 0 {
			return notEOF(err, nil)
		}
		key, start, size := lengthOf(head)
		switch {
		case start < 0 && err != nil:
			return notEOF(err, errCut)
		case start < 0:
			return errDamage
		}
		var data []byte
		p.in.Discard(start)
		tooLarge := size > limit
		if tooLarge {
			_, err = io.CopyN(io.Discard, p.in, int64(min(size, math.MaxInt64)))
		} else {
			data, err = p.bytes(int(size))
		}
		if key == packetKey && (tooLarge || err == nil) {
			p.take(data, p.at)
		}
		if err != nil {
			return notEOF(err, errCut)
		}
		p.at += int64(start) + int64(size)
	}
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

// bytes reads so many bytes, which are valid until the next ones are read. How many there are to be changes nothing
// before they come.
func (p *packets) bytes(n int) (data []byte, err error) {
	if n <= p.in.Size() {
		data, err = p.in.Peek(n)
		p.in.Discard(len(data))
		return data, err
	}
	p.large.Reset()
	_, err = io.CopyN(&p.large, p.in, int64(n))
	return p.large.Bytes(), err
}

// known are the fields by which packets are recognised, with their wire types.
var known = map[uint32]protowire.Type{
	2: 2, 3: 0, 6: 2, 8: 0, 10: 0, 11: 2, 12: 2, 13: 0, 33: 2, 35: 2, 36: 2, 41: 0, 42: 0, 43: 2, 44: 2, 45: 2, 50: 2,
	58: 0, 59: 2, 60: 2, 69: 2, 76: 2, 79: 0, 87: 0, 89: 2, 98: 0, 133: 2,
}

// isPacket reports whether a message has fields that packets have, and none of theirs of another type.
func isPacket(packet []byte) (is bool) {
	w := fields{rest: packet}
	for w.next() {
		if kind, ours := known[w.num]; ours && kind != w.kind {
			return false
		} else if ours {
			is = true
		}
	}
	return is && !w.bad
}

// enough is the number of packets that have to be valid.
const enough = 3

// begins reports whether head begins a trace: packets that follow each other, with fields of packets. seen is the
// number of bytes in head if the file is longer.
func begins(head []byte, seen int) bool {
	if len(head) == 0 || uint64(head[0]) != packetKey {
		return false
	}
	good, bad := 0, false
	p := packets{take: func(packet []byte, _ int64) {
		if good < enough && !bad && len(packet) > 0 {
			bad = !isPacket(packet)
			good++
		}
	}}
	err := p.read(bytes.NewReader(head))
	switch {
	case bad, good >= enough:
		return !bad
	case good > 0:
		return !errors.Is(err, errDamage) // a short file, or one with a large packet
	}
	// The first packet is larger than head: settings, or a compressed packet.
	_, start, size := lengthOf(head)
	if start < 0 || size < uint64(seen/2) || size > mostPacket || len(head) < seen {
		return false
	}
	w := fields{rest: head[start:]}
	for more := true; more; {
		more = w.next()
		if kind, ours := known[w.num]; ours && kind == w.kind {
			return true
		}
	}
	return false
}
