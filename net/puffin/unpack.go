package puffin

import (
	"fmt"

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
	room []byte
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
	r := reader{b: b}
	size := int64(r.fixed32())
	if r.bad || size > maxUnpacked || size > lz4Most*int64(len(r.b)) {
		return nil, fmt.Errorf("LZ4: %d bytes cannot unpack to %d", len(b), size)
	}
	if int(size) >= len(u.room) { // of nothing, too: the library reads where nil points to
		u.room = make([]byte, size+size/4+1)
	}
	n, err := lz4.UncompressBlock(r.b, u.room[:size])
	if err == nil && int64(n) != size {
		err = fmt.Errorf("unpacked to %d bytes instead of %d", n, size)
	}
	if err != nil {
		return nil, fmt.Errorf("LZ4: %w", err)
	}
	return u.room[:n], nil
}

func (u *unpacker) zstd(b []byte) (out []byte, err error) {
	if u.z == nil {
		u.z, err = zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true),
			zstd.WithDecoderMaxMemory(maxUnpacked), zstd.WithDecoderMaxWindow(maxUnpacked))
	}
	if err == nil {
		out, err = u.z.DecodeAll(b, u.room[:0])
	}
	if err != nil {
		return nil, fmt.Errorf("zstd: %w", err)
	}
	u.room = out[:cap(out)]
	return out, nil
}
