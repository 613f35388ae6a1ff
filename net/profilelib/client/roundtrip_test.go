package client_test

import (
	"context"
	"fmt"
	"io"
	"math"
	"net"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"framescope/internal/testkit"
	"framescope/internal/testkit/feedtest"
	"framescope/model"
	"framescope/model/locks"
	"framescope/model/spans"
	"framescope/model/store"
	"framescope/net/feed"
	"framescope/net/profilelib"
	"framescope/net/profilelib/client"
)

// stream lets play write to a socket, decodes what comes out of it as a viewer does, and returns
// the session that came.
func stream(t *testing.T, slots int, processor func() uint32, play func(p *client.Profiler)) (*store.Session, *client.Profiler) {
	t.Helper()
	k := &feedtest.Into{Session: store.NewSession(), Ended: make(chan struct{})}
	viewer := testkit.Must(net.Listen("tcp", "127.0.0.1:0"))(t)
	defer viewer.Close()
	go func() {
		reason := ""
		d := profilelib.Source{}.NewStream(k, feed.StreamOptions{Name: "the client"})
		conn, err := viewer.Accept()
		if err == nil {
			_, err = io.Copy(d, conn)
			conn.Close()
		}
		if err != nil {
			reason = err.Error()
		}
		d.Close(reason)
	}()
	o := client.Options{Wait: time.Millisecond, Processor: processor}
	p := testkit.Must(client.New(make([]client.Slot, slots), o))(t)
	conn := testkit.Must(client.Dial(t.Context(), viewer.Addr().String(), p))(t)
	p.Enable(true)
	play(p)
	p.Close()
	err := conn.Close()
	testkit.MustThat(t, err == nil && conn.Err() == nil, "%v %v", err, conn.Err())
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	select {
	case <-k.Ended:
	case <-ctx.Done():
		t.Fatal("the session did not end")
	}
	return k.Session, p
}

const (
	goroutines = 16
	rounds     = 300
)

// game lets 16 goroutines work: blocks in blocks, a lock that they all want, lines, and frames on
// the first.
func game(p *client.Profiler) {
	var wg sync.WaitGroup
	var shared sync.Mutex
	for n := range goroutines {
		wg.Add(1)
		m := p.Thread()
		go func() {
			defer wg.Done()
			for i := range rounds {
				m.BeginBlock(fmt.Sprintf("work of %d", n))
				m.BeginBlock("inner")
				m.UpdateBlock()
				m.TryLock("the lock that all want, of a long name")
				shared.Lock()
				m.Lock("the lock that all want, of a long name")
				m.BeginBlock("critical")
				m.EndBlock()
				shared.Unlock()
				m.Unlock("the lock that all want, of a long name")
				m.EndBlock()
				if i%10 == 0 {
					m.Log(fmt.Sprintf("thread %d, round %d: a line that takes more than one record, with späte Zeichen", n, i))
				}
				m.EndBlock()
				if n == 0 {
					m.EndFrame(uint64(i))
				}
			}
		}()
	}
	wg.Wait()
}

// counted sums what a session holds.
func counted(s *store.Session) (calls map[string]int64, messages, frames int, locks locks.Stats) {
	calls = map[string]int64{}
	const from, to = math.MinInt64 / 4, math.MaxInt64 / 4
	var tracks []model.TrackID
	for _, tr := range feedtest.Tracks(s) {
		tracks = append(tracks, tr.Def.ID)
		messages += len(s.Messages().Of(tr.Def.ID, from, to, nil))
		frames = max(frames, tr.NumFrames())
	}
	var tree spans.Tree
	s.Spans().Tree(tracks, from, to, &tree)
	for _, n := range tree.Nodes {
		calls[s.Collector(n.Collector).Name] += n.Count
	}
	if all := s.Locks().Stats(from, to, nil); len(all) == 1 {
		locks = all[0]
	}
	return calls, messages, frames, locks
}

// TestViewerSeesWhatSixteenGoroutinesDid: with room enough nothing is dropped, and the viewer holds
// every call, line, frame and use of the lock.
func TestViewerSeesWhatSixteenGoroutinesDid(t *testing.T) {
	s, p := stream(t, 1<<18, nil, game) // more than all records, however slow the machine
	testkit.MustThat(t, p.Dropped() == 0, "%d were dropped from a buffer that has room for all", p.Dropped())
	calls, messages, frames, locks := counted(s)
	for n := range goroutines {
		name := fmt.Sprintf("work of %d", n)
		testkit.That(t, calls[name] == rounds, "%d calls of %q, want %d", calls[name], name, rounds)
	}
	testkit.That(t, calls["inner"] == goroutines*rounds && calls["critical"] == goroutines*rounds, "calls %v", calls)
	testkit.That(t, messages == goroutines*rounds/10, "%d messages, want %d", messages, goroutines*rounds/10)
	testkit.That(t, frames == rounds, "%d frames, want %d", frames, rounds)
	testkit.That(t, locks.Holds == goroutines*rounds && locks.Waits <= goroutines*rounds &&
		locks.Threads == goroutines && locks.Failed == 0, "lock %+v", locks)
	n, lines := s.Losses()
	n[model.LossUnframed] = 0 // what ran before the first frame and after the last is none
	testkit.That(t, n == [model.NumLossReasons]int64{}, "losses %v %q", n, lines)
}

// TestViewerOfAFullBuffer: with little room much is dropped by the client, but what was written is
// whole: the reader finds no damage in it.
func TestViewerOfAFullBuffer(t *testing.T) {
	s, p := stream(t, 64, nil, game)
	calls, _, _, locks := counted(s)
	testkit.That(t, p.Dropped() != 0 && calls["inner"] != 0, "%d dropped, calls %v", p.Dropped(), calls)
	n, lines := s.Losses()
	for _, r := range []model.LossReason{model.LossMalformed, model.LossTruncated, model.LossLimit, model.LossChecksum, model.LossRing} {
		testkit.That(t, n[r] == 0, "reason %d: %d %q", r, n[r], lines)
	}
	t.Logf("%d dropped; %d of %d calls came; lock used %d times", p.Dropped(), calls["inner"], goroutines*rounds, locks.Holds)
}

// TestViewerJoinsWhatMovingSplit: a thread that moves inside its blocks makes more records than
// calls; the viewer counts calls, and shows where the thread ran.
func TestViewerJoinsWhatMovingSplit(t *testing.T) {
	var cpu atomic.Uint32
	s, _ := stream(t, 4096, cpu.Load, func(p *client.Profiler) {
		m := p.Thread()
		for i := range 50 {
			m.BeginBlock("outer")
			m.BeginBlock("inner") // the pauses are the work of a program: blocks and what is between them last
			time.Sleep(20 * time.Microsecond)
			cpu.Store(uint32(i % 3))
			m.UpdateBlock()
			time.Sleep(20 * time.Microsecond)
			m.EndBlock()
			m.EndBlock()
			time.Sleep(50 * time.Microsecond)
			m.EndFrame(uint64(i))
		}
	})
	calls, _, frames, _ := counted(s)
	testkit.That(t, calls["outer"] == 50 && calls["inner"] == 50 && frames == 50, "calls %v, %d frames", calls, frames)
	bands := s.Series().ByRole(model.RoleProcessor)
	testkit.MustThat(t, len(bands) != 0, "no band of processors")
	n := s.Series().ByID(bands[0]).Len()
	testkit.That(t, n >= 40, "%d changes of processor, want about 50", n)
}
