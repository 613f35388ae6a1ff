package compare

import (
	"math"
	"math/rand/v2"
	"testing"

	"framescope/internal/testkit"
)

// fisher is the share of all ways to lie in two stretches that have as many in the first or more.
func TestFisherAgreesWithCounting(t *testing.T) {
	for ofA := 1; ofA <= 5; ofA++ {
		for ofB := 1; ofB <= 5; ofB++ {
			for has := 0; has <= ofA+ofB; has++ {
				var ways [8]int // by how many are in the first
				all := 0
				for set := range 1 << (ofA + ofB) {
					in, inAll := 0, 0
					for i := range ofA + ofB {
						if set>>i&1 != 0 {
							inAll++
							if i < ofA {
								in++
							}
						}
					}
					if inAll == has {
						ways[in]++
						all++
					}
				}
				more := 0
				for hasA := min(has, ofA); hasA >= max(has-ofB, 0); hasA-- {
					more += ways[hasA]
					want := float64(more) / float64(all)
					if got := fisher(hasA, ofA, has-hasA, ofB); math.Abs(got-want) > 1e-9 {
						t.Fatalf("%d of %d, %d of %d: %v, want %v", hasA, ofA, has-hasA, ofB, got, want)
					}
				}
			}
		}
	}
}

// Where samples resemble those before them no more than one stretch in twenty stands out by chance.
func TestSurplusInNoise(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	const sessions = 400
	wrong := 0
	for range sessions {
		x, was := make([]float64, 2000), 0.0
		for i := range x {
			if r.IntN(8) == 0 {
				was = float64(r.IntN(4) / 3)
			}
			x[i] = was
		}
		from := r.IntN(1700)
		elsewhere := append(append([]float64{}, x[:from]...), x[from+300:]...)
		if Surplus(x[from:from+300], elsewhere) < ErrorRate {
			wrong++
		}
	}
	t.Logf("%d of %d", wrong, sessions)
	testkit.That(t, wrong <= sessions/20, "%d of %d", wrong, sessions)
}
