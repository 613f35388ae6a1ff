// Package api serves the Flare profiler's WebSocket JSON API: Flare's user interfaces show recordings and live agents
// through it. Source: FORMAT.md of net/flare, section "API".
package api

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log"
	"net"
	"net/http"
	"strings"
	"sync"
	"time"

	"framescope/net/feed"
	"framescope/net/flare"
)

// Defaults of Options.
const (
	DefaultAddr    = "127.0.0.1:3891"
	DefaultSamples = "flare-samples"
)

// Limits of a server.
const (
	maxClients  = 32
	maxSessions = 64
	maxHeader   = 16 << 10
	headerWait  = 5 * time.Second
	detachWait  = 5 * time.Second // for a JVM to stop its agent
)

// ServerOptions configure a server.
type ServerOptions struct {
	// Addr is HOST:PORT to listen on; empty: DefaultAddr. Port 0 is any free one.
	Addr string
	// AnyAddress allows an address that other machines can reach. Everybody who can reach the server can read the
	// samples folder, connect to agents and attach to programs of this user.
	AnyAddress bool
	// Samples is the folder of sample folders; empty: DefaultSamples in the working folder. Clients
	// call it "flare-samples", whatever its name is. It need not exist.
	Samples string
	// NoRecording keeps live sessions in memory only. Otherwise each is recorded into a folder below
	// Samples, as the original server does.
	NoRecording bool
	// Compat gives the numbers of the original server where they differ from the right ones
	// (FORMAT.md, "Analysis").
	Compat bool
	// Library is the agent library that attach_jvm loads; empty: attach_jvm fails.
	Library string
	// Origins are the origins, SCHEME://HOST[:PORT], of web pages that may connect besides those of this machine.
	Origins []string
	// Log gets lines for the user. It may be called from several goroutines at once. May be nil.
	Log func(line string)

	load func(ctx context.Context, pid int, library, options string) error // attach.Load, but in tests
	dial func(ctx context.Context, addr string) (net.Conn, error)          // to agents
	// of sample_duration_sec, and between attempts
	wait func(ctx context.Context, d time.Duration) error
	free func() (addr string, err error)                                     // a loopback address that nobody listens on
	read func(ctx context.Context, samples, name string) (*recording, error) // of a sample folder
	now  func() time.Time
}

// Server is a running server, or one that a test drives by its Handler.
type Server struct {
	opt      ServerOptions
	ctx      context.Context // done when the server ends
	cancel   context.CancelFunc
	sessions sessions
	clients  sync.WaitGroup // and sessions that end in the background
	gate     sync.Mutex
	places   feed.ConnLimit // of clients
	closed   bool           // no more clients
	http     *http.Server
	listener net.Listener
	served   chan error
}

// NewServer returns a server that does not listen; its Handler answers. Close it.
func NewServer(ctx context.Context, opt ServerOptions) (*Server, error) {
	opt.Addr = cmp.Or(opt.Addr, DefaultAddr)
	opt.Samples = cmp.Or(opt.Samples, DefaultSamples)
	if opt.Log == nil {
		opt.Log = func(string) {}
	}
	if opt.Library != "" {
		lib, err := flare.CheckAgentLibrary(opt.Library)
		if err != nil {
			return nil, err
		}
		opt.Library = lib
	}
	if opt.load == nil {
		opt.load = flare.LoadAgent
	}
	if opt.dial == nil {
		opt.dial = flare.Dial
	}
	if opt.wait == nil {
		opt.wait = flare.Pause
	}
	if opt.free == nil {
		opt.free = flare.FreeAddress
	}
	if opt.read == nil {
		opt.read = readFolder(opt.Compat)
	}
	for _, o := range opt.Origins {
		if _, ok := parseOrigin(o); !ok {
			return nil, fmt.Errorf("%q is not an origin: give SCHEME://HOST or SCHEME://HOST:PORT", o)
		}
	}
	s := &Server{opt: opt, places: feed.ConnLimit{Max: maxClients, Now: opt.now}}
	s.ctx, s.cancel = context.WithCancel(ctx)
	s.sessions.known = map[string]*apiSession{}
	return s, nil
}

// Listen starts a server. It ends when ctx is done or Close is called.
func Listen(ctx context.Context, opt ServerOptions) (*Server, error) {
	s, err := NewServer(ctx, opt)
	if err != nil {
		return nil, err
	}
	if !s.opt.AnyAddress {
		if err := loopbackOnly(ctx, s.opt.Addr); err != nil {
			s.cancel()
			return nil, err
		}
	}
	var lc net.ListenConfig
	if s.listener, err = lc.Listen(ctx, "tcp", s.opt.Addr); err != nil {
		s.cancel()
		return nil, err
	}
	s.http = &http.Server{Handler: s.Handler(), ReadHeaderTimeout: headerWait, IdleTimeout: headerWait,
		MaxHeaderBytes: maxHeader, ErrorLog: log.New(lines(s.opt.Log), "", 0)}
	s.served = make(chan error, 1)
	go func() { s.served <- s.http.Serve(s.listener) }()
	context.AfterFunc(s.ctx, func() { s.http.Close() })
	return s, nil
}

// lines passes the log lines of the HTTP server to a function.
type lines func(string)

// Write implements io.Writer.
func (l lines) Write(b []byte) (int, error) {
	l(strings.TrimSpace(string(b)))
	return len(b), nil
}

// loopbackOnly refuses an address that other machines could reach.
func loopbackOnly(ctx context.Context, addr string) error {
	host, _, err := net.SplitHostPort(addr)
	if err != nil {
		return err
	}
	if host == "" {
		return fmt.Errorf("%s would listen on every address of this machine: allow it, or name a loopback address", addr)
	}
	found, err := net.DefaultResolver.LookupNetIP(ctx, "ip", host)
	if err != nil {
		return err
	}
	for _, ip := range found {
		if !ip.Unmap().IsLoopback() {
			return fmt.Errorf("%s can be reached from other machines: allow it, or name a loopback address", addr)
		}
	}
	return nil
}

// Addr is where a server that Listen started can be reached.
func (s *Server) Addr() net.Addr { return s.listener.Addr() }

// Handler answers handshakes on any path.
func (s *Server) Handler() http.Handler { return http.HandlerFunc(s.handshake) }

// Wait waits until a server started by Listen has ended, and returns why; nil after Close.
func (s *Server) Wait() error {
	err := <-s.served
	s.served <- err
	s.Close()
	if errors.Is(err, http.ErrServerClosed) {
		return nil
	}
	return err
}

// Close ends the server: it disconnects clients, closes live sessions and completes their recordings. It stops the
// agents that the server attached.
func (s *Server) Close() {
	s.cancel()
	if s.http != nil {
		s.http.Close()
	}
	s.gate.Lock()
	s.closed = true
	s.gate.Unlock()
	s.closeAll()
	s.clients.Wait()
	// What a client was just opening.
	s.closeAll()
	s.clients.Wait()
}

// enter lets a client in while the server takes clients; it is counted in s.clients then.
func (s *Server) enter() bool {
	s.gate.Lock()
	defer s.gate.Unlock()
	if s.closed || s.ctx.Err() != nil {
		return false
	}
	s.clients.Add(1)
	return true
}
