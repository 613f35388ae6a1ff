package server

import (
	"net/netip"
	"slices"

	"framescope/net/pstats"
)

// A client sends each frame once, by TCP or in a datagram. Those by TCP are certainly its own, and
// come in order, so they identify the sender of the datagrams:
//
//   - A datagram with a number that came by TCP is not the client's, or a duplicate: it is left out.
//   - A frame by TCP replaces a datagram with the same number, and the datagram's sender is not
//     trusted any more.
//   - A datagram with a number missing among the frames by TCP, and that fits between them, is the
//     client's: its sender is trusted.
//
// Until one of the last two is known of a sender, its frames for a thread with frames by TCP wait for
// the next one of these, unless none comes.
const (
	maxWaitNum    = 64 // frames of a thread that wait for its next frame by TCP
	maxJumps      = 3  // of a thread without frames by TCP, from an untrusted sender
	maxDistrusted = 16 // senders
)

// threadIndexIsStable reports whether an index stands for the same thread until the client says otherwise:
// before version 3.2 it could be used again without a word.
func threadIndexIsStable(v pstats.Version) bool { return v.AtLeast(3, 2) }

// distrusts reports whether a sender was found out.
func (g *guard) distrusts(addr netip.AddrPort) bool { return slices.Contains(g.distrusted, addr) }

// trusts reports whether the frames of a sender fitted between those by TCP.
func (g *guard) trusts(addr netip.AddrPort) bool { return addr == g.trusted }

// distrust takes note of a sender that is not the client.
func (g *guard) distrust(addr netip.AddrPort) {
	if g.distrusts(addr) {
		return
	}
	if len(g.distrusted) == maxDistrusted {
		g.distrusted = g.distrusted[1:]
	}
	g.distrusted = append(g.distrusted, addr)
	if g.trusted == addr {
		g.trusted = netip.AddrPort{}
	}
}

// dropHeldOf gives up the held frames of a sender and returns their number.
func (g *guard) dropHeldOf(addr netip.AddrPort) (dropped int64) {
	for _, t := range g.threads {
		for i := 0; i < len(t.held); {
			if h := &t.held[i]; h.from.udp && h.from.addr == addr {
				g.drop(t, i)
				dropped++
				continue
			}
			i++
		}
	}
	return dropped
}

// repeatsTCP reports whether a datagram of an untrusted sender has the number of a frame that came by
// TCP, or a number too old to check.
func (t *guardThread) repeatsTCP(a *arrival, v pstats.Version) bool {
	if !t.byTCP || t.ended || a.Number > t.byTCPNumbers.greatest {
		return false
	}
	if !threadIndexIsStable(v) && a.FirstNs > t.tcp.LastNs { // it may be of another thread
		return false
	}
	return t.byTCPNumbers.has(a.Number) || !t.byTCPNumbers.remembers(a.Number)
}

// mustWait reports whether a datagram is to wait for the next frame by TCP of its thread.
func (g *guard) mustWait(t *guardThread, a *arrival) bool {
	return a.from.udp && t.byTCP && !g.trusts(a.from.addr) && a.ArrivedNs-t.tcp.ArrivedNs < unconfirmedWaitNs &&
		t.Known && t.follows(a) && a.Number > t.tcp.Number && len(t.held) < maxWaitNum
}

// compareWithDatagrams compares a frame by TCP, which is about to enter, with earlier datagrams. It returns whether
// the frame continues its thread despite an earlier datagram, and whether it replaces one.
func (g *guard) compareWithDatagrams(t *guardThread, a *arrival, v pstats.Version) (continues, replaces bool) {
	anew := t.byTCP && a.Number <= t.tcp.Number
	if a.from.udp || t.ended || !threadIndexIsStable(v) || !t.Known || anew {
		return false, false
	}
	ahead := t.byUDPNumbers.any && a.Number <= t.byUDPNumbers.greatest && a.FirstNs > t.udpNs
	replaces = t.byUDPNumbers.has(a.Number)
	continues = replaces || ahead && t.byTCP && t.ComesAfter(&t.tcp, &a.Point)
	if replaces {
		t.byUDPNumbers.remove(a.Number)
		g.distrust(t.udpFrom)
	}
	return continues, replaces
}

// enterReplacing lets a frame by TCP enter that continues its thread.
func (g *guard) enterReplacing(t *guardThread, a *arrival, replaces bool) {
	t.account(&a.Point, true)
	if replaces {
		t.count--
	}
	if a.Timed {
		g.noteArrival(a)
	}
	t.byTCPNumbers.add(a.Number, pagesPerThread(len(g.threads)))
	t.Ref, t.tcp, t.byTCP, g.byTCP = a.Point, a.Point, true, true
}

// settleHeld decides about the datagrams that waited for a frame by TCP, which has entered. It returns those that
// are the client's, and how many are dropped.
func (g *guard) settleHeld(t *guardThread, a *arrival) (out []heldFrame, dropped int64) {
	for i := 0; i < len(t.held); {
		if h := &t.held[i]; h.from.udp && h.Number == a.Number {
			g.distrust(h.from.addr)
			dropped += g.dropHeldOf(h.from.addr)
			i = 0
			continue
		}
		i++
	}
	for i := 0; i < len(t.held); {
		h := &t.held[i]
		between := h.from.udp && h.Number < a.Number && t.byTCPNumbers.remembers(h.Number)
		if between && !t.byTCPNumbers.has(h.Number) && !t.byUDPNumbers.has(h.Number) && t.follows(&h.arrival) {
			out = append(out, *h)
			g.drop(t, i)
			g.trusted = out[len(out)-1].from.addr
			g.enter(t, &out[len(out)-1].arrival, true)
			continue
		}
		i++
	}
	if t.udpCount > 0 && t.udpFrom.IsValid() && !g.distrusts(t.udpFrom) && t.byUDPNumbers.greatest < a.Number {
		g.trusted = t.udpFrom // it was there before, and all fits
	}
	return out, dropped
}
