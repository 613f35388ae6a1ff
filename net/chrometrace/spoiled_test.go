package chrometrace

import (
	"fmt"
	"testing"

	"framescope/net/trace"
)

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
			k, err := read(text, func() int { return piece })
			if err != nil {
				t.Fatal(c.what, err)
			}
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
