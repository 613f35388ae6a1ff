package app

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/hajimehoshi/ebiten/v2"

	"framescope/charts"
	"framescope/model"
	"framescope/widgets"
)

// command is something that the user can do. Keys, tool bar, palette and the overlay of keys all go by this one table.
type command struct {
	name  string
	group string
	keys  []string // the first is shown
	run   func(g *Game)
	shy   bool // not in the palette: makes no sense there
}

// makeCommands fills the table.
func (g *Game) makeCommands() {
	frames := func(n int) func(*Game) { return func(g *Game) { g.stepFrames(n) } }
	panel := func(id string) func(*Game) { return func(g *Game) { g.showPanel(id) } }
	const view, time, frame, find, panels, file, program = "View", "Time", "Frames", "Find", "Panels", "Files", "Program"
	g.commands = []command{
		{name: "Pause or follow", group: view, keys: []string{"Space"}, run: (*Game).pauseOrFollow},
		{name: "Go live", group: view, keys: []string{"L"}, run: (*Game).goLive},
		{name: "Fit the selection", group: view, keys: []string{"F"}, run: func(g *Game) { g.View().FitSelection() }},
		{name: "Fit everything", group: view, keys: []string{"0"}, run: func(g *Game) { g.View().FitAll() }},
		{name: "Zoom to the selected range", group: view, keys: []string{"Z"}, run: (*Game).zoomToRange},
		{name: "Up one level", group: view, keys: []string{"Backspace"}, run: (*Game).upOneLevel},
		{name: "Open the chosen collector's children", group: view, keys: []string{"Enter"}, run: (*Game).descend},
		{name: "Back", group: view, keys: []string{"Alt+Left", "Ctrl+Z"}, run: func(g *Game) { g.View().Back() }},
		{name: "Forward", group: view, keys: []string{"Alt+Right", "Ctrl+Y"}, run: func(g *Game) { g.View().Forward() }},
		{name: "Lock the flame graph's scale", group: view, keys: []string{"K"}, run: func(g *Game) { g.work.flame.ToggleLock(&g.env) }},
		{name: "Show or hide interpolated frames", group: view, keys: []string{"I"}, run: func(g *Game) { v := g.View(); v.ShowInterpolated = !v.ShowInterpolated }},
		{name: "Limit the timeline's depth", group: view, keys: []string{"X"}, run: func(g *Game) { g.View().CycleDepth() }},
		{name: "Show or hide counters in the timeline", group: view, run: func(g *Game) { v := g.View(); v.ShowCounters = !v.ShowCounters }},
		{name: "Show all hidden threads and collectors", group: view, keys: []string{"Shift+H"}, run: func(g *Game) { g.View().ShowAll() }},

		{name: "Hide what is under the mouse, or chosen", group: view, keys: []string{"H"}, run: (*Game).hideThing},
		{name: "Tooltips on or off", group: view, keys: []string{"T"}, run: func(g *Game) { g.settings.Tooltips = !g.settings.Tooltips; g.settingsChanged = true }},
		{name: "Copy what is under the mouse, or chosen", group: view, keys: []string{"Ctrl+C"}, run: (*Game).copyThing},
		{name: "Flame graph: to the caller", group: panels, keys: []string{"Up"}, run: func(g *Game) { g.flame().Parent(&g.env) }},
		{name: "Flame graph: into the first callee", group: panels, keys: []string{"Down"}, run: func(g *Game) { g.flame().FirstChild(&g.env) }},

		{name: "Previous frame", group: frame, keys: []string{"Left"}, run: frames(-1)},
		{name: "Next frame", group: frame, keys: []string{"Right"}, run: frames(1)},
		{name: "10 frames back", group: frame, keys: []string{"Ctrl+Left"}, run: frames(-10)},
		{name: "10 frames on", group: frame, keys: []string{"Ctrl+Right"}, run: frames(10)},
		{name: "Select one frame more at the left", group: frame, keys: []string{"Shift+Left"}, run: func(g *Game) { g.extendFrames(-1) }},
		{name: "Select one frame more at the right", group: frame, keys: []string{"Shift+Right"}, run: func(g *Game) { g.extendFrames(1) }},
		{name: "First frame", group: frame, keys: []string{"Home"}, run: func(g *Game) { g.View().SelectFrames(0, 0) }},
		{name: "Last frame", group: frame, keys: []string{"End"}, run: (*Game).lastFrame},
		{name: "Previous screen of time", group: time, keys: []string{"PgUp"}, run: func(g *Game) { g.page(-1) }},
		{name: "Next screen of time", group: time, keys: []string{"PgDn"}, run: func(g *Game) { g.page(1) }},
		{name: "Go to frame or time", group: frame, keys: []string{"G"}, run: (*Game).askFrame},
		{name: "Next spike", group: frame, keys: []string{"N"}, run: func(g *Game) { g.spike(1) }},
		{name: "Previous spike", group: frame, keys: []string{"Shift+N"}, run: func(g *Game) { g.spike(-1) }},

		{name: "Find a collector", group: find, keys: []string{"/", "Ctrl+F"}, run: (*Game).find},
		{name: "Next occurrence of the chosen collector", group: find, keys: []string{"."}, run: func(g *Game) { g.occurrence(1) }},
		{name: "Previous occurrence of the chosen collector", group: find, keys: []string{","}, run: func(g *Game) { g.occurrence(-1) }},
		{name: "All commands", group: find, keys: []string{"Ctrl+Shift+P"}, run: (*Game).palette, shy: true},

		{name: "Timeline", group: panels, keys: []string{"1"}, run: panel("timeline")},
		{name: "Flame graph", group: panels, keys: []string{"2"}, run: panel("flame")},
		{name: "Piano roll", group: panels, keys: []string{"3"}, run: panel("piano")},
		{name: "Strip chart", group: panels, keys: []string{"4"}, run: panel("strip")},
		{name: "Statistics", group: panels, keys: []string{"5"}, run: panel("statistics")},
		{name: "Strip chart of the chosen collector", group: panels, run: (*Game).openStrip},
		{name: "Flame graph of the chosen collector", group: panels, run: (*Game).openFlame},
		{name: "What the viewer itself costs", group: panels, run: (*Game).openMetrics},
		{name: "Reset the layout", group: panels, run: (*Game).resetLayout},

		{name: "Open a recording", group: file, keys: []string{"Ctrl+O"}, run: (*Game).askOpen},
		{name: "Open the last recording again", group: file, keys: []string{"Ctrl+Shift+O"}, run: (*Game).reopen},
		{name: "Save the session", group: file, keys: []string{"Ctrl+S"}, run: (*Game).saveAs},
		{name: "Record", group: file, run: (*Game).toggleRecord},

		{name: "Settings", group: program, keys: []string{"Ctrl+,"}, run: func(g *Game) { g.overlay.openSettings(g) }},
		{name: "Keys and mouse", group: program, keys: []string{"F1", "?"}, run: func(g *Game) { g.overlay.openHelp(g) }},
		{name: "Larger", group: program, keys: []string{"Ctrl++", "Ctrl+Shift++"}, run: func(g *Game) { g.rescale(1) }},
		{name: "Smaller", group: program, keys: []string{"Ctrl+-"}, run: func(g *Game) { g.rescale(-1) }},
		{name: "Normal size", group: program, keys: []string{"Ctrl+0"}, run: func(g *Game) { g.rescale(0) }},
		{name: "Full screen", group: program, keys: []string{"F11"}, run: func(*Game) { ebiten.SetFullscreen(!ebiten.IsFullscreen()) }},
		{name: "Close what is open", group: program, keys: []string{"Esc"}, run: (*Game).escape, shy: true},
		{name: "Quit", group: program, keys: []string{"Ctrl+Q"}, run: func(g *Game) { g.quit = true }},
	}
	g.byChord = map[chord]int{}
	for i, c := range g.commands {
		for _, k := range c.keys {
			g.byChord[parseChord(k)] = i
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
		if g.overlay.since != g.tick && (len(g.keys.chords) > 0 || g.mouse.anyPressed()) {
			g.overlay.help = false
		}
		return
	}
	if g.typing() {
		g.type_()
		return
	}
	for _, c := range g.keys.chords {
		if i, ok := g.byChord[c]; ok {
			g.commands[i].run(g)
		}
		if g.typing() {
			return // the rest of what was struck is not meant for the field
		}
	}
}

// type_ gives the keyboard to the text field that has it.
func (g *Game) type_() {
	has := func(k string) bool {
		for _, c := range g.keys.chords {
			if c.key == k {
				return true
			}
		}
		return false
	}
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
			p.Field.Update(int(g.mouse.x), int(g.mouse.y))
		}
		return
	}
	f := &g.top.search
	switch {
	case has("esc"):
		f.SetText("")
		f.Focus(false)
	case has("enter"):
		g.findNext(g.keys.shift)
	default:
		f.Update(int(g.mouse.x), int(g.mouse.y))
	}
}

// escape closes the top-most transient: menu, dialog, notice, search, selection, in that order.
func (g *Game) escape() {
	switch {
	case g.overlay.closeMenu(g):
	case g.notice.dismiss():
	case g.top.search.Text() != "":
		g.top.search.SetText("")
	default:
		// The span and the collector first, then a run of frames; one frame always stays chosen.
		v := g.View()
		switch {
		case v.HasSpan || v.Collector != model.NoCollector:
			v.HasSpan, v.Collector = false, model.NoCollector
		case v.FrameA < 0 && v.RangeB > v.RangeA:
			v.ClearSelection() // a range inside a gap
		case v.FrameB > v.FrameA, v.FrameA >= 0 && !v.RangeIsFrames():
			v.SelectFrames(v.FrameA, v.FrameA)
		}
	}
}

func (g *Game) pauseOrFollow() {
	v := g.View()
	if !g.liveSession() {
		return
	}
	if v.Live {
		v.Live = false
	} else {
		v.GoLive()
	}
}

func (g *Game) goLive() {
	if g.liveSession() {
		g.View().GoLive()
	}
}

func (g *Game) stepFrames(n int) { g.View().StepFrame(n) }

func (g *Game) extendFrames(n int) {
	v := g.View()
	if v.FrameA < 0 {
		v.StepFrame(n)
		return
	}
	a, b := v.FrameA, v.FrameB
	if n < 0 {
		a += n
	} else {
		b += n
	}
	v.SelectFrames(a, b)
}

func (g *Game) lastFrame() {
	v := g.View()
	if v.Session == nil {
		return
	}
	if t := v.Session.Track(v.Track); t != nil {
		v.SelectFrames(t.NumFrames()-1, t.NumFrames()-1)
	}
}

func (g *Game) page(dir float64) {
	v := g.View()
	if !v.Time.Valid() {
		return
	}
	v.Live = false
	b, e := v.Time.Target()
	w := (e - b) * dir
	v.Time.Set(b+w, e+w, g.env.Animate, g.env.NowNs)
}

func (g *Game) zoomToRange() {
	if v := g.View(); v.RangeB > v.RangeA {
		v.ZoomTo(v.RangeA, v.RangeB)
	}
}

// upOneLevel leads back to where one came from: the parent in the flame graph or strip chart under the mouse, else the view before.
func (g *Game) upOneLevel() {
	if p := g.keyPane(); p != nil {
		switch c := chartOf(p).(type) {
		case interface{ Ascend(*env) bool }:
			if c.Ascend(&g.env) {
				return
			}
		case interface{ Parent(*env) bool }:
			if c.Parent(&g.env) {
				return
			}
		}
	}
	g.View().Back()
}

// descend opens the children of the chosen collector in the strip chart.
func (g *Game) descend() {
	v := g.View()
	if v.Collector == model.NoCollector {
		g.tell("Choose a collector first, by a click on a bar or a name")
		return
	}
	g.work.strip.Descend(v.Collector)
	g.showPanel("strip")
}

// flame returns the flame graph that keys go to: the one under the mouse, else the docked one.
func (g *Game) flame() *charts.FlameGraph {
	if p := g.keyPane(); p != nil {
		if f, ok := chartOf(p).(*charts.FlameGraph); ok {
			return f
		}
	}
	return g.work.flame
}

// thing returns the collector under the mouse, else the chosen one.
func (g *Game) thing() model.CollectorID {
	switch g.hit.Kind {
	case charts.HitSpan, charts.HitMerged, charts.HitBand, charts.HitNode, charts.HitRun:
		return g.hit.Collector
	}
	return g.View().Collector
}

// hideThing hides a collector, or the thread whose label is under the mouse.
func (g *Game) hideThing() {
	v := g.View()
	if v.Session == nil {
		return
	}
	if g.hit.Kind == charts.HitLabel && g.hitOf != nil && v.Session.Track(g.hit.Track) != nil && g.hit.Track != model.NoTrack {
		v.SetTrackHidden(g.hit.Track, !v.HiddenTracks[g.hit.Track])
		return
	}
	if c := g.thing(); c != model.NoCollector && c != 0 {
		v.SetHidden(c, !v.Hidden[c])
	}
}

// copyThing copies what the tooltip says of the thing under the mouse, else the chosen collector's name.
func (g *Game) copyThing() {
	v := g.View()
	switch {
	case len(g.hit.Lines) > 0:
		g.copyText(strings.Join(g.hit.Lines, "\n"))
	case v.Session != nil && v.Collector != model.NoCollector:
		g.copyText(v.Session.Collector(v.Collector).FullName)
	}
}

// keyPane is the pane that keys go to: under the mouse, else the one called up last.
func (g *Game) keyPane() *pane {
	if g.desk.hover != nil {
		return g.desk.hover
	}
	return g.focus
}

func (g *Game) spike(dir int) {
	v := g.View()
	from := v.FrameA
	if dir > 0 {
		from = v.FrameB
	}
	if from < 0 && dir < 0 && v.Session != nil {
		if t := v.Session.Track(v.Track); t != nil {
			from = t.NumFrames()
		}
	}
	if i, ok := widgets.NextSpike(v, from, dir); ok {
		v.SelectFrames(i, i)
	} else {
		g.tell("No further spike")
	}
}

func (g *Game) find() {
	g.top.search.Focus(true)
	g.showPanel("collectors")
}

// search hands the text of the search field to the tree of collectors and counts what it finds, when either changed.
func (g *Game) search() {
	text := g.top.search.Text()
	key := searchKey{text: text, session: g.active}
	if g.active != nil {
		key.defs = g.active.DefsRevision()
	}
	if key == g.searched {
		return
	}
	g.searched = key
	g.work.collectors.SetFilter(text)
	g.found = widgets.Matches(g.active, text, g.found[:0])
	g.top.hits = strconv.Itoa(len(g.found)) + " found"
}

type searchKey struct {
	text    string
	session *model.Session
	defs    uint64
}

// findNext goes to the next collector that the search finds, chooses it and shows its next occurrence.
func (g *Game) findNext(back bool) {
	ids := g.found
	if len(ids) == 0 {
		return
	}
	v := g.View()
	at := -1
	for i, id := range ids {
		if id == v.Collector {
			at = i
		}
	}
	if back {
		at = (at - 1 + len(ids)) % len(ids)
	} else {
		at = (at + 1) % len(ids)
	}
	v.Collector, v.HasSpan = ids[at], false
}

// occurrence goes to the next span of the chosen collector on its track.
func (g *Game) occurrence(dir int) {
	v := g.View()
	if v.Session == nil || v.Collector == model.NoCollector {
		return
	}
	track, from := v.Track, v.Playhead
	if v.HasSpan {
		track, from = v.SpanTrack, v.Span.Begin
	}
	b, ok := v.Session.NextSpan(track, v.Collector, from, dir)
	if !ok {
		g.tell("No further occurrence on this thread")
		return
	}
	v.Span, v.SpanTrack, v.HasSpan, v.Live = b, track, true, false
	v.Playhead = b.Begin
	v.Time.Show(b.Begin, b.End, g.env.Animate, g.env.NowNs)
}

func (g *Game) openStrip() {
	v := g.View()
	if v.Collector != model.NoCollector {
		g.act(action(actionOpenStrip, v.Track, v.Collector))
	}
}

func (g *Game) openFlame() {
	v := g.View()
	if v.Collector != model.NoCollector {
		g.act(action(actionOpenFlame, v.Track, v.Collector))
	}
}

// rescale makes everything larger or smaller; 0 goes back to the display's own size.
func (g *Game) rescale(dir int) {
	steps := []float64{0.5, 0.6, 0.7, 0.8, 0.9, 1, 1.1, 1.25, 1.5, 1.75, 2, 2.5, 3, 4}
	if dir == 0 {
		g.settings.Scale = 1
		return
	}
	best := 0
	for i, s := range steps {
		if abs64(s-g.settings.Scale) < abs64(steps[best]-g.settings.Scale) {
			best = i
		}
	}
	g.settings.Scale = steps[min(max(best+dir, 0), len(steps)-1)]
	g.tell("Size %.0f %%", g.settings.Scale*100)
}

func abs64(v float64) float64 { return max(v, -v) }

// gotoFrame goes to a frame by its number ("12407", "#12407") or to a time ("3.5s", "1:02.5").
func (g *Game) gotoFrame(text string) (complaint string) {
	v := g.View()
	text = strings.TrimSpace(strings.ToLower(text))
	if v.Session == nil {
		return "There is no session"
	}
	t := v.Session.Track(v.Track)
	if t == nil || t.NumFrames() == 0 {
		return "This thread has no frames"
	}
	plain := strings.NewReplacer(" ", "", "\u2009", "", "#", "").Replace(text)
	if n, err := strconv.ParseInt(plain, 10, 64); err == nil {
		i, ok := t.FrameByNumber(n)
		i = min(i, t.NumFrames()-1)
		v.SelectFrames(i, i)
		if !ok {
			g.tell("Frame %d was not received; this is the next one", n)
		}
		return ""
	}
	seconds, err := parseTime(plain)
	if err != nil {
		return err.Error()
	}
	v.SetPlayhead(int64(seconds * 1e9))
	return ""
}

// parseTime reads a time in seconds: "3.5s", "250ms", "1:02.5".
func parseTime(s string) (float64, error) {
	scale := 1.0
	switch {
	case strings.HasSuffix(s, "ms"):
		s, scale = strings.TrimSuffix(s, "ms"), 1e-3
	case strings.HasSuffix(s, "s"):
		s = strings.TrimSuffix(s, "s")
	}
	total := 0.0
	for part := range strings.SplitSeq(s, ":") {
		v, err := strconv.ParseFloat(part, 64)
		if err != nil || !(v >= 0 && v <= 1e9) { // NaN is neither
			return 0, fmt.Errorf("%q is neither a frame number nor a time", s)
		}
		total = total*60 + v
	}
	return total * scale, nil
}
