package app

import (
	"cmp"
	"slices"

	"github.com/hajimehoshi/ebiten/v2"

	"framescope/app/input"
	"framescope/widgets"
)

// command is something that the user can do. Keys, tool bar, palette and the overlay of keys all go by this one table.
type command struct {
	name  string
	group string
	keys  []string // the first is shown
	run   func(g *Game)
	shy   bool // not in the palette: makes no sense there
	out   bool // reaches out of the window: a dialog of the system, another program, its end
}

// The groups of commands that panels bring along.
const groupView, groupPanels = "View", "Panels"

// panelCommands returns what one can do with panels, of one group.
func (g *Game) panelCommands(group string) (list []command) {
	for _, d := range g.defs() {
		for _, c := range d.Commands {
			if c.View == (group == groupView) {
				run := func(g *Game) { c.Run(&g.env, g.panelFor(d.ID)) }
				list = append(list, command{name: c.Name, group: group, keys: c.Keys, run: run})
			}
		}
	}
	return list
}

// showCommands returns the commands that bring panels to the front, those with a key first.
func (g *Game) showCommands(group string) (list []command) {
	for _, d := range g.defs() {
		if d.Home == "" {
			continue
		}
		c := command{name: cmp.Or(d.Command, d.Title), group: group, run: func(g *Game) { g.showPanel(d.ID) }}
		if d.Key != "" {
			c.keys = []string{d.Key}
		}
		list = append(list, c)
	}
	slices.SortStableFunc(list, func(a, b command) int {
		if len(a.keys) == 0 || len(b.keys) == 0 {
			return len(b.keys) - len(a.keys)
		}
		return cmp.Compare(a.keys[0], b.keys[0])
	})
	return list
}

// makeCommands fills the table.
func (g *Game) makeCommands() {
	frames := func(n int) func(*Game) { return func(g *Game) { g.View().StepFrame(n) } }
	const view, time, frame, find, panels, file, program = groupView, "Time", "Frames", "Find", groupPanels, "Files", "Program"
	g.commands = slices.Concat([]command{
		{name: "Pause or follow", group: view, keys: []string{"Space"}, run: (*Game).pauseOrFollow},
		{name: "Go live", group: view, keys: []string{"L"}, run: (*Game).goLive},
		{name: "Fit the selection", group: view, keys: []string{"F"}, run: func(g *Game) { g.View().FitSelection() }},
		{name: "Fit everything", group: view, keys: []string{"0"}, run: func(g *Game) { g.View().FitAll() }},
		{name: "Zoom to the selected range", group: view, keys: []string{"Z"}, run: (*Game).zoomToRange},
		{name: "Up one level", group: view, keys: []string{"Backspace"}, run: (*Game).upOneLevel},
		{name: "Open the chosen collector's children", group: view, keys: []string{"Enter"}, run: (*Game).descend},
		{name: "Back", group: view, keys: []string{"Alt+Left", "Ctrl+Z"}, run: func(g *Game) { g.View().Back() }},
		{name: "Forward", group: view, keys: []string{"Alt+Right", "Ctrl+Y"}, run: func(g *Game) { g.View().Forward() }},
	}, g.panelCommands(view), []command{
		{name: "Show or hide interpolated frames", group: view, keys: []string{"I"}, run: func(g *Game) { v := g.View(); v.SetShowInterpolated(!v.ShowInterpolated()) }},
		{name: "Limit the timeline's depth", group: view, keys: []string{"X"}, run: func(g *Game) { g.View().CycleDepth() }},
		{name: "Show or hide counters in the timeline", group: view, run: func(g *Game) { v := g.View(); v.SetShowCounters(!v.ShowCounters()) }},
		{name: "Show all hidden threads and collectors", group: view, keys: []string{"Shift+H"}, run: func(g *Game) { g.View().ShowAll() }},

		{name: "Hide what is under the mouse, or chosen", group: view, keys: []string{"H"}, run: (*Game).hideThing},
		{name: "Tooltips on or off", group: view, keys: []string{"T"}, run: func(g *Game) { g.settings.Tooltips = !g.settings.Tooltips; g.settingsChanged = true }},
		{name: "Copy what is under the mouse, or chosen", group: view, keys: []string{"Ctrl+C"}, run: (*Game).copyThing},
	}, g.panelCommands(panels), g.showCommands(panels), []command{
		{name: "Previous frame or span", group: frame, keys: []string{"Left"}, run: frames(-1)},
		{name: "Next frame or span", group: frame, keys: []string{"Right"}, run: frames(1)},
		{name: "10 frames or spans back", group: frame, keys: []string{"Ctrl+Left"}, run: frames(-10)},
		{name: "10 frames or spans on", group: frame, keys: []string{"Ctrl+Right"}, run: frames(10)},
		{name: "Select one frame more at the left", group: frame, keys: []string{"Shift+Left"}, run: func(g *Game) { g.View().Extend(-1) }},
		{name: "Select one frame more at the right", group: frame, keys: []string{"Shift+Right"}, run: func(g *Game) { g.View().Extend(1) }},
		{name: "First frame, or the begin", group: frame, keys: []string{"Home"}, run: func(g *Game) { g.View().GoFirst() }},
		{name: "Last frame, or the end", group: frame, keys: []string{"End"}, run: func(g *Game) { g.View().GoLast() }},
		{name: "Previous screen of time", group: time, keys: []string{"PgUp"}, run: func(g *Game) { g.View().Page(-1) }},
		{name: "Next screen of time", group: time, keys: []string{"PgDn"}, run: func(g *Game) { g.View().Page(1) }},
		{name: "Go to frame or time", group: frame, keys: []string{"G"}, run: (*Game).askFrame},
		{name: "Next spike", group: frame, keys: []string{"N"}, run: func(g *Game) { g.spike(1) }},
		{name: "Previous spike", group: frame, keys: []string{"Shift+N"}, run: func(g *Game) { g.spike(-1) }},

		{name: "Find a collector", group: find, keys: []string{"/", "Ctrl+F"}, run: (*Game).find},
		{name: "Next occurrence of the chosen collector", group: find, keys: []string{"."}, run: func(g *Game) { g.occurrence(1) }},
		{name: "Previous occurrence of the chosen collector", group: find, keys: []string{","}, run: func(g *Game) { g.occurrence(-1) }},
		{name: "All commands", group: find, keys: []string{"Ctrl+Shift+P"}, run: (*Game).palette, shy: true},

		{name: "Next measure: time, CPU, samples", group: view, keys: []string{"M"}, run: func(g *Game) { g.View().CycleMeasure() }},
		{name: "Strip chart of the chosen collector", group: panels, run: (*Game).openStrip},
		{name: "Flame graph of the chosen collector", group: panels, run: (*Game).openFlame},
		{name: "What the viewer itself costs", group: panels, run: (*Game).openMetrics},
		{name: "Let this panel fill the window, and back", group: panels, keys: []string{"Ctrl+M"}, run: func(g *Game) { g.desk.Fill() }},
		{name: "Reset the layout", group: panels, run: (*Game).resetLayout},

		{name: "Open a recording", group: file, keys: []string{"Ctrl+O"}, run: (*Game).askOpen, out: true},
		{name: "Open the last recording again", group: file, keys: []string{"Ctrl+Shift+O"}, run: (*Game).reopen, out: true},
		{name: "Sessions on disk", group: file, keys: []string{"Ctrl+Shift+S"}, run: (*Game).showDisk},
		{name: "Open from disk what has left memory", group: file, keys: []string{keyOfElsewhere}, run: (*Game).openElsewhere, out: true},
		{name: "Save the session", group: file, keys: []string{"Ctrl+S"}, run: (*Game).saveAs, out: true},
		{name: "Record", group: file, run: (*Game).toggleRecord, out: true},
		{name: "Listen again", group: file, run: (*Game).ListenAgain},
		{name: "Connect to a JVM's agent…", group: file, run: (*Game).askAgent, out: true},
		{name: "Attach to a JVM…", group: file, run: (*Game).askJVM, out: true},

		{name: "Settings", group: program, keys: []string{"Ctrl+,"}, run: func(g *Game) { g.overlay.openSettings(g) }},
		{name: "Keys and mouse", group: program, keys: []string{"F1", "?"}, run: func(g *Game) { g.overlay.openHelp(g) }},
		{name: "Larger", group: program, keys: []string{"Ctrl++", "Ctrl+Shift++"}, run: func(g *Game) { g.rescale(1) }},
		{name: "Smaller", group: program, keys: []string{"Ctrl+-"}, run: func(g *Game) { g.rescale(-1) }},
		{name: "Normal size", group: program, keys: []string{"Ctrl+0"}, run: func(g *Game) { g.rescale(0) }},
		{name: "Full screen", group: program, keys: []string{"F11"}, run: func(*Game) { ebiten.SetFullscreen(!ebiten.IsFullscreen()) }, out: true},
		{name: "Close what is open", group: program, keys: []string{"Esc"}, run: (*Game).escape, shy: true},
		{name: "Quit", group: program, keys: []string{"Ctrl+Q"}, run: func(g *Game) { g.quit = true }, out: true},
	})
	g.byChord = map[input.Chord]int{}
	for i, c := range g.commands {
		if c.out && g.opt.Checked {
			g.commands[i].run = func(*Game) {}
		}
		for _, k := range c.keys {
			g.byChord[input.ParseChord(k)] = i
		}
	}
}

// run does a command by its name.
func (g *Game) run(name string) {
	for i := range g.commands {
		if g.commands[i].name == name {
			g.commands[i].run(g)
			return
		}
	}
}

// typing tells whether a text field has the keyboard.
func (g *Game) typing() bool { return g.top.search.Focused() || g.overlay.ask != nil }

// handleKeys runs the commands whose keys were struck.
func (g *Game) handleKeys() {
	if g.overlay.help {
		if g.overlay.since != g.tick && (len(g.keys.Chords) > 0 || g.mouse.AnyPressed()) {
			g.overlay.help = false
		}
		return
	}
	if m := g.menu(); m != nil && m.Question() {
		for _, c := range g.keys.Chords {
			if g.menuKeys(c); g.menu() != m {
				return // the rest of what was struck is not meant for what is below it
			}
		}
		return
	}
	if g.typing() {
		g.type_()
		return
	}
	for _, c := range g.keys.Chords {
		if g.menuKeys(c) || g.panelKeys(c) {
			continue
		}
		if i, ok := g.byChord[c]; ok {
			g.commands[i].run(g)
		}
		if g.typing() {
			return // the rest of what was struck is not meant for the field
		}
	}
}

// menu returns the menu or the question that lies above everything, nil if there is none.
func (g *Game) menu() *widgets.Menu {
	if t := g.desk.Find(paneMenu); t != nil {
		return t.Panel.(*widgets.Menu)
	}
	return nil
}

// menuKeys gives a key to the open menu; true: it was its.
func (g *Game) menuKeys(c input.Chord) bool {
	m := g.menu()
	if m == nil {
		return false
	}
	if c.Ctrl || c.Alt {
		return m.Question()
	}
	return m.Key(c.Key)
}

// type_ gives the keyboard to the text field that has it.
func (g *Game) type_() {
	has := g.keys.Struck
	if p := g.overlay.ask; p != nil {
		switch {
		case has("esc"):
			g.overlay.closeDialog(g)
		case has("enter"):
			p.Enter()
		case has("down"):
			p.Move(1)
		case has("up"):
			p.Move(-1)
		default:
			p.Field.Update(int(g.mouse.X), int(g.mouse.Y))
		}
		return
	}
	f := &g.top.search
	switch {
	case has("esc"):
		f.SetText("")
		f.Focus(false)
	case has("enter"):
		g.findNext(g.keys.Shift)
	default:
		f.Update(int(g.mouse.X), int(g.mouse.Y))
	}
}

// escape closes the top-most transient: menu, dialog, notice, the list of sessions on disk, search, selection, in that order.
func (g *Game) escape() {
	switch {
	case g.overlay.closeMenu(g):
	case g.notice.dismiss():
	case g.desk.Close(paneDisk):
	case g.top.search.Text() != "":
		g.top.search.SetText("")
	case g.desk.Unfill():
	default:
		g.View().Unselect()
	}
}
