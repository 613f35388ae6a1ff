package firefox

import (
	"math"
	"strconv"

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

// fields says where the members of an object of the file go, by their keys: into a variable, to a function, or into the
// fields of an object or of each object of a list.
type fields map[string]any

type (
	word   string                // a number, a word or a text
	count  int                   // of the values of a list
	ns     int64                 // a time in ms
	deltas struct{ to *[]int64 } // times in ms, each as the distance from the one before
	each   func()                // called for each value of a list
)

// read reads an object. Damaged lists in it are made as long as the others.
func (k *keeper) read(r *trace.Reader, f fields) bool {
	var lists []list
	whole := r.Object(func(key []byte) {
		switch to := f[string(key)].(type) {
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
		case *[]int32:
			lists = append(lists, list{to, k.indexes(r, to)})
		case *[]int64:
			lists = append(lists, list{to, k.times(r, to, false)})
		case deltas:
			lists = append(lists, list{to, k.times(r, to.to, true)})
		case *[]float64:
			lists = append(lists, list{to, k.numbers(r, to)})
		case *texts:
			to.read(k, r)
		case fields:
			k.read(r, to)
		case each:
			r.Objects(to)
		case func():
			to()
		}
	})
	k.fit(lists)
	return whole
}

// list is a list that was read.
type list struct {
	to   any
	hole trace.Hole
}

// fit makes the lists with holes as long as the longest of the others.
func (k *keeper) fit(lists []list) {
	n := -1
	for _, l := range lists {
		if !l.hole.Any {
			n = max(n, l.len())
		}
	}
	for _, l := range lists {
		switch to := l.to.(type) {
		case *[]int32:
			*to = trace.Fit(k.room, *to, l.hole, n, none)
		case *[]int64:
			*to = trace.Fit(k.room, *to, l.hole, n, noTime)
		case deltas:
			*to.to = trace.Fit(k.room, *to.to, l.hole, -1, noTime) // times behind it are not known
		case *[]float64:
			*to = trace.Fit(k.room, *to, l.hole, n, math.NaN())
		}
	}
}

// len is how long a list is.
func (l list) len() int {
	switch to := l.to.(type) {
	case *[]int32:
		return len(*to)
	case *[]int64:
		return len(*to)
	case *[]float64:
		return len(*to)
	case deltas:
		return len(*to.to)
	}
	return 0
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

// column reads a list; parse reports whether it understands a value, and null is taken as it says.
func column[T any](k *keeper, r *trace.Reader, to *[]T, parse func(b []byte) (T, bool)) trace.Hole {
	list := (*to)[:0]
	defer func() { *to = list }()
	full := false // what follows would be in the place of something else
	return r.Entries(func() {
		first, place := r.Peek(), r.At()
		v, ok := parse(r.Plain())
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
}

// indexes reads a column of indexes; null, negative values and other types become none.
func (k *keeper) indexes(r *trace.Reader, list *[]int32) trace.Hole {
	return column(k, r, list, func(b []byte) (int32, bool) {
		v := number(b)
		if v >= 0 && v <= math.MaxInt32 {
			return int32(v), true
		}
		return none, v == none
	})
}

// times reads a column of times in ms as ns, each by itself or as the distance from the one before.
func (k *keeper) times(r *trace.Reader, list *[]int64, deltas bool) trace.Hole {
	var sum trace.Instant
	return column(k, r, list, func(b []byte) (int64, bool) {
		at, ok := trace.ParseTime(b, 6)
		switch {
		case !ok && !deltas:
			return noTime, false
		case !deltas:
			return at.Round(), true
		case !ok:
			return sum.Round(), false
		}
		next := sum.Plus(at)
		if ok = next.Ns <= trace.MaxTime && next.Ns >= -trace.MaxTime; ok {
			sum = next
		}
		return sum.Round(), ok
	})
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

// numbers reads a column of numbers; null and other types become NaN.
func (k *keeper) numbers(r *trace.Reader, list *[]float64) trace.Hole {
	return column(k, r, list, func(b []byte) (float64, bool) {
		v := number(b)
		return v, !math.IsNaN(v)
	})
}

// number returns a number of the file, NaN where there is none.
func number(b []byte) float64 {
	if len(b) > 0 && len(b) < 16 {
		n, i := int64(0), 0
		for ; i < len(b) && b[i]-'0' <= 9; i++ {
			n = n*10 + int64(b[i]-'0')
		}
		if i == len(b) {
			return float64(n)
		}
	}
	v, err := strconv.ParseFloat(string(b), 64)
	if err != nil || math.IsInf(v, 0) {
		return math.NaN()
	}
	return v
}

// texts are strings as they stand in the file.
type texts struct {
	bytes []byte
	ends  []int
}

// read reads an array of strings; those that there is no room for are empty. Behind damage their places are not known:
// these are left out.
func (x *texts) read(k *keeper, r *trace.Reader) {
	x.reset()
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
