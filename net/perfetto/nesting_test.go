package perfetto

import (
	"testing"
)

// Spans that came with lengths in whole µs, and that overlap by no more, follow each other: none ends with the other.
func TestUnfoldTouching(t *testing.T) {
	for _, c := range []struct{ over, overlapping, end int64 }{{0, 0, 30_000}, {1000, 0, 30_000}, {1500, 1, 21_500}} {
		rows, n := Unfold(nil, []Whole{{Begin: 10_000, End: 20_000 + c.over}, {Begin: 20_000, End: 30_000}})
		end := int64(0)
		for _, r := range rows {
			end = max(end, r.Time)
		}
		if n != c.overlapping || end != c.end || len(rows) != 4 {
			t.Errorf("overlapping by %d ns: %d counted, up to %d, %d rows", c.over, n, end, len(rows))
		}
	}
}
