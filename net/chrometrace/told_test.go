package chrometrace

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"framescope/model"
)

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
		if n != c.messages || !k.Tracks[0].Main {
			t.Errorf("%s: %d messages, want %d; main %t", c.what, n, c.messages, k.Tracks[0].Main)
		}
		sound(t, k)
	}
}

// What exports tell of frames and is null can't be read, which is told as of other values.
func TestToldNull(t *testing.T) {
	for _, c := range []struct{ from, to, want string }{
		{`"frame_ns":8001`, `"frame_ns":null`, "(frame_ns) is no number"},
		{`"frame_ns":8001`, `"frame_ns":""`, "(frame_ns) is no number"},
		{`"frame_ns":8001`, `"frame_ns":8001,"frame_net":null`, "(frame_net, frame_levels) can't be read"},
		{`"frame_ns":8001`, `"frame_ns":8001,"frame_net":"","frame_levels":null`, "(frame_net, frame_levels) can't be read"},
	} {
		k := must(t, strings.Replace(toldTrace, c.from, c.to, 1))
		if !slices.ContainsFunc(k.Losses, func(l model.Loss) bool { return strings.Contains(l.Detail, c.want) }) {
			t.Errorf("%s: told %v", c.to, k.Losses)
		}
	}
}
