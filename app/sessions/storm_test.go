package sessions

import (
	"context"
	"os"
	"runtime"
	"sync/atomic"
	"testing"
	"time"

	"framescope/app/memory"
	"framescope/app/soak"
	"framescope/internal/testkit"
	"framescope/net/pstats/storm"
)

// stormTrial plays one good game and a storm of damaged sessions into a viewer without a window,
// which is polled as often as one with a window.
type stormTrial struct {
	sessions int
	each     time.Duration // a session, at least
	rate     int           // frames a second of the good game
	limit    int64         // of memory, bytes
	atMost   time.Duration // that all of it may take

	ticks     int
	worst     time.Duration // tick
	busiest   time.Duration // tick, by the processor's time: what else the machine does left out
	slow      int           // ticks of more than 50 ms
	resident  int64         // most, above what the empty program takes
	files     int           // most descriptors
	sent      int64         // frames of the good game
	received  int
	stormed   int
	listed    int // most sessions in the list
	silent    int
	residents []int64 // each second, MiB
}

func (s *stormTrial) run(t *testing.T) {
	t.Setenv("XDG_DATA_HOME", t.TempDir())
	keptIn(t, t.TempDir())
	g := newViewer(t, Options{Listen: "127.0.0.1:0", MemoryLimit: s.limit})
	g.ss.memory.Stands(0) // there is no window to wait for
	tick := func() {
		began, cpu := time.Now(), threadTime()
		g.tick()
		took := time.Since(began)
		s.busiest = max(s.busiest, threadTime()-cpu)
		s.ticks++
		s.worst = max(s.worst, took)
		if took > 50*time.Millisecond {
			s.slow++
		}
	}
	runtime.LockOSThread() // for the processor's time
	defer runtime.UnlockOSThread()
	tick()
	empty := memory.Look().Resident

	addr := g.ss.sources.server.Addr().String()
	ctx, stop := context.WithTimeout(t.Context(), s.atMost)
	defer stop()
	var sent soak.Sent
	playing, played := context.WithCancel(ctx)
	good := make(chan error, 1)
	go func() {
		load := soak.Load{Addr: addr, Name: "good", Rate: s.rate, Threads: 2, Spans: 100}
		good <- load.Run(playing, &sent)
	}()
	var over atomic.Bool
	go func() {
		defer over.Store(true)
		damaged := storm.Storm{Addr: addr, Sessions: s.sessions, Each: s.each, Seed: 1}
		s.stormed = damaged.Run(ctx)
		played()
	}()

	second := time.Now()
	for ended := false; !ended && ctx.Err() == nil; {
		tick()
		s.listed = max(s.listed, len(g.ss.hub.Entries()))
		if entries, err := os.ReadDir("/proc/self/fd"); err == nil {
			s.files = max(s.files, len(entries))
		}
		now := memory.Look().Resident - empty
		s.resident = max(s.resident, now)
		if time.Since(second) >= time.Second {
			second = time.Now()
			s.residents = append(s.residents, now>>20)
		}
		for _, e := range g.ss.hub.Entries() { // until the good game's end has come, too
			if _, gone := e.Session.Ended(); gone && e.Session.Info().Program == "good" {
				ended = over.Load()
			}
		}
		time.Sleep(time.Second/60 - time.Since(second)%(time.Second/60)) // the pace of a window
	}
	err := <-good
	testkit.That(t, err == nil, "the good game: %v", err)
	s.sent = sent.Frames()
	for _, e := range g.ss.hub.Entries() {
		if e.Session.Info().Program == "good" && e.Session.NumTracks() > 0 {
			l := e.Session.Ledger()
			s.received = int(l.Received)
			testkit.Equal(t, l.Lost(), 0, "of the good game … frames are lost: %+v", l)
		}
	}
	s.silent = g.ss.Silent().Nothing
	testkit.That(t, s.stormed >= s.sessions*9/10,
		"%d sessions of the storm came, %d were wanted", s.stormed, s.sessions)
}

func (s *stormTrial) log(t *testing.T) {
	t.Logf("%d sessions in %d ticks: worst tick %v, by the processor's time %v; %d over 50 ms",
		s.stormed, s.ticks, s.worst, s.busiest, s.slow)
	t.Logf("at most %d MiB above the empty program, %d descriptors, %d sessions listed; %d clients silent",
		s.resident>>20, s.files, s.listed, s.silent)
	t.Logf("the good game: %d frames sent, %d received (all threads)", s.sent, s.received)
	t.Logf("MiB each second: %v", s.residents)
}

// A storm of damaged sessions costs a good game nothing, and the viewer little. The full form is
// TestStormFull.
func TestStorm(t *testing.T) {
	if testing.Short() {
		t.Skip("takes some seconds")
	}
	s := stormTrial{sessions: 150, each: 150 * time.Millisecond, rate: 30, limit: 256 << 20, atMost: time.Minute}
	s.run(t)
	s.log(t)
	testkit.That(t, s.files <= 200, "%d descriptors", s.files)
	testkit.Equal(t, s.received, 2*int(s.sent), "of the good game … frames of %d were received", 2*s.sent)
	testkit.That(t, s.silent != 0, "no client was silent: the storm is too mild")
}
