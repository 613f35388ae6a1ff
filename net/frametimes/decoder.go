package frametimes

import (
	"cmp"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"framescope/model"
	"framescope/net/feed"
	"framescope/net/trace"
)

// Limits of a session.
const (
	maxSeries = 1 << 14
	farNs     = 1_000_000_000        // how far behind the recording before it one more is shown
	wholeDays = 20 * 24 * 3600 * 1e9 // a time beyond is none since a program began
	since2000 = 946_684_800 * int64(1e9)
)

// decoder turns the rows of a table into batches.
type decoder struct {
	sink  feed.Sink
	room  *feed.Names
	names *trace.Table
	l     *layout
	met   *survey
	info  model.Info
	main  string // key of the stream that is looked at first

	streams map[string]*stream
	order   []*stream
	key     []byte
	next    model.SeriesID

	zeroed    bool
	zero      int64 // the time in the file at which the session is 0, and
	shift     int64 // added to the times of the current recording
	rebase    bool  // a recording begins
	last      int64 // time of the row before, in the file
	newest    int64 // the latest time of the session
	begun     bool
	recorded  int // recordings in the table
	count     counts
	cancelled bool
	held      int // rows of streams in no order
}

// counts are the faults and notes that the decoder reports at the end.
type counts struct {
	noTime, bad, noNumber, noPlace, noValue, great rowsOf
	noLength, strangers, late, gaps, cut           int64
	gpuOverlaps, generated, before                 int64
}

// rowsOf are rows with which one thing is wrong.
type rowsOf struct {
	n     int64
	first []int64 // their lines in the file, from 1
}

// namedRows is how many of the rows are named.
const namedRows = 5

func (r *rowsOf) add(line int64) {
	r.n++
	if len(r.first) < namedRows {
		r.first = append(r.first, line)
	}
}

// where says which lines they are.
func (r *rowsOf) where() string {
	list := strings.Trim(fmt.Sprint(r.first), "[]")
	switch {
	case r.n == 1:
		return "line " + list
	case r.n > int64(len(r.first)):
		return "the first are lines " + list
	}
	return "lines " + list
}

func newDecoder(sink feed.Sink, room *feed.Names, info model.Info, s *survey) *decoder {
	d := &decoder{
		sink: sink, room: room, l: s.l, met: s, info: info, streams: map[string]*stream{}, recorded: 1,
		newest: math.MinInt64,
	}
	var main *met
	for key, m := range s.streams {
		better := main == nil || m.rank() > main.rank() ||
			m.rank() == main.rank() && (m.rows > main.rows || m.rows == main.rows && key < d.main)
		if better {
			main, d.main = m, key
		}
	}
	if main != nil && main.app != "" {
		d.info.Program = trace.Shown(main.app)
		if pid, err := strconv.ParseInt(main.pid, 10, 64); err == nil && pid > 0 {
			d.info.PID = pid
		}
	}
	d.info.Version = s.l.version
	if s.l.head.kind == presentMon {
		d.info.Clock.StepNs = 100
	}
	sink.Define(d.info)
	d.names = trace.New(sink, room, "All")
	for _, text := range s.l.told {
		sink.Define(model.Warning{Text: text})
	}
	return d
}

// rank is 0 of the desktop's own frames, which are there beside those of any program.
func (m *met) rank() int {
	if strings.EqualFold(m.app, "dwm.exe") || m.rows == 0 {
		return 0
	}
	return 1
}

// infoOf returns the info of a table before its first row.
func infoOf(program, peer string, file bool) model.Info {
	for _, end := range []string{".gz", ".zst", ".csv", ".tsv", ".txt"} {
		program = strings.TrimSuffix(program, end)
	}
	return model.Info{Source: Source{}.Kind(), Program: program, Peer: peer, PID: -1, File: file, Table: true}
}

// detail makes a line of the text before the header: CapFrameX's keys, MangoHud's system.
func detail(before []string) string {
	var parts []string
	add := func(key, value string) {
		if value = strings.TrimSpace(trace.Shown(value)); value != "" && len(parts) < 16 && len(value) < 200 {
			parts = append(parts, strings.TrimSpace(trace.Shown(key))+" "+value)
		}
	}
	for i, line := range before {
		if rest, ok := strings.CutPrefix(line, "//"); ok {
			if key, value, ok := strings.Cut(rest, "="); ok {
				add(key, value)
			}
		}
		if strings.HasPrefix(line, "os,cpu,gpu") && i+1 < len(before) {
			keys, values := strings.Split(line, ","), strings.Split(before[i+1], ",")
			if len(values) != len(keys) { // a comma within a name: nobody knows where
				add("system", before[i+1])
				continue
			}
			for k := range keys {
				add(keys[k], values[k])
			}
		}
	}
	return strings.Join(parts, "; ")
}

// take takes a row.
func (d *decoder) take(cells [][]byte, line int64) {
	l := d.l
	var r row
	at, ok := d.time(cells)
	if !ok && l.time.at >= 0 {
		d.count.noTime.add(line)
		return
	}
	length, known := int64(0), false
	if l.length >= 0 {
		if x, ok := parseNumber(cells[l.length], l.head.comma); ok {
			if length, ok = x.times(l.lengthNs); !ok || !l.possible(length) {
				d.count.bad.add(line)
				return
			}
			known = true
		} else if !missing(cells[l.length]) {
			d.count.noNumber.add(line)
		}
	}
	if l.number >= 0 {
		if x, ok := parseNumber(cells[l.number], l.head.comma); ok {
			if n, ok := x.times(1); ok && n < mostNumber {
				r.number = n
			}
		}
		r.follows = l.gap >= 0 && string(cells[l.gap]) == "0"
	}
	s := d.stream(cells)
	if s == nil {
		d.count.strangers++
		return
	}
	switch {
	case l.time.at < 0 && !known:
		if missing(cells[l.length]) { // else it is counted
			d.count.noPlace.add(line)
		}
		return
	case l.time.at < 0:
		r.at, r.begin = s.sum, s.sum
		s.sum = min(s.sum+length, maxNs)
	default:
		r.at = d.place(at, s)
		if r.begin = r.at; l.time.end && known {
			r.begin -= length
		}
	}
	r.end, r.frame = r.begin+length, known && l.frames
	if !known && l.length >= 0 && missing(cells[l.length]) {
		d.count.noLength++
	}
	if l.head.kind == mangoHud && r.frame && r.begin < 0 && d.recorded == 1 {
		r.begin, r.frame = r.end, false // it goes on from before the log, by whatever clock
		d.count.before++
	}
	if !l.frames && l.time.end {
		r.begin = r.end
	}
	d.newest = max(d.newest, r.end)
	s.take(&r, cells, line)
}

// time returns the time of a row as it is in the file, in ns.
func (d *decoder) time(cells [][]byte) (ns int64, ok bool) {
	c := &d.l.time
	if c.at < 0 {
		return 0, false
	}
	if c.date {
		return parseDate(cells[c.at])
	}
	x, ok := parseNumber(cells[c.at], d.l.head.comma)
	if !ok {
		return 0, false
	}
	if c.ticks {
		return x.moment(c.ns, c.hz)
	}
	return x.moment(c.ns, 1)
}

// place returns a time of the file as one of the session. A step back begins another recording.
func (d *decoder) place(at int64, s *stream) int64 {
	if !d.zeroed {
		d.zeroed = true
		if d.l.time.ticks || d.l.time.date || at > wholeDays || at < -wholeDays {
			d.zero = at
		}
		if at > since2000 {
			if d.info.Detail != "" {
				d.info.Detail += "; "
			}
			d.info.Detail += "0 is " + time.Unix(0, at).UTC().Format("2006-01-02 15:04:05.000")
			d.sink.Define(d.info)
		}
	} else if d.l.application < 0 && at < d.last {
		d.restart()
	}
	d.last = at
	if d.rebase {
		d.rebase = false
		if at-d.zero+d.shift < d.newest {
			d.shift = min(d.newest+farNs-(at-d.zero), maxNs)
		}
	}
	return min(max(at-d.zero+d.shift, -maxNs), maxNs)
}

// restart notes that another recording follows.
func (d *decoder) restart() {
	if !d.zeroed || d.rebase {
		return
	}
	d.rebase = true
	d.recorded++
	for _, s := range d.order {
		s.settle()
		s.from, s.frameEnd = math.MinInt64, math.MinInt64
	}
}

func (d *decoder) publish(b *model.Batch) {
	if !d.cancelled && !d.sink.Publish(b) {
		d.cancelled = true
	}
}

// idle publishes the frames that wait for neighbours, except those without a known end.
func (d *decoder) idle() {
	for _, s := range d.order {
		s.release(0)
		s.flush()
	}
}

// close publishes all and reports the losses.
func (d *decoder) close() {
	for _, s := range d.order {
		s.settle()
	}
	d.tell()
	d.names.Tell()
}

// loseRows reports rows with the same fault, and their lines.
func (d *decoder) loseRows(r *rowsOf, what string) {
	d.lose(model.LossMalformed, r.n, what+": "+r.where())
}

// lose reports n lost rows, if there are any.
func (d *decoder) lose(reason model.LossReason, n int64, what string) {
	if n > 0 {
		d.sink.Define(model.Loss{Reason: reason, Track: model.NoTrack, N: n, Detail: what})
	}
}

// tell reports the counted losses.
func (d *decoder) tell() {
	c, l := &d.count, d.l
	d.loseRows(&c.noTime, "rows without a valid time are left out")
	d.loseRows(&c.bad, "rows with an impossible frame time, below 0 or more than a day, are left out")
	d.loseRows(&c.noNumber, "rows without a valid frame time do not count as frames")
	d.loseRows(&c.noValue, "cells without a number, in columns of numbers, are left out")
	d.loseRows(&c.great, "values beyond 1e100 are left out")
	d.loseRows(&c.noPlace, "rows without a frame time, in a table without times, are left out")
	d.lose(model.LossLimit, c.strangers, "rows of more swap chains than there is room for")
	d.lose(model.LossLate, c.late, "rows that are earlier than rows of the same swap chain far above them")
	warn := func(n int64, format string, args ...any) {
		if n > 0 {
			d.sink.Define(model.Warning{Text: fmt.Sprintf(format, args...)})
		}
	}
	if l.length >= 0 && l.frames {
		warn(c.noLength, "%d rows have no frame time and do not count as frames; their other values are shown.", c.noLength)
	}
	warn(c.before, "%d rows have frames that began before the log: they do not count as frames.", c.before)
	warn(c.cut, "%d frames are longer than the time since the frame before by more than half: the lanes cut off the excess.",
		c.cut)
	warn(c.gaps, "%d times, the time between two rows is more than ten times the usual one: these are gaps, not frames.", c.gaps)
	warn(c.gpuOverlaps, "The GPU's times of %d frames begin before those of the frame above them ended: they are drawn from there on. "+
		"The series have them in full.", c.gpuOverlaps)
	warn(c.generated, "The driver, not the program, generated %d frames (FrameType): they have lines of their own, and do not "+
		"count as frames.", c.generated)
	if d.recorded > 1 {
		warn(1, "The table has %d recordings with separate times: each is shown a second after the one before.", d.recorded)
	}
	if text := d.unshown(); text != "" {
		warn(1, "%s", text)
	}
}

// unshown says in one line of whom frames were not shown, first of whom the most.
func (d *decoder) unshown() string {
	var list []*stream
	n, rows := int64(0), int64(0)
	for _, s := range d.order {
		if s.unshown > 0 {
			list = append(list, s)
			n, rows = n+s.unshown, rows+s.rows
		}
	}
	const most = 3 // that are named
	slices.SortStableFunc(list, func(a, b *stream) int { return cmp.Compare(b.unshown, a.unshown) })
	var of []string
	for _, s := range list[:min(len(list), most)] {
		of = append(of, fmt.Sprintf("%d of %d of %s", s.unshown, s.rows, s.name))
	}
	switch {
	case len(list) == 0:
		return ""
	case len(list) == 1:
		return fmt.Sprintf("%d of %d frames of %s were not shown (%s).", n, rows, list[0].name, d.unshownBy())
	case len(list) > most:
		of = append(of, fmt.Sprintf("and of %d more", len(list)-most))
	}
	return fmt.Sprintf("%d of %d frames of %d programs were not shown (%s): %s.",
		n, rows, len(list), d.unshownBy(), strings.Join(of, ", "))
}

func (d *decoder) unshownBy() string {
	if d.l.dropped >= 0 {
		return d.l.head.names[d.l.dropped]
	}
	return d.l.head.names[d.l.displayed] + " is missing"
}

// refused reports the rows that the reader left out.
func (d *decoder) refused(r *reader) {
	d.loseRows(&r.sieve.astray, "rows with a time outside of that of the rows around them are left out")
	r.lines.NULs.Tell(d.sink.Define)
	o := &r.odd
	if o.cut > 0 {
		d.lose(model.LossTruncated, 1, fmt.Sprintf("line %d: the last row has no end: it is cut off, and left out", o.cut))
	}
	d.loseRows(&o.rowsOf, fmt.Sprintf("rows with another number of cells than the %d of the header", len(d.l.head.names)))
}

// programOf guesses the name of a program from that of a file.
func programOf(path string) string { return filepath.Base(path) }
