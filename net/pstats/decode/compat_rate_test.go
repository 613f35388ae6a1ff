package decode

import (
	"math"
	"testing"

	"framescope/net/pstats/pstatstest"
)

// TestOracleSummary holds the official frame rates and total labels against ours, computed as
// officially. The charts of the oracle were never drawn: their right edge is at 20 s.
func TestOracleSummary(t *testing.T) {
	for _, name := range pstatstest.Captures {
		t.Run(name, func(t *testing.T) {
			raw, _ := pstatstest.Raw(t, name, true)
			rates, averages := pstatstest.Tally{T: t, What: "rates"}, pstatstest.Tally{T: t, What: "averages"}
			for _, r := range pstatstest.Rows(t, name+".summary.tsv") {
				thread, collector, level := pstatstest.Atoi(t, r[0]), pstatstest.Atoi(t, r[1]), r[2] == "1"
				numbers := raw.Numbers(thread)
				newest := numbers[len(numbers)-1]
				got, want := FrameRate(raw, thread, newest), pstatstest.Atof(t, r[4])
				rates.Check(math.Abs(got-want) <= 2e-8*want, "thread %d: %v, want %v", thread, got, want)
				got, want = NewView(raw, level).Average(thread, collector, newest, 20), pstatstest.Atof(t, r[3])
				if diff := math.Abs(got - want); level && diff > 1e-7*math.Abs(want) {
					bound := 0.0
					for _, n := range numbers {
						bound = max(bound, levelRounding(raw.FrameOf(thread, n)))
					}
					if diff <= bound {
						averages.Name(ruleRounding)
						continue
					}
				}
				averages.Check(math.Abs(got-want) <= 1e-7*math.Abs(want), "thread %d collector %d level %v: %v, want %v", thread, collector, level, got, want)
			}
			t.Logf("%-14s %v; %v", name, &rates, &averages)
		})
	}
}
