package journal

import (
	"crypto/rand"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"sync"
	"sync/atomic"
	"time"

	"framescope/net/journal/disk"
)

// Limits of a writer, unless its options say otherwise.
const (
	DefaultSegment = 64 << 20               // bytes of a segment
	DefaultQueue   = 16 << 20               // bytes that wait for the disk
	DefaultFlush   = 100 * time.Millisecond // from the first record that waits to its writing
	DefaultRetry   = 250 * time.Millisecond // from one attempt to write to the next
	urgentBytes    = 256 << 10              // so much is written without waiting for more
	keepBytes      = 1 << 20                // buffers that are larger are given up when so much is not needed
)

// Options of a Writer. The zero value is good.
type Options struct {
	SegmentBytes int64 // 0: DefaultSegment, or a size that suits the limit of a Root
	QueueBytes   int
	Flush, Retry time.Duration
	// Claimed declares that the file of CreateFile exists and is empty: the caller made it, so that
	// nobody else takes its name.
	Claimed bool
	// Changed is called when writing fails, when the disk does not keep up, and when writing goes
	// on, on a goroutine of the writer's: it must return soon. May be nil.
	Changed func(Stats)
	// Now is the clock; nil: time.Now.
	Now func() time.Time
}

func (o *Options) fill() {
	if o.QueueBytes <= 0 {
		o.QueueBytes = DefaultQueue
	}
	if o.Flush <= 0 {
		o.Flush = DefaultFlush
	}
	if o.Retry <= 0 {
		o.Retry = DefaultRetry
	}
	if o.Now == nil {
		o.Now = time.Now
	}
}

// Trouble is why nothing can be written for the time being.
type Trouble struct {
	File string
	Err  error
	// Record is the first data record that is not on disk, counted from 0, and AtNs its time.
	Record int64
	AtNs   int64
	Since  time.Time // when it was noticed
}

// Error implements error.
func (t *Trouble) Error() string {
	return fmt.Sprintf("%s: not written since record %d: %v", t.File, t.Record, t.Err)
}

// Unwrap gives the error of the file system.
func (t *Trouble) Unwrap() error { return t.Err }

// Stats are the counters of a writer.
type Stats struct {
	Path    string // of the folder or file; empty while nothing is on disk
	Records int64  // data records that were written, also those that have left since
	Bytes   int64  // that are on disk now
	Queued  int64  // bytes that wait to be written, or are being written
	Refused int64  // data records that were not taken
	Holes   int64  // runs of these
	Deleted int64  // data records that were on disk until another program deleted them: see ErrGone
	Evicted Evicted
	// Trouble is why nothing is being written; nil while all is well.
	Trouble *Trouble
	Ended   bool // all is done
}

// Writer keeps one session. Its methods may be called from any goroutine; none waits for the disk
// but Flush and Wait.
//
// Nothing is on disk before the first data record, or definitions that take a quarter of the queue.
// From then on one file is open, until the session ends.
type Writer struct {
	opt   Options
	fs    disk.FS
	root  *Root // nil: one file
	file  string
	id    ID
	meta  Meta
	begin time.Time
	wake  chan struct{} // something waits
	hurry chan struct{} // and is not to wait any longer
	done  chan struct{}

	restate atomic.Bool

	mu       sync.Mutex
	queue    []byte // records that wait
	spare    []byte // the buffer that queue had before
	inFlight int    // bytes that are being written
	seen     int64  // data records that came, taken or not
	started  bool   // the goroutine runs
	closed   bool
	reason   string
	refusing bool // there is trouble, then
	hole     Hole
	stats    Stats
	flushed  chan struct{} // closed after a write, successful or not
	waiting  bool          // for flushed
	taken    int64         // bytes that were queued
	written  int64         // bytes that were written or given up

	reportMu sync.Mutex // for the order of telling
	untold   []Stats    // guarded by mu

	disk output
}

// newWriter makes a writer that has nothing on disk.
func newWriter(fsys disk.FS, m Meta, o Options) *Writer {
	o.fill()
	w := &Writer{
		opt: o, fs: fsys, wake: make(chan struct{}, 1), hurry: make(chan struct{}, 1), done: make(chan struct{}),
		flushed: make(chan struct{}), begin: o.Now(),
	}
	if m.Start.IsZero() {
		m.Start = w.begin
	}
	w.begin = m.Start
	w.meta = m.clean()
	rand.Read(w.id[:])
	w.disk.w = w
	return w
}

// CreateFile returns a writer of a session that is one file, for a recording that the user named.
// It is made with the first data record, and must not be there then.
func CreateFile(path string, m Meta, o Options) *Writer { return CreateFileOn(disk.System, path, m, o) }

// CreateFileOn is CreateFile on another file system.
func CreateFileOn(fsys disk.FS, path string, m Meta, o Options) *Writer {
	w := newWriter(fsys, m, o)
	w.file = path
	w.disk.ours = o.Claimed
	return w
}

// segmentBytes is the size that a segment is ended at.
func (w *Writer) segmentBytes() int64 {
	switch {
	case w.opt.SegmentBytes > 0:
		return w.opt.SegmentBytes
	case w.root != nil:
		return w.root.segmentBytes()
	}
	return DefaultSegment
}

// Path returns the folder or file that the session is in, empty as long as nothing is on disk.
func (w *Writer) Path() string { return w.Stats().Path }

// Define takes a definition. One with the same key replaces it when the oldest data leave. It returns
// false if the definition was refused; NeedsDefinitions will then request it again.
func (w *Writer) Define(key string, payload []byte) bool {
	return w.append(KindDefinition, key, payload)
}

// Data takes a record of data. It returns false when it was refused, because the disk takes nothing
// and the queue is full.
func (w *Writer) Data(payload []byte) bool { return w.append(KindData, "", payload) }

// NeedsDefinitions reports, once, that definitions were refused or deleted: the caller must give all
// valid ones again before more data. It costs next to nothing.
func (w *Writer) NeedsDefinitions() bool {
	return w.restate.Load() && w.restate.CompareAndSwap(true, false)
}

func (w *Writer) append(kind Kind, key string, payload []byte) bool {
	timeNs := max(0, int64(w.opt.Now().Sub(w.begin)))
	size := recordHead + bodyHead + len(key) + len(payload)
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.closed {
		return false
	}
	if kind == KindData {
		w.seen++
	}
	// Definitions that are many are worth a file of their own: a session may consist of them.
	if !w.started && (kind == KindData || len(w.queue)+size > w.opt.QueueBytes/4) {
		w.started = true
		signal(w.wake) // definitions may wait
		go w.run()
	}
	if w.refusing || !w.fits(size) || len(key) > MaxKey || len(payload) > MaxPayload {
		w.refuse(kind, size, timeNs)
		return false
	}
	w.queue = appendRecord(w.queue, kind, timeNs, key, payload)
	w.took(size)
	return true
}

// fits reports whether so many bytes may be queued: half of the room is for the bytes being written at
// the same time. A single larger record is taken while the disk keeps up. w.mu is held.
func (w *Writer) fits(size int) bool {
	room := w.opt.QueueBytes / 2
	return len(w.queue)+size <= room || len(w.queue) <= room/2 && w.inFlight <= room/2
}

// Room reports whether a record with so many bytes of payload would be taken now, and how many waiting
// bytes were written or given up so far: see Pace.
func (w *Writer) Room(payload int) (fits bool, written int64) {
	w.mu.Lock()
	defer w.mu.Unlock()
	fits = w.closed || !w.refusing && w.fits(recordHead+bodyHead+payload)
	if !fits {
		signal(w.hurry)
	}
	return fits, w.written
}

// took notes that so many bytes were queued. w.mu is held.
func (w *Writer) took(size int) {
	w.taken += int64(size)
	if w.started && len(w.queue) == size {
		signal(w.wake)
	}
	if len(w.queue) >= urgentBytes && len(w.queue)-size < urgentBytes {
		signal(w.hurry)
	}
}

// refuse counts a record that is not taken. w.mu is held.
func (w *Writer) refuse(kind Kind, size int, timeNs int64) {
	if !w.refusing {
		w.refusing = true
		w.hole = Hole{FromNs: timeNs}
		w.stats.Holes++
		signal(w.wake)
		signal(w.hurry)
		if w.stats.Trouble == nil { // the disk hangs, or is slow: nothing else would report it
			first := w.seen
			if kind == KindData {
				first--
			}
			w.stats.Trouble = &Trouble{File: w.name(), Err: errBehind, Record: first, AtNs: timeNs, Since: w.opt.Now()}
			w.changed()
			go w.notifyChanges()
		}
	}
	w.hole.ToNs = timeNs
	w.hole.Bytes += int64(size)
	if kind == KindData {
		w.hole.Records++
		w.stats.Refused++
	} else {
		w.hole.Definitions++
	}
	w.hole.Reason = w.stats.Trouble.Err.Error()
	if size > MaxPayload {
		w.hole.Reason = fmt.Sprintf("a record of %d bytes is too large", size)
	}
}

// changed queues a state for Options.Changed. w.mu is held.
func (w *Writer) changed() {
	if w.opt.Changed != nil {
		w.untold = append(w.untold, w.stats)
	}
}

// notifyChanges reports all queued states, in order.
func (w *Writer) notifyChanges() {
	w.reportMu.Lock()
	defer w.reportMu.Unlock()
	for {
		w.mu.Lock()
		if len(w.untold) == 0 {
			w.mu.Unlock()
			return
		}
		s := w.untold[0]
		w.untold = w.untold[1:]
		w.mu.Unlock()
		w.opt.Changed(s)
	}
}

// errBehind is the trouble of a disk that gives no error.
var errBehind = errors.New("the disk does not keep up")

// name is the folder or file, for people. w.mu is held.
func (w *Writer) name() string {
	switch {
	case w.stats.Path != "":
		return w.stats.Path
	case w.root != nil:
		return w.root.dir
	}
	return w.file
}

// takeQueue returns the waiting records, for writing. It closes a hole as soon as there is room again.
func (w *Writer) takeQueue() []byte {
	w.mu.Lock()
	defer w.mu.Unlock()
	buf := w.queue
	if cap(w.spare) > keepBytes && cap(w.spare) > 8*len(buf) {
		w.spare = nil
	}
	w.queue, w.spare = w.spare[:0], nil
	w.inFlight = len(buf)
	if w.refusing {
		w.refusing = false
		had := len(w.queue)
		w.queue = appendJSON(w.queue, KindHole, w.hole.ToNs, w.hole)
		w.took(len(w.queue) - had)
		if w.hole.Definitions > 0 {
			w.restate.Store(true)
		}
		w.hole = Hole{}
	}
	return buf
}

// putBack returns the buffer of take after n of its bytes were written or given up.
func (w *Writer) putBack(buf []byte) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.spare = buf[:0]
	w.inFlight = 0
	w.written += int64(len(buf))
	w.wakeFlushers()
}

// wakeFlushers wakes the goroutines that wait in Flush. w.mu is held.
func (w *Writer) wakeFlushers() {
	if w.waiting {
		close(w.flushed)
		w.flushed, w.waiting = make(chan struct{}), false
	}
}

func signal(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

// Close ends the session, in order if reason says nothing else. It does not wait; see Wait.
func (w *Writer) Close(reason string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.closed {
		return
	}
	w.closed, w.reason = true, reason
	if !w.started {
		w.stats.Ended = true
		w.queue = nil
		close(w.done)
		return
	}
	signal(w.wake)
	signal(w.hurry)
}

// Done is closed when all of an ended session is on disk, as far as the disk takes it.
func (w *Writer) Done() <-chan struct{} { return w.done }

// Wait waits until all of an ended session is on disk, but no longer than so long, and returns why
// something is missing.
func (w *Writer) Wait(atMost time.Duration) error {
	timer := time.NewTimer(atMost)
	defer timer.Stop()
	select {
	case <-w.done:
	case <-timer.C:
		return fmt.Errorf("%s: the disk did not answer for %v", w.Path(), atMost)
	}
	if s := w.Stats(); s.Trouble != nil {
		return s.Trouble
	}
	return nil
}

// Flush waits until everything that was taken before is on disk, and returns why it is not.
func (w *Writer) Flush() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	upTo := w.taken
	for w.started && w.written < upTo && !w.stats.Ended && w.stats.Trouble == nil {
		w.waiting = true
		again := w.flushed
		w.mu.Unlock()
		signal(w.hurry)
		select {
		case <-again:
		case <-w.done:
		}
		w.mu.Lock()
	}
	if trouble := w.stats.Trouble; trouble != nil {
		return trouble
	}
	return nil
}

// Stats returns the counters of now.
func (w *Writer) Stats() Stats {
	w.mu.Lock()
	defer w.mu.Unlock()
	s := w.stats
	s.Queued = int64(len(w.queue) + w.inFlight)
	return s
}

// run writes waiting records to disk, until the session has ended.
func (w *Writer) run() {
	defer close(w.done)
	timer := time.NewTimer(time.Hour)
	defer timer.Stop()
	look := time.NewTicker(w.opt.Retry)
	defer look.Stop()
	for {
		select {
		case <-w.wake:
		case <-look.C:
			if err := w.disk.check(); err != nil {
				w.trouble(err, nil)
			}
			continue
		}
		timer.Reset(w.opt.Flush)
		select {
		case <-timer.C:
		case <-w.hurry:
		}
		again, ended := true, false
		for again {
			again, ended = w.flush()
		}
		if ended {
			w.finish()
			return
		}
	}
}

func (w *Writer) isClosed() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.closed
}

// flush writes the waiting records. again asks for another call at once: much came meanwhile, or the
// last records of a closed session; ended: it was closed, and nothing waits any more. Both are found
// under one lock, so that records between the writing and the closing are not forgotten.
func (w *Writer) flush() (again, ended bool) {
	buf := w.takeQueue()
	for rest := buf; len(rest) > 0; {
		n, err := w.disk.write(rest, endRoom)
		rest = rest[n:]
		if err == nil {
			w.noteSuccess()
			continue
		}
		w.trouble(err, rest)
		if w.giveUp(rest) {
			break
		}
	}
	w.putBack(buf)
	if w.root != nil {
		w.root.enforce()
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	return len(w.queue) >= urgentBytes || len(w.queue) > 0 && w.closed, len(w.queue) == 0 && w.closed
}

// trouble notes that rest could not be written; an empty rest: that written records are gone.
func (w *Writer) trouble(err error, rest []byte) {
	w.mu.Lock()
	t := w.stats.Trouble
	told := t == nil || cause(t.Err) != cause(err)
	if t == nil {
		t = &Trouble{Record: w.stats.Records, Since: w.opt.Now()}
		if len(rest) > 0 {
			t.AtNs = timeOf(rest)
		} else {
			t.AtNs = int64(t.Since.Sub(w.begin))
		}
	} else {
		c := *t // earlier receivers go on reading the old one
		t = &c
	}
	t.File, t.Err = w.disk.path(), err
	w.stats.Trouble = t
	if told {
		w.changed()
	}
	w.wakeFlushers()
	w.mu.Unlock()
	w.notifyChanges()
}

// cause returns the reason in an error of the file system, without the file.
func cause(err error) string {
	if p, ok := errors.AsType[*fs.PathError](err); ok {
		err = p.Err
	}
	return err.Error()
}

// timeOf returns the time of the first record in b.
func timeOf(b []byte) int64 { return int64(binary.LittleEndian.Uint64(b[recordHead+2:])) }

// noteSuccess notes that writing works.
func (w *Writer) noteSuccess() {
	w.mu.Lock()
	over := w.stats.Trouble != nil && !w.refusing // else it is over when the hole is closed
	if over {
		w.stats.Trouble = nil
		w.changed()
	}
	w.mu.Unlock()
	if over {
		w.notifyChanges()
	}
}

// giveUp waits before the next attempt. It returns true if the session has ended; the unwritten rest
// is then lost.
func (w *Writer) giveUp(rest []byte) bool {
	if w.isClosed() {
		w.loseAll(rest)
		return true
	}
	timer := time.NewTimer(w.opt.Retry)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-w.hurry:
		if !w.isClosed() { // it may be that only the queue is full
			<-timer.C
		}
	}
	return false
}

// loseAll makes one hole of the records being written and those that wait.
func (w *Writer) loseAll(rest []byte) {
	w.mu.Lock()
	defer w.mu.Unlock()
	h := w.hole
	if h.Records+h.Definitions == 0 {
		w.stats.Holes++
		h.FromNs = w.stats.Trouble.AtNs
	}
	h.Reason = w.stats.Trouble.Err.Error()
	for _, b := range [][]byte{rest, w.queue} {
		for ; len(b) > 0; b = b[recordSize(b):] {
			h.FromNs, h.ToNs = min(h.FromNs, timeOf(b)), max(h.ToNs, timeOf(b))
			h.Bytes += int64(recordSize(b))
			switch Kind(b[recordHead]) {
			case KindData:
				h.Records++
				w.stats.Refused++
			case KindDefinition:
				h.Definitions++
			case KindHole:
				var earlier Hole
				if rec, _, err := parseRecord(b); err == nil && rec.Decode(&earlier) == nil {
					h.Records += earlier.Records
					h.Bytes += earlier.Bytes
				}
			}
		}
	}
	w.written += int64(len(w.queue))
	w.hole, w.queue, w.refusing = h, nil, false
}

// finish writes the end of a closed session, after a hole for the records missing there.
func (w *Writer) finish() {
	if err := w.disk.check(); err != nil {
		w.trouble(err, nil)
	}
	w.mu.Lock()
	var last []byte
	if w.hole.Records > 0 {
		last = appendJSON(last, KindHole, w.hole.ToNs, w.hole)
	}
	last = appendJSON(last, KindEnd, int64(w.opt.Now().Sub(w.begin)), End{w.reason})
	gone := w.stats.Trouble != nil && errors.Is(w.stats.Trouble, ErrGone)
	w.mu.Unlock()
	for len(last) > 0 {
		n, err := w.disk.write(last, 0)
		last = last[n:]
		if err != nil {
			w.trouble(err, last)
			if !errors.Is(err, ErrGone) {
				break
			}
			gone = true // the end record has the losses
		} else if gone {
			w.noteSuccess()
		}
	}
	w.disk.close()
	w.mu.Lock()
	w.queue, w.spare = nil, nil
	w.stats.Ended = true
	w.changed()
	w.wakeFlushers()
	w.mu.Unlock()
	if w.root != nil {
		w.root.left(w)
	}
	w.notifyChanges()
}
