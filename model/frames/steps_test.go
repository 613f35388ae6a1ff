package frames

import (
	"math"
	"math/rand/v2"
	"testing"

	"framescope/internal/testkit"
)

// A step of 5 % is found when 60 frames and a few have come, and dated within five frames, whatever hitches there are;
// noise, a drift and a swell are no step.
func TestSteps(t *testing.T) {
	testkit.OneGoroutine(t)
	const n, rounds = 2000, 20
	for name, c := range map[string]struct {
		phi, noise, swell, drift, step float64
		behind                         int // frames that come behind it
		found, near, others            int // at least, of them dated within five frames, and at most
	}{
		"all of it":    {0, 0.03, 0, 0, 1.05, n, 20, 19, 0},
		"at once":      {0, 0.03, 0, 0, 1.05, 65, 18, 16, 0},
		"faster":       {0, 0.03, 0, 0, 1 / 1.05, n, 20, 19, 0},
		"alike":        {0.7, 0.01, 0, 0, 1.05, n, 20, 19, 0},
		"in a swell":   {0, 0.01, 0.05, 0, 1.05, n, 17, 17, 1},
		"noise, alike": {0.7, 0.03, 0, 0, 1, n, 0, 0, 2},
		"a swell":      {0, 0.02, 0.05, 0, 1, n, 0, 0, 1},
		"a drift":      {0, 0.02, 0, 0.5, 1, n, 0, 0, 0},
		"a small step": {0, 0.005, 0, 0, 1.02, n, 0, 0, 0},
	} {
		found, near, others := 0, 0, 0
		for round := range uint64(rounds) {
			rng := rand.New(rand.NewPCG(round, 2))
			state, at := rng.NormFloat64(), 400+rng.IntN(1000)
			table, track := framesOf(made(min(n, at+c.behind), func(i int) float64 {
				state = c.phi*state + math.Sqrt(1-c.phi*c.phi)*rng.NormFloat64()
				ns := 16 * ms * math.Exp(c.noise*state) * (1 + c.swell*math.Sin(float64(i)/150) + c.drift*float64(i)/n)
				if rng.IntN(80) == 0 {
					ns *= 1.5
				}
				if i >= at {
					ns *= c.step
				}
				return ns
			}))
			for _, s := range table.Steps(0, 0, track.NumFrames()-1, nil) {
				switch off := max(s.Index-at, at-s.Index); {
				case c.step == 1 || off > StepFrames/2:
					others++
				default:
					if found++; off <= 5 {
						near++
					}
					is := float64(s.AfterNs) / float64(s.BeforeNs)
					testkit.That(t, math.Abs(is-c.step) < 0.04, "%s: a step of %.3f", name, is)
				}
			}
		}
		testkit.That(t, found >= c.found && found <= rounds && near >= c.near && others <= c.others && (c.found > 0 || found == 0),
			"%s: %d found in %d, %d dated rightly, %d others", name, found, rounds, near, others)
	}
}
