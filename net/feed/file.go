package feed

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

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

// Stem returns the name of a file without its folder and its endings: first that of compression, and
// then each of ends, in this order.
func Stem(path string, ends ...string) string {
	s := strings.TrimSuffix(strings.TrimSuffix(filepath.Base(path), ".gz"), ".zst")
	for _, end := range ends {
		s = strings.TrimSuffix(s, end)
	}
	return s
}

// ReadError says where a file could not be read any more, or not be uncompressed.
type ReadError struct {
	At  int64 // byte of the file on disk up to which it was read
	Err error
}

// Error implements error.
func (e *ReadError) Error() string { return fmt.Sprintf("%v (byte %d of the file)", e.Err, e.At) }

// Unwrap lets errors.Is and errors.As see the cause.
func (e *ReadError) Unwrap() error { return e.Err }

// partBytes is how much of a file is uncompressed at once.
const partBytes = 256 << 10

// parts reads a file that is open, uncompressed.
type parts struct {
	io.Reader
	ctx      context.Context
	f        *os.File
	counted  *CountingReader
	total    int64
	progress func(done, total int64)
}

// OpenParts opens a file, gzip, zlib and zstd undone, for a reader with a pace of its own. It calls
// progress, which may be nil, with the bytes of the file on disk read so far; see ReadParts. Errors of
// reading are those of ctx, io.EOF, or a *ReadError.
func OpenParts(ctx context.Context, path string, progress func(done, total int64)) (io.ReadCloser, error) {
	p, err := openParts(ctx, path, progress)
	if err != nil {
		return nil, err
	}
	return p, nil
}

func openParts(ctx context.Context, path string, progress func(done, total int64)) (*parts, error) {
	f, err := os.Open(path)
	if err != nil {
		return &parts{}, err
	}
	p := &parts{ctx: ctx, f: f, counted: &CountingReader{R: f}, progress: progress}
	if st, err := f.Stat(); err == nil {
		p.total = st.Size()
	}
	if p.Reader, err = Uncompressed(p.counted); err != nil {
		err = &ReadError{p.counted.N, err}
		f.Close()
	}
	return p, err
}

func (p *parts) Read(b []byte) (int, error) {
	if err := p.ctx.Err(); err != nil {
		return 0, err
	}
	n, err := p.Reader.Read(b)
	if err != nil && !errors.Is(err, io.EOF) {
		err = &ReadError{p.counted.N, err}
	}
	if p.progress != nil {
		p.progress(min(p.counted.N, p.total), p.total)
	}
	return n, err
}

func (p *parts) Close() error { return p.f.Close() }

// ReadParts reads a file, gzip and zlib undone, and hands it to use part by part, up to its end, until
// use fails or ctx is done. A part is valid until use returns. done counts the bytes of the file on
// disk read so far; it runs ahead of the uncompressed parts. total is its size, 0 where it has none.
// An error is that of opening, of ctx, of use, or a *ReadError.
func ReadParts(ctx context.Context, path string, use func(part []byte, done, total int64) error) (total int64, err error) {
	p, err := openParts(ctx, path, nil)
	if err != nil {
		return p.total, err
	}
	defer p.Close()
	buf := make([]byte, partBytes)
	for {
		n, err := p.Read(buf)
		if n > 0 {
			if err := use(buf[:n], p.counted.N, p.total); err != nil {
				return p.total, err
			}
		}
		switch {
		case errors.Is(err, io.EOF):
			return p.total, nil
		case err != nil:
			return p.total, err
		}
	}
}

// Until returns a sink that takes nothing more once ctx is done.
func Until(ctx context.Context, sink Sink) Sink { return &untilSink{sink, ctx} }

type untilSink struct {
	Sink
	ctx context.Context
}

// Unwrap returns the sink behind it.
func (s *untilSink) Unwrap() Sink { return s.Sink }

func (s *untilSink) Publish(b *model.Batch) bool { return s.Sink.Publish(b) && s.ctx.Err() == nil }

// End ends a session read from a file, with err or without, and returns nil, context.Canceled, or the
// error with the file's name.
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
