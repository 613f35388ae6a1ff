package trace

import (
	"slices"
	"testing"
)

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
