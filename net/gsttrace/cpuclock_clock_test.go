package gsttrace

import "testing"

// A thread takes no more than the time that passes: a second reading that says so is of another clock
// than the first. A clock that went back begins anew; what comes late tells nothing.
func TestClock(t *testing.T) {
	for name, c := range map[string]struct {
		ofProcess bool
		readings  []Reading
		took      int64
	}{
		"nothing":          {},
		"one":              {readings: []Reading{{5e6, 3e6}}},
		"full":             {readings: []Reading{{1e6, 0}, {2e6, 1e6}, {9e6, 8e6}}, took: 8e6},
		"a little ahead":   {readings: []Reading{{1e6, 0}, {1_010_000, 40_000}, {2e6, 900_000}}, took: 900_000},
		"from before":      {readings: []Reading{{1e6, 1e6}, {1_020_000, 3_100_000}, {5e6, 4e6}}, took: 900_000},
		"of eight threads": {ofProcess: true, readings: []Reading{{1e6, 0}, {2e6, 8e6}}, took: 8e6},
		"back":             {readings: []Reading{{1e6, 5e6}, {2e6, 6e6}, {3e6, 100}, {4e6, 900}}, took: 800},
		"late":             {readings: []Reading{{1e6, 0}, {3e6, 2e6}, {2e6, 1e6}, {4e6, 3e6}}, took: 3e6},
	} {
		clock := Clock{OfProcess: c.ofProcess}
		for _, r := range c.readings {
			clock.Read(r)
		}
		if got := clock.Took(); got != c.took {
			t.Errorf("%s: took %d, want %d", name, got, c.took)
		}
	}
}
