package registry

import (
	"testing"

	"framescope/assets"
	"framescope/charts/chartstest"
	"framescope/charts/panel"
	"framescope/charts/tables"
	"framescope/charts/view"
	"framescope/model/budget"
	"framescope/model/store"
)

// everySize looks at a panel at six sizes and three scales, and in light colours at one. ready makes the
// window what the panel is to show; nil: it is.
func everySize(g *chartstest.Legibility, s *store.Session, id, where string, make func() panel.Panel, ready func(*panel.Env)) {
	light := assets.Light()
	look := func(p panel.Panel, scale, w, h float32, what string) {
		rig := g.Rig(s, scale, w, h)
		if ready != nil {
			ready(rig.Env)
		}
		rig.Ticks(p, 2)
		g.Look(rig, p.List(), id, where+what)
	}
	for _, scale := range chartstest.LegibleScales {
		p := make()
		for _, size := range chartstest.LegibleSizes {
			look(p, scale, size[0], size[1], "")
		}
	}
	g.Theme = &light
	p := make()
	for _, size := range chartstest.LegibleSizes {
		look(p, 1, size[0], size[1], " in light")
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

// So are the panels of what is compared, in every way that their tools offer.
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
	if err != nil {
		t.Fatal(err)
	}
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
	if n, _ := hits.Count(); n == 0 {
		t.Fatal("nothing is found")
	}
	for _, d := range having(s) {
		everySize(&g, s, d.ID, "found", d.New, func(env *panel.Env) { env.View.Look().SetFoundCalls(hits) })
	}
	g.Report(t)
}
