package client

import (
	"cmp"
	"io"
	"net"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"pgregory.net/rapid"

	"framescope/internal/testkit"
	"framescope/net/pstats"
)

// message is one decoded message as the fake viewer got it.
type message struct {
	typ     byte
	udp     bool
	hello   pstats.ClientHello
	defs    []pstats.CollectorDef
	first   uint16
	names   []string
	expired uint16
	frame   pstats.Frame
	size    int
}

// viewer is a fake viewer: it says hello and keeps what it is told.
type viewer struct {
	t   *testing.T
	ln  net.Listener
	udp *net.UDPConn

	mu                      sync.Mutex
	changed                 *sync.Cond
	messages                []message
	conns                   []net.Conn
	gone                    int // connections that have ended
	refuse                  func(pstats.Version) bool
	silent, greeted, closed bool
	version                 pstats.Version
}

func newViewer(t *testing.T) *viewer {
	t.Helper()
	ln := testkit.Must(net.Listen("tcp", "127.0.0.1:0"))(t)
	udp := testkit.Must(net.ListenUDP("udp", &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1)}))(t)
	v := &viewer{t: t, ln: ln, udp: udp}
	v.changed = sync.NewCond(&v.mu)
	go v.accept()
	go v.datagrams()
	t.Cleanup(v.close)
	return v
}

func (v *viewer) addr() string { return v.ln.Addr().String() }

func (v *viewer) close() {
	v.ln.Close()
	v.udp.Close()
	v.mu.Lock()
	v.closed = true
	v.changed.Broadcast()
	v.mu.Unlock()
	v.hangUp()
}

func (v *viewer) hangUp() {
	v.mu.Lock()
	defer v.mu.Unlock()
	for _, c := range v.conns {
		c.Close()
	}
	v.conns = nil
}

func (v *viewer) accept() {
	for {
		conn, err := v.ln.Accept()
		if err != nil {
			return
		}
		v.mu.Lock()
		v.conns = append(v.conns, conn)
		silent := v.silent
		v.mu.Unlock()
		if !silent {
			port := uint16(v.udp.LocalAddr().(*net.UDPAddr).Port)
			conn.Write(pstats.AppendTCP(nil, pstats.AppendServerHello(nil, pstats.ServerHello{Host: "here", Program: "fake", UDPPort: port})))
		}
		go v.serve(conn)
	}
}

func (v *viewer) serve(conn net.Conn) {
	defer func() {
		conn.Close()
		v.mu.Lock()
		v.gone++
		v.changed.Broadcast()
		v.mu.Unlock()
	}()
	var sc pstats.Scanner
	version := pstats.Newest()
	for {
		n, err := conn.Read(sc.Space())
		sc.Advance(n)
		for {
			payload, ok, err := sc.Next()
			if err != nil {
				v.t.Errorf("stream: %v", err)
				return
			}
			if !ok {
				break
			}
			m := v.decode(payload, version, false)
			if m.typ == pstats.TypeHello {
				version = m.hello.Version
				v.mu.Lock()
				v.version, v.greeted = version, true
				v.changed.Broadcast()
				refuse := v.refuse
				v.mu.Unlock()
				if refuse != nil && refuse(version) {
					return
				}
			}
		}
		if err != nil {
			if err != io.EOF && !strings.Contains(err.Error(), "closed") && !strings.Contains(err.Error(), "reset") {
				v.t.Errorf("read: %v", err)
			}
			return
		}
	}
}

func (v *viewer) datagrams() {
	buf := make([]byte, 1<<16)
	for {
		n, err := v.udp.Read(buf)
		if err != nil {
			return
		}
		payload, ok := pstats.CheckUDP(buf[:n])
		if !ok {
			v.t.Errorf("datagram of %d bytes with a wrong checksum", n)
			continue
		}
		v.mu.Lock()
		for !v.greeted && !v.closed { // datagrams overtake the hello
			v.changed.Wait()
		}
		version, greeted := v.version, v.greeted
		v.mu.Unlock()
		if !greeted { // the test is over, and nobody said how to read it
			return
		}
		testkit.That(v.t, len(payload) <= pstats.MaxUDP && (payload[0] == pstats.TypeFrame || !version.HasFrameType()),
			"datagram of %d bytes of type %d", len(payload), payload[0])
		v.decode(payload, version, true)
	}
}

func (v *viewer) decode(payload []byte, version pstats.Version, udp bool) message {
	m := message{typ: payload[0], udp: udp, size: len(payload)}
	var err error
	switch m.typ {
	case pstats.TypeHello:
		m.hello, err = pstats.DecodeClientHello(payload)
	case pstats.TypeCollectors:
		err = pstats.DecodeCollectors(payload, func(d pstats.CollectorDef) { m.defs = append(m.defs, d) })
	case pstats.TypeThreads:
		m.first, m.names, err = pstats.DecodeThreads(payload)
	case pstats.TypeExpire:
		m.expired, err = pstats.DecodeExpire(payload)
	case pstats.TypeFrame:
		err = pstats.DecodeFrame(payload, version, &m.frame)
	default:
		v.t.Errorf("message of type %d", m.typ)
	}
	testkit.That(v.t, err == nil, "message: %v", err)
	v.add(m)
	return m
}

func (v *viewer) add(m message) {
	v.mu.Lock()
	v.messages = append(v.messages, m)
	v.changed.Broadcast()
	v.mu.Unlock()
}

// wait returns what has arrived once ok says that it is enough. It gives up with the test's
// deadline in mind.
func (v *viewer) wait(what string, ok func(ms []message) bool) []message {
	v.t.Helper()
	expired := false
	timer := time.AfterFunc(20*time.Second, func() {
		v.mu.Lock()
		expired = true
		v.changed.Broadcast()
		v.mu.Unlock()
	})
	defer timer.Stop()
	v.mu.Lock()
	defer v.mu.Unlock()
	for !ok(v.messages) {
		testkit.MustThat(v.t, !expired, "waited in vain for %s; got %d messages", what, len(v.messages))
		v.changed.Wait()
	}
	return slices.Clone(v.messages)
}

func ofType(ms []message, typ byte) []message {
	return slices.DeleteFunc(slices.Clone(ms), func(m message) bool { return m.typ != typ })
}

func framesOf(ms []message) []message { return ofType(ms, pstats.TypeFrame) }

func atLeast(frames int) func([]message) bool {
	return func(ms []message) bool { return len(framesOf(ms)) >= frames }
}

// clock is a clock that tests set.
type clock struct {
	mu  sync.Mutex
	now time.Duration
}

func (c *clock) Now() time.Duration {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *clock) add(d time.Duration) {
	c.mu.Lock()
	c.now += d
	c.mu.Unlock()
}

func dial(t *testing.T, v *viewer, opt Options) *Client {
	t.Helper()
	opt.Addr = v.addr()
	opt.Name, opt.Host = "test", "host"
	c := New(opt)
	testkit.OK(t, c.Dial(t.Context()))
	t.Cleanup(func() { c.Close() })
	return c
}

// dialed is a client that is connected to a viewer of its own.
func dialed(t *testing.T, opt Options) (*viewer, *Client) {
	t.Helper()
	v := newViewer(t)
	return v, dial(t, v, opt)
}

// run starts and stops a collector.
func run(th *Thread, c Collector) {
	th.Start(c)
	th.Stop(c)
}

// offline gives a client a session without sockets: the queue is where frames end up.
func offline(c *Client) *session {
	s := &session{c: c, version: pstats.Newest(), queue: make(chan *frame, 64), done: make(chan struct{}), wake: make(chan struct{}, 1)}
	c.session.Store(s)
	return s
}

// TestWhateverIsRecordedIsWellFormed plays random starts, stops, frame ends and drops, and holds
// the frames against what viewers may rely on (section 14).
func TestWhateverIsRecordedIsWellFormed(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		nested := rapid.Bool().Draw(rt, "nested")
		c := New(Options{Nested: nested, MaxRate: -1, MaxQueue: 64})
		s := offline(c)
		cols := []Collector{0, c.Collector("A"), c.Collector("A:B"), c.Collector("C")}
		main := c.MainThread()
		now := time.Duration(0)
		running := map[uint16]int{}
		var last uint32
		for range rapid.IntRange(1, 200).Draw(rt, "steps") {
			now += time.Duration(rapid.IntRange(0, 1000).Draw(rt, "us")) * time.Microsecond
			col := rapid.SampledFrom(cols).Draw(rt, "collector")
			switch rapid.IntRange(0, 7).Draw(rt, "what") {
			case 0, 1, 2:
				main.StartAt(col, now)
			case 3, 4, 5:
				main.StopAt(col, now)
			case 6:
				main.EndFrameAt(now)
			case 7:
				main.Level(col, float64(now))
			}
			select {
			case f := <-s.queue:
				checkFrame(rt, f, running, nested, &last)
				c.recycle(f)
			default:
			}
		}
	})
}

func inTime(a, b pstats.Event) int { return cmp.Compare(a.Time, b.Time) }

func checkFrame(t *rapid.T, f *frame, running map[uint16]int, nested bool, last *uint32) {
	e := f.wire(nil)
	testkit.MustThat(t, len(e) >= 2 && e[0].Word == 0 && e[len(e)-1].Word == pstats.StopBit,
		"frame %d does not begin and end as it should: %v", f.number, e)
	testkit.MustThat(t, f.number > *last, "frame %d after %d", f.number, *last)
	*last = f.number
	testkit.MustThat(t, slices.IsSortedFunc(e, inTime), "frame %d goes back in time: %v", f.number, e)
	for _, ev := range e[1 : len(e)-1] {
		c := ev.Word &^ pstats.StopBit
		testkit.MustThat(t, c != 0, "frame %d: the frame within itself", f.number)
		if ev.Word&pstats.StopBit == 0 {
			running[c]++
		} else {
			running[c]--
		}
		n := running[c]
		testkit.MustThat(t, n >= 0 && (n <= 1 || nested), "frame %d: collector %d runs %d times", f.number, c, n)
	}
	for i := range f.levels {
		testkit.MustThat(t, i <= 0 || f.levels[i].collector > f.levels[i-1].collector,
			"levels are not in order: %v", f.levels)
	}
}

// TestViewerThatDoesNotRead connects to a viewer that has stopped reading: the game goes on, and
// frames are dropped.
func TestViewerThatDoesNotRead(t *testing.T) {
	ln := testkit.Must(net.Listen("tcp", "127.0.0.1:0"))(t)
	defer ln.Close()
	accepted := make(chan net.Conn, 1)
	go func() {
		if conn, err := ln.Accept(); err == nil {
			conn.Write(pstats.AppendTCP(nil, pstats.AppendServerHello(nil, pstats.ServerHello{Program: "stuck"})))
			accepted <- conn
		}
	}()
	c := New(Options{Addr: ln.Addr().String(), MaxRate: -1, Nested: true})
	testkit.OK(t, c.Dial(t.Context()))
	conn := <-accepted
	main, app := c.MainThread(), c.Collector("App")
	main.EndFrame()
	frames := int64(0)
	for c.Stats().DroppedQueue < 100 {
		for range 5000 {
			main.StartAt(app, 0)
		}
		main.EndFrame()
		frames++
		testkit.MustThat(t, frames <= 100_000, "a viewer that does not read took 3 GB")
	}
	conn.Close()
	c.Close()
	if s := c.Stats(); s.Sent()+s.Dropped() < frames {
		t.Errorf("%d frames, but %d sent and %d dropped", frames, s.Sent(), s.Dropped())
	}
}

// TestTicksBecomeTimes holds against each other what was noted in ticks and in times: a frame's
// ticks lie between its marks, in proportion, and are never before the event before.
func TestTicksBecomeTimes(t *testing.T) {
	f := frame{
		from: TickMark{Ticks: 1000, Ns: 5e6}, to: TickMark{Ticks: 3000, Ns: 6e6}, epoch: 4e6,
		events: []event{
			{5e6, 0, false}, {900, 1, true}, {2000, 2, true}, {5.7e6, 3, false}, {2100, 4, true}, {4000, 5, true},
			{6e6, pstats.StopBit, false},
		},
	}
	want := []float32{1e-3, 1e-3, 1.5e-3, 1.7e-3, 1.7e-3, 2e-3, 2e-3}
	for i, e := range f.wire(nil) {
		testkit.That(t, e.Time == want[i] && e.Word == f.events[i].word,
			"event %d is %v, want %v at %v", i, e, f.events[i].word, want[i])
	}
}

// TestFramesOfTicksAreInOrder records by the processor's counter: what is sent ascends, from the
// frame's begin to its end, and frames follow each other.
func TestFramesOfTicksAreInOrder(t *testing.T) {
	c := New(Options{MaxRate: -1})
	s := offline(c)
	main, col := c.MainThread(), c.Collector("Work")
	main.EndFrame()
	testkit.MustThat(t, main.ticks == Steady, "ticks are noted: %v, they are steady: %v", main.ticks, Steady)
	from := main.buf.from
	testkit.That(t, !Steady || from.Ticks != 0, "the first frame after a viewer has come does not know its ticks")
	var end float32
	for n := range 20 {
		for range n {
			main.Start(col)
			main.Stop(col)
		}
		main.EndFrame()
		e := (<-s.queue).wire(nil)
		testkit.MustThat(t, len(e) == 2*n+2 && e[0].Time >= end,
			"frame %d has %d events and begins at %v, the one before ended at %v", n, len(e), e[0].Time, end)
		testkit.MustThat(t, slices.IsSortedFunc(e, inTime), "frame %d goes back in time: %v", n, e)
		end = e[len(e)-1].Time
	}
}

// The counter goes on while time passes, and what it says lies between the marks around it.
func TestTicksGoOn(t *testing.T) {
	if !Steady {
		t.Skip("no steady counter here")
	}
	zero := time.Now()
	mark := func() TickMark { return TickMark{Ns: int64(time.Since(zero)), Ticks: ReadTicks()} }
	from := mark()
	var list []int64
	for range 100 {
		list = append(list, ReadTicks())
		time.Sleep(10 * time.Microsecond)
	}
	to := mark()
	s := Between(from, to)
	last := from.Ns
	for _, ticks := range list {
		ns := s.Ns(ticks)
		testkit.MustThat(t, ns > last && ns < to.Ns, "%d ns, the one before %d, all of it %v to %v", ns, last, from, to)
		last = ns
	}
}

// Whatever marks say, times ascend with ticks and stay between the marks.
func TestScaleAscends(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		any := rapid.Int64Range(0, 1<<60)
		from := TickMark{any.Draw(t, "ticks"), any.Draw(t, "ns")}
		to := TickMark{any.Draw(t, "to ticks"), rapid.Int64Range(from.Ns, 1<<61).Draw(t, "to ns")}
		s := Between(from, to)
		a, b := any.Draw(t, "a"), any.Draw(t, "b")
		if a, b = min(a, b), max(a, b); s.Ns(a) > s.Ns(b) || s.Ns(a) < from.Ns || s.Ns(b) > to.Ns {
			t.Fatalf("%d and %d are %d and %d, between %v and %v", a, b, s.Ns(a), s.Ns(b), from, to)
		}
	})
}
