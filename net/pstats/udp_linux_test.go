package pstats

import (
	"testing"

	"framescope/model"
	"framescope/net/pstats/wire"
)

// A blockedHandler takes nothing until it is released.
type blockedHandler struct {
	*recording
	release chan struct{}
}

func (b blockedHandler) Frame(f *wire.Frame, bytes int) {
	<-b.release
	b.recording.Frame(f, bytes)
}

// Datagrams that the system drops because its buffer is full are counted as well.
func TestDroppedByTheSystem(t *testing.T) {
	r := newRecording(SessionInfo{})
	blocked := blockedHandler{r, make(chan struct{})}
	s := serve(t, func(cfg *Config) { cfg.NewSession = func(SessionInfo) Handler { return blocked } })
	c := dial(t, s.Addr())
	c.sayHello(v32, -1)
	r.waitFor(t, "hello", func() bool { return len(r.hellos) == 1 })
	if err := s.sorted()[0].udp.SetReadBuffer(4096); err != nil {
		t.Fatal(err)
	}
	const sent = 1000
	datagram := wire.AppendUDP(nil, framePayload(v32, 1, 24))
	for range sent {
		c.sendUDP(datagram)
	}
	close(blocked.release)
	last := func() bool { // what was dropped is told with the next datagram
		c.sendUDP(wire.AppendUDP(nil, framePayload(v32, 2, 24)))
		return r.lost[model.LossRing] > 0
	}
	r.waitFor(t, "drops", func() bool { return r.lost[model.LossRing] > 0 || last() })
	c.tcp.Close()
	r.waitClosed(t)
	frames := int64(0)
	for _, number := range r.numbers() {
		if number == 1 {
			frames++
		}
	}
	if lost := r.lost[model.LossRing]; frames+lost < sent || frames >= sent/2 {
		t.Errorf("%d frames and %d dropped of %d", frames, lost, sent)
	}
	equal(t, "log lines", s.logged("receive buffer"), 1)
	if n := testing.AllocsPerRun(100, func() { droppedBefore(make([]byte, 24)) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
