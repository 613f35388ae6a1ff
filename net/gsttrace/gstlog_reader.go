package gsttrace

import (
	"bytes"
	"maps"
	"slices"

	"framescope/model"
	"framescope/net/trace"
)

const (
	// maxEntry bounds an entry of several lines, in bytes.
	maxEntry = 8 << 20
	// maxShown is how much of an unreadable text is handed over.
	maxShown = 1024
	// farNs is how far apart two lines that follow each other may be without one more that confirms it:
	// programs are silent for hours.
	farNs = 24 * 3600 * 1e9
	// maxClocks is the limit of processes with compared times.
	maxClocks = 1 << 10
)

// LogReader takes a log apart, from anywhere in it on. Nothing marks that a line continues the message before, so an
// entry waits until another one begins; a record is complete as soon as it fits a layout.
type LogReader struct {
	h      Handler
	lines  trace.Cutter
	counts Counts
	book   classBook

	entry     LogEntry
	buf       []byte // the entry, without colors
	head      int    // length of buf before the message
	waits     bool   // the entry may continue
	candidate bool   // it looks like a tracer record
	tried     int    // bytes that were looked at in vain for a record
	prefix    []byte // of the line before: another program wrote it
	cut       bool   // the entry is at the end of the log, and has no line end

	rec    Record
	values []Value
	text   []byte // unquoted values of a record

	clocks map[uint64]*clockOfLines // by process
	clock  *clockOfLines            // of the newest line
	alone  bool                     // the log has ended, and no line entered

	colored bool // the first line had colors
}

// clockOfLines is the time of one process. It counts from its initialisation of GStreamer, and never jumps.
type clockOfLines struct {
	pid uint64
	trace.Jumps[heldLine]
}

// heldLine is a line that waits: its text, its time and its number.
type heldLine struct {
	LogEntry
	text []byte
}

// NewLogReader makes a reader that calls h.
func NewLogReader(h Handler) *LogReader {
	r := &LogReader{
		h: h, book: classBook{byName: map[string][]*Class{}}, text: make([]byte, 0, 256),
		clocks: map[uint64]*clockOfLines{},
	}
	r.lines.Take = r.line
	r.lines.Long = func() {
		r.flush()
		r.counts.Lines++
		r.unreadable(trace.LongLine, r.lines.N, nil)
	}
	return r
}

// Counts returns the counts so far.
func (r *LogReader) Counts() Counts {
	c := r.counts
	c.NULs, c.CutLast = r.lines.NULs, r.lines.Unended
	return c
}

// Write takes the next bytes of the log, cut anywhere. It always takes all and returns no error; p
// is not kept.
func (r *LogReader) Write(p []byte) (int, error) {
	r.counts.Bytes += int64(len(p))
	r.lines.Write(p)
	return len(p), nil
}

// Idle passes on complete entries although no later line has come: call it when a live log has been silent for a
// moment. A line without line end is kept, and so is an incomplete record.
func (r *LogReader) Idle() {
	if !r.candidate {
		r.flush()
	}
}

// Close passes on the rest.
func (r *LogReader) Close() {
	r.lines.Close()
	r.flush()
	r.endClocks()
}

// line takes a line.
func (r *LogReader) line(line []byte) {
	if r.counts.Lines++; r.counts.Lines == 1 {
		r.colored = bytes.IndexByte(line, esc) >= 0
	}
	timeNs, next := scanTime(line)
	if next > 0 {
		r.prefix = r.prefix[:0]
	} else if line = r.withoutPrefix(line); line != nil {
		timeNs, next = scanTime(line)
	}
	switch {
	case line == nil:
		return
	case next == 0:
		r.untimed(line)
		return
	}
	r.flush()
	r.cut = r.lines.Unended
	r.buf = stripColors(r.buf[:0], line)
	e := &r.entry
	e.Line, e.TimeNs, e.Size, e.Colored = r.lines.N, timeNs, len(line)+1, len(r.buf) < len(line)
	if !scanHeader(r.buf, next, e) {
		r.unreadable(trace.BadLine, e.Line, r.buf)
	} else if r.isNear() {
		r.addEntry()
	}
}

// withoutPrefix cuts what stands before each line of the log off a line. Where lines have that and this one does not,
// it is foreign, and nil.
func (r *LogReader) withoutPrefix(line []byte) []byte {
	if n := len(r.prefix); n > 0 && isLike(line, r.prefix) {
		return line[n:]
	}
	n := prefixOf(line)
	switch {
	case n > 0:
		r.prefix = append(r.prefix[:0], line[:n]...)
	case len(r.prefix) > 0:
		r.counts.Untimed++
		r.flush()
		r.foreign(line)
		return nil
	}
	return line[n:]
}

// isNear reports whether the entry may enter now, by its time. Else it is held.
func (r *LogReader) isNear() bool {
	e := &r.entry
	c := r.clock
	if c == nil || c.pid != e.PID {
		if c = r.clockOf(e.PID); c == nil {
			return true
		}
		r.clock = c
	}
	if c.Admits(e.TimeNs) {
		return true
	}
	c.Hold(e.TimeNs, heldLine{*e, bytes.Clone(r.buf)})
	return false
}

// clockOf returns the clock of a process; nil where there is no room for one.
func (r *LogReader) clockOf(pid uint64) *clockOfLines {
	c := r.clocks[pid]
	if c == nil && len(r.clocks) < maxClocks {
		c = &clockOfLines{pid, trace.Jumps[heldLine]{Far: farNs, Most: 1, Enter: r.enter, Lost: r.leave}}
		c.Start(0)
		r.clocks[pid] = c
	}
	return c
}

// enter lets a line enter that was held.
func (r *LogReader) enter(line heldLine) {
	r.flush()
	r.buf = append(r.buf[:0], line.text...)
	_, next := scanTime(r.buf)
	scanHeader(r.buf, next, &r.entry)
	e := &r.entry
	e.Line, e.TimeNs, e.Size, e.Colored = line.Line, line.TimeNs, line.Size, line.Colored
	r.addEntry()
}

// leave leaves out a line that was held, unless the log has nothing else.
func (r *LogReader) leave(line heldLine, _ int64) {
	if r.alone {
		r.enter(line)
		r.flush()
		return
	}
	r.unreadable(trace.BadTime, line.Line, line.text)
}

// endClocks decides about the lines that are held.
func (r *LogReader) endClocks() {
	r.alone = r.counts.Entries == 0
	for _, pid := range slices.Sorted(maps.Keys(r.clocks)) {
		r.clocks[pid].End()
	}
}

// isFar reports whether two times are too far apart.
func isFar(a, b int64) bool { return max(a, b)-min(a, b) > farNs }

// addEntry adds the entry.
func (r *LogReader) addEntry() {
	e := &r.entry
	r.candidate = false
	if e.Level == model.SeverityTrace && string(e.Category) == "GST_TRACER" {
		tracer := len(e.File) == 0 && e.FileLine == 0 && len(e.Function) == 0
		name := recordName(e.Message)
		if bytes.HasSuffix(name, []byte(".class")) && (tracer || bytes.HasSuffix(e.Function, []byte("build_format"))) {
			r.announcement()
			return
		}
		if tracer && r.record(name) {
			return
		}
		r.candidate = tracer
	}
	r.waits, r.head, r.tried = true, len(r.buf)-len(e.Message), len(e.Message)
}

// recordName is the text before the first comma, or semicolon at the end.
func recordName(message []byte) []byte {
	if end := bytes.IndexByte(message, ','); end >= 0 {
		return message[:end]
	}
	name, ok := bytes.CutSuffix(message, []byte(";"))
	if !ok {
		return nil
	}
	return name
}

// untimed takes a line that does not begin with a time: it continues the entry before, or it is
// foreign, or its time is damaged.
func (r *LogReader) untimed(line []byte) {
	r.counts.Untimed++
	switch {
	case hasColumns(line):
		r.flush()
		r.unreadable(trace.BadTime, r.lines.N, line)
	case r.lines.Unended && len(bytes.Trim(line, "0123456789:.")) == 0: // the beginning of a time
		r.flush()
		r.unreadable(trace.Cut, r.lines.N, line)
	case !r.waits:
		r.foreign(line)
	case len(r.buf)+1+len(line) > maxEntry:
		r.waits = false
		r.unreadable(trace.LongLine, r.entry.Line, r.buf)
		r.foreign(line)
	default:
		r.append(line)
	}
}

// append adds a line to the entry that waits.
func (r *LogReader) append(line []byte) {
	r.cut = r.lines.Unended
	r.buf = append(append(r.buf, '\n'), line...)
	r.entry.Message = r.buf[r.head:]
	if !r.candidate || !bytes.HasSuffix(line, []byte(";")) {
		return
	}
	// Many lines that end in a semicolon must not make this quadratic.
	if r.tried += len(r.buf); r.tried > 1<<20+4*len(r.buf) {
		return
	}
	r.waits = !r.record(recordName(r.entry.Message))
}

// flush hands over the entry that waits.
func (r *LogReader) flush() {
	if !r.waits {
		return
	}
	r.waits = false
	switch m := r.entry.Message; {
	case !r.candidate:
		r.message()
	case bytes.IndexByte(m, '\n') >= 0 && r.record(recordName(m)):
	default:
		r.unreadable(trace.BadEvent, r.entry.Line, r.buf)
	}
}

func (r *LogReader) message() {
	r.counts.Entries++
	r.counts.Messages++
	r.h.Message(&r.entry)
}

func (r *LogReader) foreign(text []byte) {
	r.counts.Foreign++
	r.h.Foreign(text)
}

// unreadable reports a line that can't be read. The last line of a log that was cut counts as cut.
func (r *LogReader) unreadable(kind trace.Kind, line int64, text []byte) {
	r.counts.Unreadable++
	if r.cut && line == r.entry.Line {
		kind = trace.Cut
	}
	if kind == trace.LongLine {
		r.counts.Overlong++
	}
	r.h.Unreadable(kind, line, text[:min(len(text), maxShown)])
}

// valuesFor is room for the values of a class.
func (r *LogReader) valuesFor(c *Class) []Value {
	if cap(r.values) < len(c.Fields) {
		r.values = make([]Value, max(len(c.Fields), 32))
	}
	r.values = r.values[:len(c.Fields)]
	return r.values
}

// record tries to read the entry as a tracer record and hands it over.
func (r *LogReader) record(name []byte) bool {
	m := r.entry.Message
	if len(m) == 0 || m[len(m)-1] != ';' || len(name) == 0 || len(name) > maxName {
		return false
	}
	list := r.book.find(name)
	for i, c := range list {
		if r.fits(c, m) {
			prefer(list, i)
			r.hand(c)
			return true
		}
	}
	c := genericClass(m)
	if c == nil || !r.readStructure(c, m) {
		return false
	}
	if c = r.book.put(c); c == nil {
		return false
	}
	r.hand(c)
	return true
}

// fits reads the values of a record, if it is one of a class.
func (r *LogReader) fits(c *Class, m []byte) bool {
	return c.layout.quoted && r.readStructure(c, m) || c.layout.match(c.Name, m, r.valuesFor(c))
}

func (r *LogReader) hand(c *Class) {
	r.counts.Entries++
	r.counts.Records++
	if c.Origin == OriginGeneric {
		r.counts.Generic++
	}
	r.rec.Entry, r.rec.Class, r.rec.Values = &r.entry, c, r.values
	r.h.Record(&r.rec)
}

// announcement takes the entry as the announcement of a class.
func (r *LogReader) announcement() {
	c := parseAnnouncement(r.entry.Message)
	if c == nil {
		r.counts.Damaged++
		r.unreadable(trace.BadEvent, r.entry.Line, r.buf)
		return
	}
	r.counts.Announcements++
	r.book.put(c)
	r.message()
}
