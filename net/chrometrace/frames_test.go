package chrometrace

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"framescope/internal/testkit"
	"framescope/model"
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

// toldTrace has frames that say how long they are: two overlap, numbers are missing, there is time between
// two; the worker has some of them, and some of its own.
const toldTrace = `[{"ph":"X","tid":1,"ts":0,"dur":30,"name":"a"},{"ph":"X","tid":2,"ts":5,"dur":1,"name":"b"},
{"ph":"X","tid":1,"ts":35,"dur":1,"name":"c"},{"ph":"X","tid":3,"ts":5,"dur":1,"name":"d"},
{"ph":"i","s":"p","tid":1,"ts":4,"name":"frame 7","args":{"frame_ns":10000}},
{"ph":"i","s":"p","tid":1,"ts":12,"name":"frame 9","args":{"frame_ns":8001}},
{"ph":"i","s":"p","tid":1,"ts":40,"name":"frame 10","args":{"frame_ns":20000}},
{"ph":"i","s":"t","tid":2,"ts":21,"name":"thread frame 8","args":{"frame_ns":500}},
{"ph":"i","s":"t","tid":2,"ts":22,"name":"thread frame 10","args":{"frame_ns":0}},
{"ph":"M","tid":1,"name":"thread_frames","args":{"has":"main"}},
{"ph":"M","tid":2,"name":"thread_frames","args":{"has":"7:9"}}]`

// framesOf returns the frames, a text each: track, number, begin, end.
func (k *taken) frameLines() (out []string) {
	for _, b := range k.Batches {
		if b.HasFrame {
			out = append(out, fmt.Sprint(int(b.Track)+1, " ", b.Number, " ", b.Begin, " ", b.End))
		}
	}
	return out
}

// Frames that say how long they are come as they are told, each thread's own; others are found as ever.
func TestToldFrames(t *testing.T) {
	host := []string{"1 7 4000 14000", "1 9 12000 20001", "1 10 40000 60000"}
	worker := []string{"2 7 4000 14000", "2 8 21000 21500", "2 9 12000 20001", "2 10 22000 22000"}
	odd := func(from, to string) string { return strings.Replace(toldTrace, from, to, 1) }
	for _, c := range []struct {
		what, text string
		want       []string
		messages   int
	}{
		{"all", toldTrace, append(slices.Clone(host), worker...), 0},
		{"no run", odd("7:9", "9:7 :"), append(slices.Clone(host), worker[1], worker[3]), 0},
		{"two of a number", odd("frame 10", "frame 9"), append(
			[]string{"1 0 4000 14000", "1 1 12000 20001", "1 2 40000 60000"}, "2 8 21000 21500", "2 10 22000 22000"), 0},
		{"a length that is none", odd("8001", "-8001"), append(slices.Delete(slices.Clone(host), 1, 2), worker[0], worker[1], worker[3]), 1},
		{"no length", odd(`"frame_ns":8001`, `"frames":1`), append(slices.Delete(slices.Clone(host), 1, 2), worker[0], worker[1], worker[3]), 1},
		{"too long", odd("20000", "9223372036854775807"), append(slices.Clone(host[:2]), worker...), 1},
	} {
		k := must(t, c.text)
		if got := k.frameLines(); !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", c.what, got, c.want)
		}
		n := 0
		for _, b := range k.Batches {
			n += len(b.Messages)
		}
		told := slices.ContainsFunc(k.Losses, func(l model.Loss) bool {
			return strings.Contains(l.Detail, "frame_ns") || strings.Contains(l.Detail, "thread_frames")
		})
		if want := c.what == "no run" || c.messages > 0 && c.what != "no length"; told != want {
			t.Errorf("%s: told %t: %+v", c.what, told, k.Losses)
		}
		testkit.That(t, n == c.messages && k.Tracks[0].Main,
			"%s: %d messages, want %d; main %t", c.what, n, c.messages, k.Tracks[0].Main)
		sound(t, k)
	}
}

// What exports tell of frames and is null can't be read, which is told as of other values.
func TestToldNull(t *testing.T) {
	for _, c := range []struct{ from, to, want string }{
		{`"frame_ns":8001`, `"frame_ns":null`, "valid length (frame_ns)"},
		{`"frame_ns":8001`, `"frame_ns":""`, "valid length (frame_ns)"},
		{`"frame_ns":8001`, `"frame_ns":8001,"frame_net":null`, "(frame_net, frame_levels) can't be read"},
		{`"frame_ns":8001`, `"frame_ns":8001,"frame_net":"","frame_levels":null`, "(frame_net, frame_levels) can't be read"},
	} {
		k := must(t, strings.Replace(toldTrace, c.from, c.to, 1))
		if !slices.ContainsFunc(k.Losses, func(l model.Loss) bool { return strings.Contains(l.Detail, c.want) }) {
			t.Errorf("%s: told %v", c.to, k.Losses)
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
