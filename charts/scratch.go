package charts

import "unsafe"

// scratchText lets a byte buffer be drawn or measured without a copy. The string is only valid until the buffer is written again, so it must never be kept.
func scratchText(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }

// cachedText is a title that is made anew only when it changed, so that asking for it every tick allocates nothing.
type cachedText struct{ text string }

// set returns b as a string.
func (t *cachedText) set(b []byte) string {
	if t.text != string(b) { // the comparison does not allocate
		t.text = string(b)
	}
	return t.text
}

// tipLines collects the lines of a tooltip in one buffer, without allocation in steady state. The lines are valid until the next begin.
type tipLines struct {
	buf   []byte
	ends  []int
	lines []string
}

// begin forgets the lines before.
func (t *tipLines) begin() { t.buf, t.ends = t.buf[:0], t.ends[:0] }

// end finishes a line whose text was appended to buf.
func (t *tipLines) end() { t.ends = append(t.ends, len(t.buf)) }

// add adds a constant line.
func (t *tipLines) add(s string) {
	t.buf = append(t.buf, s...)
	t.end()
}

// all returns the lines.
func (t *tipLines) all() []string {
	t.lines = t.lines[:0]
	from := 0
	for _, to := range t.ends {
		t.lines = append(t.lines, scratchText(t.buf[from:to]))
		from = to
	}
	return t.lines
}
