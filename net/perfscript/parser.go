package perfscript

import (
	"bytes"

	"framescope/net/trace"
)

// lineKind is what a line is.
type lineKind uint8

const (
	noLine    lineKind = iota // that is part of a sample, or says anything
	placeLine                 // where in the source the frame above is
	emptyLine                 // ends a sample
	comment
	sampleLine // a header, in parser.h; its only frame is behind it where parser.single is set
	frameLine  // in parser.f; it follows a header without a time, in parser.h, where parser.first is set
	lostLine   // perf lost parser.lost events
	badLine
)

// parser goes from line to line.
type parser struct {
	h      header
	f      frame
	single bool
	first  bool
	lost   int64
	open   bool   // frames may follow
	placed int    // frames with a DSO,
	bare   int    // and without
	held   []byte // a line that is a header without a time if a frame follows
}

// framed reports whether there were frames.
func (p *parser) framed() bool { return p.placed+p.bare > 0 }

// read reads a line.
func (p *parser) read(b []byte) lineKind {
	trimmed := pastBlanks(b)
	p.first = false
	switch {
	case len(trimmed) == 0:
		return p.end()
	case trace.Control(b) >= 0:
		return badLine
	case trimmed[0] == '#' && !p.open:
		return comment
	case blank(b[0]) && len(p.held) > 0 && p.f.parse(b):
		p.first = p.h.timeless(p.held)
		p.held, p.open = p.held[:0], true
		return p.frame()
	case p.open && blank(b[0]):
		return p.inStack(b, trimmed)
	case p.h.parse(b):
		return p.sample()
	}
	return p.other(b, trimmed)
}

// end ends what a line above began. A header without a time is none if no frame follows.
func (p *parser) end() lineKind {
	p.open = false
	if len(p.held) > 0 {
		p.held = p.held[:0]
		return badLine
	}
	return emptyLine
}

// inStack reads an indented line below the header of a sample. A header may be indented, too, where stacks are not set
// off by tabs.
func (p *parser) inStack(b, trimmed []byte) lineKind {
	switch {
	case b[0] != '\t' && p.h.parse(b):
		return p.sample()
	case p.f.parse(b):
		return p.frame()
	case b[0] != '\t' && place.Match(trimmed):
		return placeLine
	}
	return badLine
}

// fewPlaced are the frames with a DSO after which one without is damaged: perf prints it of all or of none.
const fewPlaced = 8

// frame counts a frame.
func (p *parser) frame() lineKind {
	switch {
	case p.f.dso != nil:
		p.placed++
	case p.placed >= fewPlaced*(1+p.bare):
		return badLine
	default:
		p.bare++
	}
	return frameLine
}

// sample reads what the header of a sample has behind it.
func (p *parser) sample() lineKind {
	prefix := []byte("PERF_RECORD_")
	if record, ok := bytes.CutPrefix(p.h.rest, prefix); ok || bytes.HasPrefix(p.h.event, prefix) {
		p.open = false
		return p.record(record)
	}
	p.held, p.open = p.held[:0], true
	p.single = p.f.parse(p.h.rest) && (len(p.f.symbol) > 0 || len(p.h.event) > 0 && !isPoint(p.h.event))
	if p.single {
		p.h.rest = nil
		p.frame()
	}
	return sampleLine
}

// record reads a record that is no sample.
func (p *parser) record(b []byte) lineKind {
	if !bytes.HasPrefix(b, []byte("LOST")) {
		return noLine
	}
	b = bytes.TrimLeftFunc(b, func(r rune) bool { return r < '0' || r > '9' })
	digits := len(b) - len(bytes.TrimLeft(b, "0123456789"))
	n, _ := number(b[:digits], 18)
	p.lost = max(n, 1)
	return lostLine
}

// other reads a line that begins none of these: warnings, "LOST 12 events!", records of tasks without a time, and maybe
// the header of a sample without a time.
func (p *parser) other(b, trimmed []byte) lineKind {
	if at := bytes.Index(b, []byte(" PERF_RECORD_")); at >= 0 {
		return p.record(b[at+len(" PERF_RECORD_"):])
	}
	switch {
	case bytes.HasPrefix(b, []byte("Warning:")):
		return noLine
	case bytes.HasPrefix(trimmed, []byte("LOST")):
		p.open = false
		return p.record(trimmed)
	case p.h.timeless(b):
		kind := p.end()
		p.held = append(p.held, b...)
		return kind
	}
	return badLine
}
