package app

import (
	"fmt"
	"os"
	"time"

	"github.com/hajimehoshi/ebiten/v2"

	"framescope/app/input"
	"framescope/app/prompt"
	"framescope/app/sessions"
	"framescope/app/settings"
	"framescope/app/workspace"
	"framescope/charts/draw"
	"framescope/charts/panel"
	"framescope/charts/view"
	"framescope/model/messages"
	"framescope/model/spans"
	"framescope/widgets"
)

// Game is the viewer as Ebitengine runs it: it makes the parts, which do not depend on it, and gives
// each its turn. One goroutine calls Update and Draw.
type Game struct {
	settings *settings.Settings
	stage    *stage
	ss       *sessions.Sessions
	ask      prompt.Prompt
	desk     *workspace.Desk
	spaces   spaces
	compare  Sides
	budgets  *Book
	exports  Exports
	nav      navigator
	find     finder
	chosen   lately // in the palette
	commands *input.Table
	bars     bars
	under    under
	help     help
	about    inspected // the inspector is about that
	switches Switches
	paint    painter
	mouse    input.Mouse
	keys     input.Keyboard
	end      end
}

// end says when the program is over.
type end struct {
	quit        bool
	interrupted <-chan struct{} // closed when the system asks for it; nil: never
	check       *Checker        // ends it as soon as its state makes no sense; nil: nothing is checked
	observe     func(Observed)  // receives the visible state after each tick; may be nil
}

// NewGame prepares the viewer: it reads the settings, starts to listen and begins to load the
// files.
func NewGame(o Options) (*Game, error) {
	set, complaint := openSettings(&o)
	g := &Game{settings: set, stage: newStage(&o, set)}
	g.desk = newDesk(&g.find.names)
	g.paint.still, g.end.observe = o.Deterministic, o.Observe
	g.ask = prompt.Prompt{Env: &g.stage.env, Mouse: &g.mouse, Desk: g.desk}
	g.desk.Menu = func(name string, x, y float32, list []workspace.Choice) {
		menu := &widgets.Menu{Name: name}
		for _, c := range list {
			menu.Items = append(menu.Items, widgets.MenuItem{Label: c.Label, Key: c.Key, On: c.On, Line: c.Line, Run: c.Run})
		}
		g.ask.OpenMenu(menu, x, y)
	}
	g.complain(complaint)
	g.ss = sessions.New(&o.Options, set, &g.ask)
	g.compare = Sides{SS: g.ss, Ask: &g.ask, Desk: g.desk, Leave: g.spaces.again, Stay: g.spaces.stay}
	g.stage.env.Comparing, g.ss.CompareWith = &g.compare.State, g.compare.AskB
	g.budgets, g.exports = NewBook(g.ss, set, &g.ask, o.Budgets), Exports{SS: g.ss, Ask: &g.ask}
	g.ss.Budgets, g.stage.env.Limits = g.budgets.Open, &g.budgets.State
	g.nav = navigator{ss: g.ss, ask: &g.ask, under: &g.under, panels: addPanels(g.desk, g.ss, &g.compare, g.budgets)}
	g.switches = NewSwitches(g.nav.panels)
	g.nav.exports, g.nav.compare, g.nav.budgets, g.nav.showSession = &g.exports, g.compare.Menu, g.budgets.Menu, g.compare.Show
	g.stage.env.ViewOf = g.ss.ViewOf
	g.nav.keyOf = func(id string) string { return g.commands.Key(id) }
	g.nav.places = sessions.Places{View: g.ss.View, Ask: &g.ask, KeyOf: g.nav.keyOf, Link: g.ss.Link}
	g.nav.find, g.nav.search, g.nav.unfind = g.find.lookFor, g.find.field.SetText, func() { g.find.clear() }
	g.find.ss, g.find.ask, g.find.things, g.find.typed = g.ss, &g.ask, g.things, g.nav.typed
	g.bars.status = statusLine{ss: g.ss, under: &g.under, find: &g.find, paint: &g.paint, still: o.Deterministic}
	g.spaces = spaces{desk: g.desk, ss: g.ss, settings: set, ask: &g.ask, compares: g.compare.State.Any}
	g.spaces.load()
	list := g.commandList()
	giveToPanels(list)
	g.desk.More = g.nav.inMenu
	if o.Checked {
		g.end.check = &Checker{}
		g.desk.More = nil   // it leads out of the program
		g.nav.budgets = nil // they are files
		for i := range list {
			if list[i].Out {
				list[i].Run = func() {}
			}
		}
	}
	var err error
	if g.commands, err = input.NewCommand(list); err != nil {
		return nil, err
	}
	g.setHelp(defs(g.ss))
	g.bars.top = Toolbar{
		Env: &g.stage.env, Mouse: &g.mouse, Covered: g.desk.Hovers, Key: g.commands.Key, Still: o.Deterministic,
	}
	if err := g.ss.Start(); err != nil {
		return nil, err
	}
	if o.Compare && len(g.ss.Named) == 2 { // else the error of one of them is reported
		g.compare.Open(g.ss.Named)
	}
	return g, nil
}

// openSettings reads the named settings, and applies the options for this start.
func openSettings(o *Options) (*settings.Settings, error) {
	s, err := settings.Open(o.SettingsPath)
	s.Resize(o.Width, o.Height, o.Scale)
	return s, err
}

// Close ends listening and recording, and keeps the settings. The error names recordings that are
// not as they should be.
func (g *Game) Close() error {
	g.exports.Close()
	err := g.ss.Close()
	g.keepSettings()
	return err
}

// keepSettings writes the settings.
func (g *Game) keepSettings() {
	if g.stage.deterministic {
		return
	}
	g.spaces.keep()
	g.complain(g.settings.Keep())
}

// complain reports an error of the settings, if any, also on standard error: the window may be closing,
// or nobody may look at it.
func (g *Game) complain(err error) {
	if err != nil {
		g.ask.Warn(err)
		fmt.Fprintln(os.Stderr, "framescope:", err)
	}
}

// LayoutF makes the screen as large as the window in physical pixels.
func (g *Game) LayoutF(w, h float64) (float64, float64) { return g.stage.resize(w, h) }

// Layout is not used: LayoutF is.
func (g *Game) Layout(w, h int) (int, int) { return w, h }

// View returns the view of all panels.
func (g *Game) View() *view.View { return g.ss.View() }

// Update is one tick: take in new data, the mouse and the keys, and let every panel prepare its
// picture.
func (g *Game) Update() error {
	began := time.Now()
	select {
	case <-g.end.interrupted:
		g.end.quit = true
	default:
	}
	if ebiten.IsWindowBeingClosed() || g.end.quit {
		return ebiten.Termination
	}
	g.takeIn()
	if err := g.answer(); err != nil {
		return err
	}
	g.prepare()
	if g.end.observe != nil {
		g.end.observe(g.observe())
	}
	took := time.Since(began)
	g.paint.cost.Updated(took)
	g.paint.behind = g.ss.Behind()
	defer g.ss.Ticked(took) // from then on recordings are read: nothing may ask the store
	if g.settings.Due() {
		g.keepSettings()
	}
	if g.end.check != nil {
		return g.end.check.Look(g.stage.tick, g.ss.Views(), g.desk)
	}
	return nil
}

// takeIn begins a tick and takes in new data, and the state of window, mouse and keys.
func (g *Game) takeIn() {
	// The size is unknown after the window is closed.
	if w, h := ebiten.WindowSize(); w > 0 && h > 0 && !ebiten.IsFullscreen() && !ebiten.IsWindowMinimized() {
		g.settings.Sized(w, h, ebiten.IsWindowMaximized())
	}
	g.takeData()
	env := &g.stage.env
	g.mouse.Read(env.NowNs, env.Scale, g.stage.width, g.stage.height)
	g.keys.Read(env.NowNs, g.typing())
	if g.mouse.Used || g.keys.Used() {
		g.paint.lastUsed = time.Now()
	}
	if files := ebiten.DroppedFiles(); files != nil {
		g.compare.Drop(files, g.keys.Shift)
	}
}

// takeData begins a tick and takes in the data that has come.
func (g *Game) takeData() {
	g.stage.tick++
	g.stage.begin()
	g.ss.Tick()
	env := &g.stage.env
	env.View = g.View()
	if s := env.View.Session(); s != nil && env.Paced {
		s.Messages().Step(messages.StepWork)
		s.Spans().Pace(spans.StepWork)
	}
	env.View.Tick(env.NowNs, env.Animate)
	g.compare.Tick(env.Paced)
	g.budgets.Tick(env.NowNs, env.Paced)
	g.exports.Tick(env.NowNs)
}

// place places everything, and gives the mouse to the panel under it.
func (g *Game) place() error {
	bar, frames, area, _ := g.stage.regions()
	g.desk.Place(&g.stage.env, frames, area)
	g.dismiss()
	g.placeBar(bar)
	asked, err := g.bars.top.Pressed()
	if err != nil {
		return err
	}
	g.commands.Run(asked)
	g.desk.Route(&g.stage.env, &g.mouse)
	return nil
}

// dismiss closes the help, or the pane over the panels, at a press elsewhere, and the pressed notice. A
// press that closes something does nothing else.
func (g *Game) dismiss() {
	m := &g.mouse
	if !g.help.open {
		if m.AnyPressed() && g.ask.Notices.Press(m.X, m.Y) {
			m.Swallow()
			return
		}
		g.desk.Dismiss(m)
		return
	}
	in := g.pointer()
	in.WheelY, in.Over = m.WheelY, m.Inside
	scrolls := g.help.Scroll(&g.stage.env, in)
	if !g.help.Field.Point(in) && m.AnyPressed() && !scrolls && !g.help.Follow(in) {
		g.help.close()
		m.Swallow()
	}
	m.Leave() // hides the panels below the help from the mouse
}

// pointer is the mouse of this tick as input for the panel under it.
func (g *Game) pointer() *panel.Input {
	m := &g.mouse
	return &panel.Input{X: m.X, Y: m.Y, Over: true, Left: m.Buttons[0], DoubleClick: m.DoubleClick, Shift: g.keys.Shift}
}

// placeBar passes the shown state to the tool bar, and the place of the search field.
func (g *Game) placeBar(rect draw.Rect) {
	g.bars.top.Place(rect, Shown{View: g.View(), Status: g.ss.Status(), Spaces: g.spaces.shown(g.compare.State.Any())})
	g.find.rect = g.bars.top.Field()
}

// answer passes mouse and keys to their receivers.
func (g *Game) answer() error {
	env, m := &g.stage.env, &g.mouse
	if err := g.place(); err != nil {
		return err
	}
	g.find.point(g.pointer())
	if m.AnyPressed() && !g.find.names.Holds(m.X, m.Y) {
		g.find.names.Field.Focus(false)
	}
	ebiten.SetCursorShape(g.desk.Cursor(env, m))
	if m.Back {
		g.View().Back()
	}
	if m.Forward {
		g.View().Forward()
	}
	g.handleKeys()
	g.find.update()
	return nil
}

// prepare lets everything in sight prepare its picture.
func (g *Game) prepare() {
	env := &g.stage.env
	_, frames, area, status := g.stage.regions()
	env.View, env.Kept = g.View(), g.ss.OnDiskToo() // a key or the tool bar may have switched it
	g.spaces.follow()
	g.desk.Settle(g.ss.Contents())
	g.inspect()
	g.desk.Place(env, frames, area)
	g.ask.FitMenu()
	g.switches.Follow(env)
	g.desk.Update(env, &g.mouse, &g.keys, g.stage.dtNs, g.typing(), g.nav.act)
	g.bars.top.Paint(g.desk.Workspace(), g.find.search())
	g.bars.status.update(env, status)
	g.ask.Notices.Update(env, g.stage.window(), g.bars.status.cost.X0)
	g.updateTooltip()
	title := "Framescope"
	if name := g.ss.Title(); name != "" {
		title = name + " – Framescope"
	}
	if title != g.bars.title {
		g.bars.title = title
		ebiten.SetWindowTitle(title)
	}
}

// lists hands all that is painted to f, from the bottom up.
func (g *Game) lists(f func(*draw.List)) {
	f(g.bars.top.List())
	g.desk.Paint(f)
	f(g.bars.status.list)
	f(g.ask.Notices.List())
	f(g.helpPicture())
	f(g.bars.tipped)
}

// seen sums up the picture of the window at a size in physical pixels.
func (g *Game) seen(width, height int) picture {
	env := &g.stage.env
	now := picture{width: width, height: height, focused: ebiten.IsFocused()}
	now.sum.Add(g.desk.Order())
	now.sum.Add(uint64(env.Scale * 1000))
	g.lists(now.list)
	now.atlas = env.Atlas.Revision() // with the letters of the keys, which are written here
	return now
}

// Draw paints the window.
func (g *Game) Draw(screen *ebiten.Image) {
	began, b := time.Now(), screen.Bounds()
	switch g.paint.begin(g.seen(b.Dx(), b.Dy()), g.stage.tick) {
	case leaveIt:
		return
	case showIt:
		g.paint.show(screen)
		return
	}
	screen.Fill(rgba(g.stage.env.Theme.Ground))
	g.lists(func(l *draw.List) { g.paint.draw(screen, l) })
	g.paint.end(time.Since(began))
}
