package decode_test

import (
	"bufio"
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"framescope/internal/testkit"
	"framescope/model"
	"framescope/model/store"
	"framescope/net/feed"
	"framescope/net/pstats/decode"
	"framescope/net/pstats/gen"
)

// firstSink notes when the first batch came.
type firstSink struct {
	storeSink
	begun time.Time
	first time.Duration
}

func (s *firstSink) Publish(b *model.Batch) bool {
	if s.first == 0 {
		s.first = time.Since(s.begun)
	}
	return s.storeSink.Publish(b)
}

// BenchmarkOpenFile opens a session of about 100 MB: into nothing, straight into a store, and as
// the program does, by way of a feed that is polled at the same time.
func BenchmarkOpenFile(b *testing.B) {
	if testing.Short() {
		b.Skip("writes a file of 100 MB")
	}
	const spans = 8_000_000
	made := testkit.Must(gen.New(gen.Options{Spans: spans, Tracks: 8, Depth: 10, Seed: 1}))(b)
	path := filepath.Join(b.TempDir(), "large.pstats")
	f := testkit.Must(os.Create(path))(b)
	out := bufio.NewWriterSize(f, 1<<20)
	testkit.OK(b, made.Write(context.Background(), out, nil))
	testkit.OK(b, out.Flush())
	st := testkit.Must(f.Stat())(b)
	f.Close()
	for _, to := range []string{"nothing", "store", "feed"} {
		b.Run(to, func(b *testing.B) {
			b.ReportAllocs()
			b.SetBytes(st.Size())
			var first time.Duration
			for b.Loop() {
				var n int64
				switch to {
				case "feed":
					begun := time.Now()
					session, feed := store.NewSession(), feed.NewHub().NewFeed(feed.Options{})
					result := make(chan error, 1)
					go func() { result <- decode.OpenFile(context.Background(), path, feed) }()
					for ended := false; !ended; _, ended = session.Ended() {
						if _, taken, more := feed.Poll(session, time.Now().Add(4*time.Millisecond)); taken > 0 {
							if n == 0 {
								first += time.Since(begun)
							}
							n += int64(taken)
						} else if !more {
							time.Sleep(100 * time.Microsecond)
						}
					}
					testkit.OK(b, <-result)
				default:
					s := &firstSink{begun: time.Now()}
					if to == "store" {
						s.session = store.NewSession()
					}
					testkit.OK(b, decode.OpenFile(context.Background(), path, s))
					n = s.spans
					first += s.first
				}
				if n != spans {
					b.Fatalf("%d spans", n)
				}
			}
			b.ReportMetric(float64(b.N)*spans/b.Elapsed().Seconds(), "spans/s")
			b.ReportMetric(float64(b.N)*2*spans/b.Elapsed().Seconds(), "events/s")
			b.ReportMetric(float64(first.Microseconds())/1e3/float64(b.N), "first-ms")
		})
	}
}
