package server

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"framescope/internal/wait"
	"framescope/model/store"
	"framescope/net/pstats"
	"framescope/net/pstats/decode"
	"framescope/net/pstats/pstatstest"
	"framescope/net/pstats/storm"
	"framescope/net/pstats/wire"
)

// Bounds of what a storm may cost the process, beyond what it takes before.
const (
	stormFiles = 200       // descriptors, those of the storm's own clients included
	stormHeap  = 128 << 20 // bytes
)

// stormTrial is a storm of damaged sessions beside a good client.
type stormTrial struct {
	sessions, parallel int
	each               time.Duration // a session, at least
	tick               time.Duration // between frames of the good client
}

// The short form of TestStormOfAMinute.
func TestStorm(t *testing.T) {
	stormTrial{sessions: 500, parallel: 16, each: 20 * time.Millisecond, tick: time.Millisecond}.run(t)
}

func (s stormTrial) run(t *testing.T) {
	filesBefore, goroutinesBefore := openFiles(), runtime.NumGoroutine()
	good := &pstatstest.Sink{Session: store.NewSession()}
	srv := serve(t, func(cfg *Config) {
		cfg.NewSession = func(info SessionInfo) pstats.Handler {
			if info.Hello.Program == "demo" {
				return decode.New(good, decode.Options{Peer: info.Peer.String()})
			}
			return decode.New(new(pstatstest.Sink), decode.Options{Peer: info.Peer.String()})
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
	frames, files, heap := 0, 0, uint64(0)
	for next := time.Now(); !over.Load(); {
		if frames%64 == 0 {
			c.send(frameAt(frames))
		} else {
			c.sendUDP(wire.AppendUDP(nil, frameAt(frames)))
		}
		if frames++; frames%16 == 0 {
			var m runtime.MemStats
			runtime.ReadMemStats(&m)
			files, heap = max(files, openFiles()-filesBefore), max(heap, m.HeapAlloc)
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
	t.Logf("%d sessions in %v, %d silent, %d nonsense; good client: %d frames sent, %+v; most descriptors %d, heap %d MiB, log lines %d",
		sent, time.Since(began).Round(time.Millisecond), silent, nonsense, frames, ledger, files, heap>>20, len(srv.log()))
	if sent < s.sessions*9/10 || silent == 0 || nonsense == 0 {
		t.Errorf("%d sessions came, %d were to", sent, s.sessions)
	}
	if ledger.Received != int64(frames) || ledger.Sent != int64(frames) {
		t.Errorf("%d frames were sent: %+v", frames, ledger)
	}
	if files > stormFiles || heap > stormHeap {
		t.Errorf("%d descriptors and %d MiB, want %d and %d at most", files, heap>>20, stormFiles, stormHeap>>20)
	}
	wait.Until(t, fmt.Sprintf("%d goroutines, as before", goroutinesBefore),
		func() bool { return runtime.NumGoroutine() <= goroutinesBefore+2 }, func() any { return runtime.NumGoroutine() })
	if n := openFiles(); n > filesBefore+2 {
		t.Errorf("%d descriptors are open, %d before", n, filesBefore)
	}
	if n := srv.waitingBytes.Load(); n != 0 {
		t.Errorf("%d bytes are still taken for waiting", n)
	}
}

// openFiles returns the number of descriptors of this process, 0 where the system does not tell.
func openFiles() int {
	entries, _ := os.ReadDir("/proc/self/fd")
	return len(entries)
}
