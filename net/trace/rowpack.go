// File rowpack.go puts what overlaps into rows in which nothing does, and says what only seems to overlap.

package trace

import "math"

// FreeRows holds the rows of a track. Take is called in order of begins.
type FreeRows struct {
	ends []int64 // of what lies last in each row
}

// Take returns the first of so many neighbouring rows in which nothing lies any more at a time, and fills them up to
// an end. ok is false where that would take more than most rows.
func (r *FreeRows) Take(begin, end int64, rows, most int) (row int, ok bool) {
	free := 0
	for row = 0; row < len(r.ends) && free < rows; row++ {
		if free++; r.ends[row] > begin {
			free = 0
		}
	}
	if row -= free; row+rows > most {
		return 0, false
	}
	for len(r.ends) < row+rows {
		r.ends = append(r.ends, math.MinInt64)
	}
	for k := range rows {
		r.ends[row+k] = end
	}
	return row, true
}

// EvenRows takes off the ends of spans what rounding added to them, where a format rounds begins and lengths each for
// itself: by up to slack a span may seem to end after the next one begins, or after the one that it lies in ends.
// It ends where that begins, or ends, then. What overlaps by more stays as it is. The spans are in order, callers
// before what they call; of returns the begin of one, and its end.
func EvenRows[S any](spans []S, slack int64, of func(*S) (begin int64, end *int64)) {
	if slack <= 0 {
		return
	}
	var open []int32
	for i := range spans {
		begin, end := of(&spans[i])
		var around *int64 // end of the one that it lies in
		for n := len(open) - 1; n >= 0 && around == nil; n-- {
			b, e := of(&spans[open[n]])
			switch over := *e - begin; {
			case over <= 0:
			case over <= slack && *end > *e && b < begin:
				*e = begin
			default:
				around = e
				continue
			}
			open = open[:n]
		}
		if around != nil && *end > *around && *end-*around <= slack {
			*end = *around
		}
		if around == nil || *end <= *around {
			open = append(open, int32(i))
		}
	}
}
