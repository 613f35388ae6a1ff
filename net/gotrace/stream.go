package gotrace

import (
	"errors"
	"io"
	"sync/atomic"
	"time"

	"framescope/model"
	"framescope/net/feed"
)

// stream is traces that come in pieces. Their reader waits for more, on a goroutine of its own, and
// alone writes to the sink until it is done.
type stream struct {
	sink  feed.Sink
	in    *io.PipeWriter // nil: a trace has ended, and the next has not begun
	pipes chan piped
	done  chan error

	idle    int          // how often nothing came since something did
	version atomic.Int64 // of the format of a trace with only complete generations so far, else 0
	goesOn  int64        // that of the trace that was ended because nothing came any more, else 0
}

// piped is a trace that comes in pieces. It may go on where the one before was ended.
type piped struct {
	*io.PipeReader
	goesOn bool
}

// Parted is a stream of traces that takes the end of each before the next begins.
type Parted interface{ EndTrace() }

// NewStream implements feed.Streamer. What came is shown a generation of the trace at a time, about a
// second.
func (s Source) NewStream(sink feed.Sink, o feed.StreamOptions) feed.Stream {
	st := &stream{sink: sink, pipes: make(chan piped), done: make(chan error, 1)}
	program := o.Program
	if program == "" {
		program = programOf(o.Name)
	}
	go func() {
		d := newDecoder(sink, s.Options, model.Info{Program: program, Peer: o.Name})
		defer d.room.Close()
		d.waits = func(version int) { st.version.Store(int64(version)) }
		begun := time.Now()
		d.live, d.arrived = true, func() int64 { return int64(time.Since(begun)) }
		var failed error
		for r := range st.pipes {
			if d.goes = r.goesOn; failed == nil || d.read > 0 && !d.canceled {
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
	s.idle = 0
	if s.in == nil {
		goesOn := s.goesOn > 0 && p[0] != headMark[0]
		r, w := io.Pipe()
		s.in = w
		s.version.Store(0)
		s.pipes <- piped{r, goesOn}
		if goesOn {
			if _, err := s.in.Write(header(s.goesOn)); err != nil {
				return 0, err
			}
		}
		s.goesOn = 0
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

// idleEnds is after how many calls of Idle without anything in between a trace has ended: some seconds.
// While it goes on, a generation is written about every second.
const idleEnds = 60

// Idle implements feed.Stream. Of forms in which nothing says where a generation ends but the begin of the
// next, the last is shown when nothing has come for a while. What comes later goes on behind it.
func (s *stream) Idle() {
	if s.idle++; s.idle < idleEnds || s.in == nil {
		return
	}
	if v := s.version.Load(); v != 0 {
		s.EndTrace()
		s.goesOn = v
	}
}

// Close implements feed.Stream.
func (s *stream) Close(reason string) {
	s.EndTrace()
	close(s.pipes)
	if err := <-s.done; err != nil && reason == "" && !errors.Is(err, feed.ErrCancelled) {
		reason = err.Error()
	}
	s.sink.Define(model.End{Reason: reason})
}
