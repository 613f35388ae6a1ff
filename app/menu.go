package app

import (
	"cmp"
	"math"
	"strings"

	"framescope/assets"
	"framescope/charts/calls"
	"framescope/charts/draw"
	"framescope/charts/format"
	"framescope/charts/panel"
	"framescope/charts/subject"
	"framescope/charts/timeline"
	"framescope/charts/view"
	"framescope/model"
	"framescope/model/store"
	"framescope/net/feed"
	"framescope/widgets"
)

// openMenu opens the menu of a thing in a chart: the thing under the mouse, on its own thread.
func (n *navigator) openMenu(a panel.Action) {
	v := n.ss.View()
	if v.None() {
		return
	}
	m := thingMenu{Menu: widgets.Menu{Name: "View"}, n: n, v: v, hit: &a.Hit, track: a.Track}
	if v.Session().Track(m.track) == nil {
		m.track = v.Track()
	}
	if c := a.Hit.Named(); c != model.NoCollector {
		m.collector(c)
	} else if t := v.Session().Track(a.Hit.Thread()); t != nil {
		m.thread(t)
	} else if a.Hit.Group != "" {
		m.group(a.Hit.Group)
	} else if t := v.Session().Track(m.track); t != nil && (a.Hit.Kind == panel.HitFrame || m.head()) {
		m.frame(t, a.Hit.Frame)
	}
	if id := a.Hit.Thing.Element(); id != model.NoObject {
		m.element(id)
	} else if id := a.Hit.Thing.Series(); id != model.NoSeries {
		m.series(id)
	} else if track, msg, ok := a.Hit.Thing.Message(); ok {
		m.message(track, msg, a.Hit.TimeNs)
	}
	if n.budgets != nil {
		items := n.budgets(&a.Hit)
		if len(items) > 0 && len(m.Items) > 0 {
			items[0].Line = true
		}
		m.Items = append(m.Items, items...)
	}
	if name, items := n.places.Menu(&a.Hit, m.track); items != nil {
		m.Name = cmp.Or(name, m.Name)
		items[0].Line = len(m.Items) > 0
		m.Items = append(m.Items, items...)
	}
	m.cells(&a.Cells)
	m.window()
	n.ask.OpenMenu(&m.Menu, a.X, a.Y)
}

// callTree is the panel that shows callers.
const callTree = "calltree"

// thingMenu is the menu of a thing as it is put together.
type thingMenu struct {
	widgets.Menu
	n     *navigator
	v     *view.View
	hit   *panel.Hit
	track model.TrackID // the thing's own, or its panel's
}

func (m *thingMenu) add(label string, run func()) {
	m.Items = append(m.Items, widgets.MenuItem{Label: label, Run: run})
}

// toggle adds a switch between two states: on is the present one.
func (m *thingMenu) toggle(on bool, off, back string, set func(bool)) {
	if on {
		off = back
	}
	m.add(off, func() { set(!on) })
}

// hides gives the last item the key of Hide, if the key and the item hide the same thing.
func (m *thingMenu) hides(same bool) {
	if same {
		m.Items[len(m.Items)-1].Key = m.n.keyOf("hide")
	}
}

// collector adds the actions on a collector, and on its span under the mouse.
func (m *thingMenu) collector(c model.CollectorID) {
	n, v, bar, isSpan := m.n, m.v, m.hit.Bar, m.hit.Kind == panel.HitSpan
	k := v.Session().Collector(c)
	m.Name = k.Title()
	name, track := m.Name, v.ThreadOf(c, m.track)
	if isSpan || bar.End > bar.Begin {
		m.add("Zoom to it", func() { v.Steer().ZoomTo(bar.Begin, bar.End) })
	}
	if p := m.hit.Path; !p.None() {
		m.toggle(v.Focus() == p, "Focus on it", "Show the whole graph", func(on bool) {
			if !on {
				p = view.Path{}
			}
			v.SelectPath(m.track, p)
			v.FocusOn(p)
		})
	}
	if k.HasTime || c == 0 {
		if n.framed(track) {
			m.add("Open strip chart", func() { n.openNew(panel.ActionOpenStrip, track, c) })
		}
		m.add("Open flame graph", func() { n.openNew(panel.ActionOpenFlame, track, c) })
	}
	if k.HasLevel && n.framed(m.track) {
		m.add("Open level chart", func() { n.openNew(panel.ActionOpenLevels, m.track, c) })
		m.counter(view.LevelCounter(m.track, k.Top))
	}
	_, runs := v.Session().Spans().Next(track, c, math.MinInt64, 1)
	if runs {
		m.add("Callers", func() {
			n.show(callTree)
			n.panels[callTree].(*calls.Tree).ShowCallers(n.ask.Env, c)
		})
	}
	next := widgets.MenuItem{Label: "Next occurrence", Key: m.n.keyOf("occurrence.next"), Run: func() {
		if isSpan {
			v.SelectSpan(bar)
		} else {
			v.SelectCollectorOf(track, c)
		}
		n.occurrence(1)
	}}
	m.Items = append(m.Items, next)
	m.frames(k.Name)
	if runs && c > 0 {
		m.waits(k)
	}
	m.toggle(v.Look().Hidden(c), "Hide", "Show", func(on bool) { v.Look().SetHidden(c, on) })
	m.hides(m.n.hidden(m.hit) == hiding{model.NoTrack, c})
	m.Items[len(m.Items)-1].Line = true
	m.add("Copy the name", func() { n.ask.Copy(name) })
	if place := k.Place; place.File != "" {
		m.add("Copy file and line", func() { n.source.copy(place) })
		m.add("Open the source in the editor", func() { n.source.open(place) })
	}
	pick := func(col draw.Color) { n.ss.SetColor(k.FullName, col) }
	m.Items = append(m.Items, widgets.MenuItem{Line: true, Colors: swatches(m.n.ask.Env.Theme), Pick: pick})
	if v.Look().HasColor(k.FullName) {
		m.add("Reset its color", func() { n.ss.ResetColor(k.FullName) })
	}
}

// waits adds the choice whether a collector's time is waiting or work.
func (m *thingMenu) waits(k *model.Collector) {
	as, _ := m.v.Session().Collectors().Treated()
	said := as.Voice(k)
	for _, x := range [...]struct {
		label string
		voice model.Voice
	}{{"Treat as waiting", model.SaysWait}, {"Treat as work", model.SaysWork}, {"Decide by itself", model.SaysNothing}} {
		if x.voice != said {
			m.add(x.label, func() { m.n.ss.Treat(k.FullName, x.voice) })
		}
	}
}

// frames adds the choice to make frames of the calls of a name, and back, where that is possible.
func (m *thingMenu) frames(name string) {
	now, ok := m.n.ss.FramesOf()
	if !ok {
		return
	}
	if f := feed.Frames(name); f != now {
		m.add("Use its calls as frames", func() { m.n.ss.Reframe(f) })
	}
	if now != "" {
		m.add("Detect frames automatically", func() { m.n.ss.Reframe("") })
	} else if m.v.Session().HasFrames() {
		m.add("No frames", func() { m.n.ss.Reframe(feed.NoFrames) })
	}
}

// selecting adds the switch that selects the thing under the mouse, and nothing again.
func (m *thingMenu) selecting() {
	v, thing := m.v, m.hit.Thing
	m.toggle(v.Thing() == thing, "Select it in all panels", "Select nothing", func(on bool) {
		if v.Select(view.Thing{}); on {
			v.Select(thing)
		}
	})
}

// series adds the actions on a series.
func (m *thingMenu) series(id model.SeriesID) {
	n, x := m.n, m.v.Session().Series().ByID(id)
	if x == nil {
		return
	}
	m.Name = x.Def.Name
	m.selecting()
	if c, ok := view.CounterOf(m.v.Session(), id); ok {
		m.counter(c)
	}
	m.add("Copy the name", func() { n.ask.Copy(x.Def.Name) })
}

// counter adds the actions on the row of a counter in the timeline.
func (m *thingMenu) counter(c view.Counter) {
	look := m.v.Look()
	for _, x := range [...]struct {
		mark      view.CounterMark
		off, back string
	}{
		{view.CounterShown, "Show in the timeline", "Show in the timeline as there is room"},
		{view.CounterPinned, "Pin to the top of the timeline", "Unpin from the top of the timeline"},
		{view.CounterHidden, "Hide in the timeline", "Do not hide in the timeline"},
		{view.CounterLog, "Logarithmic in the timeline", "Linear in the timeline"},
	} {
		m.toggle(look.CounterMarked(x.mark, c), x.off, x.back, func(on bool) { look.MarkCounter(x.mark, c, on) })
	}
}

// element adds the actions on an element, a bin or a pad.
func (m *thingMenu) element(id model.ObjectID) {
	n, v := m.n, m.v
	o, ok := v.Session().Topology().Object(id)
	if !ok {
		return
	}
	m.Name = o.Name
	lines := strings.Join(m.hit.Lines, "\n")
	m.selecting()
	if v.Session().Contents().Messages {
		m.add("Show only its messages", func() {
			f := v.Look().MessageFilter()
			f.Object = o.Name
			v.Look().SetMessageFilter(f)
			n.show("messages")
		})
	}
	m.add("Copy the name", func() { n.ask.Copy(o.Name) })
	m.add("Copy its details", func() { n.ask.Copy(lines) })
}

// message adds the actions on a message of a thread.
func (m *thingMenu) message(track model.TrackID, msg model.Message, timeNs int64) {
	n, v := m.n, m.v
	m.Name = "Message"
	m.add("Go there in all panels", func() {
		v.SelectAt(view.Message(track, msg), timeNs)
		v.Steer().Reveal(timeNs)
	})
	only := func(label, what string, set func(f *view.MessageFilter)) {
		if what != "" {
			m.add(label+" “"+format.ClipName(what)+"”", func() {
				f := v.Look().MessageFilter()
				set(&f)
				v.Look().SetMessageFilter(f)
			})
		}
	}
	if t := v.Session().Track(track); t != nil {
		only("Only messages of thread", t.Title(), func(f *view.MessageFilter) { f.Track, f.OnlyTrack = track, true })
	}
	only("Only messages of level", subject.SeverityName(msg.Severity), func(f *view.MessageFilter) {
		f.Least, f.HasLeast = msg.Severity, true
	})
	only("Only messages of category", msg.Category, func(f *view.MessageFilter) { f.Categories = []string{msg.Category} })
	only("Only messages of object", msg.Object, func(f *view.MessageFilter) { f.Object = msg.Object })
	m.add("Copy the message", func() { n.ask.Copy(msg.Text) })
}

// frame adds the actions on a frame of a thread.
func (m *thingMenu) frame(t *store.Track, i int) {
	v, id := m.v, m.track
	m.Name = "Frame"
	if i < 0 || i >= t.NumFrames() {
		return
	}
	f := t.Frame(i)
	m.Name = string(subject.AppendFrameName(nil, v.Session(), id, f.Number))
	m.add("Zoom to it", func() {
		v.SetTrack(id)
		v.SelectFrames(i, i)
		v.Steer().ZoomTo(f.Begin, f.End)
	})
	if m.n.ss.SavesParts() && !(v.HasRange() && !v.Live() && id == v.Track() && v.FrameA() <= i && i <= v.FrameB()) {
		m.add("Save it as a session…", func() { m.n.ss.SaveFrames(id, i, i) })
	}
}

// thread adds the actions on a thread.
func (m *thingMenu) thread(t *store.Track) {
	n, v, id := m.n, m.v, t.Def.ID
	m.Name = t.Title()
	show := func() { v.SetTrack(id) }
	m.Items = append(m.Items, widgets.MenuItem{Label: "Show its frames in all panels", On: v.Track() == id, Run: show})
	m.toggle(v.Look().TrackFolded(id), "Fold", "Unfold", func(on bool) { v.Look().SetTrackFolded(id, on) })
	m.toggle(v.Look().TrackPinned(id), "Pin to the top", "Unpin", func(on bool) { v.Look().SetTrackPinned(id, on) })
	m.toggle(v.Look().TrackHidden(id), "Hide", "Show", func(on bool) { v.Look().SetTrackHidden(id, on) })
	m.hides(m.n.hidden(m.hit) == hiding{id, model.NoCollector})
	m.add("Open piano roll", func() {
		v.SetTrack(id)
		n.openNew(panel.ActionOpenPiano, id, model.NoCollector)
	})
	m.add("Copy the name", func() { n.ask.Copy(t.Title()) })
	m.Items = append(m.Items, widgets.MenuItem{Line: true, Label: "Move up", Run: func() { v.Look().MoveTrackBy(id, -1) }})
	m.add("Move down", func() { v.Look().MoveTrackBy(id, 1) })
	if v.Look().TrackLanes(id) > 0 {
		m.add("Fit the height to the view", func() { v.Look().SetTrackLanes(id, 0) })
	}
	m.tracks()
}

// group adds the actions on a group of threads.
func (m *thingMenu) group(key string) {
	look := m.v.Look()
	if why := timeline.HiddenGroup(key); why != view.NotHidden {
		m.Name = "Hidden tracks"
		m.add("Show them", func() { look.ShowTracks(why) })
		m.tracks()
		return
	}
	m.Name = "Group"
	closed := look.GroupClosed(key)
	m.toggle(closed, "Fold to one row", "A row for each", func(on bool) { look.SetGroupClosed(key, on) })
	all := func(on bool) func() {
		return func() {
			for _, g := range look.TrackGroups() {
				if g.Key != "" {
					look.SetGroupClosed(g.Key, on)
				}
			}
		}
	}
	m.add("Fold all groups", all(true))
	m.add("Unfold all groups", all(false))
	m.tracks()
}

// tracks adds the actions on all tracks: to hide the idle ones, and the ways to sort and group them,
// with marks at the chosen ones.
func (m *thingMenu) tracks() {
	look := m.v.Look()
	m.toggle(look.HidesIdle(), timeline.HideIdle, timeline.ShowIdle, func(bool) { m.n.hideIdle() })
	m.Items[len(m.Items)-1].Line = true
	if look.HidesTracks() {
		m.add(timeline.ShowTracks, m.n.showTracks)
	}
	tracks := look.Tracks()
	for i, o := range timeline.Orders() {
		run := func() { look.SetTrackOrder(o.Order) }
		m.Items = append(m.Items, widgets.MenuItem{Line: i == 0, Label: o.Name, On: tracks.Order == o.Order, Run: run})
	}
	for i, g := range timeline.Groupings() {
		run := func() { look.SetTrackGrouping(g.By) }
		m.Items = append(m.Items, widgets.MenuItem{Line: i == 0, Label: g.Name, On: tracks.Groups == g.By, Run: run})
	}
}

// window adds the actions that are always possible.
func (m *thingMenu) window() {
	v, line := m.v, len(m.Items) > 0
	fit := widgets.MenuItem{Line: line, Label: "Fit the selection", Key: m.n.keyOf("fit.selection")}
	fit.Run = v.Steer().FitSelection
	all := widgets.MenuItem{Label: "Fit everything", Key: m.n.keyOf("fit.all"), Run: v.Steer().FitAll}
	m.Items = append(m.Items, fit, all)
	if v.HasRange() {
		zoom := widgets.MenuItem{Label: "Zoom to the selected range", Key: m.n.keyOf("zoom.range"), Run: m.n.zoomToRange}
		m.Items = append(m.Items, zoom)
		if !line || m.hit.Kind == panel.HitFrame || m.head() || m.inRange() {
			m.Items = append(m.Items, m.n.compare()...)
			m.Items = append(m.Items, m.n.exports.Menu(m.n.keyOf("save.selection"))...)
		}
	}
	if v.Look().HidesTracks() || v.Look().HidesCollectors() {
		m.add("Show everything hidden", v.Look().ShowAll)
	}
	if v.Look().GoneShown() {
		m.add("Fold threads without activity here", func() { v.Look().SetGoneShown(false) })
	}
	m.Items = append(m.Items, m.n.ss.Elsewhere()...)
}

// head reports whether the menu is of the head of a frame on a ruler.
func (m *thingMenu) head() bool { return m.hit.Kind == panel.HitAxis && m.hit.Frame >= 0 }

// inRange reports whether the menu is of a span, or of the space beside spans, within the selection: a
// range, or several frames.
func (m *thingMenu) inRange() bool {
	v, kind := m.v, m.hit.Kind
	selected := !v.Live() && (v.ChoseRange() || v.FrameB() > v.FrameA())
	return selected && (kind == panel.HitSpan || kind == panel.HitNothing) &&
		v.RangeA() <= m.hit.TimeNs && m.hit.TimeNs < v.RangeB()
}

// swatches are the colors that a collector can be given: one lightness, so that none shouts.
func swatches(th *assets.Theme) []draw.Color {
	out := make([]draw.Color, assets.NumFamilies)
	for slot := range out {
		out[slot] = draw.Color(th.Data.Color(assets.Hue(assets.FamilyPos(slot)), assets.Bright))
	}
	return out
}

// cells adds the actions for a table row, and for its cell under the mouse.
func (m *thingMenu) cells(c *panel.Cells) {
	n, line := m.n, len(m.Items) > 0
	add := func(label string, run func()) {
		m.add(label, run)
		m.Items[len(m.Items)-1].Line, line = line, false
	}
	said := "“" + format.ClipName(c.Cell) + "”"
	if c.Cell != "" && c.Only != nil {
		add("Only rows with "+said, c.Only)
	}
	if c.All != nil {
		add("Show all rows", c.All)
	}
	if c.Cell != "" && c.Name && c.Only == nil {
		add("Find "+said+" in all panels", func() { n.find(c.Cell) })
	}
	if c.Cell != "" {
		add("Copy "+said, func() { n.ask.Copy(c.Cell) })
	}
	if c.Row != "" && c.Row != c.Cell {
		add("Copy the row", func() { n.ask.Copy(c.Row) })
	}
}
