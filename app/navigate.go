package app

import (
	"strings"

	"framescope/charts/panel"
	"framescope/charts/strip"
	"framescope/charts/timeline"
	"framescope/charts/view"
	"framescope/model"
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
		n.ask.Tell("Choose a collector first, by a click on a bar or a name")
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
		n.ask.Tell("No track is idle")
	case 1:
		n.ask.Tell("1 idle track hidden: Ctrl+Z or “%s” shows it again", timeline.ShowTracks)
	default:
		n.ask.Tell("%d idle tracks hidden: Ctrl+Z or “%s” shows them again", k, timeline.ShowTracks)
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
		n.ask.Tell("Select a span or collector with a known source file")
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
		n.ask.Tell("No further spike%s: %s %s", which, n.keyOf(key), back)
	default:
		n.ask.Tell("No further spike%s", which)
	}
}

// cause makes the keys step through the hitches of one cause, or of all.
func (n *navigator) cause() {
	if !panel.WalkCause(n.ask.Env) {
		n.ask.Tell("Select a hitch or a late buffer first, to step through others with its cause")
	}
}

// occurrence goes to the next span of the chosen collector.
func (n *navigator) occurrence(dir int) {
	v := n.ss.View()
	if v.Collector() == model.NoCollector {
		return
	}
	if !v.NextOccurrence(dir) {
		n.ask.Tell("No further occurrence on this thread")
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
