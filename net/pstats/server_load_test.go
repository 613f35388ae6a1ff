package pstats

import (
	"testing"
	"time"

	"framescope/model"
	"framescope/net/feed"
	"framescope/net/pstats/wire"
)

// A loadFrame encodes frames that differ in number and times only.
type loadFrame struct {
	message []byte // with the length before it
	frame   wire.Frame
	step    float32 // seconds from frame to frame
}

// newLoadFrame returns a frame of so many events: pairs inside pairs inside the collector Frame.
func newLoadFrame(events int, rate float32) *loadFrame {
	l := &loadFrame{step: 1 / rate}
	add := func(words ...uint16) {
		for _, w := range words {
			l.frame.Events = append(l.frame.Events, wire.Event{Word: w})
		}
	}
	const stop = wire.StopBit
	add(0)
	for i := uint16(1); len(l.frame.Events)+5 <= events; i = i%8 + 1 {
		add(i, i+8, i+8|stop, i|stop)
	}
	for len(l.frame.Events)+3 <= events {
		add(20, 20|stop)
	}
	add(stop)
	return l
}

// set makes it the frame with that number.
func (l *loadFrame) set(number int) {
	at := float32(number) * l.step
	inside := l.step / float32(len(l.frame.Events))
	for i := range l.frame.Events {
		l.frame.Events[i].Time = at + float32(i)*inside
	}
	l.frame.Events[len(l.frame.Events)-1].Time = at + l.step
	l.frame.Number = uint32(number)
	l.message = wire.AppendFrame(wire.BeginTCP(l.message[:0]), v32, &l.frame)
	wire.EndTCP(l.message, 0)
}

// BenchmarkLoad sends frames through everything there is between a game and the screen: loopback, server, decoder, feed, and a game loop that polls sixty times a second
// into the store. It sends as many frames a second as the name says, and reports how many were lost on the way.
func BenchmarkLoad(b *testing.B) {
	for _, bb := range []struct {
		name   string
		events int
		rate   int // frames a second
		udp    bool
	}{
		{"udp/24x25000", 24, 25_000, true},
		{"tcp/24x25000", 24, 25_000, false},
		{"tcp/2000x10000", 2000, 10_000, false},
	} {
		b.Run(bb.name, func(b *testing.B) {
			var hub = feed.NewHub()
			var store model.Store
			live := hub.NewFeed(feed.Options{Live: true})
			s := serve(b, func(cfg *Config) {
				cfg.NewSession = func(info SessionInfo) Handler { return NewDecoder(live, DecoderOptions{Peer: info.Peer.String()}) }
			})
			client := dial(b, s.Addr())
			client.sayHello(v32, 1)
			client.send(wire.AppendThreads(nil, 0, []string{"Main"}))

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
					store.EnforceLimit()
					batches, spans, longest = batches+p.Batches, spans+p.Spans, max(longest, p.Took)
					done = done && !p.More
				}
			}()

			l := newLoadFrame(bb.events, float32(bb.rate))
			b.ReportAllocs()
			b.ResetTimer()
			tick := time.NewTicker(time.Millisecond)
			defer tick.Stop()
			var out []byte
			start := time.Now()
			for sent := 0; sent < b.N; {
				<-tick.C
				due := min(int(time.Since(start).Seconds()*float64(bb.rate)), b.N)
				for out = out[:0]; sent < due; sent++ {
					l.set(sent + 1)
					if bb.udp {
						out = wire.AppendUDP(out[:0], l.message[4:])
						client.sendUDP(out)
					} else if out = append(out, l.message...); len(out) > 1<<16 {
						client.write(out)
						out = out[:0]
					}
				}
				if !bb.udp {
					client.write(out)
				}
			}
			took := time.Since(start)
			client.tcp.Close()
			for len(s.Clients()) > 0 { // Close would give up what is still in the socket
				time.Sleep(time.Millisecond)
			}
			close(stop)
			<-stopped
			b.StopTimer()
			b.ReportMetric(float64(b.N)/took.Seconds(), "frames/s")
			b.ReportMetric(float64(b.N)*float64(bb.events)/took.Seconds(), "events/s")
			b.ReportMetric(float64(b.N-batches), "lost")
			b.ReportMetric(float64(live.Stats().Dropped), "dropped")
			b.ReportMetric(longest.Seconds()*1000, "longest-poll-ms")
			if want := b.N * len(l.frame.Events) / 2; spans != want && batches == b.N {
				b.Errorf("%d spans in the store, want %d", spans, want)
			}
		})
	}
}
