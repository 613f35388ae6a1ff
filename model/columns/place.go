package columns

import "slices"

// Place adds values, which it sorts, to a column of T in order of time; the values from position
// first on count. Of equal times the value that came first stays first. from is the position of the
// first changed value; refused is the number of values that were too old: the first ones of add,
// which is sorted then. Cost: O(values added + values that move).
func Place[T any](c *Column, add []T, first, window int64, timeOf func(*T) int64) (from int64, refused int) {
	end := c.End()
	if len(add) == 0 {
		return end, 0
	}
	for i := 1; i < len(add); i++ {
		if timeOf(&add[i]) < timeOf(&add[i-1]) {
			slices.SortStableFunc(add, func(a, b T) int {
				if ta, tb := timeOf(&a), timeOf(&b); ta < tb {
					return -1
				} else if ta > tb {
					return 1
				}
				return 0
			})
			break
		}
	}
	from = end
	if end > first && timeOf(Ref[T](c, end-1)) > timeOf(&add[0]) {
		floor := max(first, end-window)
		if floor > first {
			oldest := timeOf(Ref[T](c, floor-1))
			for len(add) > 0 && timeOf(&add[0]) < oldest {
				add = add[1:]
				refused++
			}
		}
		if len(add) == 0 {
			return from, refused
		}
		then := timeOf(&add[0])
		from = Search(floor, end, func(i int64) bool { return timeOf(Ref[T](c, i)) > then })
	}
	for i := range add {
		Append(c, add[i])
	}
	// From the end: the later of the two goes where there is room for one more.
	for old, to := end-1, c.End()-1; old >= from && len(add) > 0; to-- {
		last := &add[len(add)-1]
		if v := Ref[T](c, old); timeOf(v) > timeOf(last) {
			*Ref[T](c, to) = *v
			old--
			continue
		}
		*Ref[T](c, to) = *last
		add = add[:len(add)-1]
	}
	for i := range add {
		*Ref[T](c, from+int64(i)) = add[i]
	}
	return from, refused
}

// TakeBack removes from a column of T the values at position first and later for which gone holds. It
// returns the position of the first changed value. gone is called once for each, the oldest first.
func TakeBack[T any](c *Column, first int64, gone func(*T) bool) int64 {
	end := c.End()
	from, to := end, end
	for i := first; i < end; i++ {
		switch v := Ref[T](c, i); {
		case gone(v):
			if from == end {
				from, to = i, i
			}
		case from < end:
			*Ref[T](c, to) = *v
			to++
		}
	}
	c.Truncate(to)
	return from
}

// scratchKept is the greatest scratch memory for new values that is kept, in values.
const scratchKept = 1 << 10

// Settle accounts for the memory for new values, which is empty, and returns it, or none if it grew
// large for many values at once.
func Settle[T any](a *Account, b *Booked, scratch []T) []T {
	if cap(scratch) > scratchKept {
		scratch = nil
	}
	b.Set(a, int64(cap(scratch))*SizeOf[T]())
	return scratch[:0]
}
