package frametimes

import (
	"errors"

	"framescope/net/trace"
)

// errNoHeader is the error of text in which there is no table.
var errNoHeader = errors.New("no header row with known columns, and no table of numbers")

// reader cuts a text into the rows of a table.
type reader struct {
	o     *Source
	begun func(h *header, before []string) error // the header was found
	sieve sieve                                  // takes rows, valid until it returns, with as many cells as there are columns
	again func()                                 // the header stands there once more

	lines  trace.Cutter
	head   *header
	before []string // lines until the header is known
	cells  [][]byte
	rows   int64
	err    error
	odd    oddRows
}

// oddRows are those with another number of cells.
type oddRows struct {
	rowsOf
	cut int64 // line of the last row, where it is cut off, and is one besides them; 0: it is not
}

func (r *reader) write(p []byte) error {
	if r.err == nil {
		r.cutter().Write(p)
	}
	return r.err
}

func (r *reader) cutter() *trace.Cutter {
	r.lines.Take = r.line
	r.lines.Long = func() { r.line([]byte{0}) } // no row
	return &r.lines
}

// close ends the input.
func (r *reader) close() error {
	if r.err == nil {
		r.cutter().Close()
	}
	if r.err == nil && r.head == nil {
		if r.look(); r.err == nil && r.head == nil {
			r.err = errNoHeader
			if len(r.before) > 0 && numbersOnly(r.before) {
				r.err = errNoNames
			}
		}
	}
	if r.head != nil {
		r.sieve.end()
	}
	return r.err
}

func (r *reader) line(line []byte) {
	switch {
	case r.err != nil:
	case r.head != nil:
		r.take(line)
	default:
		r.before = append(r.before, string(line))
		n := len(r.before)
		if n > headerLines+2*lookedRows {
			r.err = errNoHeader
			return
		}
		if h := headerOf(r.before[n-1]); !skipped(r.before[n-1]) && h.known() || n == headerLines+lookedRows {
			r.look()
		}
	}
}

// look looks for the header in the lines that came, and takes those that follow it.
func (r *reader) look() {
	h, err := findHeader(r.before, r.o)
	if err != nil || h == nil {
		r.err = err
		return
	}
	rows := r.before
	r.head, r.before = h, nil
	if r.err = r.begun(h, rows[:max(h.line, 0)]); r.err != nil {
		return
	}
	n := r.lines.N
	r.lines.N = int64(h.line + 1)
	cut := r.lines.Unended
	for i, line := range rows[h.line+1:] {
		r.lines.N++
		r.lines.Unended = cut && h.line+1+i == len(rows)-1
		r.take([]byte(line))
	}
	r.lines.N, r.lines.Unended = n, cut
}

// cut reports whether the last number of a row without a line end may be incomplete. Known programs end each of
// their rows.
func (r *reader) cut(line []byte) bool {
	last := line[len(line)-1]
	return r.head.kind != generic && r.rows > 0 || last == '.' || last == '-' || last|0x20 == 'e'
}

// take takes a row.
func (r *reader) take(line []byte) {
	if len(line) == 0 || len(line) == 1 && line[0] != 0 && line[0] <= ' ' {
		return
	}
	r.cells = split(line, r.head.sep, r.cells[:0])
	switch {
	case r.lines.Unended && (!r.head.fits(r.cells) || r.cut(line)):
		r.odd.cut = r.lines.N
	case !r.head.fits(r.cells):
		r.odd.add(r.lines.N)
	case r.head.same(r.cells):
		r.sieve.restart()
		r.again()
	default:
		for len(r.cells) < len(r.head.names) {
			r.cells = append(r.cells, nil)
		}
		r.rows++
		r.sieve.take(r.cells, r.lines.N)
	}
}
