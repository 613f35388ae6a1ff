package report

import (
	"bufio"
	"fmt"
	"math"
	"strconv"
	"text/tabwriter"

	"framescope/model"
)

// writeThings prints what goes by time instead of by frames.
func writeThings(out *bufio.Writer, sum *summary) {
	if c := sum.Calls; c != nil {
		writeCalls(out, c)
	}
	if len(sum.Locks) > 0 {
		writeLocks(out, sum.Locks)
	}
	if len(sum.Series) > 0 {
		writeSeries(out, sum.Series)
	}
	if m := sum.Messages; m != nil {
		fmt.Fprintf(out, "\nMessages: %d\n", m.Count)
		for _, s := range m.Severities {
			fmt.Fprintf(out, "%10d %s\n", s.Count, s.Severity)
		}
		for i, c := range m.Categories {
			if i == 0 {
				fmt.Fprintln(out, "by category")
			}
			fmt.Fprintf(out, "%10d %s\n", c.Count, c.Category)
		}
	}
}

// columns begins a table of right-aligned columns; the name, which may be long, comes last.
func columns(out *bufio.Writer) *tabwriter.Writer {
	return tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
}

func writeCalls(out *bufio.Writer, c *callsSummary) {
	fmt.Fprintf(out, "%.3f s to %.3f s\n", c.BeginS, c.EndS)
	if len(c.Threads) > 1 {
		fmt.Fprintf(out, "\nAll %d threads\n", len(c.Threads))
		callTable(out, c.All)
	}
	for i := range c.Threads {
		t := &c.Threads[i]
		fmt.Fprintf(out, "\nThread %s: %.3f s to %.3f s", t.Name, t.BeginS, t.EndS)
		if t.Samples != nil {
			fmt.Fprintf(out, ", %d samples", *t.Samples)
		}
		if t.CPUMs != nil {
			fmt.Fprintf(out, ", CPU time %s ms", figure(*t.CPUMs))
		}
		if t.Load != nil {
			fmt.Fprintf(out, ", CPU load %.1f %%", *t.Load*100)
		}
		fmt.Fprintln(out)
		callTable(out, t.Methods)
	}
}

// callTable prints calls in columns.
func callTable(out *bufio.Writer, lines []callLine) {
	if len(lines) == 0 {
		return
	}
	cpu, samples := false, false
	for i := range lines {
		cpu, samples = cpu || lines[i].CPU != nil, samples || lines[i].Samples != nil
	}
	w := columns(out)
	fmt.Fprint(w, "\ncalls\ttotal\tself\tmean\tmin\tmax\t")
	if cpu {
		fmt.Fprint(w, "CPU\tself CPU\t")
	}
	if samples {
		fmt.Fprint(w, "samples\tself\t")
	}
	fmt.Fprintln(w, "  time (ms)")
	for i := range lines {
		l := &lines[i]
		fmt.Fprintf(w, "%d\t%s\t%s\t%s\t%s\t%s\t", l.Calls, figure(l.Total), figure(l.Self), figure(l.Mean), figure(l.Min), figure(l.Max))
		if cpu {
			fmt.Fprintf(w, "%s\t%s\t", orDash(l.CPU, figure), orDash(l.SelfCPU, figure))
		}
		if samples {
			fmt.Fprintf(w, "%s\t%s\t", orDash(l.Samples, count), orDash(l.SelfSamples, count))
		}
		fmt.Fprintf(w, "  %s\n", l.Collector)
	}
	w.Flush()
}

// figure prints a value with enough digits to compare by eye, of large ones all before the point.
func figure(v float64) string {
	if a := math.Abs(v); a >= 1e5 && a < 1e15 {
		return strconv.FormatFloat(v, 'f', 0, 64)
	}
	return number(v)
}

func count(n int64) string { return fmt.Sprint(n) }

// orDash prints a value, or a dash for one that is not known.
func orDash[T any](v *T, print func(T) string) string {
	if v == nil {
		return "-"
	}
	return print(*v)
}

func writeLocks(out *bufio.Writer, locks []lockSummary) {
	fmt.Fprintln(out)
	w := columns(out)
	fmt.Fprintln(w, "waited\twaits\tlongest\tby\theld\tholds\tlongest\tby\tfailed\tconditions\tsignals\tthreads\t  lock (ms)")
	longest := func(u *useOfOne) (ms, by string) {
		if u == nil {
			return "-", "-"
		}
		return figure(u.Ms), u.Thread
	}
	for i := range locks {
		l := &locks[i]
		wait, waiter := longest(l.LongestWait)
		hold, holder := longest(l.LongestHold)
		fmt.Fprintf(w, "%s\t%d\t%s\t%s\t%s\t%d\t%s\t%s\t%d\t%d\t%d\t%d\t  %s\n", figure(l.WaitMs), l.Waits, wait, waiter, figure(l.HoldMs), l.Holds, hold, holder, l.Failed, l.Conditions, l.Signals, l.Threads, l.Lock)
	}
	w.Flush()
}

func writeSeries(out *bufio.Writer, all []seriesSummary) {
	fmt.Fprintln(out)
	w := columns(out)
	fmt.Fprintln(w, "count\tmin\tmean\tp50\tp90\tp99\tmax\tlast\trate/s\tunit\t  series")
	for i := range all {
		s := &all[i]
		name := s.Name
		if s.Group != "" {
			name = s.Group + ": " + name
		}
		if s.Thread != "" && s.Thread != s.Name {
			name += " (" + s.Thread + ")"
		}
		unit := s.Unit
		if unit == "" {
			unit = "-"
		}
		scale := 1.0
		if unit == "ns" { // of use to people as ms
			unit, scale = "ms", 1e-6
		}
		at := func(v float64) string { return figure(v * scale) }
		rate := "-"
		if s.Kind == kindWords[model.SeriesCounter] || s.Kind == kindWords[model.SeriesEvent] {
			rate = at(s.Rate)
		}
		if s.Kind == kindWords[model.SeriesState] { // of numbers of states there is no mean
			fmt.Fprintf(w, "%d\t-\t-\t-\t-\t-\t-\t%s\t-\t%s\t  %s\n", s.Count, at(s.Last), unit, name)
			continue
		}
		fmt.Fprintf(w, "%d\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t  %s\n", s.Count, at(s.Min), at(s.Mean), at(s.P50), at(s.P90), at(s.P99), at(s.Max), at(s.Last), rate, unit, name)
	}
	w.Flush()
}
