package lanes

import (
	"math/rand/v2"
	"testing"

	"framescope/internal/testkit"
	"framescope/model"
)

// The path that is found is the one with the most, as far as paths are few or one stands out.
func TestDominantPath(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 2))
	var d dominant
	for round := range 200 {
		d.reset()
		paths := 1 + rng.IntN(200)
		exact := map[model.PathID]int64{}
		var sum int64
		for range 1000 {
			p, w := model.PathID(rng.IntN(paths)*rng.IntN(3)), rng.Int64N(100)
			if round%2 == 0 && rng.IntN(3) == 0 {
				p = 7 // a third of all
			}
			d.add(p, w)
			exact[p] += w
			sum += w
		}
		got, weight := d.best()
		if len(exact) <= dominantPaths {
			for p, w := range exact {
				testkit.MustThat(t, w <= exact[got], "round %d: %d with %d, but %d has %d", round, got, exact[got], p, w)
			}
		}
		testkit.MustThat(t, weight <= exact[got], "round %d: %d of %d", round, weight, exact[got])
		testkit.MustThat(t, round%2 != 0 || exact[7] <= sum/3 || exact[got] >= exact[7],
			"round %d: %d with %d lost against %d", round, 7, exact[7], exact[got])
	}
}
