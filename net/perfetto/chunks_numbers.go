package perfetto

// mostDense is how many numbers are found without a map.
const mostDense = 1 << 12

// Numbers are the interned strings of a sequence, by their IDs.
type Numbers struct {
	dense  []uint32 // number of the text, and 1; 0: none
	sparse map[uint64]uint32
}

// Clear forgets all.
func (t *Numbers) Clear() {
	clear(t.dense)
	clear(t.sparse)
}

// Get returns the text of an interning ID.
func (t *Numbers) Get(iid uint64) (text uint32, ok bool) {
	var n uint32
	if iid < uint64(len(t.dense)) {
		n = t.dense[iid]
	} else {
		n = t.sparse[iid]
	}
	return n - 1, n != 0
}

// Set gives something a number. It returns false where reserve has no room for so many bytes.
func (t *Numbers) Set(reserve func(bytes int64) bool, iid uint64, text uint32) bool {
	if iid < mostDense {
		if n := int(iid) + 1; n > len(t.dense) {
			if n > cap(t.dense) && !reserve(int64(8*n)) {
				return false
			}
			for len(t.dense) < n {
				t.dense = append(t.dense, 0)
			}
		}
		t.dense[iid] = text + 1
		return true
	}
	if _, ok := t.sparse[iid]; !ok && !reserve(48) {
		return false
	}
	if t.sparse == nil {
		t.sparse = map[uint64]uint32{}
	}
	t.sparse[iid] = text + 1
	return true
}
