package app

import (
	"time"

	"framescope/app/layout"
	"framescope/app/workspace"
	"framescope/charts/draw"
	"framescope/charts/panel"
	"framescope/model/messages"
	"framescope/model/spans"
)

// takeData begins a tick and takes in the data that has come.
func (g *Game) takeData() {
	g.stage.tick++
	g.stage.begin()
	g.ss.Tick()
	env := &g.stage.env
	env.View = g.View()
	if s := env.View.Session(); env.Paced {
		s.Messages().Step(messages.StepWork)
		s.Spans().Pace(spans.StepWork)
		env.View.Causes().Pace()
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

// ticked notes how long a tick took, and what the pace of the next ones depends on.
func (g *Game) ticked(took time.Duration) {
	g.paint.cost.Updated(took)
	g.paint.behind, g.paint.busy = g.ss.Behind(), g.View().CausesPending()
	g.paint.paused = g.bars.top.shown.Status.Live && !g.View().Live() && !g.ss.HasMore()
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
	g.desk.Update(env, &g.mouse, &g.keys, g.stage.dtNs, g.typing(), g.nav.act)
	g.bars.top.Paint(g.desk.Workspace(), g.find.search())
	room := g.stage.window()
	room.X1, room.Y1 = g.inspectorX(), status.Y0
	g.ask.Notices.Update(env, room)
	g.updateTooltip()
	g.bars.status.update(env, status)
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
	if x := g.inspectorX(); g.mouse.X < x {
		room.X1 = x
	}
	return room
}

// inspectorX is where the inspector begins; without it where the window ends.
func (g *Game) inspectorX() float32 {
	x := g.stage.window().X1
	g.desk.EachInSight(func(t *workspace.Tab, r draw.Rect) {
		if t.ID == "why" || t.ID == "details" {
			x = min(x, r.X0)
		}
	})
	return x
}
