// How text reports print numbers, and values beside each other for a comparison.

package report

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"text/tabwriter"

	"framescope/internal/escape"
	"framescope/model/measure"
)

// Table is a table with a name in the last column; the others are numbers, aligned right.
type Table struct {
	out      *bufio.Writer
	markdown bool
	tw       *tabwriter.Writer
}

// Begin begins a table of such columns below a blank line.
func (t *Table) Begin(columns ...string) {
	fmt.Fprintln(t.out)
	if !t.markdown {
		t.tw = tabwriter.NewWriter(t.out, 0, 0, 2, ' ', tabwriter.AlignRight)
	}
	t.Row(columns...)
	if t.markdown {
		fmt.Fprintln(t.out, strings.Repeat("|--:", len(columns)-1)+"|:--|")
	}
}

// Row writes a row.
func (t *Table) Row(cells ...string) {
	if t.markdown {
		fmt.Fprintln(t.out, escape.MarkdownRow(cells...))
		return
	}
	last := len(cells) - 1
	fmt.Fprintf(t.tw, "%s\t  %s\n", strings.Join(cells[:last], "\t"), cells[last])
}

// End ends a table.
func (t *Table) End() {
	if t.tw != nil {
		t.tw.Flush()
		t.tw = nil
	}
}

// Head writes a heading.
func (t *Table) Head(text string) {
	if t.markdown {
		text = "### " + text
	}
	fmt.Fprintln(t.out, "\n"+text)
}

// Line writes an item of a list.
func (t *Table) Line(text string) {
	if t.markdown {
		text = "- " + text
	}
	fmt.Fprintln(t.out, text)
}

// Name is how a name is printed.
func (t *Table) Name(name string) string { return t.Said(escape.Name(name)) }

// Said formats a text with names for one line.
func (t *Table) Said(text string) string {
	if t.markdown {
		return escape.Markdown(text)
	}
	return text
}

// NewTable returns a table that is written to out, as text or as markdown.
func NewTable(out *bufio.Writer, markdown bool) *Table { return &Table{out: out, markdown: markdown} }

// Ms prints ns as ms, a dash where nothing is known.
func Ms(ns float64) string {
	if math.IsNaN(ns) {
		return "–"
	}
	return Number(ns / 1e6)
}

// Spread prints how uncertain a difference is, both in ns, as ms: with as many decimals as SignedMs
// gives the difference, and as many as it takes to be more than 0.
func Spread(ns, of float64) string {
	if math.IsNaN(ns) {
		return "–"
	}
	_, decimals, _ := strings.Cut(Number(of/1e6), ".")
	if s := strconv.FormatFloat(ns/1e6, 'f', len(decimals), 64); ns == 0 || strings.ContainsAny(s, "123456789") {
		return s
	}
	return Number(ns / 1e6)
}

// SignedMs is Ms of a difference, with its sign.
func SignedMs(ns float64) string { return Signed(ns, Ms) }

// Signed prints a difference with its sign; 0 has no sign.
func Signed(v float64, text func(float64) string) string {
	s := strings.Replace(text(v), "-", "−", 1)
	if v > 0 {
		return "+" + s
	}
	return s
}

// PercentText prints percents, a dash where nothing is known.
func PercentText(v float64) string {
	if math.IsNaN(v) {
		return "–"
	}
	return fmt.Sprintf("%.1f", v)
}

// Percent prints a share in percent.
func Percent(share float64) string { return PercentText(100 * share) }

// Number prints a value with enough digits to compare by eye.
func Number(v float64) string {
	switch a := math.Abs(v); {
	case a == 0 || a >= 0.0005 && a < 1e5:
		return strconv.FormatFloat(v, 'f', 3, 64)
	case a >= 1e5 && a < 1e15: // all before the point
		return strconv.FormatFloat(v, 'f', 0, 64)
	case a >= 1e-6 && a < 0.0005: // small numbers: the digits after the leading zeros
		return strconv.FormatFloat(v, 'f', 3-int(math.Floor(math.Log10(a))), 64)
	}
	return strconv.FormatFloat(v, 'g', 4, 64)
}

// Rate prints events per second: tiny rates as a bound.
func Rate(v float64) string {
	switch {
	case 0 < v && v < 0.0005:
		return "<0.001"
	case -0.0005 < v && v < 0:
		return ">-0.001"
	}
	return Number(v)
}

// Columns begins a table of right-aligned columns below a blank line. Their titles come from the IDs of
// the vocabulary. The last column is the row's name, which may be long, and a note on the other
// columns.
func Columns(out *bufio.Writer, ids ...string) *tabwriter.Writer {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w)
	for i, id := range ids {
		title, named := strings.CutPrefix(id, "=") // in the words of the source
		if !named {
			id, more, _ := strings.Cut(id, " ")
			if title = measure.Title(id); more != "" {
				title += " " + more
			}
		}
		if i == len(ids)-1 {
			fmt.Fprintf(w, "  %s\n", title)
		} else {
			fmt.Fprintf(w, "%s\t", title)
		}
	}
	return w
}

// table prints a row for each of a list below the titles of its columns; of an empty list nothing.
func table[T any](out *bufio.Writer, list []T, row func(w io.Writer, x *T), ids ...string) {
	if len(list) == 0 {
		return
	}
	w := Columns(out, ids...)
	for i := range list {
		row(w, &list[i])
	}
	w.Flush()
}

// each returns what a function makes of each of a list; an empty list is none that is null in JSON.
func each[T, To any](list []T, of func(x *T) To) []To {
	out := make([]To, len(list))
	for i := range list {
		out[i] = of(&list[i])
	}
	return out
}

// AsMs prints nanoseconds as milliseconds.
func AsMs(ns int64) string { return Number(float64(ns) / 1e6) }

// Count prints a number.
func Count(n int64) string { return fmt.Sprint(n) }

// OrDash prints a value, or a dash for one that is not known.
func OrDash[T any](v *T, print func(T) string) string {
	if v == nil {
		return "-"
	}
	return print(*v)
}

// Chance prints a probability, a dash where nothing is known.
func Chance(p float64) string {
	switch {
	case math.IsNaN(p):
		return "–"
	case p < 0.0001:
		return "<0.0001"
	}
	return fmt.Sprintf("%.4f", p)
}

// Whole prints a number without decimals.
func Whole(v float64) string { return strconv.FormatFloat(v, 'f', 0, 64) }

// Path joins a call path; for a name below its caller's name, the last part is enough.
func Path(names []string) string {
	short := make([]string, len(names))
	for i, n := range names {
		if i > 0 {
			n = strings.TrimPrefix(n, names[i-1]+":")
		}
		short[i] = escape.Name(n)
	}
	return strings.Join(short, " > ")
}
