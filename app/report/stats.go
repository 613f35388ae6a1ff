package report

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"time"

	"framescope/internal/escape"
	"framescope/model"
	"framescope/model/frames"
	"framescope/model/spans"
	"framescope/model/store"
)

// What others ask of statistics; the schema of the JSON has the names of the types.
type (
	Figures       = summary
	ThreadFigures = threadSummary
	Distribution  = distribution
)

// summary is the statistics report; its JSON form is part of the command's interface.
type summary struct {
	Session sessionSummary  `json:"session"` // the program, and where it was recorded
	Threads []threadSummary `json:"threads"`
	Ledger  []lossSummary   `json:"ledger"`  // adds up, see model.Ledger
	Missing []lossSummary   `json:"missing"` // the missing data in it
	Notes   []string        `json:"notes"`   // on losses, the newest last
	// Diagnostics are the faults of the recording, one for each kind; missing if there are none.
	Diagnostics []diagnostic `json:"diagnostics,omitempty"`
	// Bookmarks are in the range and on its threads, in the order of time; missing if there are none.
	Bookmarks []Bookmark `json:"bookmarks,omitempty"`

	// Data by time instead of by frames; missing where there is none.
	Calls    *callsSummary   `json:"calls,omitempty"`
	Series   []seriesSummary `json:"series,omitempty"`
	Locks    []lockSummary   `json:"locks,omitempty"`    // that were used in the range
	Messages *messageSummary `json:"messages,omitempty"` // of the range

	flows []spans.Sum // that ended in the range, by name
}

// diagnostic is one kind of fault of a recording.
type diagnostic struct {
	Kind    string `json:"kind"`              // id of the kind
	Count   int64  `json:"count"`             // how often
	First   string `json:"first,omitempty"`   // place of the first: "byte 17", "line 3"
	Example string `json:"example,omitempty"` // the first of them
	Text    string `json:"text"`              // the fault and its consequence, for people
}

type sessionSummary struct {
	Program string `json:"program"`
	Host    string `json:"host"`            // where the program ran
	PID     int64  `json:"pid"`             // -1 unknown
	Version string `json:"version"`         // of the protocol or format
	From    string `json:"from"`            // file or address
	Ended   string `json:"ended,omitempty"` // how the session ended
	// Begun is the time of day at time 0 as RFC 3339 writes it; missing where it is not known.
	Begun string `json:"begun,omitempty"`
	// BegunBy is the clock of it: UTC, local (of the recording's machine, written as if it were UTC), or received
	// (the viewer's, in UTC, when the first data came).
	BegunBy string `json:"begun_by,omitempty"`

	// Of the main thread, or the thread that cuts the frames of others; of the whole session.
	Frames  int64 `json:"frames"`         // received
	Missing int64 `json:"missing_frames"` // numbers that never came between these
}

type threadSummary struct {
	Name    string `json:"name"`
	Index   int    `json:"index"`             // its number in the words of the source
	ID      int64  `json:"thread_id"`         // the number that no other thread has: see store.ThreadNumbers
	Process string `json:"process,omitempty"` // missing where the recording has one, or does not say
	First   int64  `json:"first_frame"`
	Last    int64  `json:"last_frame"`
	Frames  int    `json:"frames"`         // received in the range
	Missing int64  `json:"missing_frames"` // never received, between those in the range
	// Open is the frame behind these that had not ended when the recording did; missing if there is
	// none.
	Open *openFrame `json:"open_frame,omitempty"`
	// Stops are times in which the program stood still, a breakpoint or a load screen: they are in no
	// figure of frames. Missing if there are none.
	Stops   []Stop  `json:"stops,omitempty"`
	Evicted int64   `json:"evicted_frames"` // left memory
	Begin   int64   `json:"begin_ns"`
	End     int64   `json:"end_ns"`
	Rate    float64 `json:"frames_per_second"`
	StepNs  int64   `json:"clock_step_ns"` // of the times at the end of the range
	Pace    pace    `json:"pace"`          // how long the frames took, each by itself
	// What the thread did in all of these frames together; missing where that is not known.
	Work *threadWork `json:"work,omitempty"`
	// Of a thread with times from its own clock: see model.TrackDef.ShiftNs.
	ClockShiftNs  int64       `json:"clock_shift_ns,omitempty"`
	ClockSpreadNs int64       `json:"clock_spread_ns,omitempty"`
	Times         []timeLine  `json:"times"`  // of each collector
	Levels        []levelLine `json:"levels"` // of each collector
	// Activity outside of all received frames, which is in no figure of frames. Only of the whole
	// recording, and missing where there is none.
	Outside []outsideLine `json:"outside_frames,omitempty"`
}

// stopped is the number of its frames that are stops.
func (t *threadSummary) stopped() (n int) {
	for _, s := range t.Stops {
		if !s.Between {
			n++
		}
	}
	return n
}

// threadWork is the time of a thread by what it did.
type threadWork struct {
	Busy  int64 `json:"busy_ns"`         // in spans that are no waits
	Waits int64 `json:"waits_ns"`        // waiting, idle, parked
	Bare  int64 `json:"not_measured_ns"` // in frames, in no span within them
}

// workOf returns what a thread did by the statistics of net values in its frames; nil where that is not known.
func workOf(s *store.Session, id model.TrackID, stats []frames.Stats) *threadWork {
	did, ok := s.WorkOf(id, stats)
	if !ok {
		return nil
	}
	return &threadWork{did.BusyNs, did.WaitNs, did.BareNs}
}

// write prints it, all frames together and in the mean.
func (w *threadWork) write(out *bufio.Writer, frames int) {
	fmt.Fprintf(out, "busy %s ms, waits %s, not measured %s", AsMs(w.Busy), AsMs(w.Waits), AsMs(w.Bare))
	if frames > 1 {
		fmt.Fprintf(out, "; busy %s ms a frame", AsMs(w.Busy/int64(frames)))
	}
	fmt.Fprintln(out)
}

// named puts the kind of a track before its name, unless that begins with it: "Thread Main", "Thread 1".
func named(kind, name string) string { return kind + strings.TrimPrefix(escape.Name(name), kind) }

// ofProcess returns the words behind the name of a thread that say whose it is.
func ofProcess(process string) string {
	if process == "" {
		return ""
	}
	return " of " + escape.Name(process)
}

// openFrame is a frame without a received end. It is in no figure.
type openFrame struct {
	Number  int64 `json:"number"` // that it has
	Begin   int64 `json:"begin_ns"`
	AtLeast int64 `json:"duration_ns"` // how long it took at least
}

// open returns the frame of a track that had not ended when the recording did; nil if there is none in
// the range.
func (c *scope) open(id model.TrackID) *openFrame {
	t := c.s.Track(id)
	o, ok := t.OpenFrame()
	if _, end := c.frames(id); !ok || end != t.NumFrames() || o.Begin >= c.endNs {
		return nil
	}
	return &openFrame{o.Number, o.Begin, o.End - o.Begin}
}

// String says which frame is open.
func (o *openFrame) String() string {
	return fmt.Sprintf("frame %d is open: at least %.3f ms, in no figure of frames", o.Number, float64(o.AtLeast)/1e6)
}

// outsideLine is the activity of a collector outside of all received frames.
type outsideLine struct {
	Collector string `json:"collector"`
	Calls     int64  `json:"calls"`
	Self      int64  `json:"self_ns"`
}

// timeLine is the time of one collector in a frame, over the frames of the range. Null values mean that
// no call of it was recorded there, only calls of collectors below it. A call that began before the range
// is no start, and has a total and a self time.
type timeLine struct {
	Collector string `json:"collector"`
	model.Place
	Starts  int64         `json:"starts"`
	Present int64         `json:"frames_with"`
	Total   *distribution `json:"total_ns"`
	Self    *distribution `json:"self_ns"`
	Net     *distribution `json:"net_ns"`
}

// levelLine is one level over the frames of the range, in the unit that the program names.
type levelLine struct {
	Collector string        `json:"collector"`
	Unit      string        `json:"unit"`
	Present   int64         `json:"frames_with"`
	Value     *distribution `json:"value"`
}

// distribution is a figure over frames: those without it count as 0. All of it is exact.
type distribution struct {
	Sum      float64 `json:"sum"`
	Mean     float64 `json:"mean"`
	Median   float64 `json:"median"`
	P95      float64 `json:"p95"`
	P99      float64 `json:"p99"`
	Min      float64 `json:"min"`
	Max      float64 `json:"max"`
	MaxFrame int64   `json:"max_frame"`
}

// lossSummary is a line of the session's ledger (model.Ledger).
type lossSummary struct {
	Key    string `json:"key"`    // for programs
	Reason string `json:"reason"` // for people
	Count  int64  `json:"count"`
	Sum    bool   `json:"in_sum"` // counts frames: in_all is the sum of all others of these
	lost   bool   // part of the missing data
}

// summarise makes the statistics of tracks with frames, and of data by time: of the named threads, if
// any, else of all.
func summarise(c *scope) summary {
	s := c.s
	info := s.Info()
	ledger := s.Ledger()
	session := sessionSummary{Program: info.Program, Host: info.Host, PID: info.PID, Version: info.VersionWords(),
		From: info.Peer}
	if t := s.Track(s.MainTrack()); t != nil && t.HasFrames() {
		session.Frames, session.Missing = model.AddSat(int64(t.NumFrames()), t.Evicted()), t.Missing()
	}
	sum := summary{Session: session, Threads: []threadSummary{}, Ledger: []lossSummary{}, Missing: []lossSummary{},
		Notes: []string{}}
	sum.Session.Ended, _ = s.Ended()
	if at, ok := info.ZeroAt.At(0); ok {
		sum.Session.Begun, sum.Session.BegunBy = at.Format(time.RFC3339Nano), info.ZeroAt.By.String()
	}
	stats := exactStats(c)
	var numbers store.ThreadNumbers
	for _, id := range c.tracks {
		t := s.Track(id)
		first, end := c.frames(id)
		if first == end {
			continue // no frames, or none in the range
		}
		a, b := t.Frame(first), t.Frame(end-1)
		ts := threadSummary{
			Name: t.Title(), Index: t.Def.Index, ID: numbers.Of(s, id), Process: t.Def.Process,
			First: a.Number, Last: b.Number, Frames: end - first, Evicted: t.Evicted(),
			Times: timeLines(s, a.Number, stats[:len(figuresOf)]), Levels: levelLines(s, stats[len(figuresOf)-1]),
		}
		ts.Work = workOf(s, id, stats[1])
		stats = stats[len(figuresOf):]
		ts.Begin, ts.End, _ = t.FrameTimes(first, end-1)
		ts.StepNs = info.Clock.Step(ts.End)
		ts.Missing = t.MissingIn(first, end-1)
		ts.Open = c.open(id)
		ts.Stops = StopsOf(t.LeftOut(first, end-1, nil))
		ts.ClockShiftNs, ts.ClockSpreadNs = t.Def.ShiftNs, t.Def.ShiftSpreadNs
		ts.Rate = t.FrameRateOf(first, end-1)
		ts.Pace = paceOf(c, id, first, end-1)
		if c.beginNs == math.MinInt64 && c.endNs == math.MaxInt64 {
			ts.Outside = outsideLines(s, id)
		}
		sum.Threads = append(sum.Threads, ts)
	}
	if t0, t1, ok := finite(s, c.beginNs, c.endNs); ok {
		sum.Calls, sum.Series = summariseCalls(s, c.only, t0, t1), summariseSeries(s, c.only, t0, t1)
		sum.Locks, sum.Messages = summariseLocks(s, t0, t1), summariseMessages(s, c.only, t0, t1)
		if len(c.only) == 0 {
			sum.flows = s.Flows().Sums(s.Spans(), t0, t1)
		}
	}
	for _, line := range ledger.Lines(nil) {
		l := lossSummary{line.Key, line.Label, line.N, line.OfFrames(), line.Lost}
		sum.Ledger = append(sum.Ledger, l)
		if line.Missing() {
			sum.Missing = append(sum.Missing, l)
		}
	}
	sum.Bookmarks = BookmarksOf(c.marks, c.beginNs, c.endNs, c.titles())
	_, notes := s.Losses()
	sum.Notes = append(append(sum.Notes, c.s.Warnings()...), notes...)
	for _, d := range s.Diagnostics() {
		sum.Diagnostics = append(sum.Diagnostics, diagnostic{d.Kind, d.N, d.Place, d.Example, d.Detail})
	}
	return sum
}

// figuresOf are the figures in statistics of frames, the longest first.
var figuresOf = [...]frames.Figure{frames.FigureTotal, frames.FigureNet, frames.FigureSelf, frames.FigureLevel}

// exactStats returns the statistics of each of figuresOf for each track that has frames in the range.
func exactStats(c *scope) [][]frames.Stats {
	var asks []frames.Ask
	for _, id := range c.tracks {
		if first, end := c.frames(id); first != end {
			for _, fig := range figuresOf {
				asks = append(asks, frames.Ask{Track: id, Figure: fig, First: first, Last: end - 1})
			}
		}
	}
	return c.s.Frames().ExactStatsOf(asks...)
}

// timeLines returns the times of a track's collectors, from their statistics of figuresOf, those
// with the most time inside first. firstFrame is the number of the first frame.
func timeLines(s *store.Session, firstFrame int64, stats [][]frames.Stats) []timeLine {
	of := map[model.CollectorID]*timeLine{}
	lines := []*timeLine{}
	for _, st := range stats[1] {
		l := timeLineOf(s.Collector(st.Collector), &st)
		of[st.Collector], lines = l, append(lines, l)
	}
	none := frames.Stats{MaxFrame: firstFrame}
	for _, st := range stats[0] {
		l := of[st.Collector]
		if l == nil { // all the time in it belonged to others
			l = timeLineOf(s.Collector(st.Collector), &none)
			of[st.Collector], lines = l, append(lines, l)
		}
		l.Total, l.Self = distributionOf(&st, 1e9), distributionOf(&none, 1e9)
	}
	for _, st := range stats[2] {
		if l := of[st.Collector]; l != nil && (st.Count > 0 || l.Total != nil) {
			l.Starts, l.Self = st.Count, distributionOf(&st, 1e9)
		}
	}
	most := func(l *timeLine) float64 {
		if l.Total == nil {
			return l.Net.Mean
		}
		return l.Total.Mean
	}
	slices.SortStableFunc(lines, func(a, b *timeLine) int {
		return cmp.Or(cmp.Compare(most(b), most(a)), strings.Compare(a.Collector, b.Collector))
	})
	out := make([]timeLine, len(lines))
	for i, l := range lines {
		out[i] = *l
	}
	return out
}

func timeLineOf(c *model.Collector, net *frames.Stats) *timeLine {
	return &timeLine{Collector: c.Title(), Place: c.Place, Present: net.Present, Net: distributionOf(net, 1e9)}
}

// outsideLines returns the activity of a track outside of its frames, the longest first.
func outsideLines(s *store.Session, track model.TrackID) (out []outsideLine) {
	for _, x := range s.OutsideFrames(track, &spans.Tree{}, nil) {
		out = append(out, outsideLine{s.Collector(x.Collector).Title(), x.Calls, x.SelfNs})
	}
	slices.SortStableFunc(out, func(a, b outsideLine) int {
		return cmp.Or(cmp.Compare(b.Self, a.Self), cmp.Compare(b.Calls, a.Calls), strings.Compare(a.Collector, b.Collector))
	})
	return out
}

// levelLines returns the levels of a track, from their statistics, by name.
func levelLines(s *store.Session, stats []frames.Stats) []levelLine {
	out := []levelLine{}
	for _, st := range stats {
		c := s.Collector(st.Collector)
		out = append(out, levelLine{c.Title(), c.Unit, st.Present, distributionOf(&st, 1)})
	}
	slices.SortStableFunc(out, func(a, b levelLine) int { return strings.Compare(a.Collector, b.Collector) })
	return out
}

// distributionOf takes statistics, times in nanoseconds.
func distributionOf(st *frames.Stats, factor float64) *distribution {
	d := &distribution{Sum: st.Sum, Mean: st.Mean, Median: st.Median, P95: st.P95, P99: st.P99, Min: st.Min, Max: st.Max,
		MaxFrame: st.MaxFrame}
	all := []*float64{&d.Sum, &d.Mean, &d.Median, &d.P95, &d.P99, &d.Min, &d.Max}
	for _, v := range all {
		if *v *= factor; factor != 1 { // whole nanoseconds, without rounding errors of the division
			*v = math.Round(*v*1000) / 1000
		}
	}
	bound(all...)
	return d
}

// bound replaces numbers that JSON lacks.
func bound(numbers ...*float64) {
	for _, v := range numbers {
		switch {
		case math.IsNaN(*v):
			*v = 0
		case math.IsInf(*v, 0):
			*v = math.Copysign(math.MaxFloat64, *v)
		}
	}
}

func writeStats(out *bufio.Writer, c *scope) error {
	sum := summarise(c)
	i := sum.Session
	fmt.Fprintf(out, "%s", escape.Name(orUnknown(i.Program)))
	if i.Host != "" {
		fmt.Fprintf(out, " on %s", escape.Name(i.Host))
	}
	if i.PID >= 0 {
		fmt.Fprintf(out, ", process %d", i.PID)
	}
	for _, word := range []string{i.Version, i.From, i.Ended} {
		if word != "" {
			fmt.Fprintf(out, ", %s", escape.Name(word))
		}
	}
	fmt.Fprintln(out)
	if l := c.s.Ledger(); l.Lost() > 0 {
		fmt.Fprintf(out, "%s: %d, %d received, %d missing%s\n", sum.Ledger[0].Reason, l.Sent, l.Received, l.Lost(), sum.why())
	}
	for _, t := range sum.Threads {
		fmt.Fprintf(out, "\n%s%s: frames %d to %d, %s, mean rate %.1f Hz; %d received, %d missing between them",
			named("Thread ", t.Name), ofProcess(t.Process), t.First, t.Last, fromTo(t.Begin, t.End), t.Rate, t.Frames, t.Missing)
		if t.Evicted > 0 {
			fmt.Fprintf(out, ", %d earlier ones no longer in memory", t.Evicted)
		}
		if t.Open != nil {
			fmt.Fprintf(out, "; %v", t.Open)
		}
		fmt.Fprintln(out)
		t.Pace.write(out)
		WriteStops(out, t.Stops)
		if t.Work != nil {
			t.Work.write(out, t.Frames-t.stopped())
		}
		if t.ClockShiftNs != 0 {
			fmt.Fprintf(out, "on a clock of its own, moved by %v, ±%v\n", time.Duration(t.ClockShiftNs),
				time.Duration(t.ClockSpreadNs/2))
		}
		if t.StepNs > 1000 {
			fmt.Fprintf(out, "times are exact to %v\n", time.Duration(t.StepNs))
		}
		timeTable(out, t.Times)
		levelTable(out, t.Levels)
		outsideTable(out, t.Outside)
	}
	writeThings(out, c.s, &sum)
	WriteBookmarks(out, sum.Bookmarks)
	if len(sum.Threads) == 0 && sum.Calls == nil && sum.Series == nil && sum.Locks == nil && sum.Messages == nil {
		fmt.Fprintln(out, "nothing was measured")
	}
	if len(sum.Missing) > 0 {
		fmt.Fprintln(out, "\nReceived and missing")
		frames := false
		for _, m := range sum.Ledger {
			if frames && !m.Sum {
				fmt.Fprintln(out, "also, not counted in frames")
			}
			frames = m.Sum
			fmt.Fprintf(out, "%10d %s\n", m.Count, m.Reason)
		}
	}
	for i, n := range sum.Notes {
		if i == 0 {
			fmt.Fprintln(out, "\nNotes")
		}
		fmt.Fprintln(out, "  "+escape.Line(n))
	}
	return nil
}

// why gives the reasons for missing frames: " (12 dropped by the system, 3 damaged)".
func (s *summary) why() string {
	var parts []string
	for _, l := range s.Missing {
		if l.lost {
			parts = append(parts, fmt.Sprintf("%d %s", l.Count, l.Reason))
		}
	}
	return " (" + strings.Join(parts, ", ") + ")"
}

func orUnknown(name string) string {
	if name == "" {
		return "unknown program"
	}
	return name
}

// timeTable prints times in columns. Numbers are right-aligned; the collector's name, which may be
// long, comes last. total and self are means of a frame; net has its mean beside them, and the other
// columns describe it.
func timeTable(out *bufio.Writer, lines []timeLine) {
	table(out, lines, func(w io.Writer, l *timeLine) {
		n := l.Net
		fmt.Fprintf(w, "%d\t%d\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t#%d\t  %s\n", l.Starts, l.Present, meanMs(l.Total),
			meanMs(l.Self), meanMs(n),
			Number(n.Median/1e6), Number(n.P95/1e6), Number(n.P99/1e6), Number(n.Max/1e6), n.MaxFrame, escape.Name(l.Collector))
	}, "starts", "frames_with", "total", "self", "net", "median", "p95", "p99", "max", "max_frame",
		"collector (ms; total, self and net: mean of a frame; then of net)")
}

// meanMs prints the mean of a distribution that may be missing.
func meanMs(d *distribution) string {
	if d == nil {
		return "-"
	}
	return Number(d.Mean / 1e6)
}

// levelTable prints levels in columns.
func levelTable(out *bufio.Writer, lines []levelLine) {
	table(out, lines, func(w io.Writer, l *levelLine) {
		v := l.Value
		name := escape.Name(l.Collector)
		if l.Unit != "" {
			name += " (" + escape.Name(l.Unit) + ")"
		}
		fmt.Fprintf(w, "%d\t%s\t%s\t%s\t%s\t%s\t#%d\t  %s\n", l.Present, Number(v.Mean), Number(v.Median),
			Number(v.P95), Number(v.P99), Number(v.Max), v.MaxFrame, name)
	}, "frames_with", "mean", "median", "p95", "p99", "max", "max_frame", "collector (unit)")
}

// outsideTable prints the activity outside of frames in columns, with its sum.
func outsideTable(out *bufio.Writer, lines []outsideLine) {
	if len(lines) == 0 {
		return
	}
	var sum outsideLine
	for i := range lines {
		sum.Calls, sum.Self = sum.Calls+lines[i].Calls, sum.Self+lines[i].Self
	}
	fmt.Fprintf(out, "\nOutside of the frames received, and in none of the figures above: %d calls, %s ms\n", sum.Calls,
		AsMs(sum.Self))
	table(out, lines, func(w io.Writer, l *outsideLine) {
		fmt.Fprintf(w, "%d\t%s\t  %s\n", l.Calls, AsMs(l.Self), escape.Name(l.Collector))
	}, "calls", "self", "collector (ms; in all)")
}

func seconds(ns int64) float64 { return float64(ns) / 1e9 }

// fromTo is a stretch of time as text; a value that rounds to 0 has no sign.
func fromTo(beginNs, endNs int64) string {
	ms := func(ns int64) float64 { return math.Round(float64(ns)/1e6)/1e3 + 0 }
	return fmt.Sprintf("%.3f s to %.3f s", ms(beginNs), ms(endNs))
}
