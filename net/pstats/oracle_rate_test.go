package pstats

import (
	"math"
	"testing"
)

// TestOracleSummary holds the official frame rates and total labels against ours, computed as officially. The charts of the oracle were never drawn: their right edge is at
// 20 s.
func TestOracleSummary(t *testing.T) {
	for _, name := range captures {
		t.Run(name, func(t *testing.T) {
			raw, _ := rawCapture(t, name, true)
			rates, averages := tally{t: t, what: "rates"}, tally{t: t, what: "averages"}
			for _, r := range rows(t, name+".summary.tsv") {
				thread, collector, level := atoi(t, r[0]), atoi(t, r[1]), r[2] == "1"
				numbers := raw.Numbers(thread)
				newest := numbers[len(numbers)-1]
				got, want := CompatFrameRate(raw, thread, newest), atof(t, r[4])
				rates.check(math.Abs(got-want) <= 2e-8*want, "thread %d: %v, want %v", thread, got, want)
				got, want = NewCompatView(raw, level).Average(thread, collector, newest, 20), atof(t, r[3])
				if diff := math.Abs(got - want); level && diff > 1e-7*math.Abs(want) {
					bound := 0.0
					for _, n := range numbers {
						bound = max(bound, levelRounding(raw.FrameOf(thread, n)))
					}
					if diff <= bound {
						averages.name(ruleRounding)
						continue
					}
				}
				averages.check(math.Abs(got-want) <= 1e-7*math.Abs(want), "thread %d collector %d level %v: %v, want %v", thread, collector, level, got, want)
			}
			t.Logf("%-14s %v; %v", name, &rates, &averages)
		})
	}
}
