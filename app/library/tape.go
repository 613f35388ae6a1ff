package library

import (
	"errors"
	"io"
	"path/filepath"
	"sync"
	"time"

	"framescope/net/framescope"
	"framescope/net/journal"
)

// tape is the user's recording of a session: a file, or a folder, from the session's first data on. A
// later request first catches up from the library; new data waits meanwhile.
type tape struct {
	rec  *Recorder
	done chan struct{} // closed when all is on disk, and of its official format
	shut chan struct{} // closed when nothing more comes
	pace journal.Pace  // of the waiters for it

	mu       sync.Mutex
	path     string
	sink     sink // nil: the file could not be made yet
	phase    phase
	waiting  []record // that came after the mark
	bytes    int      // in them
	taken    int64    // of those that have left it
	hole     journal.Hole
	closing  bool
	reason   string
	failed   error // why it is not of its official format
	finished bool
}

// phase is how far a tape has caught up.
type phase uint8

const (
	direct  phase = iota // data goes to the sink
	copying              // data is read from the library
	marked               // data waits until everything before has been read
)

// sink is the target of a tape. None of its methods waits for the disk but Flush and finish.
type sink interface {
	// put takes a record; false: it was refused.
	put(r record) bool
	// queued is how many bytes wait.
	queued() int64
	// Room reports whether a record with so many bytes would be taken now, and how many waiting bytes
	// were taken.
	Room(bytes int) (fits bool, taken int64)
	// Flush waits until the taken data is on disk, and returns a failure.
	Flush() error
	NeedsDefinitions() bool
	state() RecordingState
	// finish ends the file, and waits for that. It returns why the file is not as it should be.
	finish(reason string) error
}

const (
	maxTapeWaiting = 16 << 20 // bytes that wait while a tape catches up
	maxCopyQueued  = 4 << 20  // bytes that a copy is ahead of the disk
	copyPoll       = 50 * time.Millisecond
	claimAgain     = time.Second
	copyPatience   = 30 * time.Second // for a mark that doesn't come because a disk hangs
)

func newTape(rec *Recorder, path string, p phase) *tape {
	return &tape{rec: rec, path: path, phase: p, done: make(chan struct{}), shut: make(chan struct{})}
}

func (t *tape) state() RecordingState {
	t.mu.Lock()
	sink, s := t.sink, RecordingState{Path: t.path}
	t.mu.Unlock()
	if sink != nil {
		s = sink.state()
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.failed != nil {
		s.Err = t.failed
	}
	s.Ended = t.finished
	return s
}

func (t *tape) needsDefinitions() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.phase == direct && t.sink.NeedsDefinitions()
}

// add adds a record as it comes; false: it was refused. r.mu of the recorder is held, so that
// records come in order.
func (t *tape) add(r record) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	switch t.phase {
	case direct:
		return t.sink.put(r)
	case marked:
		if t.bytes+len(r.payload) > maxTapeWaiting {
			t.refuse(&r)
			return false
		}
		t.closeHole()
		r.payload = append([]byte(nil), r.payload...)
		t.waiting = append(t.waiting, r)
		t.bytes += len(r.payload)
	}
	return true
}

// refuse counts a record that cannot wait. t.mu is held.
func (t *tape) refuse(r *record) {
	h := &t.hole
	if h.Records+h.Definitions == 0 {
		h.FromNs, h.Reason = r.timeNs, "the disk did not keep up"
	}
	h.ToNs = r.timeNs
	h.Bytes += int64(len(r.payload))
	if r.kind == journal.KindData {
		h.Records++
	} else {
		h.Definitions++
	}
}

// closeHole puts the hole behind the waiting data, if there is one. t.mu is held.
func (t *tape) closeHole() {
	if t.hole.Records+t.hole.Definitions == 0 {
		return
	}
	t.waiting = append(t.waiting, holeRecord(t.hole))
	if t.hole.Definitions > 0 {
		t.rec.restate = true
	}
	t.hole = journal.Hole{}
}

// close ends the tape. It does not wait.
func (t *tape) close(reason string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.closing {
		return
	}
	t.closing, t.reason = true, reason
	close(t.shut)
	if t.phase == direct {
		go t.end()
	}
}

// end brings the file to its end.
func (t *tape) end() {
	defer close(t.done)
	t.mu.Lock()
	reason := t.reason
	t.mu.Unlock()
	err := t.sink.finish(reason)
	t.mu.Lock()
	t.failed, t.finished = err, true
	t.mu.Unlock()
	t.rec.lib.changed()
	switch {
	case err == nil:
		t.rec.lib.reportOver(notRecorded(&t.rec.meta), false, "Recorded to %s", Home(t.path))
		if t.rec.target != nil {
			if removed := t.rec.target.ended(t.path); removed != "" {
				t.rec.lib.report(false, "Removed %s, the oldest of more than %d recordings of a few frames", Home(removed), mostShort)
			}
		}
	default:
		t.rec.waitUntilFinal()
		t.rec.lib.fails(t.path, "%s%s", err, t.rec.instead())
	}
}

// begin makes the file, lets it catch up with the library's data so far (nil: with nothing), and then
// passes new data to it directly. Until then that waits.
func (t *tape) begin(target *Target, kept *journal.Writer) {
	if !t.open(target) {
		close(t.done)
		return
	}
	if kept != nil {
		if err := t.copy(kept); err != nil {
			t.rec.lib.report(true, "%s has only a part of what came before: %v", Home(t.path), err)
		}
	}
	for {
		t.mu.Lock()
		if t.phase != marked { // the copying failed before the mark
			t.phase = marked
		}
		t.closeHole()
		some := t.waiting
		t.taken += int64(t.bytes)
		t.waiting, t.bytes = nil, 0
		if len(some) == 0 {
			t.phase = direct
			closing := t.closing
			t.mu.Unlock()
			if closing {
				t.end()
			}
			return
		}
		t.mu.Unlock()
		for i := range some {
			t.putWaiting(some[i])
		}
	}
}

// open makes the file, and tries again for as long as the session goes on. False: it has ended.
func (t *tape) open(target *Target) bool {
	folder := t.rec.meta.Source == sourceFlare && !framescope.IsName(target.Path)
	for told := false; ; {
		path, evaded, err := target.Claim(folder)
		if err == nil {
			t.mu.Lock()
			t.path, t.failed = path, nil
			t.sink = newSink(t.rec, path)
			t.mu.Unlock()
			t.rec.lib.changed()
			why := ""
			if evaded && path != target.Path {
				why = ", because " + filepath.Base(target.Path) + " is there already"
			}
			t.rec.lib.report(false, "Recording to %s%s", Home(path), why)
			return true
		}
		t.mu.Lock()
		t.path, t.failed = path, err
		closing := t.closing
		t.mu.Unlock()
		switch {
		case closing:
			t.rec.waitUntilFinal()
			t.rec.lib.fails(path, "Nothing was recorded to %s: %v%s", Home(path), err, t.rec.instead())
			return false
		case !told:
			told = true
			t.rec.lib.report(true, "Not recording to %s yet: %v", Home(path), err)
		}
		t.rest(claimAgain)
	}
}

// copy copies up to the mark that it sets.
func (t *tape) copy(kept *journal.Writer) error {
	kept.Flush() // so that there is something to be opened
	rd, err := journal.Open(kept.Path())
	if err != nil {
		return err
	}
	defer rd.Close()
	mark, set, ended := []byte(t.path), false, false
	var patience time.Time
	for {
		r, err := rd.Next()
		switch {
		case err == nil:
			if r.Kind == journal.KindMark {
				if set && string(r.Payload) == string(mark) {
					return nil
				}
				continue
			}
			if r.Kind != journal.KindEnd {
				t.putWaiting(record{r.Kind, r.Time, string(r.Key), r.Payload})
			}
			continue
		case !errors.Is(err, io.EOF):
			return err
		}
		if !set {
			set = true
			if accepted, over := t.mark(kept, mark); !accepted && !over {
				return nil // the library refuses everything now: new data waits
			}
			patience = time.Now().Add(copyPatience)
		}
		switch {
		case kept.Stats().Ended:
			if ended { // it had by the last time that nothing was found
				return nil
			}
			ended = true
			continue
		case time.Now().After(patience):
			return errors.New("the disk with the session does not answer")
		}
		time.Sleep(copyPoll)
	}
}

// mark sets the mark; later data waits. over reports that no more data will come: then there is no
// mark.
func (t *tape) mark(kept *journal.Writer, id []byte) (accepted, over bool) {
	t.rec.mu.Lock()
	defer t.rec.mu.Unlock()
	t.mu.Lock()
	defer t.mu.Unlock()
	t.phase = marked
	return kept.Mark(id), t.rec.closed
}

// putWaiting hands a record to the sink, and waits until there is room for it.
func (t *tape) putWaiting(r record) {
	for t.sink.queued() > maxCopyQueued {
		if t.sink.Flush() != nil {
			if t.rest(copyPoll); t.closed() { // nothing can be written, and the recording was closed
				break
			}
		}
	}
	t.sink.put(r)
}

// rest waits for so long, or until the tape takes nothing more.
func (t *tape) rest(pause time.Duration) {
	select {
	case <-t.shut:
	case <-time.After(pause):
	}
}

// closed reports whether the tape takes nothing more.
func (t *tape) closed() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.closing
}

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
