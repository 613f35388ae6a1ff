package trace

import (
	"slices"
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

// TestEven lays spans beside and in each other, as rounding leaves them, with a slack of 1.
func TestEven(t *testing.T) {
	type span = [2]int64
	for _, c := range []struct {
		what        string
		spans, want []span
	}{
		{"apart", []span{{0, 5}, {5, 9}}, []span{{0, 5}, {5, 9}}},
		{"touching", []span{{0, 6}, {5, 9}}, []span{{0, 5}, {5, 9}}},
		{"overlapping by more", []span{{0, 7}, {5, 9}}, []span{{0, 7}, {5, 9}}},
		{"touching with what is in it", []span{{0, 6}, {2, 6}, {5, 9}}, []span{{0, 5}, {2, 5}, {5, 9}}},
		{"in it, to beyond its end", []span{{0, 6}, {2, 7}, {7, 9}}, []span{{0, 6}, {2, 6}, {7, 9}}},
		{"in it at its end", []span{{0, 6}, {5, 6}}, []span{{0, 6}, {5, 6}}},
		{"both short", []span{{0, 1}, {0, 1}, {1, 2}}, []span{{0, 1}, {0, 1}, {1, 2}}},
		{"a callee, touching its neighbour", []span{{0, 9}, {1, 5}, {4, 8}}, []span{{0, 9}, {1, 4}, {4, 8}}},
		{"behind what overlaps", []span{{0, 6}, {3, 20}, {5, 6}, {6, 8}}, []span{{0, 6}, {3, 20}, {5, 6}, {6, 8}}},
	} {
		got := slices.Clone(c.spans)
		EvenRows(got, 1, func(s *span) (int64, *int64) { return s[0], &s[1] })
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", c.what, got, c.want)
		}
	}
}
