// Pool hands out blocks of memory that lie outside the heap of the garbage collector, for data
// without pointers. The garbage collector lets a heap grow to a multiple of its live data before it looks
// for garbage; blocks are returned to the system as soon as nothing in their slab is in use.
//
// A slab is a piece of address space from the system, cut into blocks of one size. Slabs are large,
// so that there are few of them: systems bound the number of mappings. If the system gives no pages
// (js), and for a Pool made by Heap, blocks are ordinary slices.

package columns

import (
	"slices"
	"sync"
	"unsafe"
)

const (
	// minSlab and maxSlab bound a slab in bytes. Slabs grow with the mapped memory, so that
	// gigabytes are some thousands of mappings and megabytes waste little.
	minSlab = 256 << 10
	maxSlab = 4 << 20
	// slabShare limits a new slab to this fraction of the mapped memory.
	slabShare = 64

	// keptEmpty is how many empty slabs wait for reuse; keptHeap how many bytes of blocks do so
	// where there are no slabs.
	keptEmpty = 2
	keptHeap  = 3 << 20
)

// Pool hands out blocks. It is safe for concurrent use. The zero Pool takes its blocks from the
// system.
type Pool struct {
	mu     sync.Mutex
	heap   bool
	slabs  []*slab // by address
	rooms  map[int][]*slab
	empty  []*slab
	mapped int64
	used   int64

	free map[int][][]byte // blocks of the heap that wait for reuse
	idle int64            // bytes of these
}

// slab is a mapping, cut into blocks of one size.
type slab struct {
	mem    []byte
	size   int
	cut    int   // blocks that were ever handed out; those behind were never touched
	free   []int // blocks given back
	used   int
	listed bool // in Pool.rooms
}

// Heap returns a pool with blocks in the collected heap.
func Heap() *Pool { return &Pool{heap: true} }

// Get returns a block of size bytes, aligned to 16 and of any content. It panics when the system
// has no memory left, as an allocation does.
func (p *Pool) Get(size int) []byte {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.used += int64(size)
	if p.heap || !supported {
		return p.getHeap(size)
	}
	room := roundUp(size)
	list := p.rooms[room]
	if len(list) == 0 {
		s := p.open(room)
		if p.rooms == nil {
			p.rooms = map[int][]*slab{}
		}
		list = append(list, s)
		s.listed = true
		p.rooms[room] = list
	}
	s := list[len(list)-1]
	k := s.cut
	if n := len(s.free); n > 0 {
		k, s.free = s.free[n-1], s.free[:n-1]
	} else {
		s.cut++
	}
	s.used++
	if s.used == len(s.mem)/s.size {
		s.listed = false
		p.rooms[room] = list[:len(list)-1]
	}
	return s.mem[k*s.size : k*s.size+size : k*s.size+size]
}

func roundUp(size int) int { return (size + 63) &^ 63 }

// open returns an empty slab for blocks of a size.
func (p *Pool) open(size int) *slab {
	length := minSlab
	for length < maxSlab && int64(length)*slabShare < p.mapped {
		length *= 2
	}
	for length < 8*size {
		length *= 2
	}
	for i, s := range p.empty {
		if len(s.mem) >= 8*size {
			p.empty = slices.Delete(p.empty, i, i+1)
			s.size, s.cut, s.free = size, 0, s.free[:0]
			return s
		}
	}
	s := &slab{mem: mapPages(length), size: size}
	hugePages(s.mem)
	p.mapped += int64(length)
	i, _ := p.find(s.mem)
	p.slabs = slices.Insert(p.slabs, i, s)
	return s
}

// find returns the place of the slab that holds a block, or where a new slab would stand.
func (p *Pool) find(block []byte) (int, bool) {
	at := uintptr(unsafe.Pointer(unsafe.SliceData(block)))
	i, ok := slices.BinarySearchFunc(p.slabs, at, func(s *slab, at uintptr) int {
		switch base := uintptr(unsafe.Pointer(unsafe.SliceData(s.mem))); {
		case base+uintptr(len(s.mem)) <= at:
			return -1
		case base > at:
			return 1
		}
		return 0
	})
	return i, ok
}

// Put takes back a block that Get returned. Nothing may refer to it any more.
func (p *Pool) Put(block []byte) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.used -= int64(len(block))
	if p.heap || !supported {
		p.putHeap(block)
		return
	}
	i, ok := p.find(block)
	if !ok {
		panic("pages: a block of another pool")
	}
	s := p.slabs[i]
	k := int(uintptr(unsafe.Pointer(unsafe.SliceData(block)))-uintptr(unsafe.Pointer(unsafe.SliceData(s.mem)))) / s.size
	s.free = append(s.free, k)
	s.used--
	switch {
	case s.used == 0:
		if s.listed {
			list := p.rooms[s.size]
			p.rooms[s.size] = slices.Delete(list, slices.Index(list, s), slices.Index(list, s)+1)
			s.listed = false
		}
		if len(p.empty) < keptEmpty {
			p.empty = append(p.empty, s)
			return
		}
		p.unmap(i)
	case !s.listed:
		s.listed = true
		p.rooms[s.size] = append(p.rooms[s.size], s)
	}
}

func (p *Pool) unmap(i int) {
	s := p.slabs[i]
	p.slabs = slices.Delete(p.slabs, i, i+1)
	p.mapped -= int64(len(s.mem))
	unmapPages(s.mem)
}

// Trim returns free memory to the system, all but about keep bytes.
func (p *Pool) Trim(keep int64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for len(p.empty) > 0 && p.mapped-p.used > keep {
		i, _ := p.find(p.empty[0].mem)
		p.empty = slices.Delete(p.empty, 0, 1)
		p.unmap(i)
	}
	for size, list := range p.free {
		for len(list) > 0 && p.idle > keep {
			list[len(list)-1] = nil
			list = list[:len(list)-1]
			p.idle -= int64(size)
		}
		p.free[size] = list
	}
}

// Idle returns how many bytes are held beyond those of the blocks in use.
func (p *Pool) Idle() int64 {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.heap || !supported {
		return p.idle
	}
	return p.mapped - p.used
}

// Close gives back everything. No block may be used any more.
func (p *Pool) Close() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, s := range p.slabs {
		unmapPages(s.mem)
	}
	p.slabs, p.rooms, p.empty, p.free, p.mapped, p.used, p.idle = nil, nil, nil, nil, 0, 0, 0
}

func (p *Pool) getHeap(size int) []byte {
	if list := p.free[size]; len(list) > 0 {
		p.free[size] = list[:len(list)-1]
		p.idle -= int64(size)
		return list[len(list)-1]
	}
	words := make([]uint64, (size+7)/8)
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(words))), len(words)*8)[:size:size]
}

func (p *Pool) putHeap(block []byte) {
	if p.idle+int64(len(block)) > keptHeap {
		return
	}
	if p.free == nil {
		p.free = map[int][][]byte{}
	}
	p.free[len(block)] = append(p.free[len(block)], block)
	p.idle += int64(len(block))
}
