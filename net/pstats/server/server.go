// Package server serves PStats clients: it owns the sockets, judges which datagrams are a client's,
// counts missing data, and sends the rest to a pstats.Handler for each client. It knows nothing of
// sessions, files or journals.
package server

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"framescope/net/feed"
	"framescope/net/pstats"
)

// DefaultAddr is the default address of a server: on loopback, by IPv4 and IPv6, so that it is
// unreachable from outside this machine.
const DefaultAddr = "localhost:5185"

// DefaultMaxConns is the default limit of clients at a time.
const DefaultMaxConns = 256

// Config says how to serve. The zero value, with NewSession filled in, is good.
type Config struct {
	// Addr is the address to listen on, HOST:PORT. Empty means DefaultAddr. The hosts localhost and
	// 127.0.0.1 stand for the loopback of both families, because a client may resolve localhost to
	// either; an empty host stands for all interfaces. Port 0 takes a free one.
	Addr string

	// Name and Program are sent to clients, which show them in their logs. Empty means the name of
	// this machine, and "Framescope".
	Name, Program string

	// MaxMessage is the longest TCP message that is accepted, in bytes; longer ones are left out
	// and counted, and a client that announces one of more than wire.DefaultMaxMessage, which is
	// meant by 0, is disconnected.
	MaxMessage int

	// Held counts what all connections hold of messages that have not come whole and of very large
	// frames, beyond a little that is free for each. While it is over its limit, a client that has
	// sent a great part of it loses that message. nil: nothing is counted.
	Held *feed.Held

	// MaxConns is how many clients are served at a time; further ones are turned away. 0 means
	// DefaultMaxConns.
	MaxConns int

	// NewSession returns the handler for a client that has said hello and sent its first frame. It is
	// called from the connection's goroutines, for several clients at the same time. Clients that
	// never send a frame cause no call; they are counted (Server.Silent). The handler gets the
	// client's earlier definitions first. A nil handler turns the client away.
	NewSession func(SessionInfo) pstats.Handler

	// Log takes lines for the log, without newline. It is called from several goroutines and must not
	// call the server. Nil drops them.
	Log func(line string)

	now func() time.Time // the clock by which connections are silent, for tests

	drain, pause, alone time.Duration // instead of drainTotal, lossPause and unconfirmedWaitNs, in tests
}

// SessionInfo describes a connection with a client that sends frames.
type SessionInfo struct {
	Peer  netip.AddrPort // address of the client
	Hello pstats.ClientHello

	dropped *func() int64 // of the connection
}

// CountDrops lets the last line of the log count the frames that the viewer dropped behind the handler.
func (i SessionInfo) CountDrops(frames func() int64) {
	if i.dropped != nil {
		*i.dropped = frames
	}
}

// A Server listens for PStats clients. Each connection becomes a session of its own.
type Server struct {
	cfg       Config
	listeners []net.Listener
	done      chan struct{} // closed when closing begins
	running   sync.WaitGroup
	lastID    atomic.Uint64
	turned    atomic.Int64 // clients being turned away right now
	nextUDP   atomic.Uint32
	giants    sync.Mutex // one very large frame is decoded at a time
	started   time.Time
	seats     feed.ConnLimit
	silent    silentClients
	door      door

	messages     atomic.Int64 // see Messages
	waitingBytes atomic.Int64 // see waitingRoom

	mu      sync.Mutex
	closing bool
	full    bool // turning clients away has been logged, and there was no room since
	conns   map[uint64]*conn
}

// Listen opens the address of cfg and serves clients in the background until ctx ends or Close is
// called. When the address is taken, the error says what to do about it.
func Listen(ctx context.Context, cfg Config) (*Server, error) {
	if cfg.NewSession == nil {
		return nil, errors.New("pstats: Config.NewSession is missing")
	}
	cfg.Addr = cmp.Or(cfg.Addr, DefaultAddr)
	cfg.Program = cmp.Or(cfg.Program, "Framescope")
	if cfg.Name == "" {
		cfg.Name = "unknown"
		if host, err := os.Hostname(); err == nil {
			cfg.Name = host
		}
	}
	if cfg.MaxConns <= 0 {
		cfg.MaxConns = DefaultMaxConns
	}
	if cfg.Log == nil {
		cfg.Log = func(string) {}
	}
	listeners, err := listen(ctx, cfg.Addr)
	if err != nil {
		return nil, err
	}
	s := &Server{
		cfg: cfg, listeners: listeners, done: make(chan struct{}), conns: make(map[uint64]*conn),
		started: time.Now(),
	}
	s.seats.Max, s.seats.Now, s.silent.log = cfg.MaxConns, cfg.now, cfg.Log
	s.door.init()
	for _, l := range listeners {
		s.running.Go(func() { s.accept(l) })
	}
	stop := context.AfterFunc(ctx, func() { s.close() })
	s.running.Go(func() {
		<-s.done
		stop()
	})
	return s, nil
}

// Addr is the address that clients connect to, the IPv4 one if there are several.
func (s *Server) Addr() netip.AddrPort {
	return addrOf(s.listeners[0].Addr())
}

// Messages is how many messages and datagrams of all clients were handled, frames among them.
func (s *Server) Messages() int64 { return s.messages.Load() }

// Close stops listening, disconnects all clients, and returns when every handler has been closed: a
// handler that waits for the caller must be released before. It may be called more than once.
func (s *Server) Close() error {
	s.close()
	s.running.Wait()
	s.silent.stop()
	return nil
}

// close begins to close and does not wait.
func (s *Server) close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closing {
		return
	}
	s.closing = true
	close(s.done)
	s.door.remove()
	for _, l := range s.listeners {
		l.Close()
	}
	for _, c := range s.conns {
		c.disconnect("the viewer closed")
	}
}

// accept takes connections until the listener is closed.
func (s *Server) accept(l net.Listener) {
	const maxPause = time.Second
	pause := time.Duration(0)
	for {
		s.door.wait()
		tcp, err := l.Accept()
		if err != nil {
			if errors.Is(err, net.ErrClosed) {
				return
			}
			// Out of file descriptors, for example: others may close theirs.
			if pause == 0 {
				s.logf("PStats clients cannot connect for now: %v", err)
			}
			pause = min(max(2*pause, 5*time.Millisecond), maxPause)
			select {
			case <-time.After(pause):
				continue
			case <-s.done:
				return
			}
		}
		pause = 0
		s.welcome(tcp.(*net.TCPConn))
	}
}

// welcome starts to serve a client, or turns it away when there are too many.
func (s *Server) welcome(tcp *net.TCPConn) {
	c := newConn(s, s.lastID.Add(1), tcp, addrOf(tcp.RemoteAddr()))
	c.seat = s.seats.Take(c.giveWay) // may call giveWay of another one

	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closing {
		tcp.Close()
		return
	}
	if c.seat == nil {
		if !s.full {
			s.full = true
			s.logf(
				"%s and further clients are turned away: %d are connected already, no more are allowed at a time", c.peer,
				s.cfg.MaxConns,
			)
		}
		s.turnAway(tcp)
		return
	}
	s.full = false
	s.conns[c.id] = c
	s.door.hold()
	s.running.Go(func() {
		c.run()
		s.door.release()
		c.seat.Free()
		s.mu.Lock()
		delete(s.conns, c.id)
		s.mu.Unlock()
	})
}

// giveWay ends a connection to free its place for another one.
func (c *conn) giveWay(reason string) {
	c.server.silent.logf("%s is disconnected: %s", c.peer, reason)
	c.disconnect(reason)
}

// maxTurned is how many clients are turned away politely at a time.
const maxTurned = 64

// turnAway says hello, so that the client does not wait for it for ever (PROTOCOL.md section 5.3),
// and goodbye.
func (s *Server) turnAway(tcp *net.TCPConn) {
	if s.turned.Add(1) > maxTurned {
		s.turned.Add(-1)
		tcp.Close()
		return
	}
	s.running.Go(func() {
		defer s.turned.Add(-1)
		defer tcp.Close()
		s.sendHello(tcp, 0)
		linger(tcp, s.done)
	})
}

// sendHello sends the one message that servers send (PROTOCOL.md section 3.2).
func (s *Server) sendHello(tcp *net.TCPConn, udpPort uint16) error {
	hello := pstats.AppendServerHello(pstats.BeginTCP(nil), pstats.ServerHello{
		Host: s.cfg.Name, Program: s.cfg.Program, UDPPort: udpPort,
	})
	pstats.EndTCP(hello, 0)
	tcp.SetWriteDeadline(time.Now().Add(5 * time.Second))
	_, err := tcp.Write(hello)
	return err
}

// linger closes our half of a connection and reads on for a moment, so that a reset does not
// destroy the hello on its way (PROTOCOL.md section 4.3).
func linger(tcp *net.TCPConn, done <-chan struct{}) {
	const atMost = time.Second
	tcp.CloseWrite()
	tcp.SetReadDeadline(time.Now().Add(atMost))
	var scrap [4096]byte
	for {
		select {
		case <-done:
			return
		default:
		}
		if _, err := tcp.Read(scrap[:]); err != nil {
			return
		}
	}
}

func (s *Server) logf(format string, args ...any) {
	s.cfg.Log(fmt.Sprintf(format, args...))
}

// addrOf returns an address of the net package as a value, with IPv4 in its own form.
func addrOf(a net.Addr) netip.AddrPort {
	var at netip.AddrPort
	switch a := a.(type) {
	case *net.TCPAddr:
		at = a.AddrPort()
	case *net.UDPAddr:
		at = a.AddrPort()
	}
	return netip.AddrPortFrom(at.Addr().Unmap(), at.Port())
}
