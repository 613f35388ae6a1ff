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
	maxWaitNum     = 64 // frames of a thread that wait for its next frame by TCP
	maxJumps       = 3  // of a thread without frames by TCP, from an untrusted sender
	maxDisbelieved = 16 // senders
)

// ofOneThread reports whether an index stands for the same thread until the client says otherwise:
// before version 3.2 it could be used again without a word.
func ofOneThread(v pstats.Version) bool { return v.AtLeast(3, 2) }

// disbelieved reports whether a sender was found out.
func (g *guard) disbelieved(addr netip.AddrPort) bool { return slices.Contains(g.liars, addr) }

// believed reports whether the frames of a sender fitted between those by TCP.
func (g *guard) believed(addr netip.AddrPort) bool { return addr == g.proved }

// disbelieve takes note of a sender that is not the client.
func (g *guard) disbelieve(addr netip.AddrPort) {
	if g.disbelieved(addr) {
		return
	}
	if len(g.liars) == maxDisbelieved {
		g.liars = g.liars[1:]
	}
	g.liars = append(g.liars, addr)
	if g.proved == addr {
		g.proved = netip.AddrPort{}
	}
}

// dropOf gives up the held frames of a sender and returns their number.
func (g *guard) dropOf(addr netip.AddrPort) (given int64) {
	for _, t := range g.threads {
		for i := 0; i < len(t.held); {
			if h := &t.held[i]; h.from.udp && h.from.addr == addr {
				g.drop(t, i)
				given++
				continue
			}
			i++
		}
	}
	return given
}

// repeats reports whether a datagram of an untrusted sender has the number of a frame that came by
// TCP, or a number too old to check.
func (t *guardThread) repeats(a *arrival, v pstats.Version) bool {
	if !t.byTCP || t.ended || a.Number > t.byTCPNumbers.top {
		return false
	}
	if !ofOneThread(v) && a.FirstNs > t.tcp.LastNs { // it may be of another thread
		return false
	}
	return t.byTCPNumbers.has(a.Number) || !t.byTCPNumbers.reaches(a.Number)
}

// mustWait reports whether a datagram is to wait for the next frame by TCP of its thread.
func (g *guard) mustWait(t *guardThread, a *arrival) bool {
	return a.from.udp && t.byTCP && !g.believed(a.from.addr) && a.ArrivedNs-t.tcp.ArrivedNs < aloneNs &&
		t.Known && t.follows(a) && a.Number > t.tcp.Number && len(t.held) < maxWaitNum
}

// meets compares a frame by TCP, which is about to enter, with earlier datagrams. It returns whether
// the frame continues its thread despite an earlier datagram, and whether it replaces one.
func (g *guard) meets(t *guardThread, a *arrival, v pstats.Version) (continues, replaces bool) {
	anew := t.byTCP && a.Number <= t.tcp.Number
	if a.from.udp || t.ended || !ofOneThread(v) || !t.Known || anew {
		return false, false
	}
	ahead := t.byUDPNumbers.some && a.Number <= t.byUDPNumbers.top && a.FirstNs > t.udpNs
	replaces = t.byUDPNumbers.has(a.Number)
	continues = replaces || ahead && t.byTCP && t.ComesAfter(&t.tcp, &a.Point)
	if replaces {
		t.byUDPNumbers.remove(a.Number)
		g.disbelieve(t.udpFrom)
	}
	return continues, replaces
}

// goOn lets a frame by TCP enter that continues its thread.
func (g *guard) goOn(t *guardThread, a *arrival, replaces bool) {
	t.account(a.Number, true)
	if replaces {
		t.count--
	}
	if a.Timed {
		g.noteArrival(a)
	}
	t.byTCPNumbers.add(a.Number, pagesEach(len(g.threads)))
	t.Ref, t.tcp, t.byTCP, g.byTCP = a.Point, a.Point, true, true
}

// judged decides about the datagrams that waited for a frame by TCP, which has entered. after is
// the one by TCP before it, if there was one, or else less than any number. It returns those that
// are the client's, and how many are given up.
func (g *guard) judged(t *guardThread, a *arrival, after int64) (out []heldFrame, given int64) {
	for i := 0; i < len(t.held); {
		if h := &t.held[i]; h.from.udp && h.Number == a.Number {
			g.disbelieve(h.from.addr)
			given += g.dropOf(h.from.addr)
			i = 0
			continue
		}
		i++
	}
	for i := 0; i < len(t.held); {
		h := &t.held[i]
		between := h.from.udp && h.Number < a.Number && h.Number > after
		if between && !t.byTCPNumbers.has(h.Number) && !t.byUDPNumbers.has(h.Number) && t.follows(&h.arrival) {
			out = append(out, *h)
			g.drop(t, i)
			g.proved = out[len(out)-1].from.addr
			g.enter(t, &out[len(out)-1].arrival, true)
			continue
		}
		i++
	}
	if t.udpCount > 0 && t.udpFrom.IsValid() && !g.disbelieved(t.udpFrom) && t.byUDPNumbers.top < a.Number {
		g.proved = t.udpFrom // it was there before, and all fits
	}
	return out, given
}
