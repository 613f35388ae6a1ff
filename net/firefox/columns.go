package firefox

import (
	"math"

	"framescope/net/feed"
	"framescope/net/trace"
)

const (
	none   = -1            // no index
	noTime = math.MinInt64 // a time that is not there
)

// keeper keeps the values of columns, as far as there is room.
type keeper struct {
	room *feed.Names
	bad  *trace.Diagnostics
}

// fields says where the members of an object of the file go, by their keys: into a variable or a list, to a function,
// or into the fields of an object or of each object of a list.
type fields map[string]any

type (
	word  string // a number, a word or a text
	count int    // of the values of a list
	ns    int64  // a time in ms
	each  func() // called for each value of a list
)

// list is a list of the file that goes into a variable.
type list interface {
	reset()
	read(k *keeper, r *trace.Reader)
	// fill fills a damaged place: n is how long the list should be, -1: that is not known.
	fill(k *keeper, n int)
	// whole is how long the list is, -1 where a place is damaged.
	whole() int
}

// column is a list of values that are parsed; missing stands for those in damaged places.
type column[T any] struct {
	to      *[]T
	missing T
	parse   func(b []byte) (T, bool)
	isSum   bool // what stands behind a damaged place is not known
	hole    trace.Hole
}

func (c *column[T]) reset() { *c.to = (*c.to)[:0] }

func (c *column[T]) fill(k *keeper, n int) {
	if c.isSum {
		n = -1
	}
	*c.to = trace.Fit(k.room, *c.to, c.hole, n, c.missing)
}

func (c *column[T]) whole() int {
	if c.hole.Any {
		return -1
	}
	return len(*c.to)
}

// read reads the list. parse reports whether it understands a value, and null is taken as it says.
func (c *column[T]) read(k *keeper, r *trace.Reader) {
	list, full := *c.to, false // what follows would be in the place of something else
	c.hole = r.Entries(func() {
		first, place := r.Peek(), r.At()
		v, ok := c.parse(r.Plain())
		if r.Err() != nil {
			return
		}
		if !ok {
			k.wrong(r, first, place)
		}
		n := len(list)
		if !full {
			list = more(k, list, v)
		}
		full = len(list) == n
	})
	*c.to = list
}

// reset empties all lists, and keeps their capacity.
func (f fields) reset() {
	for _, to := range f {
		switch to := to.(type) {
		case list:
			to.reset()
		case fields:
			to.reset()
		}
	}
}

// read reads an object. Damaged lists in it are made as long as the others.
func (k *keeper) read(r *trace.Reader, f fields) bool {
	f.reset()
	var lists []list
	n := -1
	read := map[string]bool{}
	whole := r.Object(func(key []byte) {
		to, known := f[string(key)]
		if known && read[string(key)] { // of what comes behind, where a piece of the file is missing
			k.bad.Bad(trace.Gap, r.At())
			return
		}
		if known {
			read[string(key)] = true
		}
		switch to := to.(type) {
		case *string:
			*to = trace.Shown(trace.JSONText(r.String()))
		case *word:
			*to = readWord(r)
		case *count:
			*to = 0
			r.Entries(func() { *to++ })
		case *int64:
			if v, ok := r.Int(); ok {
				*to = v
			}
		case *ns:
			*to = ns(k.time(r, int64(*to)))
		case list:
			to.reset()
			to.read(k, r)
			lists = append(lists, to)
			n = max(n, to.whole())
		case fields:
			k.read(r, to)
		case each:
			r.Array(to)
		case func():
			to()
		}
	})
	for _, l := range lists {
		l.fill(k, n)
	}
	return whole
}

func readWord(r *trace.Reader) word {
	if r.Peek() == '"' {
		return word(trace.Shown(trace.JSONText(r.String())))
	}
	return word(r.Plain())
}

// wrong notes the place of a value of the wrong type, given its first byte; null is fine. A missing
// value is reported as invalid JSON.
func (k *keeper) wrong(r *trace.Reader, first byte, at int64) {
	if first != 'n' && first != ',' && r.Err() == nil {
		k.bad.Bad(trace.BadNumber, at)
	}
}

// more returns a list with one value more, if there is room. What there is no room for is counted.
func more[T any](k *keeper, list []T, v T) []T {
	list, ok := feed.Grow(k.room, list, 1)
	if !ok {
		k.bad.Bad(trace.NoMemory, trace.Unknown)
		return list
	}
	return append(list, v)
}

// indexes is a column of indexes; null, negative values and other types become none.
func indexes(to *[]int32) list {
	return &column[int32]{to: to, missing: none, parse: func(b []byte) (int32, bool) {
		v := number(b)
		if v >= 0 && v <= math.MaxInt32 {
			return int32(v), true
		}
		return none, v == none
	}}
}

// times is a column of times in ms, as ns.
func times(to *[]int64) list {
	return &column[int64]{to: to, missing: noTime, parse: func(b []byte) (int64, bool) {
		at, ok := trace.ParseTime(b, 6)
		if !ok {
			return noTime, false
		}
		return at.Round(), true
	}}
}

// deltas is a column of times in ms, as ns, each as the distance from the one before.
func deltas(to *[]int64) list {
	var sum trace.Instant
	return &column[int64]{to: to, missing: noTime, isSum: true, parse: func(b []byte) (ns int64, ok bool) {
		if at, isTime := trace.ParseTime(b, 6); isTime {
			next := sum.Plus(at)
			if ok = next.Ns <= trace.MaxTime && next.Ns >= -trace.MaxTime; ok {
				sum = next
			}
		}
		return sum.Round(), ok
	}}
}

// time reads a time in ms as ns; without one it uses the other.
func (k *keeper) time(r *trace.Reader, without int64) int64 {
	first, place := r.Peek(), r.At()
	at, ok := trace.ParseTime(r.Plain(), 6)
	if !ok {
		k.wrong(r, first, place)
		return without
	}
	return at.Round()
}

// numbers is a column of numbers; null and other types become NaN.
func numbers(to *[]float64) list {
	return &column[float64]{to: to, missing: math.NaN(), parse: func(b []byte) (float64, bool) {
		v := number(b)
		return v, !math.IsNaN(v)
	}}
}

// number returns a number of the file, NaN where there is none.
func number(b []byte) float64 {
	if v, ok := trace.Number(b); ok {
		return v
	}
	return math.NaN()
}

// texts are strings as they stand in the file.
type texts struct {
	bytes []byte
	ends  []int
}

// read reads an array of strings; those that there is no room for are empty. Behind damage their places are not known:
// these are left out.
func (x *texts) read(k *keeper, r *trace.Reader) {
	h := r.Entries(func() {
		if first := r.Peek(); first != '"' {
			k.wrong(r, first, r.At())
		}
		s := r.String()
		if r.Err() == nil {
			x.add(k, s)
		}
	})
	x.cut(h)
}

// cut leaves out what is damaged, and all behind it.
func (x *texts) cut(h trace.Hole) {
	if h.Any {
		x.ends = x.ends[:min(h.From, len(x.ends))]
	}
}

func (x *texts) reset() { x.bytes, x.ends = x.bytes[:0], x.ends[:0] }

// fill does nothing: a damaged place was cut off.
func (x *texts) fill(*keeper, int) {}

func (x *texts) whole() int { return -1 }

// add keeps one more text, cut to its beginning if it is long.
func (x *texts) add(k *keeper, s []byte) {
	s = s[:min(len(s), trace.MaxText+1)] // one more byte: Text sees that it is cut
	bytes, ok := feed.Grow(k.room, x.bytes, len(s))
	if x.bytes = bytes; ok {
		x.ends, ok = feed.Grow(k.room, x.ends, 1)
	}
	if !ok {
		k.bad.Bad(trace.NoMemory, trace.Unknown)
		return
	}
	x.bytes = append(x.bytes, s...)
	x.ends = append(x.ends, len(x.bytes))
}

// at returns a string, nil where there is none of that index.
func (x *texts) at(i int32) []byte {
	if i < 0 || int(i) >= len(x.ends) {
		return nil
	}
	from := 0
	if i > 0 {
		from = x.ends[i-1]
	}
	return x.bytes[from:x.ends[i]:x.ends[i]]
}

// find returns the index of a string, none without.
func (x *texts) find(s string) int32 {
	for i := range x.ends {
		if b := x.at(int32(i)); len(b) >= len(s) && trace.JSONText(b) == s {
			return int32(i)
		}
	}
	return none
}

// at is the value of a row, none where the column has no such.
func at(column []int32, i int32) int32 {
	if i < 0 || int(i) >= len(column) {
		return none
	}
	return column[i]
}
