package app

import (
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"framescope/charts/calls"
	"framescope/charts/draw"
	"framescope/charts/flame"
	"framescope/charts/format"
	"framescope/charts/panel"
	"framescope/charts/strip"
	"framescope/charts/view"
	"framescope/internal/testkit"
	"framescope/model"
	"framescope/model/spans"
	"framescope/widgets"
)

// pianoLabel returns what a right click on the label of a collector's row in a piano roll asks for.
func pianoLabel(t *testing.T, g *Game, c model.CollectorID) panel.Action {
	t.Helper()
	p, env, rect := strip.NewPiano(model.NoTrack), &g.stage.env, draw.Rect{X1: 900, Y1: 600}
	p.Update(env, rect, &panel.Input{X: -1, Y: -1})
	for y := float32(1); y < rect.Y1; y++ {
		if h := p.HitTest(env, 20, y); h.Kind != panel.HitCollector || h.Collector != c {
			continue
		}
		in := panel.Input{X: 20, Y: y, Over: true, Right: panel.Button{Down: true, Pressed: true, DownX: 20, DownY: y}}
		if a := p.Update(env, rect, &in); a.Kind != panel.ActionNone {
			t.Errorf("the press of the right button does %d", a.Kind)
		}
		in.Right = panel.Button{Released: true, DownX: 20, DownY: y}
		a := p.Update(env, rect, &in)
		testkit.MustThat(t, a.Kind == panel.ActionMenu && a.Hit.Collector == c && a.X == 20 && a.Y == y,
			"a right click on the label of collector %d: %+v", c, a)
		in.Right.Dragging = true
		if a := p.Update(env, rect, &in); a.Kind != panel.ActionNone {
			t.Errorf("the end of a drag does %d", a.Kind)
		}
		return a
	}
	t.Fatalf("the piano roll has no row of collector %d", c)
	return panel.Action{}
}

// The menu of a row's label in the piano roll: its items, and what each of them does.
func TestMenuOfAPianoLabel(t *testing.T) {
	t.Setenv("PATH", t.TempDir()) // no program takes what is copied: it is told
	g := openedGame(t, "nested.pstats")
	v := g.View()
	s := v.Session()
	v.SelectFrames(10, 10)
	runs := s.PianoRuns(v.Track(), 10, nil)
	testkit.MustThat(t, len(runs) != 0, "nothing ran in the frame")
	c := runs[0].Collector
	name := s.Collector(c).FullName
	menu := func() []string {
		g.nav.openMenu(pianoLabel(t, g, c))
		defer g.ask.CloseMenu()
		m := g.ask.Menu()
		testkit.Equal(t, m.Name, name, "the menu is called “%s”, the row is of “%s”", m.Name, name)
		var labels []string
		for _, it := range m.Items {
			if it.Label == "" && len(it.Colors) > 0 {
				it.Label = "(colours)"
			}
			labels = append(labels, it.Label)
		}
		return labels
	}
	want := []string{
		"Open strip chart", "Open flame graph", "Callers", "Next occurrence", "Hide", "Copy the name", "(colours)", "Set budget…",
		"Fit the selection", "Fit everything", "Zoom to the selected range",
	}
	testkit.EqualSlices(t, menu(), want, "the menu has")
	press := func(label string) { t.Helper(); pressMenu(t, g, pianoLabel(t, g, c), label) }
	press("Open strip chart")
	p, ok := g.desk.Focused().Panel.(*strip.Chart)
	testkit.That(t, ok && p.Focus == c, "no strip chart of collector %d was opened: %+v", c, g.desk.Focused())
	press("Open flame graph")
	if p, ok := g.desk.Focused().Panel.(*flame.Graph); !ok || p.Focus != c {
		t.Errorf("no flame graph of collector %d was opened: %+v", c, g.desk.Focused())
	}

	press("Callers")
	if p := g.nav.panels[callTree].(*calls.Tree); !p.BottomUp || g.desk.Find(callTree) == nil || v.Collector() != c {
		t.Errorf("the callers of collector %d are not shown, %d is chosen", c, v.Collector())
	}
	before := v.Playhead()
	press("Next occurrence")
	oneTruth(t, g, "the occurrence after a label")
	testkit.That(t, v.Collector() == c && v.Playhead() > before,
		"collector %d is selected at %d, it was at %d", v.Collector(), v.Playhead(), before)

	press("Hide")
	testkit.That(t, v.Look().Hidden(c), "it is not hidden")
	press("Show")
	testkit.That(t, !v.Look().Hidden(c), "it is not shown again")

	clip := t.TempDir() // a clipboard, also where there is none
	testkit.NoErr(t, os.WriteFile(filepath.Join(clip, "wl-copy"), []byte("#!/bin/sh\n"), 0o755))
	t.Setenv("PATH", clip+string(filepath.ListSeparator)+os.Getenv("PATH"))
	press("Copy the name")
	testkit.WaitUntil(t, "what was copied", func() bool {
		takeIn(g)
		shown := g.ask.Notices.Shown()
		return len(shown) > 0 && strings.Contains(shown[len(shown)-1].Text, name)
	})

	g.nav.openMenu(pianoLabel(t, g, c))
	items := g.ask.Menu().Items
	i := slices.IndexFunc(items, func(it widgets.MenuItem) bool { return len(it.Colors) > 0 })
	items[i].Pick(items[i].Colors[3])
	g.ask.CloseMenu()
	testkit.That(t, v.Look().HasColor(name), "it has no colour of the user's")
	press("Its own colour again")
	testkit.That(t, !v.Look().HasColor(name), "it still has a colour of the user's")

	press("Fit everything")
	all := v.Time()
	v.SelectFrames(20, 22)
	press("Zoom to the selected range")
	if w := v.Time(); w.EndNs-w.BeginNs >= all.EndNs-all.BeginNs {
		t.Errorf("the range is [%v, %v], all of it [%v, %v]", w.BeginNs, w.EndNs, all.BeginNs, all.EndNs)
	}
	press("Fit everything")
	if w := v.Time(); w.EndNs-w.BeginNs != all.EndNs-all.BeginNs {
		t.Errorf("everything is [%v, %v], it was [%v, %v]", w.BeginNs, w.EndNs, all.BeginNs, all.EndNs)
	}
	press("Fit the selection")
	if w := v.Time(); w.EndNs-w.BeginNs >= all.EndNs-all.BeginNs {
		t.Errorf("the selection is [%v, %v], all of it [%v, %v]", w.BeginNs, w.EndNs, all.BeginNs, all.EndNs)
	}
}

// TestMenuMakesFrames: the menu of a span makes frames of the calls of its name, and gives back those that are found.
func TestMenuMakesFrames(t *testing.T) {
	g := openedGame(t, "../spall/game-v3.spall")
	found := g.View().Shown().NumFrames()
	for _, c := range []struct {
		label string
		n     int
	}{{"Its calls are the frames", 60}, {"Frames as they are found", found}, {"No frames", 0}} {
		was := g.View().Session()
		bar, ok := spanOf(g, "physics")
		testkit.MustThat(t, ok, "nothing is called physics")
		hit := panel.Hit{Kind: panel.HitSpan, Bar: bar, Collector: bar.Collector}
		pressMenu(t, g, panel.Action{Hit: hit, Track: was.MainTrack()}, c.label)
		testkit.WaitUntil(t, "the recording with other frames", func() bool {
			takeIn(g)
			return g.View().Session() != was && len(g.ss.Sessions()) == 1
		})
		settle(t, g)
		s := g.View().Session()
		n := s.Track(s.MainTrack()).NumFrames()
		testkit.That(t, n == c.n, "%s: %d frames, want %d", c.label, n, c.n)
	}
}

// spanOf returns the first span of a name on the main thread.
func spanOf(g *Game, name string) (b spans.Bar, ok bool) {
	s := g.View().Session()
	for c := range s.Collectors().Len() {
		if s.Collector(model.CollectorID(c)).Name == name {
			return s.Spans().Next(s.MainTrack(), model.CollectorID(c), math.MinInt64, 1)
		}
	}
	return b, false
}

// passing counts the messages that pass the filter.
func passing(v *view.View) int {
	f := v.Look().MessageFilter()
	q := f.Query()
	if f.OnlyTrack {
		q.Tracks = []model.TrackID{f.Track}
	}
	_, n := v.Session().Messages().Find(q, nil)
	return n
}

// Each switch of the list says how many messages there are of its kind, lets these through, and
// takes that back; what is typed becomes the text.
func TestMessageFilters(t *testing.T) {
	g := openedGame(t, "../gsttrace/mixed-debug.log.gz")
	v := g.View()
	all := passing(v)
	g.nav.act(panel.Action{Kind: panel.ActionFilterMessages, Hit: panel.Hit{Rect: draw.Rect{X0: 600, Y0: 600, X1: 640, Y1: 620}}})
	p := g.ask.Dialog()
	testkit.MustThat(t, p != nil && all != 0, "no list of what %d messages are filtered by", all)
	groups := map[string]int{}
	for i := range p.Items {
		it := &p.Items[i]
		groups[it.Group]++
		if it.Name == "All" {
			continue
		}
		it.Run()
		f := v.Look().MessageFilter()
		n := passing(v)
		if f.HasLeast { // the level, and graver ones
			q := f.Query()
			q.MinSeverity++
			_, graver := v.Session().Messages().Find(q, nil)
			n -= graver
		}
		if key := countText(n); n == 0 || key != it.Key || !it.On() || !it.Keep {
			t.Errorf("%s %s: %d messages pass, it says %s", it.Group, it.Name, n, it.Key)
		}
		it.Run()
		testkit.That(t, f.All() || !it.On() && passing(v) == all, "%s %s is not taken back", it.Group, it.Name)
	}
	testkit.That(t, groups["Level"] >= 2 && groups["Category"] >= 2 && groups["Thread"] >= 1,
		"groups of switches: %v", groups)
	p.Field.SetText("caps")
	it := p.Chosen()
	testkit.MustThat(t, it.Run != nil, "nothing stands for what is typed")
	p.Enter()
	if f := v.Look().MessageFilter(); f.Text != "caps" || passing(v) == 0 || passing(v) == all || g.ask.Dialog() != nil {
		t.Errorf("filter %+v, %d of %d pass", f, passing(v), all)
	}
	// What comes later, and what is looked for elsewhere, leaves it as it is.
	g.find.last.defs++
	g.find.update()
	f := v.Look().MessageFilter()
	testkit.That(t, f.Text == "caps", "new definitions make it %+v", f)
}

func countText(n int) string { return string(format.AppendCount(nil, int64(n))) }

// A row of a table can be copied, and looked for.
func TestMenuOfCells(t *testing.T) {
	g := openedGame(t, "nested.pstats")
	only, all := false, false
	a := panel.Action{Kind: panel.ActionMenu, Hit: panel.NoHit(), Cells: panel.Cells{
		Row: "App\t1.00", Cell: "App", Name: true, Only: func() { only = true }, All: func() { all = true },
	}}
	pressMenu(t, g, a, "Only rows with “App”")
	pressMenu(t, g, a, "All rows again")
	g.nav.openMenu(a)
	has := func(label string) bool {
		return slices.ContainsFunc(g.ask.Menu().Items, func(it widgets.MenuItem) bool { return it.Label == label })
	}
	testkit.That(t, only && all && has("Copy “App”") && has("Copy the row") && !has("Find “App” in all panels"),
		"done: %v %v, the menu: %+v", only, all, g.ask.Menu().Items)
	a.Cells.Only, a.Cells.All = nil, nil
	pressMenu(t, g, a, "Find “App” in all panels")
	if g.find.update(); g.find.field.Text() != "App" || len(g.find.found) == 0 {
		t.Errorf("“%s” finds %d", g.find.field.Text(), len(g.find.found))
	}
}
