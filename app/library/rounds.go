package library

import (
	"sync"
	"time"
)

// rounds are the writes of a goroutine that works at its own pace. Others can start one sooner or wait
// for its end.
type rounds struct {
	wake chan struct{}
	done chan struct{} // closed when there will be no more

	guard sync.Mutex
	next  chan struct{} // closed at the end of the next one to begin; nil: nothing waits for it
}

func newRounds() rounds { return rounds{wake: make(chan struct{}, 1), done: make(chan struct{})} }

// hurry lets the next round begin at once.
func (r *rounds) hurry() {
	select {
	case r.wake <- struct{}{}:
	default:
	}
}

// await returns when a round is over that began after the call, or there are no more.
func (r *rounds) await() {
	r.guard.Lock()
	if r.next == nil {
		r.next = make(chan struct{})
	}
	over := r.next
	r.guard.Unlock()
	r.hurry()
	select {
	case <-over:
	case <-r.done:
	}
}

// rest waits for so long, or until hurry.
func (r *rounds) rest(pause time.Duration) {
	select {
	case <-r.wake:
	case <-time.After(pause):
	}
}

// begin begins a round, before the writer collects its data; the caller calls end.
func (r *rounds) begin() (end func()) {
	r.guard.Lock()
	over := r.next
	r.next = nil
	r.guard.Unlock()
	return func() {
		if over != nil {
			close(over)
		}
	}
}
