package topology

import "framescope/charts/panel"

// The tools of the topology.
const (
	toolFit = iota
	toolTidy
	toolPads
	toolThreads
)

// Tools implements panel.Tooled.
func (t *Chart) Tools(*panel.Env) []panel.Tool {
	b := &t.tools
	b.Begin()
	if t.layout == nil || len(t.graph.nodes) == 0 {
		return b.All()
	}
	if t.figures.threads {
		b.Toggle(toolThreads, !t.NoThreads, "Threads", "The thread that pushes from an element, as its bottom edge")
	}
	if t.graph.shrinks {
		b.Toggle(toolPads, t.Detailed, "Pads", "Every pad of an element, by name")
	}
	if t.grown && t.layout.Crossings > 0 {
		b.Action(toolTidy, "Tidy", "Lay everything out again, with fewer crossings")
	}
	b.Action(toolFit, "Fit", "Show all elements (F)")
	return b.All()
}

// Use implements panel.Tooled.
func (t *Chart) Use(env *panel.Env, id, _ int) {
	switch id {
	case toolFit:
		t.Fit(env)
	case toolTidy:
		t.Tidy(env)
	case toolThreads:
		t.NoThreads = !t.NoThreads
	case toolPads:
		t.Detailed, t.graph.stale = !t.Detailed, true
	}
}
