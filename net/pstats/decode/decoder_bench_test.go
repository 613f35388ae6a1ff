package decode_test

import (
	"testing"

	"framescope/internal/testkit"
	"framescope/model/store"
	"framescope/net/pstats"
	"framescope/net/pstats/decode"
	"framescope/net/pstats/gen"
	"framescope/net/pstats/pstatstest"
)

// payloads returns the frames of a generated session as a client sends them.
func payloads(tb testing.TB, o gen.Options) (s *gen.Session, frames [][]byte, bytes int64) {
	tb.Helper()
	s = testkit.Must(gen.New(o))(tb)
	s.Stream(func(f *pstats.Frame) bool {
		p := pstats.AppendFrame(nil, pstats.Newest(), f)
		frames, bytes = append(frames, p), bytes+int64(len(p))
		return true
	})
	return s, frames, bytes
}

// carry lets two spans of each frame go on into the next, as Panda3D's task loop does: it begins
// frames while it renders.
func carry(tb testing.TB, frames [][]byte) (spans int64) {
	const outer, inner = 900, 901
	var f, g pstats.Frame
	begun := map[uint16]bool{}
	for i, p := range frames {
		testkit.OK(tb, pstats.DecodeFrame(p, pstats.Newest(), &f))
		n := len(f.Events)
		first, last := f.Events[0], f.Events[n-1]
		g.Thread, g.Number, g.Levels = f.Thread, f.Number, f.Levels
		g.Events = append(g.Events[:0], first)
		if begun[f.Thread] {
			g.Events = append(g.Events, pstats.Event{Word: inner | pstats.StopBit, Time: first.Time}, pstats.Event{Word: outer | pstats.StopBit, Time: first.Time})
		}
		g.Events = append(g.Events, f.Events[1:n-1]...)
		g.Events = append(g.Events, pstats.Event{Word: outer, Time: last.Time}, pstats.Event{Word: inner, Time: last.Time}, last)
		begun[f.Thread] = true
		frames[i] = pstats.AppendFrame(nil, pstats.Newest(), &g)
		spans += int64(n/2 + 2)
	}
	return spans
}

// BenchmarkFrames takes frames from the bytes of a client to spans that can be queried: one core's
// work (run it with -cpu 1).
func BenchmarkFrames(b *testing.B) { benchFrames(b, 0, "wire", "decoder", "store", "carry") }

// BenchmarkSparseFrames is BenchmarkFrames with 22 events in a frame.
func BenchmarkSparseFrames(b *testing.B) { benchFrames(b, 11, "wire", "decoder", "store") }

func benchFrames(b *testing.B, frameSpans int, steps ...string) {
	const spans = 1_000_000
	s, frames, size := payloads(b, gen.Options{Spans: spans, Tracks: 4, Depth: 10, Seed: 1, FrameSpans: frameSpans})
	for _, to := range steps {
		b.Run(to, func(b *testing.B) {
			if to == "carry" {
				carry(b, frames)
			}
			b.ReportAllocs()
			b.SetBytes(size)
			for b.Loop() {
				sink := &pstatstest.Sink{}
				if to == "store" {
					sink.Session = store.NewSession()
				}
				d := decode.New(sink, decode.Options{})
				d.Hello(s.Hello())
				d.Collectors(s.Collectors())
				d.Threads(0, s.ThreadNames())
				var f pstats.Frame
				for _, p := range frames {
					testkit.OK(b, pstats.DecodeFrame(p, pstats.Newest(), &f))
					if to != "wire" {
						d.Frame(&f, len(p))
					}
				}
				d.Close("done")
				testkit.MustThat(b, to == "wire" || sink.Count == len(frames),
					"%d of %d frames", sink.Count, len(frames))
			}
			b.ReportMetric(float64(b.N)*spans/b.Elapsed().Seconds(), "spans/s")
			b.ReportMetric(float64(b.N)*2*spans/b.Elapsed().Seconds(), "events/s")
		})
	}
}

// Once the window of recent frames is full, a frame in order allocates nothing.
func TestFramesInOrderAllocateNothing(t *testing.T) {
	sink := &pstatstest.Sink{}
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
	testkit.Equal(t, testing.AllocsPerRun(2*pstats.WindowFrames, next), 0, "allocations a frame")
	want := 3*pstats.WindowFrames + 11
	testkit.That(t, sink.Count == want, "%d frames, want %d", sink.Count, want)
}
