package server

import (
	"context"
	"fmt"
	"net/netip"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"framescope/internal/testkit"
	"framescope/internal/testkit/pstatstest"
	"framescope/internal/testkit/storm"
	"framescope/model"
	"framescope/model/store"
	"framescope/net/feed"
	"framescope/net/pstats"
	"framescope/net/pstats/decode"
)

// Bounds of what a storm may cost the process, beyond what it takes before. What is held is what
// connections and decoders account for, so that it depends neither on when garbage is collected nor
// on how fast the machine is.
const (
	stormFiles = 200                        // descriptors, those of the storm's own clients included
	stormLimit = 16 << 20                   // bytes: of what decoders may hold
	stormHeld  = stormLimit + waitingShared // bytes that are ever held
	stormLeft  = 16 << 20                   // bytes that are still in use when all are gone
)

// stormSink is a sink whose decoder counts what it holds with those of all others.
type stormSink struct {
	*pstatstest.Sink
	held *feed.Feed
}

func (s *stormSink) Unwrap() feed.Sink { return s.held }

// stormTrial is a storm of damaged sessions beside a good client.
type stormTrial struct {
	sessions, parallel int
	each               time.Duration // a session, at least
	tick               time.Duration // between frames of the good client
}

// The short form of TestStormOfAMinute.
func TestStorm(t *testing.T) {
	stormTrial{sessions: testkit.Rounds(200, 500), parallel: 16, each: 20 * time.Millisecond, tick: time.Millisecond}.run(t)
}

func (s stormTrial) run(t *testing.T) {
	filesBefore, goroutinesBefore, before := openFiles(), runtime.NumGoroutine(), inUse()
	hub := feed.NewHub()
	hub.SetLimit(stormLimit)
	counted := hub.NewFeed(feed.Options{Live: true})
	good := &pstatstest.Sink{Session: store.NewSession()}
	srv := serve(t, func(cfg *Config) {
		cfg.Held = hub.Held()
		cfg.NewSession = func(info SessionInfo) pstats.Handler {
			to := good
			if info.Hello.Program != "demo" {
				to = new(pstatstest.Sink)
			}
			return decode.New(&stormSink{to, counted}, decode.Options{Peer: info.Peer.String()})
		}
	})
	c := dial(t, srv.Addr())
	c.sayHello(v32, -1)

	ctx, stop := context.WithTimeout(t.Context(), 3*time.Minute)
	defer stop()
	var over atomic.Bool
	began, sent := time.Now(), 0
	go func() {
		hostile := storm.Storm{Addr: srv.Addr().String(), Sessions: s.sessions, Parallel: s.parallel, Each: s.each, Seed: 7}
		sent = hostile.Run(ctx)
		over.Store(true)
	}()
	frames, files, held := 0, 0, int64(0)
	for next := time.Now(); !over.Load(); {
		if frames%64 == 0 {
			c.send(frameAt(frames))
		} else {
			c.sendUDP(pstats.AppendUDP(nil, frameAt(frames)))
		}
		if frames++; frames%16 == 0 {
			files = max(files, openFiles()-filesBefore)
		}
		if now := hub.Stats().HeldBytes + srv.waitingBytes.Load(); now > held {
			held = now
		}
		next = next.Add(s.tick)
		time.Sleep(time.Until(next)) // the pace of a game
	}
	srv.waitClients(t, "all frames of the good client", func(all []*conn) bool {
		return slices.ContainsFunc(all, func(c *conn) bool { return c.frames.Load() == int64(frames) })
	})
	c.tcp.Close()
	c.udp.Close()
	srv.waitClients(t, "the end of all", func(c []*conn) bool { return len(c) == 0 })
	silent, nonsense := srv.Silent()
	srv.Close()

	ledger := good.Session.Ledger()
	testkit.That(t, sent >= s.sessions*9/10 && silent != 0 && nonsense != 0,
		"%d sessions came, %d were to", sent, s.sessions)
	lines, most := srv.log(), 3*silentLines+3*int(time.Since(began)/silentLineEach)
	testkit.That(t, len(lines) <= most && slices.ContainsFunc(lines, func(line string) bool {
		return strings.Contains(line, `"demo"`) && strings.Contains(line, fmt.Sprintf(": %d frames", frames))
	}), "%d lines in the log, want %d at most, the end of the good client among them:\n%s", len(lines), most, strings.Join(lines, "\n"))
	testkit.That(t, ledger.Received == int64(frames) && ledger.Sent == int64(frames),
		"%d frames were sent: %+v", frames, ledger)
	testkit.That(t, files <= stormFiles && held <= stormHeld && held != 0,
		"%d descriptors, %d bytes are held, want %d and %d at most", files, held, stormFiles, stormHeld)
	testkit.WaitUntil(t, fmt.Sprintf("%d goroutines, as before", goroutinesBefore),
		func() bool { return runtime.NumGoroutine() <= goroutinesBefore+2 }, func() any { return runtime.NumGoroutine() })
	n := openFiles()
	testkit.That(t, n <= filesBefore+2, "%d descriptors are open, %d before", n, filesBefore)
	testkit.Equal(t, srv.waitingBytes.Load(), 0, "bytes that are still taken for waiting")
	testkit.Equal(t, hub.Stats().HeldBytes, 0, "bytes that are still held")
	left := inUse() - before
	testkit.That(t, left <= stormLeft, "%d bytes are still in use", left)
	runtime.KeepAlive(good)
}

// inUse returns how many bytes of the heap are in use, without garbage.
func inUse() int64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// openFiles returns the number of descriptors of this process, 0 where the system does not tell.
func openFiles() int {
	entries, _ := os.ReadDir("/proc/self/fd")
	return len(entries)
}

// fuzzConn is a connection without sockets.
func fuzzConn(handler *recording) *conn {
	s := &Server{cfg: Config{
		Log:        func(string) {},
		NewSession: func(SessionInfo) pstats.Handler { return handler },
	}}
	s.started, s.seats.Max, s.silent.log = time.Now(), 1, s.cfg.Log
	c := newConn(s, 1, nil, netip.MustParseAddrPort("127.0.0.1:4000"))
	c.seat = s.seats.Take(func(string) {})
	return c
}

// end is the end of a connection without sockets.
func (c *conn) end() { c.finish("end") }

// sound fails when a handler was given something that no handler may be given.
func sound(t *testing.T, r *recording, received int) {
	t.Helper()
	points := 0
	for _, f := range r.frames {
		points += len(f.Events) + len(f.Levels)
	}
	testkit.That(t, points*6 <= received && len(r.defs)*30 <= received && len(r.frames)*8 <= received,
		"%d points, %d definitions and %d frames from %d bytes", points, len(r.defs), len(r.frames), received)
	for thread := range r.threads {
		testkit.That(t, thread >= 0 && thread <= 65535, "thread %d", thread)
	}
}

// FuzzUDP gives a connection the same datagram from the client before and after the hello, from the
// client with the right checksum, and from a stranger. Each one is a frame, or counted as lost, or
// empty.
func FuzzUDP(f *testing.F) {
	versions := []pstats.Version{{Major: 1}, {Major: 2, Minor: 1}, {Major: 3}, {Major: 3, Minor: 2}, {Major: 3, Minor: 7}}
	for i, v := range versions {
		f.Add(pstats.AppendUDP(nil, framePayload(v, 5, 4)), uint8(i))
		f.Add(pstats.AppendUDP(nil, framePayload(v, 5, 400)), uint8(i))
		f.Add(pstats.AppendUDP(nil, helloPayload(v, 1)), uint8(i))
		f.Add([]byte{0, 0}, uint8(i))
		f.Add([]byte{9}, uint8(i))
		f.Add([]byte{}, uint8(i))
		f.Add([]byte{0xfc, 0x03, 0, 0, 0, 5, 0, 0, 0, 0xff, 0xff, 0xff, 0xff}, uint8(i))
	}
	client, stranger := netip.MustParseAddrPort("[::ffff:127.0.0.1]:5000"), netip.MustParseAddrPort("10.0.0.1:5000")
	f.Fuzz(func(t *testing.T, datagram []byte, version uint8) {
		if len(datagram) > maxDatagram {
			return
		}
		r := newRecording(SessionInfo{})
		c := fuzzConn(r)
		repaired := datagram
		if len(datagram) >= 2 {
			repaired = pstats.AppendUDP(nil, datagram[2:])
		}
		c.datagram(datagram, client)
		v := versions[int(version)%len(versions)]
		if known, err := c.takeTCP(helloPayload(v, 1)); !known || err != nil {
			t.Fatal(known, err)
		}
		c.datagram(datagram, client)
		c.datagram(repaired, client)
		c.datagram(datagram, stranger)
		c.end()

		want := int64(4)
		if len(datagram) == 0 {
			want = 1 // only the stranger's is counted
		}
		lost, frames := int64(0), c.frames.Load()
		for _, n := range c.losses.total.Lost {
			lost += n
		}
		testkit.That(t, frames+lost == want && frames == int64(len(r.frames)),
			"%d frames and %d lost, want %d together: %q", len(r.frames), lost, want, r.details)
		testkit.That(t, c.losses.total.Lost[model.LossStranger] == 1,
			"%d datagrams from strangers, want 1", c.losses.total.Lost[model.LossStranger])
		sound(t, r, 4*len(datagram))
	})
}

// FuzzSession gives a connection any stream, beginning with a hello or not.
func FuzzSession(f *testing.F) {
	hello := pstats.AppendTCP(nil, helloPayload(v32, 1))
	stream := pstats.AppendTCP(hello, pstats.AppendCollectors(nil, []pstats.CollectorDef{{Name: "Frame"}, {Index: 1, Name: "App"}}))
	stream = pstats.AppendTCP(stream, pstats.AppendThreads(nil, 0, []string{"Main", "GPU"}))
	stream = pstats.AppendTCP(stream, framePayload(v32, 5, 4))
	stream = pstats.AppendTCP(stream, pstats.AppendExpire(nil, 1))
	f.Add(stream)
	f.Add(pstats.AppendTCP(stream, helloPayload(pstats.Version{Major: 3}, -1)))
	f.Add(pstats.AppendTCP(stream[len(hello):], helloPayload(v32, -1)))
	short := appendShortTCP(nil, helloPayload(pstats.Version{Major: 2, Minor: 1}, -1))
	f.Add(appendShortTCP(short, framePayload(pstats.Version{Major: 2, Minor: 1}, 5, 4)))
	f.Add([]byte("GET / HTTP/1.1\r\n\r\n"))
	f.Fuzz(func(t *testing.T, stream []byte) {
		r := newRecording(SessionInfo{})
		c := fuzzConn(r)
		scan := pstats.Scanner{MaxMessage: 1 << 20}
		scan.Write(stream)
		if err := checkFirst(&scan); err != nil {
			c.end()
			return
		}
		for {
			payload, ok, err := scan.Next()
			if err != nil || !ok {
				break
			}
			if _, err := c.takeTCP(payload); err != nil {
				testkit.That(t, len(r.hellos) == 0, "a client that is known is disconnected: %v", err)
				break
			}
		}
		c.end()
		testkit.That(t, len(r.hellos) != 0 || r.calls <= 0, "calls without a hello")
		sound(t, r, len(stream))
	})
}
