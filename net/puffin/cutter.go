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
	version byte   // '1' to '4' of PFD1 to PFD4, 0 of what is older
	meta    []byte
	packing byte
	streams []byte // packed; with all of LEGACY where version is '1' or 0
	scopes  []byte // only of PFD4
}

// cutter cuts bytes into records. It holds one that has not come wholly.
type cutter struct {
	// messages tells that a protocol version stands before each record. Unless it is set from the
	// beginning, what comes first says whether that is a file.
	messages bool
	begun    bool
	over     bool // the end mark came
	buf      []byte
	at       int64 // of the byte with which buf begins
	from     int   // the part of buf that was cut
}

// write takes the next bytes and hands each record that is whole to take, up to an error.
func (c *cutter) write(p []byte, take func(*record) error) error {
	c.buf = append(c.buf[:copy(c.buf, c.buf[c.from:])], p...)
	c.at, c.from = c.at+int64(c.from), 0
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
	for !c.over {
		rec, n, err := c.cut(c.buf[c.from:])
		if err != nil {
			return fmt.Errorf("byte %d: %w", c.at+int64(c.from), err)
		}
		if n == 0 {
			return nil
		}
		if !c.over {
			rec.at, rec.size, rec.raw = c.at+int64(c.from), n, c.buf[c.from:c.from+n]
			if err := take(&rec); err != nil {
				return err
			}
		}
		c.from += n
	}
	c.from = len(c.buf)
	return nil
}

// left returns how many bytes there are of a record that is not whole, and where it begins.
func (c *cutter) left() (n int, at int64) { return len(c.buf) - c.from, c.at + int64(c.from) }

// cut cuts the first record of b, n bytes long; n is 0 where it is not whole.
func (c *cutter) cut(b []byte) (rec record, n int, err error) {
	r := parts{b: b}
	if c.messages {
		if v := r.take(2); r.short {
			return rec, 0, nil
		} else if v := binary.LittleEndian.Uint16(v); v < firstProtocol || v > lastProtocol {
			return rec, 0, fmt.Errorf("protocol version %d: versions %d and %d of puffin_http are read",
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
		return rec, 0, errors.New("a frame PFD0: its puffin is too old, which puffin itself does not read any more")
	case "\x00\x00\x00\x00":
		c.over = true
		return rec, r.n, nil
	default:
		if string(magic[:3]) == "PFD" {
			return rec, 0, fmt.Errorf("a frame %q: it was written by a newer puffin, of which PFD1 to PFD4 are read", magic)
		}
		n := binary.LittleEndian.Uint32(magic)
		if c.messages || n >= maxOld || n == 0 {
			return rec, 0, fmt.Errorf("% x is not the beginning of a frame", magic)
		}
		rec.streams = r.take(int(n))
	}
	switch {
	case r.large > 0:
		return rec, 0, fmt.Errorf("a frame of more than %d bytes, where %d are the most: not a frame", r.large, maxRecord)
	case r.short:
		return rec, 0, nil
	}
	return rec, r.n, nil
}

// parts takes a record apart.
type parts struct {
	b     []byte
	n     int  // bytes taken
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
		r.short = true
		return nil
	}
	r.n += n
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
