package feed

import (
	"bufio"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
)

// gunzip undoes gzip, member by member as several may follow each other, and its errors name the place
// and the reason. Zeros behind the last member are no damage: tapes and blocks are filled up so.
type gunzip struct {
	z    *gzip.Reader
	in   *bufio.Reader
	read *CountingReader // below in
}

// newGunzip returns a reader of the gzip data in in, which reads from read.
func newGunzip(in *bufio.Reader, read *CountingReader) (*gunzip, error) {
	z, err := gzip.NewReader(in)
	if err != nil {
		return nil, err
	}
	z.Multistream(false)
	return &gunzip{z, in, read}, nil
}

// at is how many bytes of the compressed data were read.
func (g *gunzip) at() int64 { return g.read.N - int64(g.in.Buffered()) }

// Read implements io.Reader.
func (g *gunzip) Read(p []byte) (n int, err error) {
	for n == 0 && err == nil && len(p) > 0 {
		switch n, err = g.z.Read(p); {
		case err == nil:
		case errors.Is(err, io.EOF):
			err = g.next()
		case errors.Is(err, io.ErrUnexpectedEOF):
			err = cutOff(g.at(), err)
		default:
			err = fmt.Errorf("the compressed data are damaged before byte %d: %w", g.at(), err)
		}
	}
	return n, err
}

// next goes to the next member; io.EOF means that there is none.
func (g *gunzip) next() error {
	at := g.at()
	for {
		b, err := g.in.ReadByte()
		switch {
		case err != nil:
			return err
		case b == 0:
			continue
		}
		if err := g.in.UnreadByte(); err != nil {
			return err
		}
		break
	}
	if magic, _ := g.in.Peek(2); !isGzip(magic) {
		return fmt.Errorf("other data follow the compressed data at byte %d and were left out", at)
	}
	if err := g.z.Reset(g.in); err != nil {
		return fmt.Errorf("the compressed data are damaged from byte %d on: %w", at, err)
	}
	g.z.Multistream(false)
	return nil
}
