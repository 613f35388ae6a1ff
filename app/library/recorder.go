package library

import (
	"errors"
	"fmt"
	"io/fs"
	"sync"
	"sync/atomic"
	"time"

	"framescope/charts/format"
	"framescope/net/framescope"
	"framescope/net/journal"
)

// A Recorder keeps one live session: in a folder of the library, and in the file, or folder, that the
// user wants. Nothing is on disk before the first data. Any goroutine may call its methods, and none
// waits for the disk unless it says so.
//
// Its input is that of a journal: definitions, which stay valid, and data.
type Recorder struct {
	lib   *Library
	meta  journal.Meta
	begin time.Time
	kept  *journal.Writer // nil: the library keeps nothing

	keptPace journal.Pace // of the waiters for kept

	refused atomic.Int64
	deleted atomic.Int64

	mu       sync.Mutex
	tape     *tape        // the user's recording; nil: none
	target   *Target      // for the tape that begins with the first data; nil: none does
	defs     []definition // that came before the first data, for the tape
	defBytes int          // in them
	data     bool         // some came
	closed   bool
	restate  bool
	ended    chan struct{} // closed when all that was kept is on disk
}

// definition is one that waits.
type definition struct {
	key     string
	payload []byte
}

// maxTapeWaiting bounds the definitions that wait for the first data, in bytes.
const maxTapeWaiting = 8 << 20

// RecordingState is the state of a recording.
type RecordingState struct {
	// Path is the file, or the folder.
	Path string
	// Bytes are on disk, Refused records were not taken and are lost.
	Bytes, Refused int64
	// Deleted records were on disk until another program deleted them.
	Deleted int64
	// Err is why nothing can be written now, nil while all is well; since Record, counted from 0, at
	// the time Since from the session's start.
	Err    error
	Record int64
	Since  time.Duration
	// Ended reports that the session has ended and the file is complete.
	Ended bool
}

// Record begins to keep a session. target is the user's additional recording; nil: none.
func (l *Library) Record(m journal.Meta, target *Target) *Recorder {
	r := &Recorder{lib: l, begin: time.Now(), target: target, ended: make(chan struct{})}
	if m.Start.IsZero() {
		m.Start = r.begin
	}
	r.meta = m
	if l.Limit() > 0 && l.opt.Dir != "" {
		r.kept = l.root.Create(m, journal.Options{Changed: r.keptChanged})
	}
	l.mu.Lock()
	l.recorders[r] = true
	l.revision++
	l.mu.Unlock()
	return r
}

// Define takes a definition; a later one with the same key replaces it. False: it was refused.
func (r *Recorder) Define(key string, payload []byte) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	ok := true
	if r.kept != nil {
		ok = r.kept.Define(key, payload)
	}
	switch {
	case r.tape != nil && r.tape.own != nil:
		r.tape.own.Define(key, payload)
	case r.target != nil && !r.data:
		if r.defBytes += len(key) + len(payload); r.defBytes > maxTapeWaiting {
			r.defs, r.restate = nil, true // NeedsDefinitions requests them again
			return ok
		}
		r.defs = append(r.defs, definition{key, append([]byte(nil), payload...)})
	}
	return ok
}

// Data takes a record of data. False: it was refused, because the disk takes nothing and the queue is
// full.
func (r *Recorder) Data(payload []byte) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.closed {
		return false
	}
	if !r.data {
		r.data = true
		if r.target != nil {
			r.beginTape()
		}
		defer r.lib.changed()
	}
	ok := true
	if r.kept != nil {
		ok = r.kept.Data(payload)
	}
	if r.tape != nil && r.tape.own != nil {
		ok = r.tape.own.Data(payload) && ok
	}
	if !ok {
		r.refused.Add(1)
	}
	return ok
}

// Refused returns how many records of data the library or the user's recording has refused so far.
func (r *Recorder) Refused() int64 { return r.refused.Load() }

// Deleted returns how many records of data the library had kept until another program deleted them.
func (r *Recorder) Deleted() int64 { return r.deleted.Load() }

// Flush waits until all that came is on disk in the library, and returns why it is not.
func (r *Recorder) Flush() error {
	if r.kept == nil {
		return nil
	}
	return r.kept.Flush()
}

// Mark marks a place of the session in the library; false: it is not kept there, or the disk refuses everything.
func (r *Recorder) Mark(id []byte) bool { return r.kept != nil && r.kept.Mark(id) }

// Reopen reads the session in the library, after pending data is written, from some place before a moment on.
func (r *Recorder) Reopen(since time.Time) (*journal.Reader, error) {
	if r.kept == nil {
		return nil, errors.New("the session is not kept on disk")
	}
	if err := r.kept.Flush(); err != nil {
		return nil, err
	}
	return r.lib.root.OpenSince(r.kept.Path(), since)
}

// NeedsDefinitions reports, once, that the caller must repeat all current definitions before more data.
// It is almost free.
func (r *Recorder) NeedsDefinitions() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	need := r.restate
	r.restate = false
	if r.kept != nil && r.kept.NeedsDefinitions() {
		need = true
	}
	if r.tape != nil && r.tape.own != nil && r.tape.own.NeedsDefinitions() {
		need = true
	}
	return need
}

// beginTape begins the user's recording, with everything that came so far: only definitions. r.mu is
// held.
func (r *Recorder) beginTape() {
	r.tape, _ = newTape(r, r.target, false)
	for _, d := range r.defs {
		r.tape.own.Define(d.key, d.payload)
	}
	r.defs = nil
}

// Start records the session to a file or a folder, from its first data on, as the library has these. If the
// library does not keep the session, the recording begins now, and whole is false.
func (r *Recorder) Start(target *Target) (whole bool, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	switch {
	case r.closed:
		return false, errors.New("the session has ended")
	case r.tape != nil && !r.tape.closed():
		return false, errors.New("it is already being recorded")
	case !r.data:
		return false, ErrNothingYet
	}
	whole = r.kept != nil && r.kept.Stats().Trouble == nil && !framescope.IsName(target.Path)
	t, err := newTape(r, target, whole)
	if err != nil {
		return false, err
	}
	r.tape, r.restate = t, r.restate || !whole
	return whole, nil
}

// Stop ends the recording that the user wanted, and brings the file into its official format in the
// background. The session goes on.
func (r *Recorder) Stop() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.tape != nil {
		r.tape.close("the recording was stopped")
	}
}

// Close ends the session. It does not wait: data is written in the background.
func (r *Recorder) Close(reason string) {
	r.mu.Lock()
	if r.closed {
		r.mu.Unlock()
		return
	}
	r.closed = true
	t := r.tape
	r.mu.Unlock()
	if r.kept != nil {
		r.kept.Close(reason)
	}
	if t != nil {
		t.close(reason)
	}
	go func() {
		if r.kept != nil {
			<-r.kept.Done()
		}
		if t != nil {
			<-t.done
		}
		r.account(t)
		close(r.ended)
		r.lib.mu.Lock()
		delete(r.lib.recorders, r)
		r.lib.revision++
		r.lib.mu.Unlock()
	}()
}

// account takes note of a session that has ended and is whole nowhere: neither did the library get all
// of it, nor the file that the user wanted from its first data on, if there is one.
func (r *Recorder) account(t *tape) {
	kept, ok := r.Kept()
	if !ok || kept.Refused+kept.Deleted == 0 {
		return
	}
	if t != nil && r.target != nil {
		if s := t.state(); s.Err == nil && s.Refused+s.Deleted == 0 {
			return
		}
	}
	session := "the session " + title(&r.meta)
	if kept.Bytes == 0 {
		r.lib.lacks(session + ", of which no data are on disk")
		return
	}
	r.lib.lacks(fmt.Sprintf("%s, which lacks %s on disk: %s", session, amount(r.meta.Source, kept.Refused+kept.Deleted),
		Home(kept.Path)))
}

// wait waits until all of an ended session is on disk, but no longer than so long.
func (r *Recorder) wait(atMost time.Duration) {
	timer := time.NewTimer(max(atMost, 0))
	defer timer.Stop()
	select {
	case <-r.ended:
		return
	case <-timer.C:
	}
	r.mu.Lock()
	t := r.tape
	r.mu.Unlock()
	if t == nil {
		return
	}
	t.mu.Lock()
	converting := t.converting
	t.mu.Unlock()
	if converting {
		<-t.done
		return
	}
	select {
	case <-t.done:
	default:
		r.lib.fails(t.path, "%s is incomplete: the disk did not answer%s", Home(t.path), r.instead())
	}
}

// finalPatience is how long waitUntilFinal waits for a disk.
const finalPatience = 30 * time.Second

// waitUntilFinal waits, after the end of a session, until its data in the library is on disk and its state is
// final. It does not wait for a hanging disk.
func (r *Recorder) waitUntilFinal() {
	r.mu.Lock()
	closed := r.closed
	r.mu.Unlock()
	if !closed || r.kept == nil {
		return
	}
	timer := time.NewTimer(finalPatience)
	defer timer.Stop()
	select {
	case <-r.kept.Done():
	case <-timer.C:
	}
}

// instead names the place of a whole copy of a session with a failed recording.
func (r *Recorder) instead() string {
	if kept, ok := r.Kept(); ok && kept.Err == nil && kept.Refused+kept.Deleted == 0 && kept.Path != "" {
		return "; the session is whole in " + Home(kept.Path)
	}
	return ""
}

// Source is the kind of the session's data.
func (r *Recorder) Source() string { return r.meta.Source }

// Path returns the session's folder in the library, empty: none yet.
func (r *Recorder) Path() string {
	if r.kept == nil {
		return ""
	}
	return r.kept.Path()
}

// Keeps reports whether the library keeps the session.
func (r *Recorder) Keeps() bool { return r.kept != nil }

// Kept returns the state of the copy in the library; false: there is none.
func (r *Recorder) Kept() (s RecordingState, ok bool) {
	if r.kept == nil {
		return s, false
	}
	return stateOf(r.kept.Stats()), true
}

// Recording returns the state of the user's recording; false: there is none.
func (r *Recorder) Recording() (s RecordingState, ok bool) {
	r.mu.Lock()
	t := r.tape
	r.mu.Unlock()
	if t == nil {
		return s, false
	}
	return t.state(), true
}

// stateOf is the state of a journal.
func stateOf(s journal.Stats) RecordingState {
	out := RecordingState{Path: s.Path, Bytes: s.Bytes, Refused: s.Refused, Deleted: s.Deleted, Ended: s.Ended}
	if t := s.Trouble; t != nil {
		out.Err, out.Record, out.Since = t.Err, t.Record, time.Duration(t.AtNs)
		if out.Path == "" {
			out.Path = t.File
		}
	}
	return out
}

// keptChanged reports changes of the copy in the library to the user. It is called on a goroutine of
// the journal. It is silent at the end: problems were reported when they began.
func (r *Recorder) keptChanged(s journal.Stats) {
	r.deleted.Store(s.Deleted)
	r.lib.changed()
	if s.Ended {
		return
	}
	r.lib.reportState("The session "+title(&r.meta)+" is not kept on disk", title(&r.meta)+" is kept on disk again",
		r.meta.Source, stateOf(s))
}

// reportState reports that a recording stopped or resumed.
func (l *Library) reportState(bad, good, source string, s RecordingState) {
	if s.Err != nil {
		before := ""
		if s.Bytes > 0 && !errors.Is(s.Err, journal.ErrGone) {
			before = "; what came before is there, " + Bytes(s.Bytes)
		}
		l.report(true, "%s %s%s", bad, s.Problem(source), before)
		return
	}
	missing := ""
	if s.Deleted > 0 {
		missing = "; it lacks " + s.DeletedWords(source)
	}
	if s.Refused > 0 {
		missing += "; it lacks " + amount(source, s.Refused) + " that could not be written"
	}
	l.reportOver(bad, false, "%s: %s%s", good, Home(s.Path), missing)
}

// DeletedWords says how much of a recording another program has deleted; empty: nothing.
func (s *RecordingState) DeletedWords(source string) string {
	if s.Deleted == 0 {
		return ""
	}
	return amount(source, s.Deleted) + " that another program has deleted"
}

// Problem says since when a recording lacks something, why, and which file it is; empty: all is
// well.
func (s *RecordingState) Problem(source string) string {
	if s.Err == nil {
		return ""
	}
	path, err := s.Path, s.Err
	if p, ok := errors.AsType[*fs.PathError](err); ok {
		path, err = p.Path, p.Err
	}
	if errors.Is(err, journal.ErrGone) {
		return fmt.Sprintf("up to %s: %v: %s", s.place(source, s.Record), err, Home(path))
	}
	return fmt.Sprintf("since %s: %v: %s", s.place(source, s.Record+1), err, Home(path))
}

// place says where in a session a recording lacks something: at a frame or a sample, counted from
// 1, and a time. Pieces of data say nothing to anybody.
func (s *RecordingState) place(source string, record int64) string {
	at := fmt.Sprintf("%.1f s after the start", s.Since.Seconds())
	if !counted(source) {
		return at
	}
	return fmt.Sprintf("%s %s (%s)", unit(source, 1), Count(record), at)
}

// Brief says why nothing can be written, and since when, in a few words; empty: all is well.
func (s *RecordingState) Brief(source string) string {
	if s.Err == nil {
		return ""
	}
	err := s.Err
	if p, ok := errors.AsType[*fs.PathError](err); ok {
		err = p.Err
	}
	if errors.Is(err, journal.ErrGone) {
		return "deleted by another program"
	}
	return fmt.Sprintf("%v since %s %s", err, unit(source, 1), Count(s.Record+1))
}

// notRecorded is the beginning of the notice that a session is not recorded as the user wanted.
func notRecorded(m *journal.Meta) string { return title(m) + " is not recorded" }

// title names a session for people.
func title(m *journal.Meta) string {
	for _, s := range []string{m.Program, m.Peer, SourceName(m.Source)} {
		if s != "" {
			return format.ClipName(s)
		}
	}
	return "session"
}

// ErrNothingYet is returned by methods that need data, before any has come.
var ErrNothingYet = errors.New("no data has arrived yet")

// AwaitRoom implements journal.Patient: it waits for each place that the session is kept in, but
// not for a disk that takes nothing. One goroutine at a time may wait.
func (r *Recorder) AwaitRoom(stop <-chan struct{}, bytes int) {
	if r.kept != nil {
		r.keptPace.Await(stop, func() (bool, int64) { return r.kept.Room(bytes) })
	}
	r.mu.Lock()
	t := r.tape
	r.mu.Unlock()
	if t != nil && t.own != nil {
		t.pace.Await(stop, func() (bool, int64) { return t.own.Room(bytes) })
	}
}

var _ journal.Patient = (*Recorder)(nil)
