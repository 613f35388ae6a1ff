// Package client sends the measurements of a Go program to a PStats viewer, such as Framescope or
// the viewers that come with Panda3D.
//
//	c := client.New(client.Options{Name: "Solar Chase"})
//	c.Connect(context.Background()) // in the background; connects again whenever a viewer appears
//	defer c.Close()
//	draw := c.Collector("Draw:Opaque")
//	main := c.MainThread()
//	for running {
//		main.Start(draw)
//		drawEverything()
//		main.Stop(draw)
//		main.EndFrame()
//	}
//
// # Cost
//
// Without a viewer, Start and Stop are one load and one branch. With one, each of them reads the
// clock and appends eight bytes to a buffer that belongs to the thread: no lock, no allocation. At
// the end of a frame the buffer is handed to a goroutine that encodes and sends it, and an empty
// one is taken back from it. The game is never blocked: when the viewer or the network does not
// keep up, frames are dropped and counted (see Stats).
//
// # Ownership
//
// A Client may be used by any goroutine. A Thread belongs to one goroutine at a time.
//
// The protocol is described in net/pstats/PROTOCOL.md; section numbers in this package refer to it
// unless they name VIEWER.md beside it.
package client

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"framescope/net/pstats"
)

// Options configures a Client. The zero value is ready: it sends to a viewer on this machine, as
// the official client would.
type Options struct {
	// Addr is the viewer's host and port. Empty: 127.0.0.1:5185. A missing port is 5185.
	Addr string
	// Name is the program's name as the viewer shows it. Empty: the name of the executable.
	Name string
	// Host is the name of this machine as the viewer shows it. Empty: the system's name.
	Host string
	// Version is the version of the protocol that is announced: 3.0, 3.1 or 3.2. Anything else: 3.2,
	// and 3.0 in the next attempt when a viewer closes the connection at once, which is how old
	// viewers refuse 3.2 (section 4.2).
	Version pstats.Version
	// MaxRate limits the frames a second and thread; a frame that needs TCP because of its size counts
	// once for each 1500 bytes. Frames beyond are dropped (section 6). 0: 1000. Negative: no limit.
	MaxRate float64
	// MaxQueue is how many finished frames, of all threads together, may wait to be sent. Frames
	// beyond are dropped (section 6). 0: 32. Negative: 65536.
	MaxQueue int
	// TCPRatio is the share of the small frames that travel by TCP, as in the official client (section
	// 6). 0: 0.01. 1 and more: all. Negative: none.
	TCPRatio float64
	// Nested sends the start and stop of a collector that runs already on the same thread (recursion).
	// Without it, as in the official client, only the outermost pair is sent. It has no effect when
	// version 3.0 is spoken, which knows no such thing.
	Nested bool
	// Lossless makes EndFrame wait for room in the queue instead of dropping frames. For tests, load
	// generators and converters; a game would stutter.
	Lossless bool
	// ReuseThreads gives the index of a closed thread to the next thread of the same name. Without it,
	// as in the official client, an index is used once while version 3.2 is spoken.
	ReuseThreads bool
	// DialTimeout bounds an attempt to connect. 0: 5 s.
	DialTimeout time.Duration
	// HelloTimeout is how long the viewer's hello is waited for before frames are sent without it, by
	// TCP only. 0: 2 s.
	HelloTimeout time.Duration
	// RetryAfter is the pause between the attempts of Connect. 0: 1 s.
	RetryAfter time.Duration
	// Clock replaces the monotonic clock that starts with New; for simulations and tests. It must be
	// safe for use by several goroutines and never run backwards.
	Clock func() time.Duration
	// Logf receives a line when a connection is made, lost or refused. nil: nothing is logged.
	Logf func(format string, args ...any)
}

// Client is one program as viewers see it: its collectors, its threads, and at most one connection
// to a viewer at a time.
type Client struct {
	opt     Options
	started time.Time
	// session is the connection for which threads record; nil while there is none. It is all that a
	// thread looks at, once a frame.
	session atomic.Pointer[session]
	free    chan *frame // buffers to record into
	count   counters
	main    *Thread

	mu      sync.Mutex
	defs    []definition
	byName  map[string]Collector
	slots   []slot
	current *session // the connection that is being made or served
	err     error    // why there is no connection
	cancel  context.CancelFunc
	closed  bool
	running sync.WaitGroup
}

// ErrClosed is returned by Connect and Dial after Close.
var ErrClosed = errors.New("pstats client: closed")

// New returns a client that is not connected yet. Collectors and threads can be created before and
// after connecting.
func New(opt Options) *Client {
	opt.Addr = withPort(opt.Addr)
	if opt.Name == "" {
		opt.Name = programName()
	}
	if opt.Host == "" {
		if opt.Host, _ = os.Hostname(); opt.Host == "" {
			opt.Host = "unknown"
		}
	}
	opt.MaxRate = cmp.Or(opt.MaxRate, 1000)
	if opt.MaxQueue == 0 {
		opt.MaxQueue = 32
	} else if opt.MaxQueue < 0 {
		opt.MaxQueue = 1 << 16
	}
	opt.TCPRatio = cmp.Or(opt.TCPRatio, 0.01)
	orDefault(&opt.DialTimeout, 5*time.Second)
	orDefault(&opt.HelloTimeout, 2*time.Second)
	orDefault(&opt.RetryAfter, time.Second)
	c := &Client{opt: opt, started: time.Now(), byName: map[string]Collector{}}
	c.free = make(chan *frame, min(opt.MaxQueue, 1024)+64)
	c.defs = append(c.defs, newDefinition(0, 0, "Frame", "Frame", nil))
	c.byName["Frame"] = 0
	c.main = c.newThread("Main")
	return c
}

func orDefault(d *time.Duration, value time.Duration) {
	if *d <= 0 {
		*d = value
	}
}

func withPort(addr string) string {
	addr = cmp.Or(addr, "127.0.0.1")
	if _, _, err := net.SplitHostPort(addr); err == nil {
		return addr
	}
	if n := len(addr); n > 1 && addr[0] == '[' && addr[n-1] == ']' {
		addr = addr[1 : n-1]
	}
	return net.JoinHostPort(addr, strconv.Itoa(pstats.DefaultPort))
}

func programName() string {
	path := os.Args[0]
	for i := len(path) - 1; i >= 0; i-- {
		if path[i] == '/' || path[i] == '\\' {
			path = path[i+1:]
			break
		}
	}
	if path == "" {
		return "Go"
	}
	return path
}

// Now returns the time on the client's clock, which explicit times (StartAt, EndFrameAt, …) refer
// to. On the wire, times begin with 0 when the connection is made, because 32-bit floats are the
// more exact the smaller they are (section 7).
func (c *Client) Now() time.Duration {
	if c.opt.Clock != nil {
		return c.opt.Clock()
	}
	return time.Since(c.started)
}

// Connect keeps the client connected in the background: it returns at once, tries until a viewer
// answers, and again when the viewer is gone, until ctx is done or Close is called, which both send
// the queue first. Calling it again meanwhile has no effect.
func (c *Client) Connect(ctx context.Context) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed {
		return ErrClosed
	}
	if c.cancel != nil {
		return nil
	}
	ctx, c.cancel = context.WithCancel(ctx)
	c.running.Go(func() {
		c.keepConnected(ctx)
		c.mu.Lock()
		c.cancel = nil // Connect may be called again
		c.mu.Unlock()
	})
	return nil
}

// Dial connects once and waits for it, until ctx is done or Options.DialTimeout has passed. When
// the connection is lost later it is not made again.
func (c *Client) Dial(ctx context.Context) error {
	_, err := c.dial(ctx, c.firstVersion())
	return err
}

func (c *Client) firstVersion() pstats.Version {
	if c.opt.Version.Major != 3 {
		return pstats.Newest()
	}
	return c.opt.Version
}

// oldViewer is how soon a viewer that does not know a version hangs up, at the latest.
const oldViewer = 3 * time.Second

func (c *Client) keepConnected(ctx context.Context) {
	version := c.firstVersion()
	for {
		began := time.Now()
		s, err := c.dial(ctx, version)
		if err == nil {
			select {
			case <-s.done:
				err = s.reason()
			case <-ctx.Done():
				s.finish(ctx.Err())
				return
			}
		}
		if errors.Is(err, ErrClosed) || ctx.Err() != nil {
			return
		}
		refused := s != nil && time.Since(began) < oldViewer && version.AtLeast(3, 1)
		version = c.firstVersion()
		if refused && c.opt.Version.Major != 3 {
			version = pstats.Version{Major: 3}
			c.logf(
				"pstats client: %s closed the connection at once, perhaps it does not know version %v: trying %v",
				c.opt.Addr, pstats.Newest(), version,
			)
		}
		pause := time.NewTimer(c.opt.RetryAfter)
		select {
		case <-pause.C:
		case <-ctx.Done():
			pause.Stop()
			return
		}
	}
}

// dial makes one connection, starts its goroutines and returns when frames can be recorded for it.
func (c *Client) dial(ctx context.Context, version pstats.Version) (*session, error) {
	ctx, cancel := context.WithTimeout(ctx, c.opt.DialTimeout)
	defer cancel()
	conn, err := new(net.Dialer).DialContext(ctx, "tcp", c.opt.Addr)
	if err != nil {
		err = fmt.Errorf("pstats client: no viewer at %s: %w", c.opt.Addr, err)
		c.mu.Lock()
		c.err = err
		c.mu.Unlock()
		return nil, err
	}
	s, err := c.newSession(conn, version)
	if err != nil {
		conn.Close()
		return nil, err
	}
	hello := time.NewTimer(c.opt.HelloTimeout)
	defer hello.Stop()
	select {
	case <-s.greeted:
	case <-hello.C:
		c.logf("pstats client: %s sends no hello; going on without UDP", c.opt.Addr)
	case <-s.done:
		return s, s.reason()
	case <-ctx.Done():
		s.fail(ctx.Err())
		return s, ctx.Err()
	}
	s.epoch = int64(c.Now())
	c.session.Store(s)
	select {
	case <-s.done: // it ended while it was being published
		c.session.CompareAndSwap(s, nil)
		return s, s.reason()
	default:
	}
	c.count.sessions.Add(1)
	c.logf("pstats client: connected to %s, version %v", c.opt.Addr, version)
	return s, nil
}

// Connected reports whether frames are being recorded for a viewer.
func (c *Client) Connected() bool { return c.session.Load() != nil }

// Err returns why there is no connection: the last attempt's error, or how the last connection
// ended. nil while connected, and before the first attempt.
func (c *Client) Err() error {
	if c.Connected() {
		return nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.err
}

// Close sends the queue, waiting two seconds at most, and disconnects for good. Unfinished frames are
// lost.
func (c *Client) Close() error {
	c.mu.Lock()
	c.closed = true
	s, cancel := c.current, c.cancel
	c.mu.Unlock()
	if s != nil {
		s.finish(ErrClosed)
	}
	if cancel != nil {
		cancel()
	}
	c.running.Wait()
	return nil
}

func (c *Client) logf(format string, args ...any) {
	if c.opt.Logf != nil {
		c.opt.Logf(format, args...)
	}
}

// Stats counts the frames so far.
type Stats struct {
	Connected bool
	Sessions  int64 // connections made
	TCP, UDP  int64 // frames sent
	Bytes     int64 // sent, definitions included
	// Dropped frames: because they came too fast, because too many were waiting, because they had more
	// points than the protocol can carry, and because the connection ended before they were sent.
	DroppedRate, DroppedQueue, DroppedSize, DroppedLost int64
}

// Sent returns the number of frames sent.
func (s Stats) Sent() int64 { return s.TCP + s.UDP }

// Dropped returns the number of frames dropped.
func (s Stats) Dropped() int64 {
	return s.DroppedRate + s.DroppedQueue + s.DroppedSize + s.DroppedLost
}

type counters struct {
	sessions, tcp, udp, bytes       atomic.Int64
	rate, queue, size, disconnected atomic.Int64
}

// Stats returns the counts since New.
func (c *Client) Stats() Stats {
	n := &c.count
	return Stats{
		Connected: c.Connected(), Sessions: n.sessions.Load(), TCP: n.tcp.Load(), UDP: n.udp.Load(), Bytes: n.bytes.Load(),
		DroppedRate: n.rate.Load(), DroppedQueue: n.queue.Load(), DroppedSize: n.size.Load(),
		DroppedLost: n.disconnected.Load(),
	}
}
