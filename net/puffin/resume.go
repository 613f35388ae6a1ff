package puffin

import (
	"bytes"
	"encoding/binary"
	"fmt"

	"framescope/net/trace"
)

const (
	mostMeta  = 5 * 9 // bytes of what a record says of itself: five numbers
	mostHead  = 4 + 4 + mostMeta + 4 + 1
	zstdMagic = "\x28\xb5\x2f\xfd"
)

// lost counts the unreadable stretches between records; its fields describe the current one.
type lost struct {
	trace.TallyGaps
	in  bool
	at  int64  // where it begins
	why string // the reason and the place
}

// lose begins a stretch with what stands in front of the cutter.
func (c *cutter) lose(why error) {
	c.lost.in, c.lost.at = true, c.place()
	c.lost.why = fmt.Sprintf("byte %d: %v", c.lost.at, why)
	c.back()
}

// back begins to look for a record behind what stands in front of the cutter. If a record ended there, it may have
// reached into the next one.
func (c *cutter) back() {
	at := c.place()
	if c.looked = at + 1; at == c.ended { // once
		c.looked, c.ended = max(c.last+4, at-mostHead), -1
	}
}

// resume goes on to the next record that is certain. It returns false where there is none in what came.
func (c *cutter) resume() bool {
	k := c.certain(len(c.buf), false)
	if k >= 0 && c.lost.in && c.at+int64(k) == c.lost.at { // it is what could not be read
		c.looked++
		k = c.certain(len(c.buf), false)
	}
	if k < 0 {
		c.from = max(c.from, int(c.looked-c.at))
		return false
	}
	at := c.at + int64(k)
	if c.lost.in {
		c.lost.Gap(c.lost.at, max(at-c.lost.at, 0), c.lost.why)
	} else { // it stands behind what looked like the end
		c.lost.Gap(c.endAt, max(at-c.endAt, 0), fmt.Sprintf("byte %d: NULs, as at the end, and frames after them", c.endAt))
	}
	c.from, c.lost.in, c.over = k, false, false
	return true
}

// swallowed looks for a record that begins within the one in front of the cutter, which is so many bytes long, be
// they here or not: then its length is wrong. It goes on with the one that it finds.
func (c *cutter) swallowed(size int) bool {
	c.looked = max(c.looked, c.place()+4)
	k := c.certain(min(c.from+size, len(c.buf)), c.from+size <= len(c.buf))
	if k < 0 {
		return false
	}
	c.lost.Gap(c.place(), int64(k-c.from), fmt.Sprintf(
		"byte %d: a frame is longer than the place that it has before the next", c.place()))
	c.from = k
	return true
}

// certain returns the position in buf[:end] of the first certain record behind the searched bytes, -1 if there is
// none. all means that nothing can follow buf[:end]; otherwise the begin of a record is kept. Each byte is
// examined once.
func (c *cutter) certain(end int, all bool) int {
	first := 0
	if c.messages {
		first = 2
	}
	for i := max(int(c.looked-c.at), 0); ; i++ {
		k := bytes.Index(c.buf[min(i, end):end], []byte("PFD"))
		if k < 0 {
			c.looked = c.at + int64(max(i, end-2-first))
			return -1
		}
		i += k
		if c.messages && (i < 2 || binary.LittleEndian.Uint16(c.buf[i-2:]) > lastProtocol || c.buf[i-2] < firstProtocol) {
			continue
		}
		switch sure, short := certainHead(c.buf[i:end]); {
		case sure:
			c.looked = c.at + int64(i)
			return i - first
		case short && !all:
			c.looked = c.at + int64(i)
			return -1
		}
	}
}

// certainHead reports whether b begins with a valid head of a record: magic number, fields and packing; short
// means that b is too short to decide.
func certainHead(b []byte) (sure, short bool) {
	r := parts{b: b[:min(len(b), mostHead+len(zstdMagic))]}
	magic := r.take(4)
	if r.short {
		return false, true
	}
	version := magic[3]
	if version < '1' || version > '4' {
		return false, false
	}
	if version > '1' {
		n := r.length()
		if n > mostMeta {
			return false, false
		}
		meta := reader{b: r.take(n)}
		if r.short {
			return false, true
		}
		var f frame
		number(&meta)
		if f.readRange(&meta); meta.bad || len(meta.b) > 0 || f.end < f.begin {
			return false, false
		}
	}
	size := r.length()
	if version > '2' {
		packing := r.take(1)
		return !r.short && packing[0] <= packedZstd && size <= maxRecord, r.short
	}
	packed := r.take(len(zstdMagic))
	return string(packed) == zstdMagic && size <= maxRecord, r.short
}
