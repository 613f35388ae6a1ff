package report

import (
	"bufio"
	"fmt"
	"strings"
	"text/tabwriter"

	"framescope/model/measure"
)

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

// AsMs prints nanoseconds as milliseconds.
func AsMs(ns int64) string { return Number(float64(ns) / 1e6) }

// MeanAsMs is AsMs of a mean.
func MeanAsMs(ns float64) string { return Number(ns / 1e6) }

// Count prints a number.
func Count(n int64) string { return fmt.Sprint(n) }

// OrDash prints a value, or a dash for one that is not known.
func OrDash[T any](v *T, print func(T) string) string {
	if v == nil {
		return "-"
	}
	return print(*v)
}
