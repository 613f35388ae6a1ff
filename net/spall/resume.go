package spall

import (
	"math"

	"framescope/net/trace"
)

// Behind a place that can't be read, reading goes on where so many whole events follow one another. Those of version 1
// belong to known processes, so fewer are enough; those of version 3 follow in order of time, or end their buffer.
const (
	sure1   = 4
	sure3   = 8
	sureEnd = 2 // up to the end of a buffer
)

// gap is a place that can't be read. The zero value is none.
type gap struct {
	open bool
	at   int64
	why  string
}

// lose begins a gap at a byte of the file.
func (p *parser) lose(at int64, why string) { p.gap = gap{true, at, why} }

// goOn ends the gap, where reading goes on or the buffer ends.
func (p *parser) goOn(words string) {
	p.d.b.Bad.Explain(trace.Gap, p.gap.at, "%s: %s", p.gap.why, words)
	p.gap = gap{}
}

// resume looks for the first byte of b at which reading can go on, and returns how many bytes stand before it; 0: more
// is needed to know, or the gap is over.
func (p *parser) resume(b []byte, check func(b []byte) (sure, short bool)) int {
	for i := range b {
		sure, short := check(b[i:])
		if sure {
			p.goOn("all up to the next whole events")
		}
		if sure || short {
			return i
		}
	}
	return len(b)
}

// isChain1 reports whether b begins with whole events of version 1; short means that b is too short to decide.
func (p *parser) isChain1(b []byte) (sure, short bool) {
	for range sure1 {
		if len(b) == 0 {
			return false, true
		}
		var e event
		n := e.read1(b)
		switch {
		case n < 0 || n > 0 && (!(e.when >= p.d.clock.when) || math.IsInf(e.when, 0) || !p.d.pids[e.key.pid]):
			return false, false
		case n == 0 || n > len(b):
			return false, true
		}
		b = b[n:]
	}
	return true, false
}

// isChain3 does that for events of version 3, in a part b of their buffer.
func (p *parser) isChain3(b []byte) (sure, short bool) {
	whole := int64(len(b)) == p.left-p.passed
	last := p.d.clock.ticks
	for i := range sure3 {
		if len(b) == 0 {
			return whole && i >= sureEnd, !whole
		}
		var e event
		n := e.read3(b)
		switch {
		case e.kind != begin && e.kind != end, n > 0 && (e.ticks < last || e.ticks-p.d.clock.ticks > math.MaxInt64/2):
			return false, false
		case n == 0 || n > len(b):
			return false, !whole
		}
		last, b = e.ticks, b[n:]
	}
	return true, false
}

// isBuffer reports whether b begins with the header of a buffer of a thread that is known, and an event.
func (p *parser) isBuffer(b []byte) (sure, short bool) {
	if len(b) <= bufferBytes {
		return false, true
	}
	known := p.d.threads[key{tid: order.Uint32(b[4:]), pid: order.Uint32(b[8:])}] != nil
	return known && order.Uint32(b) > 0 && isEvent3(b[bufferBytes]), false
}

// mayBegin reports whether the header of a buffer at the begin of b can be one: an event follows, or the process is
// known.
func (p *parser) mayBegin(b []byte) bool {
	return order.Uint32(b) > 0 && isEvent3(b[bufferBytes]) || len(p.d.threads) == 0 || p.d.pids[order.Uint32(b[8:])]
}

func isEvent3(b byte) bool {
	switch kind(b) {
	case begin, end, skip, nameProcess, nameThread:
		return true
	}
	return false
}
