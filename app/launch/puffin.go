package launch

import (
	"context"
	"fmt"
	"net"

	"framescope/charts/format"
	"framescope/model"
	"framescope/net/follow"
	"framescope/net/puffin"
)

// puffinAdvice says why a program that was connected to may send nothing.
const puffinAdvice = "The connection was accepted, but no frames arrive. Does the program call new_frame(), and is " +
	"profiling on (puffin::set_scopes_on(true))? Is it a puffin_http server that listens there?"

func puffinServer() Server {
	return Server{
		Kind: "puffin", Addr: "127.0.0.1:8585",
		Help: `a Rust program with a puffin_http server. Connect before the program starts, or names may be
missing: Framescope tries every second, with --report for a minute. When the program restarts,
another session begins.`,
		Examples: []string{"", "10.0.0.5:8585 --record game.puffinstream", ":8586 --report"},
		Title:    "Connect to a Rust program", Hint: "HOST:PORT where puffin_http listens; Enter connects",
		New: func(addr string, log func(line string), leaves bool) Client {
			return &Puffin{Polled{Addr: addr, Log: log, Leaves: leaves}}
		},
	}
}

// puffinServes is advice on the program to start, and the address of puffin_http.
const puffinServes = `Start a Rust program that makes a puffin_http::Server::new("%s"), or name the address of one`

// Puffin is a Rust program with a puffin_http server; each run of it is a recording. It may be run
// once.
type Puffin struct{ Polled }

// The states of the connection.
const (
	puffinNothing = "connected, no frames yet"
	puffinClosed  = "the program closed the connection: trying every second"
	puffinLost    = "the connection was lost: trying every second"
)

// Run implements Input.
func (p *Puffin) Run(ctx context.Context, open Opener) error {
	var m puffin.Messages
	d := net.Dialer{Timeout: agentDial}
	return p.run(ctx, open, rounds{
		source: puffin.Source{}, advice: puffinAdvice, serves: puffinServes, tries: startTries,
		round: func(ctx context.Context, r *recorder) (why string, err error) {
			conn, err := d.DialContext(ctx, "tcp", p.Addr)
			if err != nil {
				return "", &awayError{cause: err}
			}
			p.said = ""
			p.Log.line("connected to the program at " + p.Addr)
			return p.serve(ctx, conn, r, &m)
		},
	})
}

// serve takes the data of a connection until it ends, and returns why it did. An error is an invalid
// message, or the reason to stop.
func (p *Puffin) serve(ctx context.Context, conn net.Conn, r *recorder, m *puffin.Messages) (why string, err error) {
	defer conn.Close()
	m.Connected()
	r.noteState(follow.Following, puffinNothing)
	some := false
	take := func(message []byte, another bool) error {
		if another {
			if err := r.finish("the program was started again"); err != nil {
				return err
			}
		}
		if !some {
			some = true
			r.noteState(follow.Following, "connected")
		}
		_, err := r.Write(message)
		return err
	}
	over, err := r.readFrom(conn, func() bool { return true }, func(p []byte) error { return m.Write(p, take) })
	if err != nil || over == nil {
		return "", err
	}
	lost := m.Left() > 0
	if lost && r.sink != nil {
		r.sink.Define(model.Loss{Reason: model.LossTruncated, Track: model.NoTrack, N: 1,
			Detail: fmt.Sprintf("the connection was lost within a frame: %d bytes of it had come", m.Left())})
	}
	r.Idle()
	return p.tried(format.Pick(lost, puffinLost, puffinClosed), pollTries), nil
}
