package app

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"framescope/charts/calls"
	"framescope/charts/draw"
	"framescope/charts/flame"
	"framescope/charts/panel"
	"framescope/charts/strip"
	"framescope/internal/testkit"
	"framescope/model"
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
		"Open strip chart", "Open flame graph", "Who called it", "Next occurrence", "Hide", "Copy the name", "(colours)", "Set budget…",
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

	press("Who called it")
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
