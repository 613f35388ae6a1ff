package server

import (
	"strings"
	"sync"
	"testing"

	"framescope/model"
	"framescope/net/pstats"
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
	s := serve(t, func(c *Config) { c.NewSession = func(SessionInfo) pstats.Handler { return pstats.Tee(h, nil) } })
	c := dial(t, s.Addr())
	c.sayHello(v32, 1)
	c.send(pstats.AppendThreads(nil, 0, []string{"Main", "Loader"}))
	c.send(frameAt(0))
	<-h.asked
	const frames = 20_000
	sent := make(chan struct{})
	go func() {
		defer close(sent)
		for n := 1; n < frames; n++ {
			if _, err := c.tcp.Write(pstats.AppendTCP(nil, frameAt(n))); err != nil {
				t.Error(err)
				return
			}
		}
	}()
	other := func(n int) []byte {
		f := pstats.Frame{Thread: 1, Number: uint32(n), Events: []pstats.Event{{Time: float32(n) / 60}}}
		return pstats.AppendUDP(nil, pstats.AppendFrame(nil, v32, &f))
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

// However long the hello is and the names in it, the client is let in, and a line of the log is short.
func TestLongNamesAreCutInTheLog(t *testing.T) {
	s := serve(t, nil)
	c := dial(t, s.Addr())
	long := strings.Repeat("x", 65_535)
	c.send(pstats.AppendClientHello(nil, pstats.ClientHello{Host: long, Program: long, Version: v32, PID: 1}))
	c.send(frameAt(0))
	s.session(t).waitFrames(t, 1)
	equal(t, "name", s.Clients()[0].Hello.Program, long)
	for _, line := range s.log() {
		if len(line) > 400 {
			t.Errorf("a line of %d bytes: %.100s", len(line), line)
		}
	}
}

// What is lost again and again for the same reason is one line among the session's notes, with the
// sum in its count.
func TestSameLossIsOneLine(t *testing.T) {
	g := newGoodClient(t)
	g.send(100)
	for n := range 5 {
		g.c.implausible(3)
		g.c.mu.Lock()
		g.c.flushLosses()
		g.c.mu.Unlock()
		if n == 3 {
			g.c.malformed(errGarbage{"another"})
		}
	}
	g.end()
	counts, lines := g.out.Session.Losses()
	if counts[model.LossImplausible] != 15 || len(lines) != 2 {
		t.Errorf("%d are lost: %q", counts[model.LossImplausible], lines)
	}
}
