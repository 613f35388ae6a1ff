package pprof

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"

	"framescope/model"
	"framescope/net/feed"
	"framescope/net/trace"
)

// Rounds reads successive profiles of one program, each compressed with gzip by itself. They are one
// session, which is complete after each of them.
type Rounds struct{ Source }

var _ feed.Streamer = Rounds{}

// Kind is the source of these sessions in model.Info.
func (Rounds) Kind() string { return Kind }

// NewStream implements feed.Streamer. The sink must not drop batches.
func (src Rounds) NewStream(sink feed.Sink, o feed.StreamOptions) feed.Stream {
	in, out := io.Pipe()
	st := &stream{sink: sink, in: out, done: make(chan error, 1)}
	s := newSums(sink, src.Label, model.Info{Program: o.Program, Peer: o.Name})
	go func() {
		defer s.close()
		err := s.readAll(bufio.NewReader(in))
		in.CloseWithError(feed.ErrCancelled) // ends the writer if the reader ended first
		st.done <- err
	}()
	return st
}

// readAll reads profiles until there are no more.
func (s *sums) readAll(in *bufio.Reader) error {
	for {
		if _, err := in.Peek(1); errors.Is(err, io.EOF) {
			return nil
		}
		data, err := unpack(in, upTo(unpackedLimit(parsedLimit(s.sink))))
		if err != nil {
			trace.Lose(s.sink, model.LossTruncated, 1, fmt.Sprintf("profile %d can't be read, nor what comes after it: %v",
				s.n+1, err))
			return err
		}
		if err := s.addProfile(data); err != nil {
			return err
		}
		if err := s.publish(); err != nil {
			return err
		}
	}
}

// stream is profiles that come in pieces. Their reader waits for more, on a goroutine of its own.
type stream struct {
	sink feed.Sink
	in   *io.PipeWriter
	done chan error
}

// Write implements feed.Stream.
func (s *stream) Write(p []byte) (int, error) { return s.in.Write(p) }

// Idle implements feed.Stream: nothing that is decoded is held back.
func (s *stream) Idle() {}

// Close implements feed.Stream.
func (s *stream) Close(reason string) {
	s.in.Close()
	if err := <-s.done; err != nil && reason == "" && !errors.Is(err, feed.ErrCancelled) {
		reason = err.Error()
	}
	s.sink.Define(model.End{Reason: reason})
}

// Packed returns a profile as Rounds takes it: compressed by itself. An error names its real format.
func Packed(data []byte) ([]byte, error) {
	parts := [][]byte{data}
	packed := bytes.HasPrefix(data, []byte(gzipMagic))
	if packed {
		var err error
		if parts, _, err = unpackAll(bufio.NewReader(bytes.NewReader(data)), upTo(unpackedLimit(mostParsed()))); err != nil {
			return nil, fmt.Errorf("is an incomplete pprof profile: %w", err)
		}
	}
	plain := join(parts, nil)
	if _, bad, err := read(plain, mostParsed()); err != nil {
		return nil, err
	} else if bad.Count(trace.Cut) > 0 {
		return nil, errIncomplete
	}
	if packed && len(parts) == 1 {
		return data, nil
	}
	var out bytes.Buffer
	z := gzip.NewWriter(&out)
	z.Write(plain) //nolint:errcheck // into memory
	z.Close()      //nolint:errcheck // into memory
	return out.Bytes(), nil
}
