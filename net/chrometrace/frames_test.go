package chrometrace

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"framescope/internal/testkit"
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
		{"nest deeper", append(calls("Frame", 1, 10, 0), within), ""},
		{"of two threads", append(calls("update", 1, 10, 0), calls("frame", 2, 11, 0)...), "11 calls of “frame” may be"},
	} {
		k := must(t, `[`+strings.Join(c.events, ",")+`]`)
		told := strings.Join(k.Warnings, "\n")
		testkit.That(t, (told == "") == (c.want == "") && strings.Contains(told, c.want),
			"%s: told %q, want %q", c.what, told, c.want)
		for _, b := range k.Batches {
			testkit.MustThat(t, !b.HasFrame, "%s: there are frames", c.what)
		}
	}
}

// TestTouching writes frames that follow each other at once, each with calls from its begin to its end, as engines do
// that round begins and lengths each for itself, to ns or to whole µs, up, down or to the nearest: every frame stays,
// no longer or shorter than by a step, nothing is missing between them, and their calls lie in them.
func TestTouching(t *testing.T) {
	for seed := range uint64(testkit.Rounds(18, 60)) {
		r := rand.New(rand.NewPCG(seed, 1))
		step, digits := int64(1), 3
		if seed%2 == 1 {
			step, digits = wholeMicros, 0
		}
		round := []func(float64) float64{math.Round, math.Floor, math.Ceil}[seed/2%3]
		unit := float64(step) / 1000
		var events []string
		add := func(name string, begin, end float64) (ns int64) { // µs
			ts, dur := round(begin/unit)*unit, round((end-begin)/unit)*unit
			events = append(events, fmt.Sprintf(`{"ph":"X","pid":1,"tid":1,"name":%q,"ts":%.*f,"dur":%.*f}`, name, digits, ts, digits, dur))
			return int64(math.Round(dur * 1000))
		}
		at := 1000 * r.Float64()
		var want []int64
		for range 300 {
			end := at + 20 + 100*r.Float64()
			mid := at + (end-at)*r.Float64()
			add("a", at, mid) // children come first, as they end first
			add("b", mid, end)
			want = append(want, add("Frame", at, end))
			at = end
		}
		var k taken
		d := newDecoder(&k, "x", "Frame")
		d.scan.write([]byte("[" + strings.Join(events, ",") + "]"))
		testkit.OK(t, d.finish(nil))
		var got []int64
		paths := map[string]int{}
		for _, b := range k.Batches {
			if b.HasFrame {
				testkit.MustThat(t, b.Number == int64(len(got)),
					"seed %d: frame %d comes after %d others", seed, b.Number, len(got))
				got = append(got, b.End-b.Begin)
			}
			for _, s := range b.Spans {
				paths[fmt.Sprint(s.Lane)]++
			}
		}
		testkit.MustThat(t, len(got) == len(want), "seed %d: %d frames of %d", seed, len(got), len(want))
		for i, ns := range got {
			if off := ns - want[i]; off > step || off < -step {
				t.Errorf("seed %d: frame %d takes %d ns, want %d", seed, i, ns, want[i])
			}
		}
		if digits == 3 && (paths["0"] != len(want) || len(paths) > 2) {
			t.Errorf("seed %d: spans by row: %v", seed, paths)
		}
	}
}
