package library

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"

	"framescope/net/flare"
	"framescope/net/framescope"
	"framescope/net/journal"
)

// tape is the user's recording of a session: a file, or for Flare a folder. While the session goes on, a journal has
// its data: one at its place, or the library's if the recording began later. From that the file of the official
// format is made at the end.
type tape struct {
	rec    *Recorder
	path   string // of the file or folder
	folder bool
	own    *journal.Writer // nil: the library keeps the data
	done   chan struct{}   // closed when all is on disk, and of its official format
	pace   journal.Pace    // of the waiters for it

	mu         sync.Mutex
	closing    bool
	converting bool
	failed     error // why it is not of its official format
	finished   bool
}

// newTape begins a recording under the next free name of a target, from the data in the library or in a journal of its
// own. That goes on trying where the file cannot be made now.
func newTape(rec *Recorder, target *Target, inLibrary bool) (*tape, error) {
	t := &tape{rec: rec, done: make(chan struct{}), folder: rec.meta.Source == sourceFlare &&
		!framescope.IsName(target.Path)}
	path, evaded, err := target.Claim(t.folder)
	if t.path = path; err != nil && inLibrary {
		return nil, err
	}
	if !inLibrary {
		t.own = t.newJournal(err == nil)
	}
	why := ""
	if evaded && path != target.Path {
		why = ", because " + filepath.Base(target.Path) + " is there already"
	}
	if err == nil {
		rec.lib.reportFew("", "Recording to %s%s", Home(path), why)
	}
	return t, nil
}

// newJournal makes the journal at the place of the recording; claimed reports that an empty file is there.
func (t *tape) newJournal(claimed bool) *journal.Writer {
	r, path := t.rec, t.path
	if t.folder {
		path = filepath.Join(path, "recording"+framescope.Extension)
		if f, err := os.CreateTemp(t.path, "recording-*"+framescope.Extension); err == nil {
			path = f.Name()
			f.Close()
		} else {
			claimed = false
		}
	}
	return journal.CreateFile(path, r.meta, journal.Options{Claimed: claimed, Changed: func(s journal.Stats) {
		r.lib.changed()
		if s.Trouble != nil || !s.Ended {
			r.lib.reportState(notRecorded(&r.meta), title(&r.meta)+" is recorded again", r.meta.Source, stateOf(s))
		}
	}})
}

// source is the journal with the data of the recording.
func (t *tape) source() *journal.Writer {
	if t.own != nil {
		return t.own
	}
	return t.rec.kept
}

func (t *tape) state() RecordingState {
	s := stateOf(t.source().Stats())
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.failed != nil {
		s.Err = t.failed
	}
	s.Path, s.Ended = t.path, t.finished
	return s
}

// closed reports whether the tape takes nothing more.
func (t *tape) closed() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.closing
}

// close ends the tape. It does not wait.
func (t *tape) close(reason string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if !t.closing {
		t.closing = true
		go t.end(reason)
	}
}

// end brings the recording to its end.
func (t *tape) end(reason string) {
	defer close(t.done)
	lib := t.rec.lib
	err := t.finish(reason)
	t.mu.Lock()
	t.failed, t.finished = err, true
	t.mu.Unlock()
	lib.changed()
	if err != nil {
		t.rec.waitUntilFinal()
		lib.fails(t.path, "%s%s", err, t.rec.instead())
		return
	}
	lib.reportFew(notRecorded(&t.rec.meta), "Recorded to %s", Home(t.path))
	if t.rec.target != nil {
		if removed := t.rec.target.ended(t.path); removed != "" {
			lib.reportFew("", "Removed %s, the oldest of more than %d recordings of a few frames", Home(removed), mostShort)
		}
	}
}

// finish makes the file of the official format, and returns why it is not as it should be.
func (t *tape) finish(reason string) error {
	var failed error
	if t.own != nil {
		t.own.Close(reason)
		<-t.own.Done()
	} else {
		failed = t.rec.kept.Flush()
	}
	st := t.source().Stats()
	if st.Path == "" {
		if st.Trouble != nil {
			failed = st.Trouble.Err
		}
		return fmt.Errorf("Nothing was recorded to %s: %w", Home(t.path), failed)
	}
	t.mu.Lock()
	t.converting = true
	t.mu.Unlock()
	if err := t.convert(st.Path); err != nil {
		return fmt.Errorf("%s could not be completed and stays a journal, which Framescope opens: %w. When there is "+
			"room, run: "+
			"framescope sessions export %s NEW-FILE", Home(t.path), err, st.Path)
	}
	state := stateOf(st)
	switch {
	case failed != nil:
		return fmt.Errorf("%s is incomplete: %w", Home(t.path), failed)
	case st.Deleted > 0:
		return fmt.Errorf("%s lacks %s", Home(t.path), state.DeletedWords(t.rec.meta.Source))
	case st.Refused > 0:
		return fmt.Errorf("%s lacks %s that could not be written", Home(t.path), amount(t.rec.meta.Source, st.Refused))
	}
	return nil
}

// convert makes the recording of a journal, unless it is to stay one.
func (t *tape) convert(from string) error {
	ctx := t.rec.lib.ctx
	switch {
	case framescope.IsName(t.path):
		return nil
	case !t.folder:
		return convert(ctx, t.rec.meta.Source, from, t.path)
	}
	rd, err := journal.Open(from)
	if err != nil {
		return err
	}
	defer rd.Close()
	if _, err = flare.ExportJournal(ctx, rd, t.path); err == nil && t.own != nil {
		err = os.Remove(from)
	}
	return errors.Join(err, rd.Unread())
}
