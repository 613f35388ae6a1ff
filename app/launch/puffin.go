package launch

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"time"

	"framescope/model"
	"framescope/net/flare/agent"
	"framescope/net/follow"
	"framescope/net/puffin"
)

// puffinAdvice says why a program that was connected to may send nothing.
const puffinAdvice = "The connection was accepted, but no frame comes. Does the program call new_frame(), and is " +
	"profiling on, as by puffin::set_scopes_on(true)? Is what listens there a server of puffin_http?"

func puffinServer() Server {
	return Server{
		Kind: "puffin", Addr: "127.0.0.1:8585",
		Help: `a Rust program with a server of puffin_http. Connect before it starts: it is tried every second,
and a program that was connected to late may not tell all names. When it is started anew,
another session begins.`,
		Examples: []string{"", "10.0.0.5:8585 --record game.puffinstream", ":8586 --report"},
		Title:    "Connect to a Rust program", Hint: "HOST:PORT where puffin_http listens; Enter connects",
		New: func(addr string, log func(line string), leaves bool) Client {
			return &Puffin{Addr: addr, Log: log, Leaves: leaves}
		},
	}
}

// Puffin is a Rust program in which puffin_http listens. It need not run yet, and may be started
// again and again; each run is a recording. It may be run once.
type Puffin struct {
	// Addr is HOST:PORT, see Server.Complete.
	Addr string
	// Log is as in Agent.
	Log func(line string)
	// Leaves tells that Run ends when the program was there, is gone, and does not come back at once.
	Leaves bool

	wait func(ctx context.Context, d time.Duration) error // of tests
}

var _ Client = (*Puffin)(nil)

// How a program is looked for.
const (
	puffinRetry = time.Second
	puffinTries = 3 // until one that was there is gone
)

// What is said of the connection.
const (
	puffinNobody  = "nobody listens there yet: tried every second"
	puffinNothing = "connected, no frames yet"
	puffinClosed  = "the program closed the connection: tried every second"
	puffinLost    = "the connection was lost: tried every second"
)

// Title implements Input.
func (p *Puffin) Title() string { return p.Addr }

// Connect implements Client: what is wrong with the machine's name is noticed. The program may come
// later.
func (p *Puffin) Connect(ctx context.Context) error {
	host, _, err := net.SplitHostPort(p.Addr)
	if err == nil {
		_, err = net.DefaultResolver.LookupHost(ctx, host)
	}
	if err != nil {
		return fmt.Errorf("no program at %s: there is no machine of that name: %w", p.Addr, err)
	}
	return nil
}

// Close implements Client.
func (p *Puffin) Close() {}

// Run implements Input.
func (p *Puffin) Run(ctx context.Context, open Opener) error {
	if err := p.Connect(ctx); err != nil {
		return ended(ctx, err)
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	r := &recorder{
		ctx: ctx, stop: stop, open: open, name: p.Addr, program: "program at " + p.Addr,
		source: puffin.Source{}, advice: puffinAdvice,
	}
	r.told(follow.Waiting, puffinNobody)
	r.begin()
	var m puffin.Messages
	d := net.Dialer{Timeout: agentDial}
	there, tries := false, 0
	for ctx.Err() == nil {
		conn, err := d.DialContext(ctx, "tcp", p.Addr)
		if err == nil {
			there, tries = true, 0
			p.log("connected to the program at " + p.Addr)
			why, err := p.serve(ctx, conn, r, &m)
			if err != nil {
				return r.followed(fmt.Errorf("%s: %w", p.Addr, err))
			}
			r.told(follow.Waiting, why)
			if ctx.Err() == nil {
				p.log(p.Addr + ": " + why)
			}
		} else if tries++; tries == 1 && !there {
			p.log(p.Addr + ": " + puffinNobody)
		}
		if p.Leaves && there && tries >= puffinTries {
			return r.finish("the program is gone")
		}
		wait := p.wait
		if wait == nil {
			wait = agent.Pause
		}
		if wait(ctx, puffinRetry) != nil {
			break
		}
	}
	return r.finish("disconnected")
}

// serve takes what comes on a connection until it ends, and says why it did. An error is what came
// that is no message, or why nobody wants more.
func (p *Puffin) serve(ctx context.Context, conn net.Conn, r *recorder, m *puffin.Messages) (why string, err error) {
	defer conn.Close()
	m.Connected()
	r.told(follow.Following, puffinNothing)
	some := false
	buf := make([]byte, readBytes)
	take := func(message []byte, another bool) error {
		if another {
			if err := r.finish("the program was started again"); err != nil {
				return err
			}
		}
		if !some {
			some = true
			r.told(follow.Following, "connected")
		}
		_, err := r.Write(message)
		return err
	}
	for ctx.Err() == nil {
		// The deadline is also when a session that the user closed is noticed.
		conn.SetReadDeadline(time.Now().Add(idleEvery))
		n, err := conn.Read(buf)
		if n > 0 {
			if err := m.Write(buf[:n], take); err != nil {
				return "", err
			}
		}
		switch {
		case err == nil:
		case errors.Is(err, os.ErrDeadlineExceeded):
			r.Idle()
		case m.Left() > 0:
			if r.sink != nil {
				r.sink.Define(model.Loss{Reason: model.LossTruncated, Track: model.NoTrack, N: 1, Detail: fmt.Sprintf(
					"the connection was lost within a frame: %d bytes of it had come", m.Left())})
			}
			r.Idle()
			return puffinLost, nil
		default:
			r.Idle()
			return puffinClosed, nil
		}
	}
	return "", nil
}

func (p *Puffin) log(line string) {
	if p.Log != nil {
		p.Log(line)
	}
}
