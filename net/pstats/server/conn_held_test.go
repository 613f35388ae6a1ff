package server

import (
	"fmt"
	"net"
	"testing"
	"time"

	"framescope/internal/testkit"
	"framescope/model/store"
	"framescope/net/feed"
	"framescope/net/pstats"
	"framescope/net/pstats/decode"
)

// Clients that announce long messages and send only parts of them can't fill memory: the messages
// of those that have sent most are left out. All stay, and one that sends its frames goes on.
func TestMessagesInPartsAreBounded(t *testing.T) {
	hub := feed.NewHub()
	hub.SetLimit(8 << 20)
	var st store.Store
	s, err := Listen(t.Context(), Config{
		Addr: "127.0.0.1:0", Held: hub.Held(),
		NewSession: func(SessionInfo) pstats.Handler {
			return decode.New(hub.NewFeed(feed.Options{Live: true}), decode.Options{})
		},
	})
	testkit.OK(t, err)
	defer s.Close()
	begin := func() net.Conn {
		c := testkit.Must(net.Dial("tcp", s.Addr().String()))(t)
		t.Cleanup(func() { c.Close() })
		hello := pstats.ClientHello{Host: "h", Program: "p", Version: pstats.Newest(), PID: 1}
		c.Write(pstats.AppendTCP(nil, pstats.AppendClientHello(nil, hello)))
		return c
	}
	good := begin()
	number := uint32(0)
	play := func() {
		f := pstats.Frame{Number: number, Events: []pstats.Event{{Word: 1, Time: float32(number)}}}
		number++
		if _, err := good.Write(pstats.AppendTCP(nil, pstats.AppendFrame(nil, pstats.Newest(), &f))); err != nil {
			t.Fatalf("the good client was disconnected: %v", err)
		}
	}
	part := make([]byte, 1<<20)
	for range 20 {
		c := begin()
		c.Write([]byte{0, 0, 0, 8}) // 128 MiB
		c.SetWriteDeadline(time.Now().Add(20 * time.Second))
		c.Write([]byte{pstats.TypeFrame})
		for range 3 {
			c.Write(part)
		}
		play()
		// Some more than the limit of 4 MiB: several buffers may grow at the same moment.
		// Uncounted, it would be 80 MiB.
		if held := hub.Stats().HeldBytes; held > 24<<20 {
			t.Fatalf("%d bytes are held", held)
		}
	}
	n, left := 0, 0
	testkit.WaitUntil(t, fmt.Sprintf("%d frames, and 21 clients that are left", number), func() bool {
		for hub.Poll(&st, time.Second).More {
		}
		if e := hub.Entries(); len(e) > 0 && e[0].Session.NumTracks() > 0 {
			n = e[0].Session.Track(0).NumFrames()
		}
		left = len(s.Clients())
		return n == int(number) && left == 21
	}, func() any { return n }, func() any { return left })
	s.Close()
	if held := hub.Stats().HeldBytes; held != 0 {
		t.Errorf("%d bytes are held when all clients are gone", held)
	}
}
