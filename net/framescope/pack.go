package framescope

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"math/bits"
	"slices"
	"unsafe"

	"github.com/klauspost/compress/huff0"
	"github.com/klauspost/compress/zstd"
)

// The columns of a chunk: the numbers of all its batches, one batch behind the other.
const (
	columnBegin = iota // of a span, less that of the span before it in its batch
	columnLength
	columnPath // less that before it in its batch
	columnLane
	columnFlags
	columnCollector // of a self time, less that before it in its batch
	columnNs
	columnStarts
	numColumns
)

// The ways in which a piece of bytes is packed.
const (
	packedNot = iota
	packedSame
	packedHuffman
	packedZstd
)

const (
	pieceBytes = 64 << 10 // of a plane that are packed at once
	zstdParts  = 6        // eighths of the other ways that Zstandard may take
	entryBytes = 16       // that a number of a column takes, with its share of a span or self time
)

var errTooMuch = errors.New("takes more than a record may take")

// packer packs chunks.
type packer struct {
	zstd   *zstd.Encoder
	huff   huff0.Scratch
	out    []byte
	plane  []byte
	packed []byte
}

func newPacker() packer {
	z, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1), zstd.WithEncoderLevel(zstd.SpeedFastest),
		zstd.WithEncoderCRC(false)) // records have one
	if err != nil {
		panic(err) // the options are constant
	}
	return packer{zstd: z, huff: huff0.Scratch{Reuse: huff0.ReusePolicyNone}}
}

// chunk returns the payload of a record with a chunk. It is valid until the next call.
func (p *packer) chunk(e *codec) []byte {
	p.out = append(p.out[:0], version)
	p.packed = p.zstd.EncodeAll(e.buf, p.packed[:0])
	p.write(p.packed)
	for k := range e.columns {
		packColumn(p, e.columns[k])
	}
	for k := range e.rows.columns {
		packColumn(p, e.rows.columns[k])
	}
	return p.out
}

// write writes bytes with their number before them.
func (p *packer) write(b []byte) {
	p.out = binary.AppendUvarint(p.out, uint64(len(b)))
	p.out = append(p.out, b...)
}

// packColumn writes how many numbers there are, and how many bytes the greatest has; then the lowest bytes of all
// numbers, the second ones, and so on.
func packColumn[T uint32 | uint64](p *packer, values []T) {
	p.out = binary.AppendUvarint(p.out, uint64(len(values)))
	if len(values) == 0 {
		return
	}
	used := T(0)
	for _, v := range values {
		used |= v
	}
	width := (bits.Len64(uint64(used)) + 7) / 8
	p.out = append(p.out, byte(width))
	p.plane = slices.Grow(p.plane[:0], len(values))[:len(values)]
	for k := range width {
		plane, shift := p.plane[:len(values)], 8*k
		for i, v := range values {
			plane[i] = byte(v >> (shift & 63))
		}
		for piece := range slices.Chunk(plane, pieceBytes) {
			p.piece(piece)
		}
	}
}

// piece writes bytes in the shortest way. Zstandard takes longer to unpack unless it finds long repeats, and so
// has to be much shorter.
func (p *packer) piece(b []byte) {
	if bytes.Count(b, b[:1]) == len(b) {
		p.out = append(p.out, packedSame, b[0])
		return
	}
	way, best := byte(packedNot), b
	if h, _, err := huff0.Compress4X(b, &p.huff); err == nil && len(h) < len(b) {
		way, best = packedHuffman, h
	}
	p.packed = p.zstd.EncodeAll(b, p.packed[:0])
	if len(p.packed) < len(best)*zstdParts/8 {
		way, best = packedZstd, p.packed
	}
	if p.out = append(p.out, way); way == packedNot {
		p.out = append(p.out, b...)
		return
	}
	p.write(best)
}

// unpacker unpacks a chunk, which its codec reads.
type unpacker struct {
	codec
	zstd  *zstd.Decoder
	huff  *huff0.Scratch
	room  int64 // bytes that the chunk may take yet
	plane [2][]byte
}

// items unpacks the items.
func (u *unpacker) items(to []byte) []byte {
	if v := u.byte(0); v != version && u.err == nil {
		u.fail(fmt.Errorf("is of version %d of the format, not %d: open the file with the build that wrote it, or "+
			"record anew", v, version))
	}
	b := u.take(u.read())
	if u.err != nil {
		return to[:0]
	}
	to, err := u.zstd.DecodeAll(b, to[:0])
	if err != nil {
		u.fail(err)
	}
	u.room -= int64(len(to))
	return to
}

// unpackColumn unpacks a column. One of zeros is as long as others, but has no width.
func unpackColumn[T uint32 | uint64](u *unpacker, to []T) []T {
	n := u.read()
	if n == 0 {
		return to[:0]
	}
	width := u.byte(0)
	cost := entryBytes + uint64(width)
	if uintptr(width) > unsafe.Sizeof(T(0)) || n > uint64(max(u.room, 0))/cost {
		u.fail(errTooMuch)
		return to[:0]
	}
	u.room -= int64(n * cost)
	to = slices.Grow(to[:0], int(n))[:n]
	clear(to)
	for k := 0; k < int(width); k += 2 {
		low, high := u.nextPlane(0, int(n)), []byte(nil)
		if k+1 < int(width) {
			high = u.nextPlane(1, int(n))
		}
		join(to, low, high, 8*k)
	}
	if u.err != nil {
		return to[:0]
	}
	return to
}

// nextPlane unpacks the next plane of so many bytes.
func (u *unpacker) nextPlane(k, n int) []byte {
	u.plane[k] = slices.Grow(u.plane[k][:0], n)[:n]
	u.fill(u.plane[k])
	return u.plane[k]
}

// join adds bytes to numbers, and where there are any the bytes above them.
func join[T uint32 | uint64](to []T, low, high []byte, shift int) {
	low = low[:len(to)]
	if high == nil {
		for i := range to {
			to[i] |= T(low[i]) << (shift & 63)
		}
		return
	}
	high = high[:len(to)]
	for i := range to {
		to[i] |= (T(low[i]) | T(high[i])<<8) << (shift & 63)
	}
}

// fill unpacks pieces until a plane is full.
func (u *unpacker) fill(plane []byte) {
	for piece := range slices.Chunk(plane, pieceBytes) {
		switch way := u.byte(0); way {
		case packedNot:
			copy(piece, u.take(uint64(len(piece))))
		case packedSame:
			same := u.byte(0)
			for i := range piece {
				piece[i] = same
			}
		case packedHuffman, packedZstd:
			u.unpack(piece, way)
		default:
			u.fail(fmt.Errorf("is packed in a way that is not known: %d", way))
		}
	}
}

// unpack unpacks a piece, which has to become as long as it says.
func (u *unpacker) unpack(piece []byte, way byte) {
	b := u.take(u.read())
	if u.err != nil {
		return
	}
	var got []byte
	var err error
	if way == packedZstd {
		got, err = u.zstd.DecodeAll(b, piece[:0:len(piece)])
	} else if u.huff, b, err = huff0.ReadTable(b, u.huff); err == nil {
		got, err = u.huff.Decoder().Decompress4X(piece[:0:len(piece)], b)
	}
	if copy(piece, got); len(got) != len(piece) {
		err = cmp.Or(err, errShort)
	}
	if err != nil {
		u.fail(err)
	}
}
