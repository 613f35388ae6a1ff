package trace

import (
	"strings"
	"testing"
)

// TestTallyLines names the first lines.
func TestTallyLines(t *testing.T) {
	var l Lines
	for n := int64(1); n <= namedLines+1; n++ {
		l.Add(n * 10)
		want := map[int64]string{1: "line 10", 2: "lines 10 20", 3: "lines 10 20 30"}[n]
		if got := l.Where(); want != "" && got != want || l.N != n {
			t.Errorf("%d: %q, want %q", n, got, want)
		}
	}
	if got := l.Where(); !strings.HasPrefix(got, "the first are lines 10 20 ") || !strings.HasSuffix(got, " 200") {
		t.Error(got)
	}
}
