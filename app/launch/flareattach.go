package launch

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"time"

	"framescope/net/flare"
)

// FlareAgentEnv is the environment variable that names the agent library where nothing else does.
const FlareAgentEnv = "FRAMESCOPE_FLARE_AGENT"

// FlareAgentHelp describes the agent library and its origin.
const FlareAgentHelp = `The agent library is the part of the Flare profiler that samples inside the JVM: libflareagent.so
(Linux), libflareagent.dylib (macOS) or flareagent.dll (Windows). It comes with each release of
Flare and must match the operating system and processor of the JVM. Name it with --agent LIB, or set
the environment variable FRAMESCOPE_FLARE_AGENT.`

// detachLimit is how long stopping an agent may take.
const detachLimit = 5 * time.Second

// Attach is a Flare agent that is loaded into a Java VM on this machine, and stopped at the end. It
// may be run once.
type Attach struct {
	// PID is the VM's process number, Name its program, for people; may be empty.
	PID  int
	Name string
	// Library is the path of the agent library.
	Library string
	// IntervalMs is how often is sampled; 0: as often as the agent does by itself.
	IntervalMs int
	// Duration is after how long the agent is stopped; 0: when the session is closed.
	Duration time.Duration
	// Log is as in Agent.
	Log Log

	agent  *Agent
	loaded bool

	load func(ctx context.Context, pid int, library, options string) error // attach.Load, but in tests
	wait func(ctx context.Context, d time.Duration) error                  // between attempts
}

// Title implements Input.
func (a *Attach) Title() string {
	if a.Name == "" {
		return fmt.Sprintf("JVM %d", a.PID)
	}
	return fmt.Sprintf("%s (JVM %d)", a.Name, a.PID)
}

// Connect loads the agent and connects to it, so that a mistake is noticed before anything is
// opened. Run does it if it was not done. Close undoes it for one that is not run.
func (a *Attach) Connect(ctx context.Context) error {
	if a.agent != nil {
		return nil
	}
	if a.load == nil {
		a.load = flare.LoadAgent
	}
	if a.wait == nil {
		a.wait = Pause
	}
	library, err := flare.CheckAgentLibrary(a.Library)
	if err != nil {
		return err
	}
	a.Library = library
	addr, err := flare.FreeAddress()
	if err != nil {
		return err
	}
	in := &Agent{Addr: addr, Name: a.Title(), PID: a.PID, Log: a.Log}
	options := flare.AttachOptions{IntervalMs: a.IntervalMs, Address: addr}.String()
	// An agent that is there already takes no notice of being started again, and does not listen anew.
	// Once it was stopped it does.
	for again := range 2 {
		if again > 0 {
			a.Log.line("the agent does not listen, perhaps because it was loaded before; restarting it")
			a.detach()
		}
		a.loaded = true // even when it fails half-way
		if err := a.load(ctx, a.PID, library, options); err != nil {
			a.loaded = ctx.Err() != nil
			a.detach()
			return a.explain(err)
		}
		if err = flare.Reach(ctx, a.wait, func() error { return in.Connect(ctx) }); err == nil {
			a.Log.line(fmt.Sprintf("the agent was loaded into %s and listens on %s", a.Title(), addr))
			a.agent = in
			return nil
		}
		if ctx.Err() != nil {
			break
		}
	}
	a.detach()
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return fmt.Errorf("%s: the loaded agent does not listen on %s, and was stopped; is the library a "+
		"Flare agent? %w", a.Title(), addr, err)
}

// Close stops the agent of an Attach that is not run.
func (a *Attach) Close() {
	if a.agent != nil {
		a.agent.Close()
	}
	a.detach()
}

// Run implements Input. The agent has been stopped when it returns.
func (a *Attach) Run(ctx context.Context, open Opener) error {
	if err := a.Connect(ctx); err != nil {
		return ended(ctx, err)
	}
	running, stop := ctx, context.CancelFunc(func() {})
	if a.Duration > 0 {
		running, stop = context.WithTimeout(ctx, a.Duration)
	}
	defer stop()
	err := a.agent.Run(running, open)
	if running.Err() != nil && ctx.Err() == nil {
		a.Log.line(fmt.Sprintf("%v are over", a.Duration))
	}
	return errors.Join(err, a.detach())
}

// detach stops the agent if it was loaded. It goes on when the program is about to end.
func (a *Attach) detach() error {
	if !a.loaded {
		return nil
	}
	a.loaded = false
	ctx, cancel := context.WithTimeout(context.Background(), detachLimit)
	defer cancel()
	err := a.load(ctx, a.PID, a.Library, flare.AttachOptions{Stop: true}.String())
	switch {
	case err == nil:
		a.Log.line("the agent in " + a.Title() + " was stopped")
	case errors.Is(err, flare.ErrNoProcess): // so has the agent
		return nil
	default:
		err = fmt.Errorf("the agent could not be stopped; it keeps sampling until %s ends: %w", a.Title(), err)
		a.Log.line(err.Error())
	}
	return err
}

// explain adds advice to an error.
func (a *Attach) explain(err error) error {
	advice := ""
	var refused *flare.RefusedError
	switch {
	case errors.Is(err, flare.ErrNoProcess):
		advice = "It may have ended: `framescope attach` lists the JVMs"
	case errors.Is(err, flare.ErrOtherUser):
		advice = "Run Framescope as the user that the JVM runs as"
	case errors.Is(err, flare.ErrNotJVM):
		advice = "`framescope attach` lists the JVMs"
	case errors.Is(err, flare.ErrInsecure):
		advice = "Nothing was sent to it. Another user made it, or it is a leftover: remove it and try again"
	case errors.Is(err, flare.ErrNoListener):
		advice = "Is it stopped, or in a container with a temporary folder of its own? Try again, or load " +
			"the agent with jcmd inside of it, and then `framescope connect flare HOST:PORT`"
	case errors.As(err, &refused):
		advice = fmt.Sprintf("Is %s built for %s/%s, may the JVM's user read it, and does the JVM see it under this "+
			"path? From Java 21 on the JVM may have to be started with -XX:+EnableDynamicAgentLoading",
			a.Library, runtime.GOOS, runtime.GOARCH)
	default:
		return err
	}
	return fmt.Errorf("%w. %s", err, advice)
}
