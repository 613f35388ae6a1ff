// Reports of a sampled thread: its states, and the distribution of its CPU time.

package report

import (
	"bufio"
	"fmt"

	"framescope/internal/escape"
	"framescope/model"
	"framescope/model/spans"
	"framescope/model/store"
)

// Thread is the activity of a sampled thread, as in JSON. Unknown values are missing.
type Thread struct {
	States  *States  `json:"states,omitempty"`  // of a sampled thread, over the range
	Hottest *Hottest `json:"hottest,omitempty"` // where its CPU time goes
}

// States are the times of a sampled thread by state: spans.Activity.
type States struct {
	Running *int64 `json:"running_ns,omitempty"` // by its CPU clock; missing without one
	// neither waiting nor running: ready, or at a monitor; without a clock it may have run
	Ready   int64 `json:"ready_ns"`
	IO      int64 `json:"io_ns"`      // in calls that read or write a socket or a file
	Blocked int64 `json:"blocked_ns"` // in line for a lock
	Waiting int64 `json:"waiting_ns"` // parked, asleep, idle, in a monitor until notified, or at a selector
	// its stack was empty and it need not have been idle, or it was not sampled
	Unknown int64 `json:"unknown_ns"`
}

// Hottest is the method that burns most of a thread: spans.Hottest.
type Hottest struct {
	Collector string  `json:"collector"`      // full name of the method
	Own       int64   `json:"self_samples"`   // samples with it innermost
	Of        int64   `json:"of_samples"`     // samples of code, which neither wait nor read or write sockets and files
	Share     float64 `json:"share"`          // self_samples of of_samples
	Within    float64 `json:"share_error_95"` // bound on the error of the share of all the time, with 95 % probability
	Way       []Step  `json:"path"`           // the call path with most of them, the outermost first
}

// Step is a method on a call path.
type Step struct {
	Collector string `json:"collector"` // full name of the method
	Samples   int64  `json:"samples"`   // of code that go on from here
}

func statesOf(s *store.Session, id model.TrackID, t0, t1 int64) *States {
	a, ok := s.Spans().Activity(id, t0, t1)
	if !ok {
		return nil
	}
	out := &States{
		Ready: a.Ns[spans.StateReady], IO: a.Ns[spans.StateIO], Blocked: a.Ns[spans.StateBlocked],
		Waiting: a.Ns[spans.StateWaiting], Unknown: a.Ns[spans.StateUnknown],
	}
	if a.HasCPU {
		out.Running = &a.Ns[spans.StateRunning]
	}
	return out
}

// threadOf returns the activity of a sampled thread. Samples that stand for no time burn none.
func threadOf(s *store.Session, id model.TrackID, t0, t1 int64) (t Thread) {
	if t.States = statesOf(s, id, t0, t1); t.States != nil || s.Info().Sampling.Timeless {
		t.Hottest = hottestOf(s, id, t0, t1)
	}
	return t
}

func hottestOf(s *store.Session, id model.TrackID, t0, t1 int64) *Hottest {
	h, ok := s.Spans().Hottest(spans.MeasureSamples, []model.TrackID{id}, model.NoCollector, t0, t1, nil)
	if !ok {
		return nil
	}
	out := &Hottest{
		Collector: s.Collector(h.Collector).Title(), Own: h.Own, Of: h.Of, Share: h.Share(), Within: h.Within(),
	}
	for i := range h.Way {
		out.Way = append(out.Way, Step{s.Collector(h.Way[i].Collector).Title(), h.Way[i].Samples})
	}
	return out
}

// Write writes the activity of a thread, a line each.
func (t *Thread) Write(out *bufio.Writer) {
	if x := t.States; x != nil {
		all := x.Ready + x.IO + x.Blocked + x.Waiting + x.Unknown
		if x.Running != nil {
			all += *x.Running
		}
		part := func(name string, ns int64) string {
			return fmt.Sprintf("%s %.1f %%", name, 100*float64(ns)/float64(max(all, 1)))
		}
		if x.Running != nil {
			fmt.Fprintf(out, "%s, %s", part("running", *x.Running), part("ready or at a monitor", x.Ready))
		} else {
			out.WriteString(part("running, ready or at a monitor", x.Ready))
		}
		fmt.Fprintf(out, ", %s, %s, %s, %s\n", part("socket or file", x.IO), part("blocked", x.Blocked),
			part("waiting", x.Waiting), part("unknown", x.Unknown))
	}
	if h := t.Hottest; h != nil {
		fmt.Fprintf(out, "%s burns most: innermost in %d of %d samples of code, %.1f %% ± %.1f (95 %%)\n",
			escape.Name(h.Collector), h.Own, h.Of, 100*h.Share, 100*h.Within)
	}
}

// Sampling describes the distances between samples (model.Sampling).
type Sampling struct {
	Asked     int64 `json:"asked_ns"`   // 0 is not known
	Distances int64 `json:"distances"`  // between neighbouring times at which anything was sampled
	Median    int64 `json:"median_ns"`  // distance
	P5        int64 `json:"p5_ns"`      // one in twenty is below
	P95       int64 `json:"p95_ns"`     // one in twenty is above
	Longest   int64 `json:"longest_ns"` // distance
	Gaps      int64 `json:"gaps"`       // distances of ten medians and more
	Gap       int64 `json:"gap_ns"`     // all of them together
}

// SamplingOf returns how a session was sampled, nil if it was not.
func SamplingOf(s *store.Session) *Sampling {
	x := s.Info().Sampling
	if !x.Known() {
		return nil
	}
	return &Sampling{x.AskedNs, x.Distances, x.MedianNs, x.P5Ns, x.P95Ns, x.LongestNs, x.Gaps, x.GapNs}
}

// Write prints it; of nil nothing.
func (x *Sampling) Write(out *bufio.Writer) {
	if x == nil {
		return
	}
	ms := AsMs
	fmt.Fprintf(out, "sampled: median %s ms between samples, nine in ten %s to %s", ms(x.Median), ms(x.P5), ms(x.P95))
	if x.Asked > 0 {
		fmt.Fprintf(out, " (requested: %s)", ms(x.Asked))
	}
	fmt.Fprintf(out, "; %d gaps", x.Gaps)
	if x.Gaps > 0 {
		fmt.Fprintf(out, " of %s ms in all, the longest %s", ms(x.Gap), ms(x.Longest))
	}
	fmt.Fprintln(out, ".\nA run is a row of samples with the same calls: sampling cannot distinguish one call from "+
		"several.")
}
