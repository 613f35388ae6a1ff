package decode

import (
	"testing"

	"framescope/model"
	"framescope/model/paths"
	"framescope/net/pstats"
)

// A GPU whose frames take longer than the time from one to the next, in order and in reversed
// order: what a frame took is what its own calls took, and each call knows its frame and its caller.
func TestFramesOfAGPUThatOverlap(t *testing.T) {
	const frames = 40
	for name, order := range map[string]func(n int) int{
		"in order": func(n int) int { return n }, "reversed": func(n int) int { return frames - 1 - n },
	} {
		s, d := decoding()
		d.Threads(0, []string{"Main", "GPU"})
		for n := range frames {
			k := order(n)
			at := 10 + float64(n)*0.02
			d.Frame(&pstats.Frame{Thread: 1, Number: uint32(k), Events: []pstats.Event{
				{Word: 0, Time: float32(at)}, {Word: 1, Time: float32(at + 0.001)}, {Word: 1 | pstats.StopBit, Time: float32(at + 0.006 + 0.0005*float64(k))},
				{Word: pstats.StopBit, Time: float32(at + 0.030)},
			}}, 0)
		}
		d.Close("")
		gpu := s.Session.Track(s.Session.Track(model.TrackID(s.Session.NumTracks() - 1)).Def.ID)
		if gpu.NumFrames() != frames {
			t.Fatalf("%s: %d frames", name, gpu.NumFrames())
		}
		var tree paths.Tree
		calls := 0
		for i := range frames {
			f := gpu.Frame(i)
			in := s.Session.FrameTotals(gpu.Def.ID, i, i, &tree, nil)
			want := int64(5e6 + 5e5*float64(f.Number))
			if len(in) != 2 || in[0].Count != 1 || in[1].Count != 1 || in[0].Total != f.End-f.Begin || in[0].Self+in[1].Total != in[0].Total ||
				in[1].Total < want-3000 || in[1].Total > want+3000 {
				t.Fatalf("%s: frame %d of %d ns: %+v, want %d ns of the call", name, f.Number, f.End-f.Begin, in, want)
			}
			runs := s.Session.PianoRuns(gpu.Def.ID, i, nil)
			if len(runs) != 2 {
				t.Fatalf("%s: frame %d: %d runs", name, f.Number, len(runs))
			}
		}
		for lane := range gpu.Lanes() {
			for _, b := range s.Session.Spans().Visible(gpu.Def.ID, lane, 0, 1e12, 0, nil) {
				f := gpu.Frame(gpu.FrameOf(b.Ref, b.Begin))
				if b.Begin < f.Begin || b.End > f.End {
					t.Errorf("%s: a call from %d to %d is of the frame from %d to %d", name, b.Begin, b.End, f.Begin, f.End)
				}
				if b.Collector != 1 {
					continue
				}
				calls++
				if up, ok := s.Session.Spans().Caller(b.Ref); !ok || up.Begin != f.Begin || up.End != f.End {
					t.Errorf("%s: the caller of the call at %d is %+v", name, b.Begin, up)
				}
			}
		}
		if calls != frames {
			t.Errorf("%s: %d calls", name, calls)
		}
	}
}
