package pstatstest

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"testing"
)

// Tally counts compared and different things, and shows the first few differences.
// Differences that a rule names are counted by that rule.
type Tally struct {
	T            testing.TB
	What         string
	Same, Differ int
	named        map[string]int
}

// Name counts a difference that a rule explains.
func (c *Tally) Name(rule string) {
	if c.named == nil {
		c.named = map[string]int{}
	}
	c.named[rule]++
}

// Check counts one comparison; the rest describes the difference.
func (c *Tally) Check(ok bool, format string, args ...any) {
	if ok {
		c.Same++
		return
	}
	c.T.Helper() // it costs more than a comparison
	if c.Differ++; c.Differ <= 5 {
		c.T.Errorf("%s: %s", c.What, fmt.Sprintf(format, args...))
	}
}

// String says how many were equal, and which differed by which rule.
func (c *Tally) String() string {
	s := fmt.Sprintf("%s %d equal", c.What, c.Same)
	for _, rule := range slices.Sorted(maps.Keys(c.named)) {
		s += fmt.Sprintf(", %d %s", c.named[rule], rule)
	}
	if c.Differ > 0 {
		s += fmt.Sprintf(", %d DIFFERENT", c.Differ)
	}
	return s
}

// Near reports whether two numbers are equal but for the nine digits that the tables print.
func Near(a, b float64) bool {
	return math.Abs(a-b) <= 2e-8*max(math.Abs(a), math.Abs(b))+1e-15
}

// Near6 is that for the few digits of definitions.
func Near6(a, b float64) bool { return math.Abs(a-b) <= 1e-5*max(math.Abs(a), math.Abs(b)) }
