package chrometrace

import (
	"fmt"
	"strings"
	"testing"
)

// TestSuggestsFrames tells which spans may be frames where nothing says so: those of a name that frames often have,
// many of one thread, not deep and never inside each other. It makes no frames of them.
func TestSuggestsFrames(t *testing.T) {
	calls := func(name string, tid, n, around int) (out []string) {
		for i := range n {
			for k := range around {
				out = append(out, fmt.Sprintf(`{"ph":"X","name":"around","pid":1,"tid":%d,"ts":%d,"dur":%d}`, tid, i*100, 90-k))
			}
			out = append(out, fmt.Sprintf(`{"ph":"X","name":%q,"pid":1,"tid":%d,"ts":%d,"dur":10}`, name, tid, i*100+1))
		}
		return out
	}
	within := `{"ph":"X","name":"Frame","pid":1,"tid":1,"ts":105,"dur":2}`
	for _, c := range []struct {
		what   string
		events []string
		want   string
	}{
		{"many", calls("Frame", 1, 10, 2), "10 calls of “Frame” may be"},
		{"few", calls("Frame", 1, 9, 0), ""},
		{"deep", calls("Frame", 1, 10, 3), ""},
		{"of another name", calls("Fame", 1, 10, 0), ""},
		{"inside each other", append(calls("Frame", 1, 10, 0), within), ""},
		{"of two threads", append(calls("update", 1, 10, 0), calls("frame", 2, 11, 0)...), "11 calls of “frame” may be"},
	} {
		k := must(t, `[`+strings.Join(c.events, ",")+`]`)
		told := strings.Join(k.Warnings, "\n")
		if (told == "") != (c.want == "") || !strings.Contains(told, c.want) {
			t.Errorf("%s: told %q, want %q", c.what, told, c.want)
		}
		for _, b := range k.Batches {
			if b.HasFrame {
				t.Fatalf("%s: there are frames", c.what)
			}
		}
	}
}
