package launch

import (
	"errors"

	"framescope/internal/aside"
	"framescope/model"
	"framescope/net/feed"
	"framescope/net/follow"
	"framescope/net/journal"
)

// Tape returns the recording's tape, nil without one or before the first data.
func (r *Recording) Tape() journal.Tape {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.tape
}

// beginTape begins to keep the recording, if the Opener wants that.
func (r *Recording) beginTape(m journal.Meta) journal.Tape {
	if r.NewTape == nil || r.Path != "" {
		return nil
	}
	t := r.NewTape(m)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.tape = t
	return t
}

// Save copies the file of a recording, byte for byte: a followed file, or the copy of a recording that
// is readable only at its end. ErrNoCopy means that there is none. The copy appears under its name when
// it is whole.
func (r *Recording) Save(path string) error {
	r.mu.Lock()
	from := r.Path
	if r.whole != nil {
		from = r.whole.Path()
	}
	r.mu.Unlock()
	if from == "" {
		return ErrNoCopy
	}
	return aside.Copy(from, path)
}

// ErrNoCopy is returned by Recording.Save for a stream: its tape has the data.
var ErrNoCopy = errors.New("this session has no file to copy")

// Forget removes the copy of a recording that was readable only when whole. The recording must have
// ended, or been stopped.
func (r *Recording) Forget() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.whole != nil && r.state == follow.Ended {
		r.whole.Remove()
		r.whole = nil
	}
}

// keepWhole keeps a copy, so that it can be saved, or removes it where the Opener keeps nothing.
func (r *Recording) keepWhole(s *Spool) {
	if r.NewTape == nil {
		s.Remove()
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.whole = s
}

// kinded is a source with the name of its data in model.Info.
type kinded interface{ Kind() string }

// kindOf returns the kind of data of a source, empty if its data cannot be kept as a stream.
func kindOf(s feed.Source) string {
	if k, ok := s.(kinded); ok {
		return k.Kind()
	}
	return ""
}

// tapeBytes keeps bytes that came. Bytes that come before their kind is known wait for that; no bytes:
// perhaps it is known now.
func (r *recorder) tapeBytes(p []byte) {
	if r.rec.NewTape == nil || r.path != "" || r.whole != nil {
		return
	}
	if r.tape.Tape == nil {
		r.early = append(r.early, p...)
		kind := kindOf(r.source)
		if rec, ok := r.stream.(*feed.Recogniser); ok {
			kind = kindOf(rec.Source())
		}
		if st, ok := r.stream.(interface{ Recognised() bool }); ok && !st.Recognised() { // it may be nonsense
			return
		}
		if kind == "" {
			if len(r.early) > maxEarly { // recognised, but nothing that is kept
				r.early = nil
			}
			return
		}
		t := r.rec.beginTape(journal.Meta{Source: kind, Program: r.program, Peer: r.rec.Name})
		if t == nil {
			return
		}
		r.tape = journal.ByteTape{Tape: t}
		p, r.early = r.early, nil
	}
	if d, ok := r.tape.Tape.(interface{ Deleted() int64 }); ok && d.Deleted() > r.deleted {
		r.sink.Define(model.Loss{Reason: model.LossDeleted, Track: model.NoTrack, N: d.Deleted() - r.deleted,
			Detail: "the recording up to here was deleted by another program: it goes on from here"})
		r.deleted = d.Deleted()
	}
	if len(p) > 0 {
		journal.AwaitRoom(r.tape.Tape, r.ctx.Done(), len(p)) // whoever sends waits: nothing is lost
	}
	if len(p) > 0 && !r.tape.Write(p) {
		r.sink.Define(model.Loss{Reason: model.LossNotRecorded, Track: model.NoTrack, N: 1})
	}
}

// maxEarly bounds the bytes that wait for their kind: more than a source needs for that.
const maxEarly = 2 * feed.FarSize
