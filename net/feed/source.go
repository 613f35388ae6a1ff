package feed

import (
	"bufio"
	"bytes"
	"cmp"
	"compress/zlib"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"

	"github.com/klauspost/compress/zstd"
)

// HeadSize is the most bytes of a file that Sniff gets; FarSize where they do not identify the format.
const HeadSize = 64 << 10

// Source is one kind of recording that Framescope opens. Each sub-package of net offers one; the
// list of them is the Registry.
type Source interface {
	// Name is a word for messages: "PStats session".
	Name() string
	// About describes the source for lists of formats.
	About() About
	// Sniff reports whether the source reads this file, by its content. head is the (uncompressed)
	// beginning of the file (see Whole and Patient); name is a hint only.
	Sniff(head []byte, name string) bool
	// OpenFile reads the whole file into the sink and ends with model.End. The data before an error
	// stay in the sink.
	OpenFile(ctx context.Context, path string, sink Sink) error
}

// Hinter is a source with advice about files that no source recognises.
type Hinter interface {
	Source
	// Hint returns advice for the user, where the file may be one for the source all the same; else it
	// is empty. head and name are as those of Sniff.
	Hint(head []byte, name string) string
}

// Registry is the list of sources, the first that recognises a file wins.
type Registry []Source

// ErrNotAFile is the error for a path to a FIFO, a device or the like: it can only be read as a
// stream.
var ErrNotAFile = errors.New("is not a file, but a FIFO, device or the like")

// Open recognises a file or folder and reads it. When there is an error, the sink may not have got
// a model.End.
func (r Registry) Open(ctx context.Context, path string, sink Sink) error {
	src, err := r.Recognise(path)
	if err != nil {
		return err
	}
	return src.OpenFile(ctx, path, sink)
}

// Recognise returns the source that reads a file or folder.
func (r Registry) Recognise(path string) (Source, error) {
	st, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if st.IsDir() {
		return r.recogniseFolder(path)
	}
	var damage error // behind the beginning
	src, head, err := r.find(path, func(size int) (begin []byte, err error) {
		begin, damage, err = beginOf(path, size)
		return begin, err
	})
	switch {
	case src != nil || err != nil:
		return src, err
	case len(head) > 0 && damage != nil:
		return nil, fmt.Errorf("%s: %w; the part before the damage is not a recording that Framescope knows", path, damage)
	}
	return nil, r.stranger(head, path, false)
}

// stranger is the error for unrecognised data: advice, or the list of sources, all or those that can
// be followed.
func (r Registry) stranger(head []byte, name string, streams bool) error {
	if len(head) == 0 {
		return fmt.Errorf("%s: the file is empty", name)
	}
	verb, list := "knows", "; it opens: "
	if streams {
		verb, list = "can follow", "; it follows: "
	}
	begin := fmt.Sprintf("%s: not a recording that Framescope %s (first bytes % x)", name, verb, head[:min(8, len(head))])
	if hint := foreignHint(head, name); hint != "" {
		return errors.New(begin + ": " + hint)
	}
	for _, s := range r {
		if h, ok := s.(Hinter); ok {
			if hint := h.Hint(head, name); hint != "" {
				return errors.New(begin + ": " + hint)
			}
		}
	}
	return errors.New(begin + list + r.names(streams))
}

func (r Registry) recogniseFolder(path string) (Source, error) {
	for _, s := range r {
		if f, ok := s.(FolderSource); ok && f.SniffFolder(path) {
			return s, nil
		}
	}
	hint := cmp.Or(foreignHint(nil, path+"/"), "name a file in it")
	return nil, fmt.Errorf("%s: is a folder, not a recording: %s", path, hint)
}

// first returns the first source that recognises a head, nil if none does.
func (r Registry) first(head []byte, name string) Source {
	for _, s := range r {
		if s.Sniff(head, name) {
			return s
		}
	}
	return nil
}

// SniffStream reports whether a source that can be followed recognises the beginning of a file.
func (r Registry) SniffStream(head []byte, name string) bool {
	_, ok := r.sniff(head, name).(Streamer)
	return ok
}

// names lists the sources for people, those that can be followed or all.
func (r Registry) names(streams bool) string {
	var names []string
	for _, s := range r {
		if _, ok := s.(Streamer); ok || !streams {
			names = append(names, s.Name())
		}
	}
	return strings.Join(names, ", ")
}

// beginOf returns the first bytes of a file, at most size, gzip, zlib and zstd undone, and why they are fewer than
// there should be.
func beginOf(path string, size int) (head []byte, damage, err error) {
	st, err := os.Stat(path)
	switch {
	case err != nil:
		return nil, nil, err
	case st.IsDir():
		return nil, nil, fmt.Errorf("%s: is a folder, not a recording", path)
	case st.Mode()&(fs.ModeNamedPipe|fs.ModeSocket|fs.ModeDevice) != 0: // opening it might wait for ever
		return nil, nil, fmt.Errorf("%s: %w", path, ErrNotAFile)
	case st.Size() == 0 && !strings.Contains(path, "/fd/") && (strings.HasPrefix(path, "/proc/") ||
		strings.HasPrefix(path, "/sys/")):
		return nil, nil, fmt.Errorf("%s: is a file of the system without a length: pipe it, as in `cat FILE | "+
			"framescope report -`", path)
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, nil, err
	}
	defer f.Close()
	r, err := Uncompressed(f)
	if err == nil {
		head, damage = readUpTo(r, size)
		err = damage
	}
	if len(head) == 0 && err != nil {
		return nil, nil, fmt.Errorf("%s: %w", path, err)
	}
	return head, damage, nil
}

// Uncompressed returns a reader of r's content with gzip or zlib undone, recognised by the first
// bytes.
func Uncompressed(r io.Reader) (io.Reader, error) {
	counted := &CountingReader{R: r}
	br := bufio.NewReaderSize(counted, 16<<10)
	magic, _ := br.Peek(4)
	switch {
	case isZstd(magic):
		return newZstd(br, counted)
	case isGzip(magic):
		return newGunzip(br, counted)
	case isZlib(magic):
		z, err := zlib.NewReader(br)
		return packed{Reader: z, in: br, read: counted}, err
	}
	return br, nil
}

func isGzip(head []byte) bool { return bytes.HasPrefix(head, []byte{0x1f, 0x8b}) }

func isZstd(head []byte) bool { return bytes.HasPrefix(head, []byte{0x28, 0xb5, 0x2f, 0xfd}) }

// zstdWindow bounds the memory that a file of Zstandard can request: a quarter of the limit, but
// enough for all usual files.
const (
	zstdWindow  = 64 << 20
	zstdParts   = 4
	leastWindow = 8 << 20
)

// newZstd reads Zstandard, in step with its reader, so that there is nothing to close.
func newZstd(in *bufio.Reader, read *CountingReader) (io.Reader, error) {
	window := max(Room(zstdWindow, zstdParts), leastWindow)
	z, err := zstd.NewReader(
		in, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(uint64(window)), zstd.WithDecoderLowmem(true),
	)
	return packed{Reader: z, in: in, read: read, window: window}, err
}

// packed reads a compressed file. Its errors name the place of a cut or damage, and explain a window
// too large for the memory.
type packed struct {
	io.Reader
	in     *bufio.Reader
	read   *CountingReader // below in
	window int64
	next   func() error // goes on behind the end of a part; nil: there is one part
}

// at is how many bytes of the compressed data were read.
func (p packed) at() int64 { return p.read.N - int64(p.in.Buffered()) }

func (p packed) Read(b []byte) (int, error) {
	n, err := p.Reader.Read(b)
	if err != nil && !errors.Is(err, io.EOF) { // Zstandard holds back what it unpacked before a bad checksum
		var more int
		more, err = p.Reader.Read(b[n:])
		n += more
	}
	switch {
	case errors.Is(err, io.EOF) && p.next != nil && n > 0: // a reader may drop the error beside bytes
		err = nil
	case errors.Is(err, io.EOF) && p.next != nil:
		err = p.next()
	case err == nil, errors.Is(err, io.EOF):
	case errors.Is(err, zstd.ErrWindowSizeExceeded):
		err = fmt.Errorf("unpacking it needs more than %d MiB of memory: %w", p.window>>20, err)
	case errors.Is(err, io.ErrUnexpectedEOF):
		err = fmt.Errorf("the compressed data are cut off at byte %d: %w", p.at(), err)
	default:
		err = fmt.Errorf("the compressed data are damaged before byte %d: %w", p.at(), err)
	}
	return n, err
}

func isZlib(head []byte) bool {
	return len(head) >= 2 && head[0] == 0x78 && (uint(head[0])<<8|uint(head[1]))%31 == 0
}
