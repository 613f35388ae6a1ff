package server

import (
	"cmp"
	"math"
	"net/netip"
	"slices"

	"framescope/model"
	"framescope/net/pstats"
)

// pstats.Series decides which frames follow and which jump. A frame that jumps is held until another
// frame of the thread, from the same sender, follows from it: a client that really counts anew, or
// that really changed its clock, goes on after two frames and loses none.
//
// Frames by TCP are the client's for sure. So a datagram may not lead a thread away from where its
// frames by TCP are, however many confirm it, unless others of its sender have fitted such a series
// before; and a frame by TCP that follows from the one by TCP before it enters at once, wherever
// datagrams have led the thread meanwhile.
const (
	maxHeldNs   = 60e9    // frames further apart on their way do not confirm each other
	giveUpAfter = 64      // frames of the thread that pass by one that is held before it is dropped
	maxHeldSize = 1 << 20 // bytes of all frames that are held; one may be larger

	// unconfirmedWaitNs is how long the first frame of a thread waits for a second one, if it came by UDP.
	unconfirmedWaitNs = 250e6
)

// origin is where a frame came from: TCP, or the sender of a datagram.
type origin struct {
	udp  bool
	addr netip.AddrPort
}

// arrival is the guard's state of a frame.
type arrival struct {
	pstats.Point
	thread uint16
	from   origin
}

// lookAt describes a frame.
func lookAt(f *pstats.Frame, from origin, nowNs int64) arrival {
	return arrival{thread: f.Thread, from: from, Point: pstats.PointOf(f, nowNs)}
}

// heldFrame is a frame that waits for confirmation.
type heldFrame struct {
	arrival
	payload []byte
	version pstats.Version
	first   bool // of its thread, or it follows: it is held for its sender
	passed  int  // frames of the thread that entered meanwhile
	behind  int  // of them those that say nothing against it: by TCP, which may only be read later
}

// guardThread is the guard's state of a thread.
type guardThread struct {
	pstats.Series              // its newest frame that entered is Ref
	ended         bool         // until it gets a name again
	byTCP         bool         // tcp is known
	tcp           pstats.Point // the newest that entered by TCP
	tcpBytes      int          // of it
	held          []heldFrame
	jumps         int // see maxJumps

	byTCPNumbers, byUDPNumbers numberSet
	udpFrom                    netip.AddrPort // of the newest datagram that entered
	udpCount                   int64          // datagrams that entered since the thread began
	udpNs                      int64          // end of the one with the greatest number

	// For the account: numbers of the present run of frames, and the missing ones in earlier runs.
	first, count, missing int64
	newest                pstats.Point
}

// guard watches the frames of a client. Its zero value is ready.
type guard struct {
	threads    map[uint16]*guardThread
	last       *guardThread // that had the last frame
	lastNo     uint16
	heldSize   int
	clock      uint16 // thread that sets the session's times: the lowest with times
	clocked    bool
	newestNs   int64          // newest time that entered, on the session's clock
	datagram   int64          // the same of frames that came by UDP
	byTCP      bool           // some entered by TCP
	trusted    netip.AddrPort // the sender of datagrams that fitted a series by TCP last
	distrusted []netip.AddrPort
}

func (g *guard) thread(index uint16) *guardThread {
	if g.last != nil && g.lastNo == index {
		return g.last
	}
	t := g.threads[index]
	if t == nil {
		t = &guardThread{}
		model.Put(&g.threads, index, t)
	}
	g.last, g.lastNo = t, index
	return t
}

// ended notes the end of a thread.
func (g *guard) ended(index uint16) {
	if t := g.threads[index]; t != nil {
		t.ended = true
	}
}

// named makes the next frame of an ended thread a first one: another thread has its index.
func (g *guard) named(index uint16) {
	if t := g.threads[index]; t != nil && t.ended {
		t.ended, t.Known, t.byTCP, t.jumps, t.udpCount = false, false, false, 0, 0
		t.byTCPNumbers, t.byUDPNumbers = numberSet{}, numberSet{}
	}
}

// passes reports whether a frame follows from those before it, and if so lets it enter. Datagrams of
// a strange sender never do.
func (g *guard) passes(a *arrival, strange bool) bool {
	t := g.thread(a.thread)
	follows := t.Known && t.follows(a)
	if t.Known && !follows && !a.from.udp && t.byTCP && t.ComesAfter(&t.tcp, &a.Point) {
		g.enter(t, a, false) // the way that datagrams took was none of the client's
		return true
	}
	if strange || t.Known && !follows || !t.Known && a.from.udp {
		return false
	}
	g.enter(t, a, follows)
	return true
}

// follows reports whether a frame can come after, or a little before, the newest one of its thread.
func (t *guardThread) follows(a *arrival) bool { return t.Follows(&a.Point) }

// mayLead reports whether a frame that does not follow from the newest one of its thread may enter if
// others confirm it. A new thread with a name may have a clock of its own; an untrusted sender cannot
// make a thread without a name, as clients name theirs first.
func (g *guard) mayLead(t *guardThread, a *arrival, named bool) bool {
	switch {
	case !a.from.udp || !g.byTCP || a.from.addr == g.trusted || t.Known && t.follows(a):
		return true
	case t.Known:
		return !t.byTCP && t.jumps < maxJumps
	}
	return named
}

// confirms reports whether a frame follows from, or precedes, one that is held of the same sender.
func (h *heldFrame) confirms(a *arrival) bool {
	return a.from == h.from && a.ArrivedNs-h.ArrivedNs <= maxHeldNs && h.Confirms(&a.Point)
}

// hold keeps a frame that did not pass. It returns the number of frames dropped to make room.
func (g *guard) hold(a *arrival, payload []byte, v pstats.Version) (dropped int64) {
	t := g.thread(a.thread)
	if !g.mustWait(t, a) || len(t.held) >= maxWaitNum {
		if i := t.oldest(); i >= 0 {
			g.drop(t, i)
			dropped++
		}
	}
	if g.heldSize > 0 && g.heldSize+len(payload) > maxHeldSize {
		return dropped + 1
	}
	g.heldSize += len(payload)
	t.held = append(t.held, heldFrame{
		arrival: *a, payload: slices.Clone(payload), version: v, first: !t.Known || t.follows(a),
	})
	return dropped
}

// oldest returns which of the frames that are held is to make room, -1 if none: those that wait for
// one by TCP need not.
func (t *guardThread) oldest() int {
	jumped, first := 0, -1
	for i := range t.held {
		if t.byTCP && (t.held[i].first || t.held[i].ahead(&t.tcp)) && len(t.held) < maxWaitNum {
			continue
		}
		if jumped++; first < 0 {
			first = i
		}
	}
	if jumped < pstats.MaxHeld {
		return -1
	}
	return first
}

// takeOdd takes out the held frames of a thread that sends nothing else: as many as can be held, of one
// sender, with ascending numbers, while none passed. That is no noise but a client with a clock of its
// own.
func (g *guard) takeOdd(t *guardThread) (out []heldFrame) {
	if len(t.held) < pstats.MaxHeld {
		return nil
	}
	for i := range t.held {
		h := &t.held[i]
		if h.passed > 0 || h.from != t.held[0].from {
			return nil
		}
		if i == 0 {
			continue
		}
		if !t.held[i-1].Counts(&h.Point) {
			return nil
		}
	}
	t.Odd = true
	return g.takeAll(t, nil)
}

// takeAll takes all frames of a thread out, and lets them enter.
func (g *guard) takeAll(t *guardThread, out []heldFrame) []heldFrame {
	for len(t.held) > 0 {
		out = append(out, t.held[0])
		g.drop(t, 0)
		a := &out[len(out)-1].arrival
		g.enter(t, a, t.Known && t.follows(a))
	}
	return out
}

func (g *guard) drop(t *guardThread, i int) {
	g.heldSize -= len(t.held[i].payload)
	t.held = slices.Delete(t.held, i, i+1)
}

// takeConfirmed takes the frames out that a frame confirms, in order of arrival, and lets them enter.
// It returns nothing if there is none.
func (g *guard) takeConfirmed(a *arrival) (out []heldFrame) {
	t := g.thread(a.thread)
	for i := 0; i < len(t.held); {
		// after a real jump a client does not go on as before
		if h := &t.held[i]; h.confirms(a) && (h.passed == h.behind || h.first) {
			out = append(out, *h)
			g.drop(t, i)
			continue
		}
		i++
	}
	for i := range out {
		follows := t.Known && t.follows(&out[i].arrival)
		if t.Known && !follows && a.from.udp {
			t.jumps++
		}
		g.enter(t, &out[i].arrival, follows)
	}
	return out
}

// takeFollowing takes the frames out that follow from the newest one: of the sender of a frame that passed those that
// were held though nothing was wrong with them, and of a trusted sender those that no frame by TCP has reached.
func (g *guard) takeFollowing(t *guardThread, from origin) (out []heldFrame) {
	for i := 0; i < len(t.held); {
		h := &t.held[i]
		waited := g.trusts(h.from.addr) && t.byTCP && h.ahead(&t.tcp) && t.ComesAfter(&t.tcp, &h.Point)
		if (waited || h.first && h.from == from) && t.follows(&h.arrival) {
			out = append(out, *h)
			g.drop(t, i)
			g.enter(t, &out[len(out)-1].arrival, true)
			continue
		}
		i++
	}
	return out
}

// takeUnconfirmed takes out the uncontradicted but unconfirmed frames: the only ones of their thread, or those
// that follow, that came before a time. may reports whether a frame may enter so; known marks threads
// with accepted frames.
func (g *guard) takeUnconfirmed(beforeNs int64, may func(h *heldFrame, known bool) bool) (out []heldFrame) {
	for _, t := range g.threads {
		if !t.holdsOneFrame() && !t.waitedForTCP(beforeNs) || t.held[0].ArrivedNs > beforeNs || !may(&t.held[0], t.Known) {
			continue
		}
		out = g.takeAll(t, out)
	}
	slices.SortFunc(out, func(a, b heldFrame) int { return cmp.Compare(a.ArrivedNs, b.ArrivedNs) })
	return out
}

// holdsOneFrame reports whether one frame is held, perhaps more than once, and no other contradicts it.
func (t *guardThread) holdsOneFrame() bool {
	for i := range t.held {
		h := &t.held[i]
		if !h.first || h.Number != t.held[0].Number || h.from != t.held[0].from || t.Known && !t.follows(&h.arrival) {
			return false
		}
	}
	return len(t.held) > 0
}

// waitedForTCP reports whether datagrams of one sender have waited for a frame by TCP that did not come.
func (t *guardThread) waitedForTCP(beforeNs int64) bool {
	if !t.byTCP || t.tcp.ArrivedNs > beforeNs {
		return false
	}
	for i := range t.held {
		if h := &t.held[i]; !h.first || h.from != t.held[0].from || !t.follows(&h.arrival) {
			return false
		}
	}
	return len(t.held) > 0
}

// waits reports whether frames are held that may enter alone.
func (g *guard) waits(may func(h *heldFrame, known bool) bool) bool {
	for _, t := range g.threads {
		if (t.holdsOneFrame() || t.waitedForTCP(math.MaxInt64)) && may(&t.held[0], t.Known) {
			return true
		}
	}
	return false
}

// ahead reports whether a held datagram is one that frames by TCP have not reached: where a client had to wait
// for us, these come from far behind, and say nothing against it.
func (h *heldFrame) ahead(tcp *pstats.Point) bool {
	return h.from.udp && h.Number > tcp.Number && tcp.ArrivedNs-h.ArrivedNs <= maxHeldNs
}

// dropStale drops the held frames of a thread that newer ones have passed, after a frame, and returns their number.
func (g *guard) dropStale(t *guardThread, a *arrival) (dropped int64) {
	for i := 0; i < len(t.held); {
		h := &t.held[i]
		if !a.from.udp && h.ahead(&a.Point) {
			i++
			continue
		}
		if !a.from.udp && h.from.udp && g.trusts(h.from.addr) {
			h.behind++
		}
		if h.passed++; h.passed >= giveUpAfter {
			g.drop(t, i)
			dropped++
			continue
		}
		i++
	}
	return dropped
}

// dropHeld drops all held frames and returns their number.
func (g *guard) dropHeld() (dropped int64) {
	for _, t := range g.threads {
		dropped += int64(len(t.held))
		t.held = nil
	}
	g.heldSize = 0
	return dropped
}

// enter takes a frame for the newest one of its thread, unless it is a late one.
func (g *guard) enter(t *guardThread, a *arrival, follows bool) {
	late := t.Enter(&a.Point, follows)
	t.account(&a.Point, late)
	if a.Timed {
		g.noteArrival(a)
	}
	if a.from.udp {
		if follows && t.byTCP {
			g.trusted = a.from.addr
		}
		t.byUDPNumbers.add(a.Number, pagesPerThread(len(g.threads)))
		t.udpFrom = a.from.addr
		t.udpCount++
		if a.Number == t.byUDPNumbers.greatest {
			t.udpNs = a.LastNs
		}
	} else {
		g.byTCP = true
		if !late && t.byTCP && a.Number <= t.tcp.Number { // it counts anew
			t.byTCPNumbers, t.byUDPNumbers = numberSet{}, numberSet{}
		}
		t.byTCPNumbers.add(a.Number, pagesPerThread(len(g.threads)))
		if !late || !t.byTCP || a.Number > t.tcp.Number {
			t.tcp, t.byTCP = a.Point, true
		}
	}
}

// noteArrival notes the time of a frame, if it is on the session's clock.
func (g *guard) noteArrival(a *arrival) {
	switch {
	case !g.clocked || a.thread < g.clock:
		g.clock, g.clocked, g.newestNs, g.datagram = a.thread, true, 0, 0
	case a.thread != g.clock && a.LastNs-g.newestNs >= pstats.HistoryNs:
		return
	}
	g.newestNs = max(g.newestNs, a.LastNs)
	if a.from.udp {
		g.datagram = max(g.datagram, a.LastNs)
	}
}

// account counts a number. A lower one is of a new run, unless the frame is late or began before the newest ended.
func (t *guardThread) account(a *pstats.Point, late bool) {
	backNs := t.newest.LastNs - a.FirstNs
	late = late || a.Timed && t.newest.Timed && backNs >= 0 && backNs < pstats.HistoryNs
	switch {
	case t.count == 0:
		t.first = a.Number
	case a.Number > t.newest.Number:
	case late:
		t.first = min(t.first, a.Number)
		t.count++
		return
	default:
		t.missing += t.gaps()
		t.first, t.count = a.Number, 0
	}
	t.newest = *a
	t.count++
}

// gaps returns how many numbers of the present run did not come. Numbers that came twice make it
// too small; it is for a line in the log.
func (t *guardThread) gaps() int64 { return max(t.newest.Number-t.first+1-t.count, 0) }

// missing returns how many numbers did not come between those that did.
func (g *guard) missing() (n int64) {
	for _, t := range g.threads {
		n += t.missing + t.gaps()
	}
	return n
}
