package app

import (
	"bytes"
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"framescope/app/convert"
	"framescope/app/input"
	"framescope/app/layout"
	"framescope/app/query"
	"framescope/app/sessions"
	"framescope/app/workspace"
	"framescope/charts/panel"
	"framescope/charts/view"
	"framescope/internal/testkit"
	"framescope/model/compare"
	"framescope/model/place"
	"framescope/net/pstats/gen"
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
	for _, id := range []string{"diffflame", "differences", "timelines"} {
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

// consoleGame returns a viewer with a recording and the panel of queries.
func consoleGame(t *testing.T) (*Game, *Console) {
	t.Helper()
	g := openedGame(t, "nested.pstats")
	testkit.NoErr(t, g.tickAt(-1, -1))
	g.commands.Run("show.query")
	testkit.NoErr(t, g.tickAt(-1, -1))
	testkit.MustThat(t, g.console.inSight && g.console.Field.Focused(), "the command does not open the panel")
	return g, g.console
}

// typeKey strikes a key while the field has the keyboard; there is no input method.
func typeKey(g *Game, key string) {
	g.console.Field.Begin("")
	strike(g, key)
}

// asked types a query, runs it and waits for its answer.
func asked(t *testing.T, g *Game, text string) {
	t.Helper()
	g.console.Field.Focus(true)
	g.console.Field.SetText(text)
	typeKey(g, "enter")
	awaitAnswer(t, g)
}

// awaitAnswer waits for the answer to the query that runs.
func awaitAnswer(t *testing.T, g *Game) {
	t.Helper()
	testkit.WaitUntil(t, "the answer", func() bool {
		testkit.NoErr(t, g.tickAt(-1, -1))
		return g.console.asking == nil
	})
}

// TestConsoleAgrees: the rows of the panel are those that `framescope sql` prints.
func TestConsoleAgrees(t *testing.T) {
	g, c := consoleGame(t)
	part := testkit.Must(convert.Of(g.View().Session(), place.TimeRange{}, nil))(t)
	db := testkit.Must(query.Open(query.Source{Part: part}))(t)
	defer db.Close()
	texts := []string{"select * from spans", "select 1 as a, null as a, 'x' as b", "select name from spans where name = 'none'"}
	for _, q := range savedQueries {
		texts = append(texts, q[1])
	}
	for _, text := range texts {
		want := testkit.Must(db.Query(t.Context(), text, query.Limits{Time: time.Minute, Rows: consoleRows}))(t)
		asked(t, g, text)
		testkit.That(t, !c.failed && slices.Equal(c.result.Columns, want.Columns) && len(c.rows) == len(want.Rows) &&
			c.result.Cut == want.Cut, "%s: %d rows, not %d; %s", text, len(c.rows), len(want.Rows), c.said)
		for i, row := range want.Rows {
			testkit.MustThat(t, slices.Equal(c.rows[i], row), "%s: row %d is %v, not %v", text, i, c.rows[i], row)
		}
	}
	asked(t, g, "select nme from spans")
	testkit.That(t, c.failed && strings.Contains(c.said, "did you mean name?"), "“%s”", c.said)
}

// TestConsoleExports: values are exported as they are, with the unit of times.
func TestConsoleExports(t *testing.T) {
	g, c := consoleGame(t)
	asked(t, g, "select 1234567891 as duration_ns, 'a,b' as text, null as none, 9007199254740993 as big, 0.5 as half")
	var out bytes.Buffer
	testkit.NoErr(t, c.Export(&g.stage.env, &out, panel.CSV))
	testkit.Equal(t, out.String(), "duration [ns],text,none,big,half\n1234567891,\"a,b\",,9007199254740993,0.5\n", "exported as")
}

// TestConsoleRowsLead: a click on a row selects what it is about, and all of them can be lit.
func TestConsoleRowsLead(t *testing.T) {
	g, c := consoleGame(t)
	v, env := g.View(), &g.stage.env
	asked(t, g, "select thread, begin_ns, duration_ns, name from spans order by duration_ns desc limit 7")
	for i := range c.rows {
		c.Click(env, &c.rows[i], nil)
		b := v.Span()
		begin, _ := whole(c.rows[i], 1)
		ns, _ := whole(c.rows[i], 2)
		testkit.That(t, v.HasSpan() && b.Begin == begin && b.End-b.Begin == ns, "row %v selects %+v", c.rows[i], b)
	}
	c.Use(env, toolShow, 0)
	g.find.update()
	hits := v.Look().FoundCalls()
	testkit.MustThat(t, hits != nil && v.Look().Searching(), "nothing is lit: %s", c.said)
	for _, r := range c.rows {
		b, ok := c.found.span(c.of, r)
		testkit.That(t, ok && hits.Is(&b), "row %v is not lit", r)
	}
	for range 7 { // around, back to where it began
		was := v.Span()
		g.commands.Run("occurrence.next")
		b := v.Span()
		testkit.That(t, hits.Is(&b) && b.Ref != was.Ref, "the key leads from %+v to %+v", was, b)
	}
	lit, _ := hits.Count()
	testkit.That(t, lit == 7, "%d spans are lit", lit)
	g.find.clear()
	g.find.update()
	testkit.That(t, !v.Look().Searching() && v.Look().FoundCalls() == nil, "Esc leaves them lit")
	asked(t, g, "select thread, begin_ns, duration_ns from frames where frame > 3 limit 1")
	c.Click(env, &c.rows[0], nil)
	begin, _ := whole(c.rows[0], 1)
	f := v.Shown().Frame(v.FrameA())
	testkit.That(t, v.FrameA() == v.FrameB() && f.Begin == begin, "row %v selects frame %+v", c.rows[0], f)
}

// endlessQuery is a query that never ends by itself.
const endlessQuery = "select count(*) from spans a, spans b, spans c, spans d"

// TestConsoleTurns: a query reads no more in a tick than it may, and ends with its panel's session.
func TestConsoleTurns(t *testing.T) {
	g, c := consoleGame(t)
	for _, end := range []func(){func() { typeKey(g, "esc") }, func() { g.ss.Forget(g.View().Session()); takeIn(g) }} {
		g.stage.env.Paced = true
		c.Field.Focus(true)
		c.Field.SetText(endlessQuery)
		typeKey(g, "enter")
		a := c.asking
		testkit.MustThat(t, a != nil, "%s", c.said)
		for a.read < 3*consoleWork {
			was := a.read
			c.inSight = true
			c.Tick(&g.stage.env)
			testkit.MustThat(t, a.read-was <= consoleWork+5000, "%d rows in a tick", a.read-was)
		}
		testkit.That(t, c.asking == a && c.Mode(&g.stage.env) != "", "it has ended")
		end()
		c.Tick(&g.stage.env)
		out := <-a.done
		testkit.That(t, out.err == context.Canceled && c.asking == nil && a.turns.Give(1, time.Now()) == 0, "%v", out.err)
	}
}

// TestConsoleAgain: a query that runs each second follows a session that grows, until it is cancelled.
func TestConsoleAgain(t *testing.T) {
	r := testkit.Must(NewRehearsal(gen.Options{Spans: 2000, Tracks: 2, Depth: 3, Seed: 1}, 1280, 720))(t)
	defer r.Close()
	g, c := r.g, r.g.console
	g.commands.Run("show.query")
	r.Tick(-1, -1)
	asked(t, g, "select count(*) from frames")
	was := c.rows[0][0].(int64)
	grown := func() int64 {
		r.Go()
		c.nextNs = 0 // a second later
		r.Tick(-1, -1)
		awaitAnswer(t, g)
		return c.rows[0][0].(int64) - was
	}
	testkit.Equal(t, grown(), 0, "frames more without the switch")
	c.Use(&g.stage.env, toolAgain, 0)
	testkit.Equal(t, grown(), 4, "frames more in two threads")
	typeKey(g, "esc")
	testkit.Equal(t, grown(), 4, "frames more when it was cancelled")
}

// TestConsoleTypes: Tab completes names, the arrows go through earlier queries, and what is pasted is one line.
func TestConsoleTypes(t *testing.T) {
	g, c := consoleGame(t)
	for _, x := range []struct {
		text string
		tabs int
		want string
	}{
		{"select * from fra", 1, "select * from frames"},
		{"select count(*) from spans where du", 1, "select count(*) from spans where duration_ns"},
		{"select * from s", 3, "select * from samples"},
		{"select zzz", 1, "select zzz"},
	} {
		c.Field.SetText(x.text)
		for range x.tabs {
			typeKey(g, "tab")
		}
		testkit.Equal(t, c.Field.Text(), x.want, "after Tab")
	}
	asked(t, g, "select 1")
	asked(t, g, "select 2")
	for range 3 {
		typeKey(g, "up")
	}
	testkit.Equal(t, c.Field.Text(), "select 1", "the oldest query")
	typeKey(g, "down")
	testkit.Equal(t, c.Field.Text(), "select 2", "the one after")
	c.Field.SetText("")
	c.Field.Begin("select 3\nfrom spans\n")
	testkit.Equal(t, c.Field.Text(), "select 3 from spans", "pasted")
}
