package report

import (
	"bufio"
	"fmt"
	"strings"
	"text/tabwriter"

	"framescope/app/report/figures"
	"framescope/internal/visible"
	"framescope/model"
	"framescope/model/measure"
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
			fmt.Fprintf(out, "%10d %s\n", s.Count, visible.Name(s.Severity))
		}
		for i, c := range m.Categories {
			if i == 0 {
				fmt.Fprintln(out, "by category")
			}
			fmt.Fprintf(out, "%10d %s\n", c.Count, visible.Name(c.Category))
		}
	}
}

// columns begins a table of right-aligned columns below a blank line. They are named by the IDs of
// the vocabulary; the name of the row, which may be long, comes last, with what is to be said of
// the others behind it.
func columns(out *bufio.Writer, ids ...string) *tabwriter.Writer {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w)
	for i, id := range ids {
		id, more, _ := strings.Cut(id, " ")
		title := measure.Title(id)
		if more != "" {
			title += " " + more
		}
		if i == len(ids)-1 {
			fmt.Fprintf(w, "  %s\n", title)
		} else {
			fmt.Fprintf(w, "%s\t", title)
		}
	}
	return w
}

func writeCalls(out *bufio.Writer, c *callsSummary) {
	fmt.Fprintf(out, "%.3f s to %.3f s\n", seconds(c.Begin), seconds(c.End))
	if x := c.Sampling; x != nil {
		fmt.Fprintf(out, "sampled: %s ms between samples in the middle, nine of ten times %s to %s", asMs(x.Median), asMs(x.P5), asMs(x.P95))
		if x.Asked > 0 {
			fmt.Fprintf(out, " (asked for %s)", asMs(x.Asked))
		}
		fmt.Fprintf(out, "; %d gaps", x.Gaps)
		if x.Gaps > 0 {
			fmt.Fprintf(out, " of %s ms in all, the longest %s", asMs(x.Gap), asMs(x.Longest))
		}
		fmt.Fprintln(out, ".\nA run is neighbouring samples, of one call or of many: sampling can't tell calls apart.")
	}
	if len(c.Threads) > 1 {
		fmt.Fprintf(out, "\nAll %s\n", c.kinds())
		callTable(out, c.All)
	}
	for i := range c.Threads {
		t := &c.Threads[i]
		fmt.Fprintf(out, "\n%s %s: ", strings.ToUpper(t.Kind[:1])+t.Kind[1:], visible.Name(t.Name))
		if t.Begin < t.End {
			fmt.Fprintf(out, "%.3f s to %.3f s", seconds(t.Begin), seconds(t.End))
		} else {
			out.WriteString("nothing in the range")
		}
		if t.Samples != nil {
			fmt.Fprintf(out, ", %d samples", *t.Samples)
		}
		if t.CPU != nil {
			fmt.Fprintf(out, ", CPU time %s ms", figures.Number(*t.CPU/1e6))
		}
		if t.Load != nil {
			fmt.Fprintf(out, ", CPU load %.1f %%", *t.Load*100)
		}
		fmt.Fprintln(out)
		t.Thread.Write(out)
		callTable(out, t.Methods)
	}
}

// kinds says how many threads, elements and paths there are: "2 threads, 4 elements, 1 path".
func (c *callsSummary) kinds() string {
	var words []string
	n := map[string]int{}
	for i := range c.Threads {
		kind := c.Threads[i].Kind
		if n[kind]++; n[kind] == 1 {
			words = append(words, kind)
		}
	}
	for i, kind := range words {
		if words[i] = fmt.Sprintf("%d %s", n[kind], kind); n[kind] > 1 {
			words[i] += "s"
		}
	}
	return strings.Join(words, ", ")
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
	runs := lines[0].Runs != nil
	ids := []string{"calls", "total", "self", "mean", "shortest", "longest"}
	if runs {
		ids = []string{"runs", "total", "uncertainty", "self", "mean", "shortest", "longest"}
	}
	if cpu {
		ids = append(ids, "cpu_time ≈", "self_cpu_time ≈")
	}
	if samples {
		ids = append(ids, "samples", "self_samples")
	}
	w := columns(out, append(ids, "collector (ms)")...)
	for i := range lines {
		l := &lines[i]
		if runs {
			fmt.Fprintf(w, "%s\t%s\t%s\t", orDash(l.Runs, count), asMs(l.Total), orDash(l.Uncertainty, asMs))
		} else {
			fmt.Fprintf(w, "%s\t%s\t", orDash(l.Calls, count), asMs(l.Total))
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t", orDash(l.Self, asMs), orDash(l.Mean, meanAsMs), orDash(l.Shortest, asMs), orDash(l.Longest, asMs))
		if cpu {
			fmt.Fprintf(w, "%s\t%s\t", orDash(l.CPU, asMs), orDash(l.SelfCPU, asMs))
		}
		if samples {
			fmt.Fprintf(w, "%s\t%s\t", orDash(l.Samples, count), orDash(l.SelfSamples, count))
		}
		fmt.Fprintf(w, "  %s\n", visible.Name(l.Collector))
	}
	w.Flush()
}

// asMs prints nanoseconds as milliseconds.
func asMs(ns int64) string { return figures.Number(float64(ns) / 1e6) }

// meanAsMs is asMs of a mean.
func meanAsMs(ns float64) string { return figures.Number(ns / 1e6) }

func count(n int64) string { return fmt.Sprint(n) }

// orDash prints a value, or a dash for one that is not known.
func orDash[T any](v *T, print func(T) string) string {
	if v == nil {
		return "-"
	}
	return print(*v)
}

func writeLocks(out *bufio.Writer, locks []lockSummary) {
	w := columns(out, "waited", "waits", "longest", "by", "held by", "held", "holds", "longest", "by", "failed", "conditions", "condition_wait", "longest", "by", "signals", "threads", "lock (ms)")
	longest := func(u *useOfOne) (took, by string) {
		if u == nil {
			return "-", "-"
		}
		return asMs(u.Ns), visible.Name(u.Thread)
	}
	for i := range locks {
		l := &locks[i]
		wait, waiter := longest(l.LongestWait)
		hold, holder := longest(l.LongestHold)
		cond, sleeper := longest(l.LongestCond)
		meanwhile := "-"
		if l.LongestWait != nil && l.LongestWait.Holder != "" {
			meanwhile = visible.Name(l.LongestWait.Holder)
		}
		fmt.Fprintf(w, "%s\t%d\t%s\t%s\t%s\t%s\t%d\t%s\t%s\t%d\t%d\t%s\t%s\t%s\t%d\t%d\t  %s\n",
			asMs(l.Waited), l.Waits, wait, waiter, meanwhile, asMs(l.Held), l.Holds, hold, holder, l.Failed,
			l.Conditions, asMs(l.Condition), cond, sleeper, l.Signals, l.Threads, visible.Name(l.Lock))
	}
	w.Flush()
}

func writeSeries(out *bufio.Writer, all []seriesSummary) {
	w := columns(out, "samples", "min", "mean", "median", "p90", "p99", "max", "last", "rate (1/s)", "unit", "series")
	for i := range all {
		s := &all[i]
		name := s.Name
		if s.Group != "" {
			name = s.Group + ": " + name
		}
		if s.Thread != "" && s.Thread != s.Name {
			name += " (" + s.Thread + ")"
		}
		name = visible.Name(name)
		unit := visible.Name(s.Unit)
		if unit == "" {
			unit = "-"
		}
		scale := 1.0
		if unit == "ns" { // of use to people as ms
			unit, scale = "ms", 1e-6
		}
		at := func(v float64) string { return figures.Number(v * scale) }
		often := "-"
		// What happened once, or was counted once, has no rate.
		if (s.Kind == kindWords[model.SeriesCounter] || s.Kind == kindWords[model.SeriesEvent]) && s.Samples > 1 {
			often = figures.Rate(s.Rate * scale)
		}
		if s.Kind == kindWords[model.SeriesState] { // of numbers of states there is no mean
			fmt.Fprintf(w, "%d\t-\t-\t-\t-\t-\t-\t%s\t-\t%s\t  %s\n", s.Samples, at(s.Last), unit, name)
			continue
		}
		fmt.Fprintf(w, "%d\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t  %s\n", s.Samples, at(s.Min), at(s.Mean), at(s.Median), at(s.P90), at(s.P99), at(s.Max), at(s.Last), often, unit, name)
	}
	w.Flush()
}
