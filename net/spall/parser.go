// Package spall reads recordings of the Spall profiler, written by programs themselves (spall.h, Odin's
// core:prof/spall): versions 1 and 3 of its manual format. All numbers of the format are little endian, and nothing is
// aligned.
package spall

import (
	"fmt"
	"math"

	"framescope/net/trace"
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
	d       *decoder
	version uint64 // 1 or 3, 0 while the header has not come
	held    []byte // the beginning of an incomplete event
	at      int64  // byte of the file at which it begins
	left    int64  // version 3: bytes that are left of the buffer
	skip    int64  // bytes of it to be passed over
	gap     gap    // the place that is passed over
	passed  int64  // of left, where the chain of events is looked for
	e       event
}

// write takes the next bytes. Its error means that the file is unreadable.
func (p *parser) write(b []byte) error {
	if len(p.held) > 0 {
		p.held = append(p.held, b...)
		b = p.held
	}
	used := 0
	if p.version == 0 {
		if err := checkHeader(b, false); err != nil || len(b) < headerBytes {
			p.held = append(p.held[:0], b...)
			return err
		}
		p.version = order.Uint64(b[8:])
		p.d.begin(p.version, math.Float64frombits(order.Uint64(b[16:])))
		used = headerBytes
	}
	for used < len(b) {
		n := p.step(b[used:], p.at+int64(used))
		if n == 0 {
			break
		}
		used += n
	}
	p.at += int64(used)
	p.held = append(p.held[:0], b[used:]...)
	return nil
}

// step takes what stands at the begin of b, at a byte of the file, and returns how long it is; 0: it is not whole.
func (p *parser) step(b []byte, at int64) int {
	switch {
	case p.version == 1:
		if p.gap.open {
			if n := p.resume(b, p.isChain1); n > 0 || p.gap.open {
				return n
			}
		}
		return p.event1(b, at)
	case p.gap.open && p.left > 0:
		if n := p.inBuffer(b[:min(int64(len(b)), p.left)]); n > 0 || p.gap.open {
			return n
		}
		return p.step(b, at)
	case p.gap.open:
		if n := p.resume(b, p.isBuffer); n > 0 || p.gap.open {
			return n
		}
	case p.skip > 0:
		n := min(p.skip, int64(len(b)))
		p.skip, p.left = p.skip-n, p.left-n
		return int(n)
	case p.left > 0:
		n := p.event3(b[:min(int64(len(b)), p.left)], at)
		p.left -= int64(n)
		return n
	case len(b) < bufferBytes:
		return 0
	case [bufferBytes]byte(b) == [bufferBytes]byte{}:
		p.d.b.Bad.Bad(trace.NULBytes, at)
		return bufferBytes
	case order.Uint32(b) > 0 && len(b) == bufferBytes:
		return 0
	case !p.mayBegin(b):
		p.lose(at, "no buffer begins")
		return 1
	}
	p.left = int64(order.Uint32(b))
	p.e = event{kind: threadSeen, key: key{tid: order.Uint32(b[4:]), pid: order.Uint32(b[8:])}, at: at}
	p.d.addEvent(&p.e)
	return bufferBytes
}

// checkHeader returns why a file that begins with b is unreadable. Without whole it skips fields beyond the end of b.
func checkHeader(b []byte, whole bool) error {
	if len(b) >= 8 {
		switch magic := order.Uint64(b); magic {
		case magicManual:
		case magicNative:
			return fmt.Errorf("byte 0: a trace of spall native/auto, which a compiler instrumented; Framescope reads " +
				"manual traces only")
		default:
			return fmt.Errorf("byte 0: magic number %#x instead of %#x", magic, magicManual)
		}
	}
	if len(b) >= 16 {
		if v := order.Uint64(b[8:]); v != 1 && v != 3 {
			return fmt.Errorf("byte 8: unknown version %d of Spall; Framescope reads versions 1 and 3", v)
		}
	}
	if len(b) < headerBytes && whole {
		return fmt.Errorf("byte %d: the file ends within its header of %d bytes", len(b), headerBytes)
	}
	if len(b) >= 24 {
		if unit := math.Float64frombits(order.Uint64(b[16:])); !(unit > 0) || math.IsInf(unit, 0) {
			return fmt.Errorf("byte 16: a tick of %v", unit)
		}
	}
	return nil
}

// read1 reads the event of version 1 with which b begins, and returns how long it is, which may be longer than b:
// then it has no texts. 0: b is too short to know; less: there is none.
func (e *event) read1(b []byte) (n int) {
	e.kind = kind(b[0])
	switch {
	case e.kind != begin && e.kind != end:
		return -1
	case e.kind == end && len(b) >= 17:
		e.key, e.when = key{order.Uint32(b[1:]), order.Uint32(b[5:])}, math.Float64frombits(order.Uint64(b[9:]))
		return 17
	case e.kind == begin && len(b) >= 20:
		e.key, e.when = key{order.Uint32(b[2:]), order.Uint32(b[6:])}, math.Float64frombits(order.Uint64(b[10:]))
		return e.texts(b, 18)
	}
	return 0
}

// texts takes the two texts of a begin, with their lengths at a byte of it, and returns their end.
func (e *event) texts(b []byte, at int) (n int) {
	first := at + 2 + int(b[at])
	if n = first + int(b[at+1]); n <= len(b) {
		e.name, e.args = b[at+2:first], b[first:n]
	}
	return n
}

// read3 reads an event of version 3 as read1 does. The ticks of a skip are the bytes that are passed over.
func (e *event) read3(b []byte) (n int) {
	e.kind = kind(b[0])
	switch {
	case !isEvent3(b[0]):
		return -1
	case e.kind == begin && len(b) >= 11:
		e.ticks = order.Uint64(b[1:])
		return e.texts(b, 9)
	case e.kind == end && len(b) >= 9:
		e.ticks = order.Uint64(b[1:])
		return 9
	case e.kind == skip && len(b) >= 5:
		e.ticks = uint64(order.Uint32(b[1:]))
		return 5
	case (e.kind == nameProcess || e.kind == nameThread) && len(b) >= 2:
		if n = 2 + int(b[1]); n <= len(b) {
			e.name = b[2:n]
		}
	}
	return n
}

// event1 takes an event of version 1.
func (p *parser) event1(b []byte, at int64) int {
	n := p.e.read1(b)
	switch {
	case n < 0:
		p.lose(at, fmt.Sprintf("an event of the unknown type %d", b[0]))
		return 1
	case n > len(b):
		return 0
	case n > 0:
		p.e.at = at
		p.d.addEvent(&p.e)
	}
	return n
}

// event3 takes an event of version 3, in a part b of its buffer. From an unknown event on, and from one that extends
// beyond it, the buffer is passed over up to the next events that are certain.
func (p *parser) event3(b []byte, at int64) int {
	e := &p.e
	n := e.read3(b)
	switch cut := n == 0 || n > len(b); {
	case n < 0:
		return p.leave(at, fmt.Sprintf("an event of the unknown type %d", b[0]))
	case cut && int64(len(b)) == p.left:
		return p.leave(at, "an event extends beyond the end of its buffer")
	case cut:
		return 0
	case e.kind == skip && int64(e.ticks) > p.left-int64(n):
		return p.leave(at, "a skip extends beyond the end of its buffer")
	case e.kind == skip:
		p.skip = int64(e.ticks)
	default:
		e.at = at
		p.d.addEvent(e)
	}
	return n
}

// leave passes over the unreadable rest of a buffer, from its next byte on.
func (p *parser) leave(at int64, why string) int {
	p.lose(at, why)
	if p.left == 1 {
		p.goOn("the rest of its buffer")
	}
	return 1
}

// inBuffer looks for where reading can go on in a buffer.
func (p *parser) inBuffer(b []byte) int {
	n := p.resume(b, func(rest []byte) (sure, short bool) {
		p.passed = int64(len(b) - len(rest))
		return p.isChain3(rest)
	})
	if p.left -= int64(n); p.left == 0 && p.gap.open {
		p.goOn("the rest of its buffer")
	}
	return n
}

// close ends the input.
func (p *parser) close() error {
	if p.version == 0 {
		return checkHeader(p.held, true)
	}
	switch {
	case p.gap.open && p.version == 1:
		p.d.b.Bad.Explain(trace.Unread, p.gap.at, "%s", p.gap.why)
		return nil
	case p.gap.open:
		p.goOn("the rest")
	}
	if len(p.held) > 0 || p.left > 0 {
		p.d.b.Bad.Bad(trace.Cut, p.at)
	}
	return nil
}
