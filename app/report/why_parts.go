package report

import (
	"bufio"
	"fmt"
	"strconv"

	"framescope/internal/escape"
	"framescope/model"
	"framescope/model/store"
)

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
func whyParts(t *teller, of whyOf) []whyPart {
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
	w := Columns(out, "over_typical", "self", "typical_self", "starts", with, "collector (ms)")
	ms := func(ns float64) string { return strconv.FormatFloat(ns/1e6, 'f', 3, 64) } // a column has one precision
	for i := range parts {
		p := &parts[i]
		name := escape.Name(p.Collector)
		if p.Collector == "" {
			name = "in no collector"
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%d\t%d\t  %s\n", Signed(float64(p.Self-p.Typical), ms),
			ms(float64(p.Self)), ms(float64(p.Typical)), p.Calls, p.Seen, name)
	}
	w.Flush()
	fmt.Fprintln(out)
}
