package columns

// Slots keep what a table has of each track, by its id, which is small: nil where it has nothing.
type Slots[ID ~int32, T any] struct{ shelf Shelf[*T] }

// Init makes the slots ready. What they take is written down in acc.
func (s *Slots[ID, T]) Init(acc *Account) { s.shelf.acc = acc }

// At returns what there is of an id, nil where there is nothing, whatever the id.
func (s *Slots[ID, T]) At(id ID) *T { return s.shelf.At(int64(id)) }

// Put keeps what there is of an id, which is not negative.
func (s *Slots[ID, T]) Put(id ID, v *T) { s.shelf.Put(int64(id), v) }

// Enter is Put where that is not done yet.
func (s *Slots[ID, T]) Enter(id ID, v *T) {
	if s.At(id) != v {
		s.Put(id, v)
	}
}

// Remove forgets v, if it is what there is of an id.
func (s *Slots[ID, T]) Remove(id ID, v *T) {
	if s.At(id) == v && v != nil {
		s.shelf.list[id] = nil
	}
}

// All returns the slots by id, up to the greatest one that was used. The slice is not to be changed.
func (s *Slots[ID, T]) All() []*T { return s.shelf.list }

// Clear lets go of everything.
func (s *Slots[ID, T]) Clear() { s.shelf.Clear(func(*T) {}) }
