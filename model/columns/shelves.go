package columns

// Shelves cache one thing for each block of a list, made when it is first needed. A block of the lowest level has
// 1<<Leaf values, one of a higher level 1<<Up blocks of the level below. The owner knows the type of the things. Things
// of blocks that begin before the oldest value kept take no room.
type Shelves struct {
	Leaf, Up uint8
	Acc      *Account
	Bytes    func(thing any) int64 // what a thing takes

	first  int64 // position of the oldest value that is kept
	levels []shelf
}

type shelf struct {
	first int64 // number of list[0]
	list  []any // nil where nothing is made
}

func (x *Shelves) shift(level int) int { return int(x.Leaf) + int(x.Up)*level }

// firstOf returns the number of the oldest block of a level that is kept.
func (x *Shelves) firstOf(level int) int64 {
	return (x.first + 1<<x.shift(level) - 1) >> x.shift(level)
}

// At returns the thing of block i of a level, nil if it is not there.
func (x *Shelves) At(level int, i int64) any {
	if level >= len(x.levels) {
		return nil
	}
	y := &x.levels[level]
	if i -= y.first; i < 0 || i >= int64(len(y.list)) {
		return nil
	}
	return y.list[i]
}

// Put keeps the thing of block i of a level, which is not before dropped ones.
func (x *Shelves) Put(level int, i int64, thing any) {
	for k := len(x.levels); k <= level; k++ {
		x.levels = append(x.levels, shelf{first: x.firstOf(k)})
	}
	y := &x.levels[level]
	if n := i - y.first + 1 - int64(len(y.list)); n > 0 {
		was := cap(y.list)
		y.list = append(y.list, make([]any, n)...)
		x.Acc.Add(int64(cap(y.list)-was) * SizeOf[any]())
	}
	y.list[i-y.first] = thing
	x.Acc.Add(x.Bytes(thing))
}

// Greatest returns the level of the greatest block that begins with position from and ends by to, -1 if
// none does.
func (x *Shelves) Greatest(from, to int64) (level int) {
	for k := 0; ; k++ {
		if size := int64(1) << x.shift(k); from&(size-1) != 0 || from+size > to {
			return k - 1
		}
	}
}

// Truncate removes the things of blocks with the value at position n or later ones.
func (x *Shelves) Truncate(n int64) {
	for k := range x.levels {
		y := &x.levels[k]
		keep := min(max(n>>x.shift(k)-y.first, 0), int64(len(y.list)))
		x.forget(y.list[keep:])
		y.list = y.list[:keep]
	}
}

// DropBefore removes the things of blocks with values before position n.
func (x *Shelves) DropBefore(n int64) {
	x.first = max(x.first, n)
	for k := range x.levels {
		y, first := &x.levels[k], x.firstOf(k)
		gone := min(first-y.first, int64(len(y.list)))
		x.forget(y.list[:gone])
		left := copy(y.list, y.list[gone:])
		clear(y.list[left:])
		y.list, y.first = y.list[:left], first
	}
}

// Clear removes everything.
func (x *Shelves) Clear() {
	for k := range x.levels {
		x.forget(x.levels[k].list)
		LetGo(x.Acc, x.levels[k].list)
	}
	x.levels = nil
}

// forget takes things off the account.
func (x *Shelves) forget(things []any) {
	for k, thing := range things {
		if thing != nil {
			x.Acc.Add(-x.Bytes(thing))
		}
		things[k] = nil
	}
}
