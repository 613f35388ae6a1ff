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

// udpPorts is how many ports, from the one after the TCP port on, are used for clients on other machines.
const udpPorts = 256

// listenUDP opens a socket on a free port of an address. For clients on this machine any port will do. For others the ports are those of the official server, from the one after
// the TCP port on, so that a firewall can let them through; they are used in turn, so that the last datagrams of a client that left do not reach the next one.
func (s *Server) listenUDP(at netip.Addr) (*net.UDPConn, error) {
	if !at.IsLoopback() {
		base := int(s.Addr().Port()) + 1
		for range udpPorts {
			port := base + int((s.nextUDP.Add(1)-1)%udpPorts)
			if port > 65535 {
				break
			}
			if udp, err := net.ListenUDP("udp", net.UDPAddrFromAddrPort(netip.AddrPortFrom(at, uint16(port)))); err == nil {
				return udp, nil
			}
		}
	}
	return net.ListenUDP("udp", net.UDPAddrFromAddrPort(netip.AddrPortFrom(at, 0)))
}

// openUDP opens a socket for this client alone, since nothing in a datagram tells two clients on one machine apart (PROTOCOL.md section 1.3). It is bound to the address
// to which the client connected: that is where the client sends to. When it cannot be opened, the client is told port 0 and uses TCP for everything.
func (c *conn) openUDP() {
	udp, err := c.server.listenUDP(addrOf(c.tcp.LocalAddr()).Addr())
	if err != nil {
		c.server.logf("%s: no UDP socket, it must send everything by TCP: %v", c.peer, err)
		return
	}
	udp.SetReadBuffer(udpBuffer)
	tuneUDP(udp, udpBuffer)
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
	reader := udpReader{udp: c.udp}
	var dropped uint32
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
		n, before, from, err := reader.read(buf)
		switch {
		case err == nil:
			failures = 0
			if before != dropped && before != 0 {
				c.overflow(int64(before - dropped))
				dropped = before
			}
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

// overflow counts datagrams that the system dropped.
func (c *conn) overflow(n int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.lose(model.LossRing, n, "datagrams were dropped by the system, its receive buffer was full: the viewer did not get to run, or the limit for buffers (on Linux net.core.rmem_max) is low")
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
