package frametimes

import (
	"cmp"
	"math"
	"strconv"
	"strings"

	"framescope/model"
	"framescope/net/feed"
	"framescope/net/trace"
)

// Limits of a session.
const (
	maxSeries  = 1 << 14
	farNs      = 1_000_000_000        // how far behind the recording before it one more is shown
	wholeDays  = 20 * 24 * 3600 * 1e9 // a time beyond is none since a program began
	since2000  = 946_684_800 * int64(1e9)
	mostNumber = 1 << 53 // bounds frame numbers
	never      = math.MinInt64
)

// row is a row of the table.
type row struct {
	line, raw   int64 // its time as it is in the file, in ns
	at          int64 // its time: that of its begin or of its end
	length      int64
	begin, end  int64
	number      int64
	of          *stream
	known       bool      // its length is
	follows     bool      // no frame is missing before it, though numbers may be left out
	frame       bool      // it is a frame
	busy, wait  int64     // of the processor
	present     int64     // how long the call of Present took with which the frame ended
	gpu, gpuEnd int64     // from its begin, or of PresentMon 1 its end, on
	values      []float64 // of the layout's columns; NaN is missing
	kind        model.PathID
}

// decoder turns the rows of a table into batches.
type decoder struct {
	sink  feed.Sink
	room  *feed.Names
	names *trace.Table
	out   *trace.StackWriter
	l     *layout
	met   *survey
	info  model.Info
	main  *met // the stream that is looked at first
	bad   *trace.Diagnostics

	order  []*stream
	free   []*row
	series int

	waits    *row // of a table of one stream, until the next shows whether its time can be
	zeroed   bool
	zero     int64 // the time in the file at which the session is 0, and
	shift    int64 // added to the times of the current recording
	rebase   bool  // a recording begins
	last     int64 // time of the row before, in the file
	newest   int64 // the latest time of the session
	recorded int   // recordings in the table
	notes    map[string]int
}

// Notes about rows, with their number.
const (
	noLength = "%d rows have no frame time and do not count as frames; their other values are shown."
	before   = "%d rows have frames that began before the log: they do not count as frames."
	cut      = "%d frames are longer than the time since the frame before by more than half: the lanes cut off " +
		"the excess."
	gaps        = "%d times, the time between two rows is more than ten times the usual one: these are gaps, not frames."
	gpuOverlaps = "The GPU's times of %d frames begin before those of the frame above them ended: they are drawn " +
		"from there " +
		"on. The series have them in full."
	generated = "The driver, not the program, generated %d frames (FrameType): they have lines of their own, and do not " +
		"count as frames."
)

func newDecoder(sink feed.Sink, room *feed.Names, info model.Info, s *survey, bad *trace.Diagnostics) *decoder {
	d := &decoder{
		sink: sink, room: room, l: s.l, met: s, info: info, bad: bad, recorded: 1, newest: never, main: s.main(),
		notes: map[string]int{},
	}
	if d.main.app != "" {
		d.info.Program = trace.Shown(d.main.app)
		if pid, err := strconv.ParseInt(d.main.pid, 10, 64); err == nil && pid > 0 {
			d.info.PID = pid
		}
	}
	d.info.Version = s.l.version
	if s.l.head.kind == presentMon {
		d.info.Clock.StepNs = 100
	}
	sink.Define(d.info)
	d.names = trace.NewTable(sink, room, "All")
	d.out = trace.NewStackWriter(d.names, bad)
	for _, text := range s.l.notes {
		sink.Define(model.Warning{Text: text})
	}
	return d
}

// main is the stream with the most rows, of the desktop only where there is no other.
func (s *survey) main() *met {
	rank := func(m *met) int64 {
		if strings.EqualFold(m.app, "dwm.exe") {
			return 0
		}
		return m.rows
	}
	best := &met{}
	for i, m := range s.list {
		order := cmp.Or(cmp.Compare(rank(m), rank(best)), cmp.Compare(best.key, m.key))
		if i == 0 || order > 0 {
			best = m
		}
	}
	return best
}

// decodeRow decodes a row.
func (d *decoder) decodeRow(cells [][]byte, line int64) {
	r := d.row(cells, line)
	switch {
	case r == nil:
	case !d.l.has(application) && d.l.has(timeOf):
		d.believe(r)
	default:
		d.admit(r)
	}
}

// row reads a row, nil where it has no place.
func (d *decoder) row(cells [][]byte, line int64) *row {
	l := d.l
	raw, ok := d.time(l.cell(cells, timeOf))
	if !ok && l.has(timeOf) {
		d.bad.Bad(trace.BadTime, line)
		return nil
	}
	ns, known := l.instant(cells, length, l.scale)
	if known = known && l.possible(ns); !known {
		ns = 0
		switch absent := missing(l.cell(cells, length)); {
		case l.has(length) && (!absent || !l.has(timeOf)):
			d.bad.Bad(trace.BadLength, line)
		case l.has(length) && l.frames:
			d.notes[noLength]++
		}
		if !l.has(timeOf) {
			return nil
		}
	}
	s := d.stream(cells)
	if s == nil {
		d.bad.Bad(trace.ManyThreads, line)
		return nil
	}
	r := d.reuse()
	*r = row{line: line, raw: raw, length: ns, known: known, of: s, values: r.values[:0]}
	if n, ok := l.instant(cells, number, 0); ok && n < mostNumber {
		r.number = n
	}
	r.follows = string(l.cell(cells, gap)) == "0"
	s.measure(r, cells)
	return r
}

// reuse returns a row that is not used any more.
func (d *decoder) reuse() *row {
	n := len(d.free)
	if n == 0 {
		return &row{}
	}
	r := d.free[n-1]
	d.free = d.free[:n-1]
	return r
}

// time returns the time of a row as it is in the file, in ns.
func (d *decoder) time(cell []byte) (ns int64, ok bool) {
	c := &d.l.time
	if c.date {
		return parseDate(cell)
	}
	ns, ok = instant(cell, c.scale, d.l.head.comma)
	if ok && c.ticks {
		seconds, rest := ns/c.hz, ns%c.hz
		return seconds*1e9 + (rest*1e9+c.hz/2)/c.hz, seconds < trace.MaxTime/1_000_000_000
	}
	return ns, ok
}

// believe takes a row of a table of one stream. Its time can't be where it is not between those of the rows around
// it, and these are in order.
func (d *decoder) believe(r *row) {
	w := d.waits
	d.waits = r
	switch {
	case w == nil:
	case d.zeroed && r.raw > d.last && (w.raw < d.last || w.raw > r.raw), !d.zeroed && w.raw > r.raw:
		d.bad.Bad(trace.BadTime, w.line)
	default:
		d.admit(w)
	}
}

// letWait admits the row that waits.
func (d *decoder) letWait() {
	if w := d.waits; w != nil {
		d.waits = nil
		d.admit(w)
	}
}

// admit puts a row in its place.
func (d *decoder) admit(r *row) {
	l, s := d.l, r.of
	if !l.has(timeOf) {
		r.at, r.begin = s.sum, s.sum
		s.sum = min(s.sum+r.length, maxNs)
	} else {
		r.at = d.place(r.raw)
		if r.begin = r.at; l.time.end {
			r.begin -= r.length
		}
	}
	r.end, r.frame = r.begin+r.length, r.known && l.frames
	base := r.begin
	if l.has(gpuTill) {
		base = r.end
	}
	r.gpu, r.gpuEnd = base+r.gpu, base+r.gpuEnd
	if l.head.kind == mangoHud && r.frame && r.begin < 0 && d.recorded == 1 {
		r.begin, r.frame = r.end, false // it goes on from before the log
		d.notes[before]++
	}
	if !l.frames && l.time.end {
		r.begin = r.end
	}
	d.newest = max(d.newest, r.end)
	s.addRow(r)
}

// place returns a time of the file as one of the session. A step back begins another recording.
func (d *decoder) place(raw int64) int64 {
	switch {
	case !d.zeroed:
		d.zeroed = true
		if d.l.time.ticks || raw > wholeDays || raw < -wholeDays {
			d.zero = raw
		}
		if raw > since2000 {
			d.info.ZeroAt = model.DayTime{UnixNs: d.zero, By: model.ByLocal}
			d.sink.Define(d.info)
		}
	case !d.l.has(application) && raw < d.last:
		d.begin()
	}
	d.last = raw
	at := raw - d.zero
	if d.rebase {
		d.rebase = false
		if at+d.shift < d.newest {
			d.shift = min(d.newest+farNs-at, maxNs)
		}
	}
	return min(max(at+d.shift, -maxNs), maxNs)
}

// restart begins another recording, if there was one.
func (d *decoder) restart() {
	d.letWait()
	d.begin()
}

func (d *decoder) begin() {
	if !d.zeroed || d.rebase {
		return
	}
	d.rebase = true
	d.recorded++
	for _, s := range d.order {
		s.end()
	}
}

// idle publishes the frames that wait for neighbours, except those without a known end.
func (d *decoder) idle() {
	d.letWait()
	for _, s := range d.order {
		s.release(0)
	}
	d.out.Flush()
}

// close publishes all rows and reports the losses.
func (d *decoder) close() {
	d.letWait()
	unshown, rows := 0, 0
	for _, s := range d.order {
		s.end()
		if s.unshown > 0 {
			unshown, rows = unshown+s.unshown, rows+s.rows
		}
	}
	for _, text := range [...]string{noLength, before, cut, gaps, gpuOverlaps, generated} {
		if n := d.notes[text]; n > 0 {
			trace.Warn(d.sink, text, n)
		}
	}
	if d.recorded > 1 {
		trace.Warn(d.sink, "The table has %d recordings with separate times: each is shown a second after the one before.",
			d.recorded)
	}
	if unshown > 0 {
		by := d.l.values[len(d.l.values)-1].at // they are the last column
		trace.Warn(d.sink, "%d of %d frames were not shown, by the column %s.", unshown, rows,
			trace.Shown(d.l.head.names[by]))
	}
	d.bad.BadN(trace.NoMemoryForNames, d.names.Refused, trace.Unknown)
	d.bad.Define(d.sink.Define, d.room)
}
