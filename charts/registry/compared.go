package registry

import (
	"framescope/charts/compare"
	"framescope/charts/panel"
	"framescope/charts/timeline"
)

// Compared returns the panels of a comparison, which have content as soon as both sides are there.
func Compared() []panel.Def {
	return []panel.Def{
		{ID: "frametimes", Title: "Frame time", Command: "Compare: frame times", Home: homeRight, Height: 320,
			Help: "frame times of both sides, overlaid",
			New:  func() panel.Panel { return compare.NewTimes() }},
		{ID: "diffflame", Title: "Differential flame graph", Home: homeLeft, Height: 480,
			Help: "what became slower or faster, as a flame graph",
			New:  func() panel.Panel { return compare.NewFlame() }},
		{ID: "timelines", Title: "Timelines", Command: "Compare: both timelines on one ruler", Home: homeMain,
			Help: "both sides as timelines, to the same scale", New: newLines, Commands: alignCommands},
		{ID: "differences", Title: "Differences", Command: "Compare: differences as a table", Home: homeRight, Height: 480,
			Help: "a table of the differences, with verdicts",
			New:  func() panel.Panel { return compare.NewTable() }},
	}
}

func newLines() panel.Panel {
	return compare.NewLines(func() compare.Timeline { return &timeline.Timeline{} })
}

// alignCommands set the point of both timelines at time 0.
var alignCommands = []panel.Command{
	{ID: "align.begin", Name: "Compare: align both timelines at the start",
		Run: func(env *panel.Env, p panel.Panel) { p.(*compare.Lines).AlignBegin(env) }},
	{ID: "align.median", Name: "Compare: align both timelines at the median frame",
		Run: func(env *panel.Env, p panel.Panel) { p.(*compare.Lines).AlignMedian(env) }},
	{ID: "align.call", Name: "Compare: align both timelines at the first call of the selection",
		Run: func(env *panel.Env, p panel.Panel) { p.(*compare.Lines).AlignCall(env) }},
}
