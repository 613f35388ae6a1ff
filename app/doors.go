package app

import (
	"context"
	"errors"
	"fmt"
	"os"

	"framescope/app/launch"
	"framescope/app/memory"
	"framescope/net/pstats"
	"framescope/widgets"
)

// startListening opens the addresses on which programs are awaited. One that can't be listened on keeps nothing else
// from being shown: it is told, and tried again. An address that is none is an error.
func (g *Game) startListening() error {
	s := &g.sources
	if g.opt.Listen != "" {
		d := &launch.Door{Addr: g.opt.Listen, Flag: "--listen", Open: g.openServer}
		err := d.Try(s.ctx)
		if _, ours := errors.AsType[*os.SyscallError](err); err != nil && !ours {
			return err
		}
		if s.games = d; err == nil {
			g.doorOpened(d)
		}
		s.doors = append(s.doors, d)
	}
	for _, in := range g.opt.Inputs {
		if p, ok := in.(*launch.Port); ok {
			p.Try(s.ctx) // unless that was done before; State tells why it can't be
			s.doors = append(s.doors, &p.Door)
		}
	}
	for _, d := range s.doors {
		if state := g.doorState(d); state.Problem != "" {
			g.warn(closedError(state))
			if d == s.games && !g.opt.Deterministic { // a terminal or a script sees no window
				fmt.Fprintln(os.Stderr, "framescope:", closedError(state))
			}
			s.opening.Go(func() { g.keepTrying(d) })
		}
	}
	return nil
}

// keepTrying tries a door until it is open or the program ends.
func (g *Game) keepTrying(d *launch.Door) {
	s := &g.sources
	open := d.Keep(s.ctx, func(err error) {
		if err != nil {
			s.later(func(g *Game) { g.warn(closedError(g.doorState(d))) })
		}
	})
	if open {
		if d == s.games && !g.opt.Deterministic {
			fmt.Fprintln(os.Stderr, "framescope: listening on", d.State().Addr, "now")
		}
		s.later(func(g *Game) {
			g.tell("Listening on %s now", g.doorState(d).Addr)
			g.doorOpened(d)
		})
	}
}

// doorOpened is called once when a door has opened.
func (g *Game) doorOpened(d *launch.Door) {
	s := &g.sources
	g.notice.drop(notListening)
	g.status.right = g.status.right[:0] // says where, also in a window that is quiet
	s.awaited = awaited(g.opt.Inputs)
	if d == s.games && g.opt.Started != nil {
		g.opt.Started(d.State().Addr)
	}
}

// notListening is how closedError begins.
const notListening = "Not listening: "

// closedError says in a sentence that an address is not listened on.
func closedError(d launch.DoorState) error {
	return errors.New(notListening + d.Problem + ". " + d.Remedy)
}

// openServer starts the server; each client that sends frames gets a feed, and with it a session.
func (g *Game) openServer(ctx context.Context) (addr string, err error) {
	s := &g.sources
	server, err := pstats.Listen(ctx, pstats.Config{
		Addr: g.opt.Listen, MaxMessage: memory.Message(g.memory.limit), Held: g.hub.Held(),
		NewSession: func(info pstats.SessionInfo) pstats.Handler {
			return g.handlerFor(info)
		},
		Log: func(line string) {
			s.mu.Lock()
			if s.lineCount++; len(s.lines) < maxLogLines {
				s.lines = append(s.lines, line)
			}
			s.mu.Unlock()
		},
	})
	if err != nil {
		return "", err
	}
	s.mu.Lock()
	s.server = server
	s.mu.Unlock()
	return server.Addr().String(), nil
}

// stopListening turns clients away, those to come as well. The sources' context must be done.
func (s *sources) stopListening() {
	s.opening.Wait()
	if s.server != nil {
		s.server.Close()
	}
}

// doorState is what a door is like at present, as it is shown.
func (g *Game) doorState(d *launch.Door) launch.DoorState {
	state := d.State()
	if g.opt.Deterministic { // the port is whatever was free, or was not
		if state.Addr != "" {
			state.Addr = pstats.DefaultAddr
		}
		if state.Problem != "" {
			state.Problem, state.Short = pstats.DefaultAddr+" is taken by another program", "port 5185 is taken"
		}
	}
	return state
}

// Listening implements widgets.Program.
func (g *Game) Listening() (l widgets.Listening) {
	for _, d := range g.sources.doors {
		state := g.doorState(d)
		if state.Problem != "" && l.Problem == "" {
			l.Problem, l.Short, l.Remedy = state.Problem, state.Short, state.Remedy
		}
		if state.Addr != "" && d == g.sources.games {
			l.Address = state.Addr
		}
	}
	return l
}

// ListenAgain implements widgets.Program.
func (g *Game) ListenAgain() {
	tried := false
	for _, d := range g.sources.doors {
		if d.State().Problem != "" {
			d.Again()
			tried = true
		}
	}
	switch l := g.Listening(); {
	case tried:
	case l.Address != "":
		g.tell("Listening on %s", l.Address)
	case len(g.sources.doors) > 0:
		g.tell("Listening already")
	default:
		g.tell("Not listening: started without --listen")
	}
}
