package args

import (
	"encoding/binary"
	"sort"

	"framescope/model"
	"framescope/model/columns"
)

// entry reads the entries of a chunk one after another.
type entry struct {
	data  []byte
	at    int // behind the read entries
	index int64
	cells []Cell // of the entry that was read
}

// read reads the next entry, which is there.
func (e *entry) read(x *Table) {
	e.index += int64(e.uvarint())
	shape, n := int(e.uvarint()), 0
	e.cells = e.cells[:0]
	if shape == 0 {
		n = int(e.uvarint())
		for range n {
			c := column(e.uvarint())
			e.cells = append(e.cells, Cell{Key: c.key(), Kind: c.kind()})
		}
	} else {
		for _, c := range x.shapes[shape-1] {
			e.cells = append(e.cells, Cell{Key: c.key(), Kind: c.kind()})
		}
	}
	for i := range e.cells {
		switch c := &e.cells[i]; c.Kind {
		case model.ArgInt:
			v, k := binary.Varint(e.data[e.at:])
			e.at += k
			c.Bits = uint64(v)
		case model.ArgFloat:
			c.Bits = binary.LittleEndian.Uint64(e.data[e.at:])
			e.at += 8
		default:
			c.Bits = e.uvarint()
		}
	}
}

func (e *entry) uvarint() uint64 {
	if b := e.data[e.at]; b < 0x80 {
		e.at++
		return uint64(b)
	}
	v, k := binary.Uvarint(e.data[e.at:])
	e.at += k
	return v
}

// Cursor goes along the spans of a lane that have arguments. It is valid until the stored data
// changes; several may go at once. The zero value is at the end.
type Cursor struct {
	table *Table
	lane  *lane
	chunk int
	left  int32 // entries of the chunk behind that which was read
	e     entry
	ok    bool // an entry was read
	read  int64
}

// Cursor returns one before the first span of a lane.
func (x *Table) Cursor(track model.TrackID, n int) Cursor {
	c := Cursor{table: x, chunk: -1}
	if t := columns.Slot(x.tracks, track); t != nil && n >= 0 && n < len(t.lanes) {
		c.lane = t.lanes[n]
	}
	return c
}

// Reset goes before the first span of another lane, and keeps the memory.
func (c *Cursor) Reset(x *Table, track model.TrackID, n int) {
	cells, read := c.e.cells[:0], c.read
	*c = x.Cursor(track, n)
	c.e.cells, c.read = cells, read
}

// To goes to the first span with arguments at a position or behind it; false: there is none. Going
// forth a little is cheaper than elsewhere.
func (c *Cursor) To(index int64) bool {
	l := c.lane
	if l == nil || len(l.chunks) == 0 || index >= l.behind {
		c.ok = false
		return false
	}
	index = max(index, l.first)
	if c.ok && c.e.index == index {
		return true
	}
	list := l.chunks
	if !c.ok || index < c.e.index || index > list[c.chunk].last {
		c.enter(sort.Search(len(list), func(k int) bool { return list[k].last >= index }))
	}
	for c.Next() {
		if c.e.index >= index {
			return true
		}
	}
	return false
}

// enter goes before the first entry of a chunk.
func (c *Cursor) enter(k int) {
	if c.chunk, c.ok = k, false; k < len(c.lane.chunks) {
		x := &c.lane.chunks[k]
		c.left, c.e.index, c.e.data, c.e.at = x.n, x.first, x.data, 0
	}
}

// Next goes to the next span with arguments; false: there is none.
func (c *Cursor) Next() bool {
	if c.lane == nil {
		return false
	}
	for {
		for c.chunk < 0 || c.left == 0 {
			if c.chunk+1 >= len(c.lane.chunks) {
				c.ok = false
				return false
			}
			c.enter(c.chunk + 1)
		}
		c.left--
		c.e.read(c.table)
		c.read++
		if c.ok = c.e.index >= c.lane.first; c.ok {
			return true
		}
	}
}

// Index returns the position of the span.
func (c *Cursor) Index() int64 { return c.e.index }

// Cells appends the span's arguments to out.
func (c *Cursor) Cells(out []Cell) []Cell { return append(out, c.e.cells...) }

// Each returns the span's arguments, until the cursor goes on.
func (c *Cursor) Each() []Cell { return c.e.cells }

// Read returns how many entries were read so far.
func (c *Cursor) Read() int64 { return c.read }
