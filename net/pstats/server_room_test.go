package pstats

import (
	"sync"
	"testing"

	"framescope/net/pstats/wire"
)

// A slowHandler has no room until it is told so.
type slowHandler struct {
	*recording
	room  chan struct{}
	once  sync.Once
	asked chan struct{}
}

func (h *slowHandler) AwaitRoom(stop <-chan struct{}, _ int) {
	h.once.Do(func() { close(h.asked) })
	select {
	case <-h.room:
	case <-stop:
	}
}

// While the disk has no room the client's TCP connection is not read, datagrams are, and nothing is
// lost.
func TestTCPWaitsForTheDisk(t *testing.T) {
	r := newRecording(SessionInfo{})
	h := &slowHandler{recording: r, room: make(chan struct{}), asked: make(chan struct{})}
	s := serve(t, func(c *Config) { c.NewSession = func(SessionInfo) Handler { return Tee(h, nil) } })
	c := dial(t, s.Addr())
	c.sayHello(v32, 1)
	c.send(wire.AppendThreads(nil, 0, []string{"Main", "Loader"}))
	c.send(frameAt(0))
	<-h.asked
	const frames = 20_000
	sent := make(chan struct{})
	go func() {
		defer close(sent)
		for n := 1; n < frames; n++ {
			if _, err := c.tcp.Write(wire.AppendTCP(nil, frameAt(n))); err != nil {
				t.Error(err)
				return
			}
		}
	}()
	other := func(n int) []byte {
		f := wire.Frame{Thread: 1, Number: uint32(n), Events: []wire.Event{{Time: float32(n) / 60}}}
		return wire.AppendUDP(nil, wire.AppendFrame(nil, v32, &f))
	}
	c.sendUDP(other(0))
	c.sendUDP(other(1))
	r.waitFrames(t, 3)
	if n := len(r.numbers()); n != 3 {
		t.Errorf("%d frames while there was no room", n)
	}
	close(h.room)
	<-sent
	r.waitFrames(t, frames+2)
}
