package memory

import "math"

// Whole returns what a recording that is read whole may take where nobody says how much, in bytes: half of the
// memory that there is.
func Whole() int64 {
	total := machine()
	if total <= 0 {
		total = 2 * Default // the system does not report it
	}
	return min(total, math.MaxInt) / 2
}
