package app

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"framescope/app/workspace"
	"framescope/charts/format"
	"framescope/charts/panel"
	"framescope/charts/strip"
	"framescope/charts/tables"
	"framescope/model"
	"framescope/widgets"
)

// pauseOrFollow stops the view where it is, or lets it follow the newest data again. What is received goes on in either case.
func (g *Game) pauseOrFollow() {
	v := g.View()
	if !g.liveSession() {
		return
	}
	if v.Live() {
		v.Follow(false)
	} else {
		v.Follow(true)
	}
}

func (g *Game) goLive() {
	if g.liveSession() {
		g.View().Follow(true)
	}
}

func (g *Game) zoomToRange() {
	if v := g.View(); v.RangeB() > v.RangeA() {
		v.ZoomTo(v.RangeA(), v.RangeB())
	}
}

// upOneLevel leads back to where one came from: the parent in the flame graph or strip chart under the mouse, else the view before.
func (g *Game) upOneLevel() {
	switch c := g.desk.KeyPanel().(type) {
	case interface{ Ascend(*panel.Env) bool }:
		if c.Ascend(&g.env) {
			return
		}
	case interface{ Parent(*panel.Env) bool }:
		if c.Parent(&g.env) {
			return
		}
	}
	g.View().Back()
}

// descend opens the children of the chosen collector in the strip chart.
func (g *Game) descend() {
	v := g.View()
	if v.Collector() == model.NoCollector {
		g.tell("Choose a collector first, by a click on a bar or a name")
		return
	}
	g.panels["strip"].(*strip.Chart).Descend(v.Collector())
	g.showPanel("strip")
}

// panelFor returns the panel that a command is about: one of its kind under the mouse, else the one of
// the workspace.
func (g *Game) panelFor(id string) panel.Panel {
	home := g.panels[id]
	if c := g.desk.KeyPanel(); reflect.TypeOf(c) == reflect.TypeOf(home) {
		return c
	}
	return home
}

// hideThing hides what is under the mouse, a collector or a thread, else the chosen collector.
func (g *Game) hideThing() {
	v := g.View()
	if v.Session() == nil {
		return
	}
	if t := g.hit.Thread(); g.hitSome && v.Session().Track(t) != nil {
		v.SetTrackHidden(t, !v.TrackHidden(t))
		return
	}
	c := v.Collector()
	if under := g.hit.Thing(); g.hitSome && under != model.NoCollector {
		c = under
	}
	if c > 0 { // the root is everything
		v.SetHidden(c, !v.Hidden(c))
	}
}

// copyThing copies the row under the mouse, what the tooltip says of another thing under it, else the chosen
// collector's name.
func (g *Game) copyThing() {
	v := g.View()
	if c, ok := g.desk.KeyPanel().(panel.Copier); ok {
		if text, ok := c.Copy(&g.env); ok {
			g.copyText(text)
			return
		}
	}
	switch {
	case len(g.hit.Lines) > 0:
		g.copyText(strings.Join(g.hit.Lines, "\n"))
	case v.Session() != nil && v.Collector() != model.NoCollector:
		g.copyText(v.Session().Collector(v.Collector()).FullName)
	}
}

func (g *Game) spike(dir int) {
	if !g.View().StepSpike(dir) {
		g.tell("No further spike")
	}
}

func (g *Game) find() {
	for i := range g.top.items {
		if it := &g.top.items[i]; it.kind == itemSearch && !it.rect.Empty() {
			g.top.search.Focus(true)
			g.showPanel("collectors")
			return
		}
	}
	g.findInDialog()
}

// findInDialog lets a collector be chosen from a list, where the tool bar has no room for the search field.
func (g *Game) findInDialog() {
	v := g.View()
	if v.Session() == nil {
		return
	}
	p := &widgets.Palette{Name: "Find a collector"}
	for id := model.CollectorID(1); int(id) < v.Session().NumCollectors(); id++ {
		if c := v.Session().Collector(id); c != nil && (c.HasTime || c.HasLevel) {
			p.Items = append(p.Items, widgets.PaletteItem{Name: c.FullName, Run: func() { v.FindCollector(id) }})
		}
	}
	g.overlay.question(g, p, g.env.Px(420), g.env.Px(340))
}

// search hands the text of the search field to all panels that it narrows down, and counts the
// collectors that it finds, when either changed.
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
	g.desk.Each(func(t *workspace.Tab) {
		if f, ok := t.Panel.(panel.Filterer); ok {
			f.SetFilter(text)
		}
	})
	if v := g.View(); v.Session() != nil {
		f := v.MessageFilter()
		f.Text = text
		v.SetMessageFilter(f)
	}
	g.found = tables.Matches(g.active, text, g.found[:0])
	g.top.hits = strconv.Itoa(len(g.found)) + " found"
}

type searchKey struct {
	text    string
	session *model.Session
	defs    uint64
}

// findNext goes to the next collector that the search finds: to its next occurrence on any thread, if
// it has one.
func (g *Game) findNext(back bool) {
	ids := g.found
	if len(ids) == 0 {
		return
	}
	at := slices.Index(ids, g.View().Chosen())
	switch {
	case !back:
		at = (at + 1) % len(ids)
	case at > 0:
		at--
	default:
		at = len(ids) - 1
	}
	g.View().FindCollector(ids[at])
}

// occurrence goes to the next span of the chosen collector.
func (g *Game) occurrence(dir int) {
	v := g.View()
	if v.Collector() == model.NoCollector {
		return
	}
	if !v.NextOccurrence(dir) {
		g.tell("No further occurrence on this thread")
	}
}

func (g *Game) openStrip() {
	v := g.View()
	if v.Collector() != model.NoCollector {
		g.act(action(panel.ActionOpenStrip, v.Track(), v.Collector()))
	}
}

func (g *Game) openFlame() {
	v := g.View()
	if v.Collector() != model.NoCollector {
		g.act(action(panel.ActionOpenFlame, v.Track(), v.Collector()))
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
	if v.Session() == nil {
		return "There is no session"
	}
	t := v.Session().Track(v.Track())
	if !v.Unframed() && (t == nil || t.NumFrames() == 0) {
		return "This thread has no frames"
	}
	plain := strings.NewReplacer(" ", "", "\u2009", "", "#", "").Replace(text)
	if n, err := strconv.ParseInt(plain, 10, 64); err == nil && !v.Unframed() {
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
	at := int64(seconds * 1e9)
	if b, e, ok := v.Session().Bounds(); ok && (at < b || at > e) {
		g.tell("The session goes from %s to %s", format.AppendClock(nil, b, 1e6), format.AppendClock(nil, e, 1e6))
	}
	v.SetPlayhead(at)
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
