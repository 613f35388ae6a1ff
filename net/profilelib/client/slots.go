package client

import (
	"sync/atomic"
	"time"
)

// nameBytes is how much text one record holds (FORMAT.md, "The record").
const nameBytes = 25

// maxSlots is how many slots a link of 16 bits can address; slot 0 is none.
const maxSlots = 1<<16 - 1

// Slot is room for one record that has not been written yet. Programs only make them, for New:
// make([]client.Slot, n). One takes 88 bytes; at most 65,535 are used.
type Slot struct {
	next atomic.Uint32 // in the list of free slots, or of finished trees: index, 0 at the end

	id, parent         uint32
	processor, thread  uint32
	start, end         int64
	name               [nameBytes]byte
	length             uint8
	prev, older, child uint16 // links as they are written: preceding sibling or parent, next (older) sibling, newest child
}

// pool is the list of free slots. Its head is an index in the lower 16 bits and a counter in the
// upper ones that changes with each operation, so that a slot which left and came back between a
// look and a swap is noticed.
type pool struct {
	slots []Slot
	head  atomic.Uint32
	roots atomic.Uint32 // the list of finished trees, the newest first
}

func (p *pool) init(slots []Slot) {
	p.slots = slots[:min(len(slots), maxSlots+1)]
	for i := 1; i < len(p.slots); i++ {
		next := i + 1
		if next == len(p.slots) {
			next = 0
		}
		p.slots[i].next.Store(uint32(next))
	}
	p.head.Store(1)
}

// acquire returns the index of a free slot, 0 when there is none.
func (p *pool) acquire() uint16 {
	for {
		head := p.head.Load()
		i := head & 0xffff
		if i == 0 {
			return 0
		}
		next := p.slots[i].next.Load()
		if p.head.CompareAndSwap(head, (head+1<<16)&0xffff0000|next) {
			return uint16(i)
		}
	}
}

// give puts a chain of slots, linked by next from first to last, back.
func (p *pool) give(first, last uint16) {
	for {
		head := p.head.Load()
		p.slots[last].next.Store(head & 0xffff)
		if p.head.CompareAndSwap(head, (head+1<<16)&0xffff0000|uint32(first)) {
			return
		}
	}
}

// finish hands a finished tree over to the output.
func (p *pool) finish(root uint16) {
	for {
		head := p.roots.Load()
		p.slots[root].next.Store(head)
		if p.roots.CompareAndSwap(head, uint32(root)) {
			return
		}
	}
}

// clock counts nanoseconds since the profiler was made.
type clock struct{ zero time.Time }

func (c clock) now() int64 { return int64(time.Since(c.zero)) }
