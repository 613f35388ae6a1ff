package app

import (
	"reflect"
	"strconv"
	"strings"

	"framescope/app/sessions"
	"framescope/app/workspace"
	"framescope/charts/draw"
	"framescope/charts/flame"
	"framescope/charts/panel"
	"framescope/charts/registry"
	"framescope/charts/strip"
	"framescope/charts/timeline"
	"framescope/charts/view"
	"framescope/model"
	"framescope/model/measure"
	"framescope/model/store"
	"framescope/widgets"
)

// pauseOrFollow stops the view where it is, or lets it follow the newest data again. Receiving goes on
// in either case.
func (n *navigator) pauseOrFollow() {
	v := n.ss.View()
	if !n.ss.Live() {
		return
	}
	v.Follow(!v.Live())
}

func (n *navigator) goLive() {
	if n.ss.Live() {
		n.ss.View().ChooseCause(view.Cause{})
		n.ss.View().Follow(true)
	}
}

func (n *navigator) zoomToRange() {
	if v := n.ss.View(); v.RangeB() > v.RangeA() {
		v.Steer().ZoomTo(v.RangeA(), v.RangeB())
	}
}

// upOneLevel leads back to where one came from: the parent in the flame graph or strip chart under
// the mouse, else in the one that was pressed in last, else the view before.
func (n *navigator) upOneLevel() {
	if n.ascend(n.ask.Desk.KeyPanel()) {
		return
	}
	if t := n.ask.Desk.Focused(); t != nil && n.ascend(t.Panel) {
		return
	}
	n.ss.View().Back()
}

// ascend goes to the parent in a panel that has one; false if there is none.
func (n *navigator) ascend(p panel.Panel) bool {
	switch c := p.(type) {
	case interface{ Ascend(*panel.Env) bool }:
		return c.Ascend(n.ask.Env)
	case interface{ Parent(*panel.Env) bool }:
		return c.Parent(n.ask.Env)
	}
	return false
}

// descend opens the children of the chosen collector in the strip chart.
func (n *navigator) descend() {
	v := n.ss.View()
	if v.Collector() == model.NoCollector {
		n.ask.Notify("Choose a collector first, by a click on a bar or a name")
		return
	}
	n.panels["strip"].(*strip.Chart).Descend(v.Collector())
	n.show("strip")
}

// showTracks shows all tracks again, whyever they are hidden.
func (n *navigator) showTracks() {
	n.ss.View().Look().ShowAllTracks()
}

// hideIdle hides the tracks that are idle, or shows them again, and reports the result: the line below
// the tracks may not be in sight.
func (n *navigator) hideIdle() {
	look := n.ss.View().Look()
	if look.HidesIdle() {
		look.HideIdle(false)
		return
	}
	look.HideIdle(true)
	switch k := look.NumHidden(view.HiddenIdle); k {
	case 0:
		n.ask.Notify("No track is idle")
	case 1:
		n.ask.Notify("1 idle track hidden: Ctrl+Z or “%s” shows it again", timeline.ShowTracks)
	default:
		n.ask.Notify("%d idle tracks hidden: Ctrl+Z or “%s” shows them again", k, timeline.ShowTracks)
	}
}

// hideThing hides the collector or thread under the mouse, else the chosen collector.
func (n *navigator) hideThing() {
	v := n.ss.View()
	if v.None() {
		return
	}
	of := n.target()
	switch t, c := of.track, of.collector; {
	case t != model.NoTrack:
		v.Look().SetTrackHidden(t, !v.Look().TrackHidden(t))
	case c > 0: // the root is everything
		v.Look().SetHidden(c, !v.Look().Hidden(c))
	}
}

// target returns the thread or collector under the mouse, else the selected collector.
func (n *navigator) target() hiding {
	if n.under.some {
		if of := n.hidden(&n.under.hit); of != (hiding{model.NoTrack, model.NoCollector}) {
			return of
		}
	}
	return hiding{model.NoTrack, n.ss.View().Collector()}
}

// sourcePlace does something with the place in the source of the collector under the mouse, or the selected one.
func (n *navigator) sourcePlace(do func(model.Place)) func() {
	return func() {
		if s, c := n.ss.View().Session(), n.target().collector; c != model.NoCollector && s.Collector(c).File != "" {
			do(s.Collector(c).Place)
			return
		}
		n.ask.Notify("Select a span or collector with a known source file")
	}
}

// hiding is the thread or the collector that the key hides.
type hiding struct {
	track     model.TrackID
	collector model.CollectorID
}

// hidden returns what the key hides while the mouse is on a thing: none of both if that is neither.
func (n *navigator) hidden(hit *panel.Hit) hiding {
	if t := hit.Thread(); n.ss.View().Session().Track(t) != nil {
		return hiding{t, model.NoCollector}
	}
	return hiding{model.NoTrack, hit.Named()}
}

// copyThing copies the row under the mouse, the tooltip of another thing under it, else the chosen
// collector's name.
func (n *navigator) copyThing() {
	v := n.ss.View()
	if c, ok := n.ask.Desk.KeyPanel().(panel.Copier); ok {
		if text, ok := c.Copy(n.ask.Env); ok {
			n.ask.Copy(text)
			return
		}
	}
	switch {
	case len(n.under.hit.Lines) > 0:
		n.ask.Copy(strings.Join(n.under.hit.Lines, "\n"))
	case !v.None() && v.Collector() != model.NoCollector:
		n.ask.Copy(v.Session().Collector(v.Collector()).Title())
	}
}

// spike goes to the next or previous spike. While frames come in none is ahead: the newest is the one to go to.
func (n *navigator) spike(dir int) {
	v := n.ss.View()
	key, back := "spike.previous", "goes back"
	if dir < 0 {
		key, back = "spike.next", "goes on"
	}
	which := ""
	if v.Cause() != (view.Cause{}) {
		which = " with this cause (" + n.keyOf("spike.cause") + ": of all)"
	}
	switch {
	case v.StepSpike(dir), v.Live() && v.StepSpike(-dir):
	case v.HasSpike(-dir):
		n.ask.Notify("No further spike%s: %s %s", which, n.keyOf(key), back)
	default:
		n.ask.Notify("No further spike%s", which)
	}
}

// cause makes the keys step through the hitches of one cause, or of all.
func (n *navigator) cause() {
	if !panel.WalkCause(n.ask.Env) {
		n.ask.Notify("Select a hitch or a late buffer first, to step through others with its cause")
	}
}

// occurrence goes to the next span of the chosen collector.
func (n *navigator) occurrence(dir int) {
	v := n.ss.View()
	if v.Collector() == model.NoCollector {
		return
	}
	if !v.NextOccurrence(dir) {
		n.ask.Notify("No further occurrence on this thread")
	}
}

func (n *navigator) openStrip() {
	v := n.ss.View()
	if v.Collector() != model.NoCollector {
		n.openNew(panel.ActionOpenStrip, v.Track(), v.Collector())
	}
}

func (n *navigator) openFlame() {
	v := n.ss.View()
	if v.Collector() != model.NoCollector {
		n.openNew(panel.ActionOpenFlame, v.Track(), v.Collector())
	}
}

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
		what := "nothing"
		if d, ok := registry.Find(id); ok && d.Has != nil && !d.Has(n.ss.Contents()) {
			what = "no " + d.Lacks
		}
		where := ""
		if counters, _ := n.ss.View().Look().Counters(); id == "series" && counters > 0 {
			where = " Its counters are rows of the timeline."
		}
		n.ask.Notify("This session has %s for the panel “%s”.%s", what, tab.Name, where)
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
		n.ask.Notify("This chart needs frames; the thread has none.")
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

// askFrame asks for a frame number or a time, or a range of these.
func (n *navigator) askFrame() {
	p := &widgets.Palette{Name: "Go to frame, time or range", Does: "Go", Answer: n.gotoFrame}
	p.Field.Hint = "a frame (12407), a time (3.5 s, 1:02.5), a range (100-900, 12.5s:14s)"
	n.ask.Ask(p, 440)
}

// gotoFrame goes to a frame by its number ("12407", "#12407"), to a time ("3.5s", "1:02.5"), or to a range
// of either ("100-900", "12.5s-14s"), which it selects.
func (n *navigator) gotoFrame(text string) (complaint string) {
	v := n.ss.View()
	if v.None() {
		return "No session is open"
	}
	plain := sessions.PlainNumber(text)
	if a, b, ok := sessions.CutRange(plain); ok {
		found, kind, complaint := sessions.RangeOf(v, text, a, b)
		if complaint == "" {
			v.GoTo(kind, found)
		}
		return complaint
	}
	if done, complaint := byNumber.Of(v)(n, v, plain); done {
		return complaint
	}
	seconds, err := sessions.ParseTime(plain)
	if err != nil {
		return sessions.None(text)
	}
	at := int64(seconds * 1e9)
	if b, e, ok := v.Session().Bounds(); ok && (at < b || at > e) {
		return sessions.Outside(v, text)
	}
	v.SetPlayhead(at)
	return ""
}

// byNumber goes to the frame with a number, and reports whether that settles the text. Spans have no
// numbers.
var byNumber = view.PerUnit[func(n *navigator, v *view.View, text string) (done bool, complaint string)]{
	Frames: (*navigator).gotoNumber,
	Spans:  func(*navigator, *view.View, string) (bool, string) { return false, "" },
}

// gotoNumber goes to a frame by its number.
func (n *navigator) gotoNumber(v *view.View, text string) (done bool, complaint string) {
	t := v.Lead() // the ruler has its numbers
	if t == nil || t.NumFrames() == 0 {
		return true, "This thread has no frames"
	}
	number, err := measure.ParseCount(text)
	if err != nil {
		return false, ""
	}
	v.TakeLead()
	i, ok := t.FrameByNumber(number)
	i = min(i, t.NumFrames()-1)
	v.GoToFrame(i)
	if !ok {
		n.ask.Notify("Frame %d was not received; this is the next one", number)
	}
	return true, ""
}
