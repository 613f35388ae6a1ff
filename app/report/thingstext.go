package report

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strings"

	"framescope/internal/escape"
	"framescope/model"
	"framescope/model/spans"
	"framescope/model/store"
)

// writeThings prints data by time instead of by frames.
func writeThings(out *bufio.Writer, s *store.Session, sum *summary) {
	if c := sum.Calls; c != nil {
		writeCalls(out, c)
	}
	writeLocks(out, sum.Locks)
	if len(sum.flows) > 0 {
		writeFlows(out, s, sum.flows)
	}
	writeSeries(out, sum.Series)
	if m := sum.Messages; m != nil {
		fmt.Fprintf(out, "\nMessages: %d\n", m.Count)
		for _, s := range m.Severities {
			fmt.Fprintf(out, "%10d %s\n", s.Count, escape.Name(s.Severity))
		}
		for i, c := range m.Categories {
			if i == 0 {
				fmt.Fprintln(out, "by category")
			}
			fmt.Fprintf(out, "%10d %s\n", c.Count, escape.Name(c.Category))
		}
	}
}

func writeCalls(out *bufio.Writer, c *callsSummary) {
	if c.timeless {
		fmt.Fprintln(out, "The recording has no times: these are sums.")
	} else {
		fmt.Fprintln(out, fromTo(c.Begin, c.End))
	}
	c.Sampling.Write(out)
	if len(c.Threads) > 1 {
		fmt.Fprintf(out, "\nAll %s\n", c.kinds())
		WriteCalls(out, c.All)
	}
	several := slices.ContainsFunc(c.Threads, func(t threadCalls) bool { return t.Process != c.Threads[0].Process })
	for i := range c.Threads {
		t := &c.Threads[i]
		fmt.Fprintf(out, "\n%s", named(strings.ToUpper(t.Kind[:1])+t.Kind[1:]+" ", t.Name))
		if several && t.Kind == model.TrackThread.String() {
			fmt.Fprint(out, ofProcess(t.Process))
		}
		var facts []string
		switch {
		case t.Begin < t.End:
			facts = append(facts, fromTo(t.Begin, t.End))
		case !c.timeless:
			facts = append(facts, "nothing in the range")
		}
		if t.Samples != nil {
			facts = append(facts, fmt.Sprintf("%d samples", *t.Samples))
		}
		if t.CPU != nil {
			facts = append(facts, fmt.Sprintf("CPU time %s ms", Number(*t.CPU/1e6)))
		}
		if t.Load != nil {
			facts = append(facts, fmt.Sprintf("CPU load %.1f %%", *t.Load*100))
		}
		if len(facts) > 0 {
			fmt.Fprintf(out, ": %s", strings.Join(facts, ", "))
		}
		fmt.Fprintln(out)
		t.Thread.Write(out)
		WriteCalls(out, t.Methods)
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

func writeLocks(out *bufio.Writer, locks []lockSummary) {
	longest := func(u *useOfOne) (took, by string) {
		if u == nil {
			return "-", "-"
		}
		return AsMs(u.Ns), escape.Name(u.Thread)
	}
	table(out, locks, func(w io.Writer, l *lockSummary) {
		wait, waiter := longest(l.LongestWait)
		hold, holder := longest(l.LongestHold)
		cond, sleeper := longest(l.LongestCond)
		meanwhile := "-"
		if l.LongestWait != nil && l.LongestWait.Holder != "" {
			meanwhile = escape.Name(l.LongestWait.Holder)
		}
		fmt.Fprintf(w, "%s\t%d\t%s\t%s\t%s\t%s\t%d\t%s\t%s\t%d\t%d\t%s\t%s\t%s\t%d\t%d\t  %s\n",
			AsMs(l.Waited), l.Waits, wait, waiter, meanwhile, AsMs(l.Held), l.Holds, hold, holder, l.Failed,
			l.Conditions, AsMs(l.Condition), cond, sleeper, l.Signals, l.Threads, escape.Name(l.Lock))
	}, "waited", "waits", "longest", "by", "held by", "held", "holds", "longest", "by", "failed", "conditions",
		"condition_wait", "longest", "by", "signals", "threads", "lock (ms)")
}

// writeFlows prints the count and delay of each flow.
func writeFlows(out *bufio.Writer, s *store.Session, list []spans.Sum) {
	fmt.Fprintf(out, "\nFlows, and the delay from where they begin to where they end, in ms\n%10s %10s %10s  %s\n",
		"count", "mean", "worst", "name")
	thread := func(id model.TrackID) string { return escape.Name(s.Track(id).Title()) }
	for i := range list {
		f := &list[i]
		fmt.Fprintf(out, "%10d %10.3f %10.3f  %s (worst from %s to %s)", f.N, f.Mean/1e6, float64(f.Worst.Delay())/1e6,
			escape.Name(s.Flows().Name(f.Name)), thread(f.Worst.FromTrack), thread(f.Worst.ToTrack))
		if f.NoBegin+f.NoEnd > 0 {
			fmt.Fprintf(out, "; %d begin and %d end where no span is", f.NoBegin, f.NoEnd)
		}
		fmt.Fprintln(out)
	}
}

func writeSeries(out *bufio.Writer, all []seriesSummary) {
	table(out, all, func(w io.Writer, s *seriesSummary) {
		name := s.Name
		if s.Group != "" {
			name = s.Group + ": " + name
		}
		if s.Thread != "" && s.Thread != s.Name {
			name += " (" + s.Thread + ")"
		}
		name = escape.Name(name)
		unit := escape.Name(s.Unit)
		if unit == "" {
			unit = "-"
		}
		scale := 1.0
		if unit == "ns" { // of use to people as ms
			unit, scale = "ms", 1e-6
		}
		at := func(v float64) string { return Number(v * scale) }
		often := "-"
		// A single event or count has no rate.
		if (s.Kind == model.SeriesCounter.Word() || s.Kind == model.SeriesEvent.Word()) && s.Samples > 1 {
			often = Rate(s.Rate * scale)
		}
		if s.Kind == model.SeriesState.Word() { // of numbers of states there is no mean
			fmt.Fprintf(w, "%d\t-\t-\t-\t-\t-\t-\t-\t-\t%s\t  %s\n", s.Samples, unit, name+s.inStates())
			return
		}
		fmt.Fprintf(w, "%d\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t  %s\n", s.Samples, at(s.Min), at(s.Mean), at(s.Median),
			at(s.P90), at(s.P99), at(s.Max), at(s.Last), often, unit, name)
	}, "samples", "min", "mean", "median", "p90", "p99", "max", "last", "rate (1/s)", "unit", "series")
}

// inStates lists the states of a series with their shares of the time: " = playing 90.0 %, idle 10.0
// %".
func (s *seriesSummary) inStates() string {
	const most = 6
	var parts []string
	for i, st := range s.States {
		if rest := len(s.States) - i; i == most && rest > 1 {
			parts = append(parts, fmt.Sprintf("%d more", rest))
			break
		}
		word := escape.Name(st.State)
		if len(s.States) > 1 {
			word += fmt.Sprintf(" %.1f %%", st.Share*100)
		}
		parts = append(parts, word)
	}
	if len(parts) == 0 {
		return ""
	}
	return " = " + strings.Join(parts, ", ")
}
