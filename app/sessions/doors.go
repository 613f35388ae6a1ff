package sessions

import (
	"context"
	"errors"
	"fmt"
	"os"

	"framescope/app/launch"
	"framescope/app/memory"
	"framescope/net/pstats/server"
	"framescope/widgets"
)

// startListening opens the addresses for programs. A failure to listen does not stop anything else: it
// is reported, with retries. An invalid address is an error.
func (ss *Sessions) startListening() error {
	s := &ss.sources
	if ss.opt.Listen != "" {
		d := &launch.Door{Addr: ss.opt.Listen, Flag: "--listen", Open: ss.openServer}
		err := d.Try(s.ctx)
		if _, ours := errors.AsType[*os.SyscallError](err); err != nil && !ours {
			return err
		}
		if s.games = d; err == nil {
			ss.doorOpened(d)
		}
		s.doors = append(s.doors, d)
	}
	for _, in := range ss.opt.Inputs {
		if p, ok := in.(*launch.Port); ok {
			p.Try(s.ctx) // unless done before; State has the reason of a failure
			s.doors = append(s.doors, &p.Door)
		}
	}
	for _, d := range s.doors {
		if state := ss.doorState(d); state.Problem != "" {
			ss.ask.Warn(closedError(state))
			if d == s.games && !ss.opt.Deterministic { // a terminal or a script sees no window
				fmt.Fprintln(os.Stderr, "framescope:", closedError(state))
			}
			s.opening.Go(func() { ss.keepTrying(d) })
		}
	}
	return nil
}

// keepTrying tries a door until it is open or the program ends.
func (ss *Sessions) keepTrying(d *launch.Door) {
	s := &ss.sources
	open := d.Keep(s.ctx, func(err error) {
		if err != nil {
			s.later(func() { ss.ask.Warn(closedError(ss.doorState(d))) })
		}
	})
	if open {
		if d == s.games && !ss.opt.Deterministic {
			fmt.Fprintln(os.Stderr, "framescope: listening on", d.State().Addr, "now")
		}
		s.later(func() {
			ss.ask.Notify("Listening on %s now", ss.doorState(d).Addr)
			ss.doorOpened(d)
		})
	}
}

// doorOpened is called once when a door has opened.
func (ss *Sessions) doorOpened(d *launch.Door) {
	s := &ss.sources
	ss.ask.Notices.Drop(notListening)
	ss.sources.opened++ // says where, also in a window that is quiet
	s.awaited = awaited(ss.opt.Inputs)
	if d == s.games && ss.opt.Started != nil {
		ss.opt.Started(d.State().Addr)
	}
}

// notListening is how closedError begins.
const notListening = "Not listening: "

// closedError says in a sentence that an address is not listened on.
func closedError(d launch.DoorState) error {
	return errors.New(notListening + d.Problem + ". " + d.Remedy)
}

// openServer starts the server; each client that sends frames gets a feed, and with it a session.
func (ss *Sessions) openServer(ctx context.Context) (addr string, err error) {
	s := &ss.sources
	srv, err := server.Listen(ctx, server.Config{
		Addr: ss.opt.Listen, MaxMessage: memory.Message(ss.memory.limit), Held: ss.hub.Held(),
		NewSession: ss.handlerFor,
		Log:        s.logLine,
	})
	if err != nil {
		return "", err
	}
	s.mu.Lock()
	s.server = srv
	s.mu.Unlock()
	return srv.Addr().String(), nil
}

// stopListening turns clients away, those to come as well. The sources' context must be done.
func (s *sources) stopListening() {
	s.opening.Wait()
	if s.server != nil {
		s.server.Close()
	}
}

// doorState is the shown state of a door.
func (ss *Sessions) doorState(d *launch.Door) launch.DoorState {
	state := d.State()
	if ss.opt.Deterministic { // the port depends on the system's free ones
		if state.Addr != "" {
			state.Addr = server.DefaultAddr
		}
		if state.Problem != "" {
			state.Problem, state.Short = server.DefaultAddr+" is taken by another program", "port 5185 is taken"
		}
	}
	return state
}

// Listening implements widgets.Program.
func (ss *Sessions) Listening() (l widgets.Listening) {
	if ss.opt.Page {
		return widgets.Listening{Page: true}
	}
	l.Doors = ss.doors()
	for _, d := range ss.sources.doors {
		state := ss.doorState(d)
		if state.Problem != "" && l.Problem == "" {
			l.Problem, l.Short, l.Remedy = state.Problem, state.Short, state.Remedy
		}
		if state.Addr != "" && d == ss.sources.games {
			l.Address = state.Addr
		}
	}
	return l
}

// doors returns the state of each address: that of PStats first, even if not requested.
func (ss *Sessions) doors() (out [widgets.MaxDoors]widgets.Door) {
	out[0] = widgets.Door{For: "PStats (Panda3D, Go)", Flag: "--listen"}
	set := func(to *widgets.Door, d *launch.Door) {
		state := ss.doorState(d)
		to.Address, to.Problem = state.Addr, state.Problem
	}
	if d := ss.sources.games; d != nil {
		set(&out[0], d)
	}
	n := 1
	for _, in := range ss.opt.Inputs {
		if p, ok := in.(*launch.Port); ok && n < len(out) {
			out[n] = widgets.Door{For: p.For(), Flag: p.Flag}
			set(&out[n], &p.Door)
			n++
		}
	}
	return out
}

// AppendListening appends the address that the program listens on, or its wait.
func (ss *Sessions) AppendListening(b []byte) []byte {
	if at := ss.Listening().Address; at != "" {
		if ss.opt.Deterministic {
			at = "loopback"
		}
		return append(append(b, "listening on "...), at...)
	}
	if ss.opt.Page {
		return append(b, "nothing leaves this page"...)
	}
	if ss.sources.awaited != "" {
		return append(append(b, "waiting for "...), ss.sources.awaited...)
	}
	return append(b, "not listening"...)
}

// Opened returns how many of the addresses on which programs are awaited have been opened so far.
func (ss *Sessions) Opened() int { return ss.sources.opened }

// ListenAgain implements widgets.Program.
func (ss *Sessions) ListenAgain() {
	tried := false
	for _, d := range ss.sources.doors {
		if d.State().Problem != "" {
			d.Again()
			tried = true
		}
	}
	switch l := ss.Listening(); {
	case tried:
	case l.Address != "":
		ss.ask.Notify("Listening on %s", l.Address)
	case len(ss.sources.doors) > 0:
		ss.ask.Notify("Listening already")
	default:
		ss.ask.Notify("Not listening: started without --listen")
	}
}
