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

// Sized are samples of a profile, and in a list of its own how much each lasts or weighs.
type Sized[T, S any] struct {
	Of    Kept[T]
	Sizes Kept[S]

	Float func(S) float64
	Size  func(float64) S
}

// Clear forgets the samples, but keeps their memory.
func (s *Sized[T, S]) Clear() {
	s.Of.Clear()
	s.Sizes.Clear()
}

// Damaged reports whether a place in the lists can't be read.
func (s *Sized[T, S]) Damaged() bool { return s.Of.hole.Any || s.Sizes.hole.Any }

// Mend sets what damage left out of the lists: unknown samples, and mean sizes. It returns how many sizes these are.
// sum is that of all sizes, 0 where it is not known; broken says that the file was not read to its end.
func (s *Sized[T, S]) Mend(room *feed.Names, unknown T, sum float64, broken bool) (lost int) {
	of, sizes := &s.Of, &s.Sizes
	if of.Refused() > 0 || sizes.Refused() > 0 {
		return 0
	}
	n := len(sizes.List)
	if sizes.hole.Any {
		n = -1
	}
	of.fill(room, n, unknown)
	had := len(sizes.List) - (sizes.hole.Behind - sizes.hole.From)
	lost = len(of.List) - had
	mean := s.mean(sum, had, lost)
	sizes.fill(room, len(of.List), mean)
	if !broken || had == 0 && (of.cut || sum <= 0) {
		return max(0, len(sizes.List)-had)
	}
	for sizes.N < len(of.List) && sizes.Add(room, mean) {
	}
	return max(0, len(sizes.List)-had)
}

// mean is the size of each of the lost samples: what the others leave of the sum, or the mean of these.
func (s *Sized[T, S]) mean(sum float64, had, lost int) S {
	known := 0.0
	for i, size := range s.Sizes.List {
		if h := s.Sizes.hole; i < h.From || i >= h.Behind {
			known += s.Float(size)
		}
	}
	mean := known / float64(max(had, 1))
	if sum > 0 {
		mean = (sum - known) / float64(max(lost, 1))
	}
	return s.Size(min(max(mean, 0), MaxTime))
}

// fill fills the hole, where the list should have n values.
func (k *Kept[T]) fill(room *feed.Names, n int, value T) {
	k.List = Fit(room, k.List, k.hole, n, value)
	k.N = len(k.List)
}
