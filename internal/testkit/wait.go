// Waiting lets tests wait for other goroutines and other programs. It is the one place where tests look
// again after a pause; no test assumes that something has happened after a time. It imports the
// standard library only, so that the tests of every package can use it.

package testkit

import (
	"testing"
	"time"
)

// Patience is how long something may take before a test fails. It is generous, so that a busy
// machine fails nothing: only a test that fails waits that long.
const Patience = 30 * time.Second

// A pause between two looks is short at first, as most things have happened or are about to, and
// longer later, so that whoever is waited for gets the processor.
const (
	firstPause = 50 * time.Microsecond
	lastPause  = 5 * time.Millisecond
)

// WaitUntil waits for a condition, and ends the test if it does not hold within Patience. It calls ok
// on the goroutine of the test, so ok may also advance the state, such as by polling a feed. The
// failure message names the condition and has the results of the functions in instead.
func WaitUntil(t testing.TB, what string, ok func() bool, instead ...func() any) {
	t.Helper()
	until(t, Patience, what, ok, instead)
}

func until(t testing.TB, patience time.Duration, what string, ok func() bool, instead []func() any) {
	t.Helper()
	if within(patience, ok) {
		return
	}
	there := make([]any, len(instead))
	for i, f := range instead {
		there[i] = f()
	}
	t.Fatalf("waited in vain for %s; there is %+v", what, there)
}

// WaitFor is WaitUntil for callers that fail in their own way: it reports whether the condition came to
// hold.
func WaitFor(ok func() bool) bool { return within(Patience, ok) }

func within(patience time.Duration, ok func() bool) bool {
	deadline, pause := time.Now().Add(patience), firstPause
	for !ok() {
		if time.Now().After(deadline) {
			return false
		}
		time.Sleep(pause)
		pause = min(2*pause, lastPause)
	}
	return true
}
