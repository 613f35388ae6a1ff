package heap

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"framescope/internal/testkit"
)

// Elements leave in their order, however they came in and were changed.
func TestOrder(t *testing.T) {
	before := func(a, b *int) bool { return *a < *b }
	rapid.Check(t, func(r *rapid.T) {
		list := rapid.SliceOf(rapid.IntRange(0, 50)).Draw(r, "first")
		want := slices.Clone(list)
		Init(list, before)
		for _, x := range rapid.SliceOf(rapid.IntRange(0, 50)).Draw(r, "pushed") {
			list, want = Push(list, x, before), append(want, x)
		}
		if len(list) > 0 {
			want[slices.Index(want, list[0])] += 20
			list[0] += 20
			Sink(list, 0, before)
		}
		var got []int
		for len(list) > 0 {
			var x int
			x, list = Pop(list, before)
			got = append(got, x)
		}
		slices.Sort(want)
		testkit.EqualSlices(r, got, want, "elements")
	})
}
