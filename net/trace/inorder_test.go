package trace

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"

	"framescope/internal/testkit"
)

type item struct {
	key  int64
	from int // where it was
}

func byKey(a, b item) int { return cmp.Compare(a.key, b.key) }

// merged returns a list of several that are in order, behind each other or with their values mixed.
func merged(r *rand.Rand, n, lists int, mixed bool) (list []item) {
	last := make([]int64, lists)
	for i := range n {
		of := i * lists / n
		if mixed {
			of = r.IntN(lists)
		}
		last[of] += r.Int64N(3)
		list = append(list, item{last[of], i})
	}
	return list
}

func TestSortKeepsTheOrderOfEquals(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		n := r.IntN(300)
		list := merged(r, n, 1+r.IntN(20), r.IntN(2) == 0)
		switch r.IntN(6) {
		case 0:
			slices.Reverse(list)
		case 1:
			r.Shuffle(n, func(i, j int) { list[i], list[j] = list[j], list[i] })
		}
		for i := range list {
			list[i].from = i
		}
		want := slices.Clone(list)
		slices.SortStableFunc(want, byKey)
		SortRuns(list, byKey)
		testkit.MustThat(t, slices.Equal(list, want), "%d values: %v, not %v", n, list, want)
	}
}

// The work is that of the stretches that are in order, not that of the values.
func TestSortOfAFewLists(t *testing.T) {
	const n = 1 << 14
	for lists, passes := range map[int]int{1: 0, 2: 1, 8: 3, 13: 4} {
		r := rand.New(rand.NewPCG(3, uint64(lists)))
		list, compared := merged(r, n, lists, false), 0
		SortRuns(list, func(a, b item) int {
			compared++
			return byKey(a, b)
		})
		testkit.That(t, compared <= (passes+1)*n, "%d lists: %d values are compared %d times", lists, n, compared)
		testkit.That(t, lists != 1 || testing.AllocsPerRun(1, func() { SortRuns(list, byKey) }) <= 0,
			"a list that is in order takes memory")
	}
}
