package server

import (
	"cmp"
	"math"
	"net/netip"
	"strconv"
	"time"

	"framescope/model"
	"framescope/net/pstats"
)

// portSilenceNs is how long the client's present port must be silent before another one is accepted. A
// client sends from one socket (PROTOCOL.md section 1.2), but the network in between may change its
// port.
const portSilenceNs = 250e6

// sender is the origin of a client's datagrams. It is trusted after two frames.
type sender struct {
	addr   netip.AddrPort
	frames int
	lastNs int64 // when the last one came
}

// sent notes a frame that entered.
func (s *sender) sent(addr netip.AddrPort, nowNs int64) {
	if addr != s.addr {
		s.addr, s.frames = addr, 0
	}
	s.frames++
	s.lastNs = nowNs
}

// sure reports whether the client's address is known.
func (s *sender) sure() bool { return s.frames >= 2 }

// isOtherAddress reports whether a datagram comes from another address than the client's.
func (s *sender) isOtherAddress(addr netip.AddrPort, nowNs int64) bool {
	return s.sure() && addr != s.addr && nowNs-s.lastNs < portSilenceNs
}

// since is the time since the server started, in ns.
func (s *Server) since() int64 { return int64(time.Since(s.started)) }

// judge accepts c.frame, and the frames that it confirms, or holds it. payload is its undecoded form.
func (c *conn) judge(payload []byte, from origin) {
	now := c.server.since()
	// One datagram is not enough to believe that the client sends from there.
	strange := from.udp && from.addr != c.source.addr
	a := lookAt(&c.frame, from, now)
	if !c.mayTake(a.thread) {
		if strange {
			c.implausible(1)
		} else {
			c.tooManyThreads(1, 1)
		}
		return
	}
	t := c.guard.thread(a.thread)
	if from.udp {
		believed := c.guard.trusts(from.addr)
		if !believed && t.repeatsTCP(&a, c.version) {
			c.lose(model.LossImplausible, 1, "a datagram is left out: its frame number came by TCP")
			return
		}
		strange = strange || t.byTCP && !believed
	}
	continues, replaces := c.guard.compareWithDatagrams(t, &a, c.version)
	if replaces {
		c.replaced(t.udpFrom)
	}
	hadTCP, before := t.byTCP, t.tcp
	if continues {
		c.guard.enterReplacing(t, &a, replaces)
		c.deliverHeld(c.guard.takeConfirmed(&a), payload)
	}
	if continues || c.guard.passes(&a, strange) {
		if !from.udp && (len(t.held) > 0 || t.udpCount > 0) {
			waited, given := c.guard.settleHeld(t, &a)
			c.deliverHeld(waited, payload)
			c.implausible(given)
		}
		if len(t.held) > 0 {
			c.deliverHeld(c.guard.takeFollowing(t, from), payload)
		}
		if !from.udp {
			if hadTCP {
				c.missDatagrams(&before, &a.Point, max(t.tcpBytes, len(payload)))
			}
			t.tcpBytes = len(payload)
		}
		c.frame.Continues = continues
		c.deliver(&c.frame, len(payload), from)
		if len(t.held) > 0 {
			c.implausible(c.guard.dropStale(t, &a))
		}
		return
	}
	mayLead := c.guard.mayLead(t, &a, c.hasName(a.thread)) && !c.guard.mustWait(t, &a)
	if mayLead {
		if held := c.guard.takeConfirmed(&a); len(held) > 0 {
			c.deliverHeld(held, payload)
			c.guard.enter(t, &a, t.follows(&a))
			c.deliver(&c.frame, len(payload), from)
			return
		}
	}
	c.implausible(c.guard.hold(&a, payload, c.version))
	if mayLead {
		c.deliverHeld(c.guard.takeOdd(t), payload)
	}
	if c.timer == nil && !c.over && (t.holdsOneFrame() || t.waitedForTCP(math.MaxInt64)) &&
		c.mayEnterUnconfirmed(&t.held[0], t.Known) {
		c.timer = time.AfterFunc(c.unconfirmedWait(), c.unconfirmedWaitOver)
	}
}

// heldAreMany reports whether the thread of the last frame holds as many datagrams as may wait for a frame by TCP.
func (c *conn) heldAreMany() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	t := c.guard.last
	return t != nil && t.byTCP && len(t.held) >= maxWaitNum
}

func (c *conn) unconfirmedWait() time.Duration { return cmp.Or(c.server.cfg.alone, unconfirmedWaitNs) }

// A client that loses datagrams sends one frame in 64 or so by TCP (PROTOCOL.md section 6). Frames
// that the client holds back itself, for its rate or its queue, span less time, or are too large for a
// datagram.
const (
	datagramBytes = 1500 // that a frame has at most that may go in one
	leastUnsent   = 8    // frames between two by TCP that count as lost, and
	leastUnsentNs = 1e8  // how long these are apart
)

// missDatagrams counts the frames between two of a thread that came by TCP as lost on the way, if no datagram of the
// client ever came. bytes is the size of the larger one.
func (c *conn) missDatagrams(before, a *pstats.Point, bytes int) {
	missing := a.Number - before.Number - 1
	silent := !c.heard && c.udpPort.Load() != 0 // otherwise the client has no port for datagrams
	if silent && missing >= leastUnsent && bytes <= datagramBytes && a.FirstNs-before.FirstNs > leastUnsentNs {
		begin := min(before.LastNs, c.guard.newestNs) // a has entered, and is the newest
		loss := model.Loss{Reason: model.LossWay, N: missing, Frames: missing, Begin: begin, End: a.FirstNs}
		if c.unheard.N == 0 {
			c.unheard = loss
		} else {
			c.unheard.Add(loss)
		}
		if now := c.server.since(); c.unheardSince == 0 {
			c.unheardSince = now
		} else if now-c.unheardSince > surelyUnheard {
			c.reportUnheard()
		}
	}
}

// surelyUnheard is the time without datagrams after which the missing ones count as lost: the first ones may wait
// to be read after the data by TCP, as when the viewer was stopped.
const surelyUnheard = 1e9

// reportUnheard counts the losses found by missDatagrams, if no datagram came since.
func (c *conn) reportUnheard() {
	if c.unheard.N > 0 {
		c.loseAll(c.unheard, pstats.NoDatagrams)
		c.unheard = model.Loss{}
	}
}

// replaced takes back a frame in a datagram from another sender than the client: one by TCP is about
// to take its place.
func (c *conn) replaced(by netip.AddrPort) {
	c.frames.Add(-1)
	if c.source.addr == by {
		c.source = sender{}
	}
	c.implausible(1 + c.guard.dropHeldOf(by))
}

// deliverHeld gives frames that were held to the handler, and leaves the present one, of payload,
// in c.frame.
func (c *conn) deliverHeld(held []heldFrame, payload []byte) {
	for i := range held {
		h := &held[i]
		if pstats.DecodeFrame(h.payload, h.version, &c.frame) == nil { // it was decoded before
			c.deliver(&c.frame, len(h.payload), h.from)
		}
	}
	if len(held) > 0 && payload != nil {
		pstats.DecodeFrame(payload, c.version, &c.frame)
	}
}

// unconfirmedWaitOver lets the first frames of threads enter that have waited for a second one long enough.
func (c *conn) unconfirmedWaitOver() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.timer = nil
	if c.over {
		return
	}
	c.enterUnconfirmed(c.server.since() - int64(c.unconfirmedWait()))
	if c.guard.waits(c.mayEnterUnconfirmed) {
		c.timer = time.AfterFunc(c.unconfirmedWait(), c.unconfirmedWaitOver)
	}
}

func (c *conn) enterUnconfirmed(beforeNs int64) {
	c.deliverHeld(c.guard.takeUnconfirmed(beforeNs, c.mayEnterUnconfirmed), nil)
}

// mayEnterUnconfirmed reports whether a frame may enter unconfirmed: its thread sends others or has a name, or
// there are no other frames; and it comes from the client's address, if that is known.
func (c *conn) mayEnterUnconfirmed(h *heldFrame, known bool) bool {
	if h.from.udp && c.source.sure() && h.from.addr != c.source.addr {
		return false
	}
	return known || !c.begun || c.hasName(h.thread)
}

func (c *conn) hasName(thread uint16) bool {
	return c.named != nil && c.named[thread/64]&(1<<(thread%64)) != 0
}

// nameThreads notes which threads have a name. A thread with a new name may count anew.
func (c *conn) nameThreads(first int, names []string) {
	if c.named == nil {
		c.named = new([1 << 16 / 64]uint64)
	}
	for i, name := range names {
		if t := first + i; name != "" && t <= 0xffff {
			c.named[t/64] |= 1 << (t % 64)
			c.guard.named(uint16(t))
		}
	}
}

// endGuard decides on the held frames at the end of the connection.
func (c *conn) endGuard() {
	if c.why.Load() == nil {
		c.enterUnconfirmed(c.server.since())
	}
	c.implausible(c.guard.dropHeld())
}

// implausible counts frames that nothing confirmed.
func (c *conn) implausible(n int64) {
	if n > 0 {
		c.lose(model.LossImplausible, n,
			"a frame is left out: its number or time jumped, and no other frame of its thread confirms that")
	}
}

// What a connection may hold without being counted, in bytes, and from which part of what all may
// hold on it is to blame that there is too much.
const (
	heldFree   = 128 << 10
	heldPart   = 16
	giantFrame = 512 << 10 // bytes of a frame that takes so much room to decode that one at a time is enough
)

// holding is a connection's part of Config.Held.
type holding struct{ message, frame, threads int64 }

// holdMessage counts the bytes of messages that have not come whole. When there are too many of all
// clients, and this one has sent many of them, its message is left out.
func (c *conn) holdMessage(scan *pstats.Scanner) {
	count := func() int64 {
		now := max(0, int64(scan.Size())-heldFree)
		c.server.cfg.Held.Add(now - c.held.message)
		c.held.message = now
		return now
	}
	held := c.server.cfg.Held
	if now := count(); now > 0 && held.Over() && now > held.Limit()/heldPart {
		if scan.Partial() && scan.Drop() {
			count()
		}
	}
}

// skipped counts a message that is left out because it is too long.
func (c *conn) skipped(length int64, typ byte) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.hello.Load() == nil {
		c.tooEarly = true
		return
	}
	n := int64(0)
	if typ == pstats.TypeFrame {
		n = 1
	}
	mib := strconv.FormatFloat(float64(length)/(1<<20), 'f', 1, 64)
	c.loseAll(model.Loss{Reason: model.LossLimit, N: 1, Frames: n},
		"a %s of %s MiB is larger than the limit of memory allows: it is left out", pstats.TypeName(typ), mib)
}

// holdFrame counts the buffers for decoding frames, or gives them up. c.mu is held.
func (c *conn) holdFrame() {
	held := c.server.cfg.Held
	now := max(0, int64(8*cap(c.frame.Events)+8*cap(c.frame.Levels))-heldFree)
	if now > 0 && held.Over() {
		c.frame, now = pstats.Frame{}, 0
	}
	held.Add(now - c.held.frame)
	c.held.frame = now
}

// holdNothing ends the counting, at the end of the connection. c.mu is held.
func (c *conn) holdNothing() {
	c.frame = pstats.Frame{}
	c.server.cfg.Held.Add(-c.held.message - c.held.frame - c.held.threads)
	c.held = holding{}
}
