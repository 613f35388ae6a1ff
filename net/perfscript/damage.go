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

// wasFrame reports whether a line of a stack, whose address can't be read, looks like a frame all the same: it has a
// DSO, as those have that perf prints, and is no place of the source.
func wasFrame(line []byte) bool {
	return line[0] == '\t' && line[len(line)-1] == ')' && bytes.Contains(line, []byte(" ("))
}

// leap is how far a time may be behind all before it, in ns, before it is believed: the next must be there, too.
const leap = 60e9

// leapt is a sample whose time is that far behind the others, and waits for the next.
type leapt struct {
	sample
	stack []model.PathID
	is    bool
	line  int64
}

// believe queues a sample, whose stack is what was put into pending last. One digit that is wrong makes a time that
// is far behind all others: such a sample waits for the next, and is left out where that is not there.
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
