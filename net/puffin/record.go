package puffin

import (
	"encoding/binary"
	"errors"
	"fmt"

	"framescope/net/trace"
)

// Limits of one record, in bytes.
const (
	maxRecord   = 256 << 20 // as it is in a file or on a connection
	maxUnpacked = 64 << 20  // of its scopes: two millions
)

const (
	fileMagic = "PUF0" // begins a file; messages of a connection begin with a protocol version
	zstdMagic = "\x28\xb5\x2f\xfd"
	mostMeta  = 5 * 9 // bytes of what a record says of itself: five numbers
	mostHead  = 4 + 4 + mostMeta + 4 + len(zstdMagic)
)

// The protocol versions of puffin_http that are read.
const (
	firstProtocol = 1
	lastProtocol  = 2
)

// record is one frame as it was sent. Its bytes are valid until the next is cut.
type record struct {
	at      int64 // byte of the file or the connection
	size    int
	version byte // '1' to '4' of PFD1 to PFD4
	meta    []byte
	packing byte
	streams []byte // packed; with all of LEGACY in PFD1
	scopes  []byte // only of PFD4
}

// copied returns the record with bytes of its own.
func (r *record) copied() *record {
	c := *r
	for _, part := range []*[]byte{&c.meta, &c.streams, &c.scopes} {
		*part = append([]byte(nil), *part...)
	}
	return &c
}

// placedError is an error at a byte of a file or a connection.
type placedError struct {
	at  int64
	err error
}

func (e *placedError) Error() string { return fmt.Sprintf("byte %d: %v", e.at, e.err) }

// errEnd marks the end of a file.
var errEnd = errors.New("NULs, as at the end, stand before other data")

// cutRecord cuts the first record of b; it is whole if b has its size at least. In messages a protocol version stands
// before it.
func cutRecord(b []byte, messages bool) (rec record, err error) {
	p := parts{b: b}
	if messages {
		err = checkProtocol(p.take(2))
	}
	if err == nil {
		err = rec.cut(&p)
	}
	if rec.size = p.n; err == nil && p.n > maxRecord {
		err = fmt.Errorf("%w: %d bytes, above the limit of %d: not a frame", trace.ErrLong, p.n, maxRecord)
	}
	return rec, err
}

func checkProtocol(b []byte) error {
	if b == nil {
		return nil
	}
	if v := binary.LittleEndian.Uint16(b); v < firstProtocol || v > lastProtocol {
		return fmt.Errorf("unknown protocol version %d: Framescope reads versions %d and %d of puffin_http",
			v, firstProtocol, lastProtocol)
	}
	return nil
}

func (r *record) cut(p *parts) error {
	magic := p.take(4)
	if magic == nil {
		return nil
	}
	switch string(magic) {
	case "PFD4", "PFD3", "PFD2":
		r.version, r.packing = magic[3], packedZstd
		r.meta = p.take(p.length())
		n := p.length()
		if r.version > '2' {
			r.packing = p.byte()
		}
		if r.streams = p.take(n); r.version == '4' {
			r.scopes = p.take(p.length())
		}
	case "PFD1":
		r.version, r.packing = magic[3], packedZstd
		r.streams = p.take(p.length())
	case "PFD0":
		return errors.New("a frame PFD0: written by a puffin so old that puffin itself no longer reads it")
	case "\x00\x00\x00\x00":
		return errEnd
	default:
		if string(magic[:3]) == "PFD" {
			return fmt.Errorf("a frame %q: written by a newer puffin; Framescope reads PFD1 to PFD4", magic)
		}
		return fmt.Errorf("% x is not the beginning of a frame", magic)
	}
	return nil
}

// parts takes a record apart.
type parts struct {
	b []byte
	n int // how many bytes were taken, or more than b has
}

// take returns the next bytes, nil where b has not so many.
func (p *parts) take(n int) []byte {
	from := p.n
	if p.n += n; p.n > len(p.b) {
		return nil
	}
	return p.b[from:p.n:p.n]
}

func (p *parts) isShort() bool { return p.n > len(p.b) }

func (p *parts) byte() byte {
	if b := p.take(1); b != nil {
		return b[0]
	}
	return 0
}

// length takes the length of what comes.
func (p *parts) length() int {
	if b := p.take(4); b != nil {
		return int(binary.LittleEndian.Uint32(b))
	}
	return 0
}

// isHead reports whether b begins with a valid head of a record: magic number, fields and packing; short means that b
// is too short to decide.
func isHead(b []byte) (sure, short bool) {
	p := parts{b: b[:min(len(b), mostHead)]}
	magic := p.take(4)
	if magic == nil {
		return false, true
	}
	version := magic[3]
	if version < '1' || version > '4' {
		return false, false
	}
	if version > '1' {
		meta := reader{b: p.take(min(p.length(), mostMeta+1))}
		if p.isShort() {
			return false, true
		}
		var f frame
		if !f.readMeta(&meta) || len(meta.b) > 0 || f.end < f.begin {
			return false, false
		}
	}
	ok := p.length() <= maxRecord
	if version > '2' {
		ok = ok && p.byte() <= packedZstd
	} else {
		ok = string(p.take(len(zstdMagic))) == zstdMagic && ok
	}
	return ok && !p.isShort(), p.isShort()
}
