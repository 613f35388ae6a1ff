package library

import (
	"testing"
	"time"
)

// Who waits for a round is not content with one that had begun before, and is let go when there are
// no more.
func TestRounds(t *testing.T) {
	r := newRounds()
	end := r.begin()
	over := make(chan struct{})
	go func() {
		r.await()
		close(over)
	}()
	<-r.wake // it has asked
	end()
	select {
	case <-over:
		t.Fatal("a round was enough that had begun before")
	default:
	}
	r.begin()()
	<-over

	go r.await()
	r.rest(time.Hour) // is cut short
	close(r.done)
	r.await()
}
