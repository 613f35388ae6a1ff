package timeline

import (
	"framescope/charts/panel"
	"framescope/model/store"
)

// The tools of the timeline.
const (
	toolCounters = iota
	toolFit
)

// tools are those of the timeline, and whether the session has counters, which is asked for once a
// second until it has.
type tools struct {
	panel.Toolbox
	of       *store.Session
	counters bool
	nextNs   int64
}

func (t *tools) hasCounters(env *panel.Env) bool {
	if s := env.View.Session(); s != t.of || !t.counters && env.NowNs >= t.nextNs {
		t.of, t.counters, t.nextNs = s, s.Contents().Levels, env.NowNs+1e9
	}
	return t.counters
}

// Tools implements panel.Tooled.
func (t *Timeline) Tools(env *panel.Env) []panel.Tool {
	b, v := &t.tools, env.View
	b.Begin()
	if v.Session() == nil || t.pane.Empty() {
		return b.All()
	}
	if b.hasCounters(env) {
		b.Toggle(toolCounters, v.Look().ShowCounters(), "Counters", "What a thread counted, below its spans")
	}
	b.Action(toolFit, "Fit", "Show all of the session (0)")
	return b.All()
}

// Use implements panel.Tooled.
func (t *Timeline) Use(env *panel.Env, id, _ int) {
	v := env.View
	switch id {
	case toolCounters:
		v.Look().SetShowCounters(!v.Look().ShowCounters())
	case toolFit:
		v.Steer().FitAll()
	}
}
