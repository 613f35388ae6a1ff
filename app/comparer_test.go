package app

import (
	"slices"
	"testing"

	"framescope/app/input"
	"framescope/app/workspace"
	"framescope/charts/comparing"
	"framescope/charts/view"
	"framescope/model/compare"
)

// comparesTick is the part of a tick that goes on comparing.
func comparesTick(g *Game) {
	takeIn(g)
	g.compare.tick(false)
	g.desk.Settle(g.ss.Contents())
}

// tabsOf returns the names of the workspaces that have a tab.
func tabsOf(g *Game) (names []string) {
	for _, s := range g.spaces.shown(g.compare.state.Any()) {
		names = append(names, s.Name)
	}
	return names
}

// Two ranges are marked by keys, compared, and shown in the workspace for it, which is there as long as
// something is marked.
func TestComparingByKeys(t *testing.T) {
	g := openedGame(t, "late.pstats")
	v := g.View()
	if slices.Contains(tabsOf(g), workspace.Compare) {
		t.Fatal("the tab for comparing is there before anything is compared")
	}
	strike := func(key string) {
		if !g.commands.Strike(input.ParseChord(key)) {
			t.Fatalf("%s does nothing", key)
		}
		comparesTick(g)
	}
	v.SelectFrames(60, 119)
	strike("Shift+A")
	m, ok := g.compare.state.Marked(comparing.A)
	if !ok || m.What != "frames 70 – 129 of Main" || g.compare.state.Result() != nil {
		t.Fatalf("A is %q", m.What)
	}
	if before := g.desk.Workspace(); before == workspace.Compare || !slices.Contains(tabsOf(g), workspace.Compare) {
		t.Errorf("workspace %s of %v with one side", before, tabsOf(g))
	}
	v.SelectFrames(130, 180)
	strike("Shift+B")
	r := g.compare.state.Result()
	if r == nil || g.desk.Workspace() != workspace.Compare {
		t.Fatalf("nothing is compared in workspace %s", g.desk.Workspace())
	}
	if th := r.Threads[0]; th.Frames != [2]int64{60, 51} {
		t.Errorf("%+v", th)
	}
	for _, id := range []string{"frametimes", "diffflame", "differences", "timelines"} {
		if came, _ := g.desk.Show(id); came == workspace.ShownNot {
			t.Errorf("the panel %s is not there", id)
		}
	}
	first := r.Frames.Sides[0].Median
	g.commands.Run("compare.swap")
	comparesTick(g)
	if got := g.compare.state.Result().Frames.Sides[1].Median; got != first {
		t.Errorf("A is not B: %v, want %v", got, first)
	}
	g.commands.Run("compare.stop")
	comparesTick(g)
	at := g.desk.Workspace()
	if g.compare.state.Any() || at == workspace.Compare || slices.Contains(tabsOf(g), workspace.Compare) {
		t.Errorf("still in workspace %s, of %v", at, tabsOf(g))
	}
}

// The numbers of the table are those of the comparison that `framescope diff` prints for the same ranges.
func TestTableOfDifferencesIsThatOfTheCommand(t *testing.T) {
	g := openedGame(t, "late.pstats")
	v := g.View()
	v.SelectFrames(0, 99)
	g.commands.Run("compare.a")
	v.SelectFrames(100, 190)
	g.commands.Run("compare.b")
	comparesTick(g)
	s := v.Session()
	a, b := compare.FramesOf(s, v.Track(), 0, 99), compare.FramesOf(s, v.Track(), 100, 190)
	want := compare.Of(a, b, compare.Options{})
	got := g.compare.state.Result()
	if len(got.Collectors) != len(want.Collectors) || got.Tests != want.Tests {
		t.Fatalf("%d rows and %d tests, want %d and %d", len(got.Collectors), got.Tests, len(want.Collectors),
			want.Tests)
	}
	for i := range want.Collectors {
		a, b := &got.Collectors[i], &want.Collectors[i]
		if a.Name() != b.Name() || a.Total.A != b.Total.A || a.Self.B != b.Self.B || a.Self.Verdict != b.Self.Verdict {
			t.Errorf("%s: %+v, want %+v", b.Name(), a, b)
		}
	}
	_, isTable := g.nav.panels["differences"].(interface{ NumRows() int })
	if !isTable {
		t.Errorf("%T is no table", g.nav.panels["differences"])
	}
}

// A session that is closed is no longer compared, and where nothing is there to be marked that is said.
func TestWhatIsGoneIsNotCompared(t *testing.T) {
	g := openedGame(t, "nested.pstats")
	g.commands.Run("compare.a")
	g.commands.Run("compare.b")
	comparesTick(g)
	if r := g.compare.state.Result(); r == nil || r.Frames.Mean.Verdict.Changed() {
		t.Fatalf("a session and itself: %+v", r)
	}
	g.ss.Forget(g.View().Session())
	comparesTick(g)
	comparesTick(g)
	if g.compare.state.Any() {
		t.Error("what is gone is still compared")
	}
	if _, ok := comparing.Selected(view.New(nil), ""); ok {
		t.Error("nothing was marked")
	}
	g.compare.mark(comparing.A)
	if g.compare.state.Any() {
		t.Error("nothing is a side")
	}
}
