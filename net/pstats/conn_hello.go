package pstats

import (
	"bytes"
	"fmt"

	"framescope/model"
	"framescope/net/pstats/wire"
)

// firstHello takes the hello that makes a session of the connection, and then what came before it (PROTOCOL.md sections 3.3 and 4.3).
func (c *conn) firstHello(payload []byte) error {
	h, err := wire.DecodeClientHello(payload)
	if err != nil {
		return errGarbage{err.Error()}
	}
	c.hello.Store(&h)
	if why := unsupported(h.Version); why != "" {
		c.server.logf("%s is turned away: %s", c.name(), why)
		return errRefused
	}
	handler := c.server.cfg.NewSession(SessionInfo{ID: c.id, Peer: c.peer, UDPPort: int(c.udpPort.Load()), Connected: c.connected, Hello: h})
	if handler == nil {
		c.server.logf("%s is turned away", c.name())
		return errRefused
	}
	c.handler, c.version = handler, h.Version
	c.server.logf("%s connected, PStats %v", c.name(), h.Version)
	c.warnNewer()
	handler.Hello(h)

	for i, payload := range c.early.payloads {
		c.take(payload, c.early.udp[i])
	}
	if n := c.early.dropped; n > 0 {
		c.lose(model.LossLimit, n, "messages and datagrams before the hello, beyond the limit for those")
	}
	c.early = earlyQueue{}
	c.flushLosses()
	return nil
}

// helloAgain takes a further hello: it overwrites the identity, nothing else (PROTOCOL.md section 4.3).
func (c *conn) helloAgain(payload []byte) {
	h, err := wire.DecodeClientHello(payload)
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

// unsupported says why a version cannot be understood, or nothing.
func unsupported(v wire.Version) string {
	if v.Major >= 1 && v.Major <= wire.Newest().Major {
		return ""
	}
	return fmt.Sprintf("it speaks PStats %v, and versions 1.0 to %v are understood", v, wire.Newest())
}

func (c *conn) warnNewer() {
	if newest := wire.Newest(); c.version != newest && c.version.AtLeast(newest.Major, newest.Minor) {
		c.server.logf("%s speaks PStats %v, newer than what is known: it is understood as %v", c.name(), c.version, newest)
	}
}

// An earlyQueue keeps what comes before the hello, because only the hello tells how to decode frames. It is bounded.
type earlyQueue struct {
	payloads [][]byte
	udp      []bool
	bytes    int
	dropped  int64
}

func (q *earlyQueue) add(payload []byte, udp bool) {
	if q.bytes+len(payload) > maxEarly || len(q.payloads) == maxEarlyNum {
		q.dropped++
		return
	}
	q.bytes += len(payload)
	q.payloads = append(q.payloads, bytes.Clone(payload))
	q.udp = append(q.udp, udp)
}
