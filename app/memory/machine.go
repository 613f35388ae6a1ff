package memory

import "math"

// Whole returns the default limit for a recording that is read whole, in bytes: half of the machine's
// memory.
func Whole() int64 {
	total := machine()
	if total <= 0 {
		total = 2 * Default // the system does not report it
	}
	return min(total, math.MaxInt) / 2
}
