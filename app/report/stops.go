package report

import (
	"bufio"
	"fmt"
	"time"

	"framescope/model/frames"
)

// stop is time in which the program stood still: it is in no figure of frames.
type stop struct {
	Frame    int64 `json:"frame"`   // number of the frame that it is, or of the one behind it
	Between  bool  `json:"between"` // it lies before that frame
	Begin    int64 `json:"begin_ns"`
	Duration int64 `json:"duration_ns"`
}

func stopsOf(list []frames.Stop) []stop {
	out := make([]stop, 0, len(list))
	for _, s := range list {
		out = append(out, stop{s.Number, s.Between, s.Begin, s.End - s.Begin})
	}
	return out
}

// String says when and for how long.
func (s stop) String() string {
	where := "in"
	if s.Between {
		where = "before"
	}
	ns := time.Duration(s.Duration).Round(time.Millisecond)
	return fmt.Sprintf("stopped %v %s frame %d, at %.3f s", ns, where, s.Frame, float64(s.Begin)/1e9)
}

// mostStops is how many stops are listed.
const mostStops = 5

// writeStops writes lines on stops, and how many more there are.
func writeStops(out *bufio.Writer, list []stop) {
	for i, s := range list {
		if i == mostStops {
			fmt.Fprintf(out, "and %d more stops\n", len(list)-i)
			return
		}
		fmt.Fprintf(out, "%v; in no figure of frames\n", s)
	}
}
