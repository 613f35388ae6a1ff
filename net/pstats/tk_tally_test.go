package pstats

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"testing"
)

// tally counts compared and different things, and shows the first few differences.
// Differences that a rule names are counted by that rule.
type tally struct {
	t            testing.TB
	what         string
	same, differ int
	named        map[string]int
}

// name counts a difference that a rule explains.
func (c *tally) name(rule string) {
	if c.named == nil {
		c.named = map[string]int{}
	}
	c.named[rule]++
}

func (c *tally) check(ok bool, format string, args ...any) {
	c.t.Helper()
	if ok {
		c.same++
		return
	}
	if c.differ++; c.differ <= 5 {
		c.t.Errorf("%s: %s", c.what, fmt.Sprintf(format, args...))
	}
}

func (c *tally) String() string {
	s := fmt.Sprintf("%s %d equal", c.what, c.same)
	for _, rule := range slices.Sorted(maps.Keys(c.named)) {
		s += fmt.Sprintf(", %d %s", c.named[rule], rule)
	}
	if c.differ > 0 {
		s += fmt.Sprintf(", %d DIFFERENT", c.differ)
	}
	return s
}

// near tells whether two numbers are equal but for the nine digits that the tables print.
func near(a, b float64) bool {
	return math.Abs(a-b) <= 2e-8*max(math.Abs(a), math.Abs(b))+1e-15
}

func near6(a, b float64) bool { return math.Abs(a-b) <= 1e-5*max(math.Abs(a), math.Abs(b)) }
