package api

import (
	"context"
	"errors"
	"io"
	"net"
	"strconv"
	"strings"
	"syscall"
	"time"

	"framescope/net/feed"
	"framescope/net/flare"
)

// Pauses and limits of connections to agents.
const (
	stopTimeout = 2 * time.Second
	maxInterval = 60_000
	maxDuration = 30 * 24 * 3600 // s
)

// attached is how this server attached an agent.
type attached struct{ pid int }

// connectAgent connects to an agent that listens.
func (s *Server) connectAgent(ctx context.Context, req *request, out *reply) error {
	addr, err := req.text("agent_addr", true)
	if err != nil {
		return err
	}
	if !validAddr(addr) {
		return failure("invalid socket address")
	}
	if host, _, _ := net.SplitHostPort(addr); req.page && !isLoopback(host) {
		return failure("web pages may connect to agents of this machine only")
	}
	// The original returns even a session that has ended; a client could never connect again but for
	// closing it first.
	if old := s.sessions.get(addr); old != nil && old.live != nil && !s.opt.Compat {
		if _, ended := old.live.ended(); ended {
			s.sessions.remove(old)
		}
	}
	x, err := s.openSession(ctx, addr, func(ctx context.Context, x *apiSession) error {
		conn, err := s.opt.dial(ctx, addr)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			return s.connectFailure(err)
		}
		x.live = s.follow(addr, conn, nil)
		return nil
	})
	if err != nil {
		return err
	}
	return out.success(x.fields())
}

func validAddr(addr string) bool {
	host, port, err := net.SplitHostPort(addr)
	if err != nil || host == "" || len(host) > 255 || strings.ContainsFunc(host, func(r rune) bool {
		return r <= ' ' || r == 0x7f
	}) {
		return false
	}
	n, err := strconv.ParseUint(port, 10, 16)
	return err == nil && n > 0
}

// connectFailure words an error of a connection. In compat mode it has the original's words.
func (s *Server) connectFailure(err error) error {
	var errno syscall.Errno
	if !errors.As(err, &errno) || !s.opt.Compat {
		return failure(err.Error())
	}
	words := errno.Error()
	return failuref("%s (os error %d)", strings.ToUpper(words[:1])+words[1:], int(errno))
}

// follow takes an agent's events until it is gone or the session is closed.
func (s *Server) follow(addr string, conn net.Conn, own *attached) *live {
	ctx, cancel := context.WithCancel(s.ctx)
	l := newLive(ctx, cancel, addr, s.opt.Log)
	l.own = own
	config := flare.Config{Addr: addr, Sink: &feed.Nowhere{}, Taken: l.take, Log: s.opt.Log,
		Wait: s.opt.wait}
	if !s.opt.NoRecording {
		l.writer = flare.NewFolderWriter(s.opt.Samples, addr, nil)
	}
	s.clients.Go(func() {
		defer cancel()
		reason := "the agent closed the connection"
		if err := errors.Join(flare.Run(ctx, conn, config), l.closeRecording()); err != nil {
			reason = err.Error()
		}
		l.mu.Lock()
		l.reason = reason
		l.mu.Unlock()
		close(l.done)
	})
	return l
}

// attachJVM loads the agent into a program, connects to it, and closes the session after a while if the request
// sets that.
func (s *Server) attachJVM(ctx context.Context, req *request, out *reply) error {
	pid := req.integer("target_pid", 0)
	if pid <= 0 || pid > 1<<31-1 {
		return failure("missing option 'target_pid'")
	}
	for _, name := range []string{"sample_interval_ms", "sample_duration_sec"} {
		if !req.has(name) {
			return failuref("missing option '%s'", name)
		}
	}
	interval, duration := req.integer("sample_interval_ms", 20), req.integer("sample_duration_sec", 0)
	if interval < 1 || interval > maxInterval {
		return failuref("invalid option 'sample_interval_ms': 1 to %d are possible", maxInterval)
	}
	if duration < 0 || duration > maxDuration {
		return failuref("invalid option 'sample_duration_sec': 0 to %d are possible", maxDuration)
	}
	if s.opt.Library == "" {
		return failure("attach_jvm is not available: the server was started without an agent library")
	}
	addr, err := s.opt.free()
	if err != nil {
		return err
	}
	own := &attached{pid: int(pid)}
	x, err := s.openSession(ctx, addr, func(ctx context.Context, x *apiSession) error {
		options := flare.AttachOptions{IntervalMs: int(interval), Address: addr}
		if err := s.opt.load(ctx, own.pid, s.opt.Library, options.String()); err != nil {
			if ctx.Err() == nil {
				return failure(err.Error())
			}
			s.detach(own) // it may have been loaded all the same
			return ctx.Err()
		}
		var conn net.Conn
		err := flare.Reach(ctx, s.opt.wait, func() (err error) { conn, err = s.opt.dial(ctx, addr); return err })
		if err != nil {
			s.detach(own) // it must not go on sampling for nobody
			return failuref("the agent was loaded but does not listen at %s (was it loaded before?): %v", addr, err)
		}
		x.live = s.follow(addr, conn, own)
		if duration > 0 {
			s.closeAfter(x, time.Duration(duration)*time.Second)
		}
		return nil
	})
	if err != nil {
		return err
	}
	return out.success(x.fields())
}

// closeAfter closes a session when its time is over.
func (s *Server) closeAfter(x *apiSession, d time.Duration) {
	s.clients.Go(func() {
		if s.opt.wait(x.live.ctx, d) == nil {
			s.opt.Log("the time of the session " + x.id + " is over")
			s.forget(x)
		}
	})
}

// detach stops an agent that this server attached, in the background, also while the server
// is about to end; nil is one that it did not attach.
func (s *Server) detach(own *attached) {
	if own == nil {
		return
	}
	s.clients.Go(func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(s.ctx), detachWait)
		defer cancel()
		if err := s.opt.load(ctx, own.pid, s.opt.Library, flare.AttachOptions{Stop: true}.String()); err != nil {
			s.opt.Log("stop sampling: " + err.Error())
		}
	})
}

// stopRequest makes an agent close its port. Sampling in the JVM goes on: the agent knows no
// better.
const stopRequest = "*1\r\n+stop-sample\r\n"

// stopSample ends the sampling of a live session. The session has ended then, too.
func (s *Server) stopSample(ctx context.Context, req *request, out *reply) error {
	id, err := req.text("session_id", false)
	if err != nil {
		return err
	}
	x := s.sessions.get(id)
	if x == nil {
		return errNoSession
	}
	if x.live == nil {
		return failure("sample session is a file: there is nothing to stop")
	}
	if _, ended := x.live.ended(); ended {
		s.sessions.remove(x)
		return errDisconnected
	}
	// The agent serves one connection at a time, and the one that subscribed takes no requests.
	x.live.end()
	s.sessions.remove(x)
	if x.live.own != nil {
		err = s.opt.load(ctx, x.live.own.pid, s.opt.Library, flare.AttachOptions{Stop: true}.String())
	} else {
		err = s.askToStop(ctx, x.live.addr)
	}
	if err != nil {
		return failuref("stop sampling: %v", err)
	}
	_, dir := x.live.snapshot()
	data := fields{"session_id": id}
	if dir != "" && !s.opt.Compat {
		data["sample_data_dir"] = dir
	}
	return out.success(data)
}

// askToStop sends the request to stop and waits for the agent to close the connection, which is all
// the answer there is.
func (s *Server) askToStop(ctx context.Context, addr string) error {
	conn, err := s.opt.dial(ctx, addr)
	if err != nil {
		return err
	}
	defer conn.Close()
	stop := context.AfterFunc(ctx, func() { conn.Close() })
	defer stop()
	if err := conn.SetDeadline(time.Now().Add(stopTimeout)); err != nil {
		return err
	}
	if _, err := io.WriteString(conn, stopRequest); err != nil {
		return err
	}
	_, err = io.Copy(io.Discard, io.LimitReader(conn, 1<<20))
	var late net.Error
	if errors.As(err, &late) && late.Timeout() {
		return errors.New("the agent did not close the connection")
	}
	return nil // however it ended, it ended
}
