package report

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"

	"framescope/model/compare"
	"framescope/model/find"
)

// foundDiff is the calls found on both sides, as in JSON.
type foundDiff struct {
	A          foundSide      `json:"a"`          // the first side
	B          foundSide      `json:"b"`          // the second side
	Where      string         `json:"where"`      // the expression
	Collectors []foundDiffRow `json:"collectors"` // that with the greatest change of the total first
	Threads    []foundDiffRow `json:"threads"`
	Paths      []foundDiffRow `json:"paths"` // of each call path, on all threads
}

// foundSide is all that is found on a side: the figures of `report --where`.
type foundSide struct {
	diffSide
	foundCount
	Total    int64 `json:"total_ns"` // of calls inside others that are found the outermost counts
	Shortest int64 `json:"shortest_ns"`
	Longest  int64 `json:"longest_ns"`

	all int64 // the lengths of all calls, ns
}

// foundDiffRow is a collector, a thread or a call path on both sides, matched by name.
type foundDiffRow struct {
	Collector string    `json:"collector,omitempty"`
	Thread    string    `json:"thread,omitempty"`
	Path      []string  `json:"path,omitempty"` // full names, outermost first
	A         *foundSum `json:"a"`              // null where nothing was found
	B         *foundSum `json:"b"`              // null where nothing was found
}

// WriteFoundDiff writes the calls that an expression finds on both sides, and the difference, with the
// figures of a report of the calls. There is no test: found calls are counted.
func WriteFoundDiff(w io.Writer, sides [2]compare.Side, where *find.Expr, o DiffOptions) error {
	d := foundDiff{Where: where.Text(), Collectors: []foundDiffRow{}, Threads: []foundDiffRow{}, Paths: []foundDiffRow{}}
	var sums [2]*foundSummary
	for i, to := range [...]*foundSide{&d.A, &d.B} {
		s := sides[i].Session
		if s.Info().Sampling.Timeless {
			return ErrFindTimeless
		}
		search, times, sum := searchFound(s, sides[i].Only, sides[i].BeginNs, sides[i].EndNs, where, nil)
		if sides[i].Only != nil && len(sides[i].Only) == 0 { // none of the threads is on this side
			sum = &foundSummary{foundCount: countFound(s, 0)}
		} else {
			sumFound(s, search, times, sum)
		}
		sums[i] = sum
		*to = foundSide{diffSide{o.Files[i], s.Info().Program}, sum.foundCount, sum.Total, sum.Shortest, sum.Longest,
			search.Sums.SumNs}
	}
	d.Collectors = matchFound(sums[0].Collectors, sums[1].Collectors)
	d.Threads = matchFound(sums[0].Threads, sums[1].Threads)
	d.Paths = matchFound(sums[0].Paths, sums[1].Paths)
	return o.write(w, d, func(t *Table) { d.text(t, o) })
}

// matchFound pairs sums by name, in order of the change of their total, largest first.
func matchFound(a, b []foundSum) []foundDiffRow {
	rows, at := []foundDiffRow{}, map[string]int{}
	row := func(f *foundSum) *foundDiffRow {
		i, ok := at[f.fullName()]
		if !ok {
			i = len(rows)
			at[f.fullName()] = i
			rows = append(rows, foundDiffRow{Collector: f.Collector, Thread: f.Thread, Path: f.full})
		}
		return &rows[i]
	}
	for i := range a {
		r := row(&a[i])
		r.A = join(r.A, &a[i])
	}
	for i := range b {
		r := row(&b[i])
		r.B = join(r.B, &b[i])
	}
	slices.SortStableFunc(rows, func(x, y foundDiffRow) int {
		return cmp.Compare(math.Abs(float64(y.delta())), math.Abs(float64(x.delta())))
	})
	return rows
}

// join adds a sum to another, nil: none, of the same name, which the row has.
func join(to, f *foundSum) *foundSum {
	x := foundSum{foundCount: f.foundCount, Total: f.Total, all: f.all, Shortest: f.Shortest, Longest: f.Longest}
	if to != nil {
		x.foundCount = x.plus(to.n())
		x.all, x.Total = x.all+to.all, x.Total+to.Total
		x.Shortest, x.Longest = min(x.Shortest, to.Shortest), max(x.Longest, to.Longest)
	}
	x.Mean = float64(x.all) / float64(x.n())
	return &x
}

// delta is the total of B minus that of A, in ns.
func (r *foundDiffRow) delta() (ns int64) {
	if r.A != nil {
		ns -= r.A.Total
	}
	if r.B != nil {
		ns += r.B.Total
	}
	return ns
}

func (d *foundDiff) text(t *Table, o DiffOptions) {
	for i, x := range [...]*foundSide{&d.A, &d.B} {
		t.Line(fmt.Sprintf("%c  %s: %s", 'A'+i, t.Name(x.File), t.Name(orUnknown(x.Program))))
	}
	t.Head("Calls that " + t.Name(d.Where) + " finds")
	if d.A.n() == 0 && d.B.n() == 0 {
		fmt.Fprintln(t.out, "nothing was found")
		return
	}
	a, b := &d.A, &d.B
	t.Begin("A", "B", "B − A", "")
	many := a.callWords().Many
	t.Row(Count(a.n()), Count(b.n()), Signed(float64(b.n()-a.n()), Whole), many)
	for _, x := range [...]struct {
		name string
		a, b float64
	}{
		{"in all, ms", float64(a.Total), float64(b.Total)}, {"mean, ms", meanOf(a), meanOf(b)},
		{"shortest, ms", float64(a.Shortest), float64(b.Shortest)}, {"longest, ms", float64(a.Longest), float64(b.Longest)},
	} {
		t.Row(Ms(x.a), Ms(x.b), SignedMs(x.b-x.a), x.name)
	}
	t.End()
	for i, rows := range [...][]foundDiffRow{d.Collectors, d.Threads, d.Paths} {
		if i == 2 && len(rows) == len(d.Collectors) && !o.All {
			continue // each collector has one way to it: that says nothing more
		}
		t.Begin("A "+many, "B "+many, "A ms", "B ms", "B − A ms", [...]string{"collector", "thread",
			"collector, and its callers"}[i])
		for j := range rows {
			r := &rows[j]
			name := t.Name(r.Collector + r.Thread)
			if r.Path != nil {
				name = t.Said(pathText(r.Path))
			}
			x, y := orNothing(r.A), orNothing(r.B)
			t.Row(Count(x.n()), Count(y.n()), Ms(float64(x.Total)), Ms(float64(y.Total)), SignedMs(float64(r.delta())), name)
		}
		t.End()
	}
	fmt.Fprintln(t.out, "\nAll calls found are counted; nothing is tested.")
}

// meanOf is the mean length of the calls found on a side, 0 for none.
func meanOf(x *foundSide) float64 { return float64(x.all) / float64(max(x.n(), 1)) }

func orNothing(f *foundSum) *foundSum {
	if f == nil {
		return &foundSum{}
	}
	return f
}
