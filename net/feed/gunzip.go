package feed

import (
	"bufio"
	"compress/gzip"
	"fmt"
	"io"
)

// newGunzip returns a reader of the gzip data in in, which reads from read: member by member, as several may follow
// each other, and zeros may stand between them.
func newGunzip(in *bufio.Reader, read *CountingReader) (io.Reader, error) {
	z, err := gzip.NewReader(in)
	if err != nil {
		return nil, err
	}
	z.Multistream(false)
	p := packed{Reader: z, in: in, read: read}
	p.next = func() error { return nextMember(z, in, p.at()) }
	return p, nil
}

// nextMember goes to the next member behind a byte; io.EOF means that there is none.
func nextMember(z *gzip.Reader, in *bufio.Reader, at int64) error {
	for zeros := 0; ; zeros++ {
		b, err := in.Peek(1)
		if err != nil && zeros == 0 {
			return err
		}
		if err != nil || b[0] != 0 {
			break
		}
		in.Discard(1)
	}
	if magic, _ := in.Peek(2); !isGzip(magic) {
		return fmt.Errorf("other data follow the compressed data at byte %d and were left out", at)
	}
	if err := z.Reset(in); err != nil {
		return fmt.Errorf("the compressed data are damaged from byte %d on: %w", at, err)
	}
	z.Multistream(false)
	return nil
}
