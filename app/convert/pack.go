package convert

import (
	"compress/gzip"
	"io"
	"strings"

	"github.com/klauspost/compress/zstd"
)

// The ends of names of files that are compressed.
const (
	Gzipped = ".gz"
	Zstd    = ".zst"
)

// Pack calls write with a writer that compresses the file if its name says so, except for formats with
// their own compression.
func (f *Format) Pack(w io.Writer, path string, write func(w io.Writer) error) error {
	name := strings.ToLower(path)
	var packed io.WriteCloser
	switch {
	case strings.HasSuffix(name, f.Ext):
	case strings.HasSuffix(name, Gzipped):
		packed = gzip.NewWriter(w)
	case strings.HasSuffix(name, Zstd):
		z, err := zstd.NewWriter(w, zstd.WithEncoderConcurrency(1))
		if err != nil {
			return err
		}
		packed = z
	}
	if packed == nil {
		return write(w)
	}
	if err := write(packed); err != nil {
		packed.Close() // the incomplete file is removed
		return err
	}
	return packed.Close()
}
