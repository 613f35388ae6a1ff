package app

import (
	"strings"
	"testing"

	"framescope/model/find"
	"framescope/model/spans"
)

// settleSearch lets ticks go by until everything was searched.
func settleSearch(t *testing.T, g *Game) {
	t.Helper()
	for range 10_000 {
		if g.find.update(); g.find.calls.Done() {
			return
		}
	}
	t.Fatal("the search does not end")
}

// What is typed as an expression finds calls: they are counted as the report counts them, lit, and
// stepped through in the order of time, from the last to the first, by Enter and by the keys for
// occurrences.
func TestSearchForCalls(t *testing.T) {
	g := openedGame(t, "nested.pstats")
	v := g.View()
	s := v.Session()
	const expr = "App:* >0ns frame:10-20"
	g.find.field.SetText(expr)
	settleSearch(t, g)
	e, err := find.Parse(expr)
	if err != nil {
		t.Fatal(err)
	}
	var c spans.CallSearch
	c.Start(s.Spans(), e.Query(s, v.Look().VisibleTracks(), -1<<60, 1<<60))
	for !c.Step(1 << 40) {
	}
	if c.Sums.Count == 0 || !strings.HasPrefix(g.find.words, countText(int(c.Sums.Count))+" call") || strings.Contains(g.find.words, "…") {
		t.Fatalf("“%s”, the report has %d calls", g.find.words, c.Sums.Count)
	}
	hits := v.Look().FoundCalls()
	last, first := int64(-1<<60), int64(0)
	for i := range c.Sums.Count {
		if i%2 == 0 {
			g.commands.Run("occurrence.next")
		} else {
			g.find.next(false)
		}
		b := v.Span()
		if !v.HasSpan() || !hits.Is(&b) || b.Begin < last && i > 0 && last != first {
			t.Fatalf("step %d leads to %+v", i, b)
		}
		if oneTruth(t, g, "a hit"); i == 0 {
			first = b.Begin
		}
		last = b.Begin
	}
	at := v.Span()
	g.commands.Run("occurrence.next")
	g.commands.Run("occurrence.previous")
	if v.Span() != at {
		t.Errorf("a step on and one back lead from %+v to %+v", at, v.Span())
	}
	// What can't be understood says why, and what was found stays.
	g.find.field.SetText(expr + " >4")
	settleSearch(t, g)
	items := g.find.hitItems(g.find.field.Text())
	if len(items) != 1 || !strings.Contains(items[0].Name, "Give a unit") || v.Look().FoundCalls() == nil {
		t.Errorf("%+v", items)
	}
	items[0].Run()
	// Names alone are found as names.
	g.find.field.SetText("App")
	settleSearch(t, g)
	if v.Look().FoundCalls() != nil || !strings.HasSuffix(g.find.words, " found") || len(g.find.found) == 0 {
		t.Errorf("“%s”, %d found", g.find.words, len(g.find.found))
	}
	g.find.clear()
	settleSearch(t, g)
	if v.Look().Searching() {
		t.Error("an empty field looks for something")
	}
}
