package model

import "fmt"

// HitchLimit is how long a frame takes at least to be a hitch, where frames hardly vary. The zero value is the default.
type HitchLimit struct {
	// Factor is by how many times it is longer than the frames around it; 0: DefaultFactor.
	Factor float64 `json:",omitempty"`
	// Refresh is how often the screen shows a frame, in Hz; 0: unknown. Where the frames around are ready in time, one
	// that misses the refresh is a hitch, too.
	Refresh float64 `json:",omitempty"`
}

// DefaultFactor is the factor of a user who gives none.
const DefaultFactor = 1.125

// The bounds of a limit, and by which factor a frame that misses the refresh is longer than its period and than others.
const (
	leastFactor, mostFactor = 1.01, 100
	mostRefresh             = 10_000
	missedBy                = 1.03
)

// LeastNs returns that length, by the middle of the frames around.
func (h HitchLimit) LeastNs(medianNs int64) int64 {
	factor, median := h.Factor, float64(medianNs)
	if factor == 0 {
		factor = DefaultFactor
	}
	least := factor * median
	if h.Refresh > 0 && median <= missedBy*1e9/h.Refresh {
		least = min(least, missedBy*max(median, 1e9/h.Refresh))
	}
	return int64(least)
}

func (h HitchLimit) check() error {
	if h.Factor != 0 && !(h.Factor >= leastFactor && h.Factor <= mostFactor) {
		return fmt.Errorf("a hitch of %v times the typical length: give %v to %v", h.Factor, leastFactor, mostFactor)
	}
	if !(h.Refresh >= 0 && h.Refresh <= mostRefresh) {
		return fmt.Errorf("a refresh of %v Hz: give up to %v", h.Refresh, mostRefresh)
	}
	return nil
}
