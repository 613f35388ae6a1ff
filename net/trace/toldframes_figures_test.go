package trace_test

import (
	"fmt"
	"testing"

	"framescope/net/trace"
)

// Figures are read as they were written; what can't be read is left out, and told.
func TestFigures(t *testing.T) {
	var f trace.Figures
	net := trace.AppendShare(trace.AppendShare(nil, trace.Share{Collector: 3, Ns: -1500, Starts: 2}), trace.Share{Collector: 7})
	levels := trace.AppendLevel(nil, trace.ToldframesLevel{Collector: 1, After: 20, Value: .25})
	for _, c := range []struct {
		net, levels []byte
		whole       bool
		want        string
	}{
		{net, levels, true, "[{3 -1500 2} {7 0 0}] [{1 20 0.25}] true"},
		{nil, levels, true, "[] [{1 20 0.25}] false"},
		{[]byte(" "), nil, true, "[] [] true"},
		{[]byte("1:2:3 -1:2:3 x 4:5 6:7:8.5 9:9223372036854775807:1"), []byte("1:0:NaN 2:0:1"), false, "[{1 2 3}] [{2 0 1}] true"},
	} {
		n, whole := f.Add(c.net, c.levels)
		shares, values, told := f.Of(n)
		if got := fmt.Sprint(shares, values, told); whole != c.whole || got != c.want {
			t.Errorf("%q, %q: %s, whole %t, not %s", c.net, c.levels, got, whole, c.want)
		}
	}
	if shares, values, told := f.Of(99); len(shares)+len(values) > 0 || told {
		t.Error("figures from nowhere")
	}
}
