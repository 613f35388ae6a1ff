package server

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"framescope/internal/testkit"
	"framescope/model"
	"framescope/net/pstats"
)

// The checklist of PROTOCOL.md section 15, as far as it concerns connections.

var v32 = pstats.Version{Major: 3, Minor: 2}

func equal[T any](t *testing.T, what string, got, want T) {
	if reflect.DeepEqual(want, got) {
		return
	}
	t.Helper()
	d := cmp.Diff(want, got, cmpopts.EquateEmpty())
	testkit.That(t, d == "", "%s (-want +got)\n%s", what, d)
}

func TestHelloIsSentFirst(t *testing.T) {
	s := serve(t, nil)
	c := dial(t, s.Addr()) // fails unless the hello comes before a byte was sent
	equal(t, "host", c.hello.Host, "viewer")
	equal(t, "program", c.hello.Program, "test")
	testkit.That(t, c.hello.UDPPort != 0, "no UDP port")
	s.noSession(t)
}

func TestHundredMessagesInOneSegment(t *testing.T) {
	s := serve(t, nil)
	c := dial(t, s.Addr())
	stream := pstats.AppendTCP(nil, helloPayload(v32, -1))
	var want []uint32
	for i := range 100 {
		stream = pstats.AppendTCP(stream, framePayload(v32, i, 2))
		want = append(want, uint32(i))
	}
	c.write(stream)
	r := s.session(t)
	r.waitFrames(t, 100)
	equal(t, "frames", r.numbers(), want)
}

func TestEveryVersion(t *testing.T) {
	for _, tt := range []struct {
		v     pstats.Version
		pid   int64
		short bool
		warn  bool
	}{
		{v: pstats.Version{Major: 3, Minor: 0}, pid: -1},
		{v: pstats.Version{Major: 3, Minor: 0}, pid: 77},
		{v: pstats.Version{Major: 3, Minor: 1}, pid: 77},
		{v: pstats.Version{Major: 3, Minor: 2}, pid: 77},
		{v: pstats.Version{Major: 3, Minor: 7}, pid: 77, warn: true},
		{v: pstats.Version{Major: 2, Minor: 1}, pid: -1, short: true},
		{v: pstats.Version{Major: 2, Minor: 0}, pid: -1, short: true},
		{v: pstats.Version{Major: 1, Minor: 0}, pid: -1, short: true},
		{v: pstats.Version{Major: 1, Minor: 0}, pid: -1}, // a hello without version in a new envelope
	} {
		t.Run(fmt.Sprintf("%v,pid=%d,short=%v", tt.v, tt.pid, tt.short), func(t *testing.T) {
			t.Parallel()
			s := serve(t, hasty)
			c := dial(t, s.Addr())
			c.short = tt.short
			c.sayHello(tt.v, tt.pid)
			c.send(pstats.AppendThreads(nil, 0, []string{"Main"}))
			s.waitClients(t, "hello and thread", func([]*conn) bool { return s.Messages() == 2 })
			c.sendUDP(pstats.AppendUDP(nil, framePayload(tt.v, 1, 4)))
			r := s.session(t)
			r.waitFrames(t, 1)
			frames := 1
			if tt.v.HasFrameType() {
				c.send(framePayload(tt.v, 2, 300))
				frames = 2
			}
			r.waitFrames(t, frames)
			equal(t, "hello", r.hellos, []pstats.ClientHello{{Host: "pc", Program: "demo", Version: tt.v, PID: tt.pid}})
			for i, events := range []int{4, 300}[:frames] {
				var want pstats.Frame
				testkit.OK(t, pstats.DecodeFrame(framePayload(tt.v, i+1, events), tt.v, &want))
				equal(t, "frame", r.frames[i], want)
			}
			equal(t, "losses", r.reports, 0)
			equal(t, "warned", s.logged("newer than this Framescope knows") == 1, tt.warn)
		})
	}
}

func TestUnknownMajorIsTurnedAwayPolitely(t *testing.T) {
	s := serve(t, nil)
	for _, v := range []pstats.Version{{Major: 4}, {Major: 65535, Minor: 9}} {
		c := dial(t, s.Addr())
		c.sayHello(v, -1)
		c.send(make([]byte, 10000)) // what is on its way must not turn into a reset
		c.tcp.SetReadDeadline(time.Now().Add(patience))
		_, err := c.tcp.Read(make([]byte, 1))
		testkit.That(t, err == io.EOF, "%v: the connection ends with %v, want EOF", v, err)
	}
	s.Close()
	s.noSession(t)
	equal(t, "log lines", s.logged("turned away"), 2)
}

func TestUDPSizes(t *testing.T) {
	t.Parallel()
	_, c, r := joined(t)
	sized := func(number, payload int) []byte { // a frame with trailing bytes
		p := framePayload(v32, number, 4)
		return append(p, bytes.Repeat([]byte{0xff}, payload-len(p))...)
	}
	c.sendUDP(nil)
	c.sendUDP([]byte{7})    // no room for a checksum
	c.sendUDP([]byte{0, 0}) // empty payload
	var want []uint32
	for i, n := range []int{100, 1500, 1501, 9000} {
		c.sendUDP(pstats.AppendUDP(nil, sized(i, n)))
		want = append(want, uint32(i))
	}
	r.waitFrames(t, len(want))
	r.waitLost(t, model.LossChecksum, 1)
	r.waitLost(t, model.LossMalformed, 1)
	equal(t, "frames", r.numbers(), want)
	equal(t, "wrong checksums", r.lost[model.LossChecksum], 1)
	equal(t, "empty payloads", r.lost[model.LossMalformed], 1)
}

func TestUDPChecksum(t *testing.T) {
	t.Parallel()
	s, c, r := joined(t)
	bad := pstats.AppendUDP(nil, framePayload(v32, 1, 4))
	bad[0]++
	const flood = 200 // what the smallest receive buffer takes
	for range flood {
		c.sendUDP(bad)
	}
	wrap := append(framePayload(v32, 2, 4), bytes.Repeat([]byte{0xff}, 300)...) // sum beyond 65535
	c.sendUDP(pstats.AppendUDP(nil, wrap))
	r.waitFrames(t, 1)
	c.tcp.Close()
	r.waitClosed(t)
	equal(t, "frames", r.numbers(), []uint32{2})
	testkit.That(t, r.lost[model.LossChecksum] == flood,
		"%d datagrams with a wrong checksum counted, %d were sent", r.lost[model.LossChecksum], flood)
	testkit.That(t, int64(r.reports) < r.lost[model.LossChecksum],
		"%d reports of %d losses: they are not gathered", r.reports, r.lost[model.LossChecksum])
	equal(t, "log lines", s.logged("wrong checksum ignored"), 1)
}

func TestUDPOtherTypes(t *testing.T) {
	t.Parallel()
	_, c, r := joined(t)
	c.sendUDP(pstats.AppendUDP(nil, helloPayload(pstats.Version{Major: 3}, 5)))
	c.sendUDP(pstats.AppendUDP(nil, pstats.AppendThreads(nil, 0, []string{"x"})))
	c.sendUDP(pstats.AppendUDP(nil, framePayload(v32, 1, 4)))
	r.waitFrames(t, 1)
	r.waitLost(t, model.LossMalformed, 2)
	equal(t, "hellos", len(r.hellos), 1)
	equal(t, "threads", len(r.threads), 0)
}

func TestBeforeTheHello(t *testing.T) {
	t.Parallel()
	s := serve(t, hasty)
	c := dial(t, s.Addr())
	c.sendUDP(pstats.AppendUDP(nil, framePayload(v32, 1, 4)))
	c.send(pstats.AppendThreads(nil, 0, []string{"Main"}))
	c.send(framePayload(v32, 2, 4))
	s.waitClients(t, "a datagram", func(c []*conn) bool { return c[0].udpBytes.Load() > 0 })
	s.noSession(t)
	c.sayHello(v32, -1)
	r := s.session(t)
	r.waitFor(t, "all", func() bool { return r.calls == 4 })
	equal(t, "threads", r.threads, map[int]string{0: "Main"})
	equal(t, "frames", len(r.numbers()), 2)
}

func TestTheQueueBeforeTheHelloIsBounded(t *testing.T) {
	s := serve(t, nil)
	c := dial(t, s.Addr())
	for i := range maxEarlyNum + 10 {
		c.send(framePayload(v32, i, 2))
	}
	c.sayHello(v32, -1)
	r := s.session(t)
	r.waitLost(t, model.LossLimit, 10)
	r.waitFrames(t, maxEarlyNum)
	equal(t, "frames", len(r.numbers()), maxEarlyNum)
}

func TestFramesArePassedOnInOrderOfArrival(t *testing.T) {
	t.Parallel()
	_, c, r := joined(t)
	c.send(pstats.AppendExpire(nil, 0)) // frames of a thread may come after its end
	want := []uint32{7, 6, 5, 8, 10, 9}
	for i, n := range want {
		payload := framePayload(v32, int(n), 2)
		if i%2 == 0 {
			c.send(payload)
		} else {
			c.sendUDP(pstats.AppendUDP(nil, payload))
		}
		r.waitFrames(t, i+1)
	}
	equal(t, "frames", r.numbers(), want)
	equal(t, "expired", r.expired, []int{0})
	equal(t, "losses", r.reports, 0)
}

func TestMalformedAndUnknownMessagesAreSkipped(t *testing.T) {
	s, c, r := joined(t)
	c.send(nil)
	c.send([]byte{9, 1, 2, 3})
	c.send(framePayload(v32, 1, 2)[:9])
	c.send(append([]byte{pstats.TypeFrame, 0, 0, 1, 0, 0, 0}, 0xff, 0xff, 0xff, 0xff))
	c.send(pstats.AppendExpire(nil, 1)[:2])
	c.send([]byte{pstats.TypeThreads, 0, 0, 0xff, 0xff})
	c.send([]byte{pstats.TypeHello, 0xff})
	defs := pstats.AppendCollectors(nil, []pstats.CollectorDef{{Name: "Frame"}, {Index: -5, Name: "negative", Parent: -7}, {Index: 1, Name: "cut"}})
	c.send(defs[:len(defs)-1])
	c.send(framePayload(v32, 2, 2))
	r.waitFrames(t, 1)
	r.waitLost(t, model.LossMalformed, 8)
	equal(t, "frames", r.numbers(), []uint32{2})
	equal(t, "definitions", r.defs, []pstats.CollectorDef{{Index: -5, Name: "negative", Parent: -7}, {Name: "Frame"}})
	equal(t, "clients lost", s.sorted()[0].losses.total.Lost[model.LossMalformed], 8)
	equal(t, "log lines", s.logged("empty message skipped"), 1)
}

func TestSecondHelloOverwritesIdentity(t *testing.T) {
	s, c, r := joined(t)
	v30 := pstats.Version{Major: 3}
	c.send(framePayload(v32, 0, 2))
	c.send(pstats.AppendClientHello(nil, pstats.ClientHello{Host: "pc2", Program: "demo2", Version: v30, PID: -1}))
	c.send(framePayload(v30, 1, 2))
	c.sayHello(pstats.Version{Major: 9}, -1) // not understood: ignored
	c.send(framePayload(v30, 2, 2))
	r.waitFrames(t, 3)
	equal(t, "hellos", len(r.hellos), 2)
	equal(t, "sessions", len(s.sessions), 0)
	equal(t, "program", s.sorted()[0].hello.Load().Program, "demo2")
	equal(t, "malformed", r.lost[model.LossMalformed], 1)
}

func TestClientDiesInTheMiddleOfAMessage(t *testing.T) {
	t.Parallel()
	for _, reset := range []bool{false, true} {
		s, c, r := joined(t)
		c.send(framePayload(v32, 1, 2))
		r.waitFrames(t, 1)
		c.sendUDP(pstats.AppendUDP(nil, framePayload(v32, 2, 2)))
		r.waitFrames(t, 2)
		c.write(pstats.AppendTCP(nil, framePayload(v32, 3, 100))[:200])
		if reset {
			s.waitClients(t, "the first half", func(c []*conn) bool { return c[0].tcpBytes.Load() >= 200 })
			c.tcp.SetLinger(0)
		}
		c.tcp.Close()
		reason := r.waitClosed(t)
		testkit.That(t, reset || strings.Contains(reason, "in the middle of a message (200 bytes of it had come)"),
			"reason %q", reason)
		equal(t, "frames", r.numbers(), []uint32{1, 2})
		s.Close()
		equal(t, "times closed", len(r.closed), 1)
	}
}

func TestDatagramsBeforeTheEndAreNotLost(t *testing.T) {
	_, c, r := joined(t)
	for i := range 200 {
		c.sendUDP(pstats.AppendUDP(nil, framePayload(v32, i, 24)))
	}
	c.tcp.Close()
	r.waitClosed(t)
	equal(t, "frames", len(r.numbers()), 200)
}

func TestServerClosesWhileClientWrites(t *testing.T) {
	s, c, r := joined(t)
	var writer sync.WaitGroup
	message := pstats.AppendTCP(nil, framePayload(v32, 1, 100))
	var failed error
	writer.Go(func() {
		for failed == nil {
			_, failed = c.tcp.Write(message)
		}
	})
	r.waitFrames(t, 100)
	s.Close()
	writer.Wait()
	equal(t, "reasons", r.closed, []string{"the viewer closed"})
	r.mu.Lock()
	frames := len(r.frames)
	r.mu.Unlock()
	testkit.That(t, frames >= 100, "%d frames", frames)
	err := s.Close()
	testkit.That(t, err == nil, "closing again: %v", err)
}

func TestContextEndsTheServer(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	r := newRecording(SessionInfo{})
	s, err := Listen(ctx, Config{Addr: "127.0.0.1:0", NewSession: func(SessionInfo) pstats.Handler { return r }})
	testkit.OK(t, err)
	c := dial(t, s.Addr())
	c.sayHello(v32, -1)
	c.send(framePayload(v32, 1, 2))
	r.waitFrames(t, 1)
	cancel()
	equal(t, "reason", r.waitClosed(t), "the viewer closed")
	s.Close()
	if _, err := net.Dial("tcp", s.Addr().String()); err == nil {
		t.Error("the server still listens")
	}
}

func TestTwoClientsFromOneHost(t *testing.T) {
	s := serve(t, nil)
	a, ra := join(t, s)
	b, rb := join(t, s)
	testkit.MustThat(t, a.hello.UDPPort != b.hello.UDPPort, "both have UDP port %d", a.hello.UDPPort)
	for i := range 50 {
		a.sendUDP(pstats.AppendUDP(nil, framePayload(v32, 1000+i, 2)))
		b.sendUDP(pstats.AppendUDP(nil, framePayload(v32, 2000+i, 2)))
	}
	ra.waitFrames(t, 50)
	rb.waitFrames(t, 50)
	for i := range 50 {
		testkit.MustThat(t, ra.frames[i].Number/1000 == 1 && rb.frames[i].Number/1000 == 2,
			"frames %d and %d went to the wrong session", ra.frames[i].Number, rb.frames[i].Number)
	}
}

func TestGarbage(t *testing.T) {
	s := serve(t, nil)
	good, r := join(t, s)
	garbage := map[string][]byte{
		"http":        []byte("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"),
		"ssh":         []byte("SSH-2.0-OpenSSH_9.6\r\n"),
		"redis":       []byte("*1\r\n$4\r\nPING\r\n"),
		"tls":         {0x16, 0x03, 0x01, 0x02, 0x00, 0x01, 0x00, 0x01, 0xfc, 0x03, 0x03, 1, 2, 3, 4, 5, 6, 7, 8, 9},
		"zeros":       make([]byte, 1000),
		"ones":        bytes.Repeat([]byte{0xff}, 1000),
		"bad hello":   pstats.AppendTCP(nil, []byte{pstats.TypeHello, 0xff, 0xff, 1}),
		"long":        {0, 0, 0, 0x20, 2},
		"other type":  pstats.AppendTCP(nil, []byte{77, 1, 2}),
		"long string": pstats.AppendTCP(nil, bytes.Repeat([]byte("x"), 5000)),
	}
	for name, b := range garbage {
		c := dial(t, s.Addr())
		before := s.logged("not a PStats client")
		if name == "tls" {
			b = append(b, make([]byte, 1000)...)
		}
		c.tcp.Write(b)
		c.tcp.SetReadDeadline(time.Now().Add(patience))
		if _, err := c.tcp.Read(make([]byte, 1)); err == nil || errors.Is(err, os.ErrDeadlineExceeded) {
			t.Errorf("%s: the connection does not end: %v", name, err)
		}
		equal(t, name+": log lines", s.logged("not a PStats client")-before, 1)
	}
	s.noSession(t)
	good.send(framePayload(v32, 1, 2))
	r.waitFrames(t, 1)
}

// A message that is too long costs that message; one that no client would send costs the connection.
func TestTooLongMessageAfterTheHello(t *testing.T) {
	s := serve(t, func(cfg *Config) { cfg.MaxMessage = 1000 })
	c, r := join(t, s)
	c.send(framePayload(v32, 1, 10))
	c.send(framePayload(v32, 2, 1000))
	c.send(pstats.AppendThreads(nil, 0, []string{strings.Repeat("x", 2000)}))
	c.send(framePayload(v32, 3, 10))
	r.waitFrames(t, 2)
	equal(t, "log lines", s.logged("a frame of 0.0 MiB is larger than the limit of memory allows"), 1)
	c.tcp.Write([]byte{0, 0, 0, 0x20, 2})
	testkit.Contains(t, r.waitClosed(t), "TCP message of 536870912 bytes announced, 1000 allowed")
	equal(t, "frames", r.numbers(), []uint32{1, 3})
	equal(t, "beyond the limit", r.lost[model.LossLimit], 2)
	equal(t, "malformed", r.lost[model.LossMalformed], 1)
}

// Who sends what is not PStats is counted apart from those that send nothing.
func TestNonsenseIsCountedApart(t *testing.T) {
	s := serve(t, nil)
	for _, b := range []string{"GET / HTTP/1.1\r\n\r\n", "x", "", ""} {
		c := dial(t, s.Addr())
		c.tcp.Write([]byte(b))
		c.tcp.Close()
	}
	s.waitClients(t, "their end", func(c []*conn) bool {
		silent, nonsense := s.Silent()
		return len(c) == 0 && silent == 2 && nonsense == 2
	})
	s.Close()
	equal(t, "silent", s.logged("2 clients connected and sent no frame"), 1)
	equal(t, "nonsense", s.logged("2 connections sent something other than PStats"), 1)
	s.noSession(t)
}

func TestSilentClientStays(t *testing.T) {
	s := serve(t, nil)
	_, r := join(t, s) // no session yet
	other, ro := join(t, s)
	other.send(framePayload(v32, 1, 2))
	ro.waitFrames(t, 1)
	equal(t, "clients", len(s.sorted()), 2)
	equal(t, "calls", r.calls, 0)
}

func TestStranger(t *testing.T) {
	t.Parallel()
	from := &net.UDPAddr{IP: net.IPv4(127, 0, 0, 2)}
	s, c, r := joined(t)
	stranger, err := net.DialUDP("udp", from, c.udp.RemoteAddr().(*net.UDPAddr))
	if err != nil {
		t.Skipf("this system has no second loopback address: %v", err)
	}
	defer stranger.Close()
	c.send(framePayload(v32, 0, 2))
	r.waitFrames(t, 1)
	testkit.Must(stranger.Write(pstats.AppendUDP(nil, framePayload(v32, 1, 2))))(t)
	r.waitLost(t, model.LossStranger, 1)
	c.sendUDP(pstats.AppendUDP(nil, framePayload(v32, 2, 2)))
	r.waitFrames(t, 2)
	equal(t, "frames", r.numbers(), []uint32{0, 2})
	equal(t, "log lines", s.logged("the client is at 127.0.0.1"), 1)
}

func TestClientsAndDisconnect(t *testing.T) {
	t.Parallel()
	s := serve(t, hasty)
	before := time.Now()
	c, r := join(t, s)
	c.send(framePayload(v32, 1, 24))
	c.sendUDP(pstats.AppendUDP(nil, framePayload(v32, 2, 24)))
	r.waitFrames(t, 2)
	silent := dial(t, s.Addr())
	clients := s.sorted()
	equal(t, "clients", len(clients), 2)
	got := clients[0]
	testkit.That(t, !got.connected.Before(before) && !got.connected.After(time.Now()), "connected at %v", got.connected)
	size := int64(len(framePayload(v32, 1, 24)))
	equal(t, "hello", *got.hello.Load(), pstats.ClientHello{Host: "pc", Program: "demo", Version: v32, PID: 1234})
	equal(t, "peer", got.peer, addrOf(c.tcp.LocalAddr()))
	equal(t, "UDP port", uint16(got.udpPort.Load()), c.hello.UDPPort)
	equal(t, "messages", s.Messages(), 3)
	equal(t, "frames", got.frames.Load(), 2)
	equal(t, "bytes by UDP", got.udpBytes.Load(), size+2)
	equal(t, "bytes by TCP", got.tcpBytes.Load(), size+4+int64(len(helloPayload(v32, 1234)))+4)
	testkit.That(t, clients[1].hello.Load() == nil, "who was silent is known")

	got.disconnect("disconnected by the user")
	equal(t, "reason", r.waitClosed(t), "disconnected by the user")
	silent.sayHello(v32, -1)
	silent.send(framePayload(v32, 1, 24))
	s.session(t)
}

func TestNilHandlerTurnsTheClientAway(t *testing.T) {
	s := serve(t, func(cfg *Config) { cfg.NewSession = func(SessionInfo) pstats.Handler { return nil } })
	c := dial(t, s.Addr())
	c.sayHello(v32, -1)
	c.send(framePayload(v32, 1, 2))
	c.tcp.SetReadDeadline(time.Now().Add(patience))
	_, err := c.tcp.Read(make([]byte, 1))
	testkit.That(t, err == io.EOF, "the connection ends with %v, want EOF", err)
}
