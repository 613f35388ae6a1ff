package library

import (
	"encoding/json"
	"sync"
	"time"

	"framescope/net/journal"
)

// outlet is what the writers of a user's recording share that work on a goroutine of their own, in rounds: what waits for
// the disk, the state of the recording, and the function that hears of its troubles. Others can start a round sooner or wait for its end.
type outlet struct {
	path   string
	now    func() time.Duration // since the session's start
	notify func(RecordingState) // when the disk begins to refuse data, and when it takes them again
	wake   chan struct{}
	done   chan struct{} // closed when there will be no more rounds

	mu      sync.Mutex
	next    chan struct{} // closed at the end of the next round to begin; nil: nothing waits for it
	status  RecordingState
	held    int // bytes that wait
	most    int // that may wait
	closing bool
}

func newOutlet(path string, now func() time.Duration, notify func(RecordingState)) outlet {
	return outlet{
		path: path, now: now, notify: notify, wake: make(chan struct{}, 1), done: make(chan struct{}), most: rawWaiting,
		status: RecordingState{Path: path},
	}
}

// fits reports whether there is room for more waiting bytes. o.mu is held.
func (o *outlet) fits(bytes int) bool { return o.held+bytes <= o.most || o.held == 0 }

func (o *outlet) Room(bytes int) (fits bool, taken int64) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if fits = o.closing || o.fits(bytes); !fits && o.status.Err == nil {
		o.hurry()
	}
	return fits, o.status.Bytes
}

// miss counts the data of a hole, which never came here.
func (o *outlet) miss(hole []byte) {
	var h journal.Hole
	if json.Unmarshal(hole, &h) != nil {
		return
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	o.status.Refused += h.Records
	o.status.RefusedBytes += h.Bytes
}

func (o *outlet) queued() int64 {
	o.mu.Lock()
	defer o.mu.Unlock()
	return int64(o.held)
}

func (o *outlet) state() RecordingState {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.status
}

func (o *outlet) NeedsDefinitions() bool { return false }

// Flush returns when a round is over that began after the call, or there are no more.
func (o *outlet) Flush() error {
	o.mu.Lock()
	if o.next == nil {
		o.next = make(chan struct{})
	}
	over := o.next
	o.mu.Unlock()
	o.hurry()
	select {
	case <-over:
	case <-o.done:
	}
	return o.state().Err
}

// hurry lets the next round begin at once.
func (o *outlet) hurry() {
	select {
	case o.wake <- struct{}{}:
	default:
	}
}

// rest waits for so long, or until hurry.
func (o *outlet) rest(pause time.Duration) {
	select {
	case <-o.wake:
	case <-time.After(pause):
	}
}

// begin begins a round, before the writer collects its data; the caller calls end.
func (o *outlet) begin() (end func()) {
	o.mu.Lock()
	over := o.next
	o.next = nil
	o.mu.Unlock()
	return func() {
		if over != nil {
			close(over)
		}
	}
}

// note stores the outcome of a write behind so many records, and reports a change of it.
func (o *outlet) note(err error, records int64) {
	o.mu.Lock()
	changed := (err == nil) != (o.status.Err == nil)
	if changed && err != nil {
		o.status.Since, o.status.Record = o.now(), records
	}
	o.status.Err = err
	state := o.status
	o.mu.Unlock()
	if changed {
		o.notify(state)
	}
}

// close takes nothing more, waits for the last round, and returns how the recording stands then.
func (o *outlet) close() RecordingState {
	o.mu.Lock()
	o.closing = true
	o.mu.Unlock()
	o.hurry()
	<-o.done
	return o.state()
}
