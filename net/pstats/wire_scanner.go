package pstats

import "fmt"

// DefaultMaxMessage is the default length above which a TCP message counts as garbage: 256 MiB
// (section 1.1).
const DefaultMaxMessage = 256 << 20

// Sizes of a Scanner's buffer in bytes: what it starts with, what it grows to for a busy stream
// even when messages are small, and how much space it offers at least for reading.
const (
	minBuffer  = 32 << 10
	busyBuffer = 512 << 10
	minSpace   = 8 << 10
)

// shrinkAfter is how many calls of Advance with a nearly empty buffer make a Scanner give back
// memory that a large message needed.
const shrinkAfter = 4096

// A Scanner cuts the stream of a TCP connection into the payloads of messages, in any chunking. Its
// zero value is ready.
//
// The connection is read straight into the scanner's buffer and payloads are slices of it, so nothing
// is copied but the beginning of an incomplete message. The buffer grows with the bytes that arrived,
// never by the length that a message announces.
//
//	for {
//		n, err := conn.Read(s.Space())
//		s.Advance(n)
//		for { payload, ok, err := s.Next(); … }
//	}
type Scanner struct {
	// MaxMessage is the longest payload that is accepted, in bytes. 0 means DefaultMaxMessage.
	MaxMessage int

	// Skipped hears of messages that are longer than MaxMessage, though no longer than
	// DefaultMaxMessage: their payload is left out, and the stream goes on behind it. Typ is their
	// type. If it is nil, Next returns an error instead.
	Skipped func(length int64, typ byte)

	buf      []byte
	skip     int64 // bytes of a message that is left out and that have not come
	from, to int   // received bytes that were not yet returned are buf[from:to]
	framing  framing
	quiet    int  // calls of Advance since much of the buffer was last in use
	busy     bool // the last read filled the space that there was
	err      error
}

// framing is how messages are prefixed by their length.
type framing uint8

const (
	framingUnknown framing = iota
	framingLong            // 32-bit length
	framingShort           // 16-bit length, before version 3.0
)

// Space returns free room of at least 8 KiB at the end of the buffer, into which to read. It
// invalidates payloads that Next returned.
func (s *Scanner) Space() []byte {
	if s.from == s.to {
		s.from, s.to = 0, 0
	}
	switch {
	case s.quiet >= shrinkAfter && len(s.buf) > minBuffer && s.to-s.from <= minBuffer/2:
		s.resize(minBuffer)
	case s.busy && len(s.buf) < busyBuffer:
		s.resize(2 * len(s.buf))
	}
	s.busy = false
	if len(s.buf)-s.to < minSpace {
		switch {
		case s.buf == nil:
			s.buf = make([]byte, minBuffer)
		case s.to-s.from <= len(s.buf)/2:
			copy(s.buf, s.buf[s.from:s.to])
			s.from, s.to = 0, s.to-s.from
		default:
			s.resize(2 * len(s.buf))
		}
	}
	return s.buf[s.to:]
}

// resize moves the received bytes to a new buffer.
func (s *Scanner) resize(size int) {
	buf := make([]byte, size)
	n := copy(buf, s.buf[s.from:s.to])
	s.buf, s.from, s.to, s.quiet = buf, 0, n, 0
}

// Advance says that n bytes were read into Space.
func (s *Scanner) Advance(n int) {
	s.to += n
	s.busy = s.to == len(s.buf)
	if s.to-s.from > len(s.buf)/4 {
		s.quiet = 0
	} else {
		s.quiet++
	}
}

// Write copies p into the scanner. It never fails.
func (s *Scanner) Write(p []byte) (int, error) {
	for rest := p; len(rest) > 0; {
		n := copy(s.Space(), rest)
		s.Advance(n)
		rest = rest[n:]
	}
	return len(p), nil
}

// Next returns the payload of the next message, which may be empty. It is valid until the next call of
// Space or Write. ok is false when the message is incomplete. An error (a length too great to accept
// or skip) sticks, since the stream is out of step from there on.
func (s *Scanner) Next() (payload []byte, ok bool, err error) {
	if s.err != nil {
		return nil, false, s.err
	}
	if !s.skipOn() {
		return nil, false, nil
	}
	length, header, known := s.header()
	for limit := uint64(s.limit()); known && length > limit && length <= DefaultMaxMessage && s.Skipped != nil; {
		if s.to-s.from <= header || !s.Drop() || !s.skipOn() {
			return nil, false, nil
		}
		length, header, known = s.header()
	}
	if !known {
		return nil, false, nil
	}
	if limit := s.limit(); length > uint64(limit) {
		s.err = fmt.Errorf("pstats: TCP message of %d bytes announced, %d allowed", length, limit)
		return nil, false, s.err
	}
	if uint64(s.to-s.from-header) < length {
		return nil, false, nil
	}
	at := s.from + header
	s.from = at + int(length)
	return s.buf[at:s.from:s.from], true, nil
}

// Drop skips the next, incomplete message as if it were too long. It returns false if its header is
// not there yet.
func (s *Scanner) Drop() bool {
	length, typ, ok := s.Peek()
	if !ok || s.Skipped == nil {
		return false
	}
	_, header, _ := s.header()
	s.from += header
	s.skip = length
	if s.skipOn(); s.from == s.to { // what it took is worth giving back
		s.buf, s.from, s.to, s.busy = nil, 0, 0, false
	}
	s.Skipped(length, typ)
	return true
}

// Partial reports whether the next message is incomplete, though its beginning is there.
func (s *Scanner) Partial() bool {
	length, header, known := s.header()
	return s.skip == 0 && known && uint64(s.to-s.from-header) < length
}

// skipOn skips the received bytes of a message that is left out, and reports whether that is all of
// it.
func (s *Scanner) skipOn() bool {
	n := min(s.skip, int64(s.to-s.from))
	s.from += int(n)
	s.skip -= n
	return s.skip == 0
}

// Peek returns the length and the type byte of the next message before it is complete. ok is false
// while these bytes are missing, or when the message is empty.
func (s *Scanner) Peek() (length int64, typ byte, ok bool) {
	if s.skip > 0 {
		return 0, 0, false
	}
	n, header, known := s.header()
	if !known || n == 0 || s.to-s.from <= header {
		return 0, 0, false
	}
	return int64(n), s.buf[s.from+header], true
}

// header reads the length before the next message.
func (s *Scanner) header() (length uint64, size int, ok bool) {
	b := s.buf[s.from:s.to]
	if s.framing == framingUnknown {
		// The first message is a hello. "LL LL 01": 16-bit length, then type 1. "LL LL 00 00 01": 32-bit
		// length (section 4.4). A hello of 64 KiB or more begins with "LL LL 01 00 01": with a 16-bit
		// length that would be a host with a name of 256 bytes, and there is none.
		// A hello has 5 bytes at least.
		if len(b) < 3 || b[2] == TypeHello && len(b) < 5 {
			return 0, 0, false
		}
		if b[2] == TypeHello && le.Uint16(b) >= 5 && !(b[3] == 0 && b[4] == TypeHello) {
			s.framing = framingShort
		} else {
			s.framing = framingLong
		}
	}
	if s.framing == framingShort {
		if len(b) < 2 {
			return 0, 0, false
		}
		return uint64(le.Uint16(b)), 2, true
	}
	if len(b) < 4 {
		return 0, 0, false
	}
	return uint64(le.Uint32(b)), 4, true
}

func (s *Scanner) limit() int {
	if s.MaxMessage > 0 {
		return s.MaxMessage
	}
	return DefaultMaxMessage
}

// Short reports whether the stream was recognised as one of a client before version 3.0, with 16-bit
// lengths.
func (s *Scanner) Short() bool { return s.framing == framingShort }

// Size returns the size of the buffer in bytes, to bound the memory of many connections.
func (s *Scanner) Size() int { return len(s.buf) }

// Pending is how many bytes have arrived of messages that are not yet complete or not yet returned
// by Next.
func (s *Scanner) Pending() int { return s.to - s.from }
