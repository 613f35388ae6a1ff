package cli

import "testing"

func TestParseCount(t *testing.T) {
	for text, want := range map[string]int64{
		"1": 1, "250000": 250000, "10M": 10e6, "10m": 10e6, "1e7": 1e7, "250k": 250e3, "1.5G": 1500e6, "10_000_000": 10e6, " 7 ": 7,
		"": 0, "0": 0, "-1": 0, "1.5": 0, "M": 0, "ten": 0, "1e99": 0, "NaN": 0, "inf": 0, "10MB": 0,
	} {
		got, err := parseCount(text)
		if got != want || (err == nil) != (want > 0) {
			t.Errorf("parseCount(%q) = %d, %v; want %d", text, got, err, want)
		}
	}
}
