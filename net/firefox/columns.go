package firefox

import (
	"math"
	"strconv"

	"framescope/net/feed"
	"framescope/net/trace"
)

const (
	none    = -1 // no index
	maxText = trace.MaxText
)

// noTime is a time that is not there.
const noTime = math.MinInt64

// keeper keeps columns, as far as there is room.
type keeper struct {
	room    *feed.Names
	refused int64       // values that there was no room for
	bad     trace.Tally // values of the wrong type for their column
}

// wrong notes the place of a value of the wrong type, given its first byte; null is fine. A missing
// value is reported as invalid JSON.
func (k *keeper) wrong(r *trace.Reader, first byte, at int64) {
	if first != 'n' && first != ',' && r.Err() == nil {
		k.bad.Add(at)
	}
}

// more returns a list with one value more, if there is room. What there is no room for is counted, and
// all that follows of a list that is full.
func more[T any](k *keeper, list []T, full *bool, v T) []T {
	if !*full {
		var ok bool
		if list, ok = feed.Grow(k.room, list, 1); ok {
			return append(list, v)
		}
		*full = true
	}
	k.refused++
	return list
}

// indexes reads a column of indexes; null, negative values and other types become none.
func (k *keeper) indexes(r *trace.Reader, list []int32) []int32 {
	list = list[:0]
	full := false
	r.Array(func() {
		first, place := r.Peek(), r.At()
		v, ok := r.Int()
		if r.Err() != nil {
			return
		}
		if !ok || v < 0 || v > math.MaxInt32 {
			if !ok || v != none {
				k.wrong(r, first, place)
			}
			v = none
		}
		list = more(k, list, &full, int32(v))
	})
	return list
}

// times reads a column of times in ms as ns, each by itself or as the distance from the one before.
func (k *keeper) times(r *trace.Reader, list []int64, deltas bool) []int64 {
	list = list[:0]
	full := false
	var sum trace.Instant
	r.Array(func() {
		first, place := r.Peek(), r.At()
		b := r.Plain()
		if r.Err() != nil {
			return
		}
		at, ok := trace.ParseTime(b, 6)
		if deltas && ok {
			next := sum.Plus(at)
			if ok = next.Ns <= trace.MaxTime && next.Ns >= -trace.MaxTime; ok {
				sum = next
			}
			at = sum
		} else if deltas && first == 'n' {
			first = 0 // no distance can be null
		}
		if !ok {
			k.wrong(r, first, place)
		}
		ns := at.Round()
		if !ok && !deltas {
			ns = noTime
		} else if !ok {
			ns = sum.Round()
		}
		list = more(k, list, &full, ns)
	})
	return list
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
func (k *keeper) numbers(r *trace.Reader, list []float64) []float64 {
	list = list[:0]
	full := false
	r.Array(func() {
		first, place := r.Peek(), r.At()
		v := number(r.Plain())
		if r.Err() != nil {
			return
		}
		if math.IsNaN(v) {
			k.wrong(r, first, place)
		}
		list = more(k, list, &full, v)
	})
	return list
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

// read reads an array of strings; those that there is no room for are empty.
func (x *texts) read(k *keeper, r *trace.Reader) {
	x.reset()
	r.Array(func() {
		if first := r.Peek(); first != '"' {
			k.wrong(r, first, r.At())
		}
		s := r.String()
		if r.Err() == nil {
			x.add(k, s)
		}
	})
}

func (x *texts) reset() { x.bytes, x.ends = x.bytes[:0], x.ends[:0] }

// add keeps one more text, cut to its beginning if it is long.
func (x *texts) add(k *keeper, s []byte) {
	s = s[:min(len(s), maxText+1)] // one more byte: Text sees that it is cut
	bytes, ok := feed.Grow(k.room, x.bytes, len(s))
	if x.bytes = bytes; ok {
		x.ends, ok = feed.Grow(k.room, x.ends, 1)
	}
	if !ok {
		k.refused++
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
