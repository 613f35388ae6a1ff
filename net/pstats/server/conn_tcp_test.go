package server

import (
	"fmt"
	"math"
	"net/netip"
	"path/filepath"
	"testing"

	"framescope/internal/testkit"
	"framescope/model/store"
	"framescope/net/journal"
	"framescope/net/pstats"
	"framescope/net/pstats/decode"
	"framescope/net/pstats/pstatstest"
	"framescope/net/pstats/records"
)

// Datagrams that confirm each other do not lead a thread away whose frames come by TCP, nor do they
// make one of their own; frames by TCP then go on as if nothing had been.
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
		return &arrival{from: from, Point: pstats.Point{Number: number, Timed: true, FirstNs: ns, LastNs: ns, ArrivedNs: ns}}
	}
	udp := origin{true, netip.MustParseAddrPort("127.0.0.1:6000")}
	for n := range int64(10) {
		if !guard.passes(at(n, n*1e7, origin{}), false) {
			t.Fatal(fmt.Sprint("frame ", n))
		}
	}
	guard.enter(guard.thread(0), at(1_000_000, 1e15, udp), false)
	if !guard.passes(at(10, 10e7, origin{}), false) || guard.thread(0).Ref.Number != 10 {
		t.Errorf("the detour goes on: %+v", guard.thread(0).Ref)
	}
}

// nearFrame is a datagram for a thread in the time of a frame of the client at 60 Hz.
func nearFrame(thread uint16, number uint32, at int) []byte {
	s := float32(at)/60 + 0.001
	f := pstats.Frame{Thread: thread, Number: number, Events: []pstats.Event{{Time: s}, {Word: pstats.StopBit, Time: s + 0.002}}}
	return pstats.AppendUDP(nil, pstats.AppendFrame(nil, v32, &f))
}

// Datagrams with the numbers that the client is about to send by TCP, in the right time, take the
// place of none of its frames, and neither do those with the numbers that it has sent.
func TestForgedNumbersBesideTCP(t *testing.T) {
	elsewhere := netip.MustParseAddrPort("127.0.0.1:6000")
	for name, f := range map[string]struct {
		ahead, n int
		ports    bool // one each
		first    bool // before the client's first frame
		at       int  // frame in whose time they are, 0: the newest
	}{
		"the next four":            {1, 4, false, false, 0},
		"from many ports":          {1, 4, true, false, 0},
		"before the first":         {0, 4, false, true, 0},
		"before the first, ahead":  {0, 4, false, true, 60e6},
		"the last four":            {-3, 4, false, false, 0},
		"the last three and ahead": {-2, 6, false, false, 0},
	} {
		t.Run(name, func(t *testing.T) {
			const frames = 600
			g := newGoodClient(t)
			dir := t.TempDir()
			root := journal.OpenRoot(dir, journal.RootOptions{Limit: 1 << 30})
			defer root.Close()
			kept := root.Create(records.Meta(pstats.ClientHello{Program: "demo"}, ""), journal.Options{})
			g.c.server.cfg.NewSession = func(info SessionInfo) pstats.Handler {
				return pstats.Tee(decode.New(g.out, decode.Options{Peer: info.Peer.String()}), records.NewEncoder(kept))
			}
			forge := func(n int) {
				at := max(n, f.at)
				for k := range f.n {
					if number := n + f.ahead + k; number >= 0 {
						from := elsewhere
						if f.ports {
							from = netip.AddrPortFrom(elsewhere.Addr(), uint16(6000+4*n+k/2))
						}
						g.c.datagram(nearFrame(0, uint32(number), at), from)
					}
				}
			}
			if f.first {
				forge(0)
			}
			for n := range frames {
				g.tcp(frameAt(n))
				if !f.first && n+4 < frames {
					forge(n)
				}
			}
			sum := g.c.info().Frames()
			l := g.end()
			if l.Received != frames || l.Sent != frames || l.Missing != 0 || g.out.Session.NumTracks() != 2 || sum != frames {
				t.Errorf("%+v, %d tracks, %d frames in the log", l, g.out.Session.NumTracks(), sum)
			}
			if tail := g.out.Session.Track(0); tail.NumFrames() != frames {
				t.Errorf("%d frames", tail.NumFrames())
			}
			for i := range frames {
				f := g.out.Session.Track(0).Frame(i)
				if f.Number != int64(i) || math.Abs(float64(f.Begin)-float64(i)/60*1e9) > 1e5 {
					t.Fatalf("frame %d is %+v", i, f)
				}
			}
			testkit.OK(t, kept.Wait(patience))
			again := &pstatstest.Sink{Session: store.NewSession()}
			r := testkit.Must(journal.Open(kept.Path()))(t)
			defer r.Close()
			if _, _, err := records.Replay(t.Context(), r, decode.New(again, decode.Options{Replay: true}), nil); err != nil {
				t.Fatal(err)
			}
			if n := again.Session.Track(0).NumFrames(); n != frames || again.Session.NumTracks() != 2 {
				t.Errorf("kept: %d frames, %d tracks", n, again.Session.NumTracks())
			}
			file := filepath.Join(dir, "x.pstats")
			testkit.OK(t, records.Export(t.Context(), kept.Path(), file))
			out := &pstatstest.Sink{Session: store.NewSession()}
			testkit.OK(t, (decode.Source{}).OpenFile(t.Context(), file, out))
			if n := out.Session.Track(0).NumFrames(); n != frames || out.Session.NumTracks() != 2 {
				t.Errorf("exported: %d frames, %d tracks", n, out.Session.NumTracks())
			}
		})
	}
}

// Jumps that confirm each other, on threads that a TCP client does not have and on its own, are
// none of the client's frames, however long they go on.
func TestForgedJumpsBesideTCP(t *testing.T) {
	elsewhere := netip.MustParseAddrPort("127.0.0.1:6000")
	g := newGoodClient(t)
	const frames = 600
	for n := range frames {
		g.tcp(frameAt(n))
		for _, thread := range []uint16{0, 3, 60_000} {
			for _, number := range []int{n, n + 1, n + 2, n + 3, n + 1e9, math.MaxInt32} {
				g.c.datagram(nearFrame(thread, uint32(number), n), elsewhere)
			}
		}
	}
	if l := g.end(); l.Received != frames || l.Sent != frames || l.HeldBack != 0 || g.out.Session.NumTracks() != 2 {
		t.Errorf("%+v, %d tracks", l, g.out.Session.NumTracks())
	}
}

// Datagrams of a client that sends some frames of a thread by TCP all enter, at any rate, also
// where they were there first.
func TestMixedClientLosesNothing(t *testing.T) {
	for _, each := range []int{2, 50, 1000} {
		g := newGoodClient(t)
		const frames = 5000
		for n := range frames {
			f := pstats.AppendFrame(nil, v32, &pstats.Frame{Number: uint32(n), Events: []pstats.Event{{Time: float32(n) / 5000}}})
			switch {
			case n%each == 0:
				g.tcp(f)
			default:
				g.c.datagram(pstats.AppendUDP(nil, f), g.port)
			}
		}
		if l := g.end(); l.Received != frames || l.Implausible+l.Strangers+l.TooLate != 0 {
			t.Errorf("one of %d by TCP: %+v", each, l)
		}
	}
}
