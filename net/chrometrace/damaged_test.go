package chrometrace

import (
	"fmt"
	"strings"
	"testing"

	"framescope/internal/testkit"
	"framescope/model"
	"framescope/net/trace"
)

// TestCutBeforeEvents says of a trace that is cut off before it has an event with a time where that is.
func TestCutBeforeEvents(t *testing.T) {
	const meta = `{"traceEvents":[{"ph":"M","pid":1,"tid":0,"name":"process_name","args":{"name":"x"}},`
	for text, want := range map[string]string{
		meta + `{"ph":"M","pi`:                   "the file ends inside the event at byte 85",
		meta:                                     "the file ends at byte 85, before the object does in which the events are",
		strings.TrimRight(meta, ",") + `]`:       "the file ends at byte 85, before",
		strings.TrimRight(meta, ",") + `],"a":"`: "the file ends inside",
	} {
		if _, err := read(text, whole1); err == nil || !strings.Contains(err.Error(), "no events: ") || !strings.Contains(err.Error(), "; "+want) {
			t.Errorf("%s: %v", text, err)
		}
	}
	if _, err := read(strings.TrimRight(meta, ",")+`]}`, whole1); err == nil || strings.Contains(err.Error(), "the file ends") {
		t.Error(err)
	}
}

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
	testkit.That(t, n == 3, "%d frames", n)
}

// TestSpoiled leaves out events that were overwritten, and says where NULs are, whether their
// names, keys or values have them. Other control characters, which programs leave in texts as they are,
// do no harm.
func TestSpoiled(t *testing.T) {
	event := func(name, more string) string {
		return fmt.Sprintf(`{"ph":"X","name":"%s","pid":1,"tid":1,"ts":1,"dur":1%s}`, name, more)
	}
	for _, c := range []struct {
		what, event string
		lost        int64
	}{
		{"nothing", event("b", ""), 0},
		{"raw tabs and lines", event("b\t\r\n", `,"args":{"x":"1	`+"\n"+`"}`), 0},
		{"a name", event("b\x00\x00", ""), 1},
		{"a name with others", event("\x1b[31mb\x07", `,"args":{"x\x02":"\x01"}`), 0},
		{"a key", event("b", ",\"s\x00\":1"), 1},
		{"a key with another", event("b", ",\"s\x02\":1"), 0},
		{"a category", event("b", ",\"cat\":\"\x00\""), 1},
		{"an argument", event("b", ",\"args\":{\"a\":\"\x00\"}"), 1},
	} {
		text := `{"traceEvents":[` + event("a", "") + `,` + c.event + `,` + event("c", "") + `,` + c.event + `]}`
		for _, piece := range []int{1 << 20, 7} {
			k := testkit.Must(read(text, func() int { return piece }))(t, c.what)
			var want trace.NULs
			want.Write([]byte(text))
			if n := len(k.lines()); n != 4-2*int(c.lost) {
				t.Errorf("%s: %d spans", c.what, n)
			}
			if c.lost == 0 && len(k.Losses) > 0 || c.lost > 0 && (len(k.Losses) != 1 || k.Losses[0].Detail != want.String()) {
				t.Errorf("%s: lost %+v, want %s", c.what, k.Losses, want.String())
			}
		}
	}
}
