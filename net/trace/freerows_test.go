package trace

import (
	"testing"
)

// What overlaps lies in rows of its own, what is free again is taken, and what has no place is told.
func TestTake(t *testing.T) {
	var r FreeRows
	for i, c := range []struct {
		begin, end int64
		rows, want int
		ok         bool
	}{
		{0, 10, 1, 0, true}, {1, 5, 2, 1, true}, {5, 8, 1, 1, true}, {6, 8, 2, 2, true}, {7, 9, 2, 0, false}, {10, 12, 2, 0, true},
	} {
		if row, ok := r.Take(c.begin, c.end, c.rows, 4); row != c.want || ok != c.ok {
			t.Errorf("%d: in row %d, %t", i, row, ok)
		}
	}
}
