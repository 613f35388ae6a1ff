// Package freerows puts what overlaps into rows in which nothing does.
package freerows

import "math"

// Rows are those of a track. What is put into them comes in order of its begins.
type Rows struct {
	ends []int64 // of what lies last in each row
}

// Take returns the first of so many neighbouring rows in which nothing lies any more at a time, and fills them up to
// an end. ok is false where that would take more than most rows.
func (r *Rows) Take(begin, end int64, rows, most int) (row int, ok bool) {
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
