package app

import (
	"cmp"
	"slices"
	"strings"

	"framescope/app/input"
	"framescope/app/layout"
	"framescope/charts/panel"
	"framescope/charts/timeline"
	"framescope/widgets"
)

// groupView is the group of commands that panels bring along.
const groupView = "View"

// panelCommands returns the commands of panels, of one group.
func (n *navigator) panelCommands(defs []panel.Def, group string) (list []input.Command) {
	for _, d := range defs {
		for _, c := range d.Commands {
			if c.View == (group == groupView) {
				run := func() { c.Run(n.ask.Env, n.panelFor(d.ID)) }
				list = append(list, input.Command{ID: c.ID, Name: c.Name, Group: group, Panel: d.ID, Keys: c.Keys, Run: run})
			}
		}
	}
	return list
}

// showCommands returns the commands that bring panels to the front, those with a key first.
func (n *navigator) showCommands(defs []panel.Def, group string) (list []input.Command) {
	for _, d := range defs {
		if d.Home == "" {
			continue
		}
		c := input.Command{ID: "show." + d.ID, Name: cmp.Or(d.Command, d.Title), Group: group, Panel: d.ID, Does: d.Help}
		c.Run = func() { n.show(d.ID) }
		if d.Key != "" {
			c.Keys = []string{d.Key}
		}
		list = append(list, c)
	}
	slices.SortStableFunc(list, func(a, b input.Command) int {
		if len(a.Keys) == 0 || len(b.Keys) == 0 {
			return len(b.Keys) - len(a.Keys)
		}
		return cmp.Compare(a.Keys[0], b.Keys[0])
	})
	return list
}

// trackCommands returns the ways to sort and group tracks.
func (n *navigator) trackCommands(group string) (list []input.Command) {
	for _, o := range timeline.Orders() {
		list = append(list, input.Command{ID: "tracks.order." + string(o.Order), Name: "Tracks: " + strings.ToLower(o.Name),
			Group: group, Run: func() { n.ss.View().Look().SetTrackOrder(o.Order) }})
	}
	for _, g := range timeline.Groupings() {
		list = append(list, input.Command{ID: "tracks.groups." + string(g.By), Name: "Tracks: " + strings.ToLower(g.Name),
			Group: group, Run: func() { n.ss.View().Look().SetTrackGrouping(g.By) }})
	}
	return list
}

// spikeWords find the commands that go from spike to spike.
const spikeWords = "worst hitch slowest"

// commandList is all that the user can do.
func (g *Game) commandList() []input.Command {
	ss, nav, view, defs := g.ss, &g.nav, g.ss.View, defs(g.ss)
	set := g.settingsPage()
	toggle := Toggles{View: view, Ask: &g.ask, Settings: g.settings, Key: nav.keyOf}
	follow := Following{View: view, Ask: &g.ask, KeyOf: nav.keyOf}
	costs := func() {
		nav.openChart("Viewer", widgets.New(func() widgets.Costs {
			c := g.paint.cost.Now()
			ss.Costs(&c)
			return c
		}))
	}
	occurrence := func(dir int) func() {
		return func() {
			if !g.find.occurrence(dir < 0) {
				nav.occurrence(dir)
			}
		}
	}
	frames := func(n int) func() { return func() { view().StepFrame(n) } }
	const inView, time, frame, find, panels, program, bookmarks = groupView, "Time", "Frames", "Find", "Panels", "Program",
		"Bookmarks"
	files := ss.Commands()
	export := input.Command{ID: "export", Name: "Export this panel: rows or picture", Group: files[0].Group,
		Words: "csv tsv json svg png table image", Keys: []string{"Ctrl+E"}, Run: nav.exportPanel, Out: true}
	save := slices.IndexFunc(files, func(c input.Command) bool { return c.ID == "save" })
	files = slices.Insert(files, save, append([]input.Command{export}, g.exports.Commands(files[0].Group)...)...)
	return slices.Concat([]input.Command{
		{ID: "follow", Name: "Pause or follow", Group: inView, Keys: []string{"Space"}, Run: nav.pauseOrFollow,
			Now: input.ByState(func() bool { return view().Live() }, "Pause", "Follow the newest frames")},
		{ID: "live", Name: "Go live", Group: inView, Keys: []string{"L"}, Run: nav.goLive},
		{ID: "fit.selection", Name: "Center the selection (press again to fit)", Group: inView, Keys: []string{"F"},
			Run: func() { view().Steer().CenterSelection() }},
		{ID: "fit.all", Name: "Fit everything", Group: inView, Keys: []string{"0"}, Run: func() { view().Steer().FitAll() }},
		{ID: "zoom.range", Name: "Zoom to the selected range", Group: inView, Keys: []string{"Z"}, Run: nav.zoomToRange},
		{ID: "up", Name: "Up one level", Group: inView, Keys: []string{"Backspace"}, Run: nav.upOneLevel},
		{ID: "descend", Name: "Open the chosen collector's children", Group: inView, Keys: []string{"Enter"},
			Run: nav.descend},
		{ID: "back", Name: "Back", Words: "undo previous", Group: inView, Keys: []string{"Alt+Left", "Ctrl+Z"},
			Run: func() { view().Back() }},
		{ID: "forward", Name: "Forward", Words: "redo next", Group: inView, Keys: []string{"Alt+Right", "Ctrl+Y"},
			Run: func() { view().Forward() }},
	}, nav.panelCommands(defs, inView), toggle.Commands(inView), []input.Command{
		{ID: "show.hidden", Name: "Show all hidden threads and collectors", Group: inView, Keys: []string{"Shift+H"},
			Run: func() { view().Look().ShowAll() }},

		{ID: "tracks.idle", Name: "Hide or show idle tracks", Group: inView, Run: nav.hideIdle,
			Does: "tracks with (almost) no activity in the whole session",
			Now:  input.ByState(func() bool { return view().Look().HidesIdle() }, timeline.ShowIdle, timeline.HideIdle)},
		{ID: "tracks.all", Name: timeline.ShowTracks, Group: inView, Run: nav.showTracks},
		{ID: "hide", Name: "Hide the item under the mouse, or the selection", Group: inView, Keys: []string{"H"},
			Run: nav.hideThing},
		{ID: "copy", Name: "Copy the item under the mouse, or the selection", Group: inView, Keys: []string{"Ctrl+C"},
			Run: nav.copyThing},
		{ID: "source.open", Name: "Open the source in the editor", Words: "file line code goto", Group: inView, Out: true,
			Run: nav.sourcePlace(nav.source.open)},
		{ID: "source.copy", Name: "Copy file and line of the source", Group: inView, Run: nav.sourcePlace(nav.source.copy)},
	}, nav.trackCommands(inView), nav.panelCommands(defs, panels), nav.showCommands(defs, panels),
		nav.queryCommands(panels), []input.Command{
			{ID: "frame.previous", Name: "Previous frame or span", Group: frame, Keys: []string{"Left"}, Run: frames(-1)},
			{ID: "frame.next", Name: "Next frame or span", Group: frame, Keys: []string{"Right"}, Run: frames(1)},
			{ID: "frame.back10", Name: "10 frames or spans back", Group: frame, Keys: []string{"Ctrl+Left"}, Run: frames(-10)},
			{ID: "frame.on10", Name: "10 frames or spans forward", Group: frame, Keys: []string{"Ctrl+Right"}, Run: frames(10)},
			{ID: "frame.moreleft", Name: "Extend the selection left by one frame", Group: frame, Keys: []string{"Shift+Left"},
				Run: func() { view().Extend(-1) }},
			{ID: "frame.moreright", Name: "Extend the selection right by one frame", Group: frame, Keys: []string{"Shift+Right"},
				Run: func() { view().Extend(1) }},
			{ID: "frame.pageleft", Name: "Extend the selection left by one screen", Group: frame,
				Keys: []string{"Ctrl+Shift+Left"}, Run: func() { view().ExtendPage(-1) }},
			{ID: "frame.pageright", Name: "Extend the selection right by one screen", Group: frame,
				Keys: []string{"Ctrl+Shift+Right"}, Run: func() { view().ExtendPage(1) }},
			{ID: "frame.tofirst", Name: "Extend the selection to the first frame", Group: frame, Keys: []string{"Shift+Home"},
				Run: func() { view().ExtendAll(-1) }},
			{ID: "frame.tolast", Name: "Extend the selection to the last frame", Group: frame, Keys: []string{"Shift+End"},
				Run: func() { view().ExtendAll(1) }},
			{ID: "frame.first", Name: "First frame, or start", Group: frame, Keys: []string{"Home"},
				Run: func() { view().GoFirst() }},
			{ID: "frame.last", Name: "Last frame, or end", Group: frame, Keys: []string{"End"}, Run: func() { view().GoLast() }},
			{ID: "time.previous", Name: "Previous screen of time", Group: time, Keys: []string{"PgUp"},
				Run: func() { view().Steer().Page(-1) }},
			{ID: "time.next", Name: "Next screen of time", Group: time, Keys: []string{"PgDn"},
				Run: func() { view().Steer().Page(1) }},
			{ID: "goto", Name: "Go to frame, time or range", Group: frame, Keys: []string{"G"}, Run: nav.askFrame},
			{ID: "spike.next", Name: "Next spike", Words: spikeWords, Group: frame, Keys: []string{"N"},
				Run: func() { nav.spike(1) }},
			{ID: "spike.previous", Name: "Previous spike", Words: spikeWords, Group: frame, Keys: []string{"Shift+N"},
				Run: func() { nav.spike(-1) }},
			{ID: "spike.cause", Name: "Spikes of the same cause, or all", Group: frame, Keys: []string{"Ctrl+N"},
				Run: nav.cause},
		}, nav.places.Commands(bookmarks), follow.Commands(find), []input.Command{
			{ID: "find", Name: "Find a collector, frame, thread or command", Group: find, Keys: []string{"/", "Ctrl+F"},
				Run: g.find.open},
			{ID: "messages.filter", Name: "Filter messages by level, category, thread or text", Group: find,
				Run: nav.askMessageFilter},
			{ID: "occurrence.next", Name: "Next hit of the search, or occurrence of the chosen collector", Group: find,
				Keys: []string{"."}, Run: occurrence(1)},
			{ID: "occurrence.previous", Name: "Previous hit of the search, or occurrence of the chosen collector", Group: find,
				Keys: []string{","}, Run: occurrence(-1)},
			{ID: "palette", Name: "All commands", Group: find, Keys: []string{"Ctrl+Shift+P"}, Run: g.find.commands, Shy: true},

			{ID: "measure", Name: "Next measure: time, CPU, samples", Group: inView, Keys: []string{"M"},
				Run: func() { view().Look().CycleMeasure() }},
			{ID: "open.strip", Name: "Strip chart of the chosen collector", Group: panels, Run: nav.openStrip},
			{ID: "open.flame", Name: "Flame graph of the chosen collector", Group: panels, Run: nav.openFlame},
			{ID: "open.costs", Name: "Cost of the viewer itself", Group: panels, Run: costs},
			{ID: "fill", Name: "Maximize or restore this panel", Group: panels, Keys: []string{"Ctrl+M"}, Run: g.desk.Fill},
			{ID: "rail", Name: "Show or hide the lists at the left", Group: panels, Keys: []string{"Ctrl+B"},
				Run: func() { g.desk.ToggleSide(layout.Left) }},
			{ID: "inspector", Name: "Show or hide the inspector", Group: panels, Keys: []string{"Ctrl+I"},
				Run: func() { g.desk.ToggleSide(layout.Right) }},
		}, g.spaces.commands("Workspaces"), g.compare.Commands("Compare"),
		g.budgets.Commands("Budgets", func() (panel.Hit, bool) { return g.under.hit, g.under.some }), files, []input.Command{
			{ID: ToolbarMore, Name: "More controls", Group: program, Run: g.openMore, Shy: true},
			{ID: "settings", Name: "Settings", Group: program, Keys: []string{"Ctrl+,"}, Run: set.open},
			{ID: "help", Name: "Keys and mouse", Group: program, Keys: []string{"F1", "?"}, Run: g.openHelp},
			{ID: "size.larger", Name: "Interface: larger", Group: program, Keys: []string{"Ctrl++", "Ctrl+Shift++"},
				Run: func() { set.rescale(1) }},
			{ID: "size.smaller", Name: "Interface: smaller", Group: program, Keys: []string{"Ctrl+-"},
				Run: func() { set.rescale(-1) }},
			{ID: "size.normal", Name: "Interface: normal size", Group: program, Keys: []string{"Ctrl+0"},
				Run: func() { set.rescale(0) }},
			{ID: "fullscreen", Name: "Full screen", Group: program, Keys: []string{"F11"}, Out: true,
				Run: fillScreen},
			{ID: "escape", Name: "Close the menu, dialog or panel", Group: program, Keys: []string{"Esc"}, Run: g.escape,
				Shy: true},
			{ID: "quit", Name: "Quit", Group: program, Keys: []string{"Ctrl+Q"}, Run: func() { g.end.quit = true }, Out: true},
		})
}

// openMore lists the tool bar's things without room, below its button.
func (g *Game) openMore() {
	menu := &widgets.Menu{Name: "More"}
	for _, it := range g.bars.top.Left() {
		menu.Items = append(menu.Items, widgets.MenuItem{
			Label: g.commands.Name(it.Command), Key: g.commands.Key(it.Command), Off: it.Off,
			On:  it.ID == "workspace."+g.desk.Workspace(),
			Run: func() { g.commands.Run(it.Command) },
		})
	}
	g.ask.OpenMenu(menu, g.mouse.X, g.stage.env.Px(ToolbarHeight))
}
