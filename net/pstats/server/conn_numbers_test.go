package server

import (
	"net/netip"
	"testing"

	"pgregory.net/rapid"

	"framescope/net/pstats/wire"
)

// A set of numbers knows what it was told, as far back as it says it reaches.
func TestNumberSet(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var s numberSet
		came := map[int64]bool{}
		most := rapid.IntRange(2, 8).Draw(t, "pages")
		at := int64(0)
		for range rapid.IntRange(1, 200).Draw(t, "steps") {
			at = max(0, at+rapid.Int64Range(-3*pageNumbers, 4*pageNumbers).Draw(t, "step"))
			if rapid.IntRange(0, 5).Draw(t, "what") == 0 {
				s.remove(at)
				delete(came, at)
				continue
			}
			s.add(at, most)
			came[at] = true
			if len(s.pages) > most {
				t.Fatalf("%d pages", len(s.pages))
			}
		}
		for n := max(0, s.top-int64(2*most*pageNumbers)); n <= s.top+pageNumbers; n++ {
			if s.reaches(n) && s.has(n) != came[n] || s.has(n) && !came[n] {
				t.Fatalf("%d came: %v, the set says %v", n, came[n], s.has(n))
			}
		}
		if newest := s.top - (s.top % pageNumbers); s.some && !s.reaches(newest) {
			t.Fatalf("%d is out of reach of %+v", newest, s)
		}
	})
}

// A viewer that did not get to read datagrams for a while, before it knew whose they were, finds
// frames by TCP, one in 64, thousands ahead of them. They are the client's all the same.
func TestDatagramsFarBehindTCP(t *testing.T) {
	g := newGoodClient(t)
	const sent = 20_000
	for n := 0; n < sent; n += 64 {
		g.tcp(frameAt(n))
	}
	for n := range sent {
		if n%64 > 0 {
			g.c.datagram(wire.AppendUDP(nil, frameAt(n)), g.port)
		}
	}
	// Somebody else's with the numbers of frames that came by TCP are left out, however old.
	elsewhere := netip.MustParseAddrPort("127.0.0.1:6000")
	for n := 0; n < 640; n += 64 {
		g.c.datagram(forged(0, uint32(n), float32(n)/60, 2), elsewhere)
	}
	if l := g.end(); l.Received != sent || l.Sent != sent || l.Implausible+l.Strangers != 10 {
		t.Errorf("%d frames were sent: %+v", sent, l)
	}
}
