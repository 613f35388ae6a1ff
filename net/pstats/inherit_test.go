package pstats

import (
	"slices"
	"testing"
)

// What ran before a frame is started before it, unless all of it stops in the frame: then the stops tell.
func TestInherit(t *testing.T) {
	const stop = StopBit
	words := func(w ...uint16) (events []Event) {
		for _, x := range w {
			events = append(events, Event{Word: x, Time: 2})
		}
		return events
	}
	for name, x := range map[string]struct{ frame, running, want []uint16 }{
		"nothing ran":           {[]uint16{0, 1, 1 | stop, stop}, nil, []uint16{0, 1, 1 | stop, stop}},
		"one runs on":           {[]uint16{0, 1, 1 | stop, stop}, []uint16{5, 6}, []uint16{5, 6, 0, 1, 1 | stop, stop}},
		"one of them stops":     {[]uint16{0, 6 | stop, stop}, []uint16{5, 6}, []uint16{5, 6, 0, 6 | stop, stop}},
		"one stops, and starts": {[]uint16{0, 6 | stop, 6, stop}, []uint16{6}, []uint16{0, 6 | stop, 6, stop}},
		"one of two stops":      {[]uint16{0, 6 | stop, stop}, []uint16{6, 6}, []uint16{6, 6, 0, 6 | stop, stop}},
		"no start of a frame":   {[]uint16{1, 0, 1 | stop, stop}, []uint16{5}, []uint16{1, 0, 1 | stop, stop}},
	} {
		f := Frame{Events: words(x.frame...)}
		got := Inherit(&f, x.running)
		if !slices.Equal(got, words(x.want...)) {
			t.Errorf("%s: %v", name, got)
		}
		f.Events = got
		if again := Inherit(&f, x.running); len(got) != len(x.frame) && !slices.Equal(again, got) {
			t.Errorf("%s: written twice %v", name, again)
		}
	}
}
