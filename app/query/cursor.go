//go:build !js

package query

import (
	"context"
	"maps"
	"slices"

	"framescope/app/convert"
)

// cursor goes over the rows of a table. They are read on a goroutine, some at a time, so that a processor reads while
// another computes.
type cursor struct {
	t    *table
	used []int // columns of the sessions that are read
	at   []int // where they are in a batch, by column
	rows <-chan *batch
	free chan *batch
	stop context.CancelFunc
	now  *batch
	row  int
}

// batch are some rows.
type batch struct {
	source, n int
	ids       []int64
	values    []vector // of the used columns
}

// vector are the values of a column.
type vector struct {
	ints   []int64
	floats []float64
	texts  []string
	nulls  []bool // of columns that may lack values
	// fixed reports that texts has one for all rows.
	fixed bool
}

// maxBatch is how many rows are handed over at a time; the first batches are small, as a join may read few rows.
const (
	minBatch = 16
	maxBatch = 1024
)

// errStopped ends reading.
var errStopped = context.Canceled

// filter begins to read.
func (c *cursor) filter(number int, values []any) error {
	c.close()
	p := &c.t.plans[number]
	wish := p.wish(values)
	c.used, c.at = c.used[:0], make([]int, len(c.t.Columns))
	for k := range c.t.Columns {
		if wish.Unread>>k&1 == 0 || slices.Contains(p.by, k) {
			wish.Unread &^= 1 << k
			c.at[k] = len(c.used)
			c.used = append(c.used, k)
		}
	}
	wish.AnyOrder = len(c.used) == 0
	ctx, stop := context.WithCancel(c.t.db.ctx)
	c.stop = stop
	rows := make(chan *batch, 2)
	c.rows, c.free = rows, make(chan *batch, 4)
	if len(p.by) > 0 {
		sorted, err := c.sorted(ctx, wish, p.by)
		if err != nil {
			return c.fails(err)
		}
		rows = make(chan *batch, len(sorted))
		for _, b := range sorted {
			rows <- b
		}
		close(rows)
		c.rows = rows
	} else {
		go c.read(ctx, wish, rows)
	}
	c.now, c.row = nil, 0
	return c.next()
}

// fails keeps an error, whose words SQLite would lose.
func (c *cursor) fails(err error) error {
	c.t.db.err = err
	return err
}

// read hands over the rows of all sessions.
func (c *cursor) read(ctx context.Context, wish convert.Wish, to chan<- *batch) {
	defer close(to)
	d := c.t.db
	access := d.reader(ctx)
	if access.Begin() != nil {
		return
	}
	defer access.End()
	full := minBatch
	give := func(b *batch) error {
		access.End()
		select {
		case to <- b:
			return access.Begin()
		case <-ctx.Done():
			return errStopped
		}
	}
	for n := range d.sources {
		b := c.batch(n)
		err := c.each(access, n, wish, func(id int64, row []convert.Cell) error {
			if b.add(c, id, row); b.n < full {
				return nil
			}
			full = min(full*4, maxBatch)
			err := give(b)
			b = c.batch(n)
			return err
		})
		if err != nil || give(b) != nil {
			return
		}
	}
}

// spentRows is how many rows are read between two looks at whether to go on.
const spentRows = 32

// each passes the rows of a session to fn, as far as turns reach. Each of a derived table may take long.
func (c *cursor) each(a *Reader, source int, wish convert.Wish, fn func(id int64, row []convert.Cell) error) error {
	part := *c.t.db.sources[source].Part
	most, n, spent := spentRows, 0, int64(0)
	part.OnProgress(func(done, _ int64) { // among them rows that nobody wants; an error ends reading
		a.Spend(int(done - spent))
		spent = done
	})
	if c.t.Derived {
		most = 1
	}
	return c.t.Read(a.Context, &part, wish, func(id int64, row []convert.Cell) error {
		err := fn(id, row)
		if n++; err != nil || n%most != 0 {
			return err
		}
		spent += int64(most)
		return a.Spend(most)
	})
}

// batch returns an empty batch.
func (c *cursor) batch(source int) *batch {
	select {
	case b := <-c.free:
		b.source, b.n, b.ids = source, 0, b.ids[:0]
		for k := range b.values {
			v := &b.values[k]
			*v = vector{ints: v.ints[:0], floats: v.floats[:0], texts: v.texts[:0], nulls: v.nulls[:0]}
		}
		return b
	default:
		return &batch{source: source, values: make([]vector, len(c.used))}
	}
}

// alike returns an empty batch with room for some rows, all of them with the texts key in the columns by.
func (c *cursor) alike(by []int, key [2]string, room int) *batch {
	b := &batch{values: make([]vector, len(c.used)), ids: make([]int64, 0, room)}
	for i, k := range c.used {
		switch v := &b.values[i]; {
		case slices.Contains(by, k):
			v.texts, v.fixed = []string{key[slices.Index(by, k)]}, true
		case c.t.Columns[k].Kind == convert.Int:
			v.ints = make([]int64, 0, room)
		}
	}
	return b
}

// add appends a row.
func (b *batch) add(c *cursor, id int64, row []convert.Cell) {
	b.n++
	b.ids = append(b.ids, id)
	for i, k := range c.used {
		b.values[i].add(&row[k], &c.t.Columns[k])
	}
}

func (v *vector) add(c *convert.Cell, column *convert.Column) {
	if v.fixed {
		return
	}
	if column.Null {
		v.nulls = append(v.nulls, c.Null)
	}
	switch column.Kind {
	case convert.Int:
		v.ints = append(v.ints, c.Int)
	case convert.Float:
		v.floats = append(v.floats, c.Float)
	default:
		v.texts = append(v.texts, c.Text)
	}
}

// sorted reads the rows of a session in the order of one or two names.
func (c *cursor) sorted(ctx context.Context, wish convert.Wish, by []int) (out []*batch, err error) {
	access := c.t.db.reader(ctx)
	if err := access.Begin(); err != nil {
		return nil, err
	}
	defer access.End()
	all := map[[2]string][]*batch{}
	var last [2]string
	var b *batch
	wish.AnyOrder = true
	err = c.each(access, 0, wish, func(id int64, row []convert.Cell) error {
		var key [2]string
		for i, k := range by {
			key[i] = row[k].Text
		}
		if b == nil || key != last {
			list := all[key]
			if b, last = nil, key; len(list) > 0 {
				b = list[len(list)-1]
			}
		}
		if room := 0; b == nil || b.n == maxBatch {
			if b != nil {
				room = maxBatch // there are many
			}
			b = c.alike(by, key, room)
			all[key] = append(all[key], b)
		}
		b.add(c, id, row)
		return nil
	})
	byText := func(a, b [2]string) int { return slices.Compare(a[:], b[:]) }
	for _, key := range slices.SortedFunc(maps.Keys(all), byText) {
		out = append(out, all[key]...)
	}
	return out, err
}

// next goes to the next row.
func (c *cursor) next() error {
	c.row++
	if c.now != nil && c.row < c.now.n {
		return nil
	}
	return c.turn()
}

// turn goes to the next batch that has rows.
func (c *cursor) turn() error {
	d := c.t.db
	for c.row = 0; ; {
		if c.now != nil {
			if n := d.read.Add(int64(c.now.n)); d.most > 0 && n > d.most {
				return c.fails(errRead)
			}
			select {
			case c.free <- c.now:
			default:
			}
		}
		select {
		case c.now = <-c.rows:
		case <-d.ctx.Done():
			return d.ctx.Err()
		}
		if c.now == nil || c.now.n > 0 {
			return nil
		}
	}
}

// rowid is a number that no other row has.
func (c *cursor) rowid() int64 { return c.now.ids[c.row] ^ int64(c.now.source)<<48 }

// close ends reading.
func (c *cursor) close() {
	if c.stop != nil {
		c.stop()
		for range c.rows { // the goroutine has ended
		}
	}
}
