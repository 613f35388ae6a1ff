package cli

import (
	"html"
	"slices"

	"framescope/charts/format"
	"framescope/internal/escape"
)

// The parts of a statistics report that the page reads (docs/report.schema.json).
type (
	thread struct {
		Name    string
		Frames  int64
		Missing int64      `json:"missing_frames"`
		Rate    float64    `json:"frames_per_second"`
		Open    *openFrame `json:"open_frame"`
		Times   []timeLine
		Levels  []levelLine
	}
	openFrame struct {
		Number  int64
		AtLeast int64 `json:"duration_ns"`
	}
	timeLine struct {
		Collector string
		Starts    int64
		With      int64         `json:"frames_with"`
		Total     *distribution `json:"total_ns"`
		Self      *distribution `json:"self_ns"`
		Net       *distribution `json:"net_ns"`
	}
	levelLine struct {
		Collector, Unit string
		Value           *distribution
	}
	distribution struct{ Mean, Median, P95, P99, Max float64 }
	call         struct {
		Collector   string
		Calls, Runs *int64
		Total       float64  `json:"total_ns"`
		Self        *float64 `json:"self_ns"`
		Longest     *float64 `json:"longest_ns"`
		Samples     *int64
	}
	series struct {
		Name, Group, Thread, Object, Unit string
		Samples                           int64
		Min, Mean, P99, Max               float64
	}
	lock struct {
		Lock         string
		Waits, Holds int64
		Waited       float64 `json:"waited_ns"`
		Held         float64 `json:"held_ns"`
		Condition    float64 `json:"condition_wait_ns"`
	}
)

// Length returns how long an open frame took at least.
func (o *openFrame) Length() string { return string(format.AppendDuration(nil, o.AtLeast)) }

// Frame returns the frame times: the times of the collector for the whole frame, nil without one.
func (t *thread) Frame() *distribution {
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
	Cells []any // markup, and nanoseconds, of which those of a column are written in one unit
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
func tables(f *figures) []table {
	var out []table
	for i := range f.Threads {
		out = append(out, f.Threads[i].tables(i == 0)...)
	}
	if f.Calls != nil && len(f.Calls.All) > 0 {
		out = append(out, callTable(f.Calls.All, len(out) == 0))
	}
	if len(f.Locks) > 0 {
		t := table{Title: "Locks", Heads: []string{"lock", "waits", "waited", "on conditions", "holds", "held"}}
		slices.SortStableFunc(f.Locks, func(a, b lock) int { return int(min(1, max(-1, b.Waited-a.Waited))) })
		t.add(len(f.Locks), func(i int) row {
			l := &f.Locks[i]
			return row{l.Lock, []any{countCell(l.Waits), nanoseconds(l.Waited), nanoseconds(l.Condition), countCell(l.Holds), nanoseconds(l.Held)}}
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

// tables returns the times of a thread's collectors, and its levels.
func (x *thread) tables(open bool) []table {
	t := table{
		Title: x.Name, What: "each collector in a frame", Open: open,
		Heads: []string{"collector", "starts", "frames with it", "mean total", "mean self", "median total", "99 % total", "greatest total"},
	}
	t.add(len(x.Times), func(i int) row {
		l := &x.Times[i]
		total, self := l.Total, l.Self
		cells := []any{countCell(l.Starts), countCell(l.With), empty, empty, empty, empty, empty}
		if total != nil {
			cells[2], cells[4], cells[5], cells[6] = nanoseconds(total.Mean), nanoseconds(total.Median), nanoseconds(total.P99), nanoseconds(total.Max)
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
			return row{l.Collector, []any{valueCell(l.Value.Mean, l.Unit), valueCell(l.Value.Median, l.Unit), valueCell(l.Value.Max, l.Unit)}}
		})
		out = append(out, t)
	}
	return out
}

// callTable is the times of methods where there are no frames.
func callTable(all []call, open bool) table {
	t := table{Title: "Calls", What: "of all threads", Open: open, Heads: []string{"collector", "calls", "total", "self", "longest"}}
	if len(all) > 0 && all[0].Runs != nil {
		t.Title, t.Heads[0], t.Heads[1] = "Methods, by samples of the stacks", "method", "runs"
	}
	t.add(len(all), func(i int) row {
		c := &all[i]
		cells := []any{empty, nanoseconds(c.Total), empty, empty}
		for _, n := range [...]*int64{c.Calls, c.Runs} {
			if n != nil {
				cells[0] = countCell(*n)
			}
		}
		if c.Self != nil {
			cells[2] = nanoseconds(*c.Self)
		}
		if c.Longest != nil {
			cells[3] = nanoseconds(*c.Longest)
		}
		return row{c.Collector, cells}
	})
	return t
}
