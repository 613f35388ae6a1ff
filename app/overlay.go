package app

import (
	"fmt"

	"github.com/hajimehoshi/ebiten/v2"

	"framescope/app/library"
	"framescope/app/workspace"
	"framescope/charts/draw"
	"framescope/charts/format"
	"framescope/charts/panel"
	"framescope/model"
	"framescope/widgets"
)

// action returns what a chart would ask for.
func action(k panel.ActionKind, t model.TrackID, c model.CollectorID) panel.Action {
	return panel.Action{Kind: k, Track: t, Collector: c, Frame: -1}
}

const (
	paneMenu   = "menu"
	paneDialog = "dialog"
)

// overlays are what lies above the panes for a while: a menu, a dialog, the help.
type overlays struct {
	help     bool
	helpList *draw.List
	ask      *widgets.Palette
	groups   []widgets.HelpGroup
	since    int64 // the tick in which the help was opened: what opened it does not close it
}

// closeMenu takes the menu away; false when there was none.
func (o *overlays) closeMenu(g *Game) bool { return g.desk.Close(paneMenu) }

// closeDialog takes the dialog away, if there is one.
func (o *overlays) closeDialog(g *Game) { g.desk.Close(paneDialog) }

// showMenu opens a menu at a point, inside the window.
func (o *overlays) showMenu(g *Game, m *widgets.Menu, x, y float32) {
	m.Close = func() { o.closeMenu(g) }
	mw, mh := m.Size(&g.env)
	w, h := workspace.OverSize(&g.env, mw, mh)
	a := g.desk.Area()
	x, y = max(a.X0, min(x, a.X1-w)), max(a.Y0, min(y, a.Y1-h))
	rect := draw.Rect{X0: x, Y0: y, X1: x + w, Y1: y + h}
	g.desk.OpenOver(&workspace.Tab{ID: paneMenu, Panel: m}, rect, false, nil)
}

// openSettings shows what can be set, as a menu that stays open.
func (o *overlays) openSettings(g *Game) {
	m := &widgets.Menu{Name: "Settings"}
	m.Rebuild = func() []widgets.MenuItem { return g.settingItems() }
	m.Items = m.Rebuild()
	o.showMenu(g, m, g.desk.Area().X1, g.desk.Area().Y0)
}

func (g *Game) settingItems() []widgets.MenuItem {
	s := &g.settings
	toggle := func(label string, b *bool, after func()) widgets.MenuItem {
		return widgets.MenuItem{Label: label, On: *b, Keep: true, Run: func() {
			*b = !*b
			g.settingsChanged = true
			if after != nil {
				after()
			}
		}}
	}
	items := []widgets.MenuItem{
		toggle("Animate jumps", &s.Animate, nil),
		toggle("Show tooltips", &s.Tooltips, nil),
		toggle("Light colours", &s.Light, g.setTheme),
		{Label: fmt.Sprintf("Larger (now %.0f %%)", s.Scale*100), Key: "Ctrl++", Line: true, Keep: true, Run: func() { g.rescale(1) }},
		{Label: "Smaller", Key: "Ctrl+-", Keep: true, Run: func() { g.rescale(-1) }},
	}
	for i, hz := range []float64{30, 60, 90, 120, 144} {
		on := abs64(s.BudgetMs-1000/hz) < 0.01
		items = append(items, widgets.MenuItem{Label: fmt.Sprintf("Frame budget %.1f ms (%.0f Hz)", 1000/hz, hz), On: on, Keep: true, Line: i == 0, Run: func() { g.setBudget(1000 / hz) }})
	}
	items = append(items,
		widgets.MenuItem{Label: fmt.Sprintf("More memory for sessions (now %s)", format.AppendBytes(nil, g.memoryLimit())), Line: true, Keep: true, Run: func() { g.stepMemory(1) }},
		widgets.MenuItem{Label: "Less memory for sessions", Keep: true, Run: func() { g.stepMemory(-1) }},
	)
	for i, gib := range []float64{0, 5, defaultDiskGiB, 50, 100, 500} {
		if !g.keepsSessions() {
			break
		}
		label := fmt.Sprintf("Keep up to %.0f GiB of sessions on disk", gib)
		if gib == 0 {
			label = "Keep no sessions on disk"
		}
		items = append(items, widgets.MenuItem{Label: label, On: g.library.Limit() == int64(gib)<<30, Keep: true, Line: i == 0, Run: func() { g.setDisk(gib) }})
	}
	items = append(items, widgets.MenuItem{Label: "Reset the layout", Line: true, Run: g.resetLayout})
	return items
}

func (g *Game) setBudget(ms float64) {
	g.settings.BudgetMs = ms
	g.settingsChanged = true
	for _, v := range g.views {
		v.SetFrameBudget(int64(ms*1e6 + 0.5))
	}
}

// setDisk says how much disk space all sessions may take.
func (g *Game) setDisk(gib float64) {
	set := func(g *Game) {
		g.settings.DiskGiB = gib
		g.settingsChanged = true
		g.library.SetLimit(g.settings.diskLimit())
	}
	limit, now := diskBytes(gib), g.library.Limit()
	if limit <= 0 || now > 0 && limit >= now || !g.keepsSessions() {
		set(g)
		return
	}
	g.sources.work.Add(1)
	go func() { // what would leave is on disk
		defer g.sources.work.Done()
		leaving := g.library.Leaving(limit)
		g.sources.later(func(g *Game) {
			if len(leaving) == 0 {
				set(g)
				return
			}
			g.askLimit(limit, leaving, set)
		})
	}()
}

// askLimit asks whether sessions may leave for a lower limit.
func (g *Game) askLimit(limit int64, leaving []library.Session, set func(*Game)) {
	what := fmt.Sprintf("%d sessions", len(leaving))
	if len(leaving) == 1 {
		what = "“" + leaving[0].Name + "”"
	}
	what += ", " + library.Bytes(library.Used(leaving))
	question := "To keep within " + library.Bytes(limit) + " the oldest sessions are deleted"
	g.askInTheMiddle(&widgets.Menu{Name: question, Items: []widgets.MenuItem{
		{Label: "Delete " + what, Run: func() { set(g) }},
		{Label: "No, the limit stays", Key: "Esc", Safe: true, Run: func() {}},
	}})
}

// question opens a dialog with a text field.
func (o *overlays) question(g *Game, p *widgets.Palette, w, h float32) {
	o.closeMenu(g)
	p.Close = func() { o.closeDialog(g) }
	a := g.desk.Area()
	w, h = min(w, a.W()), min(h, a.H())
	x, y := (a.X0+a.X1-w)/2, a.Y0+(a.H()-h)/4
	rect := draw.Rect{X0: x, Y0: y, X1: x + w, Y1: y + h}
	g.desk.OpenOver(&workspace.Tab{ID: paneDialog, Panel: p}, rect, true, func() {
		p.Field.Focus(false)
		o.ask = nil
	})
	p.Field.Focus(true)
	o.ask = p
}

// palette lists all commands.
func (g *Game) palette() {
	p := &widgets.Palette{Name: "All commands"}
	p.Field.Hint = "type a part of a command's name"
	for i := range g.commands {
		c := &g.commands[i]
		if c.shy {
			continue
		}
		key := ""
		if len(c.keys) > 0 {
			key = showKey(c.keys[0])
		}
		p.Items = append(p.Items, widgets.PaletteItem{Name: c.name, Key: key, Run: func() { c.run(g) }})
	}
	g.overlay.question(g, p, g.env.Px(440), g.env.Px(380))
}

// askFrame asks for a frame number or a time.
func (g *Game) askFrame() {
	p := &widgets.Palette{Name: "Go to frame or time", Answer: g.gotoFrame}
	p.Field.Hint = "a frame number (12407) or a time (3.5 s, 1:02.5)"
	g.overlay.question(g, p, g.env.Px(380), g.env.Px(98))
}

// above tells whether something lies over the panes, so that these show no tooltips.
func (o *overlays) above(g *Game) bool { return o.help || o.ask != nil || g.desk.Find(paneMenu) != nil }

// openHelp shows all keys.
func (o *overlays) openHelp(g *Game) { o.help, o.since = true, g.tick }

// draw paints the help above everything.
func (o *overlays) draw(g *Game, screen *ebiten.Image) {
	if !o.help {
		return
	}
	if o.helpList == nil || o.helpList.Atlas() != g.env.Atlas {
		o.helpList = draw.NewList(g.env.Atlas)
	}
	if o.groups == nil {
		o.groups = g.helpGroups()
	}
	full := draw.Rect{X1: float32(g.width), Y1: float32(g.height)}
	o.helpList.Reset(full)
	widgets.DrawHelp(o.helpList, &g.env, full, o.groups)
	g.submit(screen, o.helpList)
}

// showKey writes a chord as people read it.
func showKey(k string) string {
	switch k {
	case "Left":
		return "←"
	case "Right":
		return "→"
	case "Ctrl+Left":
		return "Ctrl+←"
	case "Ctrl+Right":
		return "Ctrl+→"
	case "Up":
		return "↑"
	case "Down":
		return "↓"
	case "Shift+Left":
		return "Shift+←"
	case "Shift+Right":
		return "Shift+→"
	case "Alt+Left":
		return "Alt+←"
	case "Alt+Right":
		return "Alt+→"
	}
	return k
}

// helpGroups is the table of commands and the gestures, for the overlay.
func (g *Game) helpGroups() []widgets.HelpGroup {
	mouse := widgets.HelpGroup{Title: "Mouse", Rows: []widgets.HelpRow{
		{Key: "wheel", Does: "zoom time at the mouse"},
		{Key: "Ctrl + wheel", Does: "zoom finely"},
		{Key: "Shift + wheel", Does: "pan time"},
		{Key: "Alt + wheel", Does: "scroll rows"},
		{Key: "left or right drag", Does: "pan"},
		{Key: "Shift + left drag", Does: "select a range of time"},
		{Key: "Ctrl + left drag", Does: "zoom to a range"},
		{Key: "click", Does: "select, everywhere"},
		{Key: "double click", Does: "zoom to it; strip chart: open its children"},
		{Key: "right click", Does: "menu"},
		{Key: "drag on the frame strip", Does: "scrub through time"},
		{Key: "W A S D", Does: "zoom and pan while held"},
	}}
	out := []widgets.HelpGroup{mouse}
	at := map[string]int{}
	for i := range g.commands {
		c := &g.commands[i]
		if len(c.keys) == 0 {
			continue
		}
		k, ok := at[c.group]
		if !ok {
			k = len(out)
			at[c.group] = k
			out = append(out, widgets.HelpGroup{Title: c.group})
		}
		key := showKey(c.keys[0])
		if len(c.keys) > 1 && c.keys[1] != "Ctrl+Shift++" {
			key += ", " + showKey(c.keys[1])
		}
		out[k].Rows = append(out[k].Rows, widgets.HelpRow{Key: key, Does: c.name})
	}
	return out
}
