package app

import (
	"os"
	"syscall"
	"testing"
	"time"

	"framescope/internal/testkit"
)

// Signals that follow the first at once are ignored; a later one counts, and none does when all is done.
func TestAgain(t *testing.T) {
	got, grace, done := make(chan os.Signal), make(chan time.Time), make(chan struct{})
	result := make(chan os.Signal, 1)
	go func() { result <- again(got, grace, done) }()
	for range 4 {
		got <- os.Interrupt // taken, or this would wait for ever
	}
	select {
	case sig := <-result:
		t.Fatalf("%v ended it within the grace", sig)
	default:
	}
	grace <- time.Time{}
	got <- syscall.SIGTERM
	sig := <-result
	testkit.That(t, sig == syscall.SIGTERM && status(sig) == 143, "got %v", sig)
	close(done)
	sig = again(got, grace, done)
	testkit.That(t, sig == nil, "%v, when all was done", sig)
}
