package histogram

import (
	"math/rand/v2"
	"slices"
	"testing"

	"framescope/internal/testkit"
)

// What is selected is what sorting tells, the lesser before it, however soon the rest is sorted.
func TestSelect(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 3000 {
		v := make([]int64, 1+rng.IntN(60))
		for i := range v {
			v[i] = rng.Int64N(int64(1 + rng.IntN(40)))
		}
		want := slices.Sorted(slices.Values(v))
		k := rng.IntN(len(v))
		got := selectIn(v, k, rng.IntN(8))
		testkit.MustThat(t, got == want[k], "the %d-th of %d is %d, got %d", k, want, want[k], got)
		testkit.MustThat(t, (k <= 0 || slices.Max(v[:k]) <= want[k]) && slices.Min(v[k:]) >= want[k],
			"%d are not divided at %d", v, k)
	}
}
