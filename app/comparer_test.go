package app

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"framescope/app/input"
	"framescope/app/layout"

	"framescope/app/sessions"
	"framescope/app/workspace"

	"framescope/charts/view"
	"framescope/internal/testkit"
	"framescope/model/compare"
)

// comparesTick is the part of a tick that goes on comparing.
func comparesTick(g *Game) {
	takeIn(g)
	g.compare.Tick(false)
	g.desk.Settle(g.ss.Contents())
}

// compareKey strikes a key, and goes on comparing.
func compareKey(t *testing.T, g *Game, key string) {
	t.Helper()
	testkit.MustThat(t, g.commands.Strike(input.ParseChord(key)), "%s does nothing", key)
	comparesTick(g)
}

// tabsOf returns the names of the workspaces that have a tab.
func tabsOf(g *Game) (names []string) {
	for _, s := range g.spaces.shown(g.compare.State.Any()) {
		names = append(names, s.Name)
	}
	return names
}

// Two ranges are marked by keys, compared, and shown in the workspace for it, which is there as long as
// something is marked.
func TestComparingByKeys(t *testing.T) {
	g, v := openedView(t, "late.pstats")
	testkit.MustThat(t, !slices.Contains(tabsOf(g), layout.Compare),
		"the tab for comparing is there before anything is compared")
	v.SelectFrames(60, 119)
	compareKey(t, g, "Shift+A")
	m, ok := g.compare.State.Marked(view.SideA)
	testkit.MustThat(t, ok && m.What == "frames 70 – 129 of Main" && g.compare.State.Result() == nil, "A is %q", m.What)
	if before := g.desk.Workspace(); before == layout.Compare || !slices.Contains(tabsOf(g), layout.Compare) {
		t.Errorf("workspace %s of %v with one side", before, tabsOf(g))
	}
	v.SelectFrames(130, 180)
	compareKey(t, g, "Shift+B")
	r := g.compare.State.Result()
	testkit.MustThat(t, r != nil && g.desk.Workspace() == layout.Compare,
		"nothing is compared in workspace %s", g.desk.Workspace())
	th := r.Threads[0]
	testkit.That(t, th.Frames == [2]int64{60, 51}, "%+v", th)
	for _, id := range []string{"frametimes", "diffflame", "differences", "timelines"} {
		came, _ := g.desk.Show(id)
		testkit.That(t, came != workspace.ShownNot, "the panel %s is not there", id)
	}
	first := r.Frames.Sides[0].Median
	g.commands.Run("compare.swap")
	comparesTick(g)
	testkit.Equal(t, g.compare.State.Result().Frames.Sides[1].Median, first, "A is not B")
	g.commands.Run("compare.stop")
	comparesTick(g)
	at := g.desk.Workspace()
	testkit.That(t, !g.compare.State.Any() && at != layout.Compare && !slices.Contains(tabsOf(g), layout.Compare),
		"still in workspace %s, of %v", at, tabsOf(g))
}

// Back and Forward go over what was compared, too: marks, a swap, and the end of it.
func TestBackOverWhatIsCompared(t *testing.T) {
	g := openedGame(t, "late.pstats")
	v, now := g.View(), int64(1e9)
	strike := func(key string) {
		t.Helper()
		now += 2e9 // another step
		v.Tick(now, false)
		compareKey(t, g, key)
	}
	says := func() string {
		a, _ := g.compare.State.Marked(view.SideA)
		b, _ := g.compare.State.Marked(view.SideB)
		return a.When + " | " + b.When
	}
	v.SelectFrames(60, 119)
	strike("Shift+A")
	one := says()
	now += 2e9
	v.Tick(now, false)
	v.SelectFrames(130, 180)
	strike("Shift+B")
	two := says()
	strike("Shift+C")
	swapped := says()
	strike("Ctrl+Z")
	if got := says(); got != two || swapped == two || g.desk.Workspace() != layout.Compare || g.compare.State.Result() == nil {
		t.Errorf("the swap undone: %q, was %q", got, two)
	}
	strike("Ctrl+Z")
	if got := says(); got != one || g.desk.Workspace() == layout.Compare || v.FrameA() != 130 {
		t.Errorf("B undone: %q, was %q; frame %d", got, one, v.FrameA())
	}
	strike("Ctrl+Y")
	strike("Ctrl+Y")
	got := says()
	testkit.That(t, got == swapped, "done again: %q, was %q", got, swapped)
	strike("Ctrl+Z")
	strike("Ctrl+Z")
	strike("Ctrl+Z")
	strike("Ctrl+Z")
	testkit.That(t, !g.compare.State.Any(), "all undone: %q", says())
}

// The workspace for comparing is nobody's choice: when what is compared was closed, the next session is
// shown in that of its kind, also where settings of before remember another.
func TestComparingIsNotRemembered(t *testing.T) {
	for _, remembered := range []bool{false, true} {
		g := openedGame(t, "late.pstats")
		own, kind := g.desk.Workspace(), g.ss.Kind()
		g.View().SelectFrames(60, 119)
		g.commands.Run("compare.a")
		comparesTick(g)
		g.spaces.follow()
		g.spaces.use(layout.Compare)
		g.spaces.follow()
		if at := g.desk.Workspace(); at != layout.Compare || g.settings.Workspace[kind] == layout.Compare {
			t.Fatalf("workspace %s, remembered is %v", at, g.settings.Workspace)
		}
		if remembered {
			g.settings.Workspace = map[string]string{kind: layout.Compare}
		}
		g.ss.Forget(g.View().Session())
		testkit.WaitUntil(t, "closing", func() bool { comparesTick(g); g.spaces.follow(); return len(g.ss.Sessions()) == 0 })
		g.ss.OpenFile(captureFile(t, "late.pstats"))
		testkit.WaitUntil(t, "the next", func() bool { comparesTick(g); g.spaces.follow(); return len(g.ss.Sessions()) == 1 })
		testkit.Equal(t, g.desk.Workspace(), own, "workspace")
	}
}

// The numbers of the table are those of the comparison that `framescope diff` prints for the same ranges.
func TestTableOfDifferencesIsThatOfTheCommand(t *testing.T) {
	g, v := openedView(t, "late.pstats")
	v.SelectFrames(0, 99)
	g.commands.Run("compare.a")
	v.SelectFrames(100, 190)
	g.commands.Run("compare.b")
	comparesTick(g)
	s := v.Session()
	a, b := compare.FramesOf(s, v.Track(), 0, 99), compare.FramesOf(s, v.Track(), 100, 190)
	want := compare.Of(a, b, compare.Options{})
	got := g.compare.State.Result()
	testkit.MustThat(t, len(got.Collectors) == len(want.Collectors) && got.Tests == want.Tests,
		"%d rows and %d tests, want %d and %d", len(got.Collectors), got.Tests, len(want.Collectors), want.Tests)
	for i := range want.Collectors {
		a, b := &got.Collectors[i], &want.Collectors[i]
		testkit.That(t, a.Name() == b.Name() && a.Total.A == b.Total.A && a.Self.B == b.Self.B &&
			a.Self.Verdict == b.Self.Verdict, "%s: %+v, want %+v", b.Name(), a, b)
	}
	_, isTable := g.nav.panels["differences"].(interface{ NumRows() int })
	testkit.That(t, isTable, "%T is no table", g.nav.panels["differences"])
}

// A session that is closed is no longer compared, and where nothing is there to be marked that is said.
func TestWhatIsGoneIsNotCompared(t *testing.T) {
	g := openedGame(t, "nested.pstats")
	g.commands.Run("compare.a")
	g.commands.Run("compare.b")
	comparesTick(g)
	r := g.compare.State.Result()
	testkit.MustThat(t, r != nil && !r.Frames.Mean.Verdict.Changed(), "a session and itself: %+v", r)
	g.ss.Forget(g.View().Session())
	comparesTick(g)
	comparesTick(g)
	testkit.That(t, !g.compare.State.Any(), "what is gone is still compared")
	_, ok := view.MarkSelected(view.New(nil), "")
	testkit.That(t, !ok, "nothing was marked")
	g.compare.Mark(view.SideA)
	testkit.That(t, !g.compare.State.Any(), "nothing is a side")
}

// read returns a recording as it is dropped: under a name, with no place on disk.
func read(t *testing.T, recording, name string) fstest.MapFS {
	t.Helper()
	data := testkit.Must(os.ReadFile(captureFile(t, recording)))(t)
	return fstest.MapFS{name: {Data: data}}
}

// comparedAfter ticks until both sides are there.
func comparedAfter(t *testing.T, g *Game) (a, b view.Mark) {
	t.Helper()
	testkit.WaitUntil(t, "both sides", func() bool {
		comparesTick(g)
		return g.compare.State.Result() != nil
	})
	a, _ = g.compare.State.Marked(view.SideA)
	b, _ = g.compare.State.Marked(view.SideB)
	return a, b
}

// A file that is dropped with Shift is B of a comparison with what is shown: with the frames that are
// selected, or all of it. Without Shift it is opened alone.
func TestDroppingWithShiftCompares(t *testing.T) {
	for name, selects := range map[string]bool{"all": false, "frames 70 – 129 of Main": true} {
		g := openedGame(t, "late.pstats")
		shown := g.View().Session()
		if selects {
			g.View().SelectFrames(60, 119)
		}
		g.compare.Drop(read(t, "nested.pstats", "b.pstats"), false)
		testkit.WaitUntil(t, "the plain drop", func() bool { comparesTick(g); return len(g.ss.Sessions()) == 2 })
		testkit.That(t, !g.compare.State.Any() && g.desk.Workspace() != layout.Compare, "a plain drop compares")
		g.ss.Select(shown)
		g.compare.Drop(read(t, "nested.pstats", "c.pstats"), true)
		a, b := comparedAfter(t, g)
		testkit.That(t, a.Side.Session == shown && a.What == name && b.Side.Session != shown && b.What == "all",
			"A is %s of %s, B %s of %s", a.What, a.Name, b.What, b.Name)
		testkit.That(t, g.desk.Workspace() == layout.Compare && g.View().Session() == b.Side.Session,
			"workspace %s does not show B", g.desk.Workspace())
		testkit.Equal(t, len(g.ss.Sessions()), 3, "sessions")
	}
}

// Of two files that are dropped together, or named, the first is A, however long either takes to be read.
func TestTheFirstNamedIsA(t *testing.T) {
	long, short := captureFile(t, "late.pstats"), captureFile(t, "nested.pstats")
	for _, files := range [][]string{{long, short}, {short, long}} {
		o := Options{Options: sessions.Options{Files: files, Deterministic: true}, SettingsPath: "-", Compare: true}
		g := testkit.Must(NewGame(o))(t)
		g.stage.width, g.stage.height = 1280, 720
		a, b := comparedAfter(t, g)
		want := frameCount(t, files[0])
		testkit.That(t, a.Side.Session.Track(0).NumFrames() == want, "A is not %s", filepath.Base(files[0]))
		testkit.Equal(t, g.View().Session(), b.Side.Session, "B is not shown")
		g.Close()
	}
	both := read(t, "late.pstats", "1.pstats")
	both["2.pstats"] = read(t, "nested.pstats", "x")["x"]
	g := newTestGame(t, sessions.Options{Deterministic: true})
	g.stage.width, g.stage.height = 1280, 720
	g.compare.Drop(both, true)
	if a, _ := comparedAfter(t, g); a.Side.Session.Track(0).NumFrames() != frameCount(t, long) {
		t.Error("A is not the first of two that were dropped")
	}
}

// Two recordings of one program are called by their files, whoever was marked first; each has its letter
// in the list of sessions.
func TestSidesOfOneProgramAreToldApart(t *testing.T) {
	g := newTestGame(t, sessions.Options{Deterministic: true})
	g.stage.width, g.stage.height = 1280, 720
	both := read(t, "late.pstats", "before.pstats")
	both["later.pstats"] = both["before.pstats"]
	g.compare.Drop(both, true)
	a, b := comparedAfter(t, g)
	testkit.That(t, a.Name == "before.pstats" && b.Name == "later.pstats", "A is called %q, B %q", a.Name, b.Name)
	g.commands.Run("compare.swap")
	testkit.Equal(t, g.compare.State.Letters(a.Side.Session)+g.compare.State.Letters(b.Side.Session), "BA", "letters")
}

// frameCount is how many frames the main thread of a recording has.
func frameCount(t *testing.T, path string) int {
	g := openedGame(t, filepath.Base(path))
	return g.View().Session().Track(0).NumFrames()
}

// What can't be read is no side, and what was awaited when its session was closed is not waited for.
func TestNothingReadableIsNoSide(t *testing.T) {
	g := openedGame(t, "late.pstats")
	var bad fs.FS = fstest.MapFS{"bad.pstats": {Data: []byte("nothing that anybody could read")}}
	g.compare.Drop(bad, true)
	testkit.WaitUntil(t, "the bad file", func() bool { comparesTick(g); return len(g.ss.Sessions()) == 2 })
	for range 5 {
		comparesTick(g)
	}
	_, is := g.compare.State.Marked(view.SideB)
	testkit.That(t, !is, "what can't be read is B")
	g.compare.Drop(read(t, "nested.pstats", "c.pstats"), true)
	comparedAfter(t, g)
}

// When one of two sessions that are compared is closed, that is said, and the workspace is that of the
// other, which stays marked.
func TestAClosedSideEndsTheComparison(t *testing.T) {
	g := openedGame(t, "late.pstats")
	g.compare.Drop(read(t, "nested.pstats", "nested.pstats"), true)
	a, b := comparedAfter(t, g)
	testkit.MustEqual(t, g.desk.Workspace(), layout.Compare, "workspace")
	g.ss.Forget(a.Side.Session)
	comparesTick(g)
	comparesTick(g)
	m, is := g.compare.State.Marked(view.SideB)
	testkit.That(t, is && m.Side.Session == b.Side.Session, "the side that is there is not marked any more")
	told := func(n workspace.Notice) bool { return strings.Contains(n.Text, "A was closed") }
	testkit.That(t, g.desk.Workspace() != layout.Compare && slices.ContainsFunc(g.ask.Notices.Shown(), told),
		"workspace %s, told %v", g.desk.Workspace(), g.ask.Notices.Shown())
	g.ss.Forget(b.Side.Session)
	comparesTick(g)
	testkit.That(t, !g.compare.State.Any(), "what is gone is marked")
}

// The workspace of a session file is shown where the user chose none for sessions of its kind, and for it alone.
func TestWorkspaceOfAFile(t *testing.T) {
	g, _ := openedView(t, "late.pstats")
	g.spaces.follow()
	plain := g.desk.Workspace()
	g.desk.Use("Samples")
	path := sessionWith(t, "", string(testkit.Must(g.desk.Export())(t)))
	g.desk.Use(plain)
	for _, x := range []struct{ path, own, want string }{
		{path, "", "Samples"}, {captureFile(t, "late.pstats"), "", plain}, {path, "Pipeline", "Pipeline"},
	} {
		if x.own != "" {
			g.spaces.use(x.own)
		}
		n := len(g.ss.Sessions())
		g.ss.OpenFile(x.path)
		testkit.WaitUntil(t, "another session", func() bool { takeIn(g); return len(g.ss.Sessions()) > n })
		settleGame(t, g)
		g.spaces.follow()
		testkit.Equal(t, g.desk.Workspace(), x.want, "the workspace for %s", filepath.Base(x.path))
	}
}
