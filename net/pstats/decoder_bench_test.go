package pstats_test

import (
	"testing"

	"framescope/model"
	"framescope/net/feed"
	"framescope/net/pstats"
	"framescope/net/pstats/gen"
	"framescope/net/pstats/wire"
)

// storeSink appends each batch to a session as it comes; session may be nil.
type storeSink struct {
	session *model.Session
	batch   model.Batch
	spans   int64
}

var _ feed.Sink = (*storeSink)(nil)

func (s *storeSink) Define(c model.Change) {
	if s.session != nil {
		s.session.Apply(c)
	}
}

func (s *storeSink) Begin() *model.Batch { s.batch.Reset(); return &s.batch }

func (s *storeSink) Publish(b *model.Batch) bool {
	s.spans += int64(len(b.Spans))
	if s.session != nil {
		s.session.Append(b)
	}
	return true
}

func (s *storeSink) Progress(done, total int64) {}

// payloads returns the frames of a generated session as a client sends them.
func payloads(tb testing.TB, o gen.Options) (s *gen.Session, frames [][]byte, bytes int64) {
	tb.Helper()
	s, err := gen.New(o)
	if err != nil {
		tb.Fatal(err)
	}
	s.Stream(func(f *wire.Frame) bool {
		p := wire.AppendFrame(nil, wire.Newest(), f)
		frames, bytes = append(frames, p), bytes+int64(len(p))
		return true
	})
	return s, frames, bytes
}

// BenchmarkFrames takes frames from the bytes of a client to spans that can be queried: one core's work (run it with -cpu 1).
func BenchmarkFrames(b *testing.B) {
	const spans = 1_000_000
	s, frames, size := payloads(b, gen.Options{Spans: spans, Tracks: 4, Depth: 10, Seed: 1})
	for _, to := range []string{"wire", "decoder", "store", "file"} {
		b.Run(to, func(b *testing.B) {
			b.ReportAllocs()
			b.SetBytes(size)
			for b.Loop() {
				sink := &storeSink{}
				if to == "store" || to == "file" {
					sink.session = model.NewSession()
				}
				d := pstats.NewDecoder(sink, pstats.DecoderOptions{File: to == "file"})
				d.Hello(s.Hello())
				d.Collectors(s.Collectors())
				d.Threads(0, s.ThreadNames())
				var f wire.Frame
				for _, p := range frames {
					if err := wire.DecodeFrame(p, wire.Newest(), &f); err != nil {
						b.Fatal(err)
					}
					if to != "wire" {
						d.Frame(&f, len(p))
					}
				}
				d.Close("done")
				if to != "wire" && sink.spans != spans {
					b.Fatalf("%d spans", sink.spans)
				}
			}
			b.ReportMetric(float64(b.N)*spans/b.Elapsed().Seconds(), "spans/s")
			b.ReportMetric(float64(b.N)*2*spans/b.Elapsed().Seconds(), "events/s")
		})
	}
}
