package decode_test

import (
	"testing"

	"framescope/net/pstats"
	"framescope/net/pstats/decode"
	"framescope/net/pstats/pstatstest"
)

// Once the window of recent frames is full, a frame in order allocates nothing.
func TestFramesInOrderAllocateNothing(t *testing.T) {
	sink := &storeSink{}
	d := decode.New(sink, decode.Options{})
	f := pstatstest.Frame(20)
	next := func() {
		f.Number++
		for i := range f.Events {
			f.Events[i].Time = (float32(f.Number) + float32(i)/float32(len(f.Events)-1)) / 64
		}
		d.Frame(f, 0)
	}
	for range pstats.WindowFrames + 10 {
		next()
	}
	if n := testing.AllocsPerRun(2*pstats.WindowFrames, next); n != 0 {
		t.Errorf("%v allocations a frame", n)
	}
	if want := int64(3*pstats.WindowFrames+11) * int64(len(f.Events)/2); sink.spans != want {
		t.Errorf("%d spans, want %d", sink.spans, want)
	}
}
