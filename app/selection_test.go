package app

import (
	"cmp"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"framescope/app/layout"
	"framescope/app/sessions"
	"framescope/app/workspace"
	"framescope/charts/draw"
	"framescope/charts/flame"
	"framescope/charts/panel"
	"framescope/charts/table"
	"framescope/charts/view"
	"framescope/internal/testkit"
	"framescope/model"
	"framescope/model/messages"
	"framescope/model/spans"
	"framescope/widgets"
	"framescope/widgets/details"
)

// oneTruth checks that what is selected is one thing: the span is of the shown thread, the playhead
// lies in it, and its frame is the selected one.
func oneTruth(t *testing.T, g *Game, what string) {
	t.Helper()
	v := g.View()
	b := v.Span()
	testkit.MustThat(t, v.HasSpan(), "%s: no span is selected", what)
	testkit.That(t, b.Ref.Track == v.Track() && v.Collector() == b.Collector,
		"%s: a span of thread %d and collector %d, shown are %d and %d", what, b.Ref.Track, b.Collector, v.Track(),
		v.Collector())
	testkit.That(t, v.Playhead() >= b.Begin && v.Playhead() <= b.End && !v.Live(),
		"%s: the playhead is at %d, the span in [%d, %d]", what, v.Playhead(), b.Begin, b.End)
	if at := v.Shown().FrameCovering(v.Playhead()); v.FrameA() != at || v.FrameB() != at {
		t.Errorf("%s: frames %d to %d are selected, the playhead is in %d", what, v.FrameA(), v.FrameB(), at)
	}
	w := v.Time()
	testkit.That(t, float64(b.Begin) <= w.EndNs && float64(b.End) >= w.BeginNs, "%s: the span is out of view", what)
}

// otherThread returns a collector that runs on another thread than the shown one only, and its
// first span there.
func otherThread(t *testing.T, g *Game) (model.CollectorID, spans.Bar) {
	t.Helper()
	v := g.View()
	for id := range model.TrackID(v.Session().NumTracks()) {
		for c := model.CollectorID(1); int(c) < v.Session().Collectors().Len() && id != v.Track(); c++ {
			_, here := v.Session().Spans().Next(v.Track(), c, -1<<60, 1)
			if b, there := v.Session().Spans().Next(id, c, -1<<60, 1); there && !here {
				return c, b
			}
		}
	}
	t.Fatal("every collector runs on the shown thread")
	return 0, spans.Bar{}
}

// Going from occurrence to occurrence brings the frame along.
func TestOccurrencesBringTheirFrame(t *testing.T) {
	g, v := openedView(t, "nested.pstats")
	g.find.field.SetText("physics")
	g.find.update()
	g.find.next(false)
	oneTruth(t, g, "the search")
	first, names := v.FrameA(), len(g.find.found)
	for range 25 * names {
		g.commands.Run("occurrence.next")
		oneTruth(t, g, "a hit")
	}
	testkit.That(t, v.FrameA() >= first+20,
		"25 hits of each name on, frame %d is selected, at first it was %d", v.FrameA(), first)
	c := v.Collector()
	g.find.clear()
	g.find.update()
	for range 5 {
		g.commands.Run("occurrence.next")
		oneTruth(t, g, "an occurrence")
		testkit.MustThat(t, v.Collector() == c, "an occurrence of %d is of %d", c, v.Collector())
	}
}

// pressMenu opens the menu of what a chart has at a point and chooses an item by its label.
func pressMenu(t *testing.T, g *Game, a panel.Action, label string) {
	t.Helper()
	g.nav.openMenu(a)
	m := g.ask.Menu()
	i := slices.IndexFunc(m.Items, func(it widgets.MenuItem) bool { return it.Label == label })
	testkit.MustThat(t, i >= 0, "the menu “%s” has no item “%s”: %+v", m.Name, label, m.Items)
	m.Items[i].Run()
	g.ask.CloseMenu()
}

// A menu is about the thing under the mouse, on its own thread: a span, and a row that names a
// collector.
func TestMenusAreAboutTheThingUnderTheMouse(t *testing.T) {
	g, v := openedView(t, "late.pstats")
	main := v.Track()
	c, b := otherThread(t, g)
	hit := panel.Hit{Kind: panel.HitSpan, Track: b.Ref.Track, Collector: c, Bar: b, Frame: -1}
	a := panel.Action{Kind: panel.ActionMenu, Track: b.Ref.Track, Collector: c, Frame: -1, Hit: hit}
	flameOf := func() *flame.Graph {
		f, _ := g.desk.Focused().Panel.(*flame.Graph)
		testkit.MustThat(t, f != nil, "no flame graph was opened")
		return f
	}
	pressMenu(t, g, a, "Open flame graph")
	if f := flameOf(); f.Track != b.Ref.Track || f.Focus != c {
		t.Errorf("the flame graph is of collector %d on thread %d, want %d on %d", f.Focus, f.Track, c, b.Ref.Track)
	}
	pressMenu(t, g, a, "Next occurrence")
	oneTruth(t, g, "the occurrence after a span on another thread")
	testkit.That(t, v.Track() == b.Ref.Track && v.Span().Begin > b.Begin,
		"the next occurrence is at %d on thread %d", v.Span().Begin, v.Track())
	v.SetTrack(main)
	row := panel.Hit{Kind: panel.HitCollector, Track: main, Collector: c, Frame: -1}
	a = panel.Action{Kind: panel.ActionMenu, Track: main, Collector: c, Frame: -1, Hit: row}
	pressMenu(t, g, a, "Open flame graph")
	f := flameOf()
	testkit.That(t, f.Track == b.Ref.Track, "the flame graph of a row is of thread %d, where it does not run", f.Track)
	pressMenu(t, g, a, "Hide")
	testkit.That(t, v.Look().Hidden(c) && !v.Look().TrackHidden(main),
		"the row's collector is not hidden, or the thread is")
}

// The key H over a row that names a collector hides the collector, not the thread.
func TestHideIsAboutTheThingUnderTheMouse(t *testing.T) {
	g, v := openedView(t, "nested.pstats")
	g.under.hit, g.under.some = panel.Hit{Kind: panel.HitCollector, Track: v.Track(), Collector: 2}, true
	g.commands.Run("hide")
	testkit.That(t, !v.Look().TrackHidden(v.Track()) && v.Look().Hidden(2),
		"the thread was hidden instead of the collector")
	g.under.hit = panel.Hit{Kind: panel.HitLabel, Track: v.Track(), Collector: model.NoCollector}
	g.commands.Run("hide")
	testkit.That(t, v.Look().TrackHidden(v.Track()), "the thread whose label is under the mouse is not hidden")
}

// Who asks for series where counters are rows of the timeline learns where they are; elsewhere there are none.
func TestCountersAreInTheTimeline(t *testing.T) {
	for name, want := range map[string]bool{"levels.pstats": true, "../folded/recursion.txt": false} {
		g, v := openedView(t, name)
		g.commands.Run("show.series")
		all := g.ask.Notices.Shown()
		text := all[len(all)-1].Text
		n, _ := v.Look().Counters()
		testkit.That(t, strings.Contains(text, "no series") && strings.Contains(text, "rows of the timeline") == want && (n > 0) == want,
			"%s with %d counters: %q", name, n, text)
	}
}

// The place in the source of what is selected or under the mouse opens in the editor of the settings, is copied, and
// what is not here is said.
func TestOpenSource(t *testing.T) {
	g, v := openedView(t, "../chrometrace/bevy-async.json.gz")
	tree := v.Session().Collectors().Tree().All
	c := tree[slices.IndexFunc(tree, func(c model.Collector) bool { return c.Title() == "frame" })].ID
	dir := t.TempDir()
	testkit.NoErr(t, os.WriteFile(filepath.Join(dir, "wl-copy"), []byte("#!/bin/sh\n"), 0o755)) // a clipboard
	t.Setenv("PATH", dir+string(filepath.ListSeparator)+os.Getenv("PATH"))
	g.settings.Editor = []string{filepath.Join(dir, "none"), "{file}"}
	notice := func() string { all := g.ask.Notices.Shown(); return all[len(all)-1].Text }
	g.commands.Run("source.open")
	testkit.Contains(t, notice(), "Select a span")
	v.SelectCollector(c)
	g.commands.Run("source.open")
	testkit.Contains(t, notice(), "src/bin/bevy_like.rs is not here", "Source folders")
	testkit.NoErr(t, os.MkdirAll(filepath.Join(dir, "bin"), 0o700))
	testkit.NoErr(t, os.WriteFile(filepath.Join(dir, "bin", "bevy_like.rs"), nil, 0o600))
	g.settings.SourceFolders = []string{dir}
	g.commands.Run("source.open")
	testkit.Contains(t, notice(), "can't be started", "Settings, Editor")
	g.find.field.SetText("file:bevy_like")
	settleSearch(t, g)
	testkit.That(t, slices.Contains(g.find.found, c) && len(g.find.hitItems("file:bevy_like")) == 1, "found %v", g.find.found)
	row := panel.Hit{Kind: panel.HitCollector, Track: v.Track(), Collector: c, Frame: -1}
	a := panel.Action{Kind: panel.ActionMenu, Track: v.Track(), Collector: c, Frame: -1, Hit: row}
	pressMenu(t, g, a, "Copy file and line")
	testkit.WaitUntil(t, "what was copied", func() bool {
		takeIn(g)
		return strings.Contains(notice(), "src/bin/bevy_like.rs:20")
	})
}

// The search narrows every table down that lists things by name, also those that nothing else
// refers to.
func TestSearchReachesEveryPanel(t *testing.T) {
	g := openedGame(t, "nested.pstats")
	g.find.field.SetText("physics")
	g.find.update()
	reached := map[string]bool{}
	g.desk.Each(func(tab *workspace.Tab) { _, reached[tab.ID] = tab.Panel.(panel.Filterer) })
	lists := []string{"collectors", "statistics", "calltree", "calls", "series", "leaks"}
	for _, id := range lists {
		testkit.That(t, reached[id], "the search does not reach the panel %s", id)
	}
	env := &g.stage.env
	rect := draw.Rect{X1: 600, Y1: 400}
	table := g.desk.Find("statistics").Panel.(*table.Table)
	rows := func() int {
		table.Update(env, rect, &panel.Input{X: -1, Y: -1})
		return table.NumRows()
	}
	found := rows()
	g.find.field.SetText("")
	g.find.update()
	all := rows()
	testkit.That(t, found != 0 && found < all, "statistics list %d collectors for “physics”, %d in all", found, all)
}

// An element of a pipeline, and a message, have menus of their own: the element is selected in all
// panels, and the messages are narrowed down to what one points at.
func TestMenusOfObjectsAndMessages(t *testing.T) {
	trace := filepath.Join("..", "testdata", "gsttrace", "all-audio-chain.log.gz")
	g := newTestGame(t, sessions.Options{Files: []string{trace}, Deterministic: true})
	g.stage.width, g.stage.height = 1280, 720
	settleGame(t, g)
	v := g.View()
	s := v.Session()
	id := model.ObjectID(slices.IndexFunc(s.Topology().Objects(), func(o model.ObjectDef) bool { return o.Name == "fakesink0" }))
	hit := panel.Hit{Kind: panel.HitObject, Thing: view.Element(id), Collector: model.NoCollector, Track: model.NoTrack, Lines: []string{"fakesink0"}}
	a := panel.Action{Kind: panel.ActionMenu, Track: model.NoTrack, Collector: model.NoCollector, Frame: -1, Hit: hit}
	pressMenu(t, g, a, "Select it in all panels")
	var about []string
	for c := range model.CollectorID(s.Collectors().Len()) {
		if v.Selects(c) {
			about = append(about, s.Collector(c).Name)
		}
	}
	if v.Thing().Element() != id || len(about) == 0 || slices.ContainsFunc(about, func(n string) bool { return !strings.Contains(n, "fakesink0") }) {
		t.Errorf("object %d is selected, and the collectors %q", v.Thing().Element(), about)
	}
	details := g.nav.panels["details"].(*details.Panel)
	details.Update(&g.stage.env, draw.Rect{X1: 240, Y1: 400}, &panel.Input{X: -1, Y: -1})
	testkit.That(t, details.Title(&g.stage.env) == "fakesink0" && details.Mode(&g.stage.env) == "element",
		"details are of %q, %q", details.Title(&g.stage.env), details.Mode(&g.stage.env))
	pressMenu(t, g, a, "Show only its messages")
	list, _ := s.Messages().Find(messages.Query{Object: "fakesink0", Limit: 1}, nil)
	f := v.Look().MessageFilter()
	testkit.That(t, f.Object == "fakesink0" && len(list) != 0, "messages are of %q; %d found", f.Object, len(list))
	pressMenu(t, g, a, "Select nothing")
	testkit.Equal(t, v.Thing(), view.Thing{}, "the element is still selected")
	m := list[0]
	hit = panel.Hit{Kind: panel.HitMessage, Track: m.Track, Thing: view.Message(m.Track, m.Message), TimeNs: m.Time, Collector: model.NoCollector, Frame: -1}
	a.Hit = hit
	pressMenu(t, g, a, "Go there in all panels")
	if _, got, ok := v.Thing().Message(); !ok || got != m.Message || v.Playhead() != m.Time {
		t.Errorf("the playhead is at %d, the message at %d", v.Playhead(), m.Time)
	}
}

// What draws frame by frame is not offered where a thread has none, and does not open by a key
// either.
func TestNoStripChartWithoutFrames(t *testing.T) {
	for name, want := range map[string]bool{"late.pstats": true, "../gsttrace/leaks-found.log": false} {
		g, v := openedView(t, name)
		testkit.Equal(t, g.nav.framed(v.Track()), want, "%s: framed", name)
		before := g.desk.Focused()
		g.nav.openNew(panel.ActionOpenStrip, v.Track(), 0)
		testkit.Equal(t, g.desk.Focused() != before, want, "%s: a strip chart was opened", name)
		told := len(g.ask.Notices.Shown()) > 0
		testkit.That(t, told != want, "%s: the reason was told: %v", name, told)
		if want {
			continue
		}
		g.nav.openMenu(panel.Action{Kind: panel.ActionMenu, Frame: -1, Hit: panel.Hit{Kind: panel.HitCollector, Frame: -1}})
		for _, it := range g.ask.Menu().Items {
			testkit.That(t, it.Label != "Open strip chart", "%s: the menu offers a strip chart", name)
		}
	}
}

// Where several frames are selected, a span within them and the head of a frame offer what can be done
// with the selection; the head is about its frame.
func TestMenusInTheSelection(t *testing.T) {
	g, v := openedView(t, "nested.pstats")
	v.SelectFrames(1, 3)
	f := v.Shown().Frame(2)
	has := func(hit panel.Hit, label string) bool {
		g.nav.openMenu(panel.Action{Kind: panel.ActionMenu, Track: v.Track(), Frame: -1, Hit: hit})
		defer g.ask.CloseMenu()
		return slices.ContainsFunc(g.ask.Menu().Items, func(it widgets.MenuItem) bool { return it.Label == label })
	}
	const save, compare = "Save only the selection…", "Compare: mark the selection as A"
	bar := spans.Bar{Ref: spans.Ref{Track: v.Track()}, Collector: 1, Begin: f.Begin, End: f.End}
	span := panel.Hit{Kind: panel.HitSpan, Track: v.Track(), Collector: 1, Bar: bar, Frame: 2, TimeNs: f.Begin}
	testkit.That(t, has(span, save) && has(span, compare),
		"a span in the selection does not offer what can be done with that")
	span.TimeNs = v.RangeB()
	testkit.That(t, !has(span, save), "a span beside the selection offers to save that")
	head := panel.Hit{Kind: panel.HitAxis, Track: v.Track(), Collector: model.NoCollector, Frame: 2, TimeNs: f.Begin}
	testkit.That(t, has(head, "Zoom to it") && has(head, save) && has(head, "Copy link"),
		"the head of a frame does not offer what the frame does")
	gap := panel.Hit{Kind: panel.HitNothing, Track: v.Track(), Collector: model.NoCollector, Frame: -1, TimeNs: f.Begin}
	testkit.That(t, has(gap, "Copy link") && has(gap, save), "between spans in the selection there is no link to it")
}

// lookUp opens the palette with a text in it.
func lookUp(g *Game, names bool, text string) *widgets.Palette {
	p := &widgets.Palette{Items: g.things(names), Typed: g.nav.typed, Close: func() {}}
	p.Field.SetText(text)
	return p
}

// The palette finds every kind of thing by a part of its name, and does what it says.
func TestPaletteFindsAll(t *testing.T) {
	g, v := openedView(t, "nested.pstats")
	track := v.Session().Track(v.Track())
	third := track.Frame(2)
	number := strconv.FormatInt(third.Number, 10)
	for _, c := range []struct {
		text string
		done func() bool
	}{
		{"#" + number, func() bool { return v.FrameA() == 2 && v.FrameB() == 2 }},
		{"0:01.25", func() bool { return v.Playhead() == 1_250_000_000 }},
		{"fit everything", func() bool { return true }},
		{"physics", func() bool { return v.Session().Collector(v.Chosen()).Name == "Physics" }},
		{track.Title(), func() bool { return v.Track() == track.Def.ID }},
		{"light theme", func() bool { return g.settings.Theme == "light" }},
		{"dark colors", func() bool { return g.settings.Theme == "dark" }},
		{"nested.pst", func() bool { return g.View() == v }},
	} {
		p := lookUp(g, true, c.text)
		if p.Hits() == 0 {
			t.Errorf("%q finds nothing", c.text)
			continue
		}
		p.Enter()
		testkit.That(t, c.done(), "%q did something else", c.text)
	}
	// Each command that is not shy is found by its name, first of all.
	for _, c := range g.commands.All() {
		if c.Shy {
			continue
		}
		p := lookUp(g, false, c.Name)
		testkit.That(t, stable(p) == c.Name, "%q is not what one finds first by it, but %q", c.Name, p.Chosen().Name)
	}
	recording := []widgets.PaletteItem{{Name: "light.pstats", Group: headFiles}} // a word of which begins as one of a command
	g.find.commands()
	p := cmp.Or(g.find.palette, g.ask.Dialog())
	p.Items = append(recording, p.Items...)
	p.Text().SetText("light")
	testkit.That(t, strings.Contains(p.Chosen().Name, "Light"), "%q is first before the commands", p.Chosen().Name)
	p.Close()
	testkit.That(t, strings.HasSuffix(lookUp(g, false, "worst").Chosen().Name, "spike"), "no spike is found by a word for it")
	for _, text := range []string{"export", "csv", "tsv", "svg"} {
		if p := lookUp(g, false, text); p.Hits() == 0 || !strings.HasPrefix(p.Chosen().Name, "Export this panel") {
			t.Errorf("%q leads to %q", text, p.Chosen().Name)
		}
	}
	// And each value of the settings.
	for _, x := range g.settingThings() {
		if p := lookUp(g, false, x.Name); p.Chosen().Name != x.Name {
			t.Errorf("%q is not what one finds first by it, but %q", x.Name, p.Chosen().Name)
		}
	}
}

// stable is what the chosen item is called whatever state it is in.
func stable(p *widgets.Palette) string { return cmp.Or(p.Chosen().Same, p.Chosen().Name) }

// What was chosen lately comes first, by itself before anything is typed.
func TestPaletteRecent(t *testing.T) {
	g := newTestGame(t, sessions.Options{})
	ran := lookUp(g, false, "tooltips on")
	name := stable(ran)
	ran.Enter()
	p := lookUp(g, false, "")
	testkit.That(t, stable(p) == name, "%q is the first, want %q", p.Chosen().Name, name)
	testkit.That(t, !strings.Contains(lookUp(g, false, "").Chosen().Group, "Recent"), "an item lost its group")
}

// The inspector begins at its top for another kind of thing and another session, stays where it is while
// one steps through frames, spikes and collectors, and while what was chosen in it is under the mouse.
func TestInspectorBeginsAtItsTop(t *testing.T) {
	testkit.OneGoroutine(t)
	g := tradeGame(t, 0, 1280, 720)
	v := g.View()
	place := func(id string) (r draw.Rect) {
		g.desk.EachInSight(func(tab *workspace.Tab, at draw.Rect) {
			if tab.ID == id {
				r = at
			}
		})
		return r
	}
	var c model.CollectorID = 1
	for id := c; int(id) < v.Session().Collectors().Len(); id++ {
		if _, ok := v.Session().Spans().Next(v.Track(), id, -1<<60, 1); ok {
			c = id
		}
	}
	x, y := float32(300), float32(300) // the mouse
	lower := func() float32 {          // higher up where it is scrolled
		rest(t, g, x, y)
		return place("against").Y1
	}
	atTop := func() bool {
		was := lower()
		g.desk.ToTop(layout.Right, false)
		return lower() == was
	}
	scroll := func() {
		t.Helper()
		r := place("details")
		x, y = (r.X0+r.X1)/2, r.Y1-5
		turn(t, g, x, y)
		g.mouse.WheelY = -2
		was := place("against").Y1
		turn(t, g, x, y)
		g.mouse.WheelY = 0
		testkit.MustThat(t, lower() != was, "the wheel does not scroll the inspector")
	}
	v.SelectCollector(c)
	rest(t, g, x, y)
	scroll()
	x, y = 300, 300
	turn(t, g, x, y)
	v.StepFrame(1)
	testkit.That(t, !atTop(), "a step to another frame scrolls the inspector")
	scroll()
	x, y = 300, 300
	turn(t, g, x, y)
	v.SelectCollector(1)
	testkit.That(t, !atTop(), "another collector scrolls the inspector")
	v.SelectCollector(c)
	scroll()
	x, y = 300, 300
	turn(t, g, x, y)
	v.SelectCollector(model.NoCollector)
	testkit.That(t, atTop(), "of another kind of thing it does not begin at its top")
	scroll()
	v.SelectCollector(c)
	testkit.That(t, !atTop(), "a thing that was chosen in it scrolls it")
	// Nor does a list of it that has what was selected elsewhere.
	x, y = 300, 300
	v.SelectCollector(model.NoCollector)
	g.desk.ToTop(layout.Right, false)
	for range 12 {
		g.commands.Run("spike.next")
		rest(t, g, x, y)
	}
	testkit.That(t, v.FrameA() >= 1 && atTop() && !place("against").Empty(),
		"going to the spike in frame %d scrolls the inspector", v.FrameA())
}

// While frames come in, N goes to the newest spike, as Shift+N does.
func TestNextSpikeOfLive(t *testing.T) {
	at := map[string]int{}
	for _, key := range []string{"spike.next", "spike.previous"} {
		g := tradeGame(t, 0, 1280, 720)
		g.View().Follow(true)
		rest(t, g, 300, 300)
		g.commands.Run(key)
		rest(t, g, 300, 300)
		testkit.That(t, !g.View().Live() && g.View().FrameA() > 0, "%s selects no spike", key)
		at[key] = g.View().FrameA()
	}
	testkit.That(t, at["spike.next"] == at["spike.previous"], "spikes at %v", at)
}

// Pausing moves no section of the inspector, in a window in which there is little room, and wherever the
// mouse is; what then differs from the typical frame is cut to what has room, and a click shows more.
func TestPauseMovesNothingInTheInspector(t *testing.T) {
	for _, over := range []bool{true, false} {
		g := tradeGame(t, 0, 1280, 720)
		place := func(id string) (r draw.Rect) {
			g.desk.EachInSight(func(tab *workspace.Tab, at draw.Rect) {
				if tab.ID == id {
					r = at
				}
			})
			return r
		}
		g.View().Follow(true)
		rest(t, g, 300, 300)
		was, x, y := place("spikes"), float32(300), float32(300)
		if over {
			x, y = (was.X0+was.X1)/2, was.Y0+40
		}
		rest(t, g, x, y)
		g.View().Follow(false)
		rest(t, g, x, y)
		if got := place("spikes"); g.View().Live() || got != was || got.Empty() {
			t.Errorf("mouse over it: %v; pausing moves the list of spikes from %v to %v", over, was, got)
		}
		at := place("against")
		if !over {
			below := at.Y1
			x, y = (at.X0+at.X1)/2, at.Y1-10
			for _, b := range []panel.Button{{Pressed: true, Down: true, DownX: x, DownY: y}, {Released: true, DownX: x, DownY: y}, {}} {
				g.mouse.Buttons[0] = b
				turn(t, g, x, y)
			}
			rest(t, g, x, y)
			at = place("against")
			testkit.That(t, at.Y1 > below, "a click on what is said of the rest shows no more: %v", at)
		}
	}
}
