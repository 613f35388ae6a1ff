package launch

import (
	"context"
	"errors"
	"fmt"

	"framescope/charts/format"
	"framescope/net/feed"
	"framescope/net/follow"
	"framescope/net/journal"
)

// recorder turns a follower's bytes into recordings, one after the other. Its methods belong to the
// goroutine that follows.
type recorder struct {
	ctx     context.Context
	stop    context.CancelFunc // of the follower
	open    Opener
	name    string
	program string        // see feed.StreamOptions
	ending  func() string // why the program ended, not nil with program
	path    string
	wait    bool
	guest   bool   // see Recording.Guest
	advice  string // see Recording.Advice
	// fail ends the following with an error, when no more bytes come for Write to return it; nil: the
	// error waits for the next bytes.
	fail func(error)
	// source decodes the stream; nil: a source of the registry does, the one that recognises it.
	source feed.Streamer
	reg    feed.Registry
	// spools lets a recording that cannot be decoded as a stream be read from a copy when it is whole.
	spools bool
	// drains goes on reading when the recording was closed or is unreadable: otherwise the writer would
	// block.
	drains bool

	rec    *Recording
	sink   feed.Sink
	stream feed.Stream
	whole  *Spool // the copy
	// wholeWhat names the original of the copy, for people.
	wholeWhat string
	tape      journal.ByteTape
	early     []byte // bytes that came before their kind was known
	// deleted is the number of the tape's records that another program has deleted.
	deleted int64
	n       int   // recordings so far
	bytes   int64 // that came so far
	over    bool  // the recording was closed, and data is ignored until the next begins
	state   follow.State
	why     string
}

// begin begins a recording.
func (r *recorder) begin() {
	r.n++
	r.rec = &Recording{Name: numbered(r.name, r.n), Path: r.path, Wait: r.wait, Guest: r.guest, Advice: r.advice,
		stop: r.stop, state: r.state, why: r.why}
	r.sink = r.open(r.rec)
	o := feed.StreamOptions{Name: r.rec.Name, Program: r.program}
	if r.source != nil {
		r.stream = r.source.NewStream(r.sink, o)
	} else {
		r.stream = r.reg.NewStream(r.sink, o)
	}
}

// Write implements follow.Writer.
func (r *recorder) Write(p []byte) (int, error) {
	r.bytes += int64(len(p))
	if r.over {
		return len(p), nil
	}
	if r.rec == nil {
		r.begin()
	}
	r.tapeBytes(p)
	if r.whole != nil {
		n, err := r.whole.Write(p)
		r.showSizeSoFar()
		return n, err
	}
	_, err := r.stream.Write(p)
	r.tapeBytes(nil)
	return len(p), r.refused(err)
}

// refused handles a stream that takes nothing more. It returns the error that ends the following, if it
// does.
func (r *recorder) refused(err error) error {
	if err == nil {
		return nil
	}
	if must, ok := errors.AsType[*feed.NotStreamedError](err); ok {
		if rec, ok := r.stream.(*feed.Recogniser); ok && r.spools {
			if r.whole, err = NewSpool(r.reg, r.name); err == nil {
				_, err = r.whole.Write(rec.Head())
			}
			r.wholeWhat = "what is compressed"
			if must.Source != nil {
				r.wholeWhat = "a " + must.Source.Name()
			}
			r.showSizeSoFar()
			return err
		}
		err = fmt.Errorf("%w: open it without --follow", must)
	}
	if r.drains {
		r.end("", err)
		r.over = true
		return nil
	}
	return err
}

// showSizeSoFar says why nothing is to be seen of a recording that is read when it is whole.
func (r *recorder) showSizeSoFar() {
	if r.whole == nil {
		return
	}
	size := format.AppendBytes(nil, r.whole.size)
	words := fmt.Sprintf("%s is read at its end; %s so far", r.wholeWhat, size)
	r.rec.mu.Lock()
	r.rec.atEnd = words
	r.rec.mu.Unlock()
	r.rec.setState(follow.Following, words)
}

// Idle implements follow.Writer.
func (r *recorder) Idle() {
	if r.stream == nil || r.whole != nil {
		return
	}
	r.stream.Idle()
	if rec, ok := r.stream.(*feed.Recogniser); ok && rec.Err() != nil {
		if err := r.refused(rec.Err()); err != nil && r.fail != nil {
			r.fail(err)
		}
		return
	}
	r.tapeBytes(nil)
}

// Restart implements follow.Writer.
func (r *recorder) Restart(reason string) {
	if r.ending != nil {
		reason = r.ending() // it ended, or closed its trace: the FIFO is internal
	}
	r.finish(reason)
	r.over = false
}

// finish ends a complete recording, if there is one. It returns the error of an unrecognised one.
func (r *recorder) finish(reason string) error {
	if rec, ok := r.stream.(*feed.Recogniser); ok && r.whole == nil {
		if err := r.refused(rec.Finish()); err != nil {
			r.end(reason, err)
			return err
		}
		r.tapeBytes(nil)
	}
	return r.end(reason, nil)
}

// end ends the recording, if there is one, with the error that ended it or the reason.
func (r *recorder) end(reason string, err error) error {
	if r.rec == nil {
		return nil
	}
	failed := ended(r.ctx, err)
	switch {
	case r.whole != nil:
		if failed == nil && err == nil {
			if f, ok := r.sink.(interface{ WaitForRoom() }); ok { // whoever wrote it has done so
				f.WaitForRoom()
			}
			failed = ended(r.ctx, r.whole.readWhole(r.ctx, r.sink))
		}
		r.rec.keepWhole(r.whole)
	case failed != nil:
		r.stream.Close(failed.Error())
	default:
		r.stream.Close(reason)
		if s, ok := r.stream.(interface{ Err() error }); ok { // only the end shows that nothing is recognised
			failed = ended(context.WithoutCancel(r.ctx), s.Err())
		}
		r.tapeBytes(nil) // so short that only its end revealed its kind
	}
	r.rec.end(failed, reason)
	r.rec, r.sink, r.stream, r.whole, r.tape, r.early, r.deleted = nil, nil, nil, nil, journal.ByteTape{}, nil, 0
	return failed
}

// noteState notes the follower's state.
func (r *recorder) noteState(s follow.State, why string) {
	if s == follow.Ended {
		return // the recording's own end says more
	}
	r.state, r.why = s, why
	if r.rec != nil {
		r.rec.setState(s, why)
	}
}

// onAccepted returns a function, for any goroutine, to call when the polled program has accepted a
// connection: it sets the state to waiting for the first answer, or to doing.
func (r *recorder) onAccepted(doing string) func() {
	rec, state := r.rec, follow.Following
	if r.bytes == 0 {
		state, doing = follow.Waiting, pollAsked
	}
	return func() {
		if rec != nil && doing != "" {
			rec.setState(state, doing)
		}
	}
}

// followed ends the recording after the following has ended with an error, and returns the result of
// Run.
func (r *recorder) followed(err error) error {
	if err != nil {
		reason := ""
		if ended(r.ctx, err) == nil {
			reason = "closed"
		}
		r.end(reason, err)
		return ended(r.ctx, err)
	}
	reason := ""
	if r.ending != nil && r.rec != nil {
		reason = r.ending()
	}
	return r.finish(reason)
}
