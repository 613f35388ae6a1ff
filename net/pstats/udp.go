package pstats

import (
	"errors"
	"net"
	"net/netip"
	"os"
	"time"

	"framescope/model"
	"framescope/net/pstats/wire"
)

// udpBuffer is the receive buffer that a UDP socket is given, in bytes, as far as the system allows. A client sends in bursts, and the scheduler may let
// the reader wait for some milliseconds.
const udpBuffer = 8 << 20

// maxDatagram is the size of the largest datagram that can exist. Clients send up to wire.MaxUDP+2 bytes; longer ones are accepted (PROTOCOL.md section 1.2).
const maxDatagram = 64 << 10

// After the end of TCP, datagrams are read until none came for drainIdle, for drainTotal at most.
const (
	drainIdle  = 20 * time.Millisecond
	drainTotal = 2 * time.Second
)

// openUDP opens a socket for this client alone, since nothing in a datagram tells two clients on one machine apart (PROTOCOL.md section 1.3). It is bound to the address
// to which the client connected: that is where the client sends to. When it cannot be opened, the client is told port 0 and uses TCP for everything.
func (c *conn) openUDP() {
	local := addrOf(c.tcp.LocalAddr())
	udp, err := net.ListenUDP("udp", net.UDPAddrFromAddrPort(netip.AddrPortFrom(local.Addr(), 0)))
	if err != nil {
		c.server.logf("%s: no UDP socket, it must send everything by TCP: %v", c.peer, err)
		return
	}
	udp.SetReadBuffer(udpBuffer)
	forceReadBuffer(udp, udpBuffer)
	c.udp = udp
	c.udpPort.Store(int32(addrOf(udp.LocalAddr()).Port()))
}

func (c *conn) closeUDP() {
	if c.udp != nil {
		c.udp.Close()
	}
}

// readUDP takes datagrams until TCP has ended and nothing more comes.
func (c *conn) readUDP() {
	buf := make([]byte, maxDatagram)
	var end time.Time // of draining; zero before it begins
	failures := 0
	for {
		if c.closing.Load() {
			now := time.Now()
			if end.IsZero() {
				end = now.Add(drainTotal)
				if c.why.Load() != nil { // we hang up: nobody wants the rest
					return
				}
			}
			if !now.Before(end) {
				return
			}
			c.udp.SetReadDeadline(now.Add(drainIdle))
		}
		draining := !end.IsZero()
		n, from, err := c.udp.ReadFromUDPAddrPort(buf)
		switch {
		case err == nil:
			failures = 0
			c.udpBytes.Add(int64(n))
			c.datagram(buf[:n], from)
		case errors.Is(err, os.ErrDeadlineExceeded):
			// A deadline that was set before draining only wakes this loop: what is in the socket has not been looked at.
			if draining {
				return
			}
		case errors.Is(err, net.ErrClosed):
			return
		default:
			// Some systems report here what became of other packets. A socket that does nothing else is given up.
			if failures++; failures == 100 {
				c.server.logf("%s: UDP is given up: %v", c.peer, err)
				return
			}
		}
	}
}

// datagram takes one datagram from the client, or from somebody else.
func (c *conn) datagram(datagram []byte, from netip.AddrPort) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.server.cfg.AnySource && from.Addr().Unmap().WithZone("") != c.peer.Addr().WithZone("") {
		c.lose(model.LossStranger, 1, "datagram from %v ignored, the client is at %v", from, c.peer.Addr())
		return
	}
	if len(datagram) == 0 {
		return // nothing was sent, nothing is missing
	}
	payload, ok := wire.CheckUDP(datagram)
	switch {
	case !ok:
		c.lose(model.LossChecksum, 1, "datagram of %d bytes with a wrong checksum ignored", len(datagram))
	case c.handler == nil:
		c.early.add(payload, true)
	default:
		c.take(payload, true)
	}
}
