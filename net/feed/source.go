package feed

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"compress/zlib"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
)

// HeadSize is how many bytes of a file Sniff gets, at most.
const HeadSize = 64 << 10

// Source is one kind of recording that Framescope opens. Each sub-package of net offers one; the list of them is the Registry.
type Source interface {
	// Name is a word for messages: "PStats session".
	Name() string
	// Sniff tells by content whether the source reads this file. head is the (uncompressed) beginning of the file; name is a hint only.
	Sniff(head []byte, name string) bool
	// OpenFile reads the whole file into the sink and ends with model.End. What was read before an error stays in the sink.
	OpenFile(ctx context.Context, path string, sink Sink) error
}

// Registry is the list of sources, the first that recognises a file wins.
type Registry []Source

// Open recognises a file and reads it. The sink always gets a model.End, also after an error.
func (r Registry) Open(ctx context.Context, path string, sink Sink) error {
	src, err := r.Recognise(path)
	if err != nil {
		return err
	}
	return src.OpenFile(ctx, path, sink)
}

// Recognise returns the source that reads a file.
func (r Registry) Recognise(path string) (Source, error) {
	head, err := Head(path)
	if err != nil {
		return nil, err
	}
	for _, s := range r {
		if s.Sniff(head, path) {
			return s, nil
		}
	}
	if len(head) == 0 {
		return nil, fmt.Errorf("%s: the file is empty", path)
	}
	names := ""
	for i, s := range r {
		if i > 0 {
			names += ", "
		}
		names += s.Name()
	}
	return nil, fmt.Errorf("%s: not a recording that Framescope knows (first bytes % x); it opens: %s", path, head[:min(8, len(head))], names)
}

// Head returns the first bytes of a file, at most HeadSize, gzip and zlib undone.
func Head(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if st, err := f.Stat(); err == nil && st.IsDir() {
		return nil, fmt.Errorf("%s: is a folder, not a recording", path)
	}
	r, err := Uncompressed(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	head := make([]byte, HeadSize)
	n, err := io.ReadFull(r, head)
	if n == 0 && err != nil && !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return head[:n], nil
}

// Uncompressed returns a reader of r's content with gzip or zlib undone, recognised by the first bytes.
func Uncompressed(r io.Reader) (io.Reader, error) {
	br := bufio.NewReaderSize(r, 1<<16)
	magic, _ := br.Peek(2)
	switch {
	case bytes.Equal(magic, []byte{0x1f, 0x8b}):
		return gzip.NewReader(br)
	case len(magic) == 2 && magic[0] == 0x78 && (uint(magic[0])<<8|uint(magic[1]))%31 == 0:
		return zlib.NewReader(br)
	}
	return br, nil
}
