package testkit

import (
	"os"
	"testing"
)

// Long says whether tests run in their long form, which asks for more rounds, files and places:
//
//	FRAMESCOPE_LONG=1 go test ./app/truth
//
// It is for changes of what a test is about; the short form holds each rule of a test.
var Long = os.Getenv("FRAMESCOPE_LONG") != ""

// Rounds returns how often a test tries something, in its short and in its long form.
func Rounds(short, long int) int {
	if Long {
		return long
	}
	return short
}

// OneGoroutine skips, under the race detector, a long test that works on one goroutine: it would find nothing there,
// and take ten times as long.
func OneGoroutine(t testing.TB) {
	t.Helper()
	if Race {
		t.Skip("one goroutine does the work: there is nothing to race with")
	}
}
