package server

import (
	"fmt"

	"framescope/model"
	"framescope/net/pstats"
)

// firstHello takes the hello, which defines how to read frames, and then the frames that came before
// it (PROTOCOL.md sections 3.3 and 4.3).
func (c *conn) firstHello(payload []byte) error {
	h, err := pstats.DecodeClientHello(payload)
	if err != nil {
		return errGarbage{err.Error()}
	}
	c.hello.Store(&h)
	if why := unsupported(h.Version); why != "" {
		c.logf("%s is turned away: %s", c.name(), why)
		c.refused = true
		return errRefused
	}
	c.version = h.Version
	c.handler.Hello(h)
	early := c.waiting.early
	c.waiting.early = nil
	for _, f := range early {
		if c.handle(f.payload, f.from); c.refused {
			return errRefused
		}
	}
	return nil
}

// begin makes a session of the connection, for its first frame is here. It returns false if the
// session is not wanted.
func (c *conn) begin() bool {
	h := c.hello.Load()
	handler := c.server.cfg.NewSession(SessionInfo{
		ID: c.id, Peer: c.peer, UDPPort: int(c.udpPort.Load()), Connected: c.connected, Hello: *h,
		dropped: &c.dropped,
	})
	if handler == nil {
		c.logf("%s is turned away", c.name())
		c.refused = true
		c.disconnect("refused")
		return false
	}
	c.handler, c.begun = handler, true
	c.seat.Used()
	c.logBegin()
	c.warnNewer()
	c.waiting.replay(handler)
	c.waiting = nil
	if c.udp != nil {
		enlarge(c.udp, udpBuffer)
		if _, ok := dropsOf(c.udp); !ok {
			c.losses.total.SystemUnknown = true
			handler.Lost(model.Loss{Reason: model.LossSystem, Track: model.NoTrack, Uncounted: true})
		}
	}
	c.flushLosses()
	return true
}

// helloAgain takes a further hello: it overwrites the identity, nothing else (PROTOCOL.md section
// 4.3).
func (c *conn) helloAgain(payload []byte) {
	h, err := pstats.DecodeClientHello(payload)
	if err != nil {
		c.malformed(err)
		return
	}
	if why := unsupported(h.Version); why != "" {
		c.lose(model.LossMalformed, 1, "a second hello is ignored: %s", why)
		return
	}
	c.hello.Store(&h)
	if c.version != h.Version {
		c.version = h.Version
		c.warnNewer()
	}
	c.handler.Hello(h)
}

// unsupported returns why a version is not supported; empty: it is.
func unsupported(v pstats.Version) string {
	if v.Major >= 1 && v.Major <= pstats.Newest().Major {
		return ""
	}
	return fmt.Sprintf("it speaks PStats %v, and versions 1.0 to %v are understood", v, pstats.Newest())
}

func (c *conn) warnNewer() {
	if newest := pstats.Newest(); c.version != newest && c.version.AtLeast(newest.Major, newest.Minor) {
		c.logf("%s speaks PStats %v, newer than this Framescope knows: it is read as %v", c.name(), c.version, newest)
	}
}
