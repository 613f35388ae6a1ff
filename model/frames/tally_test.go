package frames

import (
	"math/rand/v2"
	"slices"
	"testing"

	"framescope/internal/testkit"
	"framescope/model/internal/histogram"
)

// Frames told 64 at a time, of several collectors of which one lies in the other, are the same as told
// one by one.
func TestTilesAreFrames(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 8))
	var y Tile
	var r histogram.Ranks
	parents := []int32{-1, 0, 1, 0}
	y.Grow(len(parents))
	for range 300 {
		n, often := 1+rng.IntN(300), 1+rng.IntN(5)
		tiled, plain := make([]Tally, len(parents)), make([]Tally, len(parents))
		for c := range parents {
			tiled[c].Begin(100)
			plain[c].Begin(100)
		}
		for from := 0; from < n; from += TileFrames {
			for f := range min(TileFrames, n-from) {
				sums, there := [4]int64{}, [4]bool{}
				for c := range parents {
					if rng.IntN(often) > 0 || c == 0 {
						continue
					}
					ns := rng.Int64N(5) - 1
					row := y.Row(int32(c))
					row.Ns[f] += ns
					row.Mask |= 1 << f
					for at := int32(c); at >= 0; at = parents[at] {
						sums[at] += ns
						there[at] = true
					}
				}
				for c := range parents {
					if there[c] {
						plain[c].Add(int64(100+from+f), float64(sums[c]))
					}
				}
			}
			y.Gather(parents)
			for k := range y.Rows {
				tiled[y.Rows[k].Slot].AddTile(int64(100+from), &y.Rows[k])
			}
			y.Reset()
		}
		for c := range parents {
			a, b := &tiled[c], &plain[c]
			if !slices.Equal(a.Values, b.Values) || a.Present != b.Present || a.Sum != b.Sum || a.Min != b.Min ||
				a.Max != b.Max || a.MaxAt != b.MaxAt || a.Absent() != b.Absent() {
				t.Fatalf("%d frames, collector %d:\n%+v\nwant\n%+v", n, c, a, b)
			}
			all := append(slices.Clone(b.Values), make([]float64, n-len(b.Values))...)
			slices.Sort(all)
			k := [4]int64{rng.Int64N(int64(n)), rng.Int64N(int64(n)), rng.Int64N(int64(n)), rng.Int64N(int64(n))}
			slices.Sort(k[:])
			for i, v := range a.Ranks(&r, int64(n), k) {
				testkit.MustThat(t, v == all[k[i]], "number %d of %v is %v", k[i], all, v)
			}
		}
	}
}
