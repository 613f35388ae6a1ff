// Package columns has the lists that the stores are made of. They grow at their end, are cut back
// there in a rewind, and lose their front when memory is short: columns and columns of near values,
// pyramids and shelves of derived data, lists by time in which late values are put in their place.
// An Account records their memory. They know positions, but not the meaning of the stored values.
package columns

import (
	"unsafe"
)

const columnMask = 1<<ColumnShift - 1

// Column is a list of values of one type without pointers that grows at its end, can be cut back
// there (rewind), and loses whole chunks at its front (eviction). Positions are absolute: the first
// value ever appended stays number 0. The first chunks grow by doubling up to their full length, so
// that thousands of short columns (4,000 tracks) stay small; those of longer columns are blocks of
// a pool outside the collected heap. Full chunks are never copied again.
//
// A column is no generic type, and neither is any type of this package that others have as a field:
// Go compiles all methods of an instantiated type again in every package that imports a type with
// such a field, and some hundred packages import the stores. The owner of a column of rows declares
//
//	type rowColumn struct{ columns.Column }
//
//	func (c *rowColumn) Ref(i int64) *row { return columns.Ref[row](&c.Column, i) }
//
// and so on for At, Run and Append, and uses no other type of value with it.
type Column struct {
	chunks [][]byte
	first  int64 // number of chunks[0]
	n      int64 // end position
	gone   int32 // chunks at the front that have left: nil
	size   int32 // bytes of a value, known from the first one on
	Acc    *Account
}

// Columns of plain numbers.
type (
	// Int64s is a column of int64.
	Int64s struct{ Column }
	// Int32s is a column of int32.
	Int32s struct{ Column }
	// Uint32s is a column of uint32.
	Uint32s struct{ Column }
	// Uint16s is a column of uint16.
	Uint16s struct{ Column }
	// Float64s is a column of float64.
	Float64s struct{ Column }
)

// At returns the value at position i.
func (c *Int64s) At(i int64) int64 { return At[int64](&c.Column, i) }

// Push appends v.
func (c *Int64s) Push(v int64) { Append(&c.Column, v) }

// At returns the value at position i.
func (c *Int32s) At(i int64) int32 { return At[int32](&c.Column, i) }

// Push appends v.
func (c *Int32s) Push(v int32) { Append(&c.Column, v) }

// At returns the value at position i.
func (c *Uint32s) At(i int64) uint32 { return At[uint32](&c.Column, i) }

// Push appends v.
func (c *Uint32s) Push(v uint32) { Append(&c.Column, v) }

// At returns the value at position i.
func (c *Uint16s) At(i int64) uint16 { return At[uint16](&c.Column, i) }

// Push appends v.
func (c *Uint16s) Push(v uint16) { Append(&c.Column, v) }

// At returns the value at position i.
func (c *Float64s) At(i int64) float64 { return At[float64](&c.Column, i) }

// Push appends v.
func (c *Float64s) Push(v float64) { Append(&c.Column, v) }

// At returns the value at position i of a column of T.
func At[T any](c *Column, i int64) T { return *Ref[T](c, i) }

// Ref returns the place of the value at position i of a column of T.
func Ref[T any](c *Column, i int64) *T {
	return (*T)(unsafe.Pointer(&c.chunks[(i>>ColumnShift)-c.first][(i&columnMask)*SizeOf[T]()]))
}

// Run returns the values from i to end of a column of T that lie in one chunk with i, for tight loops.
func Run[T any](c *Column, i, end int64) []T {
	chunk := c.chunks[(i>>ColumnShift)-c.first]
	from := i & columnMask
	return values[T](chunk[from*SizeOf[T]() : min(int64(len(chunk)), (from+end-i)*SizeOf[T]())])
}

// values returns bytes of a chunk as values.
func values[T any](chunk []byte) []T {
	return unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(chunk))), len(chunk)/int(SizeOf[T]()))
}

// Append adds v at the end of a column of T.
func Append[T any](c *Column, v T) {
	if last := len(c.chunks) - 1; last >= 0 && c.n&columnMask != 0 {
		if chunk := &c.chunks[last]; len(*chunk) < cap(*chunk) {
			n := len(*chunk)
			*chunk = (*chunk)[:n+int(SizeOf[T]())] // only the length is written
			*(*T)(unsafe.Pointer(&(*chunk)[n])) = v
			c.n++
			return
		}
	}
	*(*T)(unsafe.Pointer(c.extend(int32(SizeOf[T]())))) = v
}

// extend makes a chunk, or makes it longer, and returns the place of one value more.
func (c *Column) extend(size int32) *byte {
	c.size = size
	if c.n&columnMask == 0 || len(c.chunks) == 0 {
		c.open()
	}
	last := len(c.chunks) - 1
	chunk := c.chunks[last]
	if len(chunk) == cap(chunk) {
		chunk = c.grow(chunk)
	}
	n := len(chunk)
	c.chunks[last] = chunk[:n+int(size)]
	c.n++
	return &c.chunks[last][n]
}

// End returns the position behind the last value.
func (c *Column) End() int64 { return c.n }

// Held returns the bytes that the chunks take.
func (c *Column) Held() int64 {
	whole := int64(len(c.chunks)) - int64(c.gone) - 1
	if whole < 0 {
		return 0
	}
	return whole*c.full() + int64(cap(c.chunks[len(c.chunks)-1]))
}

// full returns the bytes of a chunk of the full length.
func (c *Column) full() int64 { return int64(c.size) << ColumnShift }

// open adds a chunk for position n.
func (c *Column) open() {
	if len(c.chunks) == 0 {
		c.first = c.n >> ColumnShift
	}
	var chunk []byte
	if c.n>>ColumnShift >= ChunksAtOnce {
		chunk = GetBlock[byte](c.Acc, int(c.full()))
	}
	if skip := int(c.n&columnMask) * int(c.size); skip != 0 { // all before it has left: positions go on
		for cap(chunk) < skip {
			chunk = c.grow(chunk)
		}
		chunk = chunk[:skip]
		clear(chunk)
	}
	c.chunks = Push(c.Acc, c.chunks, chunk)
}

// grow makes room in a chunk that is not at its full length yet.
func (c *Column) grow(chunk []byte) []byte {
	size := min(max(2*int64(cap(chunk)), 2*int64(c.size)), c.full())
	var grown []byte
	if size == c.full() {
		grown = GetBlock[byte](c.Acc, int(size))[:len(chunk)]
	} else {
		grown = make([]byte, len(chunk), size)
		c.Acc.Add(size)
	}
	copy(grown, chunk)
	LetGo(c.Acc, chunk)
	return grown
}

// Shift moves the values from position i on by one towards the end; the last one is lost.
func (c *Column) Shift(i int64) {
	size := int64(c.size)
	for k := c.n - 1; k > i; {
		chunk := c.chunks[(k>>ColumnShift)-c.first]
		from, to := max(i, k&^columnMask)&columnMask, k&columnMask
		copy(chunk[(from+1)*size:(to+1)*size], chunk[from*size:to*size])
		if k &^= columnMask; k > i {
			before := c.chunks[(k-1)>>ColumnShift-c.first]
			copy(chunk[:size], before[columnMask*size:])
			k--
		}
	}
}

// Truncate cuts the column back to n values; it never lengthens it.
func (c *Column) Truncate(n int64) {
	if n >= c.n {
		return
	}
	c.n = n
	keep := max((n+columnMask)>>ColumnShift-c.first, 0)
	for k := int64(len(c.chunks)) - 1; k >= keep; k-- {
		c.release(int(k))
		c.chunks = c.chunks[:k]
	}
	if keep <= int64(c.gone) {
		c.empty()
		return
	}
	c.chunks[keep-1] = c.chunks[keep-1][:(n-(c.first+keep-1)<<ColumnShift)*int64(c.size)]
}

// DropBefore releases the chunks that lie wholly before position i.
func (c *Column) DropBefore(i int64) {
	for int(c.gone) < len(c.chunks) && (c.first+int64(c.gone)+1)<<ColumnShift <= i {
		c.release(int(c.gone))
		c.gone++
	}
	switch k := int(c.gone); {
	case k == len(c.chunks):
		c.empty()
	case k > len(c.chunks)/2:
		c.chunks = CutFront(c.Acc, c.chunks, k)
		c.first += int64(k)
		c.gone = 0
	}
}

// Clear frees everything.
func (c *Column) Clear() {
	for k := range c.chunks {
		c.release(k)
	}
	LetGo(c.Acc, c.chunks)
	c.chunks, c.gone, c.first, c.n = nil, 0, 0, 0
}

// empty forgets the places of chunks that have all left, so that cutting back among them finds
// nothing to cut.
func (c *Column) empty() {
	c.first += int64(c.gone)
	c.chunks, c.gone = c.chunks[:0], 0
}

// release frees a chunk. Those of the full length are blocks of the pool.
func (c *Column) release(k int) {
	chunk := c.chunks[k]
	c.chunks[k] = nil
	if int64(cap(chunk)) == c.full() {
		PutBlock(c.Acc, chunk)
		return
	}
	LetGo(c.Acc, chunk)
}

// Start returns the first position that is still stored.
func (c *Column) Start() int64 { return min((c.first+int64(c.gone))<<ColumnShift, c.n) }
