package gotrace

import (
	"errors"
	"io"

	"framescope/model"
	"framescope/net/feed"
)

// stream is a trace that comes in pieces. Its reader waits for more, on a goroutine of its own, and
// alone writes to the sink until it is done.
type stream struct {
	sink feed.Sink
	in   *io.PipeWriter
	done chan error
}

var _ feed.Stream = (*stream)(nil)

// NewStream implements feed.Streamer. What came is shown a generation of the trace at a time, about a
// second.
func (s Source) NewStream(sink feed.Sink, o feed.StreamOptions) feed.Stream {
	r, w := io.Pipe()
	st := &stream{sink: sink, in: w, done: make(chan error, 1)}
	program := o.Program
	if program == "" {
		program = programOf(o.Name)
	}
	go func() {
		d := newDecoder(sink, s.Options, model.Info{Program: program, Peer: o.Name})
		defer d.room.Close()
		d.live = true
		err := d.trace(r, 0)
		d.close()
		if !errors.Is(err, feed.ErrCancelled) {
			io.Copy(io.Discard, r) //nolint:errcheck // it ends with the stream
		}
		r.CloseWithError(feed.ErrCancelled)
		st.done <- err
	}()
	return st
}

// Write implements feed.Stream.
func (s *stream) Write(p []byte) (int, error) { return s.in.Write(p) }

// Idle implements feed.Stream: nothing that is decoded is held back.
func (s *stream) Idle() {}

// Close implements feed.Stream.
func (s *stream) Close(reason string) {
	s.in.Close()
	if err := <-s.done; err != nil && reason == "" {
		reason = err.Error()
	}
	s.sink.Define(model.End{Reason: reason})
}
