package columns

import (
	"slices"

	"framescope/model/internal/sizes"
)

// Placer puts values that come slightly out of order into a column that is in order of time.
type Placer[T any] struct {
	Add, tail []T
	booked    Booked
}

// Settle writes down what the placer takes, and gives back what was needed for many values at once.
func (p *Placer[T]) Settle(a *Account) {
	if cap(p.Add) > placerKept {
		p.Add = nil
	}
	if cap(p.tail) > placerKept+sizes.SampleWindow {
		p.tail = nil
	}
	p.booked.Set(a, int64(cap(p.Add)+cap(p.tail))*SizeOf[T]())
}

// placerKept is the greatest scratch memory for new values that is kept, in values.
const placerKept = 1 << 10

// Place adds the values of p.add, which it sorts, to c, whose values from position first on count.
// Of equal times the value that came first stays first. from is the position of the first value
// that is not what it was before; refused is how many were too old. Cost: O(values added + values
// that move).
func (p *Placer[T]) Place(c *Column[T], first, window int64, timeOf func(*T) int64) (from int64, refused int) {
	add := p.Add
	if len(add) == 0 {
		return c.End(), 0
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
	from = c.End()
	if c.End() > first && timeOf(c.Ref(c.End()-1)) > timeOf(&add[0]) {
		floor := max(first, c.End()-window)
		if floor > first {
			oldest := timeOf(c.Ref(floor - 1))
			for len(add) > 0 && timeOf(&add[0]) < oldest {
				add = add[1:]
				refused++
			}
		}
		if len(add) == 0 {
			return from, refused
		}
		then := timeOf(&add[0])
		from = Search(floor, c.End(), func(i int64) bool { return timeOf(c.Ref(i)) > then })
	}
	p.tail = p.tail[:0]
	for i := from; i < c.End(); {
		run := c.Run(i, c.End())
		p.tail = append(p.tail, run...)
		i += int64(len(run))
	}
	c.Truncate(from)
	tail := p.tail
	for len(add) > 0 || len(tail) > 0 {
		if len(add) == 0 || len(tail) > 0 && timeOf(&tail[0]) <= timeOf(&add[0]) {
			c.Push(tail[0])
			tail = tail[1:]
			continue
		}
		c.Push(add[0])
		add = add[1:]
	}
	return from, refused
}

// TakeBack removes from c the values at position first and later for which gone holds. It returns
// the position of the first value that is not what it was before.
func (p *Placer[T]) TakeBack(c *Column[T], first int64, gone func(*T) bool) (from int64) {
	from = c.End()
	p.tail = p.tail[:0]
	after := 0
	for i := c.End() - 1; i >= first; i-- {
		v := c.Ref(i)
		if gone(v) {
			from, after = i, len(p.tail) // what was kept so far lies behind it
			continue
		}
		p.tail = append(p.tail, *v)
	}
	c.Truncate(from)
	for i := after - 1; i >= 0; i-- {
		c.Push(p.tail[i])
	}
	return from
}

// Clear takes the scratch memory off the account.
func (p *Placer[T]) Clear(a *Account) { p.booked.Set(a, 0) }
