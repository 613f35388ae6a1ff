// Package clocks moves times of the clocks of a Perfetto trace onto one of them, by moments that several
// clocks show. It knows nothing of the format.
package clocks

import (
	"math"
	"math/bits"
	"sort"
)

// Times that are kept: differences of two of them fit the model's.
const (
	Least = -1 << 57
	Most  = 1<<61 - 1<<57
)

// Snapshot is a moment that several clocks show.
type Snapshot []Reading

// Reading is what one of them shows.
type Reading struct {
	Clock uint32
	Ns    int64
}

// Scaled returns a number of units in ns, and whether it is a time.
func Scaled(v, unit uint64) (int64, bool) {
	if unit == 1 {
		return int64(v), v <= math.MaxInt64
	}
	hi, lo := bits.Mul64(v, unit)
	return int64(lo), hi == 0 && lo <= math.MaxInt64
}

// Add adds two times, and tells whether the sum is one.
func Add(a, b int64) (int64, bool) {
	sum := a + b
	return sum, (sum > a) == (b > 0)
}

// Converter moves the times of a clock onto the primary one.
type Converter struct {
	least []int64 // of all readings from one on
	diff  []int64
}

// To returns what moves the times of a clock onto another, nil where there is nothing to be done. ok is
// false where nothing tells how a clock goes.
func To(primary, clock uint32, snapshots []Snapshot) (c *Converter, ok bool) {
	if clock == 0 || clock == primary {
		return nil, true
	}
	c = &Converter{}
	for _, s := range snapshots {
		var from, to *Reading
		for i := range s {
			switch s[i].Clock {
			case clock:
				from = &s[i]
			case primary:
				to = &s[i]
			}
		}
		if from != nil && to != nil {
			c.least, c.diff = append(c.least, from.Ns), append(c.diff, to.Ns-from.Ns)
		}
	}
	for i := len(c.least) - 2; i >= 0; i-- {
		c.least[i] = min(c.least[i], c.least[i+1])
	}
	return c, len(c.least) > 0
}

// At returns a time on the primary clock, by the last Reading in the file that is not after it.
func (c *Converter) At(t int64) int64 {
	i := sort.Search(len(c.least), func(i int) bool { return c.least[i] > t })
	return min(max(t+c.diff[max(i-1, 0)], Least), Most)
}

// Maybe is At, of nil the time itself.
func (c *Converter) Maybe(t int64) int64 {
	if c == nil {
		return t
	}
	return c.At(t)
}
