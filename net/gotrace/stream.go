package gotrace

import (
	"errors"
	"io"
	"time"

	"framescope/model"
	"framescope/net/feed"
)

// stream is traces that come in pieces. Their reader waits for more, on a goroutine of its own, and
// alone writes to the sink until it is done.
type stream struct {
	sink  feed.Sink
	in    *io.PipeWriter // nil: a trace has ended, and the next has not begun
	pipes chan *io.PipeReader
	done  chan error
}

var _ feed.Stream = (*stream)(nil)

// Parted is a stream of traces one behind the other that can be told where each ends, before the next
// begins.
type Parted interface{ EndTrace() }

// NewStream implements feed.Streamer. What came is shown a generation of the trace at a time, about a
// second.
func (s Source) NewStream(sink feed.Sink, o feed.StreamOptions) feed.Stream {
	st := &stream{sink: sink, pipes: make(chan *io.PipeReader), done: make(chan error, 1)}
	program := o.Program
	if program == "" {
		program = programOf(o.Name)
	}
	go func() {
		d := newDecoder(sink, s.Options, model.Info{Program: program, Peer: o.Name})
		defer d.room.Close()
		begun := time.Now()
		d.live, d.arrived = true, func() int64 { return int64(time.Since(begun)) }
		var failed error
		for r := range st.pipes {
			if failed == nil || d.read > 0 && !d.canceled {
				failed = d.traces(r)
			}
			if d.canceled {
				r.CloseWithError(feed.ErrCancelled)
			}
			io.Copy(io.Discard, r) //nolint:errcheck // it ends with the stream
		}
		d.close()
		if d.read > 0 {
			failed = nil
		}
		st.done <- failed
	}()
	return st
}

// Write implements feed.Stream.
func (s *stream) Write(p []byte) (int, error) {
	if s.in == nil {
		var r *io.PipeReader
		r, s.in = io.Pipe()
		s.pipes <- r
	}
	return s.in.Write(p)
}

// EndTrace implements Parted: what came is all of a trace, and is shown.
func (s *stream) EndTrace() {
	if s.in != nil {
		s.in.Close()
		s.in = nil
	}
}

// Idle implements feed.Stream: nothing that is decoded is held back.
func (s *stream) Idle() {}

// Close implements feed.Stream.
func (s *stream) Close(reason string) {
	s.EndTrace()
	close(s.pipes)
	if err := <-s.done; err != nil && reason == "" && !errors.Is(err, feed.ErrCancelled) {
		reason = err.Error()
	}
	s.sink.Define(model.End{Reason: reason})
}
