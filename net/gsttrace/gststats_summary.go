package gsttrace

import (
	"bufio"
	"fmt"
	"io"
	"slices"
)

// ClassCount is how many records of one class there are.
type ClassCount struct {
	Name    string // of the class
	Origin  string // of the layout: announced, template, built-in or generic
	Stock   bool   // a record of GStreamer's own tracers
	Records int64  // of it
}

// LeakType counts the leaks tracer's objects of one type.
type LeakType struct {
	Type       string // class of the objects
	Leaked     int64  // alive at the end
	Listed     int64  // alive at a requested listing
	Added      int64  // since the last checkpoint, all checkpoints together
	Removed    int64  // likewise
	References int64  // references and unreferences that were recorded
}

// Missed is how many records of one name gst-stats can't read.
type Missed struct {
	Name  string // of the records
	Count int64  // how many
}

// Summary is a log summed up. All of it can be written as JSON.
type Summary struct {
	Figures                     // of all that could be read
	Compatible     *Figures     `json:",omitempty"` // as gst-stats 1.22 computes them
	Missed         []Missed     `json:",omitempty"` // countable records that gst-stats cannot read; by count
	ElementQueries int64        // which gst-stats ignores
	Leaks          []LeakType   `json:",omitempty"` // by type
	Classes        []ClassCount // all kinds of records, by name
	Log            Counts       // lines, foreign lines, unreadable ones
	Unread         string       `json:"-"` // place and reason of the first unreadable entry; empty: there is none
	NotKept        int64        // objects, ways and answers beyond the limits; they are in the overall figures
}

// WriteText prints the summary. With compat it is the output of gst-stats-1.0, line for line except for the order
// of threads, elements and pads; without, the same layout with the better figures, and below it figures that
// gst-stats lacks.
func (s *Summary) WriteText(w io.Writer, compat bool) error {
	out := bufio.NewWriter(w)
	if compat {
		s.Compatible.write(printer{out, true})
		return out.Flush()
	}
	s.Figures.write(printer{out, false})
	s.writeMore(printer{out, false})
	return out.Flush()
}

// writeMore prints the figures that gst-stats lacks.
func (s *Summary) writeMore(out printer) {
	p := out.f
	if s.Factories != nil { // no blank line is behind these
		p("\n")
	}
	writeLatencies(out, "Latency Percentiles:", s.Latencies, percentilesOf)
	writeLatencies(out, "Element Latency Percentiles:", s.ElementLatencies, percentilesOf)
	if len(s.Leaks) > 0 {
		p("Leaks:\n  %-32s %8s %8s %8s %8s %8s\n", "type", "leaked", "listed", "added", "removed", "refs")
		all := LeakType{Type: "all"}
		for _, l := range s.Leaks {
			writeLeaks(out, &l)
			all.Leaked += l.Leaked
			all.Listed += l.Listed
			all.Added += l.Added
			all.Removed += l.Removed
			all.References += l.References
		}
		writeLeaks(out, &all)
		p("\n")
	}
	if other := slices.DeleteFunc(slices.Clone(s.Classes), func(c ClassCount) bool { return c.Stock }); len(other) > 0 {
		p("Other Records:\n")
		for _, c := range other {
			p("  %s: %d (%s)\n", out.clean(c.Name), c.Records, c.Origin)
		}
		p("\n")
	}
	p("Reading:\nNumber of Lines: %d\nNumber of Records: %d\nNumber of other Entries: %d\nNumber of foreign Lines: %d\nNumber of unreadable Entries: %d\n",
		s.Log.Lines, s.Log.Records, s.Log.Messages, s.Log.Foreign, s.Log.Unreadable)
	if s.ElementQueries > 0 {
		p("Number of Element Queries, which gst-stats ignores: %d\n", s.ElementQueries)
	}
	for _, m := range s.Missed {
		p("%s records gst-stats cannot read: %d\n", m.Name, m.Count)
	}
	if s.NotKept > 0 {
		p("Number of Objects and Ways beyond the limits: %d\n", s.NotKept)
	}
}

func writeLeaks(out printer, l *LeakType) {
	out.f("  %s %8d %8d %8d %8d %8d\n", out.column(l.Type, 32, 32), l.Leaked, l.Listed, l.Added, l.Removed, l.References)
}

func percentilesOf(l *Latency) string {
	about := ""
	if l.Estimated {
		about = "≈"
	}
	return fmt.Sprintf("count=%d p50=%s p90=%s p99=%s", l.Count,
		about+gststatsClock(l.P50Ns), about+gststatsClock(l.P90Ns), about+gststatsClock(l.P99Ns))
}
