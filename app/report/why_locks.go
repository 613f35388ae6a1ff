package report

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"io"
	"strconv"

	"framescope/charts/subject"
	"framescope/internal/escape"
	"framescope/model"
	"framescope/model/place"
	"framescope/model/store"
	"framescope/model/why"
)

// errNoLocks is returned for a session that has no locks.
var errNoLocks = errors.New("this session has no locks")

// whyWait is why a thread waited for a lock, as in JSON.
type whyWait struct {
	Lock     string    `json:"lock"`        // that it waited for, by full name
	Thread   string    `json:"thread"`      // that waited
	Begin    int64     `json:"begin_ns"`    // when the wait began
	Duration int64     `json:"duration_ns"` // how long it was, ns
	Middle   int64     `json:"typical_ns"`  // median of all tries for the lock, ns
	Open     bool      `json:"open_end"`    // the data ends before the wait does
	Unheld   bool      `json:"unheld"`      // without a known holder, so it is not counted as a wait
	Chain    []whyStep `json:"chain"`       // from the wait to the holder of the lock, its calls, and its own wait
	Others   []whyStep `json:"others"`      // further threads that held the lock meanwhile
	// the time without a known holder of the lock, ns
	Unexplained int64 `json:"unexplained_ns"`
}

// whyStep is a step of the chain of a lock, as in JSON.
type whyStep struct {
	Thread    string `json:"thread"`    // by name
	Collector string `json:"collector"` // the lock, or the running collector, by full name
	How       string `json:"how"`       // waited, held, ran or signalled
	Ns        int64  `json:"ns"`        // for how much of the time of the step before; of the first in all
}

// writeWhyLocks writes the longest waits for locks, with the holders.
func writeWhyLocks(out *bufio.Writer, engine *why.Engine, o *WhyOptions) error {
	s := engine.Session()
	if !s.Locks().Any() {
		return errNoLocks
	}
	track := model.NoTrack
	if o.Thread != "" {
		var err error
		if track, err = place.FindTrack(s, o.Thread); err != nil {
			return err
		}
	}
	of := s.MainTrack()
	if track != model.NoTrack && s.Track(track).NumFrames() > 0 {
		of = track
	}
	from, to, err := o.Range.Resolve(s, of)
	if err != nil {
		return err
	}
	waits := engine.Waits(track, from, to-1, cmp.Or(o.Worst, MaxWorst))
	if o.JSON {
		return escape.WriteJSON(out, whyWaits(s, waits))
	}
	if len(waits) == 0 {
		out.WriteString("Nobody waited for a lock.\n")
	}
	var buf []byte
	for i := range waits {
		buf = append(subject.AppendWait(buf[:0], s, &waits[i]), '\n')
		out.Write(buf)
	}
	if track == model.NoTrack {
		writeWaited(out, s, from, to)
	}
	return nil
}

// writeWaited writes the total of the waits for each lock, as not all listed tries are waits and not
// all waits are listed.
func writeWaited(out *bufio.Writer, s *store.Session, from, to int64) {
	var buf []byte
	for i, stats := 0, s.Locks().Stats(from, to, nil); i < len(stats); i++ {
		if stats[i].Waits+stats[i].Unheld > 0 {
			buf = append(subject.AppendWaited(buf[:0], s, &stats[i]), '\n')
			out.Write(buf)
		}
	}
}

func whyWaits(s *store.Session, waits []why.Wait) []whyWait {
	step := func(x *why.Step) whyStep {
		return whyStep{s.Track(x.Track).Title(), s.Collector(x.Collector).Title(), x.Kind.String(), x.Ns}
	}
	return each(waits, func(w *why.Wait) whyWait {
		return whyWait{
			Lock: s.Collector(w.Lock).Title(), Thread: s.Track(w.Track).Title(), Begin: w.Begin, Duration: w.Ns(),
			Middle: w.TypicalNs, Open: w.OpenEnd, Unheld: w.Unheld(), Chain: each(w.Chain, step), Others: each(w.Others, step),
			Unexplained: w.UnexplainedNs,
		}
	})
}

// whyPart is a collector's time in a frame, as in JSON.
type whyPart struct {
	Collector string `json:"collector"`       // by full name; empty: time that no collector covers
	Self      int64  `json:"self_ns"`         // its self time in the frame, ns
	Typical   int64  `json:"typical_self_ns"` // the same in the middle of the frames around, ns
	Calls     int64  `json:"starts"`          // how often it started
	TypCalls  int64  `json:"typical_starts"`  // the same in the middle of the frames around
	Seen      int    `json:"seen"`            // in how many of the frames around it ran
	Around    int    `json:"around"`          // how many these are
}

// whyParts returns the parts of a frame; nil for a buffer on its way.
func whyParts(t *explainer, of whyOf) []whyPart {
	s := t.Session()
	parts, around := t.PartsOver(t.base, of.track, of.index, nil)
	var out []whyPart
	for _, p := range parts {
		out = append(out, whyPart{fullName(s, p.Collector), p.SelfNs, p.TypicalNs, p.Calls, p.TypicalCalls, p.Seen, around})
	}
	return out
}

// fullName returns the full name of a collector, empty without one.
func fullName(s *store.Session, id model.CollectorID) string {
	if id == model.NoCollector || s.Collector(id) == nil {
		return ""
	}
	return s.Collector(id).Title()
}

func writeWhyParts(out *bufio.Writer, parts []whyPart) {
	if len(parts) == 0 {
		return
	}
	with := fmt.Sprintf("frames_with (of %d)", parts[0].Around)
	ms := func(ns float64) string { return strconv.FormatFloat(ns/1e6, 'f', 3, 64) } // a column has one precision
	table(out, parts, func(w io.Writer, p *whyPart) {
		name := escape.Name(p.Collector)
		if p.Collector == "" {
			name = "in no collector"
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%d\t%d\t  %s\n", Signed(float64(p.Self-p.Typical), ms),
			ms(float64(p.Self)), ms(float64(p.Typical)), p.Calls, p.Seen, name)
	}, "over_typical", "self", "typical_self", "starts", with, "collector (ms)")
	fmt.Fprintln(out)
}
