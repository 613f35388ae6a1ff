package store

// pyramid summarises the values of a list by their positions: a leaf stands for 1<<leaf of them, a
// node of the next level for 1<<up leaves, and so on. A node is made once, when its last value is
// there, and never changes.
//
// What has left memory can't be reached, by construction. first is the oldest position that is
// kept; it never goes back, as a list is never cut back behind it. A node whose run begins before
// it is a hole: it has its number, but it is not made, never read and never summed. A node that is
// no hole begins no earlier than first, and so do all nodes and values below it: it is made of what
// is there. The rule is written in this file alone; whoever asks takes nodes from node and
// greatest, which give no holes.
type pyramid[N any] struct {
	levels   []column[N]
	first    int64
	leaf, up uint8
	acc      *account
}

// summarizer makes the nodes of a pyramid.
type summarizer[N any] interface {
	// leafOf summarises the values at positions [from, to). All of them are kept.
	leafOf(from, to int64) N
	// joinOf summarises neighbouring nodes of one level. None of them is a hole.
	joinOf(nodes []N) N
}

// shift returns the binary logarithm of the values that a node of a level stands for.
func (p *pyramid[N]) shift(level int) int { return int(p.leaf) + int(p.up)*level }

// grow makes the nodes that are complete in a list of n values.
func (p *pyramid[N]) grow(n int64, leaf, up uint8, of summarizer[N]) {
	p.leaf, p.up = leaf, up
	for k := 0; n>>p.shift(k) > 0; k++ {
		if k == len(p.levels) {
			p.levels = push(p.acc, p.levels, column[N]{acc: p.acc})
		}
		v := &p.levels[k]
		if v.n >= n>>p.shift(k) {
			return // so are all above
		}
		for i := v.n; i < n>>p.shift(k); i++ {
			var node N
			switch {
			case i<<p.shift(k) < p.first:
			case k == 0:
				node = of.leafOf(i<<leaf, (i+1)<<leaf)
			default:
				node = of.joinOf(p.levels[k-1].run(i<<up, (i+1)<<up)) // aligned: in one chunk
			}
			p.levels[k].push(node)
		}
	}
}

// node returns node i of a level, nil if it is a hole or not complete.
func (p *pyramid[N]) node(level int, i int64) *N {
	if level >= len(p.levels) || i >= p.levels[level].n || i<<p.shift(level) < p.first {
		return nil
	}
	return p.levels[level].ref(i)
}

// greatest returns the greatest node that begins at position from and ends by to, and where it
// ends; nil where there is none.
func (p *pyramid[N]) greatest(from, to int64) (node *N, end int64) {
	if from < p.first {
		return nil, from
	}
	level := -1
	for k := range p.levels {
		size := int64(1) << p.shift(k)
		if from&(size-1) != 0 || from+size > to || from>>p.shift(k) >= p.levels[k].n {
			break
		}
		level = k
	}
	if level < 0 {
		return nil, from
	}
	return p.levels[level].ref(from >> p.shift(level)), from + 1<<p.shift(level)
}

// truncate forgets the nodes that stand for values at position n or later.
func (p *pyramid[N]) truncate(n int64) {
	for k := range p.levels {
		p.levels[k].truncate(n >> p.shift(k))
	}
}

// dropBefore makes position first the oldest that is kept.
func (p *pyramid[N]) dropBefore(first int64) {
	p.first = max(p.first, first)
	for k := range p.levels {
		size := int64(1) << p.shift(k)
		p.levels[k].dropBefore((p.first + size - 1) >> p.shift(k))
	}
}

// clear lets go of everything.
func (p *pyramid[N]) clear() {
	for k := range p.levels {
		p.levels[k].clear()
	}
	letGo(p.acc, p.levels)
	p.levels = nil
}

// shelf keeps things that are made when first asked for, by absolute number. Those before first
// have left and take no room.
type shelf[T any] struct {
	first int64
	list  []T
	acc   *account
}

// at returns a thing, the zero value if it is not there.
func (x *shelf[T]) at(i int64) (v T) {
	if i -= x.first; i >= 0 && i < int64(len(x.list)) {
		v = x.list[i]
	}
	return v
}

// put keeps a thing. i is not before what has left.
func (x *shelf[T]) put(i int64, v T) {
	if n := i - x.first + 1 - int64(len(x.list)); n > 0 {
		was := cap(x.list)
		x.list = append(x.list, make([]T, n)...)
		x.acc.add(int64(cap(x.list)-was) * sizeOf[T]())
	}
	x.list[i-x.first] = v
}

// truncate lets go of the things with number n and later ones; gone is told each.
func (x *shelf[T]) truncate(n int64, gone func(T)) {
	keep := min(max(n-x.first, 0), int64(len(x.list)))
	for _, v := range x.list[keep:] {
		gone(v)
	}
	clear(x.list[keep:])
	x.list = x.list[:keep]
}

// dropBefore lets go of the things before number n; gone is told each.
func (x *shelf[T]) dropBefore(n int64, gone func(T)) {
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
