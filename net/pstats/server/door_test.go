package server

import (
	"net"
	"sync"
	"sync/atomic"
	"testing"

	"framescope/internal/testkit"
	"framescope/net/pstats"
)

// stuck is a session whose viewer does not get to it.
type stuck struct {
	*recording
	ahead chan struct{}
	stop  *sync.Once
	held  *atomic.Int64 // sessions that the viewer does not get to
}

func (s stuck) Frame(f *pstats.Frame, bytes int) {
	s.stop.Do(func() { s.held.Add(1) })
	<-s.ahead
	s.recording.Frame(f, bytes)
}

// While the viewer does not keep up with those that are in, newcomers wait outside and take nothing;
// afterwards all are heard. How many are let in before the door closes is a matter of who reads
// first, so as many come first as close it, and the others once it is closed.
func TestNewcomersWaitOutside(t *testing.T) {
	const clients = 3 * maxHeldUp
	behind, held := make(chan struct{}), new(atomic.Int64)
	catchUp := sync.OnceFunc(func() { close(behind) })
	s := serve(t, func(cfg *Config) {
		inner := cfg.NewSession
		cfg.NewSession = func(info SessionInfo) pstats.Handler {
			return stuck{inner(info).(*recording), behind, new(sync.Once), held}
		}
	})
	t.Cleanup(catchUp)
	come := func(n int) {
		for range n {
			tcp := testkit.Must(net.Dial("tcp", s.Addr().String()))(t)
			t.Cleanup(func() { tcp.Close() })
			c := testClient{t: t, tcp: tcp.(*net.TCPConn)} // nobody greets it yet
			c.sayHello(v32, 1234)
			for n := range 4 {
				c.send(frameAt(n))
			}
		}
	}
	come(maxHeldUp)
	testkit.WaitUntil(t, "the door to close", func() bool { return held.Load() == maxHeldUp }, func() any { return s.door.heldUp() })
	come(clients - maxHeldUp) // who was let in already before it closed may still come, one for each address
	if n := len(s.Clients()); n > maxHeldUp+len(s.Addrs()) {
		t.Errorf("%d clients are in, %d of them wait for the viewer", n, s.door.heldUp())
	}
	catchUp()
	for range clients {
		s.session(t).waitFrames(t, 4)
	}
	if s.logged("turned away") != 0 {
		t.Errorf("log: %q", s.log())
	}
	testkit.WaitUntil(t, "nobody to wait for the viewer", func() bool { return s.door.heldUp() == 0 })
}

// Who refuses to go on, or says nothing, holds nobody up.
func TestSilentClientsHoldNobodyUp(t *testing.T) {
	s := serve(t, nil)
	for range 2 * maxHeldUp {
		c := testkit.Must(net.Dial("tcp", s.Addr().String()))(t)
		defer c.Close()
	}
	c, r := join(t, s)
	c.send(frameAt(1))
	r.waitFrames(t, 1)
	if n := s.door.heldUp(); n >= maxHeldUp {
		t.Errorf("%d are held up", n)
	}
}

// heldUp returns how many connections wait for the viewer.
func (d *door) heldUp() int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.held
}
