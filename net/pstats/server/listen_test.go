package server

import (
	"context"
	"errors"
	"io"
	"net"
	"net/netip"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"framescope/internal/testkit"
	"framescope/net/feed"
	"framescope/net/pstats"
	"framescope/net/pstats/pstatstest"
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
	probe, err := net.Listen("tcp6", "[::1]:0")
	if err != nil {
		t.Skipf("no IPv6 here: %v", err)
	}
	probe.Close()
	s := testkit.Must(listenAt(t, "localhost:0"))(t)
	if len(s.Addrs()) != 2 {
		t.Fatalf("listens on %v, want both families", s.Addrs())
	}
	for _, addr := range s.Addrs() {
		if !addr.Addr().IsLoopback() || addr.Port() != s.Addr().Port() {
			t.Errorf("listens on %v", addr)
		}
		c := dial(t, addr)
		c.sayHello(pstats.Newest(), -1)
		c.sendUDP(pstats.AppendUDP(nil, framePayload(pstats.Newest(), 1, 2)))
		testkit.WaitUntil(t, "a frame", func() bool { return s.Clients()[len(s.Clients())-1].UDPFrames > 0 })
	}
}

func TestTakenPort(t *testing.T) {
	other := testkit.Must(net.Listen("tcp4", "127.0.0.1:0"))(t)
	defer other.Close()
	_, err := listenAt(t, other.Addr().String())
	if err == nil {
		t.Fatal("no error for a taken port")
	}
	for _, word := range []string{other.Addr().String(), "--listen HOST:PORT", "another viewer"} {
		if !strings.Contains(err.Error(), word) {
			t.Errorf("error %q does not say %q", err, word)
		}
	}
}

func TestBadAddresses(t *testing.T) {
	for _, addr := range []string{"5185", "localhost", "localhost:no", "127.0.0.1:99999", "[::1:5", "no.such.host.invalid:0"} {
		if _, err := listenAt(t, addr); err == nil || !strings.Contains(err.Error(), "pstats: cannot listen on") {
			t.Errorf("%q: error %v", addr, err)
		}
	}
	if _, err := Listen(context.Background(), Config{Addr: "127.0.0.1:0"}); err == nil {
		t.Error("no error without NewSession")
	}
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
		if err != nil {
			t.Fatal(err)
		}
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
			if _, err := c.Read(make([]byte, 1)); err != io.EOF {
				t.Fatalf("a client that is turned away sees %v, want EOF", err)
			}
		default:
			in++
		}
	}
	if in != limit-1 || in+out != tries {
		t.Errorf("%d were let in and %d turned away, want %d and %d", in, out, limit-1, tries-limit+1)
	}
	if n := s.logged("turned away"); n != 1 {
		t.Errorf("%d lines in the log, want 1: %q", n, s.log())
	}
	first.send(framePayload(pstats.Newest(), 1, 2))
	r.waitFrames(t, 1)

	// There is room again as soon as some have left.
	for _, c := range conns {
		c.Close()
	}
	s.waitClients(t, "room", func(c []ClientInfo) bool { return len(c) <= 1 })
	c, r := join(t, s)
	c.send(framePayload(pstats.Newest(), 1, 2))
	r.waitFrames(t, 1)
}

// Silent connections, with and without a hello, give way to newcomers, but nobody who sends frames
// does.
func TestSilentConnectionsGiveWay(t *testing.T) {
	const limit = 256
	for _, hello := range []bool{false, true} {
		var now atomic.Int64
		start := time.Now()
		s := serve(t, func(cfg *Config) {
			cfg.now = func() time.Time { return start.Add(time.Duration(now.Load())) }
		})
		good, r := join(t, s)
		good.send(framePayload(pstats.Newest(), 1, 2))
		r.waitFrames(t, 1)
		for range limit - 1 {
			if c := dial(t, s.Addr()); hello {
				c.sayHello(pstats.Newest(), -1)
			}
		}
		s.waitClients(t, "all hellos", func(all []ClientInfo) bool {
			return !slices.ContainsFunc(all, func(c ClientInfo) bool { return c.Known != hello && c.Frames() == 0 })
		})
		equal(t, "UDP port of one too many", dial(t, s.Addr()).hello.UDPPort, 0)
		now.Add(int64(feed.IdleGrace))
		for i := range 3 {
			c, r := join(t, s)
			c.send(framePayload(pstats.Newest(), i, 2))
			r.waitFrames(t, 1)
		}
		s.waitClients(t, "those that gave way", func([]ClientInfo) bool { return silentOf(s) == 3 })
		good.send(framePayload(pstats.Newest(), 2, 2))
		r.waitFrames(t, 2)
		s.Close()
		if n := silentOf(s); n != limit-1 {
			t.Errorf("%d clients are counted that sent nothing, want %d", n, limit-1)
		}
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
