package client_test

import (
	"testing"
	"time"

	"framescope/internal/testkit"
	"framescope/model/store"
	"framescope/net/feed"
	"framescope/net/pstats"
	"framescope/net/pstats/client"
	"framescope/net/pstats/decode"
	"framescope/net/pstats/server"
)

// BenchmarkLoad is a game that sends far more than games do, through everything there is between it
// and the picture: this client, loopback, server, decoder, ring, and a viewer that polls sixty
// times a second into its store. The names are frames of so many events, and so many frames a
// second. All must arrive: what was dropped by the client, lost on the wire or dropped by the ring
// is reported and must be 0.
func BenchmarkLoad(b *testing.B) {
	for _, bb := range []struct {
		name   string
		events int
		rate   int     // frames a second
		ratio  float64 // Options.TCPRatio
	}{
		{"udp/24x25000", 24, 25_000, -1},
		{"tcp/24x25000", 24, 25_000, 1},
		{"tcp/2000x10000", 2000, 10_000, 1},
	} {
		b.Run(bb.name, func(b *testing.B) {
			hub := feed.NewHub()
			var store store.Store
			var live *feed.Feed
			srv, err := server.Listen(b.Context(), server.Config{
				Addr: "127.0.0.1:0",
				NewSession: func(server.SessionInfo) pstats.Handler {
					live = hub.NewFeed(feed.Options{Live: true})
					return decode.New(live, decode.Options{})
				},
			})
			if err != nil {
				b.Fatal(err)
			}
			defer srv.Close()

			stop, stopped := make(chan struct{}), make(chan struct{})
			batches, spans := 0, 0
			var longest time.Duration
			go func() {
				defer close(stopped)
				tick := time.NewTicker(time.Second / 60)
				defer tick.Stop()
				for done := false; !done; {
					select {
					case <-tick.C:
					case <-stop:
						done = true
					}
					p := hub.Poll(&store, 8*time.Millisecond)
					batches, spans, longest = batches+p.Batches, spans+p.Spans, max(longest, p.Took)
					done = done && !p.More
				}
			}()

			c := client.New(client.Options{Addr: srv.Addr().String(), Name: "load", MaxRate: -1, MaxQueue: -1, TCPRatio: bb.ratio, Lossless: true})
			main := c.MainThread()
			var cols [8]client.Collector
			for i := range cols {
				cols[i] = c.Collector("Load:" + string(rune('A'+i)))
			}
			testkit.OK(b, c.Dial(b.Context()))
			at, step := c.Now(), time.Second/time.Duration(bb.rate*bb.events/2)
			main.BeginFrameAt(at)

			b.ReportAllocs()
			b.ResetTimer()
			start := time.Now()
			for sent := 0; sent < b.N; {
				due := min(int(time.Since(start).Seconds()*float64(bb.rate)), b.N)
				// Times are stated, so that the benchmark does not measure how fast the clock is read.
				for ; sent < due; sent++ {
					for e := 2; e+2 <= bb.events; e += 2 {
						col := cols[e/2%len(cols)]
						main.StartAt(col, at)
						main.StopAt(col, at+step/2)
						at += step
					}
					at += step
					main.EndFrameAt(at)
				}
				time.Sleep(500 * time.Microsecond)
			}
			took := time.Since(start)
			stats := c.Stats()
			c.Close()
			for len(srv.Clients()) > 0 { // what is still in the sockets
				time.Sleep(time.Millisecond)
			}
			close(stop)
			<-stopped
			b.StopTimer()

			sent := c.Stats()
			b.ReportMetric(float64(b.N)/took.Seconds(), "frames/s")
			b.ReportMetric(float64(b.N)*float64(bb.events)/took.Seconds(), "events/s")
			b.ReportMetric(float64(sent.Dropped()), "dropped-by-client")
			b.ReportMetric(float64(sent.Sent()-int64(batches)), "lost")
			b.ReportMetric(float64(live.Stats().Dropped), "dropped-by-ring")
			b.ReportMetric(longest.Seconds()*1000, "longest-poll-ms")
			if bb.ratio < 0 && stats.TCP > 1 {
				b.Errorf("%d frames went by TCP", stats.TCP)
			}
			if perFrame := bb.events / 2; batches > 0 && spans != batches*perFrame {
				b.Errorf("%d spans of %d frames in the store, want %d a frame", spans, batches, perFrame)
			}
		})
	}
}
