package feed

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"framescope/model"
)

// CountingReader counts the bytes that are read through it.
type CountingReader struct {
	R io.Reader
	N int64 // bytes read so far
}

// Read implements io.Reader.
func (c *CountingReader) Read(p []byte) (int, error) {
	n, err := c.R.Read(p)
	c.N += int64(n)
	return n, err
}

// ReadError says where a file could not be read any more, or not be uncompressed.
type ReadError struct {
	At  int64 // byte of the file on disk up to which it was read
	Err error
}

// Error implements error. It leaves out the place, which only some sources name.
func (e *ReadError) Error() string { return e.Err.Error() }

// Unwrap lets errors.Is and errors.As see the cause.
func (e *ReadError) Unwrap() error { return e.Err }

// partBytes is how much of a file is uncompressed at once.
const partBytes = 256 << 10

// ReadParts reads a file, gzip and zlib undone, and hands it to use part by part, up to its end,
// until use fails or ctx is done. A part is valid until use returns. done is how much of the file
// on disk was read, in bytes; it runs ahead of what is uncompressed. total is its size, 0 where it
// has none. An error is that of opening, of ctx, of use, or a *ReadError.
func ReadParts(ctx context.Context, path string, use func(part []byte, done, total int64) error) (total int64, err error) {
	f, err := os.Open(path)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	if st, err := f.Stat(); err == nil {
		total = st.Size()
	}
	counted := &CountingReader{R: f}
	r, err := Uncompressed(counted)
	if err != nil {
		return total, &ReadError{counted.N, err}
	}
	buf := make([]byte, partBytes)
	for {
		if err := ctx.Err(); err != nil {
			return total, err
		}
		n, err := r.Read(buf)
		if n > 0 {
			if err := use(buf[:n], counted.N, total); err != nil {
				return total, err
			}
		}
		switch {
		case errors.Is(err, io.EOF):
			return total, nil
		case err != nil:
			return total, &ReadError{counted.N, err}
		}
	}
}

// Until returns a sink that takes nothing more once ctx is done.
func Until(ctx context.Context, sink Sink) Sink { return &untilSink{sink, ctx} }

type untilSink struct {
	Sink
	ctx context.Context
}

func (s *untilSink) Publish(b *model.Batch) bool { return s.Sink.Publish(b) && s.ctx.Err() == nil }

// End ends a session that was read from a file, with err or without, and returns what became of it: nil,
// context.Canceled, or the error with the file's name.
func End(ctx context.Context, path string, sink Sink, err error) error {
	reason := "end of file"
	switch {
	case errors.Is(err, ErrCancelled), ctx.Err() != nil:
		reason, err = "loading was cancelled", context.Canceled
	case err != nil:
		err = fmt.Errorf("%s: %w", path, err)
		reason = err.Error()
	}
	sink.Define(model.End{Reason: reason})
	return err
}
