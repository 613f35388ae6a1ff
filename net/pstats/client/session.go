package client

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"framescope/net/pstats"
)

// session is one connection to a viewer. Three parties meet here: threads put finished frames into
// the queue; the writer goroutine, which alone writes to the sockets; and the reader goroutine,
// which waits for the hello and then for the end.
type session struct {
	c       *Client
	conn    net.Conn
	version pstats.Version
	epoch   int64 // time of the client's clock that is 0 on the wire, ns; set before the session is published
	queue   chan *frame
	udp     atomic.Pointer[net.UDPConn]
	greeted chan struct{} // closed when the viewer's hello has arrived
	done    chan struct{} // closed when the connection is over
	wake    chan struct{} // there is control data to send while no frames come
	ending  chan struct{} // closed to send the queue and end

	// control signals changes of the lists below to the writer. They belong to c.mu.
	control    atomic.Bool
	newDefs    []Collector
	newThreads []threadName
	ended      []endedThread

	once    sync.Once
	endOnce sync.Once
	err     error // why it is over; set before done is closed
}

// threadName is a definition of a thread that waits to be sent.
type threadName struct {
	index uint16
	name  string
}

// endedThread is the end of a thread that waits to be announced behind its last frame.
type endedThread struct {
	index  uint16
	thread *Thread // nil when no frames of it can be queued in this session
}

// newSession starts a session on a connection. All collectors and threads are defined to the viewer
// from scratch (section 1.4).
func (c *Client) newSession(conn net.Conn, version pstats.Version) (*session, error) {
	s := &session{
		c: c, conn: conn, version: version,
		queue:   make(chan *frame, c.opt.MaxQueue),
		greeted: make(chan struct{}), done: make(chan struct{}), wake: make(chan struct{}, 1), ending: make(chan struct{}),
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed {
		return nil, ErrClosed
	}
	if c.current != nil {
		return nil, errors.New("pstats client: already connected")
	}
	c.current = s
	for i := range c.defs {
		c.defs[i].queued = true
		s.newDefs = append(s.newDefs, Collector(i))
	}
	for i, slot := range c.slots {
		name := slot.name
		if slot.dead {
			name = "" // a slot without a thread, section 3.5
		}
		s.newThreads = append(s.newThreads, threadName{uint16(i), name})
	}
	s.control.Store(true)
	c.running.Go(s.read)
	c.running.Go(s.write)
	return s, nil
}

// over reports whether the connection has ended.
func (s *session) over() bool {
	select {
	case <-s.done:
		return true
	default:
		return false
	}
}

// reason returns why the session is over. Call it only after done is closed.
func (s *session) reason() error { return s.err }

// fail ends the session. Only the first reason counts.
func (s *session) fail(err error) {
	s.once.Do(func() {
		c := s.c
		s.err = err
		c.session.CompareAndSwap(s, nil)
		c.mu.Lock()
		c.err = err
		if c.current == s {
			c.current = nil
		}
		c.mu.Unlock()
		close(s.done)
		s.conn.Close()
		if !errors.Is(err, ErrClosed) {
			c.logf("%v", err)
		}
	})
}

// closeTimeout bounds how long finish waits for queued frames to be sent.
const closeTimeout = 2 * time.Second

// finish lets the writer send the queue and ends the session.
func (s *session) finish(why error) {
	s.c.session.CompareAndSwap(s, nil)
	s.endOnce.Do(func() { close(s.ending) })
	limit := time.NewTimer(closeTimeout)
	defer limit.Stop()
	select {
	case <-s.done:
	case <-limit.C:
	}
	s.fail(why)
}

// poke wakes the writer for control data.
func (s *session) poke() {
	s.control.Store(true)
	select {
	case s.wake <- struct{}{}:
	default:
	}
}

// enqueue hands a frame to the writer. It drops and counts the frame when the queue is full, unless
// it shall wait.
func (s *session) enqueue(f *frame, wait bool) bool {
	if wait {
		select {
		case s.queue <- f:
			return true
		case <-s.done:
			s.c.count.disconnected.Add(1)
			return false
		}
	}
	select {
	case s.queue <- f:
		return true
	default:
		s.c.count.queue.Add(1)
		return false
	}
}

// maxHello bounds the messages of a viewer: a hello holds two strings and a port.
const maxHello = 1 << 18

// read waits for the viewer's hello, and then for the end of the connection: nothing else ever
// comes (section 3.1).
func (s *session) read() {
	err := s.readHello()
	if err == nil {
		_, err = io.Copy(io.Discard, s.conn)
	}
	if err == nil || errors.Is(err, io.ErrUnexpectedEOF) {
		err = io.EOF
	}
	s.fail(fmt.Errorf("pstats client: viewer at %s has gone: %w", s.c.opt.Addr, err))
	if udp := s.udp.Load(); udp != nil {
		udp.Close()
	}
}

func (s *session) readHello() error {
	for {
		var head [4]byte
		if _, err := io.ReadFull(s.conn, head[:]); err != nil {
			return err
		}
		n := binary.LittleEndian.Uint32(head[:])
		if n > maxHello {
			return fmt.Errorf("message of %d bytes: not a PStats viewer", n)
		}
		payload := make([]byte, n)
		if _, err := io.ReadFull(s.conn, payload); err != nil {
			return err
		}
		if n == 0 || payload[0] != pstats.TypeHello {
			continue // unknown messages are skipped by their length
		}
		hello, err := pstats.DecodeServerHello(payload)
		if err != nil {
			return err
		}
		s.openUDP(hello.UDPPort)
		close(s.greeted)
		return nil
	}
}

// openUDP opens the way for small frames: to the host of the TCP connection, to the port that the
// viewer named (section 1.3). Without it everything goes by TCP.
func (s *session) openUDP(port uint16) {
	if port == 0 || s.c.opt.TCPRatio >= 1 {
		return
	}
	host, _, err := net.SplitHostPort(s.conn.RemoteAddr().String())
	if err != nil {
		return
	}
	conn, err := net.Dial("udp", net.JoinHostPort(host, strconv.Itoa(int(port))))
	if err != nil {
		s.c.logf("pstats client: %v; sending by TCP only", err)
		return
	}
	if udp, ok := conn.(*net.UDPConn); ok {
		s.udp.Store(udp)
	} else {
		conn.Close()
	}
}

// helloMessage is the client's first message (section 3.3).
func (s *session) helloMessage(dst []byte) []byte {
	at := len(dst)
	dst = pstats.BeginTCP(dst)
	dst = pstats.AppendClientHello(dst, pstats.ClientHello{
		Host: s.c.opt.Host, Program: s.c.opt.Name, Version: s.version, PID: int64(os.Getpid()),
	})
	pstats.EndTCP(dst, at)
	return dst
}
