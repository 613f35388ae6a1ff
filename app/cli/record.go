package cli

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/pflag"

	"framescope/app"
	"framescope/app/launch"
	"framescope/app/library"
	"framescope/net/feed"
	"framescope/net/journal"
	"framescope/net/pstats"
	"framescope/net/pstats/records"
	"framescope/net/pstats/server"
)

// recordTo is what --record and --force say: where live sessions are recorded to.
type recordTo struct {
	path  string
	force bool
	// inputs are what the command reads, which no recording replaces.
	inputs []string
}

// recordHelp is what the help of a command says of --record.
const recordHelp = `With --record FILE a live session is written to FILE from its first data on. It can be opened, copied
and followed while it grows, and is complete, in its official format, when the session ends. Several
sessions get FILE, FILE-2, …; an existing file is never replaced without --force: the next free name
is taken, and told. Java samples go to folders in FILE. Traces of GStreamer and profile_lib streams are
compressed where FILE ends in .zst, and Framescope opens them as they are.`

// flags adds the flags.
func (r *recordTo) flags(f *pflag.FlagSet) {
	f.StringVar(&r.path, "record", "", "write live sessions to this file while they run: FILE, FILE-2, …, each from its first data on")
	f.BoolVar(&r.force, "force", false, "with --record: replace a file that is there already")
}

// check makes sure that something can be recorded, before anything begins.
func (r *recordTo) check() error {
	if r.path == "" {
		if r.force {
			return usageError{fmt.Errorf("--force is for --record")}
		}
		return nil
	}
	if err := r.target().Check(); err != nil {
		return fmt.Errorf("--record: %w", err)
	}
	return nil
}

// target is where to, nil if nothing is to be recorded.
func (r *recordTo) target() *library.Target {
	if r.path == "" {
		return nil
	}
	return &library.Target{Path: r.path, Force: r.force, Inputs: r.inputs}
}

// tell says in a window's options what is to be recorded.
func (r *recordTo) tell(o *app.Options) { o.Record, o.Force, o.RecordNot = r.path, r.force, r.inputs }

// recorded is what records the sessions of a command without a window.
type recorded struct {
	lib    *library.Library
	target *library.Target
}

// recorder makes it. As in the window every live session is kept on disk, unless the limit is 0,
// and besides it is recorded to what the user wants.
func (s *streams) recorder(r recordTo) (*recorded, error) {
	lib, err := s.library()
	if err != nil {
		return nil, err
	}
	return &recorded{lib: lib, target: r.target()}, nil
}

// recorderOnly is recorder for what leaves a recording of its own: nothing is kept besides what the
// user wants.
func (s *streams) recorderOnly(r recordTo) *recorded {
	if r.path == "" {
		return &recorded{}
	}
	return &recorded{library.Open(library.Options{Tell: s.notice()}), r.target()}
}

// recordPatience is how long the end of a command waits for a disk.
const recordPatience = time.Minute

// close brings what was recorded to its end, and returns which recordings are not as they should
// be.
func (r *recorded) close() error {
	if r.lib == nil {
		return nil
	}
	return r.lib.Close(recordPatience)
}

// ending closes it at the end of a command, and adds its error to the command's.
func (r *recorded) ending(err *error) { *err = errors.Join(*err, r.close()) }

// session returns what records a client of the server, nil if nothing does.
func (r *recorded) session(info server.SessionInfo) pstats.Handler {
	if r.lib == nil {
		return nil
	}
	return records.NewEncoder(r.lib.Record(records.Meta(info.Hello, info.Peer.String()), r.target))
}

// input makes an input record what it brings in.
func (r *recorded) input(in launch.Input) launch.Input {
	if r.lib == nil {
		return in
	}
	return recordedInput{in, r}
}

type recordedInput struct {
	launch.Input
	to *recorded
}

// Run implements launch.Input.
func (in recordedInput) Run(ctx context.Context, open launch.Opener) error {
	return in.Input.Run(ctx, func(r *launch.Recording) feed.Sink {
		r.NewTape = in.to.tape
		return open(r)
	})
}

func (r *recorded) tape(info launch.TapeInfo) journal.Tape {
	return r.lib.Record(info.Meta(), r.target)
}
