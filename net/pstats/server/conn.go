package server

import (
	"errors"
	"fmt"
	"io"
	"net"
	"net/netip"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"framescope/model"
	"framescope/net/feed"
	"framescope/net/pstats"
)

// A conn serves one client. One goroutine reads TCP, one UDP; what they receive goes through mu to
// the handler. The client becomes a session with its first frame.
type conn struct {
	server    *Server
	id        uint64
	tcp       *net.TCPConn
	udp       *net.UDPConn // nil when the client must use TCP for everything
	peer      netip.AddrPort
	connected time.Time
	seat      *feed.ConnSlot

	udpPort            atomic.Int32
	hello              atomic.Pointer[pstats.ClientHello]
	frames             atomic.Int64 // that were understood
	tcpBytes, udpBytes atomic.Int64 // all that arrived, lengths and checksums included

	process atomic.Pointer[process] // that sends, nil: not known

	why      atomic.Pointer[string] // reason given to disconnect
	closing  atomic.Bool            // TCP has ended
	tooEarly bool                   // a message that came before the hello is too long; only readTCP's

	mu      sync.Mutex     // guards all below, and the calls of handler
	handler pstats.Handler // waiting until the session begins
	dropped func() int64   // frames that the viewer dropped behind it; nil: that is not known
	waiting *waitingRoom   // nil once the session has begun
	begun   bool
	logged  bool // the log has a line about the beginning
	refused bool // the session is not wanted
	version pstats.Version
	guard   guard
	source  sender
	threads threadSet
	named   *[1 << 16 / 64]uint64 // threads that have a name, nil if none
	timer   *time.Timer           // runs while the first frame of a thread waits for a second
	losses  losses
	frame   pstats.Frame
	roomy   int // small frames since frame.Events had to be large
	held    holding
	defs    []pstats.CollectorDef
	over    bool // handler.Close has been called
	heard   bool // a datagram came, whatever was in it

	unheard      model.Loss // frames that seem to have been lost in datagrams
	unheardSince int64      // when the first of them was missed, see Server.since; 0: none was
}

func newConn(s *Server, id uint64, tcp *net.TCPConn, peer netip.AddrPort) *conn {
	c := &conn{server: s, id: id, tcp: tcp, peer: peer, connected: time.Now(), waiting: newWaitingRoom(&s.waitingBytes)}
	c.handler = c.waiting
	return c
}

// run serves the client until the connection ends.
func (c *conn) run() {
	defer c.tcp.Close()
	defer func() { c.process.Load().close() }()
	c.openUDP()
	if err := c.server.sendHello(c.tcp, uint16(c.udpPort.Load())); err != nil {
		c.logf("%s: gone before it could be greeted: %v", c.peer, err)
		c.closeUDP()
		c.finish("gone")
		return
	}
	var udpDone chan struct{}
	if c.udp != nil {
		udpDone = make(chan struct{})
		go func() {
			defer close(udpDone)
			c.readUDP()
		}()
	}
	reason := c.readTCP()
	if why := c.why.Load(); why != nil {
		reason = *why
	}
	// Datagrams that reached the machine before the end still count.
	c.closing.Store(true)
	if c.udp != nil {
		c.udp.SetReadDeadline(time.Now())
		<-udpDone
		c.udp.Close()
	}
	c.mu.Lock()
	refused := c.refused
	c.mu.Unlock()
	if refused {
		c.server.door.release()
		linger(c.tcp, c.server.done)
		c.server.door.hold()
	}
	c.finish(reason)
}

// disconnect makes run return with the reason.
func (c *conn) disconnect(reason string) {
	c.why.CompareAndSwap(nil, &reason)
	c.tcp.SetReadDeadline(time.Now())
}

// finish closes the handler and logs the end.
func (c *conn) finish(reason string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.endGuard()
	c.holdNothing()
	c.over = true
	c.losses.stop()
	if c.timer != nil {
		c.timer.Stop()
	}
	if !c.begun {
		c.waiting.leave()
		silent := &c.server.silent
		if c.hello.Load() == nil && c.tcpBytes.Load() > 0 {
			silent.left(&silent.other)
		} else {
			silent.left(&silent.n)
		}
		return
	}
	c.reportUnheard()
	c.flushLosses()
	c.handler.Close(reason)
	received, losses := c.summary()
	if !c.logf("%s: %s after %v: %d frames, %d bytes%s", c.name(), reason,
		time.Since(c.connected).Round(100*time.Millisecond), received, c.tcpBytes.Load()+c.udpBytes.Load(), losses) {
		c.server.silent.left(&c.server.silent.short)
	}
}

// logf writes a line to the log, and reports whether it did: of clients with few frames or none there may be very
// many. Whoever has a line about its beginning has all others, too.
func (c *conn) logf(format string, args ...any) (written bool) {
	if !c.logged && c.frames.Load() < shortFrames {
		return c.server.silent.logf(format, args...)
	}
	c.server.logf(format, args...)
	return true
}

// logBegin logs that the client sends frames.
func (c *conn) logBegin() {
	c.logged = c.logf("%s sends frames, PStats %v", c.name(), c.hello.Load().Version)
}

// errGarbage ends a connection that cannot be a PStats client's.
type errGarbage struct{ what string }

func (e errGarbage) Error() string { return e.what }

// errRefused ends a connection that the server refuses.
var errRefused = errors.New("refused")

// readTCP reads messages until the connection ends, and returns why it did.
func (c *conn) readTCP() (reason string) {
	scan := pstats.Scanner{MaxMessage: c.server.cfg.MaxMessage, Skipped: c.skipped}
	known := false // the client has said hello
	for {
		c.awaitRoom(&scan)
		c.server.door.release()
		n, readErr := c.tcp.Read(scan.Space())
		c.server.door.hold()
		scan.Advance(n)
		c.holdMessage(&scan)
		if n > 0 {
			c.tcpBytes.Add(int64(n))
			c.seat.Heard()
		}
		if !known && n > 0 {
			if err := checkFirst(&scan); err != nil {
				return c.garbage(err)
			}
		}
		for {
			payload, ok, err := scan.Next()
			if err == nil && ok {
				known, err = c.takeTCP(payload)
			}
			if errors.Is(err, errRefused) {
				return "refused"
			}
			if err == nil && !known && c.tooEarly {
				err = errGarbage{"a message before the hello is too long"}
			}
			if err != nil {
				return c.garbage(err)
			}
			if !ok {
				break
			}
		}
		if readErr != nil {
			return c.ending(readErr, scan.Pending())
		}
	}
}

// awaitRoom waits until the session's recorder on disk will take the next bytes: the client waits for
// us, and nothing is lost. Datagrams that come meanwhile do not wait.
func (c *conn) awaitRoom(scan *pstats.Scanner) {
	c.mu.Lock()
	h := c.handler
	c.mu.Unlock()
	pstats.AwaitRoom(h, c.server.done, scan.Pending()+roomRead)
}

// roomRead is the room that the next read needs, in bytes: a full buffer of very small frames takes
// several times as much in a journal as on the wire.
const roomRead = 2 << 20

// Before the hello a client has no reason to send much.
const (
	maxFirst    = 1 << 20 // bytes in a message
	maxEarlyNum = 4096    // frames that wait for the hello
)

// checkFirst checks the beginning of a message before the hello, so that the server does not wait for
// something that is not a PStats client.
func checkFirst(scan *pstats.Scanner) error {
	length, typ, ok := scan.Peek()
	if ok && (length > maxFirst || typ > pstats.TypeExpire) {
		return errGarbage{fmt.Sprintf("its first message would be of type %d with %d bytes", typ, length)}
	}
	return nil
}

// garbage ends a connection with a malformed stream, and logs it.
func (c *conn) garbage(err error) string {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.hello.Load() == nil {
		c.logf("%s: not a PStats client, disconnected: %v", c.peer, err)
	} else {
		c.lose(model.LossMalformed, 1, "%v", err)
	}
	return "disconnected: " + err.Error()
}

// ending puts into words why reading ended.
func (c *conn) ending(err error, pending int) string {
	asked := c.why.Load() != nil // to end
	death := ""
	if !asked {
		death = c.process.Load().death()
	}
	reason := "it disconnected"
	switch {
	case death != "":
		reason = death
	case errors.Is(err, io.EOF):
	case errors.Is(err, syscall.ECONNRESET):
		reason = "connection reset, as by a crash"
	default:
		reason = err.Error()
	}
	if pending > 0 && !asked {
		reason += fmt.Sprintf(", in the middle of a message (%d bytes of it had come)", pending)
	}
	if reason != "it disconnected" {
		reason = model.BrokeOff + reason
	}
	return reason
}

// takeTCP takes one message. known reports whether the client has said hello; an error ends the
// connection.
func (c *conn) takeTCP(payload []byte) (known bool, err error) {
	defer c.server.messages.Add(1)
	c.mu.Lock()
	defer c.mu.Unlock()
	known = c.hello.Load() != nil
	hello := len(payload) > 0 && payload[0] == pstats.TypeHello
	switch {
	case known && hello:
		c.helloAgain(payload)
	case hello:
		err = c.firstHello(payload)
		known = err == nil
	case !known && len(payload) == 0:
		err = errGarbage{"an empty message before the hello"}
	case !known && payload[0] > pstats.TypeExpire:
		err = errGarbage{fmt.Sprintf("a message of type %d before the hello", payload[0])}
	case !known && payload[0] == pstats.TypeFrame:
		c.waiting.add(payload, origin{})
	default:
		c.handle(payload, origin{})
	}
	if c.refused {
		err = errRefused
	}
	return known, err
}

// handle handles one message or datagram, other than a hello. A frame is only taken of a client that is
// known.
func (c *conn) handle(payload []byte, from origin) {
	if from.udp && !c.version.HasFrameType() {
		c.takeFrame(payload, from)
		return
	}
	if len(payload) == 0 {
		c.lose(model.LossMalformed, 1, "empty message skipped")
		return
	}
	typ := payload[0]
	switch {
	case typ == pstats.TypeFrame && !c.version.HasFrameType():
		// No such client should use TCP for frames; if it does, the type stands first as in any message.
		c.takeFrame(payload[1:], from)
	case typ == pstats.TypeFrame:
		c.takeFrame(payload, from)
	case from.udp:
		c.lose(model.LossMalformed, 1, "datagram of type %d skipped", typ)
	case typ == pstats.TypeCollectors:
		c.takeCollectors(payload)
	case typ == pstats.TypeThreads:
		first, names, err := pstats.DecodeThreads(payload)
		if len(names) > 0 {
			c.takeThreads(int(first), names)
		}
		c.malformed(err)
	case typ == pstats.TypeExpire:
		thread, err := pstats.DecodeExpire(payload)
		if err == nil && c.mayTake(thread) {
			c.guard.ended(thread)
			c.handler.Expire(int(thread))
		}
		c.malformed(err)
	default:
		c.lose(model.LossMalformed, 1, "message of unknown type %d, %d bytes, skipped", typ, len(payload))
	}
}

func (c *conn) malformed(err error) {
	if err != nil {
		c.lose(model.LossMalformed, 1, "%v", err)
	}
}

func (c *conn) takeCollectors(payload []byte) {
	c.defs = c.defs[:0]
	err := pstats.DecodeCollectors(payload, func(d pstats.CollectorDef) { c.defs = append(c.defs, d) })
	if len(c.defs) > 0 {
		c.handler.Collectors(c.defs)
	}
	c.malformed(err)
	clear(c.defs) // lets go of the strings
	if cap(c.defs) > 4*pstats.WireMaxCollectors {
		c.defs = nil
	}
}

// A frame of more events than keepEvents makes the connection keep room for so many until so many
// smaller frames have come.
const (
	keepEvents = 1 << 16
	keepFrames = 1 << 12
)

// takeFrame takes a frame if it follows from the frames before it.
func (c *conn) takeFrame(payload []byte, from origin) {
	if len(payload) > giantFrame {
		c.server.giants.Lock()
		defer c.server.giants.Unlock()
	}
	if err := pstats.DecodeFrame(payload, c.version, &c.frame); err != nil {
		c.loseFrames(model.LossMalformed, 1, "%v", err)
		return
	}
	c.judge(payload, from)

	if max(cap(c.frame.Events), cap(c.frame.Levels)) <= keepEvents ||
		max(len(c.frame.Events), len(c.frame.Levels)) > keepEvents {
		c.roomy = 0
	} else if c.roomy++; c.roomy >= keepFrames {
		c.frame, c.roomy = pstats.Frame{}, 0
	}
	c.holdFrame()
}

// deliver gives a frame that entered to the handler. The first one begins the session.
func (c *conn) deliver(f *pstats.Frame, bytes int, from origin) {
	if !c.begun && (c.refused || !c.begin()) {
		return
	}
	if from.udp {
		c.source.sent(from.addr, c.server.since())
	}
	n := c.frames.Add(1)
	if n == shortFrames && c.tcp != nil {
		c.identify(processOf(c.peer, c.tcp.LocalAddr().(*net.TCPAddr).AddrPort()))
	}
	if n == shortFrames && !c.logged {
		c.logBegin()
	}
	if !c.threads.has(f.Thread) {
		c.threads.add(f.Thread, 0)
		c.holdThreads()
	}
	c.handler.Frame(f, bytes)
}

// identify takes the process of the client, whose number the hello of older protocols lacks.
func (c *conn) identify(p *process) {
	c.process.Store(p)
	if h := *c.hello.Load(); p != nil && h.PID < 0 {
		h.PID = int64(p.pid)
		c.hello.Store(&h)
		c.handler.Hello(h)
	}
}

// name is how the log calls the client.
func (c *conn) name() string {
	h := c.hello.Load()
	if h == nil {
		return c.peer.String()
	}
	if h.PID >= 0 {
		return fmt.Sprintf("%q on %q (%s, process %d)", logName(h.Program), logName(h.Host), c.peer, h.PID)
	}
	return fmt.Sprintf("%q on %q (%s)", logName(h.Program), logName(h.Host), c.peer)
}

// maxLogName bounds the client's name in a line of the log, in bytes.
const maxLogName = 80

func logName(name string) string { return pstats.Short(name, maxLogName) }
