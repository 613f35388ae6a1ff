package app

import (
	"time"

	"github.com/hajimehoshi/ebiten/v2"

	"framescope/app/layout"
	"framescope/app/workspace"
	"framescope/charts/draw"
	"framescope/charts/panel"
	"framescope/model/messages"
	"framescope/model/spans"
)

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
	g.paint.paused = g.bars.top.shown.Status.Live && !g.View().Live() && !g.ss.HasMore()
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
		g.paint.used()
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
	g.console.Tick(env)
}

// tickAt is a tick without a window system: the mouse rests at a place, outside if that is negative,
// and no key is struck.
func (g *Game) tickAt(x, y float32) error {
	g.takeData()
	g.mouse.X, g.mouse.Y, g.mouse.Inside = x, y, x >= 0 && y >= 0
	if err := g.place(); err != nil {
		return err
	}
	g.find.update()
	g.prepare()
	return nil
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
	if !g.help.Field.Point(in) && m.AnyPressed() && !scrolls {
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
	if m.AnyPressed() && !g.console.Holds(m.X, m.Y) {
		g.console.Field.Focus(false)
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

// inspect shows the inspector from its begin when it is about another kind of thing than before. Where
// that was chosen in the inspector, the row that was clicked stays under the mouse.
func (g *Game) inspect() {
	v := g.View()
	now := inspected{v.Session(), v.Choice()}
	if !now.like(&g.about) {
		g.desk.ToTop(layout.Right, now.session == g.about.session)
	}
	g.about = now
}

// updateTooltip updates the target under the mouse, which the status line describes, and its tooltip. A
// dialog has targets, but no tooltips, which would cover it.
func (g *Game) updateTooltip() {
	env, m, u := &g.stage.env, &g.mouse, &g.under
	*u = under{}
	ok := false
	covered := g.ask.Covers()
	if m.Inside && !m.AnyDown() && !g.help.open && (!covered || g.desk.Dialog() != nil) {
		u.hit, u.some = g.desk.HitTest(env, m)
		if ok = u.some; !ok && !covered {
			u.hit, ok = g.bars.top.HitTest()
		}
		if !ok && !covered {
			u.hit, ok = g.bars.status.hitTest(m)
		}
	}
	var hit *panel.Hit
	if ok && !covered && g.settings.Tooltips {
		hit = &u.hit
	}
	g.bars.tipped = g.bars.tip.Draw(env, hit, m.X, m.Y, g.tipRoom())
}

// tipRoom is where tooltips lie: of things beside the inspector not over it.
func (g *Game) tipRoom() draw.Rect {
	room := g.stage.window()
	g.desk.EachInSight(func(t *workspace.Tab, r draw.Rect) {
		if (t.ID == "why" || t.ID == "details") && g.mouse.X < r.X0 {
			room.X1 = min(room.X1, r.X0)
		}
	})
	return room
}
