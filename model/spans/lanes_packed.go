package spans

import (
	"math/bits"
	"unsafe"

	"framescope/model/columns"
)

// A full chunk that is no longer the last of its lane is packed: the rows of a block take as many bits
// as its greatest begin, duration and path need, mostly 40 to 50 instead of 96. All rows of a block are
// of one length, so any of them is read by itself. Packed rows do not change; a rewind into them makes
// rows again.

// packed is a chunk in bits. It lies in one piece of memory outside the collected heap: the head and the
// base of each block, then the rows.
type packed struct {
	words []uint64
	heads *[chunkBlocks]head
	rows  *uint64 // the first eight bytes of them
}

const (
	chunkBlocks = chunkSpans / blockSpans

	// packedRoom is how far a read of eight bytes may reach beyond the last row.
	packedRoom = 16

	// packedStep is the unit of the sizes of packed chunks, in words: the pool has slabs for each
	// size.
	packedStep = chunkSpans / 16
)

// head is the layout of the rows of a block. From the lowest bit: where the first begins in bits, the
// lengths of begins, durations and paths in bits, whether there are flags, and the least path.
type head uint64

const (
	headAtBits  = 20
	headBegin   = headAtBits
	headDur     = headBegin + 6
	headPath    = headDur + 6
	headFlags   = headPath + 5
	headLeast   = headFlags + 1
	lengthMask  = 1<<6 - 1
	pathsMask   = 1<<5 - 1
	headAtMask  = 1<<headAtBits - 1
	mostAtOnce  = 57 // bits that a read at any bit has at least
	packedFlags = metaShift
)

// shape are the lengths of the parts of a block's rows in bits, and its least path.
type shape struct {
	at                      uint
	begin, dur, path, flags uint
	least                   uint32
}

// parts returns a shape in parts, which the compiler keeps in registers.
func (h head) parts() (at, begin, dur, path, flags uint, least uint32) {
	return uint(h & headAtMask), uint(h >> headBegin & lengthMask), uint(h >> headDur & lengthMask),
		uint(h >> headPath & pathsMask), uint(h>>headFlags&1) * packedFlags, uint32(h >> headLeast)
}

// flagged reports whether a row of the block has flags: only then it may be in a side table.
func (h head) flagged() bool { return h>>headFlags&1 != 0 }

func (s *shape) head() head {
	return head(s.at) | head(s.begin)<<headBegin | head(s.dur)<<headDur | head(s.path)<<headPath |
		head(s.flags/packedFlags)<<headFlags | head(s.least)<<headLeast
}

func (s *shape) row() uint { return s.begin + s.dur + s.path + s.flags }

// shapeOf returns the shortest shape of the rows of a block; ok is false if they do not fit any.
func shapeOf(rows []lanesRow) (s shape, ok bool) {
	var begin, dur, flags uint32
	least, most := ^uint32(0), uint32(0)
	for i := range rows {
		r := &rows[i]
		begin, dur, flags = begin|r.begin, dur|r.dur, flags|r.meta
		least, most = min(least, r.meta), max(most, r.meta)
	}
	s.least = least >> metaShift
	s.begin, s.dur = uint(bits.Len32(begin)), uint(bits.Len32(dur))
	s.path = uint(bits.Len32(most>>metaShift - s.least))
	if flags&(1<<metaShift-1) != 0 {
		s.flags = packedFlags
	}
	return s, s.dur+s.path+s.flags <= mostAtOnce
}

// pack packs a full chunk into bits, and frees its rows. Chunks that do not fit stay as they are.
func (c *chunk) pack(acc *columns.Account) {
	if c.block == nil || len(c.rows) < chunkSpans {
		return
	}
	var heads [chunkBlocks]head
	at := uint(0)
	for k := range heads {
		s, ok := shapeOf(c.rows[k*blockSpans : (k+1)*blockSpans])
		if !ok {
			return
		}
		s.at = at
		heads[k] = s.head()
		at += s.row() * blockSpans
	}
	need := 2*chunkBlocks + int(at/8+packedRoom)/8 + 1
	need = (need + packedStep - 1) / packedStep * packedStep
	if int64(need)*8+columns.SizeOf[packed]() >= columns.SizeOf[block]() {
		return
	}
	words := columns.GetBlock[uint64](acc, need)[:need]
	p := packed{words: words, heads: (*[chunkBlocks]head)(unsafe.Pointer(&words[0]))}
	*p.heads = heads
	base := (*[chunkBlocks]int64)(unsafe.Pointer(&words[chunkBlocks]))
	copy(base[:], c.base)
	p.rows = &words[2*chunkBlocks]
	w := bitWriter{to: p.rows}
	for k := range heads {
		w.block((*[blockSpans]lanesRow)(c.rows[k*blockSpans:]), heads[k])
	}
	columns.PutBlock(acc, unsafe.Slice(c.block, 1))
	c.block, c.rows, c.base, c.packed = nil, nil, base[:], &p
	acc.Add(columns.SizeOf[packed]())
}

// unpack makes rows of a chunk in bits again.
func (c *chunk) unpack(acc *columns.Account) {
	b := &columns.GetBlock[block](acc, 1)[:1][0]
	copy(b.base[:], c.base)
	for k := range int64(chunkBlocks) {
		c.packed.unpackBlock(k, (*[blockSpans]lanesRow)(b.rows[k*blockSpans:]))
	}
	c.letGoPacked(acc)
	c.block, c.rows, c.base = b, b.rows[:], b.base[:]
}

func (c *chunk) letGoPacked(acc *columns.Account) {
	columns.PutBlock(acc, c.packed.words)
	acc.Add(-columns.SizeOf[packed]())
	c.packed = nil
}

// bitWriter writes rows in order, eight bytes at a time: the bytes behind a row are overwritten by the
// next.
type bitWriter struct {
	to    *uint64
	at    uint   // bits written
	carry uint64 // the last of them, from a border of bytes on
}

// block writes the rows of a block.
func (w *bitWriter) block(rows *[blockSpans]lanesRow, h head) {
	_, begin, dur, path, flags, least := h.parts()
	step, flagsMask := begin+dur+path+flags, uint32(1)<<(flags&31)-1
	to, at, carry := w.to, w.at, w.carry
	for i := range rows {
		r := &rows[i]
		rest := uint64(r.dur) | uint64(r.meta>>metaShift-least)<<(dur&63) | uint64(r.meta&flagsMask)<<((dur+path)&63)
		if step <= mostAtOnce {
			at, carry = putBits(to, at, carry, uint64(r.begin)|rest<<(begin&63), step)
			continue
		}
		at, carry = putBits(to, at, carry, uint64(r.begin), begin)
		at, carry = putBits(to, at, carry, rest, step-begin)
	}
	w.at, w.carry = at, carry
}

// putBits writes the n bits of v, mostAtOnce at most, behind those that are written.
func putBits(to *uint64, at uint, carry, v uint64, n uint) (nowAt uint, nowCarry uint64) {
	word := carry | v<<(at&7)
	*(*uint64)(unsafe.Add(unsafe.Pointer(to), at>>3)) = word
	nowAt = at + n
	return nowAt, word >> ((nowAt>>3 - at>>3) * 8) // all 64 may be gone
}

// at returns the k-th row.
func (p *packed) at(k int64) (r lanesRow) {
	at, begin, dur, path, flags, least := p.heads[k>>columns.BlockShift].parts()
	step := begin + dur + path + flags
	at += uint(k&blockMask) * step
	first := bitsAt(p.rows, at)
	rest := first >> (begin & 63)
	if step > mostAtOnce {
		rest = bitsAt(p.rows, at+begin)
	}
	meta := rest >> (dur & 63)
	return lanesRow{
		uint32(first & (1<<(begin&63) - 1)), uint32(rest & (1<<(dur&63) - 1)),
		(least+uint32(meta&(1<<(path&63)-1)))<<metaShift | uint32(meta>>(path&63)&(1<<(flags&63)-1)),
	}
}

// bitsAt returns the bits from one on, mostAtOnce at least. Where rows lie was reckoned when they were
// packed, with room behind the last one; the bytes of a word are in ascending order wherever this runs.
func bitsAt(rows *uint64, at uint) uint64 {
	return *(*uint64)(unsafe.Add(unsafe.Pointer(rows), at>>3)) >> (at & 7)
}

// unpackBlock writes the rows of the k-th block.
func (p *packed) unpackBlock(k int64, out *[blockSpans]lanesRow) {
	at, begin, dur, path, flags, least := p.heads[k].parts()
	step, rows := begin+dur+path+flags, p.rows
	beginMask, durMask := uint64(1)<<(begin&63)-1, uint64(1)<<(dur&63)-1
	pathMask, flagsMask := uint64(1)<<(path&63)-1, uint64(1)<<(flags&63)-1
	for i := range out {
		first := bitsAt(rows, at)
		rest := first >> (begin & 63)
		if step > mostAtOnce {
			rest = bitsAt(rows, at+begin)
		}
		at += step
		meta := rest >> (dur & 63)
		r := &out[i]
		r.begin, r.dur = uint32(first&beginMask), uint32(rest&durMask)
		r.meta = (least+uint32(meta&pathMask))<<metaShift | uint32(meta>>(path&63)&flagsMask)
	}
}

// firstBegin returns the first row of the k-th block that begins offset or more behind the base, the
// number of rows if there is none. No row of the block is in the wide table.
func (p *packed) firstBegin(k, offset int64) int64 {
	at, begin, dur, path, flags, _ := p.heads[k].parts()
	mask, step := uint64(1)<<(begin&63)-1, begin+dur+path+flags
	lo, hi := uint(0), uint(blockSpans)
	for lo < hi {
		mid := (lo + hi) / 2
		if int64(bitsAt(p.rows, at+mid*step)&mask) < offset {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return int64(lo)
}

// row returns the k-th row of a chunk.
func (c *chunk) row(k int64) lanesRow {
	if c.packed != nil {
		return c.packed.at(k)
	}
	return c.rows[k]
}

// len returns how many rows the chunk has.
func (c *chunk) len() int64 {
	if c.packed != nil {
		return chunkSpans
	}
	return int64(len(c.rows))
}

// blockRows are the rows of a block, unpacked if need be.
type blockRows [blockSpans]lanesRow

// rowsFrom returns the rows of the block of a chunk from the k-th row on, and the base to which they are
// relative. They are valid until the next call.
func (b *blockRows) rowsFrom(c *chunk, k int64) (rows []lanesRow, base int64) {
	at := k >> columns.BlockShift
	if c.packed == nil {
		return c.rows[k:min(k|blockMask+1, int64(len(c.rows)))], c.base[at]
	}
	c.packed.unpackBlock(at, (*[blockSpans]lanesRow)(b))
	return b[k&blockMask:], c.base[at]
}
