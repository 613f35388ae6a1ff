package memory

import "testing"

func TestParseStatm(t *testing.T) {
	for text, want := range map[string]int64{
		"2110 1000 500 10 0 300 0\n": 1000 * 4096,
		"2110":                       0,
		"":                           0,
		"a b c":                      0,
	} {
		if got := parseStatm([]byte(text), 4096); got != want {
			t.Errorf("%q: %d, want %d", text, got, want)
		}
	}
}
