package report

import (
	"bufio"
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"framescope/model"
	"framescope/model/store"
)

// summary is what the statistics report says; its JSON form is part of the command's interface.
type summary struct {
	Session sessionSummary  `json:"session"`
	Threads []threadSummary `json:"threads"`
	Ledger  []lossSummary   `json:"ledger"`  // adds up, see model.Ledger
	Missing []lossSummary   `json:"missing"` // what of it is missing
	Notes   []string        `json:"notes"`

	// What goes by time instead of by frames; left out where there is none.
	Calls    *callsSummary   `json:"calls,omitempty"`
	Series   []seriesSummary `json:"series,omitempty"`
	Locks    []lockSummary   `json:"locks,omitempty"`
	Messages *messageSummary `json:"messages,omitempty"`
}

type sessionSummary struct {
	Program string `json:"program"`
	Host    string `json:"host"`
	PID     int64  `json:"pid"` // -1 unknown
	Version string `json:"version"`
	From    string `json:"from"` // file or address
	Ended   string `json:"ended,omitempty"`

	// Of all threads, as the ledger has them, whatever the range.
	Frames   int64 `json:"frames"` // of which there is any trace
	Received int64 `json:"received_frames"`
	Missing  int64 `json:"missing_frames"`
}

type threadSummary struct {
	Name    string      `json:"name"`
	Index   int         `json:"index"`
	First   int64       `json:"first_frame"`
	Last    int64       `json:"last_frame"`
	Frames  int         `json:"frames"`         // received in the range
	Missing int64       `json:"missing_frames"` // never received, between those in the range
	Evicted int64       `json:"evicted_frames"` // left memory
	BeginS  float64     `json:"begin_s"`
	EndS    float64     `json:"end_s"`
	Rate    float64     `json:"frames_per_second"`
	StepNs  int64       `json:"clock_step_ns"` // of the times at the end of the range
	Times   []statsLine `json:"times"`
	Levels  []statsLine `json:"levels"`
}

// statsLine is one collector's statistics: times in milliseconds, levels in their unit.
type statsLine struct {
	Collector string  `json:"collector"`
	Unit      string  `json:"unit"`
	Count     int64   `json:"count"`   // starts
	Present   int64   `json:"present"` // frames in which it occurred
	Mean      float64 `json:"mean"`
	Median    float64 `json:"median"`
	P95       float64 `json:"p95"`
	P99       float64 `json:"p99"`
	Min       float64 `json:"min"`
	Max       float64 `json:"max"`
	MaxFrame  int64   `json:"max_frame"`
	Sum       float64 `json:"sum"`
}

// lossSummary is a line of the session's ledger (model.Ledger).
type lossSummary struct {
	Key    string `json:"key"`
	Reason string `json:"reason"`
	Count  int64  `json:"count"`
	lost   bool   // it is part of what is missing
}

// summarise makes the statistics of tracks with frames, and of what goes by time: of the threads in only, if any, else of all.
func summarise(s *store.Session, tracks, only []model.TrackID, beginNs, endNs int64) summary {
	info := s.Info()
	ledger := s.Ledger()
	session := sessionSummary{Program: info.Program, Host: info.Host, PID: info.PID, Version: info.Version, From: info.Peer,
		Frames: ledger.Sent, Received: ledger.Received, Missing: ledger.Lost()}
	sum := summary{Session: session, Threads: []threadSummary{}, Ledger: []lossSummary{}, Missing: []lossSummary{}, Notes: []string{}}
	sum.Session.Ended, _ = s.Ended()
	for _, id := range tracks {
		t := s.Track(id)
		first, end := frameIndices(t, beginNs, endNs)
		if first == end {
			continue // no frames, or none in the range
		}
		a, b := t.Frame(first), t.Frame(end-1)
		ts := threadSummary{
			Name: t.Title(), Index: t.Def.Index, First: a.Number, Last: b.Number, Frames: end - first, Evicted: t.Evicted(),
			BeginS: float64(a.Begin) / 1e9, EndS: float64(b.End) / 1e9, StepNs: info.Clock.Step(b.End), Times: []statsLine{}, Levels: []statsLine{},
		}
		ts.Missing = b.Number - a.Number + 1 - int64(ts.Frames)
		if b.End > a.Begin {
			ts.Rate = float64(b.Number-a.Number+1) / (float64(b.End-a.Begin) / 1e9)
		}
		ts.Times = statsLines(s, id, false, first, end-1, ts.Times)
		ts.Levels = statsLines(s, id, true, first, end-1, ts.Levels)
		sum.Threads = append(sum.Threads, ts)
	}
	if t0, t1, ok := finite(s, beginNs, endNs); ok {
		sum.Calls, sum.Series = summariseCalls(s, only, t0, t1), summariseSeries(s, only, t0, t1)
		sum.Locks, sum.Messages = summariseLocks(s, t0, t1), summariseMessages(s, only, t0, t1)
	}
	for _, line := range ledger.Lines(nil) {
		l := lossSummary{line.Key, line.Label, line.N, line.Lost}
		sum.Ledger = append(sum.Ledger, l)
		if line.N > 0 && (line.Lost || line.Bad || line.Key == "left_memory") {
			sum.Missing = append(sum.Missing, l)
		}
	}
	_, notes := s.Losses()
	sum.Notes = append(sum.Notes, notes...)
	return sum
}

// statsLines appends the statistics of a track's collectors: times with the dearest first, levels by name.
func statsLines(s *store.Session, track model.TrackID, levels bool, first, last int, out []statsLine) []statsLine {
	for _, st := range s.AllStats(track, levels, first, last, nil) {
		c := s.Collector(st.Collector)
		unit, factor := "ms", 1000.0
		if levels {
			unit, factor = c.Unit, 1
		}
		out = append(out, statsLine{
			Collector: fullName(c), Unit: unit, Count: st.Count, Present: st.Present, Mean: st.Mean * factor, Median: st.Median * factor, P95: st.P95 * factor,
			P99: st.P99 * factor, Min: st.Min * factor, Max: st.Max * factor, MaxFrame: st.MaxFrame, Sum: st.Sum * factor,
		})
	}
	slices.SortStableFunc(out, func(a, b statsLine) int {
		if levels {
			return strings.Compare(a.Collector, b.Collector)
		}
		return cmp.Or(cmp.Compare(b.Mean, a.Mean), strings.Compare(a.Collector, b.Collector))
	})
	return out
}

func writeStatsJSON(out *bufio.Writer, s *store.Session, tracks, only []model.TrackID, beginNs, endNs int64) error {
	enc := json.NewEncoder(out)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(summarise(s, tracks, only, beginNs, endNs))
}

func writeStats(out *bufio.Writer, s *store.Session, tracks, only []model.TrackID, beginNs, endNs int64) error {
	sum := summarise(s, tracks, only, beginNs, endNs)
	i := sum.Session
	fmt.Fprintf(out, "%s", orUnknown(i.Program))
	if i.Host != "" {
		fmt.Fprintf(out, " on %s", i.Host)
	}
	if i.PID >= 0 {
		fmt.Fprintf(out, ", process %d", i.PID)
	}
	for _, word := range []string{i.Version, i.From, i.Ended} {
		if word != "" {
			fmt.Fprintf(out, ", %s", word)
		}
	}
	fmt.Fprintln(out)
	if i.Missing > 0 {
		fmt.Fprintf(out, "%d frames of all threads: %d received, %d missing%s\n", i.Frames, i.Received, i.Missing, sum.why())
	}
	for _, t := range sum.Threads {
		fmt.Fprintf(out, "\nThread %s: frames %d to %d, %.3f s to %.3f s, %.1f Hz; %d received, %d missing between them", t.Name, t.First, t.Last, t.BeginS, t.EndS, t.Rate, t.Frames, t.Missing)
		if t.Evicted > 0 {
			fmt.Fprintf(out, ", %d earlier ones no longer in memory", t.Evicted)
		}
		fmt.Fprintln(out)
		if t.StepNs > 1000 {
			fmt.Fprintf(out, "times are exact to %v\n", time.Duration(t.StepNs))
		}
		table(out, "time (ms)", t.Times, false)
		table(out, "level", t.Levels, true)
	}
	writeThings(out, &sum)
	if len(sum.Threads) == 0 && sum.Calls == nil && sum.Series == nil && sum.Locks == nil && sum.Messages == nil {
		fmt.Fprintln(out, "nothing was measured")
	}
	if len(sum.Missing) > 0 {
		fmt.Fprintln(out, "\nReceived and missing")
		for _, m := range sum.Ledger {
			fmt.Fprintf(out, "%10d %s\n", m.Count, m.Reason)
		}
	}
	for i, n := range sum.Notes {
		if i == 0 {
			fmt.Fprintln(out, "\nNotes")
		}
		fmt.Fprintln(out, "  "+n)
	}
	return nil
}

// why says what became of the frames that are missing: " (12 dropped by the system, 3 damaged)".
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

// table prints statistics in columns. Numbers are right-aligned; the collector's name, which may be long, comes last.
func table(out *bufio.Writer, title string, lines []statsLine, levels bool) {
	if len(lines) == 0 {
		return
	}
	fmt.Fprintln(out)
	tw := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(tw, "count\tframes\tmean\tmedian\tp95\tp99\tmax\tmax in\t  %s\n", title)
	for _, l := range lines {
		name := l.Collector
		if levels && l.Unit != "" {
			name += " (" + l.Unit + ")"
		}
		fmt.Fprintf(tw, "%d\t%d\t%s\t%s\t%s\t%s\t%s\t#%d\t  %s\n", l.Count, l.Present, number(l.Mean), number(l.Median), number(l.P95), number(l.P99), number(l.Max), l.MaxFrame, name)
	}
	tw.Flush()
}

// number prints a value with enough digits to compare by eye.
func number(v float64) string {
	a := v
	if a < 0 {
		a = -a
	}
	switch {
	case a == 0 || a >= 0.0005 && a < 100000:
		return fmt.Sprintf("%.3f", v)
	default:
		return fmt.Sprintf("%.4g", v)
	}
}
