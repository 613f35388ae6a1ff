package budget

import (
	"testing"

	"framescope/internal/testkit"
)

// Limits of series are given in the units that they have elsewhere, and are written so that they are read
// again.
func TestLimitsOfSeriesHaveUnits(t *testing.T) {
	for text, want := range map[string]struct {
		limit float64
		unit  string
		again string
	}{
		"16ms": {16e6, "ns", "16 ms"}, "16.5 ms": {16.5e6, "ns", "16.5 ms"}, "1m30s": {90e9, "ns", "90 s"}, "250 µs": {250e3, "ns", "250 µs"},
		"-4 ms": {-4e6, "ns", "-4ms"}, "512 MiB": {512 << 20, "B", "512 MiB"}, "1.5GB": {1.5e9, "B", "1500000000 B"}, "90 %": {90, "%", "90 %"},
		"16000000": {16e6, "", ""}, "1e9": {1e9, "", ""},
	} {
		b := Budget{Series: "x", Measure: Value}
		var err error
		if b.Limit, b.Unit, err = ParseLimit(text, Value); err != nil || b.Limit != want.limit || b.Unit != want.unit {
			t.Errorf("%q: %v %q %v", text, b.Limit, b.Unit, err)
		}
		if got := b.inUnit(); got != want.again {
			t.Errorf("%q is written as %q, want %q", text, got, want.again)
		} else if got == "" {
			continue
		}
		if limit, unit, err := ParseLimit(want.again, Value); limit != want.limit || unit != want.unit || err != nil {
			t.Errorf("%q is %v %q %v when it is read again", want.again, limit, unit, err)
		}
		all, err := Parse("[[budget]]\nseries = \"x\"\nlimit = \"" + text + "\"\n")
		testkit.That(t, err == nil && all[0].Limit == want.limit && all[0].Unit == want.unit,
			"%q in a file: %+v %v", text, all, err)
	}
	for _, bad := range []string{"", "ms", "4 hours", "5 parsecs", "nan", "1e300 GiB", "4 ms ms"} {
		limit, unit, err := ParseLimit(bad, Value)
		testkit.That(t, err != nil, "%q is %v %q", bad, limit, unit)
	}
}
