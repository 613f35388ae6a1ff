package gsttrace

import (
	"bytes"
	"slices"
)

const (
	defaultMaxLine    = 4 << 20
	defaultMaxEntry   = 8 << 20
	defaultMaxClasses = 1024
	// headOf is how much of a text beyond the limits is handed over.
	headOf = 1024
	// longestTime is longer than any time at the beginning of a line.
	longestTime = 40
)

// LogReader takes a log apart. See [NewReader].
type LogReader struct {
	h      Handler
	o      LogOptions
	counts Counts
	book   classBook

	offset int64  // of the next byte that is not yet in a line
	part   []byte // the beginning of an incomplete line
	skip   bool   // the line being read is beyond the limit; its rest is dropped

	entry  LogEntry
	rec    Record
	values []Value
	plain  []byte // a line without its colours
	text   []byte // unquoted values of a record

	wait waiting

	clocks map[uint64]*gstlogClock // by process, see jumps.go
	clock  *gstlogClock            // of the newest line
	held   *heldLine               // the newest line that begins with a time, where it is held
}

// waiting is an entry that may continue: nothing marks that a line continues the message before, so it ends where
// another entry begins.
type waiting struct {
	on        bool
	candidate bool   // it looks like a tracer record and is complete as soon as it matches a layout
	owned     bool   // raw and the columns are in buf, not in the caller's bytes
	raw       []byte // the entry without colours
	head      int    // length of raw before the message
	buf       []byte
	tried     int // bytes that were looked at in vain for a record
}

// NewLogReader makes a reader that calls h. It starts anywhere in a log.
func NewLogReader(h Handler, o LogOptions) *LogReader {
	if o.MaxLine <= 0 {
		o.MaxLine = defaultMaxLine
	}
	o.MaxLine = max(o.MaxLine, headOf)
	if o.MaxEntry <= 0 {
		o.MaxEntry = defaultMaxEntry
	}
	if o.MaxClasses <= 0 {
		o.MaxClasses = defaultMaxClasses
	}
	return &LogReader{
		h: h, o: o, book: classBook{families: map[string]*family{}, limit: o.MaxClasses},
		text: make([]byte, 0, 256), clocks: map[uint64]*gstlogClock{},
	}
}

// Counts returns the counts so far.
func (r *LogReader) Counts() Counts { return r.counts }

// Write takes the next bytes of the log, cut anywhere. It always takes all and returns no error; p
// is not kept.
func (r *LogReader) Write(p []byte) (int, error) {
	n := len(p)
	r.counts.Bytes += int64(n)
	r.counts.NULs.Write(p)
	for len(p) > 0 {
		end := bytes.IndexByte(p, '\n')
		if end < 0 {
			r.keep(p)
			break
		}
		switch {
		case r.skip:
			r.offset += int64(end + 1)
			r.skip = false
		case len(r.part) > 0:
			if r.keep(p[:end]); r.skip {
				r.offset++
				r.skip = false
				break
			}
			line := r.part
			r.part = r.part[:0]
			r.line(line, len(line)+1)
			r.own() // the bytes of line are used again
		case end > r.o.MaxLine:
			r.overlong(p[:end])
			r.offset += int64(end + 1)
		default:
			r.line(p[:end], end+1)
		}
		p = p[end+1:]
	}
	r.own()
	return n, nil
}

// keep adds to an incomplete line.
func (r *LogReader) keep(p []byte) {
	if r.skip {
		r.offset += int64(len(p))
		return
	}
	if len(r.part)+len(p) <= r.o.MaxLine {
		r.part = append(r.part, p...)
		return
	}
	r.part = append(r.part, p[:min(len(p), headOf)]...)
	r.overlong(r.part)
	r.offset += int64(len(r.part)-min(len(p), headOf)) + int64(len(p))
	r.part = r.part[:0]
	r.skip = true
}

// overlong gives up a line that is longer than the limit.
func (r *LogReader) overlong(line []byte) {
	r.flush("")
	r.counts.Lines++
	if _, next := scanTime(line); next == 0 {
		r.counts.Untimed++
	}
	r.counts.Overlong++
	r.unreadable(r.offset, line, "the line is too long")
}

// Idle passes on complete entries although no later line has come: call it when a live log has been silent for a
// moment. A line without line end is kept, and so is an incomplete record.
func (r *LogReader) Idle() {
	if r.wait.on && !r.wait.candidate {
		r.flush("")
	}
}

// Close passes on the rest. An unreadable last line without line end gets CutLine as its reason. It returns nil.
func (r *LogReader) Close() error {
	cut := ""
	if len(r.part) > 0 {
		r.counts.CutLast = true
		cut = CutLine
		line := r.part
		r.part = nil
		if _, next := scanTime(line); next == 0 && cutTime(line) {
			r.flush("")
			r.counts.Lines++
			r.counts.Untimed++
			r.unreadable(r.offset, line, cut)
		} else {
			r.line(line, len(line))
		}
	}
	r.flush(cut)
	r.dropHeld()
	return nil
}

// cutTime reports whether a line is nothing but the beginning of a time.
func cutTime(line []byte) bool {
	for _, c := range line {
		if !isDigit(c) && c != ':' && c != '.' {
			return false
		}
	}
	return len(line) < longestTime && len(line) > 0 && isDigit(line[0])
}

// line takes a line without its line feed; size is its size in the stream.
func (r *LogReader) line(line []byte, size int) {
	offset := r.offset
	r.offset += int64(size)
	r.counts.Lines++
	if size > len(line) && len(line) > 0 && line[len(line)-1] == '\r' {
		line = line[:len(line)-1]
	}
	timeNs, next := scanTime(line)
	if next == 0 {
		r.counts.Untimed++
		if r.lostTime(line) {
			r.flush("")
			r.held = nil
			r.unreadable(offset, line, noTime)
			return
		}
		r.untimed(offset, line)
		return
	}
	r.flush("")
	r.held = nil
	colored := len(line) > next+1 && line[next+1] == 0x1b
	if colored {
		r.plain = stripColors(r.plain[:0], line)
		line = r.plain
	}
	e := &r.entry
	if wrong := scanHeader(line, next, e); wrong != "" {
		reason := wrong
		if size == len(line) { // without line end
			reason = CutLine
		}
		r.unreadable(offset, line, reason)
		return
	}
	e.Offset, e.Line, e.TimeNs = offset, r.counts.Lines, timeNs
	if r.near(line) {
		r.entered(line, colored)
	}
}

// entered takes the entry, which begins with line. own means that the bytes of line will be reused.
func (r *LogReader) entered(line []byte, own bool) {
	e := &r.entry
	candidate := false
	if e.Level == LevelTrace && string(e.Category) == "GST_TRACER" {
		tracer := len(e.File) == 0 && e.FileLine == 0 && len(e.Function) == 0
		name := recordName(e.Message)
		if bytes.HasSuffix(name, []byte(".class")) && (tracer || bytes.HasSuffix(e.Function, []byte("build_format"))) {
			r.announcement()
			return
		}
		if tracer {
			if r.record(name) {
				return
			}
			candidate = true
		}
	} else if e.Level == LevelDebug && string(e.Category) == "GST_TRACER" && bytes.HasPrefix(e.Message, []byte(templateIntro)) {
		r.template()
		r.message()
		return
	}
	w := &r.wait
	w.on, w.candidate, w.raw, w.head, w.tried = true, candidate, line, len(line)-len(e.Message), len(e.Message)
	w.owned = false
	if own {
		r.own()
	}
}

// recordName is the text before the first comma, or semicolon at the end.
func recordName(message []byte) []byte {
	if end := bytes.IndexByte(message, ','); end >= 0 {
		return message[:end]
	}
	if n := len(message); n > 0 && message[n-1] == ';' {
		return message[:n-1]
	}
	return nil
}

// untimed takes a line that does not begin with a time: it continues the entry before, or it is
// foreign.
func (r *LogReader) untimed(offset int64, line []byte) {
	w := &r.wait
	if !w.on {
		if r.held == nil || !r.held.add(offset, line, r.o.MaxEntry) {
			r.foreign(offset, line)
		}
		return
	}
	if len(w.raw)+1+len(line) > r.o.MaxEntry {
		w.on = false
		r.counts.Overlong++
		r.unreadable(r.entry.Offset, w.raw, "the entry is too long")
		r.foreign(offset, line)
		return
	}
	r.own()
	w.buf = append(append(w.buf, '\n'), line...)
	w.raw = w.buf
	if !w.candidate || len(line) == 0 || line[len(line)-1] != ';' {
		return
	}
	// Many lines that end in a semicolon must not make this quadratic.
	if w.tried += len(w.raw); w.tried > 1<<20+4*len(w.raw) {
		return
	}
	r.rebase()
	if r.record(recordName(r.entry.Message)) {
		w.on = false
	}
}

// own moves the entry that waits out of bytes that are not the reader's own.
func (r *LogReader) own() {
	w := &r.wait
	if !w.on || w.owned {
		return
	}
	w.buf = append(w.buf[:0], w.raw...)
	w.raw, w.owned = w.buf, true
}

// rebase makes the entry's slices point to where it is now.
func (r *LogReader) rebase() {
	w := &r.wait
	if !w.owned {
		return
	}
	e := &r.entry
	line := w.raw
	firstEnd := bytes.IndexByte(line, '\n')
	if firstEnd < 0 {
		firstEnd = len(line)
	}
	first := line[:firstEnd]
	_, next := scanTime(first)
	scanHeader(first, next, e)
	e.Message = line[min(w.head, len(line)):]
}

// flush hands over the entry that waits. cut says why it may be incomplete, if so.
func (r *LogReader) flush(cut string) {
	w := &r.wait
	if !w.on {
		return
	}
	w.on = false
	r.rebase()
	if !w.candidate {
		r.message()
		return
	}
	if bytes.IndexByte(r.entry.Message, '\n') >= 0 && r.record(recordName(r.entry.Message)) {
		return
	}
	if cut == "" {
		cut = misfit(r.entry.Message)
	}
	r.unreadable(r.entry.Offset, w.raw, cut)
}

func (r *LogReader) message() {
	r.counts.Entries++
	r.counts.Messages++
	r.h.Message(&r.entry)
}

func (r *LogReader) foreign(offset int64, text []byte) {
	r.counts.Foreign++
	r.h.Foreign(offset, text)
}

func (r *LogReader) unreadable(offset int64, text []byte, reason string) {
	r.counts.Unreadable++
	r.h.Unreadable(offset, text[:min(len(text), headOf)], reason)
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
	if len(m) == 0 || m[len(m)-1] != ';' || len(name) == 0 {
		return false
	}
	f := r.book.find(name)
	if f != nil {
		for i, c := range f.variants {
			if r.fits(c, m) {
				if i > 0 && c.Origin != OriginGeneric {
					copy(f.variants[1:], f.variants[:i])
					f.variants[0] = c
				}
				r.hand(c)
				return true
			}
		}
		if !f.builtin {
			f.builtin = true
			for _, c := range builtins(string(name)) {
				f.variants = append(f.variants, c)
				if r.fits(c, m) {
					r.hand(c)
					return true
				}
			}
		}
	}
	c := generic(m)
	if c == nil || f != nil && slices.ContainsFunc(f.variants, c.spoils) {
		return false
	}
	known, _ := r.book.put(c)
	if known == nil || !r.structured(known, m) {
		return false
	}
	r.hand(known)
	return true
}

// fits reads the values of a record, if it is one of a class.
func (r *LogReader) fits(c *Class, m []byte) bool {
	if c.layout.quoted && r.structured(c, m) {
		return true
	}
	values := r.valuesFor(c)
	if !c.layout.match(c.Name, m, values) {
		return false
	}
	if c.Origin == OriginBuiltin || c.layout.quoted {
		r.text = r.text[:0]
		for i := range values {
			if v := &values[i]; v.Kind == KindText && properlyQuoted(v.Text) {
				from := len(r.text)
				r.text = unquote(r.text, v.Text)
				v.Text = r.text[from:len(r.text):len(r.text)]
			}
		}
	}
	return true
}

func (r *LogReader) hand(c *Class) {
	if !c.layout.announced {
		c.layout.announced = true
		r.h.Class(c)
	}
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
	c, err := parseAnnouncement(r.entry.Message)
	if err != nil {
		r.counts.Damaged++
		r.unreadable(r.entry.Offset, r.entry.Message, "class announcement: "+err.Error())
		return
	}
	r.counts.Announcements++
	r.take(c)
	r.message()
}

// template takes the entry as the printf template beside an announcement, which adds nothing unless the
// announcement was damaged.
func (r *LogReader) template() {
	if c, ok := parseTemplate(r.entry.Message); ok {
		r.take(c)
	}
}

func (r *LogReader) take(c *Class) {
	if known, isNew := r.book.put(c); isNew {
		known.layout.announced = true
		r.h.Class(known)
	}
}
