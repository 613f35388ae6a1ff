package puffin

import (
	"bytes"
	"errors"

	"framescope/net/trace"
)

// cutter cuts bytes into records.
type cutter struct {
	take     func(*record) error
	bad      trace.Diagnostics
	messages bool // a protocol version stands before each record
	any      bool // record was cut
	calm     bool // nothing more comes for a while
	bytes    int64
	first    error // of all
	records  trace.Records
}

// newCutter returns a cutter that hands each record that is whole to take, up to an error.
func newCutter(take func(*record) error) *cutter {
	c := &cutter{take: take}
	c.records = trace.Records{Mark: []byte("PFD"), Cut: c.cut, Sure: c.isSure, Take: c.taken, Lost: c.lost}
	return c
}

// write takes the next bytes.
func (c *cutter) write(p []byte) error {
	c.bytes += int64(len(p))
	_, err := c.records.Write(p)
	return err
}

// cut cuts a record, or what a file begins with.
func (c *cutter) cut(b []byte, ends bool) (size int, whole bool, err error) {
	if c.records.Place() == 0 {
		if len(b) < len(fileMagic) {
			return 0, false, nil
		}
		if string(b[:len(fileMagic)]) == fileMagic {
			return len(fileMagic), true, nil
		}
		c.messages, c.records.Before = true, 2
	}
	rec, err := cutRecord(b, c.messages)
	if errors.Is(err, trace.ErrLong) {
		err = trace.ErrLong // in pieces it may not show yet how long it is
	}
	if err != nil || rec.version == 0 || rec.size > len(b) {
		return rec.size, false, err
	}
	next, sure := c.records.Find(b, 1, rec.size, ends)
	if sure {
		return 0, false, trace.ErrLong
	}
	return rec.size, next == rec.size || ends || c.calm, nil
}

// isSure reports whether b, which is not empty, begins with the head of a record; short: as far as it goes.
func (c *cutter) isSure(b []byte, _ bool) (sure, short bool) {
	if c.messages {
		if b[0] < firstProtocol || b[0] > lastProtocol || len(b) > 1 && b[1] != 0 {
			return false, false
		}
		b = b[min(2, len(b)):]
	}
	if !bytes.HasPrefix([]byte("PFD"), b[:min(3, len(b))]) {
		return false, false
	}
	return isHead(b)
}

func (c *cutter) taken(b []byte, at int64) error {
	if at == 0 && !c.messages {
		return nil
	}
	rec, _ := cutRecord(b, c.messages)
	c.any, rec.at = true, at
	return c.take(&rec)
}

// lost counts a place without records. NULs end a file.
func (c *cutter) lost(at int64, why error) {
	switch {
	case why == errEnd && c.bytes <= at+int64(c.records.Before)+4:
	case errors.Is(why, trace.ErrCut):
		c.bad.Bad(trace.Cut, at)
	default:
		c.bad.Explain(trace.Gap, at, "%v", why)
	}
	if c.first == nil && why != errEnd {
		c.first = &placedError{at, why}
	}
}

// idle takes a record that may go on in what comes, though nothing does.
func (c *cutter) idle() error {
	c.calm = true
	err := c.write(nil)
	c.calm = false
	return err
}

// end reads the rest.
func (c *cutter) end() { c.records.End() } //nolint:errcheck // the reading has ended

// Messages cuts what puffin_http sends into messages, from one connection to the next, and finds out when it is
// another run of the program that sends. The zero value is ready for the first connection.
type Messages struct {
	buf    []byte
	at     int64 // of its first byte
	reader frameReader
	last   int64 // number of the frame before
	any    bool
}

// Connected begins a connection and forgets an incomplete message.
func (m *Messages) Connected() { m.buf, m.at = nil, 0 }

// Left returns how many bytes have come of a message that is not whole.
func (m *Messages) Left() int { return len(m.buf) }

// Write takes the next bytes and passes each whole message to take; it is valid until take returns. another is set
// for the first message of another run: its frames are numbered from the beginning. An error is that of take, or
// describes bytes that are no message.
func (m *Messages) Write(p []byte, take func(message []byte, another bool) error) error {
	m.buf = append(m.buf, p...)
	b := m.buf
	defer func() { m.buf = m.buf[:copy(m.buf, b)] }()
	for {
		rec, err := cutRecord(b, true)
		switch {
		case err != nil:
			return &placedError{m.at, err}
		case rec.size > len(b):
			return nil
		}
		message := b[:rec.size:rec.size]
		b, m.at = b[rec.size:], m.at+int64(rec.size)
		if err := take(message, m.another(&rec)); err != nil {
			return err
		}
	}
}

// another looks at a message, and reports whether another run begins with it. One that is damaged is the decoder's to
// report.
func (m *Messages) another(rec *record) bool {
	f, _ := m.reader.read(rec)
	if f == nil {
		return false
	}
	another := m.any && f.number <= m.last
	m.any, m.last = true, f.number
	return another
}
