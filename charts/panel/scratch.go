package panel

import (
	"slices"
	"unsafe"

	"framescope/charts/format"
)

// ScratchText lets a byte buffer be drawn or measured without a copy. The string is only valid
// until the buffer is written again, so it must never be kept.
func ScratchText(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }

// CachedText is a title that is made anew only when it changed, so that a call in every tick
// allocates nothing. Append to New, and pass the result to Set.
type CachedText struct {
	text string
	buf  []byte
}

// New returns an empty buffer, in memory that the text keeps.
func (t *CachedText) New() []byte { return t.buf[:0] }

// Set returns b as a string.
func (t *CachedText) Set(b []byte) string {
	t.buf = b
	if t.text != string(b) { // the comparison does not allocate
		t.text = string(b)
	}
	return t.text
}

// TipLines collects the lines of a tooltip in one buffer, without allocation in steady state. The
// lines are valid until the next begin.
type TipLines struct {
	Buf   []byte
	Ends  []int
	lines []string
	none  *TipLines // takes what does not hold, see If
	times []tipTime
}

// tipTime is a time at the begin of the right column of a tooltip.
type tipTime struct {
	line, from, to int // to: the end of its text in Buf
	ns             int64
}

// Begin forgets the lines before.
func (t *TipLines) Begin() { t.Buf, t.Ends, t.times = t.Buf[:0], t.Ends[:0], t.times[:0] }

// End finishes the line appended to buf.
func (t *TipLines) End() { t.Ends = append(t.Ends, len(t.Buf)) }

// If returns the lines where something holds, else others, which nobody reads: what is added to the result is
// there only then.
func (t *TipLines) If(holds bool) *TipLines {
	if holds {
		return t
	}
	if t.none == nil {
		t.none = new(TipLines)
	}
	t.none.Begin()
	return t.none
}

// Add adds a constant line.
func (t *TipLines) Add(s string) {
	t.Buf = append(t.Buf, s...)
	t.End()
}

// Duration appends a time.
func (t *TipLines) Duration(ns int64) *TipLines {
	from := len(t.Buf)
	t.Buf = format.AppendDuration(t.Buf, ns)
	if from > 0 && t.Buf[from-1] == '\t' {
		t.times = append(t.times, tipTime{len(t.Ends), from, len(t.Buf), ns})
	}
	return t
}

// shareUnit writes the times of the right column in the unit of the greatest.
func (t *TipLines) shareUnit() {
	greatest := int64(0)
	for _, x := range t.times {
		greatest = max(greatest, x.ns, -x.ns)
	}
	for _, x := range slices.Backward(t.times) {
		var text [32]byte
		as := format.AppendBeside(text[:0], x.ns, greatest)
		t.Buf = slices.Replace(t.Buf, x.from, x.to, as...)
		for i := x.line; i < len(t.Ends); i++ {
			t.Ends[i] += len(as) - (x.to - x.from)
		}
	}
	t.times = t.times[:0]
}

// All returns the lines.
func (t *TipLines) All() []string {
	t.shareUnit()
	t.lines = t.lines[:0]
	from := 0
	for _, to := range t.Ends {
		t.lines = append(t.lines, ScratchText(t.Buf[from:to]))
		from = to
	}
	return t.lines
}
