package feed

import (
	"testing"

	"framescope/internal/testkit"
)

// What strangers cause by the thousands takes a few lines of a log.
func TestFewLines(t *testing.T) {
	n, few := 0, NewFewLines()
	for range 1000 {
		few.Write(func(string) { n++ }, "x")
	}
	testkit.That(t, n > 0 && n <= 25, "%d lines at once", n)
}
