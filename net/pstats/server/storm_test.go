package server

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"framescope/internal/testkit"
	"framescope/model/store"
	"framescope/net/feed"
	"framescope/net/pstats"
	"framescope/net/pstats/decode"
	"framescope/net/pstats/pstatstest"
	"framescope/net/pstats/storm"
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
	srv.waitClients(t, "all frames of the good client", func(all []ClientInfo) bool {
		return slices.ContainsFunc(all, func(c ClientInfo) bool { return c.Frames() == int64(frames) })
	})
	c.tcp.Close()
	c.udp.Close()
	srv.waitClients(t, "the end of all", func(c []ClientInfo) bool { return len(c) == 0 })
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
