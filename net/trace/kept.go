package trace

import "framescope/net/feed"

// Kept are values of a recording that wait until they are published, as far as memory has room for them.
type Kept[T any] struct {
	List []T
	N    int // values that were added, with those that there was no room for

	hole Hole
	cut  bool // the file ends inside the list
}

// Read reads the list. add adds each value.
func (k *Kept[T]) Read(r *Reader, add func()) {
	k.hole = r.Entries(add)
	k.cut = r.Err() != nil
}

// Add adds a value. It is false where there is no room for it, nor for those behind it.
func (k *Kept[T]) Add(room *feed.Names, v T) bool {
	k.N++
	if len(k.List) != k.N-1 {
		return false
	}
	list, ok := feed.Grow(room, k.List, 1)
	if ok {
		k.List = append(list, v)
	}
	return ok
}

// Clear forgets the values, but keeps their memory.
func (k *Kept[T]) Clear() { *k = Kept[T]{List: k.List[:0]} }

// Refused is how many values there was no room for.
func (k *Kept[T]) Refused() int64 { return int64(k.N - len(k.List)) }
