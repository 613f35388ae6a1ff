package perfscript

import "bytes"

// handler receives the output of a parser.
type handler interface {
	// begin takes the header of a sample, with bytes that are valid until it returns; the frames
	// follow, the innermost first.
	begin(h *header)
	frame(f *frame)
	end()
	comment(line []byte)
	lost(n int64)
	odd()         // a line that is nothing of all that
	harmed()      // a line of a stack that is damaged: an unknown frame stands for it
	harmedFirst() // the header of a sample is: the sample is left out
}

// parser goes from line to line.
type parser struct {
	to   handler
	h    header
	f    frame
	open bool   // frames may follow
	held []byte // a line that is a header without a time if a frame follows
	kept header
	places
}

// line takes a line.
func (p *parser) line(b []byte) {
	trimmed := unindented(b)
	switch {
	case len(trimmed) == 0:
		p.close()
		return
	case trimmed[0] == '#' && !p.open:
		p.close()
		p.to.comment(trimmed)
		return
	}
	if p.open && (b[0] == '\t' || blank(b[0])) {
		// A header may be indented, too, where stacks are not set off by tabs.
		if b[0] != '\t' && p.h.parse(b) {
			p.sample()
			return
		}
		p.inStack(b, trimmed)
		return
	}
	if len(p.held) > 0 && blank(b[0]) && p.f.parse(b) {
		// That was a sample: header without a time, and this is its innermost frame.
		p.open = true
		if p.kept.timeless(p.held); spoilt(p.held) {
			p.to.harmedFirst()
		} else {
			p.to.begin(&p.kept)
		}
		p.held = p.held[:0]
		p.take(b)
		return
	}
	if p.h.parse(b) {
		p.sample()
		return
	}
	if p.isNote(b) {
		return
	}
	if p.open && (spoilt(trimmed) || !bytes.HasPrefix(trimmed, lostWord) && !p.kept.timeless(b)) { // what follows belongs to the stack
		p.to.odd()
		return
	}
	p.close()
	switch {
	case p.isLost(trimmed):
	case p.kept.timeless(b):
		p.held = append(p.held, b...)
	default:
		p.to.odd()
	}
}

// inStack takes a line below the header of a sample.
func (p *parser) inStack(b, trimmed []byte) {
	switch {
	case p.f.parse(b):
		p.take(b)
	case wasFrame(b):
		p.harmed()
	case b[0] == '\t' || spoilt(trimmed) || !isPlace(trimmed):
		p.to.odd()
	}
}

// isNote takes lines that are no part of a sample and say so: warnings, and records of tasks without a time.
func (p *parser) isNote(b []byte) bool {
	if bytes.HasPrefix(b, []byte("Warning:")) {
		return true
	}
	at := bytes.Index(b, []byte(" PERF_RECORD_"))
	if at < 0 || spoilt(b) {
		return false
	}
	p.isLost(b[at+len(" PERF_RECORD_"):])
	return true
}

// take takes the frame that was read of a line.
func (p *parser) take(line []byte) {
	if p.damaged(line, &p.f) {
		p.harmed()
		return
	}
	p.to.frame(&p.f)
}

// harmed puts an unknown frame in the place of a damaged one.
func (p *parser) harmed() {
	p.to.harmed()
	p.f = frame{symbol: []byte("[unknown]")}
	p.to.frame(&p.f)
}

// sample takes the header of a sample, which has its only frame behind it if it is all in a line.
func (p *parser) sample() {
	p.close()
	if record, ok := bytes.CutPrefix(p.h.rest, []byte("PERF_RECORD_")); ok {
		if bytes.HasPrefix(record, lostWord) {
			p.isLost(record)
		}
		return
	}
	if bytes.HasPrefix(p.h.event, []byte("PERF_RECORD_")) {
		return
	}
	p.open = true
	if spoilt(p.h.comm) || spoilt(p.h.event) || bytes.IndexByte(p.h.rest, 0) >= 0 {
		p.to.harmedFirst()
		return
	}
	line := p.h.rest
	single := len(line) > 0 && p.f.parse(line) && (len(p.f.symbol) > 0 || len(p.h.event) > 0 && !isPoint(p.h.event))
	if single {
		p.h.rest = nil
	}
	p.to.begin(&p.h)
	if single {
		p.take(line)
	}
}

// close ends the open sample.
func (p *parser) close() {
	if len(p.held) > 0 {
		p.held = p.held[:0]
		p.to.odd()
	}
	if p.open {
		p.open = false
		p.to.end()
	}
}

// lostWord begins a line about events that perf lost.
var lostWord = []byte("LOST")

// isLost takes "LOST 12 events!" and the like.
func (p *parser) isLost(b []byte) bool {
	if !bytes.HasPrefix(b, lostWord) {
		return false
	}
	for len(b) > 0 && !digit(b[0]) {
		b = b[1:]
	}
	n := 0
	for n < len(b) && digit(b[n]) {
		n++
	}
	p.to.lost(max(number(b[:n]), 1))
	return true
}

// isPlace reports whether a line says where in the source the frame above is: file.c:13, or game[4f0], game+0x4f0
// where perf does not know.
func isPlace(b []byte) bool {
	if len(withoutOffset(b)) < len(b) {
		return true
	}
	if n := len(b) - 1; b[n] == ']' && n > 1 && hexDigit(b[n-1]) {
		for n > 0 && hexDigit(b[n-1]) {
			n--
		}
		return n > 1 && b[n-1] == '['
	}
	at := bytes.LastIndexByte(b, ':')
	return at > 0 && at+1 < len(b) && (digit(b[at+1]) || b[at+1] == '-' || b[at+1] == '?')
}
