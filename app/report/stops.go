package report

import (
	"fmt"
	"io"

	"framescope/model/frames"
)

// Stop is time in which the program stood still: it is in no figure of frames.
type Stop struct {
	Frame    int64 `json:"frame"`   // number of the frame that it is, or of the one behind it
	Between  bool  `json:"between"` // it lies before that frame
	Begin    int64 `json:"begin_ns"`
	Duration int64 `json:"duration_ns"`
}

// StopsOf describes stops.
func StopsOf(list []frames.Stop) []Stop {
	out := make([]Stop, 0, len(list))
	for _, s := range list {
		out = append(out, Stop{s.Number, s.Between, s.Begin, s.End - s.Begin})
	}
	return out
}

// String says when and for how long.
func (s Stop) String() string {
	where := "in"
	if s.Between {
		where = "before"
	}
	return fmt.Sprintf("stopped %.3f s %s frame %d, at %.3f s", float64(s.Duration)/1e9, where, s.Frame,
		float64(s.Begin)/1e9)
}

// mostStops is the number of stops in texts.
const mostStops = 5

// stopWords describe the first stops, and how many more there are.
func stopWords(list []Stop) (out []string) {
	for i, s := range list {
		if i == mostStops {
			return append(out, fmt.Sprintf("and %d more stops", len(list)-i))
		}
		out = append(out, s.String())
	}
	return out
}

// WriteStops writes a line on each of these.
func WriteStops(out io.Writer, list []Stop) {
	for i, words := range stopWords(list) {
		if i < mostStops {
			words += "; no figure of frames counts this"
		}
		fmt.Fprintln(out, words)
	}
}
