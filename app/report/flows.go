package report

import (
	"bufio"
	"fmt"

	"framescope/internal/escape"
	"framescope/model/store"
)

// flowSummary is the flows of one name that ended in the range: arrows from span to span.
type flowSummary struct {
	Name    string
	Count   int64
	MeanNs  float64 // from the moment at which one begins to that at which it ends
	WorstNs int64
	Worst   *flowEnds
	NoBegin int64 // that begin where no span is known
	NoEnd   int64 // that end where no span is known
}

// flowEnds is where one arrow begins and ends.
type flowEnds struct {
	From   string // thread
	To     string
	FromNs int64
	ToNs   int64
}

// summariseFlows returns the flows that ended in a range, by name, the most frequent first.
func summariseFlows(s *store.Session, t0, t1 int64) (out []flowSummary) {
	for _, u := range s.Flows().Sums(s.Spans(), t0, t1) {
		out = append(out, flowSummary{
			Name: s.Flows().Name(u.Name), Count: u.N, MeanNs: u.Mean, WorstNs: u.Worst.Delay(), NoBegin: u.NoBegin, NoEnd: u.NoEnd,
			Worst: &flowEnds{
				From: s.Track(u.Worst.FromTrack).Title(), To: s.Track(u.Worst.ToTrack).Title(), FromNs: u.Worst.From, ToNs: u.Worst.To,
			},
		})
	}
	return out
}

// writeFlows prints the count and delay of each flow.
func writeFlows(out *bufio.Writer, list []flowSummary) {
	fmt.Fprintf(out, "\nFlows, and the delay from where they begin to where they end, in ms\n%10s %10s %10s  %s\n", "count", "mean", "worst", "name")
	for i := range list {
		f := &list[i]
		fmt.Fprintf(out, "%10d %10.3f %10.3f  %s (worst from %s to %s)", f.Count, f.MeanNs/1e6, float64(f.WorstNs)/1e6, escape.Name(f.Name), escape.Name(f.Worst.From), escape.Name(f.Worst.To))
		if f.NoBegin+f.NoEnd > 0 {
			fmt.Fprintf(out, "; %d begin and %d end where no span is", f.NoBegin, f.NoEnd)
		}
		fmt.Fprintln(out)
	}
}
