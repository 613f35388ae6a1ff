package perfscript

import (
	"bytes"
	"slices"
	"unicode/utf8"

	"framescope/model"
	"framescope/net/trace"
)

// fewPlaced are the frames with a DSO after which one without is damaged: perf prints it of all or of none.
const fewPlaced = 8

// places counts frames with a DSO and without.
type places struct{ with, without int }

// damaged reports whether a line that reads as a frame was overwritten: control characters stand in it, tabs among
// them, its symbol is no UTF-8, or it has no DSO as nearly all before it.
func (p *places) damaged(line []byte, f *frame) bool {
	if spoilt(unindented(line)) || !utf8.Valid(f.symbol) {
		return true
	}
	if f.placed {
		p.with++
		return false
	}
	if p.with >= fewPlaced*(1+p.without) {
		return true
	}
	p.without++
	return false
}

// spoilt reports whether control characters stand in a text, which perf prints none of.
func spoilt(b []byte) bool {
	return trace.Control(b) >= 0 || bytes.IndexByte(b, '\t') >= 0 || bytes.IndexByte(b, '\r') >= 0
}

// wasFrame reports whether a line of a stack with an unreadable address still looks like a frame: it
// has a DSO, as perf prints it, and is not a source line.
func wasFrame(line []byte) bool {
	return line[0] == '\t' && line[len(line)-1] == ')' && bytes.Contains(line, []byte(" ("))
}

// leap is how far a time may be behind all before it, in ns, before it is believed: the next must be there, too.
const leap = 60e9

// leapt is a sample with a time far behind the others that waits for the next sample.
type leapt struct {
	sample
	stack []model.PathID
	is    bool
	line  int64
}

// believe queues a sample with the stack put into pending last. One wrong digit makes a time far
// behind all others: such a sample waits for the next one to confirm it, and is left out otherwise.
func (d *decoder) believe(s sample) {
	far := &d.leapt
	if far.is {
		if far.is = false; s.at < far.at-leap/2 {
			d.astray.Add(far.line)
		} else {
			own := slices.Clone(d.pending[s.from:])
			d.pending = d.pending[:s.from]
			d.queueLeapt()
			s.from = len(d.pending)
			d.pending = append(d.pending, own...)
		}
	}
	if d.newestAt > 0 && s.at > d.newestAt+leap {
		far.sample, far.stack, far.is, far.line = s, append(far.stack[:0], d.pending[s.from:]...), true, d.lines.N
		d.pending = d.pending[:s.from]
		return
	}
	d.queue(s)
}

// queueLeapt queues the sample that waits for the next.
func (d *decoder) queueLeapt() {
	s := d.leapt.sample
	d.leapt.is = false
	s.from = len(d.pending)
	d.pending = append(d.pending, d.leapt.stack...)
	d.queue(s)
}
