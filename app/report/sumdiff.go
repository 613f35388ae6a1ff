// This file writes differences between sums without times, as text, markdown and JSON.

package report

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"framescope/charts/subject"
	"framescope/model/compare"
)

// sumsDiff is a comparison of sums, where a side has no times, as in JSON.
type sumsDiff struct {
	A          sumsSide     `json:"a"`          // the first side, the reference for B
	B          sumsSide     `json:"b"`          // the second side
	Of         string       `json:"of"`         // sum: nothing is tested
	Measure    string       `json:"measure"`    // measure of the sums
	Unit       string       `json:"unit"`       // theirs: ns, B, or another word; empty for counts
	Measures   []string     `json:"measures"`   // that both sides have
	Threads    []sumsThread `json:"threads"`    // of both sides, matched by name
	Collectors []sumsRow    `json:"collectors"` // of each thread, the largest first
	Paths      []sumsRow    `json:"paths"`      // callers before callees
}

type sumsSide struct {
	File    string  `json:"file"`    // as it was named
	Program string  `json:"program"` // the measured program
	Total   float64 `json:"total"`   // of all threads
}

type sumsThread struct {
	Name string `json:"name"`
	A    int    `json:"a_threads"` // how many of A it is
	B    int    `json:"b_threads"` // how many of B it is
}

type sumsRow struct {
	Thread    string      `json:"thread"`         // name of the thread
	Collector string      `json:"collector"`      // full name
	Path      []string    `json:"path,omitempty"` // of a call path: full names, outermost first
	Total     sumsFigure  `json:"total"`          // with callees
	Self      *sumsFigure `json:"self"`           // without; null for asynchronous spans
}

// sumsFigure is a sum on both sides, in the unit of the comparison.
type sumsFigure struct {
	A       float64 `json:"a"`
	B       float64 `json:"b"`
	Delta   float64 `json:"delta"`   // B less A
	ShareA  float64 `json:"share_a"` // of the total of A; 0 of nothing
	ShareB  float64 `json:"share_b"` // of the total of B; 0 of nothing
	Verdict string  `json:"verdict"` // new, gone, identical, or untested: a sum has no measure of chance
}

// ErrNoSums is returned where sides without times have no measure in common.
var ErrNoSums = errors.New("the recordings have no measure in common, so there is nothing to compare")

// SumNames are the names of the measures for a comparison where one of the sides has no times; empty
// where both have.
func SumNames(sides [2]compare.Side) (names []string) {
	for _, x := range compare.Summables(&sides[0], &sides[1]) {
		names = append(names, subject.MeasureName(sides[0].Session, x.Measures[0]))
	}
	return names
}

// FindSums returns the index of a measure in SumNames, the first for an empty name.
func FindSums(sides [2]compare.Side, name string) (int, error) {
	names := SumNames(sides)
	i := slices.IndexFunc(names, func(n string) bool { return strings.EqualFold(n, name) })
	switch {
	case name == "":
		return 0, nil
	case len(names) == 0:
		return 0, errors.New("--measure applies to recordings without times only; these two are compared by time")
	case i < 0:
		return 0, fmt.Errorf("--measure %q: unknown measure; choose one of %s", name, strings.Join(names, ", "))
	}
	return i, nil
}

// WriteSumDiff writes a comparison of sums, ErrNoSums where there is nothing to compare.
func WriteSumDiff(w io.Writer, r *compare.Result, sides [2]compare.Side, o DiffOptions) error {
	names := SumNames(sides)
	if len(names) == 0 {
		return ErrNoSums
	}
	d := sumsDiff{
		Of: "sum", Measure: subject.MeasureName(sides[0].Session, r.Sums.Measures[0]), Unit: r.Sums.Unit,
		Measures: names, Collectors: sumsRows(r, r.Collectors), Paths: sumsRows(r, r.Paths),
		Threads: each(r.Threads, func(t *compare.Thread) sumsThread {
			return sumsThread{t.Title, len(t.All[0]), len(t.All[1])}
		}),
	}
	for i, to := range [...]*sumsSide{&d.A, &d.B} {
		*to = sumsSide{o.Files[i], cmp.Or(sides[i].Session.Info().Program, "unknown program"), r.Totals[i]}
	}
	return o.write(w, d, func(t *Table) { d.text(t, r, o) })
}

func sumsRows(r *compare.Result, list []compare.Row) []sumsRow {
	figure := func(f *compare.Figure) *sumsFigure {
		return &sumsFigure{f.A, f.B, f.Delta(), r.Share(f, 0), r.Share(f, 1), f.Verdict.String()}
	}
	return each(list, func(x *compare.Row) sumsRow {
		row := sumsRow{Thread: r.Threads[x.Thread].Title, Collector: x.Name(), Total: *figure(&x.Total)}
		if x.Self.Known {
			row.Self = figure(&x.Self)
		}
		if x.IsPath() {
			row.Path = x.Names
		}
		return row
	})
}

// own is the figure that orders the rows.
func (x *sumsRow) own() *sumsFigure {
	if x.Self != nil {
		return x.Self
	}
	return &x.Total
}

func (d *sumsDiff) text(t *Table, r *compare.Result, o DiffOptions) {
	print, unit := sumText(t, d.Unit)
	for i, x := range [...]*sumsSide{&d.A, &d.B} {
		t.Line(fmt.Sprintf("%c  %s: %s, %s%s of %s", 'A'+i, t.Name(x.File), t.Name(x.Program),
			print(x.Total), unit, t.Name(d.Measure)))
	}
	d.rows(t, d.Collectors, "Collectors", o.All)
	if several := compare.SeveralWays(r.Paths); len(several) > 0 {
		d.rows(t, sumsRows(r, several), "Call paths of collectors that have several", o.All)
	}
	fmt.Fprintln(t.out, "\nThese are sums of recordings without times. Nothing is tested: one sum per side does not "+
		"tell how much it\n"+
		"varies by chance. Shares are of the whole side; if the sides differ in length, compare the shares.")
	if len(d.Measures) > 1 {
		fmt.Fprintf(t.out, "Other measures (--measure): %s.\n",
			t.Name(strings.Join(slices.DeleteFunc(slices.Clone(d.Measures),
				func(n string) bool { return n == d.Measure }), ", ")))
	}
}

// rows writes the different rows, the largest difference first, and counts the others.
func (d *sumsDiff) rows(t *Table, rows []sumsRow, title string, all bool) {
	print, unit := sumText(t, d.Unit)
	var list []*sumsRow
	differ := 0
	for i := range rows {
		changed := rows[i].own().Delta != 0
		if changed {
			differ++
		}
		if changed || all {
			list = append(list, &rows[i])
		}
	}
	slices.SortStableFunc(list, func(a, b *sumsRow) int {
		return cmp.Or(cmp.Compare(math.Abs(b.own().Delta), math.Abs(a.own().Delta)),
			cmp.Compare(math.Abs(b.Total.Delta), math.Abs(a.Total.Delta)))
	})
	in := ""
	if unit != "" {
		in = " in" + unit
	}
	t.Head(fmt.Sprintf("%s: %d of %d differ in self, %d do not; sums of %s%s", title, differ, len(rows), len(rows)-differ,
		t.Name(d.Measure), in))
	if len(list) == 0 {
		return
	}
	columns := []string{"self A", "self B", "B − A", "A %", "B %", "total A", "total B", "B − A"}
	if len(d.Threads) > 1 {
		columns = append(columns, "thread")
	}
	t.Begin(append(columns, "collector")...)
	for _, x := range list {
		f, name := x.own(), t.Name(x.Collector)
		if x.Path != nil {
			name = t.Said(Path(x.Path))
		}
		cells := []string{print(f.A), print(f.B), Signed(f.Delta, print), Percent(f.ShareA), Percent(f.ShareB),
			print(x.Total.A), print(x.Total.B), Signed(x.Total.Delta, print)}
		if len(d.Threads) > 1 {
			cells = append(cells, t.Name(x.Thread))
		}
		t.Row(append(cells, name)...)
	}
	t.End()
}

// sumText returns the format for sums of a unit, and the unit with a blank before it, empty for counts.
func sumText(t *Table, unit string) (print func(v float64) string, word string) {
	switch unit {
	case "ns":
		return Ms, " ms"
	case "":
		return Whole, ""
	}
	return Whole, " " + t.Name(unit)
}
