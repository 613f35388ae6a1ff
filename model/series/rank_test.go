package series_test

import (
	"math"
	"testing"

	"framescope/internal/testkit"
	"framescope/model/measure"
)

// Of all places, the percentile's is the first at which enough values are at most what stands there.
func TestRank(t *testing.T) {
	for n := int64(1); n < 700; n++ {
		for _, percent := range []int64{1, 5, 50, 90, 95, 99, 100} {
			want := int64(0)
			for (want+1)*100 < n*percent {
				want++
			}
			testkit.MustEqual(t, measure.Rank(n, percent), want, "p%d of %d values is number", percent, n)
		}
		low, high := measure.Middle(n)
		testkit.MustThat(t, low+high == n-1 && high-low == 1-n%2, "the middle of %d values is %d and %d", n, low, high)
	}
	testkit.Equal(t, measure.Rank(math.MaxInt64, 100), math.MaxInt64-1, "the greatest of all is number")
}
