package model

import "math"

// Clock describes the precision of a session's times.
type Clock struct {
	// Float32Seconds: times were 32-bit floats of seconds (PStats), so the step grows with the time
	// itself.
	Float32Seconds bool
	// StepNs is the fixed step otherwise; 0 means 1 ns.
	StepNs int64
}

// Step returns the smallest difference, in ns, that two times near timeNs can have. For 32-bit
// floats of seconds it is 2^(floor(log2 t) - 23) seconds (PROTOCOL.md section 7).
func (c Clock) Step(timeNs int64) int64 {
	if !c.Float32Seconds {
		return max(1, c.StepNs)
	}
	sec := math.Abs(float64(timeNs)) / 1e9
	if sec < 1.0/1024 {
		return 1
	}
	_, exp := math.Frexp(sec) // sec = f * 2^exp, f in [0.5, 1)
	return max(1, int64(math.Round(math.Ldexp(1e9, exp-1-23))))
}

// MinTime and MaxTime bound stored times (±73 years), so that no difference or sum of two of them
// overflows.
const (
	MinTime = -1 << 61
	MaxTime = 1 << 61
)

// ClampTime returns the time nearest to t that may be stored.
func ClampTime(t int64) int64 { return min(max(t, MinTime), MaxTime) }

// FloorTo returns the greatest multiple of step that is not above t.
func FloorTo(t, step int64) int64 {
	q := t % step
	if q < 0 {
		q += step
	}
	return t - q
}

// Stretch is a piece of time, [Begin, End).
type Stretch struct{ Begin, End int64 }
