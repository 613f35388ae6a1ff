package decode

import (
	"sync"

	"framescope/model"
)

// maxPaths bounds the call paths of one session. Beyond it a span counts for its caller's path.
const maxPaths = 1 << 18

// pathIntern gives the call paths of a session their ids, densely from 1 on and parents first, for any
// number of goroutines. With several, each caches its results in a table of its own.
type pathIntern struct {
	define func(model.PathDef) // called with each path before its id is returned

	mu    sync.Mutex
	table pathTable
}

// child returns the path of a collector called from parent. When there are too many paths, it
// returns the parent and full.
func (p *pathIntern) child(parent model.PathID, c int32) (id model.PathID, full bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	id, fresh, full := p.table.child(parent, c)
	if fresh {
		p.define(model.PathDef{ID: id, Parent: parent, Collector: model.CollectorID(c)})
	}
	return id, full
}

// pathTable holds the ids of call paths. It is an open-addressed hash table of (parent, collector),
// because each span needs one lookup.
type pathTable struct {
	slots []pathSlot
	n     int
}

// pathSlot is a call path, its key above its id; 0 is an empty slot.
type pathSlot uint64

// idBits hold any id: maxPaths, and a path of each collector that nothing calls.
const idBits = 20

func (s pathSlot) key() uint64      { return uint64(s >> idBits) }
func (s pathSlot) id() model.PathID { return model.PathID(s & (1<<idBits - 1)) }

// pathKey is never 0.
func pathKey(parent model.PathID, c int32) uint64 {
	return (uint64(parent)<<16 | uint64(uint16(c))) + 1
}

// find returns the path of a collector called from parent, if it is known.
func (t *pathTable) find(parent model.PathID, c int32) (id model.PathID, known bool) {
	if len(t.slots) == 0 {
		return 0, false
	}
	key := pathKey(parent, c)
	mask := uint64(len(t.slots) - 1)
	for at := hashPath(key) & mask; ; at = (at + 1) & mask {
		s := t.slots[at]
		if s.key() == key {
			return s.id(), true
		}
		if s == 0 {
			return 0, false
		}
	}
}

// child returns the path of a collector called from parent; fresh marks a new one. When the table is
// full, it returns the parent and full.
func (t *pathTable) child(parent model.PathID, c int32) (id model.PathID, fresh, full bool) {
	if id, known := t.find(parent, c); known {
		return id, false, false
	}
	if t.n >= maxPaths && parent != model.PathRoot { // the root has no collector to which a span could count
		return parent, false, true
	}
	t.add(parent, c, model.PathID(t.n+1))
	return model.PathID(t.n), true, false
}

// add notes a path that is not in the table.
func (t *pathTable) add(parent model.PathID, c int32, id model.PathID) {
	if 2*t.n >= len(t.slots) {
		t.grow(max(1<<9, 2*len(t.slots)))
	}
	t.n++
	t.put(pathSlot(pathKey(parent, c)<<idBits | uint64(id)))
}

func (t *pathTable) put(s pathSlot) {
	mask := uint64(len(t.slots) - 1)
	at := hashPath(s.key()) & mask
	for t.slots[at] != 0 {
		at = (at + 1) & mask
	}
	t.slots[at] = s
}

func (t *pathTable) grow(size int) {
	old := t.slots
	t.slots = make([]pathSlot, size)
	for _, s := range old {
		if s != 0 {
			t.put(s)
		}
	}
}

// hashPath mixes the high bits of the product down, since the table takes the low ones (Fibonacci
// hashing).
func hashPath(key uint64) uint64 {
	key *= 0x9e3779b97f4a7c15
	return key ^ key>>32
}
