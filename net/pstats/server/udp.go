package server

import (
	"cmp"
	"errors"
	"net"
	"net/netip"
	"os"
	"time"

	"framescope/model"
	"framescope/net/pstats"
)

// udpBuffer is the receive buffer that the UDP socket of a session is given, in bytes, as far as
// the system allows. A client sends in bursts, and the scheduler may let the reader wait for some
// milliseconds. Before the first frame the system's usual one must do, as clients that send none
// may be many.
const udpBuffer = 8 << 20

// maxDatagram is the size of the largest datagram that can exist. Clients send up to wire.MaxUDP+2
// bytes; longer ones are accepted (PROTOCOL.md section 1.2).
const maxDatagram = 64 << 10

// After the end of TCP, datagrams are read until none came for drainIdle and none waits. What comes
// later than drainTotal is not waited for any more, but what waited then is read.
const (
	drainIdle  = 20 * time.Millisecond
	drainTotal = 2 * time.Second
)

// udpPorts is how many ports, from the one after the TCP port on, are used for clients on other
// machines.
const udpPorts = 256

// listenUDP opens a socket on a free port of an address. For clients on this machine any port will
// do. For others the ports are those of the official server, from the one after the TCP port on, so
// that a firewall can let them through; they are used in turn, so that the last datagrams of a
// client that left do not reach the next one.
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

// openUDP opens a socket for this client alone, since datagrams do not distinguish two clients on one
// machine (PROTOCOL.md section 1.3). It is bound to the address to which the client connected, which
// is also the target of its datagrams. When it cannot be opened, the client gets port 0 and uses TCP
// for everything.
func (c *conn) openUDP() {
	udp, err := c.server.listenUDP(addrOf(c.tcp.LocalAddr()).Addr())
	if err != nil {
		c.server.logf("%s: no UDP socket, it must send everything by TCP: %v", c.peer, err)
		return
	}
	askForDrops(udp)
	c.udp = udp
	c.udpPort.Store(int32(addrOf(udp.LocalAddr()).Port()))
}

func (c *conn) closeUDP() {
	if c.udp != nil {
		c.udp.Close()
	}
}

// How the counter of dropped datagrams is read while none come: each dropsEvery, if nothing waits
// to be read for dropsWait.
const (
	dropsEvery = time.Second
	dropsWait  = time.Millisecond
)

// udpLoop is the state of readUDP.
type udpLoop struct {
	c        *conn
	reader   udpReader
	counted  uint32    // dropped datagrams that are accounted for
	end      time.Time // of draining; zero before it begins
	looking  bool      // for whether anything waits, before the counter is read
	late     bool      // the time for draining is over
	rest     int64     // bytes that waited then and were not read yet
	failures int
	waited   time.Duration // for TCP, since the guard last had room
}

// readUDP takes datagrams until TCP has ended and nothing more comes.
func (c *conn) readUDP() {
	waitDatagram(c.udp)
	l := udpLoop{c: c, reader: udpReader{udp: c.udp}}
	buf := make([]byte, maxDatagram)
	c.udp.SetReadDeadline(time.Now().Add(dropsEvery))
	for l.ready() {
		n, before, from, err := l.reader.read(buf)
		if err == nil {
			l.failures = 0
			l.rest -= int64(n)
			l.read(before)
			c.udpBytes.Add(int64(n))
			c.datagram(buf[:n], from)
			l.waitForTCP()
		} else if !l.failed(err) {
			break
		}
	}
	l.last()
}

// read notes that a datagram came, with the system's counter before it.
func (l *udpLoop) read(before uint32) {
	l.dropped(before)
	if l.looking {
		l.looking = false
		l.c.udp.SetReadDeadline(time.Now().Add(dropsEvery))
	}
}

// waitForTCP leaves datagrams in the socket while the guard holds as many as it may: a frame by TCP shows that their
// sender is the client. A viewer that did not get to run finds many of both. It waits twice unconfirmedWait at most.
func (l *udpLoop) waitForTCP() {
	const step = time.Millisecond
	for l.c.heldAreMany() && !l.c.closing.Load() {
		if l.waited += step; l.waited > 2*l.c.unconfirmedWait() {
			return
		}
		time.Sleep(step)
	}
	l.waited = 0
}

// last counts the datagrams dropped behind the last received one.
func (l *udpLoop) last() {
	l.c.mu.Lock()
	begun := l.c.begun
	l.c.flushLosses() // those before are not at the end
	l.c.mu.Unlock()
	if total, ok := dropsOf(l.c.udp); begun && ok {
		l.dropped(total)
	}
}

// ready reports whether to read on.
func (l *udpLoop) ready() bool {
	if !l.c.closing.Load() {
		return true
	}
	now := time.Now()
	if l.end.IsZero() {
		l.end = now.Add(cmp.Or(l.c.server.cfg.drain, drainTotal))
		if l.c.why.Load() != nil || l.c.hello.Load() == nil { // hanging up, or no client: the rest is not wanted
			return false
		}
	}
	if !now.Before(l.end) && !l.late {
		l.late = true
		l.rest, _ = waitingIn(l.c.udp)
	}
	if l.late && l.rest <= 0 {
		return false
	}
	l.c.udp.SetReadDeadline(time.Now().Add(drainIdle))
	return true
}

// failed takes an error of reading, and reports whether to read on.
func (l *udpLoop) failed(err error) bool {
	switch {
	case errors.Is(err, os.ErrDeadlineExceeded):
		if l.c.closing.Load() {
			// A deadline that was set before draining only wakes this loop: the socket has not been
			// read yet. And where this process did not get to run for as long, the deadline passed
			// before the socket was read.
			waits, _ := waitingIn(l.c.udp)
			return l.end.IsZero() || waits > 0
		}
		// The same goes for the deadline after which the counter is read: the drops came behind the
		// waiting datagrams.
		next := dropsWait
		if l.looking {
			if total, ok := dropsOf(l.c.udp); ok {
				l.dropped(total)
			}
			next = dropsEvery
		}
		l.looking = !l.looking
		l.c.udp.SetReadDeadline(time.Now().Add(next))
		if l.c.closing.Load() { // the deadline may have been set for that
			l.c.udp.SetReadDeadline(time.Now())
		}
		return true
	case errors.Is(err, net.ErrClosed):
		return false
	}
	// Some systems report errors of other packets here. A socket with only such errors is given up.
	if l.failures++; l.failures == 100 {
		l.c.server.logf("%s: UDP is given up: %v", l.c.peer, err)
		return false
	}
	return true
}

// dropped takes the system's counter of dropped datagrams, modulo 2^32. Datagrams that waited while it
// was read carry lower counts.
func (l *udpLoop) dropped(total uint32) {
	n := int32(total - l.counted)
	if n <= 0 || total == 0 {
		return
	}
	l.counted = total
	l.c.mu.Lock()
	defer l.c.mu.Unlock()
	l.c.loseFrames(model.LossSystem, int64(n), "datagrams were dropped by the system, its receive buffer was full: "+
		"the viewer did not get to run, or the limit for buffers (on Linux net.core.rmem_max) is low")
}

// datagram takes one datagram from any sender.
func (c *conn) datagram(datagram []byte, from netip.AddrPort) {
	defer c.server.messages.Add(1)
	c.mu.Lock()
	defer c.mu.Unlock()
	if from.Addr().Unmap().WithZone("") != c.peer.Addr().WithZone("") {
		c.lose(model.LossStranger, 1, "datagram from %v ignored, the client is at %v", from, c.peer.Addr())
		return
	}
	if len(datagram) == 0 {
		return // nothing was sent, nothing is missing
	}
	c.heard, c.unheard = true, model.Loss{}
	if c.source.isOtherAddress(from, c.server.since()) {
		c.lose(model.LossStranger, 1, "datagram from %v ignored, the client sends from %v", from, c.source.addr)
		return
	}
	if c.guard.distrusts(from) {
		c.lose(model.LossStranger, 1, "datagram from %v ignored: the client sent by TCP what came from there", from)
		return
	}
	c.seat.Heard()
	payload, ok := pstats.CheckUDP(datagram)
	switch {
	case !ok:
		c.loseFrames(model.LossChecksum, 1, "datagram of %d bytes with a wrong checksum ignored", len(datagram))
	case c.hello.Load() == nil:
		c.waiting.add(payload, origin{true, from})
	default:
		c.handle(payload, origin{true, from})
	}
}
