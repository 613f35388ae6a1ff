package server

import "sync"

// maxHeldUp is how many connections may be waiting for the viewer before the door closes.
const maxHeldUp = 32

// A door keeps newcomers outside while the viewer can't keep up with those that are in: a
// connection takes descriptors and memory for as long as the viewer has not taken what it sent, and
// outside, in the queue of the system, it takes none. A client that says nothing does not hold up
// anybody; seats are for those.
type door struct {
	mu   sync.Mutex
	free sync.Cond
	held int // connections that have sent something which the viewer has not taken yet
	gone bool
}

func (d *door) init() { d.free.L = &d.mu }

// wait returns when there is room for one more, or no door.
func (d *door) wait() {
	d.mu.Lock()
	for d.held >= maxHeldUp && !d.gone {
		d.free.Wait()
	}
	d.mu.Unlock()
}

// hold notes that a connection waits for the viewer, and no longer for its client.
func (d *door) hold() {
	d.mu.Lock()
	d.held++
	d.mu.Unlock()
}

// release notes that a connection waits for its client, or is over.
func (d *door) release() {
	d.mu.Lock()
	d.held--
	d.mu.Unlock()
	d.free.Broadcast()
}

// remove lets all waiting connections in.
func (d *door) remove() {
	d.mu.Lock()
	d.gone = true
	d.mu.Unlock()
	d.free.Broadcast()
}
