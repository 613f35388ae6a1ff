package pstats

import "framescope/model"

// maxPaths bounds the call paths of one session. Beyond it a span counts for its caller's path.
const maxPaths = 1 << 18

// pathTable gives call paths their ids. It is an open-addressed hash table of (parent, collector), because it is asked once for every span.
type pathTable struct {
	keys []uint64 // (parent<<16 | collector) + 1; 0 is empty
	ids  []model.PathID
	n    int
}

// child returns the path of a collector called from parent; fresh tells that it is a new one. When the table is full, it returns the parent and full.
func (t *pathTable) child(parent model.PathID, c int32) (id model.PathID, fresh, full bool) {
	if len(t.keys) == 0 {
		t.grow(1 << 10)
	}
	key := (uint64(parent)<<16 | uint64(uint16(c))) + 1
	mask := uint64(len(t.keys) - 1)
	at := hashPath(key) & mask
	for t.keys[at] != 0 {
		if t.keys[at] == key {
			return t.ids[at], false, false
		}
		at = (at + 1) & mask
	}
	if t.n >= maxPaths && parent != model.PathRoot { // the root has no collector to which a span could count
		return parent, false, true
	}
	t.n++
	t.keys[at], t.ids[at] = key, model.PathID(t.n)
	if 2*t.n > len(t.keys) {
		t.grow(2 * len(t.keys))
	}
	return model.PathID(t.n), true, false
}

func (t *pathTable) grow(size int) {
	keys, ids := t.keys, t.ids
	t.keys, t.ids = make([]uint64, size), make([]model.PathID, size)
	mask := uint64(size - 1)
	for i, key := range keys {
		if key == 0 {
			continue
		}
		at := hashPath(key) & mask
		for t.keys[at] != 0 {
			at = (at + 1) & mask
		}
		t.keys[at], t.ids[at] = key, ids[i]
	}
}

// hashPath mixes the high bits of the product down, since the table takes the low ones (Fibonacci hashing).
func hashPath(key uint64) uint64 {
	key *= 0x9e3779b97f4a7c15
	return key ^ key>>32
}
