package app

import (
	"bytes"
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"framescope/app/convert"
	"framescope/app/query"
	"framescope/charts/panel"
	"framescope/internal/testkit"
	"framescope/model/place"
	"framescope/net/pstats/gen"
)

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
