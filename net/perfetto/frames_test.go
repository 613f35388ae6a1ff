package perfetto

import (
	"fmt"
	"slices"
	"testing"
)

// numbersOf returns the numbers of all frames, be they open.
func (k *taken) numbersOf() (list []int64) {
	for _, b := range k.Batches {
		if b.HasFrame || b.Open {
			list = append(list, b.Number)
		}
	}
	return list
}

// The number of a frame that an instant begins is in its name, else in its annotation n, and nowhere else.
func TestNumbersOfInstants(t *testing.T) {
	for _, x := range []struct {
		what string
		mark func(i int) msg
		want []int64
	}{
		{"an annotation", func(i int) msg {
			return msg(nil).str(23, "frame").in(4, msg(nil).str(10, "fps").num(4, 60)).in(4, msg(nil).str(10, "n").num(4, uint64(40+i)))
		}, []int64{40, 41, 42}},
		{"a text", func(i int) msg {
			return msg(nil).str(23, "frame").in(4, msg(nil).str(10, "n").str(6, fmt.Sprint(7+i)))
		}, []int64{7, 8, 9}},
		{"the name", func(i int) msg {
			return msg(nil).str(23, fmt.Sprintf("frame %d", 5+i)).in(4, msg(nil).str(10, "n").num(4, 1))
		}, []int64{5, 6, 7}},
		{"a message is none", func(i int) msg {
			return msg(nil).str(23, "frame").in(4, msg(nil).str(10, "message").str(6, fmt.Sprintf("took %d ms", 12+i)))
		}, []int64{0, 1, 2}},
	} {
		trace := msg(nil).packet(threadDef(7, 3, 4, "t"))
		for i := range 3 {
			trace = trace.packet(at(1, uint64(10*i)).in(TrackEvent, append(ev(kindInstant, 7), x.mark(i)...)))
		}
		k, err := decodes(t, trace)
		if got := k.numbersOf(); err != nil || !slices.Equal(got, x.want) || len(k.Warnings) > 0 {
			t.Errorf("%s: %v, want %v, %v %q", x.what, got, x.want, err, k.Warnings)
		}
	}
}
