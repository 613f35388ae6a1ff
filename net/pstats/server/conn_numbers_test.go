package server

import (
	"net/netip"
	"testing"

	"pgregory.net/rapid"

	"framescope/net/pstats"
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
			g.c.datagram(pstats.AppendUDP(nil, frameAt(n)), g.port)
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

// A viewer that was stopped finds in its TCP connection all that the client sent meanwhile, of
// datagrams the first and the newest. In whatever order it comes to read both, no frame of the
// client is taken for one of somebody else.
func TestDatagramsAheadOfTCP(t *testing.T) {
	const stopped, on, end = 200, 24_200, 25_200
	for _, each := range []int{0, 1, 2, 3, 8, 64} { // datagrams that are read for each frame by TCP
		g := newGoodClient(t)
		send := func(n int) {
			if n%64 == 1 {
				g.tcp(frameAt(n))
			} else if n%100 != 50 {
				g.c.datagram(pstats.AppendUDP(nil, frameAt(n)), g.port)
			}
		}
		for n := range stopped {
			send(n)
		}
		udp, tcp := on, stopped
		for udp < end || tcp < end {
			for range each {
				for ; udp < end && (udp%64 == 1 || udp%100 == 50); udp++ {
				}
				if udp < end {
					send(udp)
					udp++
				}
			}
			for ; tcp < end && tcp%64 != 1; tcp++ {
			}
			if tcp < end {
				send(tcp)
				tcp++
			} else if each == 0 {
				for ; udp < end; udp++ {
					send(udp)
				}
			}
		}
		l := g.end()
		if l.Implausible+l.Strangers != 0 || l.Sent != end || l.Received+l.TooLate != stopped*99/100+(end-on)*99/100+(on-stopped)/64 {
			t.Errorf("%d datagrams for each frame by TCP: %+v", each, l)
		}
	}
}
