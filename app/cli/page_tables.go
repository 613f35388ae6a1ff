package cli

import (
	"html"

	"framescope/app/report"
	"framescope/charts/format"
	"framescope/internal/escape"
)

// frameTimes returns the frame times: the times of the collector for the whole frame, nil without one.
func frameTimes(t *report.ThreadFigures) *report.Distribution {
	for i := range t.Times {
		if t.Times[i].Collector == "Frame" {
			return t.Times[i].Total
		}
	}
	return nil
}

// table is one table of the page.
type table struct {
	Title, What string
	Open        bool
	Heads       []string
	Rows        []row
}

type row struct {
	Name  string
	Cells []any // markup or nanoseconds: a column writes its times in one unit
}

// nanoseconds is a cell with a time.
type nanoseconds float64

// units returns the unit of the times of each column, as its greatest demands.
func (t *table) units() []format.TimeUnit {
	units := make([]format.TimeUnit, len(t.Heads))
	for i := range units {
		greatest := 0.0
		for _, r := range t.Rows {
			if ns, ok := r.cell(i).(nanoseconds); ok {
				greatest = max(greatest, float64(ns))
			}
		}
		units[i] = format.TimeUnitOf(greatest, format.TimeUnit{})
	}
	return units
}

func (r *row) cell(i int) any {
	if i >= len(r.Cells) {
		return nil
	}
	return r.Cells[i]
}

// mostRows is how many rows a table of the page has at most.
const mostRows = 200

// empty is a cell for an unknown value.
const empty = markup("<td>–</td>")

// add adds rows as long as there is room, and says how many are left out.
func (t *table) add(n int, of func(i int) row) {
	for i := range min(n, mostRows) {
		r := of(i)
		r.Name = escape.Name(r.Name)
		t.Rows = append(t.Rows, r)
	}
	if n > mostRows {
		t.What += string(format.AppendCount([]byte(", "), int64(n-mostRows))) + " more: framescope report --stats"
	}
}

// tables returns the tables that a session has something for.
func tables(f *report.Figures) []table {
	var out []table
	for i := range f.Threads {
		out = append(out, threadTables(&f.Threads[i], i == 0)...)
	}
	if f.Calls != nil && len(f.Calls.All) > 0 {
		out = append(out, callTable(f.Calls.All, len(out) == 0))
	}
	if len(f.Locks) > 0 {
		t := table{Title: "Locks", Heads: []string{"lock", "waits", "waited", "on conditions", "holds", "held"}}
		t.add(len(f.Locks), func(i int) row {
			l := &f.Locks[i]
			return row{l.Lock, []any{countCell(l.Waits), nanoseconds(l.Waited), nanoseconds(l.Condition), countCell(l.Holds),
				nanoseconds(l.Held)}}
		})
		out = append(out, t)
	}
	if len(f.Series) > 0 {
		t := table{Title: "Series", Heads: []string{"series", "of", "samples", "least", "mean", "99 %", "greatest"}}
		t.add(len(f.Series), func(i int) row {
			x := &f.Series[i]
			of := markup("<td>" + html.EscapeString(escape.Name(x.Group+" "+x.Thread+x.Object)) + "</td>")
			return row{x.Name, []any{of, countCell(x.Samples), valueCell(x.Min, x.Unit), valueCell(x.Mean, x.Unit),
				valueCell(x.P99, x.Unit), valueCell(x.Max, x.Unit)}}
		})
		out = append(out, t)
	}
	return out
}

// threadTables returns the times of a thread's collectors, and its levels.
func threadTables(x *report.ThreadFigures, open bool) []table {
	t := table{
		Title: x.Name, What: "each collector in a frame", Open: open,
		Heads: []string{"collector", "starts", "frames with it", "mean total", "mean self", "median total", "99 % total",
			"greatest total"},
	}
	t.add(len(x.Times), func(i int) row {
		l := &x.Times[i]
		total, self := l.Total, l.Self
		cells := []any{countCell(l.Starts), countCell(l.Present), empty, empty, empty, empty, empty}
		if total != nil {
			cells[2], cells[4], cells[5], cells[6] = nanoseconds(total.Mean), nanoseconds(total.Median), nanoseconds(total.P99),
				nanoseconds(total.Max)
		}
		if self != nil {
			cells[3] = nanoseconds(self.Mean)
		}
		return row{l.Collector, cells}
	})
	out := []table{t}
	if len(x.Levels) > 0 {
		t := table{Title: x.Name, What: "levels", Heads: []string{"level", "mean", "median", "greatest"}}
		t.add(len(x.Levels), func(i int) row {
			l := &x.Levels[i]
			if l.Value == nil {
				return row{l.Collector, []any{empty, empty, empty}}
			}
			return row{l.Collector, []any{valueCell(l.Value.Mean, l.Unit), valueCell(l.Value.Median, l.Unit),
				valueCell(l.Value.Max, l.Unit)}}
		})
		out = append(out, t)
	}
	return out
}

// callTable is the times of methods where there are no frames.
func callTable(all []report.CallLine, open bool) table {
	t := table{Title: "Calls", What: "of all threads", Open: open, Heads: []string{"collector", "calls", "total", "self",
		"longest"}}
	if len(all) > 0 && all[0].Runs != nil {
		t.Title, t.Heads[0], t.Heads[1] = "Methods, by samples of the stacks", "method", "runs"
	}
	t.add(len(all), func(i int) row {
		c := &all[i]
		cells := []any{empty, nanoseconds(0), nsCell(c.Self), nsCell(c.Longest)}
		if c.Total != nil {
			cells[1] = nsCell(c.Total)
		}
		for _, n := range [...]*int64{c.Calls, c.Runs} {
			if n != nil {
				cells[0] = countCell(*n)
			}
		}
		return row{c.Collector, cells}
	})
	return t
}
