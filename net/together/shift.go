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

// Bounds of shifts: what no two clocks differ by.
const (
	mostOffset = 1 << 60 // 36 years
	mostSlope  = 0.01
)

// check reports a shift that is none of clocks.
func (s *Shift) check() error {
	switch {
	case s.OffsetNs > mostOffset || s.OffsetNs < -mostOffset:
		return fmt.Errorf("offset_ns %d is more than %v", s.OffsetNs, time.Duration(mostOffset))
	case s.Drift > mostSlope || s.Drift < -mostSlope:
		return fmt.Errorf("drift %g is more than %g", s.Drift, mostSlope)
	case s.SpreadNs < 0:
		return fmt.Errorf("spread_ns %d is negative", s.SpreadNs)
	case s.FromNs > mostOffset || s.FromNs < -mostOffset:
		return fmt.Errorf("from_ns %d is more than %v", s.FromNs, time.Duration(mostOffset))
	}
	return nil
}

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
	words := fmt.Sprintf("± %v, moved by %v", time.Duration(s.SpreadNs), time.Duration(s.OffsetNs))
	if s.Drift != 0 {
		words += fmt.Sprintf(" at %v, drift %+.3f ppm", time.Duration(s.FromNs), s.Drift*1e6)
	}
	return words + ", by " + s.By
}
