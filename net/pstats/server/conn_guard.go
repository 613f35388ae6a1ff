package server

import (
	"cmp"
	"math"
	"net/netip"
	"slices"

	"framescope/net/pstats"
)

// pstats.Series decides which frames follow and which jump. A frame that jumps is held until another
// frame of the thread, from the same sender, follows from it: a client that really counts anew, or
// that really changed its clock, goes on after two frames and loses none.
//
// Frames by TCP are the client's for sure, and come in order. So a datagram of an unknown sender may not
// lead a thread away from where its frames by TCP are, however many confirm it: it waits for the next one
// by TCP, and enters where its number was left out between the two. A frame by TCP that follows from the
// one by TCP before it enters at once, wherever datagrams have led the thread meanwhile.
const (
	maxHeldNs   = 60e9    // frames further apart on their way do not confirm each other
	giveUpAfter = 64      // frames of the thread that pass by one that is held before it is dropped
	maxHeldSize = 1 << 20 // bytes of all frames that are held; one may be larger
	maxAhead    = 64      // frames of a thread that wait for its next frame by TCP

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

	// For the account: numbers of the present run of frames, and the missing ones in earlier runs.
	first, newest, count, missing int64
}

// guard watches the frames of a client. Its zero value is ready.
type guard struct {
	threads  map[uint16]*guardThread
	last     *guardThread // that had the last frame
	lastNo   uint16
	heldSize int
	clock    uint16 // thread that sets the session's times: the lowest with times
	clocked  bool
	newestNs int64 // newest time that entered, on the session's clock
	datagram int64 // the same of frames that came by UDP
	byTCP    bool  // some entered by TCP
}

func (g *guard) thread(index uint16) *guardThread {
	if g.last != nil && g.lastNo == index {
		return g.last
	}
	t := g.threads[index]
	if t == nil {
		if g.threads == nil {
			g.threads = map[uint16]*guardThread{}
		}
		t = &guardThread{}
		g.threads[index] = t
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
		t.ended, t.Known, t.byTCP = false, false, false
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

// mayLead reports whether a frame that did not pass may enter if others confirm it. A new thread with a
// name may have a clock of its own; an unknown sender cannot make a thread without a name, as clients name
// theirs first. In a thread with frames by TCP its datagrams may only fill what these left out.
func (g *guard) mayLead(t *guardThread, a *arrival, named, known bool) bool {
	switch {
	case !a.from.udp || !g.byTCP || known:
		return true
	case !t.Known:
		return named
	case !t.byTCP || !t.follows(a):
		return !t.byTCP
	case a.Number > t.tcp.Number: // unless no more come by TCP, the next one decides
		return a.ArrivedNs-t.tcp.ArrivedNs >= unconfirmedWaitNs || len(t.held) >= maxAhead
	}
	return t.gaps() > 0
}

// confirms reports whether a frame follows from, or precedes, one that is held of the same sender.
func (h *heldFrame) confirms(a *arrival) bool {
	return a.from == h.from && a.ArrivedNs-h.ArrivedNs <= maxHeldNs && h.Confirms(&a.Point)
}

// hold keeps a frame that did not pass. It returns the number of frames dropped to make room.
func (g *guard) hold(a *arrival, payload []byte, v pstats.Version) (dropped int64) {
	t := g.thread(a.thread)
	if i := t.oldest(); i >= 0 {
		g.heldSize -= len(t.held[i].payload)
		t.held = slices.Delete(t.held, i, i+1)
		dropped++
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
		if t.byTCP && (t.held[i].first || t.held[i].ahead(&t.tcp)) && len(t.held) < maxAhead {
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

// take takes the held frames out that it shall, in order of arrival.
func (g *guard) take(t *guardThread, shall func(h *heldFrame) bool) (out []heldFrame) {
	t.held = slices.DeleteFunc(t.held, func(h heldFrame) bool {
		if !shall(&h) {
			return false
		}
		g.heldSize -= len(h.payload)
		out = append(out, h)
		return true
	})
	return out
}

// letIn lets frames enter that were held.
func (g *guard) letIn(t *guardThread, held []heldFrame) []heldFrame {
	for i := range held {
		a := &held[i].arrival
		g.enter(t, a, t.Known && t.follows(a))
	}
	return held
}

// any chooses all frames that are held.
func (h *heldFrame) any() bool { return true }

// takeOdd takes out the held frames of a thread that sends nothing else: as many as can be held, of one
// sender, with ascending numbers, while none passed. That is no noise but a client with a clock of its
// own.
func (g *guard) takeOdd(t *guardThread) []heldFrame {
	if len(t.held) < pstats.MaxHeld {
		return nil
	}
	for i := range t.held {
		h := &t.held[i]
		if h.passed > 0 || h.from != t.held[0].from || i > 0 && !t.held[i-1].Counts(&h.Point) {
			return nil
		}
	}
	t.Odd = true
	return g.letIn(t, g.take(t, (*heldFrame).any))
}

// takeConfirmed takes the frames out that a frame confirms, in order of arrival, and lets them enter.
// It returns nothing if there is none.
func (g *guard) takeConfirmed(a *arrival) []heldFrame {
	t := g.thread(a.thread)
	return g.letIn(t, g.take(t, func(h *heldFrame) bool { // after a real jump a client does not go on as before
		return h.confirms(a) && (h.passed == h.behind || h.first)
	}))
}

// takeFollowing takes the frames out that were held though nothing was wrong with them, and that follow
// from the newest one: they are of the sender of a frame that passed. With a frame by TCP come the
// datagrams that stand between it and the one by TCP before it.
func (g *guard) takeFollowing(t *guardThread, a *arrival, before *pstats.Point) []heldFrame {
	return g.take(t, func(h *heldFrame) bool {
		between := before != nil && h.from.udp && h.Number < a.Number && h.Number > before.Number && t.ComesAfter(before, &h.Point)
		enters := (between || h.first && h.from == a.from) && t.follows(&h.arrival)
		if enters {
			g.enter(t, &h.arrival, true)
		}
		return enters
	})
}

// dropRefuted drops the held frames of senders who claim a number that came by TCP, and returns how many.
func (g *guard) dropRefuted(t *guardThread, byTCP int64) int64 {
	var refuted []origin
	for i := range t.held {
		h := &t.held[i]
		if h.from.udp && (h.Number == byTCP || h.Number < byTCP && t.gaps() == 0) {
			refuted = append(refuted, h.from)
		}
	}
	return int64(len(g.take(t, func(h *heldFrame) bool { return slices.Contains(refuted, h.from) })))
}

// takeUnconfirmed takes out the uncontradicted but unconfirmed frames: the only ones of their thread, or those
// that follow, that came before a time. may reports whether a frame may enter so; known marks threads
// with accepted frames.
func (g *guard) takeUnconfirmed(beforeNs int64, may func(h *heldFrame, known bool) bool) (out []heldFrame) {
	for _, t := range g.threads {
		if !t.holdsOneFrame() && !t.waitedForTCP(beforeNs) || t.held[0].ArrivedNs > beforeNs || !may(&t.held[0], t.Known) {
			continue
		}
		out = append(out, g.letIn(t, g.take(t, (*heldFrame).any))...)
	}
	slices.SortFunc(out, func(a, b heldFrame) int { return cmp.Compare(a.ArrivedNs, b.ArrivedNs) })
	return out
}

// holds reports whether frames are held, and all of one sender and as they should be.
func (t *guardThread) holds(isGood func(h *heldFrame) bool) bool {
	return len(t.held) > 0 && !slices.ContainsFunc(t.held, func(h heldFrame) bool {
		return !h.first || h.from != t.held[0].from || t.Known && !t.follows(&h.arrival) || !isGood(&h)
	})
}

// holdsOneFrame reports whether one frame is held, perhaps more than once, and no other contradicts it.
func (t *guardThread) holdsOneFrame() bool {
	return t.holds(func(h *heldFrame) bool { return h.Number == t.held[0].Number })
}

// waitedForTCP reports whether datagrams of one sender have waited for a frame by TCP that did not come.
func (t *guardThread) waitedForTCP(beforeNs int64) bool {
	return t.byTCP && t.tcp.ArrivedNs <= beforeNs && t.holds((*heldFrame).any)
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
func (g *guard) dropStale(t *guardThread, a *arrival) int64 {
	for i := range t.held {
		h := &t.held[i]
		switch {
		case !a.from.udp && h.ahead(&a.Point):
			continue
		case !a.from.udp && h.from.udp:
			h.behind++
		}
		h.passed++
	}
	return int64(len(g.take(t, func(h *heldFrame) bool { return h.passed >= giveUpAfter })))
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
	t.account(a.Number, late)
	if a.Timed {
		g.noteArrival(a)
	}
	if a.from.udp {
		return
	}
	g.byTCP = true
	if !late || !t.byTCP || a.Number > t.tcp.Number {
		t.tcp, t.byTCP = a.Point, true
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

// account counts a number.
func (t *guardThread) account(number int64, late bool) {
	switch {
	case t.count == 0:
		t.first, t.newest = number, number
	case late:
		t.first = min(t.first, number)
	case number <= t.newest:
		t.missing += t.gaps()
		t.first, t.newest, t.count = number, number, 0
	}
	t.newest = max(t.newest, number)
	t.count++
}

// gaps returns how many numbers of the present run did not come. Numbers that came twice make it
// too small; it is for a line in the log.
func (t *guardThread) gaps() int64 { return max(t.newest-t.first+1-t.count, 0) }

// missing returns how many numbers did not come between those that did.
func (g *guard) missing() (n int64) {
	for _, t := range g.threads {
		n += t.missing + t.gaps()
	}
	return n
}
