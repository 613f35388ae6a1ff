package app

import (
	"slices"
	"testing"

	"framescope/charts/draw"
	"framescope/charts/format"
	"framescope/charts/panel"
	"framescope/charts/view"
	"framescope/internal/testkit"
	"framescope/model"
	"framescope/widgets"
)

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
