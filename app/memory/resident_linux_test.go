package memory

import (
	"testing"

	"framescope/internal/testkit"
)

func TestParseStatm(t *testing.T) {
	for text, want := range map[string]int64{"2110 1000 500 10 0 300 0\n": 1000 * 4096, "2110": 0, "": 0, "a b c": 0} {
		testkit.Equal(t, parseStatm([]byte(text), 4096), want, "%q", text)
	}
}
