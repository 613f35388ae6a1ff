package report

import (
	"bufio"
	"fmt"

	"framescope/internal/visible"
	"framescope/model"
	"framescope/model/spans"
	"framescope/model/store"
)

// threadStates is in which states a sampled thread was, as JSON has it: spans.Activity.
type threadStates struct {
	Running *int64 `json:"running_ns,omitempty"` // by its CPU clock; left out where it has none
	Ready   int64  `json:"ready_ns"`             // neither waiting nor running: ready, or at a monitor; without a clock it may have run
	IO      int64  `json:"io_ns"`                // in calls that read or write a socket or a file
	Blocked int64  `json:"blocked_ns"`           // in line for a lock
	Waiting int64  `json:"waiting_ns"`           // parked, asleep, in a monitor until it is told, or at a selector
	Unknown int64  `json:"unknown_ns"`           // its stack was empty, or it was not sampled
}

// hottestMethod is the method that burns most of a thread, as JSON has it: spans.Hottest.
type hottestMethod struct {
	Collector string       `json:"collector"`
	Own       int64        `json:"self_samples"`
	Of        int64        `json:"of_samples"` // samples of code, which neither wait nor read or write sockets and files
	Share     float64      `json:"share"`
	Within    float64      `json:"share_error_95"` // how far the share is at most from that of all the time, with 95 % probability
	Way       []methodStep `json:"path"`           // the call path with most of them, the outermost first
}

type methodStep struct {
	Collector string `json:"collector"`
	Samples   int64  `json:"samples"` // of code that go on from here
}

func statesOf(s *store.Session, id model.TrackID, t0, t1 int64) *threadStates {
	a, ok := s.Spans().Activity(id, t0, t1)
	if !ok {
		return nil
	}
	out := &threadStates{
		Ready: a.Ns[spans.StateReady], IO: a.Ns[spans.StateIO], Blocked: a.Ns[spans.StateBlocked],
		Waiting: a.Ns[spans.StateWaiting], Unknown: a.Ns[spans.StateUnknown],
	}
	if a.HasCPU {
		out.Running = &a.Ns[spans.StateRunning]
	}
	return out
}

func hottestOf(s *store.Session, id model.TrackID, t0, t1 int64) *hottestMethod {
	h, ok := s.Spans().Hottest([]model.TrackID{id}, model.NoCollector, t0, t1, nil)
	if !ok {
		return nil
	}
	out := &hottestMethod{
		Collector: s.Collector(h.Collector).Title(), Own: h.Own, Of: h.Of, Share: h.Share(), Within: h.Within(),
	}
	for i := range h.Way {
		out.Way = append(out.Way, methodStep{s.Collector(h.Way[i].Collector).Title(), h.Way[i].Samples})
	}
	return out
}

// writeActivity writes what a sampled thread did, a line each.
func writeActivity(out *bufio.Writer, t *threadCalls) {
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
			visible.Name(h.Collector), h.Own, h.Of, 100*h.Share, 100*h.Within)
	}
}
