package app

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"framescope/app/launch"
	"framescope/net/feed"
	"framescope/net/flare/attach"
	"framescope/widgets"
)

// shown is an input whose first recording is shown as soon as it begins: the user asked for it.
type shown struct {
	launch.Input
	g *Game
}

// Run implements launch.Input.
func (in shown) Run(ctx context.Context, open launch.Opener) error {
	begun := false
	return in.Input.Run(ctx, func(r *launch.Recording) feed.Sink {
		sink := open(r)
		if !begun {
			begun = true
			in.g.sources.later(func(g *Game) { g.showRecording(r, showTicks) })
		}
		return sink
	})
}

// showTicks is how many ticks a recording has to become a session.
const showTicks = 600

// showRecording shows the session of a recording; when there is none yet, it looks again in the next tick.
func (g *Game) showRecording(r *launch.Recording, ticks int) {
	for _, e := range g.hub.Entries() {
		if e.Feed.Owner() == any(r) {
			if g.views[e.Session] != nil {
				g.Select(e.Session)
				return
			}
		}
	}
	if ticks > 0 {
		g.sources.later(func(g *Game) { g.showRecording(r, ticks-1) })
	}
}

// logLine takes a line for the log from any goroutine.
func (s *sources) logLine(line string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.lineCount++; len(s.lines) < maxLogLines {
		s.lines = append(s.lines, line)
	}
}

// askAgent asks for the address of a Flare agent.
func (g *Game) askAgent() {
	p := &widgets.Palette{Name: "Connect to a JVM's agent", Answer: g.connectAgent}
	p.Field.Hint = "HOST:PORT of a Flare agent that listens; Enter connects"
	last := launch.DefaultFlareAgent
	if len(g.settings.Agents) > 0 {
		last = g.settings.Agents[0]
	}
	p.Field.SetText(last)
	for _, addr := range g.settings.Agents {
		p.Items = append(p.Items, widgets.PaletteItem{Name: addr, Run: func() { g.connectAgent(addr) }})
	}
	h := float32(98)
	if n := len(p.Items); n > 0 {
		p.Items[0].Key = "the last one"
		h = 100 + 24*float32(n)
	}
	g.overlay.question(g, p, g.env.Px(480), g.env.Px(h))
}

// connectAgent connects to the agent at an address that the user typed; it returns what is wrong with that.
func (g *Game) connectAgent(text string) (complaint string) {
	addr, err := launch.AgentAddr(text)
	if err != nil {
		return err.Error()
	}
	g.settings.Agents = slices.DeleteFunc(g.settings.Agents, func(s string) bool { return s == addr })
	g.settings.Agents = slices.Insert(g.settings.Agents, 0, addr)
	g.settings.Agents = g.settings.Agents[:min(len(g.settings.Agents), maxAgents)]
	g.settingsChanged = true
	g.tell("Connecting to %s", addr)
	g.bringIn(shown{&launch.Agent{Addr: addr, Log: g.sources.logLine}, g})
	return ""
}

// askJVM lists the Java VMs of this machine to be attached to. Finding them must not stop the game loop.
func (g *Game) askJVM() {
	if g.dialog {
		return
	}
	g.dialog = true
	go func() {
		vms, err := attach.List()
		g.sources.later(func(g *Game) {
			g.dialog = false
			if err != nil {
				g.warn(err)
				return
			}
			g.chooseJVM(vms)
		})
	}()
}

// chooseJVM lets the user choose one of the Java VMs.
func (g *Game) chooseJVM(vms []attach.VM) {
	p := &widgets.Palette{Name: "Attach to a JVM"}
	p.Field.Hint = "type a part of a name, or a process number"
	if len(vms) == 0 {
		p.Empty = []string{"No JVM of yours is running on this machine", "Those of other users can be seen only by them.", "An agent that listens elsewhere: Connect to a JVM's agent…"}
		g.overlay.question(g, p, g.env.Px(440), g.env.Px(150))
		return
	}
	for _, vm := range vms {
		name := vm.Name
		if name == "" {
			name = "(unknown)"
		}
		pid := strconv.Itoa(vm.PID)
		p.Items = append(p.Items, widgets.PaletteItem{Name: strings.ToValidUTF8(name, "\uFFFD"), Key: "process " + pid, Also: pid, Run: func() { g.attachTo(vm) }})
	}
	library := g.agentLibrary()
	choose := widgets.PaletteItem{Name: "Choose the agent library…", Run: func() { g.chooseLibrary(nil) }}
	if library != "" {
		choose.Name, choose.Key = "Choose another agent library…", filepath.Base(library)
	}
	p.Items = append(p.Items, choose)
	g.overlay.question(g, p, g.env.Px(480), g.env.Px(70+24*float32(min(len(p.Items), 14))))
}

// agentLibrary returns the agent library that was named last, empty if none was.
func (g *Game) agentLibrary() string {
	if g.settings.AgentLibrary != "" {
		return g.settings.AgentLibrary
	}
	return os.Getenv(launch.FlareAgentEnv)
}

// attachTo loads the agent library into a Java VM and shows what it samples. A library that is not known yet is asked for.
func (g *Game) attachTo(vm attach.VM) {
	library := g.agentLibrary()
	if library == "" {
		g.tell("Choose the agent library: it comes with Flare")
		g.chooseLibrary(func(g *Game) { g.attachTo(vm) })
		return
	}
	library, err := launch.CheckAgentLibrary(library)
	if err != nil {
		g.warn(fmt.Errorf("%w: choose where it is now", err))
		g.chooseLibrary(func(g *Game) { g.attachTo(vm) })
		return
	}
	in := &launch.Attach{PID: vm.PID, Name: vm.Name, Library: library, Log: g.sources.logLine}
	g.tell("Loading the agent into %s", in.Title())
	g.bringIn(shown{in, g})
}

// chooseLibrary asks for the agent library, remembers it, and goes on with then, if that is not nil.
func (g *Game) chooseLibrary(then func(*Game)) {
	if g.dialog {
		return
	}
	g.dialog = true
	before := g.agentLibrary()
	go func() {
		path, err := chooseAgentLibrary("Choose the Flare agent library", before)
		g.sources.later(func(g *Game) {
			g.dialog = false
			switch {
			case errors.Is(err, errCanceled):
			case err != nil: // no dialog on this system: the path can be typed as well
				g.typeLibrary(then)
			default:
				if complaint := g.takeLibrary(path, then); complaint != "" {
					g.warn(errors.New(complaint))
				}
			}
		})
	}()
}

// typeLibrary is chooseLibrary where there are no file dialogs.
func (g *Game) typeLibrary(then func(*Game)) {
	p := &widgets.Palette{Name: "Flare agent library", Answer: func(text string) string { return g.takeLibrary(text, then) }}
	p.Field.Hint = "the path of libflareagent.so, libflareagent.dylib or flareagent.dll"
	p.Field.SetText(g.agentLibrary())
	g.overlay.question(g, p, g.env.Px(480), g.env.Px(98))
}

// takeLibrary remembers an agent library; it returns what is wrong with it.
func (g *Game) takeLibrary(path string, then func(*Game)) (complaint string) {
	if strings.TrimSpace(path) == "" {
		return "a path is wanted"
	}
	path, err := launch.CheckAgentLibrary(path)
	if err != nil {
		return err.Error()
	}
	g.settings.AgentLibrary = path
	g.settingsChanged = true
	if then == nil {
		g.tell("The agent library is %s", path)
		return ""
	}
	// After the dialog is gone.
	g.sources.later(then)
	return ""
}
