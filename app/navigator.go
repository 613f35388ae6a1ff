package app

import (
	"reflect"
	"strconv"

	"framescope/app/sessions"
	"framescope/app/workspace"
	"framescope/charts/draw"
	"framescope/charts/flame"
	"framescope/charts/panel"
	"framescope/charts/strip"
	"framescope/model"
	"framescope/model/store"
	"framescope/widgets"
)

// navigator moves through the shown session: it handles the commands about the view, and the requests
// of panels.
type navigator struct {
	ss      *sessions.Sessions
	ask     *workspace.Prompt
	under   *under
	panels  map[string]panel.Panel // of the workspace, by id
	keyOf   func(command string) string
	find    func(text string)         // looks for it in all panels
	search  func(expr string)         // searches for an expression
	unfind  func()                    // looks for nothing any more
	compare func() []widgets.MenuItem // actions that compare the selection
	exports *Exports
	budgets func(*panel.Hit) []widgets.MenuItem
	// showSession shows another of the sessions that are compared.
	showSession func(*store.Session)
	opened      int             // charts opened so far, for their names
	places      sessions.Places // bookmarks and links
	source      *sourceCode
}

// under is the target under the mouse.
type under struct {
	hit  panel.Hit
	some bool // hit is something in a panel
}

// openChart puts a chart into a floating pane of its own, each a little beside the one before.
func (n *navigator) openChart(kind string, c panel.Panel) {
	n.opened++
	env := n.ask.Env
	step := env.Px(26) * float32((n.opened-1)%8)
	a := n.ask.Desk.Area()
	w, h := min(env.Px(560), a.W()*0.7), min(env.Px(340), a.H()*0.7)
	x, y := a.X0+(a.W()-w)/3+step, a.Y0+(a.H()-h)/4+step
	id := kind + "#" + strconv.Itoa(n.opened)
	n.ask.Desk.Open(env, &workspace.Tab{ID: id, Name: kind, Panel: c}, draw.Rect{X0: x, Y0: y, X1: x + w, Y1: y + h})
}

// framed reports whether a thread goes by frames: charts frame by frame show nothing of others.
func (n *navigator) framed(id model.TrackID) bool {
	if id == model.NoTrack {
		id = n.ss.View().Track()
	}
	t := n.ss.View().Session().Track(id)
	return t != nil && t.NumFrames() > 0
}

// show brings a panel to the front: its tab, its pane unfolded.
func (n *navigator) show(id string) {
	if p, ok := n.panels[id].(interface{ Open() }); ok {
		p.Open()
		n.ask.Desk.Settle(n.ss.Contents()) // its tab is there from now on
	}
	if came, tab := n.ask.Desk.Show(id); came == workspace.ShownNot {
		n.ask.Tell("This session has nothing for the panel “%s”.", tab.Name)
	}
}

// panelFor returns the panel that a command is about: one of its kind under the mouse, else the one
// of the workspace.
func (n *navigator) panelFor(id string) panel.Panel {
	home := n.panels[id]
	if c := n.ask.Desk.KeyPanel(); reflect.TypeOf(c) == reflect.TypeOf(home) {
		return c
	}
	return home
}

// openNew opens a chart of a collector of a thread in a floating pane.
func (n *navigator) openNew(k panel.ActionKind, t model.TrackID, c model.CollectorID) {
	if (k == panel.ActionOpenStrip || k == panel.ActionOpenLevels) && !n.framed(t) {
		n.ask.Tell("This chart needs frames; the thread has none.")
		return
	}
	switch k {
	case panel.ActionOpenStrip:
		n.openChart("Strip chart", strip.New(t, c, false))
	case panel.ActionOpenLevels:
		n.openChart("Level chart", strip.New(t, c, true))
	case panel.ActionOpenFlame:
		f := flame.New(c)
		f.Track, f.AllTracks = t, t == model.NoTrack
		n.openChart("Flame graph", f)
	case panel.ActionOpenPiano:
		n.openChart("Piano roll", strip.NewPiano(t))
	}
}
