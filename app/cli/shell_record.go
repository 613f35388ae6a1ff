package cli

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/pflag"

	"framescope/app/launch"
	"framescope/app/library"
	"framescope/net/feed"
	"framescope/net/journal"
	"framescope/net/pstats/decode"
	"framescope/net/pstats/server"
)

// RecordTo is the flags --record and --force: the target of recordings of live sessions.
type RecordTo struct {
	Path  string
	Force bool
	// Inputs are the command's inputs, which no recording replaces.
	Inputs []string
}

// RecordHelp is the help on --record.
const RecordHelp = `--record FILE writes each live session to FILE as it arrives. The file can be opened, copied and
followed while it grows; when the session ends, it is complete and in its native format. Further
sessions go to FILE-2, FILE-3, …; of more than 1,000 tiny ones, the oldest are removed. An existing
file is replaced only with --force; without it, Framescope takes the next free name and prints it.
For Java samples, FILE is a folder. GStreamer traces and streams of profile_lib and puffin are
compressed if FILE ends in .zst; Framescope opens them as they are.`

// Flags adds the flags.
func (r *RecordTo) Flags(f *pflag.FlagSet) {
	f.StringVar(&r.Path, "record", "", "write each live session to FILE, FILE-2, … as it arrives")
	f.BoolVar(&r.Force, "force", false, "with --record: replace existing files")
}

// Check makes sure that something can be recorded, before anything begins.
func (r *RecordTo) Check() error {
	if r.Path == "" {
		if r.Force {
			return Usage(fmt.Errorf("--force needs --record"))
		}
		return nil
	}
	if err := r.Target().Check(); err != nil {
		return fmt.Errorf("--record: %w", err)
	}
	return nil
}

// Target is where to, nil if nothing is to be recorded.
func (r *RecordTo) Target() *library.Target {
	if r.Path == "" {
		return nil
	}
	return &library.Target{Path: r.Path, Force: r.Force, Inputs: r.Inputs}
}

// Recorded records the sessions of a command without a window.
type Recorded struct {
	lib    *library.Library
	target *library.Target
}

// Recorder makes it. As in the window every live session is kept on disk, unless the limit is 0, and
// also recorded as the user wants.
func (s *Streams) Recorder(r RecordTo) *Recorded {
	lib := s.Library()
	s.ReportInterrupted(lib, lib.Sessions())
	return &Recorded{lib: lib, target: r.Target()}
}

// RecorderOnly is Recorder for commands with a recording of their own: it keeps only the user's
// recording.
func (s *Streams) RecorderOnly(r RecordTo) *Recorded {
	if r.Path == "" {
		return &Recorded{}
	}
	return &Recorded{lib: library.Open(library.Options{Report: s.Notice()}), target: r.Target()}
}

// recordPatience is how long the end of a command waits for a disk.
const recordPatience = time.Minute

// Close completes the recordings, and returns an error that names the failed ones.
func (r *Recorded) Close() error {
	if r.lib == nil {
		return nil
	}
	return r.lib.Close(recordPatience)
}

// Ending closes it at the end of a command, and adds its error to the command's.
func (r *Recorded) Ending(err *error) { *err = errors.Join(*err, r.Close()) }

// Session returns the recorder of a client of the server, nil without one.
func (r *Recorded) Session(info server.SessionInfo) *library.Recorder {
	if r.lib == nil {
		return nil
	}
	return r.lib.Record(decode.Meta(info.Hello, info.Peer.String()), r.target)
}

// Input makes an input record its data.
func (r *Recorded) Input(in launch.Input) launch.Input {
	if r.lib == nil {
		return in
	}
	return recordedInput{in, r}
}

type recordedInput struct {
	launch.Input
	to *Recorded
}

// Run implements launch.Input.
func (in recordedInput) Run(ctx context.Context, open launch.Opener) error {
	return in.Input.Run(ctx, func(r *launch.Recording) feed.Sink {
		r.NewTape = in.to.tape
		return open(r)
	})
}

func (r *Recorded) tape(m journal.Meta) journal.Tape {
	return r.lib.Record(m, r.target)
}
