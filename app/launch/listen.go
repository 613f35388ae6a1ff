package launch

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"framescope/model"
	"framescope/net/feed"
	"framescope/net/follow"
)

// Listener takes recordings from programs that connect by TCP and send them as they are, one
// recording a connection.
type Listener struct {
	// Log takes lines about connections that are turned away, and streams that are none of the
	// source's. Several goroutines call it. May be nil.
	Log Log

	source    feed.Streamer
	listeners []net.Listener
	now       func() time.Time // the clock for the silence of connections, for tests
}

// maxConnections bounds the programs that are connected at the same time. Silent ones give way to
// others; if there are none, the others are turned away.
const maxConnections = 64

// Listen opens an address. "localhost" stands for the loopback of both families.
func Listen(ctx context.Context, addr string, source feed.Streamer) (*Listener, error) {
	host, port, err := net.SplitHostPort(addr)
	if err != nil {
		return nil, fmt.Errorf("cannot listen on %q: %w (give --addr HOST:PORT)", addr, err)
	}
	networks := []string{"tcp"}
	if host == "localhost" {
		networks, host = []string{"tcp4", "tcp6"}, ""
	}
	l := &Listener{source: source}
	for i, network := range networks {
		at := addr
		if len(networks) > 1 {
			at = net.JoinHostPort([]string{"127.0.0.1", "::1"}[i], port)
		}
		var lc net.ListenConfig
		ln, err := lc.Listen(ctx, network, at)
		switch {
		case err == nil:
			l.listeners = append(l.listeners, ln)
			_, port, _ = net.SplitHostPort(ln.Addr().String()) // the other family gets the same
		case i > 0: // no IPv6, or the port is taken there
		case Taken(err):
			return nil, fmt.Errorf("the address %s is taken, perhaps by another viewer: close it, "+
				"or listen elsewhere with --addr HOST:PORT: %w", addr, err)
		default:
			return nil, fmt.Errorf("cannot listen on %s: %w", addr, err)
		}
	}
	return l, nil
}

// Addr returns the address that programs connect to.
func (l *Listener) Addr() string { return l.listeners[0].Addr().String() }

// Title implements Input.
func (l *Listener) Title() string { return l.Addr() }

// Close stops listening, for a Listener that is not run. Run does so itself.
func (l *Listener) Close() {
	for _, ln := range l.listeners {
		ln.Close()
	}
}

// clientName names a connected program if its stream does not: by its source and its unique port, with
// the host if that is another machine.
func clientName(source feed.Streamer, addr string) string {
	kind, _, _ := strings.Cut(source.Name(), " ")
	if host, port, err := net.SplitHostPort(addr); err == nil {
		if ip := net.ParseIP(host); ip != nil && ip.IsLoopback() {
			addr = port
		}
	}
	return kind + " client " + addr
}

// Run implements Input.
func (l *Listener) Run(ctx context.Context, open Opener) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	stop := context.AfterFunc(ctx, l.Close)
	defer stop()
	var work sync.WaitGroup
	room := feed.ConnLimit{Max: maxConnections, Now: l.now}
	log := feed.NewFewLines()
	var full atomic.Bool // it was reported, and there was no room since
	for _, ln := range l.listeners {
		work.Go(func() {
			for {
				conn, err := ln.Accept()
				if ctx.Err() != nil {
					if err == nil {
						conn.Close()
					}
					return
				}
				if err != nil {
					if errors.Is(err, net.ErrClosed) {
						cancel(err)
						return
					}
					// Such as too many open files: it passes.
					select {
					case <-ctx.Done():
					case <-time.After(100 * time.Millisecond):
					}
					continue
				}
				var why atomic.Pointer[string]
				seat := room.Take(func(reason string) {
					why.Store(&reason)
					conn.Close()
				})
				if seat == nil {
					if !full.Swap(true) {
						log.Write(l.Log.line, "%s and further programs are refused: %d are connected, the maximum",
							conn.RemoteAddr(), maxConnections)
					}
					conn.Close()
					continue
				}
				full.Store(false)
				work.Go(func() {
					defer seat.Free()
					if err := l.serve(ctx, conn, open, seat, &why); err != nil {
						log.Write(l.Log.line, "the stream from %s is refused: %v", conn.RemoteAddr(), err)
					}
				})
			}
		})
	}
	work.Wait()
	l.Close()
	return ended(ctx, context.Cause(ctx))
}

const (
	readBytes = 64 << 10
	idleEvery = 50 * time.Millisecond
)

// serve reads a program's data until it hangs up, or must give way for the reason in why. It returns
// why the stream could not be read.
func (l *Listener) serve(
	ctx context.Context, conn net.Conn, open Opener, seat *feed.ConnSlot, why *atomic.Pointer[string],
) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	defer conn.Close()
	r := &recorder{ctx: ctx, stop: stop, open: open, name: clientName(l.source, conn.RemoteAddr().String()),
		source: l.source, guest: true}
	r.noteState(follow.Following, "connected")
	over, err := r.readFrom(conn, func() bool { return true }, func(p []byte) error {
		seat.Heard()
		seat.Used()
		_, err := r.Write(p)
		return err
	})
	switch {
	case err != nil:
		return r.followed(err)
	case over == nil:
		return r.followed(context.Cause(ctx))
	case r.bytes == 0: // only a probe of the port
		return nil
	}
	// A program that crashes resets its connection. Its data is still good.
	reason := "the program hung up"
	if p := why.Load(); p != nil {
		reason = "disconnected: " + *p
	} else if errors.Is(over, syscall.ECONNRESET) {
		reason = model.BrokeOff + "connection reset, as by a crash"
	}
	return r.finish(reason)
}

// readFrom passes what comes over a connection to take, until the connection is over, take returns an error, or more
// data are of no use any more.
func (r *recorder) readFrom(conn net.Conn, more func() bool, take func(p []byte) error) (over, err error) {
	buf := make([]byte, readBytes)
	for r.ctx.Err() == nil && more() {
		// The deadline is also when a session that the user closed is noticed.
		conn.SetReadDeadline(time.Now().Add(idleEvery))
		n, over := conn.Read(buf)
		if n > 0 {
			if err := take(buf[:n]); err != nil {
				return nil, err
			}
		}
		if errors.Is(over, os.ErrDeadlineExceeded) {
			r.Idle()
		} else if over != nil {
			return over, nil
		}
	}
	return nil, nil
}
