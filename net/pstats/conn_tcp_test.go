package pstats

import (
	"fmt"
	"net/netip"
	"testing"
)

// Datagrams that confirm each other do not lead a thread away whose frames come by TCP, nor do they make
// one of their own; frames by TCP then go on as if nothing had been.
func TestForgedDatagramsBesideTCP(t *testing.T) {
	elsewhere := netip.MustParseAddrPort("127.0.0.1:6000")
	for name, f := range map[string]struct {
		thread, number, step uint32
		at, stepS            float32
	}{
		"far ahead":             {0, 1_000_100, 1, 1e6, 1},
		"a minute ahead":        {0, 4_000, 1, 61, 0.01},
		"back, and far ahead":   {0, 2, 1, 1e6, 1},
		"times that stand":      {0, 5_000_000, 1, 1e6, 0},
		"a thread without name": {77, 1_000_000, 1, 1e6, 1},
	} {
		t.Run(name, func(t *testing.T) {
			g := newGoodClient(t)
			for n := range 200 {
				g.tcp(frameAt(n))
				if n >= 100 && n < 110 {
					k := uint32(n - 100)
					g.c.datagram(forged(f.thread, f.number+k*f.step, f.at+float32(k)*f.stepS, 2), elsewhere)
				}
			}
			if l := g.end(); l.Received != 200 || l.Sent != 200 || l.Implausible != 10 {
				t.Errorf("%+v", l)
			}
		})
	}
}

// A client that sent by TCP alone may send by UDP, too, at any time, and then its clock may jump.
func TestDatagramsAfterTCP(t *testing.T) {
	g := newGoodClient(t)
	for n := range 100 {
		g.tcp(frameAt(n))
	}
	g.number, g.sent = 100, 100
	g.send(100)
	for range 3 {
		g.number += 1_000_000
		g.send(100)
	}
	if l := g.end(); l.Received != g.sent || l.Implausible != 0 {
		t.Errorf("%d frames were sent: %+v", g.sent, l)
	}
}

// A thread that has a name and a clock of its own may begin by UDP while others send by TCP alone.
func TestOwnClockBesideTCP(t *testing.T) {
	g := newGoodClient(t)
	for n := range 100 {
		g.tcp(frameAt(n))
		g.c.datagram(forged(1, uint32(n), 1e6+float32(n), 2), g.port)
	}
	if l := g.end(); l.Received != 200 || l.Implausible != 0 {
		t.Errorf("%+v", l)
	}
}

// Where datagrams have led a thread before its first frame by TCP is left at the second.
func TestTCPEndsADetour(t *testing.T) {
	g := newGoodClient(t)
	for _, n := range []uint32{1_000_000, 1_000_001} {
		g.c.datagram(forged(0, n, float32(n), 2), netip.MustParseAddrPort("127.0.0.1:6000"))
	}
	for n := range 50 {
		g.tcp(frameAt(n))
	}
	if l := g.end(); l.Received < 50 || l.Received > 52 || l.Implausible != 0 {
		t.Errorf("%+v", l)
	}
	var guard guard
	at := func(number int64, ns int64, from origin) *arrival {
		return &arrival{from: from, point: point{number: number, timed: true, firstNs: ns, lastNs: ns, arrivedNs: ns}}
	}
	udp := origin{true, netip.MustParseAddrPort("127.0.0.1:6000")}
	for n := range int64(10) {
		if !guard.passes(at(n, n*1e7, origin{}), false) {
			t.Fatal(fmt.Sprint("frame ", n))
		}
	}
	guard.enter(guard.thread(0), at(1_000_000, 1e15, udp), false)
	if !guard.passes(at(10, 10e7, origin{}), false) || guard.thread(0).ref.number != 10 {
		t.Errorf("the detour goes on: %+v", guard.thread(0).ref)
	}
}
