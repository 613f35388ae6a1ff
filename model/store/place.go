package store

import (
	"math"
	"slices"

	"framescope/model"
)

// placer puts values that come slightly out of order into a column that is in order of time.
type placer[T any] struct {
	add, tail []T
	booked    booked
}

// settle writes down what the placer takes, and gives back what was needed for many values at once.
func (p *placer[T]) settle(a *account) {
	if cap(p.add) > placerKept {
		p.add = nil
	}
	if cap(p.tail) > placerKept+sampleWindow {
		p.tail = nil
	}
	p.booked.set(a, int64(cap(p.add)+cap(p.tail))*sizeOf[T]())
}

// placerKept is the greatest scratch memory for new values that is kept, in values.
const placerKept = 1 << 10

// place adds the values of p.add, which it sorts, to c, whose values from position first on count. Of equal times the value that came first stays first.
// from is the position of the first value that is not what it was before; refused is how many were too old. Cost: O(values added + values that move).
func (p *placer[T]) place(c *column[T], first, window int64, timeOf func(*T) int64) (from int64, refused int) {
	add := p.add
	if len(add) == 0 {
		return c.n, 0
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
	from = c.n
	if c.n > first && timeOf(c.ref(c.n-1)) > timeOf(&add[0]) {
		floor := max(first, c.n-window)
		if floor > first {
			oldest := timeOf(c.ref(floor - 1))
			for len(add) > 0 && timeOf(&add[0]) < oldest {
				add = add[1:]
				refused++
			}
		}
		if len(add) == 0 {
			return from, refused
		}
		then := timeOf(&add[0])
		from = searchPos(floor, c.n, func(i int64) bool { return timeOf(c.ref(i)) > then })
	}
	p.tail = p.tail[:0]
	for i := from; i < c.n; {
		run := c.run(i, c.n)
		p.tail = append(p.tail, run...)
		i += int64(len(run))
	}
	c.truncate(from)
	tail := p.tail
	for len(add) > 0 || len(tail) > 0 {
		if len(add) == 0 || len(tail) > 0 && timeOf(&tail[0]) <= timeOf(&add[0]) {
			c.push(tail[0])
			tail = tail[1:]
			continue
		}
		c.push(add[0])
		add = add[1:]
	}
	return from, refused
}

// takeBack removes from c the values at position first and later for which gone holds. It returns the position of the first value that is not what it was before.
func (p *placer[T]) takeBack(c *column[T], first int64, gone func(*T) bool) (from int64) {
	from = c.n
	p.tail = p.tail[:0]
	after := 0
	for i := c.n - 1; i >= first; i-- {
		v := c.ref(i)
		if gone(v) {
			from, after = i, len(p.tail) // what was kept so far lies behind it
			continue
		}
		p.tail = append(p.tail, *v)
	}
	c.truncate(from)
	for i := after - 1; i >= 0; i-- {
		c.push(p.tail[i])
	}
	return from
}

// frameStarts remembers how long a list was when the values of the newest frames were added, so that a rewind need not look through all of it.
type frameStarts struct {
	list    []frameStart // ascending
	dropped bool         // older frames had values too
	acc     *account
}

type frameStart struct{ number, n int64 }

// add notes that values of a frame are about to be added.
func (f *frameStarts) add(number, n int64) {
	if number == model.NoFrame {
		return
	}
	if len(f.list) == 2*undoFrames {
		f.list = f.list[:copy(f.list, f.list[undoFrames:])]
		f.dropped = true
	}
	f.list = push(f.acc, f.list, frameStart{number, n})
}

// rewind forgets the frames of at least number and returns the position before which none of their values were added.
func (f *frameStarts) rewind(number int64) (from int64) {
	i := len(f.list)
	for i > 0 && f.list[i-1].number >= number {
		i--
	}
	if i == len(f.list) && (i > 0 || !f.dropped) {
		return math.MaxInt64
	}
	if i > 0 || !f.dropped {
		from = f.list[i].n
	}
	f.list = f.list[:i]
	return from
}
