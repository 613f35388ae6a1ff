package feed

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
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

// OpenParts opens a file, gzip, zlib and zstd undone, for a reader with a pace of its own. It calls progress with the
// bytes of the file on disk read so far, which runs ahead of what is uncompressed, and its size, 0 where it has none.
// Errors of reading are those of ctx, io.EOF, or a *ReadError.
func OpenParts(ctx context.Context, path string, progress func(done, total int64)) (io.ReadCloser, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	p := &parts{ctx: ctx, f: f, counted: &CountingReader{R: f}, progress: progress}
	if st, err := f.Stat(); err == nil {
		p.total = st.Size()
	}
	if p.Reader, err = Uncompressed(p.counted); err != nil {
		f.Close()
		return nil, &ReadError{p.counted.N, err}
	}
	return p, nil
}

func (p *parts) Read(b []byte) (int, error) {
	if err := p.ctx.Err(); err != nil {
		return 0, err
	}
	n, err := p.Reader.Read(b)
	if err != nil && !errors.Is(err, io.EOF) {
		err = &ReadError{p.counted.N, err}
	}
	p.progress(min(p.counted.N, p.total), p.total)
	return n, err
}

func (p *parts) Close() error { return p.f.Close() }

// Copy writes a file, uncompressed, up to its end, until to fails or ctx is done. progress is as that of OpenParts. An
// error is that of opening, of ctx, of to, or a *ReadError.
func Copy(ctx context.Context, path string, progress func(done, total int64), to io.Writer) error {
	p, err := OpenParts(ctx, path, progress)
	if err != nil {
		return err
	}
	defer p.Close()
	_, err = io.CopyBuffer(to, p, make([]byte, partBytes))
	return err
}

// PartFunc is a function to which Copy writes.
type PartFunc func(part []byte) error

// Write implements io.Writer.
func (f PartFunc) Write(p []byte) (int, error) {
	if err := f(p); err != nil {
		return 0, err
	}
	return len(p), nil
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
		err = Plain(fmt.Errorf("%s: %w", path, err))
		reason = err.Error()
	}
	sink.Define(model.End{Reason: reason})
	return err
}

// libraryWords replaces words of the standard library's errors by words for users.
var libraryWords = strings.NewReplacer(
	"unexpected EOF", "the data end too early", "context deadline exceeded", "it took too long",
	"context canceled", "it was called off", "unexpected end of JSON input", "the JSON text ends too early",
)

// quoted are the names in an error, which come from a file and have any length; mostQuoted bytes are shown.
var quoted = regexp.MustCompile(`"(?:[^"\\]|\\.)*"`)

const mostQuoted = 160

// plainError is an error with other words.
type plainError struct {
	text string
	error
}

// Error implements error.
func (e plainError) Error() string { return e.text }

// Unwrap returns the error with its own words.
func (e plainError) Unwrap() error { return e.error }

// Plain returns an error, not nil, in words that say without knowledge of Go what went wrong. Errors go through it
// where they leave for the user.
func Plain(err error) error {
	text := PlainText(err.Error())
	if text == err.Error() {
		return err
	}
	return plainError{text, err}
}

// PlainText is Plain for the text of an error, or one that ends with it.
func PlainText(text string) string {
	text = quoted.ReplaceAllStringFunc(libraryWords.Replace(text), func(name string) string {
		if len(name) > mostQuoted {
			return strings.TrimRight(strings.ToValidUTF8(name[:mostQuoted], ""), `\"`) + `…"`
		}
		return name
	})
	if bare, ok := strings.CutSuffix(text, "EOF"); ok && (bare == "" || strings.HasSuffix(bare, ": ")) {
		return bare + "the data end there"
	}
	return text
}
