package puffin

import (
	"bytes"
	"errors"

	"framescope/net/trace"
)

// cutter cuts bytes into records. It holds one that has not come wholly. Where there is none, or one that reaches over
// the next, it goes on with the next certain one.
type cutter struct {
	take     func(*record) error
	bad      trace.Diagnostics
	messages bool // a protocol version stands before each record
	begun    bool
	any      bool // record was cut
	buf      []byte
	at       int64 // of the byte with which buf begins
	from     int   // the part of buf that was cut
	searched int64 // up to where no certain record begins behind the newest
	gap      error // why there is no record in front of the cutter; nil: it is in none
	gapAt    int64
	first    error // of all
}

// write takes the next bytes and hands each record that is whole to take, up to an error.
func (c *cutter) write(p []byte) error {
	gone := max(c.from-mostHead-2, 0)
	c.buf = append(c.buf[:copy(c.buf, c.buf[gone:])], p...)
	c.at, c.from = c.at+int64(gone), c.from-gone
	if !c.begun {
		if len(c.buf) < len(fileMagic) {
			return nil
		}
		c.begun, c.messages = true, string(c.buf[:len(fileMagic)]) != fileMagic
		if !c.messages {
			c.from = len(fileMagic)
		}
	}
	for c.gap == nil || c.resume() {
		if more, err := c.next(); !more || err != nil {
			return err
		}
	}
	return nil
}

// next cuts a record, or begins a gap. It returns false where the record is not whole.
func (c *cutter) next() (more bool, err error) {
	rec, err := cutRecord(c.buf[c.from:], c.messages)
	if err != nil {
		if c.gap, c.gapAt = err, c.place(); c.first == nil && err != errEnd {
			c.first = &placedError{c.gapAt, err}
		}
		return true, nil
	}
	if rec.version == 0 { // its magic number has not come
		return false, nil
	}
	c.searched = max(c.searched, c.place()+4)
	if k := c.find(c.from + rec.size); k >= 0 {
		c.bad.Explain(trace.Gap, c.place(), "%v", errLong)
		c.from = k
		return true, nil
	}
	if c.from+rec.size > len(c.buf) {
		return false, nil
	}
	c.any, rec.at = true, c.place()
	c.from += rec.size
	return true, c.take(&rec)
}

// place is the byte in front of the cutter.
func (c *cutter) place() int64 { return c.at + int64(c.from) }

// resume goes on behind a gap. It returns false where no record is certain in what came.
func (c *cutter) resume() bool {
	k := c.find(len(c.buf))
	if k >= 0 && c.at+int64(k) == c.gapAt { // it is what could not be read
		c.searched++
		k = c.find(len(c.buf))
	}
	if k < 0 {
		c.from = max(c.from, int(c.searched-c.at))
		return false
	}
	if errors.Is(c.gap, errLong) {
		c.gap = errLong
	}
	c.bad.Explain(trace.Gap, c.gapAt, "%v", c.gap)
	c.from, c.gap = k, nil
	return true
}

// find returns the position of the first certain record that begins in buf[:end], and behind what was searched; -1:
// there is none.
func (c *cutter) find(end int) int {
	before := 0 // the bytes of a protocol version
	if c.messages {
		before = 2
	}
	end = min(end, len(c.buf))
	for i := max(int(c.searched-c.at), before); ; i++ {
		k := bytes.Index(c.buf[min(i, end):end], []byte("PFD"))
		if k < 0 {
			c.searched = c.at + int64(max(i, end-2-before))
			return -1
		}
		i += k
		if c.messages && checkProtocol(c.buf[i-2:i]) != nil {
			continue
		}
		if sure, short := isHead(c.buf[i:end]); sure || short {
			c.searched = c.at + int64(i)
			if sure {
				return i - before
			}
			return -1
		}
	}
}

// end counts the rest: a gap, or a part of a record.
func (c *cutter) end() {
	end := c.at + int64(len(c.buf))
	switch {
	case c.gap == errEnd && c.isEnd(end):
	case c.gap != nil:
		c.bad.Explain(trace.Gap, c.gapAt, "%v", c.gap)
	case c.place() < end:
		c.bad.Bad(trace.Cut, c.place())
	}
	c.gap, c.from = nil, len(c.buf)
}

// isEnd reports whether nothing follows the NULs that end a file.
func (c *cutter) isEnd(end int64) bool {
	if c.messages {
		return end <= c.gapAt+2+4
	}
	return end <= c.gapAt+4
}

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
