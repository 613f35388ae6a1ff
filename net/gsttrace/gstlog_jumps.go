package gsttrace

import (
	"cmp"
	"math"
	"slices"
)

// Times of a process count from its initialisation of GStreamer, and never jump. But one damaged number would
// stretch a recording over years, and make every value per second useless. So a line far in time from the previous
// one of its process waits for the next one, like frames of other formats: if that is near it, both enter; else it
// is unreadable.

// farNs is how far apart two lines that follow each other may be without one more that confirms it:
// programs are silent for hours.
const farNs = 24 * 3600 * 1e9

// maxClocks is the limit of processes with compared times.
const maxClocks = 1 << 10

// Jumped is the reason of a line with a jump in time.
const Jumped = "its time is more than a day from the others', and no other line confirms it"

// gstlogClock is the time of one process.
type gstlogClock struct {
	pid    uint64
	lastNs int64 // of its newest line that entered
	any    bool  // one did
	held   *heldLine
}

// heldLine is a line that waits for the next one of its process, with the lines behind it that
// continue it.
type heldLine struct {
	text   []byte // without colours
	more   []heldMore
	size   int // of more
	offset int64
	number int64
	timeNs int64
}

// heldMore is a line that does not begin with a time.
type heldMore struct {
	offset int64
	text   []byte
}

// far reports whether two times are too far apart.
func far(a, b int64) bool { return max(a, b)-min(a, b) > farNs }

// near reports whether the entry of line may enter now. Else it is held.
func (r *LogReader) near(line []byte) bool {
	e := &r.entry
	c := r.clock
	if c == nil || c.pid != e.PID {
		c = r.clockOf(e.PID, line)
		r.clock = c
	}
	if h := c.held; h != nil {
		c.held = nil
		if far(h.timeNs, e.TimeNs) {
			r.drop(h)
		} else {
			c.lastNs, c.any = h.timeNs, true
			r.aside(line, func() { r.enter(h) })
		}
	}
	if !far(c.lastNs, e.TimeNs) {
		c.lastNs, c.any = e.TimeNs, true
		return true
	}
	c.held = &heldLine{text: append([]byte(nil), line...), offset: e.Offset, number: e.Line, timeNs: e.TimeNs}
	r.held = c.held
	return false
}

// clockOf returns the clock of a process, a new one if need be.
func (r *LogReader) clockOf(pid uint64, line []byte) *gstlogClock {
	if c := r.clocks[pid]; c != nil {
		return c
	}
	if len(r.clocks) >= maxClocks {
		r.aside(line, r.dropHeld)
		clear(r.clocks)
	}
	c := &gstlogClock{pid: pid}
	r.clocks[pid] = c
	return c
}

// aside calls fn, which reads other lines, while the entry is that of a line.
func (r *LogReader) aside(line []byte, fn func()) {
	e := r.entry
	fn()
	r.entry = e
	_, next := scanTime(line)
	scanHeader(line, next, &r.entry)
}

// enter reads a line that was held.
func (r *LogReader) enter(h *heldLine) {
	e := &r.entry
	_, next := scanTime(h.text)
	scanHeader(h.text, next, e)
	e.Offset, e.Line, e.TimeNs = h.offset, h.number, h.timeNs
	r.entered(h.text, false)
	for _, m := range h.more {
		r.untimed(m.offset, m.text)
	}
	r.flush("")
}

// drop leaves out a held line and reports it.
func (r *LogReader) drop(h *heldLine) {
	r.unreadable(h.offset, h.text, Jumped)
	for _, m := range h.more {
		r.foreign(m.offset, m.text)
	}
}

// dropHeld ends the held lines: a log with nothing else keeps them.
func (r *LogReader) dropHeld() {
	var all []*gstlogClock
	alone := true
	for _, c := range r.clocks {
		alone = alone && !c.any
		if c.held != nil {
			all = append(all, c)
		}
	}
	slices.SortFunc(all, func(a, b *gstlogClock) int { return cmp.Compare(a.held.offset, b.held.offset) })
	r.held = nil
	for _, c := range all {
		if alone {
			r.enter(c.held)
		} else {
			r.drop(c.held)
		}
		c.held = nil
	}
}

// add takes a line without a time behind a held one. ok is false if that would be too much.
func (h *heldLine) add(offset int64, line []byte, most int) (ok bool) {
	if len(h.text)+h.size+len(line)+1 > most {
		return false
	}
	h.size += len(line) + 1
	h.more = append(h.more, heldMore{offset, append([]byte(nil), line...)})
	return true
}

// Time returns the time of an entry's event, in ns: told, if that is a time of the same clock as the line's, else
// the line's.
func (e *LogEntry) Time(told uint64) int64 {
	if told > math.MaxInt64 || far(int64(told), e.TimeNs) {
		return e.TimeNs
	}
	return int64(told)
}
