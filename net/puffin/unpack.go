package puffin

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"github.com/klauspost/compress/zstd"
	"github.com/pierrec/lz4/v4"
)

// How the scopes of a record are packed.
const (
	packedNot  = 0
	packedLZ4  = 1
	packedZstd = 2
)

// lz4Most is how many bytes each packed byte of LZ4 can become.
const lz4Most = 255

// unpacker unpacks records, one after the other, into the same memory.
type unpacker struct {
	out  bytes.Buffer
	room []byte
	src  bytes.Reader
	z    *zstd.Decoder
}

// unpack returns the content of packed bytes, valid until the next call.
func (u *unpacker) unpack(packing byte, b []byte) ([]byte, error) {
	switch packing {
	case packedNot:
		return b, nil
	case packedLZ4:
		return u.lz4(b)
	case packedZstd:
		return u.zstd(b)
	}
	return nil, fmt.Errorf("it is compressed in an unknown way (%d)", packing)
}

func (u *unpacker) lz4(b []byte) ([]byte, error) {
	if len(b) < 4 {
		return nil, errors.New("LZ4 without a size")
	}
	size, b := int64(binary.LittleEndian.Uint32(b)), b[4:]
	if size > maxUnpacked || size > lz4Most*int64(len(b)) {
		return nil, fmt.Errorf("LZ4: %d bytes cannot unpack to %d", len(b), size)
	}
	if int(size) >= len(u.room) { // of nothing, too: the library reads where nil points to
		u.room = make([]byte, size+size/4+1)
	}
	n, err := lz4.UncompressBlock(b, u.room[:size])
	switch {
	case err != nil:
		return nil, fmt.Errorf("LZ4: %w", err)
	case int64(n) != size:
		return nil, fmt.Errorf("LZ4: unpacked to %d bytes instead of %d", n, size)
	}
	return u.room[:n], nil
}

func (u *unpacker) zstd(b []byte) (out []byte, err error) {
	u.src.Reset(b)
	if u.z == nil {
		u.z, err = zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true),
			zstd.WithDecoderMaxWindow(maxUnpacked))
		if err != nil {
			return nil, fmt.Errorf("Zstandard: %w", err)
		}
	}
	u.out.Reset()
	if err := u.z.Reset(&u.src); err != nil {
		return nil, fmt.Errorf("Zstandard: %w", err)
	}
	n, err := io.Copy(&u.out, io.LimitReader(u.z, maxUnpacked+1))
	switch {
	case err != nil:
		return nil, fmt.Errorf("Zstandard: %w", err)
	case n > maxUnpacked:
		return nil, fmt.Errorf("Zstandard: unpacks to more than %d bytes", maxUnpacked)
	}
	return u.out.Bytes(), nil
}
