package server

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"sync/atomic"
	"testing"

	"framescope/model"
	"framescope/net/pstats"
	"framescope/net/pstats/pstatstest"
)

// A counter is a handler that only counts, and wakes whoever waits for a number of frames.
type counter struct {
	pstatstest.Nothing
	frames, events atomic.Int64
	target         atomic.Int64
	reached        chan struct{}
	lost           atomic.Int64
}

func (c *counter) Lost(l model.Loss) { c.lost.Add(l.N) }

func (c *counter) Frame(f *pstats.Frame, _ int) {
	c.events.Add(int64(len(f.Events)))
	if c.frames.Add(1) == c.target.Load() {
		c.reached <- struct{}{}
	}
}

// benchServer serves one client whose frames are counted.
func benchServer(b *testing.B) (*testClient, *counter) {
	c := &counter{reached: make(chan struct{}, 1)}
	s := serve(b, func(cfg *Config) { cfg.NewSession = func(SessionInfo) pstats.Handler { return c } })
	client := dial(b, s.Addr())
	client.sayHello(v32, 1)
	return client, c
}

// BenchmarkServerTCP sends frames over loopback by TCP as fast as they are taken.
func BenchmarkServerTCP(b *testing.B) {
	for events, frames := range map[int]int{24: 300, 2000: 8} {
		b.Run(fmt.Sprint(events), func(b *testing.B) {
			client, c := benchServer(b)
			message := pstats.AppendTCP(nil, framePayload(v32, 1, events))
			batch := bytes.Repeat(message, frames)
			b.ReportAllocs()
			b.ResetTimer()
			c.target.Store(int64(b.N))
			for left := b.N; left > 0; left -= frames {
				client.write(batch[:min(left, frames)*len(message)])
			}
			<-c.reached
			b.ReportMetric(float64(c.frames.Load())/b.Elapsed().Seconds(), "frames/s")
			b.ReportMetric(float64(c.events.Load())/b.Elapsed().Seconds(), "events/s")
		})
	}
}

// BenchmarkServerUDP sends frames over loopback by UDP, never more than a window ahead of what was
// taken, since UDP has no flow control of its own, and wants all of them.
func BenchmarkServerUDP(b *testing.B) {
	client, c := benchServer(b)
	payload := framePayload(v32, 1, 24)
	var datagram []byte
	const window = 128
	b.ReportAllocs()
	b.ResetTimer()
	for sent := 0; sent < b.N; {
		n := min(window, b.N-sent)
		c.target.Store(int64(sent + n))
		for i := range n {
			binary.LittleEndian.PutUint32(payload[3:], uint32(sent+i))
			datagram = pstats.AppendUDP(datagram[:0], payload)
			client.sendUDP(datagram)
		}
		sent += n
		<-c.reached
	}
	b.ReportMetric(float64(c.frames.Load())/b.Elapsed().Seconds(), "frames/s")
	b.ReportMetric(float64(c.events.Load())/b.Elapsed().Seconds(), "events/s")
}
