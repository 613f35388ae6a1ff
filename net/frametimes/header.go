package frametimes

import (
	"bytes"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"framescope/net/trace"
)

// kind is the program that wrote a table.
type kind uint8

const (
	generic kind = iota
	presentMon
	mangoHud
	exported // frames as framescope export writes them
	monitor  // the log of MSI Afterburner: its rows begin with their kind and a date
)

// knownColumns are columns that tables of one program alone have.
var knownColumns = [...][]string{
	presentMon: {"application", "processid", "swapchainaddress"},
	exported:   {"thread_id", "thread", "frame", "begin_ns", "duration_ns", "missing"},
	mangoHud:   {"fps", "frametime", "elapsed"},
}

// Limits of a table.
const (
	maxColumns  = 512
	headerLines = 50 // the header is one of the first lines
	lookedRows  = 20 // by which one of an unknown table is recognised
	maxName     = 100
)

// header is the row that names the columns.
type header struct {
	kind  kind
	sep   byte
	comma bool     // a decimal comma is possible
	names []string // as they stand in the file
	norms []string // compared: without case and blanks
	line  int      // its place among the lines before the rows
	none  bool     // there is none: columns are called by their numbers
}

// column returns the place of a column by one of several names, -1 if there is none.
func (h *header) column(norms ...string) int {
	for _, n := range norms {
		if at := slices.Index(h.norms, n); at >= 0 {
			return at
		}
	}
	return -1
}

// has reports whether there are columns of all these names.
func (h *header) has(norms ...string) bool {
	return !slices.ContainsFunc(norms, func(n string) bool { return h.column(n) < 0 })
}

// named returns the column that a user named.
func (h *header) named(flag, name string) (int, error) {
	if at := h.column(norm(name)); at >= 0 {
		return at, nil
	}
	return -1, fmt.Errorf("%s: no column %q; the columns are: %s", flag, name, h.list())
}

// list are the names of the columns.
func (h *header) list() string {
	names := trace.Shown(strings.Join(h.names, ", "))
	return names[:min(len(names), trace.MaxText)]
}

// norm is a name without case and blanks.
func norm(s string) string { return strings.ToLower(strings.Join(strings.Fields(s), "")) }

// skipped reports whether a line before the rows is none of the table: empty, or a comment.
func skipped(line string) bool {
	return strings.TrimSpace(line) == "" || strings.HasPrefix(line, "//") || strings.HasPrefix(line, "#")
}

var quotedText = regexp.MustCompile(`"[^"]*"`)

// headerOf makes a header of a line; NULs in it are damage, and no part of a name.
func headerOf(line string, at int) *header {
	line = strings.ReplaceAll(line, "\x00", "")
	h := &header{line: at, sep: ','}
	outside := quotedText.ReplaceAllString(line, "")
	for _, sep := range []byte{';', '\t'} {
		if strings.Count(outside, string(sep)) > strings.Count(outside, string(h.sep)) {
			h.sep = sep
		}
	}
	h.comma = h.sep != ','
	for _, c := range split([]byte(line), h.sep, nil) {
		h.names = append(h.names, string(c))
		h.norms = append(h.norms, norm(string(c)))
	}
	for k, columns := range knownColumns {
		if len(columns) > 0 && h.has(columns...) {
			h.kind = kind(k)
		}
	}
	return h
}

// errSummary names a table of averages and the file to open instead.
var errSummary = errors.New("this is MangoHud's summary, one row of averages: open the log with the frames, " +
	"which has the same name without “_summary”")

// findHeader looks for the header among the first lines of a text: that of a known program, or else names above
// numbers, or else, for columns that a user named, none. It is nil where there is none so far.
func findHeader(lines []string, o *Source) (*header, error) {
	var names, numbers *header
	log := false
	for i, line := range lines[:min(len(lines), headerLines)] {
		if skipped(line) {
			continue
		}
		h := headerOf(line, i)
		log = log || len(h.names) > 2 && h.names[0] == "0" && strings.HasPrefix(h.names[2], "Hardware monitoring log")
		switch {
		case log && h.names[0] == monitorNames:
			h.nameMonitor()
			return h, nil
		case h.has("averagefps", "0.1%minfps"):
			return nil, errSummary
		case h.kind != generic:
			return h, nil
		case len(h.names) > maxColumns:
		case h.isNames():
			// Of several lines of names that follow each other the last counts: a title is above it.
			if (names == nil || onlySkipped(lines[names.line+1:i])) && h.isAbove(lines[i+1:]) {
				names = h
			}
		case numbers == nil && h.isNumbers() && h.isAbove(lines[i:]):
			numbers = h
		}
	}
	if names == nil && numbers != nil && o.asked() {
		numbers.unname()
		return numbers, nil
	}
	return names, nil
}

// The kinds of rows of a log of MSI Afterburner that are read.
const (
	monitorNames = "2"
	monitorRow   = "80"
)

// nameMonitor makes a header of the names of MSI Afterburner, which may have a column twice: the first counts.
func (h *header) nameMonitor() {
	h.kind = monitor
	h.names[0], h.names[1] = "", "time"
	for i, n := range h.names {
		if slices.Contains(h.names[:i], n) {
			h.names[i] = ""
		}
		h.norms[i] = norm(h.names[i])
	}
}

func onlySkipped(lines []string) bool {
	return !slices.ContainsFunc(lines, func(l string) bool { return strings.Trim(l, ",;\t ") != "" && !skipped(l) })
}

// unname makes a header of one that is a row: its columns are called by their numbers.
func (h *header) unname() {
	h.none = true
	h.line--
	for i := range h.names {
		h.names[i] = strconv.Itoa(i + 1)
	}
	h.norms = h.names
}

// isNumber reports whether a cell is a number or a date.
func (h *header) isNumber(cell string) bool {
	_, isNumber := parseNumber([]byte(cell), h.comma)
	_, isDate := parseDate([]byte(cell))
	return isNumber || isDate
}

// isNames reports whether all cells are names. Some may be empty or the same; then the first counts.
func (h *header) isNames() bool {
	bad := func(n string) bool { return len(n) > maxName || h.isNumber(n) }
	return !slices.ContainsFunc(h.names, bad) && slices.ContainsFunc(h.names, func(n string) bool { return n != "" })
}

// isNumbers reports whether all cells are numbers or dates.
func (h *header) isNumbers() bool {
	return !slices.ContainsFunc(h.names, func(n string) bool { return !h.isNumber(n) })
}

// isAbove reports whether the lines that follow are rows of the table, with a column of numbers: at least two, and
// half of them or more.
func (h *header) isAbove(lines []string) bool {
	rows, good := 0, 0
	numbers, gaps := make([]int, len(h.names)+1), make([]int, len(h.names)+1)
	var cells [][]byte
	for _, line := range lines {
		if skipped(line) {
			continue
		}
		if rows++; rows > lookedRows {
			break
		}
		cells = split([]byte(line), h.sep, cells[:0])
		if !h.fits(cells) || h.same(cells) || strings.ContainsAny(line, "{}") { // the last is source code
			continue
		}
		good++
		for i, c := range cells {
			if _, ok := parseNumber(c, h.comma); ok {
				numbers[i]++
			} else if missing(c) {
				gaps[i]++
			}
		}
	}
	for i, name := range h.names {
		if name != "" && numbers[i] > 0 && numbers[i]+gaps[i] == good {
			return good >= 2 && 2*good >= min(rows, lookedRows)
		}
	}
	return false
}

// fits reports whether there are as many cells as columns. A separator at the end is no cell more.
func (h *header) fits(cells [][]byte) bool {
	n := len(h.names)
	return len(cells) == n || len(cells) == n+1 && len(cells[n]) == 0 || len(cells) == n-1 && h.names[n-1] == ""
}

// same reports whether a row is the header once more.
func (h *header) same(cells [][]byte) bool {
	if h.none || !bytes.EqualFold(cells[0], []byte(h.names[0])) {
		return false
	}
	return slices.EqualFunc(h.names, cells, func(n string, c []byte) bool { return strings.EqualFold(n, string(c)) })
}
