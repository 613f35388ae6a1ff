// Package together puts several sessions on one ruler. It finds how their clocks relate, from the clocks that
// the recordings name or from moments that both show, and hands the words of all decoders to one sink, with ids of
// its own and times on the clock of the first session. A plan is that as a file: which recordings, moved by how much.
package together

import (
	"fmt"
	"time"

	"framescope/model"
)

// Shift moves the times of a session onto the ruler.
type Shift struct {
	// OffsetNs is added to a time, and Drift for each ns behind FromNs.
	OffsetNs int64   `json:"offset_ns"`
	Drift    float64 `json:"drift,omitempty"`
	FromNs   int64   `json:"from_ns,omitempty"`
	// SpreadNs is how exactly that is known: to ± so much, in 95 of 100 cases. Unknown: nothing is known.
	SpreadNs int64 `json:"spread_ns"`
	// By is what it is known by, in words.
	By string `json:"by"`
}

// Unknown is the spread of a shift by nothing.
const Unknown = model.SpreadUnknown

// At returns the time on the ruler of a time of the session.
func (s *Shift) At(t int64) int64 {
	t = model.ClampTime(t)
	moved := model.AddSat(t, s.OffsetNs)
	if s.Drift != 0 {
		moved = model.AddSat(moved, int64(s.Drift*float64(t-s.FromNs)))
	}
	return model.ClampTime(moved)
}

// Words describes the shift for people.
func (s *Shift) Words() string {
	if s.SpreadNs == Unknown {
		return "not aligned: " + s.By
	}
	words := fmt.Sprintf("moved by %v ± %v, by %s", time.Duration(s.OffsetNs), time.Duration(s.SpreadNs), s.By)
	if s.Drift != 0 {
		words += fmt.Sprintf(", drift %+.3f ppm", s.Drift*1e6)
	}
	return words
}
