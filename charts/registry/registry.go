// Package registry is the one list of panels. Tabs, commands, keys, help, settings and pictures read
// it; a panel is added by a line here.
package registry

import (
	"framescope/charts/calls"
	"framescope/charts/compare"
	"framescope/charts/flame"
	"framescope/charts/locks"
	"framescope/charts/overview"
	"framescope/charts/panel"
	"framescope/charts/series"
	"framescope/charts/strip"
	"framescope/charts/tables"
	"framescope/charts/timeline"
	"framescope/charts/topology"
	"framescope/model"
	"framescope/model/store"
)

// Homes are the panels beside which others lie in workspaces that do not name them.
const (
	homeMain  = "timeline"
	homeLeft  = "flame"
	homeRight = "strip"
)

// All returns the panels, those of a pane in the order of their tabs.
func All() []panel.Def {
	return []panel.Def{
		{ID: "timeline", Title: "Timeline", Key: "1", Home: homeMain, Help: "what each thread did when",
			Has: store.Contents.Timeline, Lacks: "spans, messages or locks", Tab: timed,
			New: func() panel.Panel { return &timeline.Timeline{} }},

		{ID: "flame", Title: "Flame graph", Key: "2", Home: homeLeft, Help: "calls inside calls, summed over the range",
			Has: called, Lacks: "spans", New: func() panel.Panel { return flame.New(model.NoCollector) },
			Draw: drawFlame, Commands: flameCommands},
		{ID: "piano", Title: "Piano roll", Key: "3", Home: homeLeft,
			Help: "the runs of each collector in one frame: the first of the range, or the slowest",
			Has:  frames, Lacks: "frames", Frames: true, Tab: framed,
			New: func() panel.Panel { return strip.NewPiano(model.NoTrack) }, Draw: drawPiano},
		{ID: "calltree", Title: "Call tree", Home: homeLeft, Help: "call tree of the range",
			Has: called, Lacks: "spans", New: func() panel.Panel { return calls.NewTree() }, Draw: selected("calltree"),
			Commands: treeCommands},
		{ID: "topology", Title: "Topology", Key: "8", Home: homeLeft,
			Help: "graph of a pipeline's elements, with the flow between them in the range",
			Has:  objects, Lacks: "elements", Tab: objects, New: func() panel.Panel { return topology.New() },
			Draw: drawTopology},
		{ID: "locks", Title: "Locks", Key: "7", Home: homeLeft, Help: "who held each lock, and who waited for it",
			Has: locked, Lacks: "locks", Tab: locked, New: func() panel.Panel { return &locks.Chart{} }},
		{ID: "processors", Title: "Processors", Home: homeLeft, Help: "what each processor did when",
			Has: onProcessors, Lacks: "CPU scheduling data", Tab: onProcessors,
			New: func() panel.Panel { return &timeline.Chart{} }},
		{ID: "waterfall", Title: "Latency waterfall", Home: homeLeft,
			Help: "time of a buffer in each element: the selected buffer, or the median one",
			Has:  ways, Lacks: "ways of buffers", Tab: ways, New: func() panel.Panel { return tables.NewWaterfall() }},
		{ID: "leaks", Title: "Leaks", Home: homeLeft, Help: "objects that were not freed",
			Has: resources, Lacks: "list of objects that leaked", Tab: resources,
			New: func() panel.Panel { return tables.NewLeaks() }, Draw: drawLeaks},

		{ID: "strip", Title: "Strip chart", Key: "4", Home: homeRight,
			Help: "time of a collector's children in each frame, stacked",
			Has:  frames, Lacks: "frames", Frames: true, Tab: framed,
			New: func() panel.Panel { return strip.New(model.NoTrack, 0, false) }, Draw: drawStrip},
		{ID: "statistics", Title: "Statistics", Key: "5", Home: homeRight,
			Help: "time of each collector: mean, maximum, and with frames the median and percentiles",
			Has:  spans, Lacks: "spans", Tab: timed, Height: 480, New: func() panel.Panel { return tables.NewStatisticsPanel() },
			Draw: selected("statistics")},
		{ID: "calls", Title: "Calls", Called: runs, Command: "Slowest calls, or longest runs", Home: homeRight,
			Help: "longest calls of the selected collector, or of the one with the longest call",
			Has:  spans, Lacks: "spans", Tab: timed, Height: 480, New: func() panel.Panel { return calls.NewSlow() },
			Draw: drawCalls},
		{ID: "series", Title: "Series", Key: "6", Home: homeRight, Help: "a group of series: latencies, CPU load, memory",
			Has: sampled, Lacks: "series of samples", Tab: sampled, Height: 480, New: newSeries, Draw: drawSeries},
		{ID: "messages", Title: "Messages", Key: "9", Home: homeRight, Help: "log messages, from where the range begins",
			Has: said, Lacks: "messages", Tab: said, New: func() panel.Panel { return tables.NewMessages() },
			Draw: drawMessages},

		{ID: "threads", Title: "Threads", Home: "collectors", Help: "the threads, and how busy they were",
			Has: tracks, Lacks: "threads", Height: 360, New: func() panel.Panel { return tables.NewThreadPanel() },
			Draw: selected("threads")},
		{ID: "elements", Title: "Elements", Home: "threads",
			Help: "a pipeline's bins and elements, with the time of buffers in each",
			Has:  objects, Lacks: "elements", Tab: objects, New: func() panel.Panel { return tables.NewElementPanel() }},
		{ID: "collectors", Title: "Collectors", Home: "threads", Help: "the tree of collectors with their times",
			Has: spans, Lacks: "spans", Tab: timed, New: func() panel.Panel { return tables.NewCollectorPanel() },
			Draw: selected("collectors")},

		{ID: "received", Title: "Received", Home: "details", Help: "received and lost frames, and why",
			Height: 360, Whole: true, New: func() panel.Panel { return tables.NewLossesPanel() }},
		{ID: "against", Title: "Against the typical frame", Home: "details",
			Help: "the selected frame against its baseline: what took longer, what shorter",
			Has:  frames, Lacks: "frames", Height: 320, New: func() panel.Panel { return tables.NewAgainstPanel() },
			Draw: drawAgainst},
		{ID: "spikes", Title: "Spikes", Home: "details",
			Help: "hitches by cause, the costliest first",
			Has:  spiked, Lacks: "frames or ways of buffers", Height: 480,
			New: func() panel.Panel { return tables.NewSpikePanel() }, Draw: selected("spikes")},

		{ID: "levels", Title: "Level chart", Help: "counters in each frame, stacked",
			Has: levels, Lacks: "levels", Frames: true,
			New: func() panel.Panel { return strip.New(model.NoTrack, 0, true) }, Draw: drawLevels},
		{ID: "frames", Title: "Frames", Help: "frame times against the budget",
			Has: frames, Lacks: "frames", Frames: true, Height: 132,
			New: func() panel.Panel { return &overview.FrameStrip{} }, Draw: drawFrames},
		{ID: "overview", Title: "Overview", Help: "load of the threads over the whole session, with the range",
			Has: active, Lacks: "spans, messages or samples", Height: 132,
			New: func() panel.Panel { return &overview.Overview{} }},
	}
}

// Find returns the panel of an id.
func Find(id string) (panel.Def, bool) {
	for _, d := range All() {
		if d.ID == id {
			return d, true
		}
	}
	return panel.Def{}, false
}

func frames(c store.Contents) bool { return c.Frames }
func framed(c store.Contents) bool { return !c.Frameless() }
func spans(c store.Contents) bool  { return c.Spans }

// runs is the name of calls where stacks are sampled.
func runs(c store.Contents) string {
	if c.Sampled {
		return "Runs"
	}
	return ""
}

func called(c store.Contents) bool       { return c.Spans || c.Sampled }
func levels(c store.Contents) bool       { return c.Levels }
func sampled(c store.Contents) bool      { return c.Series }
func locked(c store.Contents) bool       { return c.Locks }
func onProcessors(c store.Contents) bool { return c.Processors }
func said(c store.Contents) bool         { return c.Messages }
func objects(c store.Contents) bool      { return c.Objects }
func resources(c store.Contents) bool    { return c.Resources }
func ways(c store.Contents) bool         { return c.Ways }
func spiked(c store.Contents) bool       { return c.Frames || c.Ways }
func timed(c store.Contents) bool        { return !c.Timeless }
func tracks(c store.Contents) bool       { return c.Any() }
func active(c store.Contents) bool       { return c.Timeline() || c.Series || c.Processors }

var flameCommands = []panel.Command{
	{ID: "flame.lock", Name: "Lock the flame graph's scale", Keys: []string{"K"}, View: true,
		Run: func(env *panel.Env, p panel.Panel) { p.(*flame.Graph).ToggleLock(env) }},
	{ID: "flame.caller", Name: "Flame graph: to the caller", Keys: []string{"Up"},
		Run: func(env *panel.Env, p panel.Panel) { p.(*flame.Graph).Caller(env) }},
	{ID: "flame.callee", Name: "Flame graph: into the first callee", Keys: []string{"Down"},
		Run: func(env *panel.Env, p panel.Panel) { p.(*flame.Graph).FirstChild(env) }},
}

var treeCommands = []panel.Command{
	{ID: "calltree.unfold", Name: "Unfold the heaviest path of the call tree", Keys: []string{"Shift+8"},
		Run: func(env *panel.Env, p panel.Panel) { p.(*calls.Tree).UnfoldHeaviest(env) }},
}

func newSeries() panel.Panel {
	c := series.NewChart()
	c.Order = series.OrderMean // the greatest first
	return c
}

// Compared returns the panels of a comparison, which have content as soon as both sides are there.
func Compared() []panel.Def {
	return []panel.Def{
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
