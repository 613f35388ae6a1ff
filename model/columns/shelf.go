package columns

// Shelf keeps things that are made when first needed, by absolute number; its owner knows their
// type. Those before first have left and take no room.
type Shelf struct {
	first int64
	list  []any
	acc   *Account
}

// NewShelf returns a shelf of the things from number first on.
func NewShelf(first int64, acc *Account) Shelf { return Shelf{first: first, acc: acc} }

// At returns a thing, nil if it is not there.
func (x *Shelf) At(i int64) (v any) {
	if i -= x.first; i >= 0 && i < int64(len(x.list)) {
		v = x.list[i]
	}
	return v
}

// Put keeps a thing. i is not before dropped ones.
func (x *Shelf) Put(i int64, v any) {
	if n := i - x.first + 1 - int64(len(x.list)); n > 0 {
		was := cap(x.list)
		x.list = append(x.list, make([]any, n)...)
		x.acc.Add(int64(cap(x.list)-was) * SizeOf[any]())
	}
	x.list[i-x.first] = v
}

// Truncate removes the things with number n and later ones; gone is called with each.
func (x *Shelf) Truncate(n int64, gone func(any)) {
	keep := min(max(n-x.first, 0), int64(len(x.list)))
	for _, v := range x.list[keep:] {
		gone(v)
	}
	clear(x.list[keep:])
	x.list = x.list[:keep]
}

// DropBefore removes the things before number n; gone is called with each.
func (x *Shelf) DropBefore(n int64, gone func(any)) {
	if n <= x.first {
		return
	}
	k := min(n-x.first, int64(len(x.list)))
	for _, v := range x.list[:k] {
		gone(v)
	}
	left := copy(x.list, x.list[k:])
	clear(x.list[left:])
	x.list, x.first = x.list[:left], n
}

// Clear removes everything; gone is called with each.
func (x *Shelf) Clear(gone func(any)) {
	for _, v := range x.list {
		gone(v)
	}
	LetGo(x.acc, x.list)
	x.list = nil
}
