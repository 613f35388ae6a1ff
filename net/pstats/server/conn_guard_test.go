package server

import (
	"fmt"
	"math"
	"math/rand/v2"
	"net"
	"net/netip"
	"path/filepath"
	"testing"
	"time"

	"pgregory.net/rapid"

	"framescope/internal/testkit"
	"framescope/internal/testkit/pstatstest"
	"framescope/model"
	"framescope/model/store"
	"framescope/net/journal"
	"framescope/net/pstats"
	"framescope/net/pstats/decode"
)

// A goodClient is a connection without sockets whose client sends at 60 Hz, by its own port and by
// TCP.
type goodClient struct {
	t      *testing.T
	c      *conn
	out    *pstatstest.Sink
	port   netip.AddrPort
	number int
	sent   int64
}

func newGoodClient(t *testing.T) *goodClient {
	r := &goodClient{t: t, out: &pstatstest.Sink{Session: store.NewSession()}, port: netip.MustParseAddrPort("127.0.0.1:5000")}
	r.c = fuzzConn(nil)
	r.c.server.cfg.NewSession = func(info SessionInfo) pstats.Handler {
		return decode.New(r.out, decode.Options{Peer: info.Peer.String()})
	}
	r.tcp(helloPayload(v32, 1))
	r.tcp(pstats.AppendThreads(nil, 0, []string{"Main", "Loader"}))
	return r
}

func (g *goodClient) tcp(payload []byte) {
	g.t.Helper()
	testkit.Must(g.c.takeTCP(payload))(g.t)
}

// send sends n frames, one in eight of them by TCP.
func (g *goodClient) send(n int) {
	g.t.Helper()
	for range n {
		g.sent++
		if g.number%8 == 3 {
			g.tcp(frameAt(g.number))
		} else {
			g.c.datagram(pstats.AppendUDP(nil, frameAt(g.number)), g.port)
		}
		g.number++
	}
}

// end ends the session and returns its ledger.
func (g *goodClient) end() model.Ledger {
	g.c.end()
	return g.out.Session.Ledger()
}

// forged is a frame that the client did not send.
func forged(thread, number uint32, at float32, events int) []byte {
	f := pstats.Frame{Thread: uint16(thread), Number: number}
	for i := range events {
		f.Events = append(f.Events, pstats.Event{Word: uint16(i%2) * pstats.StopBit, Time: at + float32(i)/1000})
	}
	return pstats.AppendUDP(nil, pstats.AppendFrame(nil, v32, &f))
}

// forgeries are datagrams of many kinds, for a client that is at frame 100.
func forgeries() map[string][]byte {
	f := map[string][]byte{
		"far ahead":            forged(0, math.MaxInt32, 9.9e8, 2),
		"the greatest number":  forged(0, math.MaxUint32, 1.6, 2),
		"ahead in number":      forged(0, 1_000_000, 1.7, 2),
		"a little ahead":       forged(0, 1_000, 1.7, 2),
		"ahead in time":        forged(0, 101, 9.9e8, 2),
		"a minute ahead":       forged(0, 101, 60, 2),
		"back in number":       forged(0, 0, 1.9, 2),
		"back in time":         forged(0, 101, 0.0001, 2),
		"the number once more": forged(0, 99, 2.5, 2),
		"without times":        forged(0, 5_000_000, 0, 0),
		"impossible times":     forged(0, 5_000_000, float32(math.NaN()), 4),
		"a thread of its own":  forged(9_999, 7, 1.5, 2),
		"a thread that waits":  forged(1, 7, 1.5, 2),
	}
	rng := rand.New(rand.NewPCG(1, 2))
	for i := range 200 {
		number, at := rng.Uint32(), math.Float32frombits(rng.Uint32())
		f[fmt.Sprint("random ", i)] = forged(rng.Uint32N(3)*rng.Uint32N(20_000), number, at, rng.IntN(5))
	}
	return f
}

// A client that had to wait for us sends datagrams before we have read what it sent by TCP meanwhile: they wait for
// it, and none counts as held back.
func TestDatagramsAheadOfBacklog(t *testing.T) {
	g := newGoodClient(t)
	g.c.server.started = g.c.server.started.Add(-9 * time.Second)
	const byTCP, datagrams = 540, 45
	for n := range byTCP {
		g.tcp(frameAt(n))
		if ahead := n - 10; ahead >= 0 && ahead < datagrams {
			g.c.datagram(pstats.AppendUDP(nil, frameAt(byTCP+ahead)), g.port)
		}
	}
	g.tcp(frameAt(byTCP + datagrams))
	if l := g.end(); l.Received != byTCP+datagrams+1 || l.HeldBack != 0 || l.Implausible != 0 {
		t.Errorf("of %d frames: %+v", byTCP+datagrams+1, l)
	}
}

// A frame by TCP overtakes the datagrams of a hundred quick frames: nothing is missing, in the log neither.
func TestTCPOvertakesDatagrams(t *testing.T) {
	g := newGoodClient(t)
	g.send(200)
	const quick = 100
	g.c.server.started = g.c.server.started.Add(-time.Second)
	g.tcp(quickFrame(200 + quick)[2:])
	for n := range quick {
		g.c.datagram(quickFrame(200+n), g.port)
	}
	l := g.end()
	received, losses := g.c.summary()
	testkit.That(t, l.Received == 201+quick && l.HeldBack == 0, "%+v", l)
	testkit.That(t, received == l.Received && losses == "", "the log has %d frames%s", received, losses)
}

// Datagrams of a sender that is not known yet enter however late what was sent by TCP is read: behind it, or long
// before it. As many as may be held wait; the rest is left in the socket.
func TestDatagramsOfAnUnknownSender(t *testing.T) {
	type numbers struct{ before, datagrams, tcp, later []int }
	for name, n := range map[string]numbers{
		"behind what came by TCP": {[]int{0, 64}, []int{2}, seq(65, 130), nil},
		"a jump ahead of it":      {[]int{0}, []int{2, 200, 201, 202, 203}, []int{64, 128, 192}, seq(204, 300)},
		"as many as may wait":     {[]int{0}, seq(1, 1+maxWaitNum), []int{1 + maxWaitNum}, nil},
	} {
		g := newGoodClient(t)
		send := func(numbers []int, send func([]byte)) {
			for _, n := range numbers {
				send(frameAt(n))
				g.sent++
			}
		}
		datagram := func(frame []byte) { g.c.datagram(pstats.AppendUDP(nil, frame), g.port) }
		send(n.before, g.tcp)
		send(n.datagrams, datagram)
		equal(t, name+": many are held", g.c.heldAreMany(), len(n.datagrams) == maxWaitNum)
		send(n.tcp, g.tcp)
		equal(t, name+": many are still held", g.c.heldAreMany(), false)
		send(n.later, datagram)
		l := g.end()
		testkit.That(t, l.Received == g.sent && l.Implausible == 0, "%s: of %d frames %+v", name, g.sent, l)
	}
}

func seq(first, end int) (out []int) {
	for ; first < end; first++ {
		out = append(out, first)
	}
	return out
}

// quickFrame is a frame of 20 µs, behind 200 slow ones.
func quickFrame(number int) []byte {
	at := 200.0/60 + float32(number-200)*20e-6
	return forged(0, uint32(number), at, 1)
}

// Forged datagrams do not enter the session of a good client: its numbers stay exactly what it
// sent.
func TestForgedDatagrams(t *testing.T) {
	elsewhere := netip.MustParseAddrPort("127.0.0.1:6000")
	for name, datagram := range forgeries() {
		for _, how := range []string{"from another port", "before the client", "while the client is silent"} {
			g := newGoodClient(t)
			if how == "before the client" {
				g.c.datagram(datagram, elsewhere)
			}
			g.send(100)
			if how == "while the client is silent" {
				g.c.source.lastNs -= 10 * portSilenceNs
			}
			if how != "before the client" {
				g.c.datagram(datagram, elsewhere)
			}
			g.send(100)
			l := g.end()
			want := model.Ledger{Framed: true, Threads: l.Threads, Sent: 200, Received: 200}
			want.Strangers, want.Implausible, want.Malformed = l.Strangers, l.Implausible, l.Malformed
			testkit.That(t, l == want && l.Strangers+l.Implausible == 1, "%s %s: %+v", name, how, l)
			testkit.That(t, g.out.Session.NumTracks() <= 2, "%s %s: %d tracks", name, how, g.out.Session.NumTracks())
			if _, end, _ := g.out.Session.Bounds(); end > 4e9 {
				t.Errorf("%s %s: the session ends at %v", name, how, time.Duration(end))
			}
		}
	}
}

// Forged datagrams with the client's own port are told by their content alone.
func TestForgedFromTheClientsPort(t *testing.T) {
	for name, datagram := range forgeries() {
		if name == "a thread that waits" { // nothing is wrong with it
			continue
		}
		g := newGoodClient(t)
		g.send(100)
		g.c.datagram(datagram, g.port)
		g.send(100)
		l := g.end()
		testkit.That(t, l.Received == 200 && l.Missing == 0 && l.Implausible == 1 && g.out.Session.NumTracks() <= 2,
			"%s: %+v, %d tracks", name, l, g.out.Session.NumTracks())
	}
}

// A client that counts anew, whose clock jumps, or that goes on from another port loses no frame.
func TestJumpsOfCaptures(t *testing.T) {
	frame := func(number int, at float32) []byte {
		events := []pstats.Event{{Time: at}, {Word: pstats.StopBit, Time: at + 0.016}}
		return pstats.AppendFrame(nil, v32, &pstats.Frame{Number: uint32(number), Events: events})
	}
	for name, jump := range map[string]func(i int) (number int, at float32){
		"numbers from 0":       func(i int) (int, float32) { return i, 2 + float32(i)/60 },
		"numbers far ahead":    func(i int) (int, float32) { return 1e9 + i, 2 + float32(i)/60 },
		"clock a day ahead":    func(i int) (int, float32) { return 100 + i, 86400 + float32(i)/60 },
		"clock back":           func(i int) (int, float32) { return 100 + i, 0.1 + float32(i)/60 },
		"everything from 0":    func(i int) (int, float32) { return i, float32(i) / 60 },
		"times that are none":  func(i int) (int, float32) { return 100 + i, float32(math.NaN()) },
		"one in a hundred":     func(i int) (int, float32) { return 100 + 100*i, 2 + 100*float32(i)/60 },
		"a hundred each frame": func(i int) (int, float32) { return 100 + 100*i, 2 + float32(i)/60 },
		"a slow thread":        func(i int) (int, float32) { return 100 + i, 2 + 60*float32(i) },
		"in pairs, exchanged":  func(i int) (int, float32) { return 100 + (i ^ 1), 2 + float32(i^1)/60 },
	} {
		for _, udp := range []bool{false, true} {
			g := newGoodClient(t)
			g.send(100)
			before := g.c.frames.Load()
			for i := range 50 {
				number, at := jump(i)
				if udp {
					g.c.datagram(pstats.AppendUDP(nil, frame(number, at)), g.port)
				} else {
					g.tcp(frame(number, at))
				}
			}
			g.c.end()
			n := g.c.frames.Load() - before
			testkit.That(t, n == 50, "%s, UDP %v: %d of 50 frames entered: %+v", name, udp, n, g.out.Session.Ledger())
		}
	}
	g := newGoodClient(t)
	g.send(100)
	g.port = netip.MustParseAddrPort("127.0.0.1:7000")
	g.c.source.lastNs -= 2 * portSilenceNs
	g.send(100)
	l := g.end()
	testkit.That(t, l.Received == 200 && l.Strangers+l.Implausible == 0, "another port: %+v", l)
}

// A frame that is held for long, or with many others, is given up; memory is bounded.
func TestHeldFramesAreBounded(t *testing.T) {
	g := newGoodClient(t)
	g.send(100)
	const n = 10_000
	for i := range n {
		g.c.datagram(forged(uint32(i+2), uint32(1_000_000+i*100_000), 1, 200), g.port)
		testkit.MustThat(t, g.c.guard.heldSize <= maxHeldSize, "%d bytes are held", g.c.guard.heldSize)
	}
	g.send(100)
	l := g.end()
	testkit.That(t, l.Implausible == n && l.Received == 200, "%+v", l)
	testkit.That(t, g.c.guard.heldSize == 0, "%d bytes are held in the end", g.c.guard.heldSize)
}

// The guard costs no allocation for frames that follow each other.
func TestGuardAllocatesNothing(t *testing.T) {
	var g guard
	f := pstats.Frame{Events: []pstats.Event{{}, {Word: pstats.StopBit}}}
	step := func() {
		f.Number++
		f.Thread = uint16(f.Number % 4)
		a := lookAt(&f, origin{}, int64(f.Number)*1e6)
		testkit.MustThat(t, g.passes(&a, false), "a good frame is held")
	}
	for range 8 {
		step()
	}
	n := testing.AllocsPerRun(1000, step)
	testkit.That(t, n == 0, "%v allocations", n)
}

// A single frame of a client that sends nothing else makes a session after a moment.
func TestASingleDatagram(t *testing.T) {
	t.Parallel()
	_, c, r := joined(t)
	c.sendUDP(pstats.AppendUDP(nil, frameAt(7)))
	r.waitFrames(t, 1)
	c.sendUDP(pstats.AppendUDP(nil, frameAt(8)))
	other := testkit.Must(net.DialUDP("udp", nil, c.udp.RemoteAddr().(*net.UDPAddr)))(t)
	defer other.Close()
	r.waitFrames(t, 2)
	c.sendUDP(pstats.AppendUDP(nil, frameAt(9)))
	other.Write(pstats.AppendUDP(nil, frameAt(10)))
	r.waitLost(t, model.LossStranger, 1)
	equal(t, "frames", r.numbers(), []uint32{7, 8, 9})
}

// A set of numbers knows each number that was added, as far back as it says it reaches.
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
			testkit.MustThat(t, len(s.pages) <= most, "%d pages", len(s.pages))
		}
		for n := max(0, s.greatest-int64(2*most*pageNumbers)); n <= s.greatest+pageNumbers; n++ {
			testkit.MustThat(t, (!s.remembers(n) || s.has(n) == came[n]) && (!s.has(n) || came[n]),
				"%d came: %v, the set says %v", n, came[n], s.has(n))
		}
		newest := s.greatest - (s.greatest % pageNumbers)
		testkit.MustThat(t, !s.any || s.remembers(newest), "%d is out of reach of %+v", newest, s)
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

// Datagrams that confirm each other do not lead a thread away whose frames come by TCP, nor do they
// make one of their own; frames by TCP then go on as if nothing had been.
func TestForgedDatagramsBesideTCP(t *testing.T) {
	elsewhere := netip.MustParseAddrPort("127.0.0.1:6000")
	for name, f := range map[string]struct {
		thread, number, step uint32
		at, stepS            float32
	}{
		"far ahead": {0, 1_000_100, 1, 1e6, 1}, "a minute ahead": {0, 4_000, 1, 61, 0.01},
		"back, and far ahead": {0, 2, 1, 1e6, 1}, "times that stand": {0, 5_000_000, 1, 1e6, 0},
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
			l := g.end()
			testkit.That(t, l.Received == 200 && l.Sent == 200 && l.Implausible == 10, "%+v", l)
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
	l := g.end()
	testkit.That(t, l.Received == g.sent && l.Implausible == 0, "%d frames were sent: %+v", g.sent, l)
}

// A thread that has a name and a clock of its own may begin by UDP while others send by TCP alone.
func TestOwnClockBesideTCP(t *testing.T) {
	g := newGoodClient(t)
	for n := range 100 {
		g.tcp(frameAt(n))
		g.c.datagram(forged(1, uint32(n), 1e6+float32(n), 2), g.port)
	}
	l := g.end()
	testkit.That(t, l.Received == 200 && l.Implausible == 0, "%+v", l)
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
	l := g.end()
	testkit.That(t, l.Received >= 50 && l.Received <= 52 && l.Implausible == 0, "%+v", l)
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
	testkit.That(t, guard.passes(at(10, 10e7, origin{}), false) && guard.thread(0).Ref.Number == 10,
		"the detour goes on: %+v", guard.thread(0).Ref)
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
		"the next four": {1, 4, false, false, 0}, "from many ports": {1, 4, true, false, 0},
		"before the first": {0, 4, false, true, 0}, "before the first, ahead": {0, 4, false, true, 60e6},
		"the last four": {-3, 4, false, false, 0}, "the last three and ahead": {-2, 6, false, false, 0},
	} {
		t.Run(name, func(t *testing.T) {
			const frames = 600
			g := newGoodClient(t)
			dir := t.TempDir()
			root := journal.OpenRoot(dir, journal.RootOptions{Limit: 1 << 30})
			defer root.Close()
			kept := root.Create(decode.Meta(pstats.ClientHello{Program: "demo"}, ""), journal.Options{})
			g.c.server.cfg.NewSession = func(info SessionInfo) pstats.Handler {
				return pstats.Tee(decode.New(g.out, decode.Options{Peer: info.Peer.String()}), decode.NewEncoder(kept))
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
			sum := g.c.frames.Load()
			l := g.end()
			if l.Received != frames || l.Sent != frames || l.Missing != 0 || g.out.Session.NumTracks() != 2 || sum != frames {
				t.Errorf("%+v, %d tracks, %d frames in the log", l, g.out.Session.NumTracks(), sum)
			}
			tail := g.out.Session.Track(0)
			testkit.That(t, tail.NumFrames() == frames, "%d frames", tail.NumFrames())
			for i := range frames {
				f := g.out.Session.Track(0).Frame(i)
				testkit.MustThat(t, f.Number == int64(i) && math.Abs(float64(f.Begin)-float64(i)/60*1e9) <= 1e5,
					"frame %d is %+v", i, f)
			}
			testkit.OK(t, kept.Wait(patience))
			again := &pstatstest.Sink{Session: store.NewSession()}
			r := testkit.Must(journal.Open(kept.Path()))(t)
			defer r.Close()
			if _, _, err := decode.Replay(t.Context(), r, decode.New(again, decode.Options{Replay: true}), nil); err != nil {
				t.Fatal(err)
			}
			if n := again.Session.Track(0).NumFrames(); n != frames || again.Session.NumTracks() != 2 {
				t.Errorf("kept: %d frames, %d tracks", n, again.Session.NumTracks())
			}
			file := filepath.Join(dir, "x.pstats")
			testkit.OK(t, decode.Export(t.Context(), kept.Path(), file))
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
		const frames = 1500
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
