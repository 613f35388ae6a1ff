package chrometrace

import (
	"strings"
	"testing"

	"framescope/model"
)

// NULs between events are reported with their place, and what is behind them is read. Those up to the end may be
// those of a file that was made larger beforehand, or all that a failure of power left: nothing says which.
func TestHoles(t *testing.T) {
	one := `{"ph":"X","ts":5,"dur":1,"name":"a","pid":1,"tid":1}`
	for _, c := range []struct {
		text, want string
		spans      int
	}{
		{"[" + one + ",\x00\x00" + one + "\x00," + one + "]", "byte 54: NULs in place of data, and in 1 more places, 3 bytes", 3},
		{"[" + one + "," + one + "\x00\x00\x00\x00", "byte 106: NULs in place of data, 4 bytes", 2},
		{"[" + one + "," + one, "", 2},
		{`{"traceEvents":[` + one + "," + one + "\x00\x00", "before the object does", 2},
		{"[\x00" + one + "]", "byte 1: NULs in place of data", 1},
	} {
		k := must(t, c.text)
		told := ""
		for _, l := range k.Losses {
			if l.Reason == model.LossMalformed || l.Reason == model.LossTruncated {
				told += l.Detail + "\n"
			}
		}
		if len(k.lines()) != c.spans || !strings.Contains(told, c.want) || (told == "") != (c.want == "") {
			t.Errorf("%q: %d spans, told %q, want %d and %q", c.text, len(k.lines()), told, c.spans, c.want)
		}
	}
}

// Instants of frames make frames, also where there is nothing else.
func TestFramesAlone(t *testing.T) {
	k := must(t, `[{"ph":"i","ts":0,"pid":1,"tid":1,"name":"frame 1"},{"ph":"i","ts":9,"pid":1,"tid":1,"name":"frame 2"},`+
		`{"ph":"i","ts":20,"pid":1,"tid":1,"name":"frame 3"}]`)
	n := 0
	for _, b := range k.Batches {
		if b.HasFrame || b.Open {
			n++
		}
	}
	if n != 3 {
		t.Errorf("%d frames", n)
	}
}
