package client

import (
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"framescope/internal/recordings"
	"framescope/internal/testkit"
	"framescope/net/pstats"
)

func TestFramesAsSpecified(t *testing.T) {
	for _, version := range []pstats.Version{{Major: 3}, {Major: 3, Minor: 1}, {Major: 3, Minor: 2}} {
		t.Run(version.String(), func(t *testing.T) {
			v := newViewer(t)
			clk := &clock{now: 5 * time.Second}
			c := dial(t, v, Options{Clock: clk.Now, Version: version, TCPRatio: 1, MaxRate: -1})
			app, mem := c.Collector("App:Think"), c.Collector("System memory:Game")
			main := c.MainThread()
			main.EndFrame()
			clk.add(250 * time.Millisecond)
			main.Start(app)
			main.Start(app) // only the outermost pair is sent
			clk.add(250 * time.Millisecond)
			main.Stop(app)
			main.Stop(app)
			main.Stop(app)                  // one stop too many
			main.Stop(c.Collector("Never")) // and one that never started
			main.Level(mem, 3<<20)
			clk.add(500 * time.Millisecond)
			main.EndFrame()
			main.Start(app) // stays open across the border
			clk.add(time.Second)
			main.EndFrame()
			main.Stop(app)
			main.EndFrame()
			c.Close()

			ms := v.wait("three frames", atLeast(3))
			if ms[0].typ != pstats.TypeHello || ms[1].typ != pstats.TypeCollectors || ms[2].typ != pstats.TypeThreads {
				t.Fatalf("begins with %d %d %d", ms[0].typ, ms[1].typ, ms[2].typ)
			}
			if h := ms[0].hello; h.Version != version || h.Program != "test" || h.Host != "host" || h.PID <= 0 {
				t.Errorf("hello: %+v", h)
			}
			testkit.NoDiff(t, cmp.Diff([]string{"Main"}, ms[2].names), "-want +got")
			var got []pstats.Frame
			for _, m := range framesOf(ms) {
				got = append(got, m.frame)
				want := pstats.FrameSize(version, len(m.frame.Events), len(m.frame.Levels))
				testkit.That(t, m.size == want, "frame of %d bytes, want %d", m.size, want)
			}
			a, s := uint16(app), uint16(app)|pstats.StopBit
			levels := []pstats.Level{{Collector: uint16(mem), Value: 3}}
			want := []pstats.Frame{
				{Number: 1, Events: []pstats.Event{{Word: 0, Time: 0}, {Word: a, Time: .25}, {Word: s, Time: .5}, {Word: pstats.StopBit, Time: 1}}, Levels: levels},
				{Number: 2, Events: []pstats.Event{{Word: 0, Time: 1}, {Word: a, Time: 1}, {Word: pstats.StopBit, Time: 2}}, Levels: levels},
				{Number: 3, Events: []pstats.Event{{Word: 0, Time: 2}, {Word: s, Time: 2}, {Word: pstats.StopBit, Time: 2}}, Levels: levels},
			}
			testkit.NoDiff(t, cmp.Diff(want, got), "-want +got")
		})
	}
}

func TestNestedStarts(t *testing.T) {
	for _, tc := range []struct {
		minor uint16
		want  int
	}{{0, 4}, {1, 6}, {2, 6}} {
		v, c := dialed(t, Options{Nested: true, Version: pstats.Version{Major: 3, Minor: tc.minor}})
		fib := c.Collector("App:Fib")
		main := c.MainThread()
		main.EndFrame()
		main.Start(fib)
		run(main, fib)
		main.Stop(fib)
		main.EndFrame()
		f := framesOf(v.wait("a frame", atLeast(1)))[0].frame
		testkit.That(t, len(f.Events) == tc.want, "3.%d: %d events, want %d", tc.minor, len(f.Events), tc.want)
	}
}

func TestDefinitionsComeBeforeUse(t *testing.T) {
	v, c := dialed(t, Options{TCPRatio: 1, Lossless: true, MaxRate: -1})
	main := c.MainThread()
	main.EndFrame()
	for i := range 40 {
		for j := range 40 {
			col := c.Collector(fmt.Sprintf("App:Level %d:Part %d", i, j))
			run(main, col)
		}
		w := c.Thread(fmt.Sprint("Worker ", i))
		w.BeginFrame()
		w.Start(c.Collector("Wait"))
		w.Stop(c.Collector("Wait"))
		w.FinishFrame()
		main.EndFrame()
	}
	c.Close()
	ms := v.wait("80 frames", atLeast(80))
	defs, threads := map[uint16]pstats.CollectorDef{}, map[uint16]string{}
	for _, m := range ms {
		testkit.That(t, len(m.defs) <= pstats.WireMaxCollectors, "%d definitions in a message", len(m.defs))
		for _, d := range m.defs {
			_, ok := defs[uint16(d.Parent)]
			testkit.MustThat(t, ok || d.Index == 0, "collector %d comes before its parent %d", d.Index, d.Parent)
			defs[uint16(d.Index)] = d
		}
		for i, name := range m.names {
			threads[m.first+uint16(i)] = name
		}
		if m.typ == pstats.TypeFrame {
			testkit.MustThat(t, threads[m.frame.Thread] != "", "frame of thread %d before its name", m.frame.Thread)
			for _, e := range m.frame.Events {
				_, ok := defs[e.Word&^pstats.StopBit]
				testkit.MustThat(t, ok, "collector %d used before its definition", e.Word&^pstats.StopBit)
			}
		}
	}
	testkit.That(t, len(defs) == 1+1+40+1600+1 && len(threads) == 41,
		"%d collectors, %d threads", len(defs), len(threads))
}

func TestManyDefinitionsAreSplit(t *testing.T) {
	v := newViewer(t)
	c := New(Options{Addr: v.addr()})
	for i := range 2 * maxCollectors {
		c.Collector(fmt.Sprint("C", i))
	}
	got := c.Collector("one more")
	testkit.That(t, got == 0, "collector %d beyond the limit", got)
	testkit.OK(t, c.Dial(t.Context()))
	defer c.Close()
	ms := v.wait("the threads", func(ms []message) bool { return len(ms) > 0 && ms[len(ms)-1].typ == pstats.TypeThreads })
	n := 0
	for _, m := range ms {
		n += len(m.defs)
		testkit.That(t, len(m.defs) <= pstats.WireMaxCollectors, "%d definitions in a message", len(m.defs))
	}
	testkit.That(t, n == maxCollectors, "%d definitions", n)
}

func TestRateLimit(t *testing.T) {
	v := newViewer(t)
	clk := &clock{}
	c := dial(t, v, Options{Clock: clk.Now, Lossless: true, MaxRate: 100})
	main := c.MainThread()
	main.EndFrame()
	for range 100 { // 400 frames a second
		clk.add(2500 * time.Microsecond)
		main.EndFrame()
	}
	s := c.Stats()
	testkit.That(t, s.DroppedRate == 75, "dropped %d of 100 frames, want 75", s.DroppedRate)
	// A frame of 3001 bytes and more counts as three.
	work := c.Collector("App")
	clk.add(time.Second)
	main.EndFrame()
	for range 249 {
		run(main, work)
	}
	clk.add(10 * time.Millisecond)
	main.EndFrame() // 15 + 6*500 bytes
	before := c.Stats().DroppedRate
	for range 4 {
		clk.add(10 * time.Millisecond)
		main.EndFrame()
	}
	got := c.Stats().DroppedRate - before
	testkit.That(t, got == 2, "after a frame of three datagrams %d frames were dropped, want 2", got)
	v.wait("25+1+1+2 frames", atLeast(29))
}

func TestQueueLimit(t *testing.T) {
	v, c := dialed(t, Options{MaxRate: -1, MaxQueue: 4})
	s := c.session.Load()
	main := c.MainThread()
	main.EndFrame()
	// Hold the writer: it takes the lock when there is control data.
	c.mu.Lock()
	s.control.Store(true)
	for range 20 {
		main.EndFrame()
	}
	c.mu.Unlock()
	c.Close()
	st := c.Stats()
	if st.DroppedQueue < 15 || st.DroppedQueue > 16 { // the writer may hold one frame in its hands
		t.Errorf("dropped %d of 20 frames with a queue of 4", st.DroppedQueue)
	}
	testkit.That(t, st.Sent()+st.Dropped() == 20, "%d sent, %d dropped, want 20 in all", st.Sent(), st.Dropped())
	got := framesOf(v.wait("what was sent", atLeast(int(st.Sent()))))
	testkit.That(t, got[0].frame.Number == 1,
		"the oldest frame was dropped, not the newest: first is %d", got[0].frame.Number)
}

func TestShareOfTCP(t *testing.T) {
	_, c := dialed(t, Options{MaxRate: -1, Lossless: true})
	main := c.MainThread()
	main.EndFrame()
	for range 404 {
		main.EndFrame()
	}
	c.Close()
	if s := c.Stats(); s.TCP != 6 || s.UDP != 398 {
		t.Errorf("%d frames by TCP, %d by UDP; the official client sends 6 and 398", s.TCP, s.UDP)
	}
}

func TestBigFramesGoByTCP(t *testing.T) {
	v, c := dialed(t, Options{MaxRate: -1, Lossless: true, TCPRatio: -1, Nested: true})
	main, app := c.MainThread(), c.Collector("App")
	main.EndFrame()
	for i := range 400 {
		for range i {
			main.Start(app)
		}
		main.EndFrame()
	}
	c.Close()
	ms := framesOf(v.wait("the frames by TCP", func(ms []message) bool {
		return len(slices.DeleteFunc(framesOf(ms), func(m message) bool { return m.udp })) >= 400-246
	}))
	for _, m := range ms {
		testkit.That(t, (m.size > pstats.MaxUDP) != m.udp, "frame of %d bytes, udp %v", m.size, m.udp)
	}
}

func TestTooManyPoints(t *testing.T) {
	_, c := dialed(t, Options{Version: pstats.Version{Major: 3}, Lossless: true, MaxRate: -1})
	main, app := c.MainThread(), c.Collector("App")
	main.EndFrame()
	for range 40000 {
		run(main, app)
	}
	main.EndFrame()
	main.EndFrame()
	c.Close()
	s := c.Stats()
	testkit.That(t, s.DroppedSize == 1 && s.Sent() == 1, "%+v", s)
}

func TestThreadsComeAndGo(t *testing.T) {
	v, c := dialed(t, Options{Lossless: true, TCPRatio: 1, MaxRate: -1})
	work := c.Collector("Load")
	for range 3 {
		w := c.Thread("Loader")
		w.BeginFrame()
		run(w, work)
		w.EndFrame()
		w.Start(work)
		w.Close() // hands over the second frame
		w.Start(work)
		w.EndFrame()
		w.Close()
	}
	c.Close()
	expired := map[uint16]bool{}
	frames := 0
	for _, m := range v.wait("three ends", func(ms []message) bool {
		return len(ofType(ms, pstats.TypeExpire)) == 3
	}) {
		switch m.typ {
		case pstats.TypeExpire:
			expired[m.expired] = true
		case pstats.TypeFrame:
			frames++
			testkit.That(t, !expired[m.frame.Thread],
				"frame %d of thread %d behind its end", m.frame.Number, m.frame.Thread)
		}
	}
	testkit.That(t, len(expired) == 3 && frames == 6, "%d threads ended, %d frames; want 3 and 6", len(expired), frames)
}

func TestThreadIndexIsReused(t *testing.T) {
	for _, opt := range []Options{{ReuseThreads: true}, {Version: pstats.Version{Major: 3}}} {
		v := newViewer(t)
		opt.Lossless, opt.MaxRate = true, -1
		c := dial(t, v, opt)
		w := c.Thread("Loader")
		w.BeginFrame()
		w.EndFrame()
		w.Close()
		testkit.WaitUntil(t, "a free index", func() bool { // the end is announced by the writer
			c.mu.Lock()
			defer c.mu.Unlock()
			return c.slots[w.index].reusable
		})
		again, other := c.Thread("Loader"), c.Thread("Other")
		testkit.That(t, again.index == w.index && other.index != w.index,
			"indices %d, %d after %d", again.index, other.index, w.index)
		testkit.That(t, again.number > 0, "frame numbers begin again")
	}
}

func TestReconnect(t *testing.T) {
	v := newViewer(t)
	c := New(Options{Addr: v.addr(), RetryAfter: time.Millisecond, MaxRate: -1, TCPRatio: 1})
	main, app := c.MainThread(), c.Collector("App")
	gone := c.Thread("Gone")
	main.Start(app) // nobody listens yet
	testkit.MustThat(t, !main.on, "recording without a viewer")
	testkit.OK(t, c.Connect(t.Context()))
	gone.Close()
	beat := func(until func() bool) {
		t.Helper()
		testkit.WaitUntil(t, "what frames bring about", func() bool {
			run(main, app)
			main.EndFrame()
			return until()
		})
	}
	received := func(n int) func() bool {
		return func() bool { v.mu.Lock(); defer v.mu.Unlock(); return len(framesOf(v.messages)) >= n }
	}
	beat(received(5))
	v.hangUp()
	beat(func() bool { return c.Stats().Sessions >= 2 && c.Connected() })
	v.mu.Lock()
	n := len(v.messages)
	v.mu.Unlock()
	beat(received(n + 5))
	testkit.OK(t, c.Close())
	err := c.Connect(t.Context())
	testkit.That(t, errors.Is(err, ErrClosed), "Connect after Close: %v", err)
	v.mu.Lock()
	defer v.mu.Unlock()
	hellos, empty := 0, 0
	for _, m := range v.messages {
		if m.typ == pstats.TypeHello {
			hellos++
		}
		if m.typ == pstats.TypeThreads && hellos >= 2 {
			for _, name := range m.names {
				if name == "" {
					empty++
				}
			}
		}
		if m.typ == pstats.TypeFrame {
			e := m.frame.Events
			testkit.That(t, e[0].Word == 0 && e[0].Time >= 0 && e[len(e)-1].Word == pstats.StopBit, "frame %v", m.frame)
		}
	}
	testkit.That(t, hellos >= 2 && empty != 0, "%d hellos, %d empty thread names", hellos, empty)
}

func TestConnectAgainAfterContext(t *testing.T) {
	v := newViewer(t)
	c := New(Options{Addr: v.addr(), RetryAfter: time.Millisecond})
	defer c.Close()
	for n := range 2 {
		ctx, cancel := context.WithCancel(t.Context())
		testkit.OK(t, c.Connect(ctx))
		v.wait("a hello", func(ms []message) bool { return len(ofType(ms, pstats.TypeHello)) > n })
		cancel()
		testkit.WaitUntil(t, "the end that the context brings", func() bool {
			c.mu.Lock()
			defer c.mu.Unlock()
			return c.cancel == nil
		})
	}
}

func TestOldViewerGetsOldVersion(t *testing.T) {
	v := newViewer(t)
	v.mu.Lock()
	v.refuse = func(version pstats.Version) bool { return version.Minor > 0 }
	v.mu.Unlock()
	c := New(Options{Addr: v.addr(), RetryAfter: time.Millisecond})
	testkit.OK(t, c.Connect(t.Context()))
	defer c.Close()
	v.wait("a hello of version 3.0", func(ms []message) bool {
		return slices.ContainsFunc(ofType(ms, pstats.TypeHello), func(m message) bool {
			return m.hello.Version == pstats.Version{Major: 3}
		})
	})
}

func TestSilentViewer(t *testing.T) {
	v := newViewer(t)
	v.mu.Lock()
	v.silent = true
	v.mu.Unlock()
	c := New(Options{Addr: v.addr(), HelloTimeout: time.Millisecond, MaxRate: -1})
	testkit.OK(t, c.Dial(t.Context()))
	defer c.Close()
	c.MainThread().EndFrame()
	c.MainThread().EndFrame()
	testkit.That(t, !framesOf(v.wait("a frame", atLeast(1)))[0].udp, "UDP without a port")
}

func TestNobodyThere(t *testing.T) {
	ln := testkit.Must(net.Listen("tcp", "127.0.0.1:0"))(t)
	ln.Close()
	c := New(Options{Addr: ln.Addr().String()})
	err := c.Dial(t.Context())
	testkit.That(t, err != nil && c.Err() != nil && !c.Connected(), "Dial: %v, Err: %v", err, c.Err())
}

func TestUDPPortClosed(t *testing.T) {
	v, c := dialed(t, Options{TCPRatio: -1, MaxRate: -1, Lossless: true})
	v.udp.Close()
	main := c.MainThread()
	main.EndFrame()
	refused := testkit.WaitFor(func() bool {
		main.EndFrame()
		return c.Stats().TCP > 0
	})
	if !refused && runtime.GOOS == "linux" {
		t.Fatal("nobody noticed that the UDP port is closed")
	} else if !refused {
		t.Skip("this system does not report closed UDP ports")
	}
	v.wait("a frame by TCP", atLeast(1))
}

func TestCollectorNames(t *testing.T) {
	c := New(Options{})
	for _, same := range [][2]string{
		{"App:Tasks", "::App:Tasks"}, {"App:Tasks", "App:App:Tasks"}, {"App", "App:App"}, {"", "Unnamed"}, {"Frame", "Frame:Frame"}, {"A:B", "A::B:"},
	} {
		a, b := c.Collector(same[0]), c.Collector(same[1])
		testkit.That(t, a == b, "%q is %d, %q is %d", same[0], a, same[1], b)
	}
	testkit.That(t, c.Collector("Frame") == 0, "Frame is not collector 0")
	testkit.That(t, c.Collector("A:B") != c.Collector("B"), "A:B and B are the same")
}

func TestSettersAreSent(t *testing.T) {
	v, c := dialed(t, Options{TCPRatio: 1, Lossless: true, MaxRate: -1})
	col := c.Collector("Enemies")
	c.SetColor(col, 1, .5, .25)
	c.SetSort(col, 9)
	c.SetUnits(col, "k", 0.001)
	c.SetScale(col, 2)
	sub := c.Collector("Enemies:Bosses")
	main := c.MainThread()
	main.EndFrame()
	main.Level(sub, 4000)
	main.AddLevel(sub, 500)
	main.EndFrame()
	v.wait("a frame", atLeast(1))
	c.SetUnits(sub, "", 1)
	main.EndFrame()
	c.Close()
	ms := v.wait("two frames", atLeast(2))
	defs := map[string]pstats.CollectorDef{}
	for _, m := range ms {
		for _, d := range m.defs {
			defs[d.Name] = d
		}
	}
	want := pstats.CollectorDef{Index: 1, Name: "Enemies", R: 1, G: .5, B: .25, Sort: 9, Units: "k", Scale: 2, Factor: 0.001}
	testkit.NoDiff(t, cmp.Diff(want, defs["Enemies"]), "-want +got")
	want = pstats.CollectorDef{Index: 2, Name: "Bosses", Parent: 1, Sort: -1, Scale: 2, Factor: 1}
	testkit.NoDiff(t, cmp.Diff(want, defs["Bosses"]), "-want +got")
	fs := framesOf(ms)
	a, b := fs[0].frame.Levels[0].Value, fs[1].frame.Levels[0].Value
	testkit.That(t, a == 4.5 && b == 4500, "levels %v and %v", a, b)
}

func TestLevelsAreAscending(t *testing.T) {
	v, c := dialed(t, Options{TCPRatio: 1, Lossless: true, MaxRate: -1})
	var cols []Collector
	for i := range 10 {
		cols = append(cols, c.Collector(fmt.Sprint("L", i)))
	}
	main := c.MainThread()
	for _, i := range []int{7, 2, 9, 0, 3} {
		main.Level(cols[i], float64(i))
	}
	main.Level(cols[9], 90)
	main.EndFrame()
	main.EndFrame()
	got := framesOf(v.wait("a frame", atLeast(1)))[0].frame.Levels
	want := []pstats.Level{{Collector: 1, Value: 0}, {Collector: 3, Value: 2}, {Collector: 4, Value: 3}, {Collector: 8, Value: 7}, {Collector: 10, Value: 90}}
	testkit.NoDiff(t, cmp.Diff(want, got), "-want +got")
}

func TestManyThreadsAtOnce(t *testing.T) {
	v, c := dialed(t, Options{Lossless: true, MaxRate: -1, TCPRatio: 1})
	const threads, frames = 8, 100
	var wg sync.WaitGroup
	for i := range threads {
		wg.Go(func() {
			w := c.Thread("Worker")
			work := c.Collector(fmt.Sprint("Work:Kind ", i%3))
			w.BeginFrame()
			for f := range frames {
				func() { defer w.Scope(work).End() }()
				w.Level(work, float64(f))
				w.EndFrame()
			}
			w.Close()
		})
	}
	wg.Wait()
	c.Close()
	next := map[uint16]uint32{}
	for _, m := range framesOf(v.wait("all frames", atLeast(threads*frames))) {
		testkit.MustThat(t, m.frame.Number == next[m.frame.Thread],
			"thread %d: frame %d after %d", m.frame.Thread, m.frame.Number, next[m.frame.Thread])
		next[m.frame.Thread]++
	}
	testkit.That(t, len(next) == threads, "%d threads", len(next))
}

func TestDroppedFramesLeaveAGap(t *testing.T) {
	v := newViewer(t)
	clk := &clock{}
	c := dial(t, v, Options{Clock: clk.Now, MaxRate: -1, Lossless: true, TCPRatio: 1})
	main := c.MainThread()
	main.EndFrame()
	for i := range 10 {
		clk.add(time.Millisecond)
		if i%5 == 3 {
			main.DropFrameAt(c.Now())
		} else {
			main.EndFrame()
		}
	}
	var got []uint32
	for _, m := range framesOf(v.wait("8 frames", atLeast(8))) {
		got = append(got, m.frame.Number)
	}
	testkit.NoDiff(t, cmp.Diff([]uint32{1, 2, 3, 5, 6, 7, 8, 10}, got), "-want +got")
}

func TestNilThread(t *testing.T) {
	var th *Thread
	run(th, 1)
	th.StartAt(1, 0)
	th.StopAt(1, 0)
	th.Level(1, 1)
	th.AddLevel(1, 1)
	th.Scope(1).End()
	th.BeginFrame()
	th.EndFrame()
	th.FinishFrame()
	th.SetFrame(3)
	th.DropFrameAt(0)
	th.Close()
	testkit.That(t, th.Frame() == 0, "a nil thread counts frames")
}

func TestThreadThatNeverEndsItsFrame(t *testing.T) {
	v, c := dialed(t, Options{})
	w, work := c.Thread("Worker"), c.Collector("Work")
	run(w, work)
	v.hangUp()
	<-c.session.Load().doneOrClosed()
	for range 10 * firstEvents {
		run(w, work)
	}
	testkit.That(t, !w.on && cap(w.buf.events) <= firstEvents, "still recording: %d events", len(w.buf.events))
}

// doneOrClosed makes waiting for the end of a session easy, also when it has already been taken
// away.
func (s *session) doneOrClosed() <-chan struct{} {
	if s == nil {
		closed := make(chan struct{})
		close(closed)
		return closed
	}
	return s.done
}

// sink is a viewer that reads and forgets without allocating.
func sink(t testing.TB) string {
	ln := testkit.Must(net.Listen("tcp", "127.0.0.1:0"))(t)
	t.Cleanup(func() { ln.Close() })
	go func() {
		for {
			conn, err := ln.Accept()
			if err != nil {
				return
			}
			conn.Write(pstats.AppendTCP(nil, pstats.AppendServerHello(nil, pstats.ServerHello{Program: "sink"})))
			go func() {
				defer conn.Close()
				io.Copy(io.Discard, conn)
			}()
		}
	}()
	return ln.Addr().String()
}

func connected(t testing.TB, opt Options) *Client {
	opt.Addr = sink(t)
	opt.MaxRate = -1
	c := New(opt)
	testkit.OK(t, c.Dial(t.Context()))
	t.Cleanup(func() { c.Close() })
	return c
}

func TestNoAllocationWithoutViewer(t *testing.T) {
	c := New(Options{})
	main, app, mem := c.MainThread(), c.Collector("App"), c.Collector("System memory")
	main.Level(mem, 1)
	if n := testing.AllocsPerRun(1000, func() {
		main.Start(app)
		func() { defer main.Scope(app).End() }()
		main.Stop(app)
		main.Level(mem, 2)
		main.EndFrame()
	}); n != 0 {
		t.Errorf("%v allocations a frame", n)
	}
}

func TestNoAllocationInSteadyState(t *testing.T) {
	c := connected(t, Options{Lossless: true, MaxQueue: 2})
	main, app, mem := c.MainThread(), c.Collector("App"), c.Collector("System memory")
	beat := func() {
		for range 500 {
			run(main, app)
		}
		main.Level(mem, 2)
		main.EndFrame()
	}
	for range 500 { // until every buffer has grown
		beat()
	}
	testkit.Equal(t, testing.AllocsPerRun(200, beat), 0, "allocations a frame")
}

// TestDefinitionsLikeTheOfficialClient creates the collectors that the official client defined in
// captures, in the same order, and compares what it sent for them.
func TestDefinitionsLikeTheOfficialClient(t *testing.T) {
	var files []string
	for _, dir := range []string{"testdata/pstats", "../shared/captures/pstats"} {
		in, _ := filepath.Glob(filepath.Join(recordings.Root(t), dir, "*.defs.json.gz"))
		files = append(files, in...)
	}
	type def struct {
		FullName      string
		Color         [3]float64
		Sort          int
		Units         string
		Scale, Factor float64
	}
	compared := 0
	for _, file := range files {
		f := testkit.Must(os.Open(file))(t)
		zr := testkit.Must(gzip.NewReader(f))(t)
		var doc struct {
			Collectors []struct {
				def
				Index, Parent int
				Name          string
			}
		}
		testkit.OK(t, json.NewDecoder(zr).Decode(&doc))
		f.Close()
		c := New(Options{})
		round := func(x float64) float64 { // the file has six digits
			if x == 0 {
				return 0
			}
			e := math.Pow(10, 5-math.Floor(math.Log10(math.Abs(x))))
			return math.Round(x*e) / e
		}
		for _, want := range doc.Collectors {
			if _, ok := presets()[want.FullName]; !ok {
				continue // set by the program that was recorded, or named with empty components
			}
			d := c.defs[c.Collector(want.FullName)].wire
			got := def{FullName: want.FullName, Color: [3]float64{round(float64(d.R)), round(float64(d.G)), round(float64(d.B))}, Sort: int(d.Sort), Units: d.Units,
				Scale: round(float64(d.Scale)), Factor: round(float64(d.Factor))}
			w := want.def
			w.Scale, w.Factor = round(w.Scale), round(w.Factor)
			diff := cmp.Diff(w, got)
			testkit.That(t, diff == "", "%s: %s", filepath.Base(file), diff)
			compared++
		}
	}
	testkit.That(t, compared >= 700, "only %d definitions compared", compared)
}

func TestInheritance(t *testing.T) {
	c := New(Options{})
	d := c.defs[c.Collector("System memory:Heap:Single:Enemy")]
	testkit.That(t, d.wire.Units == "MB" && d.factor == 1.0/(1<<20) && d.wire.Scale == 64 && d.wire.Sort == -1 && d.wire.R == 0,
		"%+v", d)
	if d := c.defs[c.Collector("PipelineCyclers:Dirty")].wire; d.Scale != 5000 {
		t.Errorf("%+v", d)
	}
}
