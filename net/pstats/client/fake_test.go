package client

import (
	"io"
	"net"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

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
