package library

import "framescope/net/journal"

// AwaitRoom implements journal.Patient: it waits for each place that the session is kept in, but
// not for a disk that takes nothing. One goroutine at a time may wait.
func (r *Recorder) AwaitRoom(stop <-chan struct{}, bytes int) {
	if r.kept != nil {
		r.keptPace.Await(stop, func() (bool, int64) { return r.kept.Room(bytes) })
	}
	r.mu.Lock()
	t := r.tape
	r.mu.Unlock()
	if t != nil {
		t.pace.Await(stop, func() (bool, int64) { return t.room(bytes) })
	}
}

var _ journal.Patient = (*Recorder)(nil)

// room reports whether a record with so many bytes would be taken, and how many waiting bytes were
// taken so far.
func (t *tape) room(bytes int) (fits bool, taken int64) {
	t.mu.Lock()
	defer t.mu.Unlock()
	switch t.phase {
	case direct:
		return t.sink.Room(bytes)
	case marked:
		return t.closing || t.bytes+bytes <= maxTapeWaiting, t.taken
	}
	return true, t.taken
}
