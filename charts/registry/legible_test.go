package registry

import (
	"fmt"
	"testing"

	"framescope/assets"
	"framescope/charts/chartstest"
	"framescope/charts/draw"
	"framescope/charts/panel"
	"framescope/charts/tables"
	"framescope/charts/view"
	"framescope/internal/testkit"
	"framescope/model/budget"
	"framescope/model/store"
)

// everySize looks at a panel in light and dark colours, at all sizes and scales. ready makes the window what
// the panel is to show; nil: it is.
func everySize(g *chartstest.Legibility, s *store.Session, id, where string, make func() panel.Panel, ready func(*panel.Env)) {
	light := assets.Light()
	var p panel.Panel
	for _, sight := range chartstest.Sights(&light) {
		if sight.First {
			p = make()
		}
		g.Theme = sight.Theme
		rig := g.Rig(s, sight.Scale, sight.W, sight.H)
		if ready != nil {
			ready(rig.Env)
		}
		rig.Ticks(p, 2)
		g.Look(rig, p.List(), id, fmt.Sprintf("%s, light %v", where, sight.Theme != nil))
	}
	g.Theme = nil
}

// quotes are the panels of what programs write.
var quotes = []string{"messages"}

// Every panel is legible with every session, at six sizes and three scales.
func TestPanelsAreLegible(t *testing.T) {
	g := chartstest.Legibility{Sentences: true, Quotes: quotes}
	for name, load := range chartstest.LegibleSessions(t) {
		s := load()
		for _, d := range having(s) {
			everySize(&g, s, d.ID, name, d.New, nil)
		}
	}
	g.Report(t)
}

// So are the panels of the comparison, in every way that their tools offer.
func TestComparedIsLegible(t *testing.T) {
	g := chartstest.Legibility{Sentences: true, Quotes: quotes}
	_, b, state := chartstest.NewCompared()
	for _, d := range Compared() {
		id, make := d.ID, d.New
		tools := chartstest.NewComparedRig(1, 600, 400)
		for i := range len(make().(panel.Tooled).Tools(tools.Env)) + 1 {
			everySize(&g, b, id, "compared", func() panel.Panel {
				p := make()
				if i > 0 {
					tool := p.(panel.Tooled).Tools(tools.Env)[i-1]
					p.(panel.Tooled).Use(tools.Env, tool.ID, 0)
				}
				return p
			}, func(env *panel.Env) { env.Comparing = state })
		}
		everySize(&g, b, id, "nothing compared", make, nil)
	}
	g.Report(t)
}

// So is what budgets say, in charts and tables and in the list of them.
func TestBudgetsAreLegible(t *testing.T) {
	g := chartstest.Legibility{Sentences: true, Quotes: quotes}
	_, s, _ := chartstest.NewCompared()
	all, err := budget.Parse("[[budget]]\nname = \"60 Hz\"\nlimit = \"9 ms\"\nshare = \"1 %\"\n[[budget]]\ncollector = \"*\"\nlimit = \"2 ms\"\n" +
		"[[budget]]\ncollector = \"Frame\"\nlimit = \"12 ms\"\n[[budget]]\ncollector = \"gone\"\noptional = true\nlimit = \"1 s\"\n")
	testkit.NoErr(t, err)
	state := new(view.State)
	state.Set("game/budgets.toml", all)
	for !state.Follow(s, 0, 1<<40) {
	}
	with := func(env *panel.Env) { env.Limits = state }
	everySize(&g, s, "budgets", "some budgets", func() panel.Panel { return tables.NewBudgets() }, with)
	everySize(&g, s, "budgets", "no budgets", func() panel.Panel { return tables.NewBudgets() }, nil)
	for _, id := range []string{"frames", "strip", "collectors", "statistics"} {
		d, _ := Find(id)
		everySize(&g, s, id, "budgets", d.New, with)
	}
	g.Report(t)
}

// So is everything while calls are found, with their lengths over the list of them.
func TestFoundIsLegible(t *testing.T) {
	g := chartstest.Legibility{Sentences: true, Quotes: quotes}
	s := chartstest.NewSession(t)
	hits := chartstest.Found(t, s, ">0ns")
	n, _ := hits.Count()
	testkit.MustThat(t, n != 0, "nothing was found")
	for _, d := range having(s) {
		everySize(&g, s, d.ID, "found", d.New, func(env *panel.Env) { env.View.Look().SetFoundCalls(hits) })
	}
	g.Report(t)
}

// recorder takes the place of a test that is to fail, and keeps which rules of panels were broken.
type recorder struct {
	testing.TB
	rules string
}

func (r *recorder) Helper()                      {}
func (r *recorder) Errorf(_ string, args ...any) { r.rules += args[0].(string) }

// The test of legibility sees what it is there for: a text over another, one that is cut at its side,
// one that hardly stands out. What is drawn well, or covered again, it lets pass.
func TestLegibilitySeesWhatIsWrong(t *testing.T) {
	s := chartstest.NewSession(t)
	for name, c := range map[string]struct {
		draw func(l *draw.List, text, grey draw.Color)
		want string // of the rules; empty: nothing is wrong
	}{
		"well": {func(l *draw.List, text, _ draw.Color) {
			l.Text(draw.Regular, 10, 10, "one", text)
			l.Text(draw.Regular, 10, 40, "two", text)
		}, ""},
		"over": {func(l *draw.List, text, _ draw.Color) {
			l.Text(draw.Regular, 10, 10, "one", text)
			l.Text(draw.Regular, 14, 12, "two", text)
		}, "panel: over"},
		"covered": {func(l *draw.List, text, _ draw.Color) {
			l.Text(draw.Regular, 10, 10, "one", text)
			l.Rect(draw.Rect{X0: 5, Y0: 5, X1: 100, Y1: 40}, draw.RGB(20, 20, 20))
			l.Text(draw.Regular, 14, 12, "two", text)
		}, ""},
		"cut": {func(l *draw.List, text, _ draw.Color) {
			l.PushClip(draw.Rect{X1: 30, Y1: 60})
			l.Text(draw.Regular, 10, 10, "a long text", text)
			l.PopClip()
		}, "panel: cut"},
		"elided": {func(l *draw.List, text, _ draw.Color) {
			l.TextIn(draw.Regular, draw.Rect{X0: 10, Y0: 10, X1: 60, Y1: 30}, draw.Left, "a long text", text)
		}, ""},
		"grey on grey": {func(l *draw.List, _, grey draw.Color) {
			l.Rect(draw.Rect{X1: 200, Y1: 60}, draw.RGB(90, 90, 90))
			l.Text(draw.Regular, 10, 10, "one", grey)
		}, "panel: contrast"},
		"pale": {func(l *draw.List, text, _ draw.Color) {
			l.Text(draw.Regular, 10, 10, "one", text.WithAlpha(80))
		}, "panel: contrast"},
	} {
		var g chartstest.Legibility
		rig := g.Rig(s, 1, 200, 60)
		l := draw.NewList(rig.Env.Atlas)
		l.Reset(rig.R)
		c.draw(l, draw.Color(rig.Env.Theme.Text), draw.RGB(120, 120, 120))
		g.Look(rig, l, "panel", "here")
		r := recorder{TB: t}
		g.Report(&r)
		testkit.That(t, r.rules == c.want, "%s: %q is found", name, r.rules)
	}
}
