// Times of the clocks of a Perfetto trace are converted to one of them, by snapshots of several clocks.

package perfetto

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

// Reading is the time of one of them.
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

// Add adds two times, and reports whether the sum is one.
func Add(a, b int64) (int64, bool) {
	sum := a + b
	return sum, (sum > a) == (b > 0)
}

// Converter moves the times of a clock onto another one, and by that onto the primary one.
type Converter struct {
	least []int64 // of all readings from one on
	diff  []int64
	next  *Converter // from there on; nil: that is the primary one
}

// mostHops is over how many others a clock may be tied to the primary one.
const mostHops = 8

// Ways are how clocks are tied to the primary one: by snapshots that show both, or over others.
type Ways struct {
	primary   uint32
	snapshots []Snapshot
	next      map[uint32]uint32 // the clock that is one closer to the primary one
	known     map[uint32]*Converter
}

// NewWays finds them.
func NewWays(primary uint32, snapshots []Snapshot) *Ways {
	w := &Ways{primary, snapshots, map[uint32]uint32{primary: primary}, map[uint32]*Converter{}}
	for grows, hop := true, 0; grows && hop < mostHops; hop++ {
		found := map[uint32]uint32{}
		for _, s := range snapshots {
			w.reach(s, found)
		}
		for clock, next := range found {
			w.next[clock] = next
		}
		grows = len(found) > 0
	}
	return w
}

// reach finds the clocks of a snapshot that were not reached so far, where another one was.
func (w *Ways) reach(s Snapshot, found map[uint32]uint32) {
	for _, to := range s {
		if _, ok := w.next[to.Clock]; !ok {
			continue
		}
		for _, from := range s {
			if _, ok := w.next[from.Clock]; !ok && found[from.Clock] == 0 {
				found[from.Clock] = to.Clock
			}
		}
		return
	}
}

// From returns the converter of a clock's times to the primary clock, nil if none is needed. ok is false if the
// trace does not relate the clock to it.
func (w *Ways) From(clock uint32) (c *Converter, ok bool) {
	if clock == 0 || clock == w.primary {
		return nil, true
	}
	if c = w.known[clock]; c != nil {
		return c, true
	}
	next, ok := w.next[clock]
	if !ok {
		return nil, false
	}
	c = between(clock, next, w.snapshots)
	c.next, _ = w.From(next)
	w.known[clock] = c
	return c, true
}

// between returns the converter of a clock's times to another clock that some snapshots have with it.
func between(clock, other uint32, snapshots []Snapshot) *Converter {
	c := &Converter{}
	for _, s := range snapshots {
		var from, to *Reading
		for i := range s {
			switch s[i].Clock {
			case clock:
				from = &s[i]
			case other:
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
	return c
}

// At returns a time on the primary clock, by the last Reading in the file that is not after it.
func (c *Converter) At(t int64) int64 {
	for ; c != nil; c = c.next {
		i := sort.Search(len(c.least), func(i int) bool { return c.least[i] > t })
		t = min(max(t+c.diff[max(i-1, 0)], Least), Most)
	}
	return t
}
