package sessions

import (
	"context"
	"testing"
	"time"

	"framescope/app/memory"
	"framescope/app/soak"
	"framescope/internal/testkit"
	"framescope/model"
	"framescope/net/pstats/storm"
)

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
	go func() {
		ends <- soak.Load{Addr: addr, Name: "good", Rate: 60, Threads: 2, Spans: 100}.Run(ctx, &sent)
	}()
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
