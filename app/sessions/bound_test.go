package sessions

import (
	"context"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"framescope/app/memory"
	"framescope/app/soak"
	"framescope/internal/testkit"
	"framescope/model"
	"framescope/net/feed"
	"framescope/net/pstats"
	"framescope/net/pstats/storm"
	"framescope/widgets"
)

// gone lets a game of a name connect, send frames and go.
func gone(g *viewer, program string, frames int) {
	f := g.ss.hub.NewFeed(feed.Options{Live: true})
	if program != "" {
		f.Define(model.Info{Program: program})
	}
	for n := range frames {
		b := f.Begin()
		b.HasFrame, b.Number, b.Begin, b.End = true, int64(n), int64(n)*1e6, int64(n+1)*1e6
		b.Spans = append(b.Spans, model.Span{Begin: b.Begin, End: b.End})
		f.Publish(b)
	}
	f.Define(model.End{Reason: "gone"})
	g.tick()
}

// A game that connects a thousand times, and a program that only says hello a thousand times, leave
// a bounded list behind; the newest is shown.
func TestSessionsOfGoneGamesAreBounded(t *testing.T) {
	g := newViewer(t, Options{Deterministic: true})
	for range 1000 {
		gone(g, "", 2)
		gone(g, "", 0)
		testkit.MustThat(t, slices.Contains(g.ss.store.Sessions(), g.ss.active),
			"the session that is shown was taken away")
	}
	all := g.ss.store.Sessions()
	want := 1 + maxEnded + maxEmpty
	testkit.MustThat(t, len(all) <= want, "%d sessions are kept, at most %d are wanted", len(all), want)
	testkit.Equal(t, g.ss.active, all[len(all)-1], "the newest game is not the one that is shown")
	n := len(g.ss.hub.Entries())
	testkit.That(t, n == len(all), "%d feeds for %d sessions", n, len(all))
	n = len(g.ss.views)
	testkit.That(t, n == len(all), "%d views for %d sessions", n, len(all))
}

// Sessions with hardly anything in them do not take the place of one with much, however many come
// after it.
func TestLongSessionsStayLongest(t *testing.T) {
	g := newViewer(t, Options{Deterministic: true})
	for i := range 3 * maxEnded {
		if i == 5 {
			gone(g, "long", 100)
		} else {
			gone(g, "short", 2)
		}
	}
	n := len(g.ss.store.Sessions())
	testkit.That(t, n <= maxEnded+1, "%d sessions are kept", n)
	for _, s := range g.ss.store.Sessions() {
		if s.Info().Program == "long" {
			return
		}
	}
	t.Error("the long session was taken away")
}

// A session that has left memory is not one that brought nothing.
func TestSessionsThatLeftMemoryStay(t *testing.T) {
	g := newViewer(t, Options{Deterministic: true})
	gone(g, "long", 100)
	long := g.ss.store.Sessions()[0]
	g.ss.store.MemoryLimit = 1
	gone(g, "next", 2)
	_, _, some := long.Bounds()
	testkit.MustThat(t, !some, "nothing left memory")
	g.ss.store.MemoryLimit = 256 << 20
	for range 3 * maxEnded {
		gone(g, "short", 2)
	}
	testkit.That(t, slices.Contains(g.ss.store.Sessions(), long), "the long session was taken away")
}

// A client with 65,536 threads costs a good game beside it nothing, and the viewer no more than it
// may take; each of its frames is on the account.
func TestVeryManyThreads(t *testing.T) {
	if testing.Short() {
		t.Skip("so many threads take minutes where each access to memory is watched")
	}
	const threads, limit = 1 << 16, 128 << 20
	t.Setenv("XDG_DATA_HOME", t.TempDir())
	keptIn(t, t.TempDir())
	g := newViewer(t, Options{Listen: "127.0.0.1:0", MemoryLimit: limit})
	g.ss.memory.Stands(0) // there is no window to wait for
	tick := g.tick
	tick()
	empty := memory.Look().Resident
	addr := g.ss.sources.server.Addr().String()
	ctx, stop := context.WithTimeout(t.Context(), time.Minute)
	defer stop()
	var sent soak.Sent
	ends := make(chan error, 2)
	go func() { ends <- soak.Load{Addr: addr, Name: "good", Rate: 60, Threads: 2, Spans: 100}.Run(ctx, &sent) }()
	testkit.WaitUntil(t, "the first frames of the good game", func() bool { tick(); return sent.Frames() >= 30 })
	go func() { ends <- storm.Wide{Addr: addr, Threads: threads, Frames: 1}.Run(ctx) }()
	ledger := func(program string) (l model.Ledger) {
		for _, e := range g.ss.hub.Entries() {
			if e.Session.Info().Program == program {
				return e.Session.Ledger()
			}
		}
		return l
	}
	most, after := int64(0), int64(0)
	testkit.WaitUntil(t, "all of the wide client, and frames of the good one after that", func() bool {
		if ledger("wide").Sent < threads {
			after = sent.Frames()
		}
		tick()
		most = max(most, memory.Look().Resident-empty)
		return ledger("wide").Sent >= threads && sent.Frames() >= after+30
	}, func() any { return ledger("wide") })
	stop()
	for range cap(ends) {
		testkit.NoErr(t, <-ends)
	}
	wide, good := ledger("wide"), ledger("good")
	t.Logf("at most %d MiB above the empty program; wide: %+v; good: %+v", most>>20, wide, good)
	testkit.That(t, wide.Sent == threads && wide.Received != 0 && wide.Received+wide.Ours == threads && wide.Ours != 0,
		"%d frames were sent: %+v", threads, wide)
	testkit.That(t, good.Received >= 2*after && good.Lost() == 0 && good.Evicted == 0, "of the good game: %+v", good)
	testkit.That(t, most <= limit+limit/memory.Slack,
		"%d MiB above the empty program, %d and a fifth are allowed", most>>20, limit>>20)
}

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

// Frames that come while the window gets no time wait on disk, and come back when it does: none is dropped.
func TestStarvedWindow(t *testing.T) {
	g := keptViewer(t, t.TempDir())
	h := game(g, "Main")
	const frames = 3 * feed.DefaultBatches
	for n := range frames {
		at := float32(n) / 1000
		h.Frame(&pstats.Frame{Number: uint32(n), Events: []pstats.Event{{Time: at}, {Word: pstats.StopBit, Time: at + 0.001}}}, 40)
	}
	pollUntil(t, g, "the frames that wait on disk are told", func(rows []widgets.SessionRow) bool {
		return len(rows) == 1 && strings.Contains(rows[0].OnDisk, "frames wait on disk until the viewer keeps up")
	})
	h.Close("bye")
	pollUntil(t, g, "all frames", func([]widgets.SessionRow) bool {
		_, ended := g.ss.active.Ended()
		return ended
	})
	l := g.ss.active.Ledger()
	testkit.That(t, l.Received == frames && l.Ours == 0 && l.Sent == frames, "of %d frames: %+v", frames, l)
}
