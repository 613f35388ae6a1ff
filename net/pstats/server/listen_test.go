package server

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"framescope/internal/testkit"
	"framescope/internal/testkit/pstatstest"
	"framescope/model"
	"framescope/model/store"
	"framescope/net/feed"
	"framescope/net/pstats"
	"framescope/net/pstats/decode"
)

func listenAt(t *testing.T, addr string) (*Server, error) {
	t.Helper()
	s, err := Listen(context.Background(), Config{Addr: addr, NewSession: func(info SessionInfo) pstats.Handler { return newRecording(info) }})
	if err == nil {
		t.Cleanup(func() { s.Close() })
	}
	return s, err
}

func TestLoopbackOfBothFamilies(t *testing.T) {
	t.Parallel()
	probe, err := net.Listen("tcp6", "[::1]:0")
	if err != nil {
		t.Skipf("no IPv6 here: %v", err)
	}
	probe.Close()
	s := testkit.Must(listenAt(t, "localhost:0"))(t)
	testkit.MustThat(t, len(s.listeners) == 2, "%d listeners, want both families", len(s.listeners))
	for _, l := range s.listeners {
		addr := addrOf(l.Addr())
		testkit.That(t, addr.Addr().IsLoopback() && addr.Port() == s.Addr().Port(), "listens on %v", addr)
		c := dial(t, addr)
		c.sayHello(pstats.Newest(), -1)
		c.sendUDP(pstats.AppendUDP(nil, framePayload(pstats.Newest(), 1, 2)))
		testkit.WaitUntil(t, "a frame", func() bool { return s.sorted()[len(s.sorted())-1].frames.Load() > 0 })
	}
}

func TestTakenPort(t *testing.T) {
	other := testkit.Must(net.Listen("tcp4", "127.0.0.1:0"))(t)
	defer other.Close()
	_, err := listenAt(t, other.Addr().String())
	testkit.MustThat(t, err != nil, "no error for a taken port")
	for _, word := range []string{other.Addr().String(), "--listen HOST:PORT", "another viewer"} {
		testkit.That(t, strings.Contains(err.Error(), word), "error %q does not say %q", err, word)
	}
}

func TestBadAddresses(t *testing.T) {
	for _, addr := range []string{"5185", "localhost", "localhost:no", "127.0.0.1:99999", "[::1:5", "no.such.host.invalid:0"} {
		testkit.Refused(listenAt(t, addr))(t, "pstats: cannot listen on")
	}
	_, err := Listen(context.Background(), Config{Addr: "127.0.0.1:0"})
	testkit.That(t, err != nil, "no error without NewSession")
}

func TestThousandConnections(t *testing.T) {
	const limit, tries = 64, 1000
	s := serve(t, func(cfg *Config) { cfg.MaxConns = limit })
	first, r := join(t, s)
	var in, out int
	var conns []net.Conn
	defer func() {
		for _, c := range conns {
			c.Close()
		}
	}()
	for range tries {
		c, err := net.Dial("tcp", s.Addr().String())
		if errors.Is(err, syscall.EMFILE) {
			t.Skipf("not enough file descriptors: %v", err)
		}
		testkit.OK(t, err)
		conns = append(conns, c)
	}
	for _, c := range conns {
		c.SetReadDeadline(time.Now().Add(patience))
		port, err := pstatstest.ReadServerHello(c)
		switch {
		case err != nil: // too many to be told politely
			out++
		case port == 0:
			out++
			_, err := c.Read(make([]byte, 1))
			testkit.MustThat(t, err == io.EOF, "a client that is turned away sees %v, want EOF", err)
		default:
			in++
		}
	}
	testkit.That(t, in == limit-1 && in+out == tries,
		"%d were let in and %d turned away, want %d and %d", in, out, limit-1, tries-limit+1)
	n := s.logged("turned away")
	testkit.That(t, n == 1, "%d lines in the log, want 1: %q", n, s.log())
	first.send(framePayload(pstats.Newest(), 1, 2))
	r.waitFrames(t, 1)

	// There is room again as soon as some have left.
	for _, c := range conns {
		c.Close()
	}
	s.waitClients(t, "room", func(c []*conn) bool { return len(c) <= 1 })
	c, r := join(t, s)
	c.send(framePayload(pstats.Newest(), 1, 2))
	r.waitFrames(t, 1)
}

// Silent connections, with and without a hello, give way to newcomers, but nobody who sends frames
// does.
func TestSilentConnectionsGiveWay(t *testing.T) {
	t.Parallel()
	const limit = 256
	for _, hello := range []bool{false, true} {
		var now atomic.Int64
		start := time.Now()
		s := serve(t, func(cfg *Config) { cfg.now = func() time.Time { return start.Add(time.Duration(now.Load())) } })
		good, r := join(t, s)
		good.send(framePayload(pstats.Newest(), 1, 2))
		r.waitFrames(t, 1)
		for range limit - 1 {
			if c := dial(t, s.Addr()); hello {
				c.sayHello(pstats.Newest(), -1)
			}
		}
		s.waitClients(t, "all hellos", func(all []*conn) bool {
			return !slices.ContainsFunc(all, func(c *conn) bool { return (c.hello.Load() != nil) != hello && c.frames.Load() == 0 })
		})
		turned := dial(t, s.Addr())
		equal(t, "UDP port of one too many", turned.hello.UDPPort, 0)
		turned.tcp.Close() // else the server's end waits for it to leave
		now.Add(int64(feed.IdleGrace))
		for i := range 3 {
			c, r := join(t, s)
			c.send(framePayload(pstats.Newest(), i, 2))
			r.waitFrames(t, 1)
		}
		s.waitClients(t, "those that gave way", func([]*conn) bool { return silentOf(s) == 3 })
		good.send(framePayload(pstats.Newest(), 2, 2))
		r.waitFrames(t, 2)
		s.Close()
		n := silentOf(s)
		testkit.That(t, n == limit-1, "%d clients are counted that sent nothing, want %d", n, limit-1)
	}
}

func TestUDPPortsForOtherMachines(t *testing.T) {
	s := serve(t, func(cfg *Config) { cfg.Addr = "127.0.0.1:0" })
	any4 := netip.IPv4Unspecified() // not loopback, and there on every machine
	var ports []int
	for range 3 {
		udp := testkit.Must(s.listenUDP(any4))(t)
		ports = append(ports, int(addrOf(udp.LocalAddr()).Port()))
		udp.Close()
	}
	base := int(s.Addr().Port())
	if base+udpPorts > 65535 {
		return // the range does not fit behind the port that the system chose: then any port serves
	}
	for i, port := range ports {
		if port <= base || port > base+udpPorts || i > 0 && port <= ports[i-1] {
			t.Errorf("ports %v, want rising ones after %d", ports, base)
			break
		}
	}
}

func silentOf(s *testServer) int64 {
	n, _ := s.Silent()
	return n
}

// stuck is a session whose viewer does not get to it.
type stuck struct {
	*recording
	ahead chan struct{}
	stop  *sync.Once
	held  *atomic.Int64 // sessions that the viewer does not get to
}

func (s stuck) Frame(f *pstats.Frame, bytes int) {
	s.stop.Do(func() { s.held.Add(1) })
	<-s.ahead
	s.recording.Frame(f, bytes)
}

// While the viewer does not keep up with those that are in, newcomers wait outside and take nothing;
// afterwards all are heard. How many are let in before the door closes is a matter of who reads
// first, so as many come first as close it, and the others once it is closed.
func TestNewcomersWaitOutside(t *testing.T) {
	const clients = 3 * maxHeldUp
	behind, held := make(chan struct{}), new(atomic.Int64)
	catchUp := sync.OnceFunc(func() { close(behind) })
	s := serve(t, func(cfg *Config) {
		inner := cfg.NewSession
		cfg.NewSession = func(info SessionInfo) pstats.Handler {
			return stuck{inner(info).(*recording), behind, new(sync.Once), held}
		}
	})
	t.Cleanup(catchUp)
	come := func(n int) {
		for range n {
			tcp := testkit.Must(net.Dial("tcp", s.Addr().String()))(t)
			t.Cleanup(func() { tcp.Close() })
			c := testClient{t: t, tcp: tcp.(*net.TCPConn)} // nobody greets it yet
			c.sayHello(v32, 1234)
			for n := range 4 {
				c.send(frameAt(n))
			}
		}
	}
	come(maxHeldUp)
	testkit.WaitUntil(t, "the door to close", func() bool { return held.Load() == maxHeldUp }, func() any { return s.door.heldUp() })
	come(clients - maxHeldUp) // who was let in already before it closed may still come, one for each address
	if n := len(s.sorted()); n > maxHeldUp+len(s.listeners) {
		t.Errorf("%d clients are in, %d of them wait for the viewer", n, s.door.heldUp())
	}
	catchUp()
	for range clients {
		s.session(t).waitFrames(t, 4)
	}
	testkit.That(t, s.logged("turned away") == 0, "log: %q", s.log())
	testkit.WaitUntil(t, "nobody to wait for the viewer", func() bool { return s.door.heldUp() == 0 })
}

// Who refuses to go on, or says nothing, holds nobody up.
func TestSilentClientsHoldNobodyUp(t *testing.T) {
	s := serve(t, nil)
	for range 2 * maxHeldUp {
		c := testkit.Must(net.Dial("tcp", s.Addr().String()))(t)
		defer c.Close()
	}
	c, r := join(t, s)
	c.send(frameAt(1))
	r.waitFrames(t, 1)
	n := s.door.heldUp()
	testkit.That(t, n < maxHeldUp, "%d are held up", n)
}

// heldUp returns how many connections wait for the viewer.
func (d *door) heldUp() int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.held
}

// A slowHandler has no room until it is told so.
type slowHandler struct {
	*recording
	room  chan struct{}
	once  sync.Once
	asked chan struct{}
}

func (h *slowHandler) AwaitRoom(stop <-chan struct{}, _ int) {
	h.once.Do(func() { close(h.asked) })
	select {
	case <-h.room:
	case <-stop:
	}
}

// While the disk has no room the client's TCP connection is not read, datagrams are, and nothing is
// lost.
func TestTCPWaitsForTheDisk(t *testing.T) {
	r := newRecording(SessionInfo{})
	h := &slowHandler{recording: r, room: make(chan struct{}), asked: make(chan struct{})}
	s := serve(t, func(c *Config) { c.NewSession = func(SessionInfo) pstats.Handler { return pstats.Tee(h, nil) } })
	c := dial(t, s.Addr())
	c.sayHello(v32, 1)
	c.send(pstats.AppendThreads(nil, 0, []string{"Main", "Loader"}))
	c.send(frameAt(0))
	<-h.asked
	const frames = 20_000
	sent := make(chan struct{})
	go func() {
		defer close(sent)
		for n := 1; n < frames; n++ {
			if _, err := c.tcp.Write(pstats.AppendTCP(nil, frameAt(n))); err != nil {
				t.Error(err)
				return
			}
		}
	}()
	other := func(n int) []byte {
		f := pstats.Frame{Thread: 1, Number: uint32(n), Events: []pstats.Event{{Time: float32(n) / 60}}}
		return pstats.AppendUDP(nil, pstats.AppendFrame(nil, v32, &f))
	}
	c.sendUDP(other(0))
	c.sendUDP(other(1))
	r.waitFrames(t, 3)
	n := len(r.numbers())
	testkit.That(t, n == 3, "%d frames while there was no room", n)
	close(h.room)
	<-sent
	r.waitFrames(t, frames+2)
}

// However long the hello is and the names in it, the client is let in, and a line of the log is short.
func TestLongNamesAreCutInTheLog(t *testing.T) {
	s := serve(t, nil)
	c := dial(t, s.Addr())
	long := strings.Repeat("x", 65_535)
	c.send(pstats.AppendClientHello(nil, pstats.ClientHello{Host: long, Program: long, Version: v32, PID: 1}))
	c.send(frameAt(0))
	s.session(t).waitFrames(t, 1)
	equal(t, "name", s.sorted()[0].hello.Load().Program, long)
	for _, line := range s.log() {
		testkit.That(t, len(line) <= 400, "a line of %d bytes: %.100s", len(line), line)
	}
}

// What is lost again and again for the same reason is one line among the session's notes, with the
// sum in its count.
func TestSameLossIsOneLine(t *testing.T) {
	g := newGoodClient(t)
	g.send(100)
	for n := range 5 {
		g.c.implausible(3)
		g.c.mu.Lock()
		g.c.flushLosses()
		g.c.mu.Unlock()
		if n == 3 {
			g.c.malformed(errGarbage{"another"})
		}
	}
	g.end()
	counts, lines := g.out.Session.Losses()
	testkit.That(t, counts[model.LossImplausible] == 15 && len(lines) == 2,
		"%d are lost: %q", counts[model.LossImplausible], lines)
}

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
		_, err := good.Write(pstats.AppendTCP(nil, pstats.AppendFrame(nil, pstats.Newest(), &f)))
		testkit.MustThat(t, err == nil, "the good client was disconnected: %v", err)
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
		held := hub.Stats().HeldBytes
		testkit.MustThat(t, held <= 24<<20, "%d bytes are held", held)
	}
	n, left := 0, 0
	testkit.WaitUntil(t, fmt.Sprintf("%d frames, and 21 clients that are left", number), func() bool {
		for hub.Poll(&st, time.Second).More {
		}
		if e := hub.Entries(); len(e) > 0 && e[0].Session.NumTracks() > 0 {
			n = e[0].Session.Track(0).NumFrames()
		}
		left = len(s.sorted())
		return n == int(number) && left == 21
	}, func() any { return n }, func() any { return left })
	s.Close()
	held := hub.Stats().HeldBytes
	testkit.That(t, held == 0, "%d bytes are held when all clients are gone", held)
}

// The last line of the log counts the frames that the viewer dropped as the session's account does.
func TestDroppedByTheViewer(t *testing.T) {
	var st store.Store
	hub := feed.NewHub()
	f := hub.NewFeed(feed.Options{Live: true, Batches: 4})
	s := serve(t, func(cfg *Config) {
		hasty(cfg)
		cfg.NewSession = func(info SessionInfo) pstats.Handler {
			info.CountDrops(f.DroppedFrames)
			return decode.New(f, decode.Options{Peer: info.Peer.String()})
		}
	})
	c := dial(t, s.Addr())
	c.sayHello(v32, 1234)
	for n := range 50 {
		c.send(frameAt(n + 1))
	}
	c.tcp.Close()
	testkit.WaitUntil(t, "the last line", func() bool { return s.logged("it disconnected") == 1 })
	for hub.Poll(&st, time.Second).More {
	}
	ledger := hub.Entries()[0].Session.Ledger()
	testkit.That(t, ledger.Ours > 0 && ledger.Received+ledger.Ours == 50 && ledger.HeldBack == 0, "%+v", ledger)
	last := fmt.Sprintf(": %d frames, ", ledger.Received)
	ours := fmt.Sprintf(" bytes, %d dropped by the viewer", ledger.Ours)
	testkit.That(t, s.logged(last) == 1 && s.logged(ours) == 1, "%q and %q are not in %q", last, ours, s.log())
}
