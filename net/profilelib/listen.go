package profilelib

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"sync"
	"time"

	"framescope/model"
	"framescope/net/feed"
)

// DefaultAddr is where Listen listens when no address is given: this machine only, since the stream is neither encrypted nor signed.
const DefaultAddr = "127.0.0.1:7170"

// Limits and pauses of the server.
const (
	defaultConns = 16
	idleAfter    = 60 * time.Millisecond // silence after which what came is shown; the library writes a flush at once
	strangerTime = 30 * time.Second      // after the first byte, when a connection is closed that has sent no stream
	liveReadSize = 64 << 10
)

// ListenOptions say how connections are taken. The zero value is good.
type ListenOptions struct {
	// Decoder says how streams are read; Peer and File are set for each.
	Decoder Options
	// MaxConns is how many connections there may be at a time; 0 is 16.
	MaxConns int
	// Logf is told of connections, refusals and their reasons; nil for nobody. Any goroutine may call it.
	Logf func(format string, args ...any)
}

// Server takes streams over TCP: one connection is one session. The library itself has no transport; a dozen lines in the program's writer send its records (see the README).
type Server struct {
	ln     net.Listener
	open   func(peer string) (feed.Sink, error)
	opt    ListenOptions
	cancel context.CancelFunc
	mu     sync.Mutex
	conns  map[net.Conn]struct{}
	wg     sync.WaitGroup
}

// Listen takes connections on a TCP address, DefaultAddr if it is empty, until ctx is done or Close is called. open gives each stream its sink, on a goroutine of its own; it is called when
// the bytes are recognised as a stream, so strangers open no session. Its error refuses the stream.
func Listen(ctx context.Context, addr string, open func(peer string) (feed.Sink, error), o ListenOptions) (*Server, error) {
	if addr == "" {
		addr = DefaultAddr
	}
	if o.MaxConns <= 0 {
		o.MaxConns = defaultConns
	}
	if o.Logf == nil {
		o.Logf = func(string, ...any) {}
	}
	var lc net.ListenConfig
	ln, err := lc.Listen(ctx, "tcp", addr)
	if err != nil {
		return nil, fmt.Errorf("listening for profile streams: %w", err)
	}
	ctx, cancel := context.WithCancel(ctx)
	s := &Server{ln: ln, open: open, opt: o, cancel: cancel, conns: map[net.Conn]struct{}{}}
	context.AfterFunc(ctx, s.stop)
	s.wg.Add(1)
	go s.accept()
	return s, nil
}

// Addr returns the address on which the server listens.
func (s *Server) Addr() net.Addr { return s.ln.Addr() }

// Close ends the server and all its sessions, and waits for them.
func (s *Server) Close() error {
	s.cancel()
	s.wg.Wait()
	return nil
}

// stop closes the listener and all connections.
func (s *Server) stop() {
	_ = s.ln.Close()
	s.mu.Lock()
	defer s.mu.Unlock()
	for c := range s.conns {
		_ = c.Close()
	}
	s.conns = nil
}

func (s *Server) accept() {
	defer s.wg.Done()
	for {
		c, err := s.ln.Accept()
		if err != nil {
			if !errors.Is(err, net.ErrClosed) {
				s.opt.Logf("profile streams: %v", err)
				if ne := net.Error(nil); errors.As(err, &ne) && ne.Timeout() {
					continue
				}
			}
			return
		}
		s.mu.Lock()
		full := len(s.conns) >= s.opt.MaxConns
		switch {
		case s.conns == nil: // stopped
			full = true
		case !full:
			s.conns[c] = struct{}{}
			s.wg.Add(1)
		}
		s.mu.Unlock()
		if full {
			s.opt.Logf("profile stream from %s refused: %d connections are the most", c.RemoteAddr(), s.opt.MaxConns)
			_ = c.Close()
			continue
		}
		go s.serve(c)
	}
}

// serve reads one connection.
func (s *Server) serve(c net.Conn) {
	defer s.wg.Done()
	peer := c.RemoteAddr().String()
	late := &lateSink{open: func() (feed.Sink, error) { return s.open(peer) }}
	o := s.opt.Decoder
	o.Peer, o.File = peer, false
	d := NewDecoder(late, o)
	reason := s.read(c, d, late)
	_ = c.Close()
	s.mu.Lock()
	delete(s.conns, c)
	s.mu.Unlock()
	d.Close(reason)
	switch {
	case late.err != nil:
		s.opt.Logf("profile stream from %s refused: %v", peer, late.err)
	case d.Err() != nil:
		s.opt.Logf("connection from %s refused: %v", peer, d.Err())
	case late.sink == nil:
		s.opt.Logf("connection from %s: %s before a profile stream came", peer, reason)
	default:
		s.opt.Logf("profile stream from %s ended: %s", peer, reason)
	}
}

// read feeds the decoder until the connection ends, and returns why it did.
func (s *Server) read(c net.Conn, d *Decoder, late *lateSink) (reason string) {
	buf := make([]byte, liveReadSize)
	var began time.Time // of the first byte
	for {
		_ = c.SetReadDeadline(time.Now().Add(idleAfter))
		n, err := c.Read(buf)
		if n > 0 {
			if began.IsZero() {
				began = time.Now()
			}
			if _, err := d.Write(buf[:n]); err != nil {
				return err.Error()
			}
		}
		switch {
		case late.err != nil:
			return late.err.Error()
		case d.Cancelled():
			return "the session was closed"
		case err == nil:
		case errors.Is(err, os.ErrDeadlineExceeded):
			d.Idle()
			if _, known := d.Layout(); !known && !began.IsZero() && time.Since(began) > strangerTime {
				return "no profile stream came"
			}
		case errors.Is(err, io.EOF):
			return "the program closed the connection"
		case errors.Is(err, net.ErrClosed):
			return "the server was closed"
		default:
			return err.Error()
		}
	}
}

// lateSink opens its sink when the first definition comes.
type lateSink struct {
	open func() (feed.Sink, error)
	sink feed.Sink
	err  error
	none model.Batch
}

func (l *lateSink) ready() bool {
	if l.sink == nil && l.err == nil {
		l.sink, l.err = l.open()
	}
	return l.sink != nil
}

// Define implements feed.Sink. The end of a session that did not begin is not passed on.
func (l *lateSink) Define(c model.Change) {
	if _, end := c.(model.End); end && l.sink == nil {
		return
	}
	if l.ready() {
		l.sink.Define(c)
	}
}

// Begin implements feed.Sink.
func (l *lateSink) Begin() *model.Batch {
	if l.ready() {
		return l.sink.Begin()
	}
	l.none.Reset()
	return &l.none
}

// Publish implements feed.Sink.
func (l *lateSink) Publish(b *model.Batch) bool { return l.ready() && l.sink.Publish(b) }

// Progress implements feed.Sink.
func (l *lateSink) Progress(done, total int64) {}
