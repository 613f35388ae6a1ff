package gotrace

import (
	"cmp"
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

// Parted is a stream of traces that takes the end of each before the next begins.
type Parted interface{ EndTrace() }

// NewStream implements feed.Streamer. What came is shown a generation of the trace at a time, about a
// second.
func (s Source) NewStream(sink feed.Sink, o feed.StreamOptions) feed.Stream {
	st := &stream{sink: sink, pipes: make(chan *io.PipeReader), done: make(chan error, 1)}
	go func() {
		d := newDecoder(sink, s.Options, model.Info{Program: cmp.Or(o.Program, programOf(o.Name)), Peer: o.Name})
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
	if len(p) == 0 {
		return 0, nil
	}
	if s.in == nil {
		r, w := io.Pipe()
		s.in = w
		s.pipes <- r
	}
	return s.in.Write(p)
}

// EndTrace implements Parted: the bytes so far are a whole trace, and are shown.
func (s *stream) EndTrace() {
	if s.in != nil {
		s.in.Close()
		s.in = nil
	}
}

// Idle implements feed.Stream: what is decoded was shown when the reader began to wait. Of forms in which nothing says
// where a generation ends but the begin of the next (before Go 1.26), the last is shown at the end.
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
