package gsttrace

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"framescope/internal/escape"
)

// gststatsClock is a time as GStreamer prints it; all ones are no time.
func gststatsClock(ns uint64) string {
	if ns == never {
		return "99:99:99.999999999"
	}
	s := ns / 1e9
	return fmt.Sprintf("%d:%02d:%02d.%09d", s/3600, s/60%60, s%60, ns%1e9)
}

// decimals is %lf as the C library prints it.
func decimals(f float64) string {
	s := strings.ToLower(strings.TrimPrefix(strconv.FormatFloat(f, 'f', 6, 64), "+"))
	if math.IsNaN(f) && math.Signbit(f) {
		return "-" + s
	}
	return s
}

// printer prints figures. compat prints names as C does: raw, cut and filled up by bytes. Otherwise
// what would break a line is made visible, and columns are counted in characters.
type printer struct {
	out    *bufio.Writer
	compat bool
}

func (p printer) f(format string, args ...any) { fmt.Fprintf(p.out, format, args...) }

// clean is text that stays on its line.
func (p printer) clean(text string) string {
	if p.compat {
		return text
	}
	return escape.Line(text)
}

// column cuts text and fills it up with blanks.
func (p printer) column(text string, most, width int) string {
	text = p.clean(text)
	if p.compat {
		text = text[:min(len(text), most)]
		return text + strings.Repeat(" ", max(0, width-len(text)))
	}
	if utf8.RuneCountInString(text) > most {
		text = string([]rune(text)[:most])
	}
	return text + strings.Repeat(" ", max(0, width-utf8.RuneCountInString(text)))
}

// write prints figures line for line as gst-stats does, save the order of threads and elements.
func (f *Figures) write(out printer) {
	p := out.f
	o := &f.Overall
	p("\nOverall Statistics:\nNumber of Threads: %d\nNumber of Elements: %d\nNumber of Bins: %d\nNumber of Pads: "+
		"%d\nNumber of GhostPads: %d\n", o.Threads, o.Elements, o.Bins, o.Pads, o.GhostPads)
	p("Number of Buffers passed: %d\nNumber of Events sent: %d\nNumber of Message sent: %d\nNumber of Queries sent: "+
		"%d\nTime: %s\n", o.Buffers, o.Events, o.Messages, o.Queries, gststatsClock(o.TimeNs))
	if o.HasLoad {
		p("Avg CPU load: %s%4.1f %%\n", atLeast(o.LoadCut), 100*o.Load)
	}
	p("\n")
	several := slices.ContainsFunc(f.Threads, func(t Thread) bool { return t.PID != f.Threads[0].PID })
	for i := range f.Threads {
		f.Threads[i].write(out, several)
	}
	if o.Threads > 0 {
		p("\n")
	}
	if o.Elements+o.Bins > 0 {
		p("Element Statistics:\n")
		writeElements(out, f.Elements)
		p("\n")
	}
	if o.Bins > 0 {
		p("Bin Statistics:\n")
		writeElements(out, f.Bins)
		p("\n")
	}
	writeLatencies(out, "Latency Statistics:", f.Latencies, meanOf)
	writeLatencies(out, "Element Latency Statistics:", f.ElementLatencies, meanOf)
	if len(f.Reported) > 0 {
		p("Element Reported Latency:\n")
		for _, r := range f.Reported {
			p("\t%s: min=%s max=%s ts=%s\n", out.clean(r.Element), gststatsClock(r.MinNs), gststatsClock(r.MaxNs),
				gststatsClock(r.TsNs))
		}
		p("\n")
	}
	if fa := f.Factories; fa != nil {
		p("Plugins used: %s\n", out.clean(strings.Join(fa.Plugins, ";")))
		p("Elements: %s\nDevice-providers: %s\nTypefinds: %s\nDynamic-types: %s\n", out.clean(joined(fa.Elements)),
			out.clean(joined(fa.DeviceProviders)), out.clean(joined(fa.Typefinds)), out.clean(joined(fa.DynTypes)))
	}
}

// atLeast returns the prefix of a cut value.
func atLeast(cut bool) string {
	if cut {
		return "≥ "
	}
	return ""
}

func joined(all []PluginFactories) string {
	var words []string
	for _, p := range all {
		words = append(words, p.Plugin+":"+strings.Join(p.Factories, ","))
	}
	return strings.Join(words, ";")
}

// write prints a thread; several says that the log is of more than one process.
func (t *Thread) write(out printer, several bool) {
	id := "(nil)"
	if t.ID != 0 {
		id = fmt.Sprintf("%#x", t.ID)
	}
	if name := strings.TrimPrefix(t.Name, "thread "); name != "" && name != id {
		id = out.clean(name) + " (" + id + ")"
	}
	out.f("Thread %s Statistics:\n", id)
	if several {
		out.f("  Process: %d\n", t.PID)
	}
	if t.HasLoad || t.CPUNs > 0 {
		out.f("  Time: %s\n", gststatsClock(t.CPUNs))
	}
	if t.HasLoad {
		out.f("  Avg CPU load: %4.1f %%\n", 100*t.Load)
	}
	out.f("  Pad Statistics:\n")
	for i := range t.Pads {
		t.Pads[i].write(out)
	}
}

func (p *Pad) write(out printer) {
	arrow := '<'
	if p.Source {
		arrow = '>'
	}
	l := &p.Flags
	out.f("    %c %s: buffers %7d (live %5d,dec %5d,dis %5d,res %5d,cor %5d,mar %5d,hdr %5d,gap %5d,drop %5d,dlt %5d),",
		arrow, out.column(p.Element+"."+p.Name, 29, 30),
		p.Buffers, l.Live, l.DecodeOnly, l.Discont, l.Resync, l.Corrupted, l.Marker, l.Header, l.Gap, l.Droppable,
		l.DeltaUnit)
	average := uint64(p.AverageSize)
	if !out.compat {
		average = uint64(math.Round(p.AverageSize))
	}
	if p.MinSize == p.MaxSize {
		out.f(" size (min/avg/max) ......./%7d/.......,", average)
	} else {
		out.f(" size (min/avg/max) %7d/%7d/%7d,", p.MinSize, average, p.MaxSize)
	}
	rate := decimals(float64(p.BytesPerSecond))
	if !out.compat && math.IsNaN(float64(p.BytesPerSecond)) { // all at one time: there is no rate
		rate = "-"
	}
	out.f(" time %s, bytes/sec %s\n", gststatsClock(p.LastNs-p.FirstNs), rate)
}

func writeElements(out printer, all []Element) {
	for i := range all {
		e := &all[i]
		out.f("  %s: buffers in/out %s/%s bytes in/out %s/%s first activity %s,  ev/msg/qry sent %5d/%5d/%5d\n",
			out.column(e.Type+":"+e.Name, 44, 45),
			dash(uint64(e.RecvBuffers), 7), dash(uint64(e.SentBuffers), 7), dash(e.RecvBytes, 12), dash(e.SentBytes, 12),
			gststatsClock(e.FirstNs), e.Events, e.Messages, e.Queries)
	}
}

// dash is a number, or a dash for none.
func dash(n uint64, width int) string {
	if n == 0 {
		return fmt.Sprintf("%*s", width, "-")
	}
	return fmt.Sprintf("%*d", width, n)
}

// writeLatencies prints a list of latencies, with what words says of each; nothing of an empty list.
func writeLatencies(out printer, title string, all []Latency, words func(l *Latency) string) {
	if len(all) == 0 {
		return
	}
	out.f("%s\n", title)
	for i := range all {
		out.f("\t%s: %s\n", out.clean(all[i].Key), words(&all[i]))
	}
	out.f("\n")
}

func meanOf(l *Latency) string {
	return "mean=" + gststatsClock(l.MeanNs) + " min=" + gststatsClock(l.MinNs) + " max=" + gststatsClock(l.MaxNs)
}

// ClassCount is how many records of one class there are.
type ClassCount struct {
	Name    string // of the class
	Origin  string // of the layout: announced, template, built-in or generic
	Stock   bool   // a record of GStreamer's own tracers
	Records int64  // of it

	missed int64 // that gst-stats can't read
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
	p("Reading:\nNumber of Lines: %d\nNumber of Records: %d\nNumber of other Entries: %d\nNumber of foreign Lines: "+
		"%d\nNumber of unreadable Entries: %d\n",
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
