package puffin

import (
	"encoding/binary"
	"errors"
	"fmt"
)

// Limits of one record, in bytes.
const (
	maxRecord   = 256 << 20 // as it is in a file or on a connection
	maxUnpacked = 64 << 20  // of its scopes: two millions
	maxOld      = 64 << 20  // of a record without a magic number
)

// endMark is how many NULs end a file.
const endMark = 4

// fileMagic begins a file; messages of a connection begin with a protocol version.
const fileMagic = "PUF0"

// The protocol versions of puffin_http that are read.
const (
	firstProtocol = 1
	lastProtocol  = 2
)

// record is one frame as it was sent. Its bytes are valid until the next is cut.
type record struct {
	at      int64 // byte of the file or the connection
	size    int
	raw     []byte // all of it
	version byte   // '1' to '4' of PFD1 to PFD4, 0 of older records
	meta    []byte
	packing byte
	streams []byte // packed; with all of LEGACY where version is '1' or 0
	scopes  []byte // only of PFD4
}

// cutter cuts bytes into records. It holds one that has not come wholly.
type cutter struct {
	// messages: a protocol version stands before each record. Unless it is set from the beginning, the first bytes
	// decide.
	messages bool
	// strict: anything but a record is an error, everywhere. Otherwise that holds only before the first record;
	// later, the cutter searches for the next one.
	strict bool
	// patient: the cutter also searches before the first record.
	patient bool
	begun   bool
	any     bool  // record was cut,
	last    int64 // and where the newest begins,
	ended   int64 // and ends; -1: another was looked for from there on
	marked  bool  // one had a magic number: so have all
	over    bool  // the end mark came
	endAt   int64
	buf     []byte
	at      int64 // of the byte with which buf begins
	from    int   // the part of buf that was cut
	looked  int64 // up to where a record was looked for behind the one in front of the cutter
	lost    lost
}

// write takes the next bytes and hands each record that is whole to take, up to an error.
func (c *cutter) write(p []byte, take func(*record) error) error {
	gone := max(c.from-mostHead-2, 0)
	c.buf = append(c.buf[:copy(c.buf, c.buf[gone:])], p...)
	c.at, c.from = c.at+int64(gone), c.from-gone
	if !c.begun {
		if len(c.buf) < len(fileMagic) {
			return nil
		}
		c.begun = true
		if !c.messages && string(c.buf[:len(fileMagic)]) == fileMagic {
			c.from = len(fileMagic)
		} else {
			c.messages = true
		}
	}
	for {
		if (c.over || c.lost.in) && (c.strict || !c.resume()) {
			break
		}
		rec, n, err := c.cut(c.buf[c.from:])
		if !c.strict && !c.over && c.swallowed(rec.size) {
			continue
		}
		if err != nil {
			if c.strict || !c.any && !c.patient {
				return fmt.Errorf("byte %d: %w", c.place(), err)
			}
			c.lose(err)
			continue
		}
		if n == 0 {
			return nil
		}
		if !c.over {
			c.any, c.last, c.marked = true, c.place(), c.marked || rec.version > 0
			rec.at, rec.raw = c.place(), c.buf[c.from:c.from+n]
			if err := take(&rec); err != nil {
				return err
			}
		}
		if c.from += n; !c.over {
			c.ended = c.place()
		}
	}
	if c.over {
		c.from = len(c.buf)
	}
	return nil
}

// place is the byte in front of the cutter.
func (c *cutter) place() int64 { return c.at + int64(c.from) }

// end ends the stretch in which the cutter is with the bytes.
func (c *cutter) end() {
	if c.lost.in {
		c.from, c.lost.in = len(c.buf), false
		c.lost.Gap(c.lost.at, max(c.place()-c.lost.at, 0), c.lost.why)
	}
	if behind := c.place() - c.endAt - endMark; c.over && behind > 0 {
		c.lost.Gap(c.endAt, behind, fmt.Sprintf("byte %d: NULs, as at the end, and %d bytes after them", c.endAt, behind))
	}
}

// left returns how many bytes there are of a record that is not whole, and where it begins.
func (c *cutter) left() (n int, at int64) { return len(c.buf) - c.from, c.place() }

// cut cuts the first record of b, n bytes long; n is 0 where it is not whole. Its size is how long it is at least.
func (c *cutter) cut(b []byte) (rec record, n int, err error) {
	r := parts{b: b}
	defer func() { rec.size = r.need }()
	if c.messages {
		if v := r.take(2); r.short {
			return rec, 0, nil
		} else if v := binary.LittleEndian.Uint16(v); v < firstProtocol || v > lastProtocol {
			return rec, 0, fmt.Errorf("unknown protocol version %d: Framescope reads versions %d and %d of puffin_http",
				v, firstProtocol, lastProtocol)
		}
	}
	magic := r.take(4)
	if r.short {
		return rec, 0, nil
	}
	switch string(magic) {
	case "PFD4", "PFD3", "PFD2":
		rec.version = magic[3]
		rec.meta = r.part()
		rec.streams, rec.packing = r.packed(rec.version != '2')
		if rec.version == '4' {
			rec.scopes = r.part()
		}
	case "PFD1":
		rec.version = magic[3]
		rec.streams, rec.packing = r.part(), packedZstd
	case "PFD0":
		return rec, 0, errors.New("a frame PFD0: written by a puffin so old that puffin itself no longer reads it")
	case "\x00\x00\x00\x00":
		c.over, c.endAt = true, c.place()
		c.back()
		return rec, r.n, nil
	default:
		if string(magic[:3]) == "PFD" {
			return rec, 0, fmt.Errorf("a frame %q: written by a newer puffin; Framescope reads PFD1 to PFD4", magic)
		}
		n := binary.LittleEndian.Uint32(magic)
		if c.messages || c.marked || n >= maxOld || n == 0 {
			return rec, 0, fmt.Errorf("% x is not the beginning of a frame", magic)
		}
		rec.streams = r.take(int(n))
	}
	switch {
	case r.large > 0:
		return rec, 0, fmt.Errorf("a frame of more than %d bytes, above the limit of %d: not a frame", r.large, maxRecord)
	case r.short:
		return rec, 0, nil
	}
	return rec, r.n, nil
}

// parts takes a record apart.
type parts struct {
	b     []byte
	n     int  // bytes taken
	need  int  // how many there must be at least, the largest
	short bool // there are fewer bytes than it needs
	large int  // bytes of one that is too large, 0 of others
}

func (r *parts) take(n int) []byte {
	switch {
	case r.short || r.large > 0:
		return nil
	case n > maxRecord-r.n:
		r.large = n
		return nil
	case n > len(r.b)-r.n:
		r.short, r.need = true, r.n+n
		return nil
	}
	r.n += n
	r.need = r.n
	return r.b[r.n-n : r.n : r.n]
}

// length takes the length of what comes.
func (r *parts) length() int {
	b := r.take(4)
	if b == nil {
		return 0
	}
	return int(binary.LittleEndian.Uint32(b))
}

// part takes bytes with their length before them.
func (r *parts) part() []byte { return r.take(r.length()) }

// packed takes bytes with their length and how they are packed before them; without the latter they
// are always Zstandard.
func (r *parts) packed(told bool) (b []byte, packing byte) {
	n := r.length()
	packing = packedZstd
	if told {
		if p := r.take(1); p != nil {
			packing = p[0]
		}
	}
	return r.take(n), packing
}
