package gsttrace

import (
	"fmt"
	"strings"
	"testing"
)

// A pipeline whose buffers last less than half of the time that they take is told to be slow, once;
// one that keeps pace, is faster, stands still for a while, jumps, or whose buffers tell no time is
// not.
func TestPace(t *testing.T) {
	const second = int64(1e9)
	element := func(ix int, name string) string {
		return record(1, fmt.Sprintf("new-element, thread-id=(guint64)4096, ts=(guint64)1, ix=(uint)%d, parent-ix=(uint)4294967295, name=(string)%s, type=(string)T, is-bin=(boolean)0", ix, name))
	}
	pad := func(ix, parent, direction int, name string) string {
		return record(1, fmt.Sprintf("new-pad, thread-id=(guint64)4096, ix=(uint)%d, parent-ix=(uint)%d, name=(string)%s, type=(string)GstPad, is-ghostpad=(boolean)0, pad-direction=(GstPadDirection)%d", ix, parent, name, direction))
	}
	const none = -1
	for name, c := range map[string]struct {
		n    int
		at   func(i int64) (ts, pts int64)
		slow bool
	}{
		"real time":       {100, func(i int64) (ts, pts int64) { return i * second / 10, i * second / 10 }, false},
		"faster":          {100, func(i int64) (ts, pts int64) { return i * second / 10, i * second }, false},
		"two thirds":      {100, func(i int64) (ts, pts int64) { return i * second / 10, i * second / 15 }, false},
		"a third":         {100, func(i int64) (ts, pts int64) { return i * second / 10, i * second / 30 }, true},
		"too short":       {15, func(i int64) (ts, pts int64) { return i * second / 10, i * second / 30 }, false},
		"pauses":          {100, func(i int64) (ts, pts int64) { return i*second/10 + i/10*5*second, i * second / 10 }, false},
		"from zero again": {100, func(i int64) (ts, pts int64) { return i * second / 10, i % 10 * second / 10 }, false},
		"no time":         {100, func(i int64) (ts, pts int64) { return i * second / 10, none }, false},
	} {
		text := element(0, "src") + element(1, "sink") + pad(0, 0, 1, "src") + pad(1, 1, 2, "sink")
		for i := range int64(c.n) {
			ts, pts := c.at(i)
			have := 1
			if pts == none {
				have = 0
			}
			text += record(ts+2, fmt.Sprintf("buffer, thread-id=(guint64)4096, ts=(guint64)%d, pad-ix=(uint)0, element-ix=(uint)0, peer-pad-ix=(uint)1, peer-element-ix=(uint)1, buffer-size=(uint)10, "+
				"have-buffer-pts=(boolean)%d, buffer-pts=(guint64)%d, have-buffer-dts=(boolean)0, buffer-dts=(guint64)0, have-buffer-duration=(boolean)0, buffer-duration=(guint64)0, buffer-flags=(GstBufferFlags)0", ts+2, have, max(pts, 0)))
		}
		got := decode([]byte(text)).Warnings()
		if slow := len(got) == 1 && strings.Contains(got[0], "sink gets 0.33 s of buffers"); slow != c.slow || len(got) > 1 {
			t.Errorf("%s: told %q, want %v", name, got, c.slow)
		}
	}
}
