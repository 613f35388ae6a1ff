package pstats

import (
	"fmt"
	"reflect"
	"slices"
	"testing"

	"framescope/internal/testkit"

	"framescope/model"
)

// heard is a handler that writes down what it is called with.
type heard []string

func (c *heard) Hello(h ClientHello)            { *c = append(*c, fmt.Sprint("hello ", h.PID)) }
func (c *heard) Collectors(defs []CollectorDef) { *c = append(*c, "collectors "+defs[0].Name) }
func (c *heard) Threads(first int, names []string) {
	*c = append(*c, fmt.Sprint("threads ", first, names))
}
func (c *heard) Expire(thread int)         { *c = append(*c, fmt.Sprint("expire ", thread)) }
func (c *heard) Frame(f *Frame, bytes int) { *c = append(*c, fmt.Sprint("frame ", f.Number, bytes)) }
func (c *heard) Lost(l model.Loss)         { *c = append(*c, fmt.Sprint("lost ", l.N, " ", l.Detail)) }
func (c *heard) Close(reason string)       { *c = append(*c, "close "+reason) }

func TestTee(t *testing.T) {
	a, b := new(heard), new(heard)
	h := Tee(a, nil, b)
	h.Hello(ClientHello{PID: 1})
	h.Collectors([]CollectorDef{{Name: "Frame"}})
	h.Threads(3, []string{"x"})
	h.Expire(3)
	h.Frame(&Frame{Number: 9}, 15)
	h.Lost(model.Loss{Reason: 1, N: 2, Detail: "d"})
	h.Close("end")
	want := &heard{"hello 1", "collectors Frame", "threads 3 [x]", "expire 3", "frame 9 15", "lost 2 d", "close end"}
	for _, got := range []*heard{a, b} {
		if !reflect.DeepEqual(got, want) {
			t.Errorf("got %q, want %q", *got, *want)
		}
	}
	testkit.That(t, Tee(a, nil) == Handler(a), "a tee of one is not the one")
}

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
		testkit.That(t, slices.Equal(got, words(x.want...)), "%s: %v", name, got)
		f.Events = got
		again := Inherit(&f, x.running)
		testkit.That(t, len(got) == len(x.frame) || slices.Equal(again, got), "%s: written twice %v", name, again)
	}
}
