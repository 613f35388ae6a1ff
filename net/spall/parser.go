// Package spall reads recordings of the Spall profiler, written by programs themselves (spall.h, Odin's
// core:prof/spall): versions 1 and 3 of its manual format. A file is read twice. The first time finds
// the threads with their names, when the recording begins and which calls are frames; the second time
// turns begins and ends into spans. All numbers of the format are little endian, and nothing is aligned.
package spall

import (
	"encoding/binary"
	"fmt"
	"math"

	"framescope/model"
)

const (
	magicManual = 0x0BADF00D
	magicNative = 0xABADF00D // of traces that a compiler wrote into programs: another format
	headerBytes = 32
	bufferBytes = 20 // of the header of a buffer, version 3
)

// kind is the type of an event, as it stands in the file.
type kind uint8

const (
	threadSeen  kind = 0 // of ours: a buffer of the thread begins
	begin       kind = 3
	end         kind = 4
	skip        kind = 7
	nameProcess kind = 8
	nameThread  kind = 9
)

// key identifies a thread.
type key struct{ pid, tid uint32 }

// event is one event of the file.
type event struct {
	kind  kind
	key   key
	at    int64   // byte of the file at which it begins, gzip undone
	ticks uint64  // when, in version 3
	when  float64 // when, in version 1
	name  []byte  // of a begin, process or thread; valid until take returns
	args  []byte  // of a begin: free text; valid until take returns
}

// parser cuts a file into events, for any division of its input.
type parser struct {
	header  func(version uint64, unit float64)
	take    func(e *event)
	damaged func(reason model.LossReason, at int64, text string)

	version uint64 // 1 or 3, 0 while the header has not come
	held    []byte // the beginning of an incomplete event
	at      int64  // byte of the file at which it begins
	lost    bool   // nothing more can be made out

	inBuffer    bool // version 3: within a buffer
	begun, size int64
	left, skip  int64  // bytes that are left of the buffer, and of these to be passed over
	why         string // they are left out for; empty: as the file says
	whyAt, gone int64  // byte at which that is, and how many were left out so far
	e           event
}

// write takes the next bytes. Its error means that the file is unreadable.
func (p *parser) write(b []byte) error {
	if p.lost {
		p.at += int64(len(b))
		return nil
	}
	if len(p.held) > 0 {
		p.held = append(p.held, b...)
		b = p.held
	}
	used, err := p.parse(b)
	if err != nil {
		return err
	}
	p.at += int64(used)
	p.held = append(p.held[:0], b[used:]...)
	return nil
}

// parse reads the complete events at the beginning of b and returns their size in bytes.
func (p *parser) parse(b []byte) (used int, err error) {
	if p.version == 0 {
		if len(b) < headerBytes {
			return 0, checkHeader(b, false)
		}
		if err := checkHeader(b, true); err != nil {
			return 0, err
		}
		p.version = binary.LittleEndian.Uint64(b[8:])
		p.header(p.version, math.Float64frombits(binary.LittleEndian.Uint64(b[16:])))
		used = headerBytes
	}
	if p.version == 1 {
		return used + p.parse1(b[used:], p.at+int64(used)), nil
	}
	for {
		n := p.step3(b[used:], p.at+int64(used))
		if n < 0 {
			return used, nil
		}
		used += n
	}
}

// checkHeader returns why a file that begins with b is unreadable. Without whole it skips fields
// beyond the end of b.
func checkHeader(b []byte, whole bool) error {
	o := binary.LittleEndian
	if len(b) >= 8 {
		switch magic := o.Uint64(b); magic {
		case magicManual:
		case magicNative:
			return fmt.Errorf("byte 0: a trace of spall native/auto, which a compiler instrumented; Framescope reads manual traces only")
		default:
			return fmt.Errorf("byte 0: magic number %#x instead of %#x", magic, magicManual)
		}
	}
	if len(b) >= 16 {
		switch v := o.Uint64(b[8:]); v {
		case 1, 3:
		default:
			return fmt.Errorf("byte 8: unknown version %d of Spall; Framescope reads versions 1 and 3", v)
		}
	}
	if len(b) < headerBytes && whole {
		return fmt.Errorf("byte %d: the file ends within its header of %d bytes", len(b), headerBytes)
	}
	if len(b) >= 24 {
		if unit := math.Float64frombits(o.Uint64(b[16:])); !(unit > 0) || math.IsInf(unit, 0) {
			return fmt.Errorf("byte 16: a tick of %v", unit)
		}
	}
	return nil
}

// parse1 takes the whole events of version 1 at the beginning of b, which lies at a byte of the
// file, and returns how many bytes these are.
func (p *parser) parse1(b []byte, at int64) (used int) {
	o := binary.LittleEndian
	e := &p.e
	for used < len(b) {
		r := b[used:]
		n := 17
		switch kind(r[0]) {
		case begin:
			if n = 20; len(r) < n {
				return used
			}
			a := n + int(r[18])
			if n = a + int(r[19]); len(r) < n {
				return used
			}
			e.key = key{o.Uint32(r[2:]), o.Uint32(r[6:])}
			e.when, e.name, e.args = math.Float64frombits(o.Uint64(r[10:])), r[20:a], r[a:n]
		case end:
			if len(r) < n {
				return used
			}
			e.key, e.when = key{o.Uint32(r[1:]), o.Uint32(r[5:])}, math.Float64frombits(o.Uint64(r[9:]))
		default:
			p.lost = true
			p.damaged(model.LossMalformed, at+int64(used), fmt.Sprintf("an event of the unknown type %d: nothing after it can be read", r[0]))
			return len(b)
		}
		e.kind, e.at = kind(r[0]), at+int64(used)
		p.take(e)
		used += n
	}
	return used
}

// step3 takes the next event of version 3 and returns its size in bytes, -1 where it is incomplete.
func (p *parser) step3(b []byte, at int64) int {
	switch {
	case p.skip > 0:
		n := min(p.skip, int64(len(b)))
		if n == 0 {
			return -1
		}
		p.skip -= n
		p.left -= n
		if p.gone += n; p.skip == 0 {
			p.tellLeft()
		}
		return int(n)
	case p.inBuffer && p.left > 0:
		n := p.events3(b[:min(int64(len(b)), p.left)], at)
		p.left -= int64(n)
		if n == 0 && p.skip == 0 {
			return -1
		}
		return n
	}
	p.inBuffer = false
	if len(b) < bufferBytes {
		return -1
	}
	o := binary.LittleEndian
	p.size = int64(o.Uint32(b))
	p.inBuffer, p.left, p.begun = true, p.size, at
	p.e = event{kind: threadSeen, key: key{tid: o.Uint32(b[4:]), pid: o.Uint32(b[8:])}, at: at}
	p.take(&p.e)
	return bufferBytes
}

// events3 takes the whole events at the beginning of b, which are of one buffer, and returns how
// many bytes these are. Where the next one can never be whole it says so and sets skip.
func (p *parser) events3(b []byte, at int64) (used int) {
	o := binary.LittleEndian
	e := &p.e
	for used < len(b) {
		r := b[used:]
		n := 0
		switch kind(r[0]) {
		case begin:
			if n = 11; len(r) < n {
				break
			}
			a := n + int(r[9])
			if n = a + int(r[10]); len(r) < n {
				break
			}
			e.kind, e.ticks, e.name, e.args = begin, o.Uint64(r[1:]), r[11:a], r[a:n]
		case end:
			if n = 9; len(r) < n {
				break
			}
			e.kind, e.ticks = end, o.Uint64(r[1:])
		case skip:
			if n = 5; len(r) < n {
				break
			}
			rest := int64(o.Uint32(r[1:]))
			if p.left-int64(used)-5 < rest {
				p.leave(at+int64(used), int64(used), "a skip extends beyond the end of its buffer")
				return used
			}
			p.skip = rest
			return used + n
		case nameProcess, nameThread:
			if n = 2; len(r) < n {
				break
			}
			if n += int(r[1]); len(r) < n {
				break
			}
			e.kind, e.name = kind(r[0]), r[2:n]
		default:
			p.leave(at+int64(used), int64(used), fmt.Sprintf("an event of the unknown type %d", r[0]))
			return used
		}
		if len(r) < n {
			if p.left-int64(used) < int64(n) {
				p.leave(at+int64(used), int64(used), "an event extends beyond the end of its buffer")
			}
			return used
		}
		e.at = at + int64(used)
		p.take(e)
		used += n
	}
	return used
}

// leave skips the rest of a buffer after its first used bytes. The loss is reported once the number of
// skipped bytes present in the file is known.
func (p *parser) leave(at, used int64, why string) {
	p.skip = p.left - used
	p.why, p.whyAt, p.gone = why, at, 0
}

// tellLeft reports the bytes skipped after a fault.
func (p *parser) tellLeft() {
	if p.why != "" {
		p.damaged(model.LossMalformed, p.whyAt, fmt.Sprintf("%s: the last %d bytes of its buffer are left out", p.why, p.gone))
		p.why = ""
	}
}

// close ends the input.
func (p *parser) close() error {
	rest := int64(len(p.held))
	p.tellLeft()
	switch {
	case p.version == 0:
		return checkHeader(p.held, true)
	case p.lost:
	case p.inBuffer && p.left > 0:
		there := p.size - p.left + rest
		cut := ""
		if rest > 0 {
			cut = fmt.Sprintf(", the last %d of them an incomplete event", rest)
		}
		p.damaged(model.LossTruncated, p.at, fmt.Sprintf("the file ends within the buffer at byte %d: %d of its %d bytes are there%s",
			p.begun, there, p.size, cut))
	case rest > 0:
		p.damaged(model.LossTruncated, p.at,
			fmt.Sprintf("the file ends within an event or the header of a buffer: its last %d bytes are left out", rest))
	}
	return nil
}
