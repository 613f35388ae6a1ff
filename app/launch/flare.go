package launch

import (
	"context"
	"errors"
	"fmt"
	"net"
	"time"

	"framescope/model"
	"framescope/net/feed"
	"framescope/net/flare"
	"framescope/net/follow"
	"framescope/net/journal"
)

// DefaultFlareAgent is the default address of a Flare agent.
const DefaultFlareAgent = "localhost:3333"

// agentDial is how long a machine may take to answer.
const agentDial = 5 * time.Second

// agentAdvice says why an agent that was connected to may send nothing.
const agentAdvice = "The connection was accepted, but no samples arrive. Is the JVM stopped, perhaps by a " +
	"debugger? Is it " +
	"a Flare agent that listens there, started with trace=on?"

// flareServer is the agents as a kind of Server.
func flareServer() Server {
	return Server{
		Kind: "flare", Addr: DefaultFlareAgent, Folders: true,
		Help: `the agent of the Flare profiler, which samples the threads of a Java VM. It serves one client
at a time: connecting disconnects the one before. --record FOLDER writes sample folders, as
Flare's own server does. ` + "`framescope attach`" + ` loads an agent into a running JVM.`,
		Examples: []string{"localhost:3333", "build-box:3333 --record flare-samples", ":3333 --report"},
		Title:    "Connect to a JVM's agent", Hint: "HOST:PORT of a Flare agent that listens; Enter connects",
		New: func(addr string, log func(line string), _ bool) Client { return &Agent{Addr: addr, Log: log} },
	}
}

// Agent is a Flare agent that runs in a Java VM and listens. It may be run once.
type Agent struct {
	// Addr is HOST:PORT, see Server.Complete.
	Addr string
	// Name is the name of the session; empty: the address. PID is the JVM's process number, 0 if it is
	// not known.
	Name string
	PID  int
	// Log gets lines for the user: connected, lost. It is called on one goroutine. May be nil.
	Log Log

	conn net.Conn // that was made already
}

// Title implements Input: the address, or the name.
func (a *Agent) Title() string {
	if a.Name != "" {
		return a.Name
	}
	return a.Addr
}

// Connect makes the connection, so that a mistake is noticed before anything is opened. Run does it
// if it was not done. Close gives up a connection of an Agent that is not run.
func (a *Agent) Connect(ctx context.Context) error {
	if a.conn != nil {
		return nil
	}
	conn, err := flare.Dial(ctx, a.Addr)
	if err != nil {
		var dns *net.DNSError
		if errors.As(err, &dns) {
			return fmt.Errorf("no agent at %s: unknown host: %w", a.Addr, err)
		}
		return fmt.Errorf("no agent at %s: %w. Load the agent into the running JVM with trace=on, "+
			"or use `framescope attach PID`", a.Addr, err)
	}
	a.conn = conn
	return nil
}

// Close gives up the connection of an Agent that is not run.
func (a *Agent) Close() {
	if a.conn != nil {
		a.conn.Close()
		a.conn = nil
	}
}

// Run implements Input. An unreachable agent makes no recording. Run restores a lost connection.
func (a *Agent) Run(ctx context.Context, open Opener) error {
	if err := a.Connect(ctx); err != nil {
		return ended(ctx, err)
	}
	conn := a.conn
	a.conn = nil
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	r := &Recording{Name: a.Title(), Advice: agentAdvice, stop: stop}
	r.setState(follow.Following, "connected")
	sink := open(r)
	event, forget := a.keep(ctx, r, sink)
	defer forget()
	err := flare.Run(ctx, conn, flare.Config{
		Addr: a.Addr, Program: a.Name, PID: int64(a.PID), Sink: sink, Log: a.Log.line,
		Event: event, Wait: Pause,
		State: func(connected bool) {
			if connected {
				r.setState(follow.Following, "connected")
			} else if ctx.Err() == nil {
				r.setState(follow.Waiting, "connection lost; connecting again")
			}
		},
	})
	return r.end(ended(ctx, err), "disconnected")
}

// keep returns the recorder of a recording's events, nil if the Opener does not want one. The goroutine
// that fills the sink calls it. The caller calls forget when nothing more comes.
func (a *Agent) keep(
	ctx context.Context, r *Recording, sink feed.Sink,
) (event func(flare.Event), forget func()) {
	if r.NewTape == nil {
		return nil, func() {}
	}
	var e *flare.Encoder
	forget = func() {
		if e != nil {
			e.Forget()
		}
	}
	return func(x flare.Event) {
		if e == nil {
			e = flare.NewEncoder(r.beginTape(journal.Meta{Source: flare.JournalSource, Program: a.program(), Peer: a.Addr,
				PID: int64(a.PID)}), sink)
		}
		journal.AwaitRoom(r.Tape(), ctx.Done(), eventRoom) // the agent waits: nothing is lost
		if !e.Event(x) && x.Sample != nil {
			sink.Define(model.Loss{Reason: model.LossNotRecorded, Track: model.NoTrack, N: 1})
		}
	}, forget
}

// eventRoom is the maximum size of an event on a tape, in bytes, except the very largest.
const eventRoom = 64 << 10

// program names the program in the JVM.
func (a *Agent) program() string {
	if a.Name != "" {
		return a.Name
	}
	return "JVM at " + a.Addr
}
