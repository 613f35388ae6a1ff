// Package launch reads recordings while they are being made: from files that grow, FIFOs, standard
// input, watched folders, sockets, and programs that it starts.
//
// An Input runs on its own goroutine. For each new recording it gets a sink from its Opener, which
// belongs to a viewer or a report, and decodes into that until the recording has ended.
package launch

import (
	"context"
	"errors"
	"os"
	"strconv"
	"sync"
	"time"

	"framescope/net/feed"
	"framescope/net/follow"
	"framescope/net/journal"
)

// Input is where recordings come from.
type Input interface {
	// Title names the input for people: a path, an address, a command line.
	Title() string
	// Run brings in recordings until there will be no more, or until ctx is done. Everything that it
	// started has ended when it returns. It returns nil when ctx was done, and when the last recording
	// was closed by the user.
	Run(ctx context.Context, open Opener) error
}

// Opener makes the sink of a recording that begins. Any goroutine may call it.
type Opener func(r *Recording) feed.Sink

// Recording is one recording that is being brought in. Its methods may be called by any goroutine.
type Recording struct {
	// Name is where it comes from, for people.
	Name string
	// Path is the followed file; empty: the recording cannot be read again.
	Path string
	// Wait reports that a later decoding loses nothing, see feed.Options.Wait.
	Wait bool
	// Guest reports that it comes from a program that connected by itself, see feed.Options.Guest.
	Guest bool
	// Advice is a possible reason when nothing comes, in words; empty: nothing special.
	Advice string
	// NewTape makes the recording's tape on disk. It is called when the first data have come and their
	// kind is known, on the goroutine that brings them in. The Opener sets it; nil: nothing is kept.
	NewTape func(journal.Meta) journal.Tape

	stop context.CancelFunc

	mu    sync.Mutex
	tape  journal.Tape
	whole *Spool // a copy of a recording that is readable only when whole
	atEnd string // says so, while it comes
	state follow.State
	why   string
	err   error
}

// State returns the state of the recording, and the reason in words, if any.
func (r *Recording) State() (s follow.State, why string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.state, r.why
}

func (r *Recording) setState(s follow.State, why string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.state != follow.Ended {
		r.state, r.why = s, why
	}
}

// AtEnd describes the progress of a recording that is readable only at its end: "a PStats session is
// read at its end; 860 KiB so far". It is empty for others, and after the end.
func (r *Recording) AtEnd() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.state == follow.Ended {
		return ""
	}
	return r.atEnd
}

// Problem returns why the recording could not be read to its end, nil if all is well.
func (r *Recording) Problem() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.err
}

func (r *Recording) fail(err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.err == nil {
		r.err = err
	}
}

// end ends the recording and its tape: for the error, which it returns, or the reason without one.
func (r *Recording) end(err error, reason string) error {
	if err != nil {
		r.fail(err)
		reason = feed.Plain(err).Error()
	}
	r.setState(follow.Ended, reason)
	if t := r.Tape(); t != nil {
		t.Close(reason)
	}
	return err
}

// Stop ends the bringing in of the recording. It does not wait for that.
func (r *Recording) Stop() {
	if r.stop != nil {
		r.stop()
	}
}

// closing is how long a program, a connection and the like get to end by themselves.
const closing = 5 * time.Second

// ended makes the errors of being called off no errors.
func ended(ctx context.Context, err error) error {
	if err == nil || ctx.Err() != nil || errors.Is(err, context.Canceled) || errors.Is(err, feed.ErrCancelled) {
		return nil
	}
	return feed.Plain(err)
}

// StandardInput is the name of standard input for people.
const StandardInput = "standard input"

// IsStream reports whether a path can only be read as a stream: standard input ("-"), a FIFO, a
// device.
func IsStream(path string) bool {
	if path == "-" {
		return true
	}
	st, err := os.Stat(path)
	return err == nil && st.Mode()&(os.ModeNamedPipe|os.ModeCharDevice) != 0
}

// numbered names the n-th recording of an input, counted from 1.
func numbered(name string, n int) string {
	if n <= 1 {
		return name
	}
	return name + " (" + strconv.Itoa(n) + ")"
}

// Awaiting describes the wait of an input that does not start with a recording, such as "new recordings
// in DIR"; empty for others.
func Awaiting(in Input) string {
	switch in := in.(type) {
	case *Listener:
		return in.source.Name() + "s on " + in.Addr()
	case *Port:
		if at := in.State().Addr; at != "" {
			return in.source.Name() + "s on " + at
		}
	case Folder:
		return "new recordings in " + in.Path
	}
	return ""
}
