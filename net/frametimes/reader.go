package frametimes

import (
	"errors"

	"framescope/model"
	"framescope/net/feed"
	"framescope/net/trace"
)

// errNoHeader is the error of text in which there is no table, errNoNames that of numbers without a header.
var (
	errNoHeader = errors.New("no header row with known columns, and no table of numbers")
	errNoNames  = errors.New("its columns have no names: name the column of frame times or times by its number, such as " +
		"--frame-time 1 or --time 1")
	errNoRows = errors.New("it has no rows")
)

// How many lines are held until it is known what the columns are, or how many rows when nothing came so many times.
const (
	linesOfFile = 4096
	linesOfLive = headerLines + 64
	leastRows   = 3
	firstIdles  = 20
)

// reader cuts a text into the rows of a table. The first lines are read twice: the contents of the columns decide how
// they are read.
type reader struct {
	o    *Source
	sink feed.Sink
	room *feed.Names
	info model.Info

	lines trace.Cutter
	held  []string // the first lines
	head  *header
	least int // cells that a row has
	cells [][]byte
	rows  int
	row   func(cells [][]byte, line int64) // takes a row, valid until it returns, with a cell for each column
	d     *decoder                         // nil while lines are held
	bad   trace.Diagnostics
	err   error
	idles int
}

func (o *Source) newReader(sink feed.Sink, info model.Info) *reader {
	r := &reader{o: o, sink: sink, room: feed.NamesOf(sink), info: info, bad: trace.Diagnostics{Unit: "line"}}
	r.lines.Take = r.line
	r.lines.Long = func() { r.bad.Bad(trace.LongLine, r.lines.N) }
	return r
}

// line takes a line.
func (r *reader) line(line []byte) {
	most := linesOfLive
	if r.info.File {
		most = linesOfFile
	}
	switch {
	case r.err != nil:
	case r.d != nil:
		r.readRow(line, r.lines.N, r.lines.Unended)
	default:
		if r.held = append(r.held, string(line)); len(r.held) == most {
			r.err = r.begin(0)
		}
	}
}

// begin finds out what the columns are, and takes the rows held so far, if there are so many.
func (r *reader) begin(least int) error {
	h, err := findHeader(r.held, r.o)
	switch {
	case err != nil:
		return err
	case h == nil && numbersOnly(r.held):
		return errNoNames
	case h == nil:
		return errNoHeader
	}
	l, err := ofHeader(h, r.o)
	if err != nil {
		return err
	}
	s := newSurvey(l)
	bad := r.bad
	r.head, r.least, r.row = h, l.least(), s.addRow
	r.takeHeld()
	r.bad = bad
	if r.rows == 0 || r.rows < least {
		return errNoRows
	}
	s.decide(r.o.Frames != feed.NoFrames)
	r.info.Detail = detailOf(r.held[:max(h.line, 0)])
	r.d = newDecoder(r.sink, r.room, r.info, s, &r.bad)
	r.row = r.d.decodeRow
	r.takeHeld()
	r.held = nil
	return nil
}

// takeHeld takes the lines that are held, below the header.
func (r *reader) takeHeld() {
	r.rows = 0
	for i := r.head.line + 1; i < len(r.held); i++ {
		r.readRow([]byte(r.held[i]), int64(i+1), r.lines.Unended && i == len(r.held)-1)
	}
}

// readRow reads a row.
func (r *reader) readRow(line []byte, n int64, unended bool) {
	if len(line) == 0 || len(line) == 1 && line[0] != 0 && line[0] <= ' ' {
		return
	}
	r.cells = split(line, r.head.sep, r.cells[:0])
	switch {
	case r.head.kind == monitor && string(r.cells[0]) != monitorRow:
	case unended && r.isCut(line):
		r.bad.Bad(trace.Cut, n)
	case !r.head.fits(r.cells) && (len(r.cells) < r.least || len(r.cells) > len(r.head.names)):
		r.bad.Bad(trace.BadLine, n)
	case r.head.same(r.cells):
		if r.d != nil {
			r.d.restart()
		}
	default:
		for len(r.cells) < len(r.head.names) {
			r.cells = append(r.cells, nil)
		}
		r.rows++
		r.row(r.cells, n)
	}
}

// isCut reports whether the last number of a row without a line end may be incomplete. Known programs end each of
// their rows.
func (r *reader) isCut(line []byte) bool {
	last := line[len(line)-1]
	return !r.head.fits(r.cells) || r.head.kind != generic && r.rows > 0 || last == '.' || last == '-' || last|0x20 == 'e'
}

// Write implements feed.Stream.
func (r *reader) Write(p []byte) (int, error) {
	r.lines.Write(p)
	switch {
	case r.err != nil:
		return 0, r.err
	case r.d != nil && r.d.out.Cancelled():
		return 0, feed.ErrCancelled
	}
	return len(p), nil
}

// Idle implements feed.Stream.
func (r *reader) Idle() {
	if r.idles++; r.d == nil && r.err == nil && r.idles >= firstIdles && len(r.held) > leastRows {
		_ = r.begin(leastRows) // more lines may come
	}
	if r.d != nil {
		r.d.idle()
	}
}

// end ends the input and reports its losses. broken is the error that ended the reading early.
func (r *reader) end(broken error) error {
	if broken == nil {
		r.lines.Close()
	}
	if r.d == nil && r.err == nil {
		r.err = r.begin(0)
	}
	if r.d != nil {
		if broken != nil {
			r.bad.Explain(trace.Unread, r.lines.N, "%v", broken)
		}
		r.lines.NULs.Report(r.sink.Define)
		r.d.close()
	}
	r.room.Close()
	return r.err
}

// Close implements feed.Stream.
func (r *reader) Close(reason string) {
	if err := r.end(nil); err != nil && reason == "" {
		reason = err.Error()
	}
	r.sink.Define(model.End{Reason: reason})
}
