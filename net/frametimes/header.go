package frametimes

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
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
)

// Limits of a table.
const (
	maxColumns  = 512
	headerLines = 50 // the header is one of the first lines
	lookedRows  = 20 // by which one of an unknown table is recognised
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

// named returns the column that a user named.
func (h *header) named(flag, name string) (int, error) {
	if at := h.column(norm(name)); at >= 0 {
		return at, nil
	}
	return -1, fmt.Errorf("%s: no column %q; the columns are: %s", flag, name, h.list())
}

// list are the names of all columns.
func (h *header) list() string {
	var list []string
	for _, n := range h.names[:min(len(h.names), 40)] {
		list = append(list, trace.Shown(n))
	}
	s := strings.Join(list, ", ")
	if len(h.names) > 40 {
		s += fmt.Sprintf(", … (%d in all)", len(h.names))
	}
	return s
}

// norm is a name without case and blanks.
func norm(s string) string { return strings.ToLower(strings.Join(strings.Fields(s), "")) }

// errSummary names a table of averages and the file to open instead.
var errSummary = errors.New("this is MangoHud's summary, one row of averages: open the log with the frames, " +
	"which has the same name without “_summary”")

// skipped reports whether a line before the rows is none of the table: empty, or a comment.
func skipped(line string) bool {
	return strings.TrimSpace(line) == "" || strings.HasPrefix(line, "//") || strings.HasPrefix(line, "#")
}

// headerOf makes a header of a line; NULs in it are damage, and no part of a name.
func headerOf(line string) *header {
	line = strings.ReplaceAll(line, "\x00", "")
	h := &header{sep: ','}
	unquoted := outside(line)
	for _, sep := range []byte{';', '\t'} {
		if strings.Count(unquoted, string(sep)) > strings.Count(unquoted, string(h.sep)) {
			h.sep = sep
		}
	}
	h.comma = h.sep != ','
	for _, c := range split([]byte(line), h.sep, nil) {
		h.names = append(h.names, string(c))
		h.norms = append(h.norms, norm(string(c)))
	}
	return h
}

// outside returns the parts of a line outside of quotes.
func outside(line string) string {
	if !strings.Contains(line, `"`) {
		return line
	}
	var out strings.Builder
	for i, part := range strings.Split(line, `"`) {
		if i%2 == 0 {
			out.WriteString(part)
		}
	}
	return out.String()
}

// telling reports whether a column is called as one of times, or of lengths of frames.
func (h *header) telling() bool {
	return slices.ContainsFunc(h.names, func(n string) bool {
		base, _ := unitOf(n)
		return isLength(n) || slices.Contains(timeNames, norm(base))
	})
}

func (h *header) has(norms ...string) bool {
	for _, n := range norms {
		if !slices.Contains(h.norms, n) {
			return false
		}
	}
	return true
}

// known reports whether a header is that of a known program, which needs no rows to be recognised.
func (h *header) known() bool {
	switch {
	case h.has("application", "processid", "swapchainaddress"):
		h.kind = presentMon
	case h.has("thread_id", "thread", "frame", "begin_ns", "duration_ns", "missing"):
		h.kind = exported
	case h.has("fps", "frametime", "elapsed"):
		h.kind = mangoHud
	default:
		return false
	}
	return true
}

func (h *header) summary() bool { return h.has("averagefps") && h.has("0.1%minfps") }

// findHeader looks for the header among the first lines of a text. sure asks for one that is the
// header of a table beyond doubt, else by the columns that a user names. It is nil where there is none
// so far.
func findHeader(lines []string, o *Source) (*header, error) {
	first := lines[:min(len(lines), headerLines)]
	for i, line := range first {
		if skipped(line) {
			continue
		}
		h := headerOf(line)
		if h.summary() {
			return nil, errSummary
		}
		if h.known() {
			h.line = i
			return h, nil
		}
	}
	for _, distinct := range [...]bool{true, false} {
		for i, line := range first {
			if h := generalHeader(line, lines, i, distinct, o); h != nil {
				return h, nil
			}
		}
	}
	return nil, nil
}

// generalHeader returns the header that a line is, the i-th, nil where it is none. Names that are distinct come
// before others, and these before none.
func generalHeader(line string, lines []string, i int, distinct bool, o *Source) *header {
	if skipped(line) {
		return nil
	}
	h := headerOf(line)
	if h.line = i; len(h.names) > maxColumns {
		return nil
	}
	if h.words() && (!distinct || h.distinct()) && h.rows(lines[i+1:]) {
		return h
	}
	if h.none = !distinct && o.asked() && h.numbers(); h.none && h.rows(lines[i:]) {
		h.line = i - 1
		for k := range h.names {
			h.names[k] = fmt.Sprint(k + 1)
			h.norms[k] = h.names[k]
		}
		return h
	}
	return nil
}

// distinct reports whether each column but the last has a name, and each another.
func (h *header) distinct() bool {
	for i, n := range h.norms {
		if n == "" && i < len(h.norms)-1 || n != "" && slices.Contains(h.norms[:i], n) {
			return false
		}
	}
	return true
}

// words reports whether all cells are names. Some may be empty or the same; then the first counts.
func (h *header) words() bool {
	some := false
	for i, n := range h.norms {
		_, isNumber := parseNumber([]byte(n), h.comma)
		if _, isDate := parseDate([]byte(h.names[i])); isNumber || isDate || len(n) > 100 {
			return false
		}
		some = some || n != ""
	}
	return some
}

// numbers reports whether all cells are numbers or dates.
func (h *header) numbers() bool {
	for _, n := range h.names {
		_, isNumber := parseNumber([]byte(n), h.comma)
		if _, isDate := parseDate([]byte(n)); !isNumber && !isDate {
			return false
		}
	}
	return len(h.names) > 0
}

// rows reports whether the lines that follow are rows of a table with a column of numbers: at least two, and all
// but one or four in five of them; half of them if the names contain times.
func (h *header) rows(lines []string) bool {
	rows, good := 0, 0
	numeric := make([]int, len(h.names))
	var cells [][]byte
	for _, line := range lines {
		if skipped(line) {
			continue
		}
		if rows++; rows > lookedRows {
			rows--
			break
		}
		cells = split([]byte(line), h.sep, cells[:0])
		if !h.fits(cells) || h.same(cells) {
			continue
		}
		good++
		for i := range numeric {
			if i == len(cells) {
				break // the last column has neither name nor cells
			}
			if _, ok := parseNumber(cells[i], h.comma); ok || missing(cells[i]) {
				numeric[i]++
			}
		}
	}
	return good >= 2 && (rows-good <= 1 || 5*good >= 4*rows || 2*good >= rows && h.telling()) && slices.Max(numeric) == good
}

// fits reports whether there are as many cells as columns. A separator at the end is no cell more.
func (h *header) fits(cells [][]byte) bool {
	n := len(h.names)
	return len(cells) == n || len(cells) == n+1 && len(cells[n]) == 0 || len(cells) == n-1 && h.names[n-1] == ""
}

// same reports whether a row is the header once more.
func (h *header) same(cells [][]byte) bool {
	if h.none || len(cells) == 0 || !bytes.EqualFold(cells[0], []byte(h.names[0])) {
		return false
	}
	return slices.EqualFunc(h.names, cells, func(n string, c []byte) bool { return strings.EqualFold(n, string(c)) })
}
