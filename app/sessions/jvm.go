package sessions

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"framescope/app/launch"
	"framescope/net/feed"
	"framescope/net/flare"
	"framescope/widgets"
)

// shown is an input that shows its first recording at once: the user opened it.
type shown struct {
	launch.Input
	ss *Sessions
}

// Run implements launch.Input.
func (in shown) Run(ctx context.Context, open launch.Opener) error {
	begun := false
	return in.Input.Run(ctx, func(r *launch.Recording) feed.Sink {
		sink := open(r)
		if !begun {
			begun = true
			in.ss.sources.later(func() { in.ss.showRecording(r, showTicks) })
		}
		return sink
	})
}

// showTicks is how many ticks a recording has to become a session.
const showTicks = 600

// showRecording shows the session of a recording; before there is one, it looks again in the next tick.
func (ss *Sessions) showRecording(r *launch.Recording, ticks int) {
	for _, e := range ss.hub.Entries() {
		if ownerOf(e.Feed).in == r && ss.views[e.Session] != nil {
			ss.Select(e.Session)
			return
		}
	}
	if ticks > 0 {
		ss.sources.later(func() { ss.showRecording(r, ticks-1) })
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

// askJVM lists the Java VMs of this machine to be attached to. Finding them must not stop the game
// loop.
func (ss *Sessions) askJVM() {
	ss.inDialog(func() func() {
		vms, err := flare.ListVMs()
		return func() {
			if err != nil {
				ss.ask.Warn(err)
				return
			}
			ss.chooseJVM(vms)
		}
	})
}

// chooseJVM lets the user choose one of the Java VMs.
func (ss *Sessions) chooseJVM(vms []flare.VM) {
	p := &widgets.Palette{Name: "Attach to a JVM", Does: "Attach"}
	p.Field.Hint = "type part of a name, or a process number"
	if len(vms) == 0 {
		p.Empty = []string{"No JVM of yours is running on this machine",
			"JVMs of other users are visible to them only.",
			"An agent that listens elsewhere: Connect to a JVM's agent…"}
		ss.ask.Ask(p, 440)
		return
	}
	for _, vm := range vms {
		name := vm.Name
		if name == "" {
			name = "(unknown)"
		}
		pid := strconv.Itoa(vm.PID)
		p.Items = append(p.Items, widgets.PaletteItem{Name: strings.ToValidUTF8(name, "\uFFFD"), Key: "process " + pid,
			Also: pid, Run: func() { ss.attachTo(vm) }})
	}
	library := ss.agentLibrary()
	choose := widgets.PaletteItem{Name: "Choose the agent library…", Run: func() { ss.chooseLibrary(nil) }}
	if library != "" {
		choose.Name, choose.Key = "Choose another agent library…", filepath.Base(library)
	}
	p.Items = append(p.Items, choose)
	ss.ask.Ask(p, 480)
}

// agentLibrary returns the agent library that was named last, empty if none was.
func (ss *Sessions) agentLibrary() string {
	if ss.settings.AgentLibrary != "" {
		return ss.settings.AgentLibrary
	}
	return os.Getenv(launch.FlareAgentEnv)
}

// attachTo loads the agent library into a Java VM and shows its samples. It asks for an unknown
// library.
func (ss *Sessions) attachTo(vm flare.VM) {
	library := ss.agentLibrary()
	if library == "" {
		ss.ask.Notify("Choose the agent library: it comes with Flare")
		ss.chooseLibrary(func() { ss.attachTo(vm) })
		return
	}
	library, err := flare.CheckAgentLibrary(library)
	if err != nil {
		ss.ask.Warn(fmt.Errorf("%w: choose its new place", err))
		ss.chooseLibrary(func() { ss.attachTo(vm) })
		return
	}
	in := &launch.Attach{PID: vm.PID, Name: vm.Name, Library: library, Log: ss.sources.logLine}
	ss.ask.Notify("Loading the agent into %s", in.Title())
	ss.bringIn(shown{in, ss})
}

// chooseLibrary asks for the agent library, remembers it, and goes on with then, if that is not
// nil.
func (ss *Sessions) chooseLibrary(then func()) {
	before := ss.agentLibrary()
	ss.inDialog(func() func() {
		path, err := AskLibrary("Choose the Flare agent library", before)
		return func() {
			switch {
			case errors.Is(err, ErrCanceled):
			case err != nil: // no dialog on this system: the path can be typed as well
				ss.typeLibrary(then)
			default:
				if complaint := ss.takeLibrary(path, then); complaint != "" {
					ss.ask.Warn(errors.New(complaint))
				}
			}
		}
	})
}

// typeLibrary is chooseLibrary where there are no file dialogs.
func (ss *Sessions) typeLibrary(then func()) {
	p := &widgets.Palette{Name: "Flare agent library", Answer: func(text string) string {
		return ss.takeLibrary(text, then)
	}}
	p.Field.Hint = "the path of libflareagent.so, libflareagent.dylib or flareagent.dll"
	p.Field.SetText(ss.agentLibrary())
	ss.ask.Ask(p, 480)
}

// takeLibrary remembers an agent library; it returns a complaint about it.
func (ss *Sessions) takeLibrary(path string, then func()) (complaint string) {
	if strings.TrimSpace(path) == "" {
		return "enter a path"
	}
	path, err := flare.CheckAgentLibrary(path)
	if err != nil {
		return err.Error()
	}
	ss.settings.AgentLibrary = path
	ss.settings.Touch()
	if then == nil {
		ss.ask.Notify("The agent library is %s", path)
		return ""
	}
	// After the dialog is gone.
	ss.sources.later(then)
	return ""
}
