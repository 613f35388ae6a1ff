package compare

import (
	"framescope/charts/panel"
	"framescope/charts/view"
	"framescope/model"
)

// The tools.
const (
	toolAlign = iota
	toolFit
)

// Tools implements panel.Tooled.
func (l *Lines) Tools(env *panel.Env) []panel.Tool {
	b := &l.tools
	b.Begin()
	if !l.ready(env) {
		return b.All()
	}
	by, call := env.Comparing.Aligned()
	name, _ := selected(env)
	b.Choice(toolAlign, int(by), l.opts.listFor(call, name), "Align",
		"What of A and of B lies at time 0: where each begins, its frame of median length, or the "+
			"first call of the selected collector")
	b.Action(toolFit, "Fit", "Show both sides in full")
	return b.All()
}

// options are the possible alignments, made anew when another collector is selected.
type options struct {
	call, name string
	list       []string
}

// listFor returns the options: call is the present alignment, name the selected collector.
func (o *options) listFor(call, name string) []string {
	if o.list != nil && o.call == call && o.name == name {
		return o.list
	}
	o.call, o.name = call, name
	o.list = append(o.list[:0], "Begin", "Median frame")
	if call != "" {
		o.list = append(o.list, "First call of "+call)
	}
	if name != "" && name != call {
		o.list = append(o.list, "First call of "+name)
	}
	return o.list
}

// Use implements panel.Tooled.
func (l *Lines) Use(env *panel.Env, id, option int) {
	switch id {
	case toolAlign:
		by, _ := env.Comparing.Aligned()
		switch {
		case option < int(view.AlignCall):
			env.Comparing.Align(view.Alignment(option), "", "")
		case option > int(view.AlignCall) || by != view.AlignCall:
			l.AlignCall(env)
		}
	case toolFit:
		l.fit(env)
	}
}

// AlignBegin aligns both sides at where they begin, AlignMedian at the frame of median length.
func (l *Lines) AlignBegin(env *panel.Env) { env.Comparing.Align(view.AlignBegin, "", "") }

// AlignMedian is AlignBegin at the frame with a length nearest to the median.
func (l *Lines) AlignMedian(env *panel.Env) { env.Comparing.Align(view.AlignMedian, "", "") }

// AlignCall aligns both sides at the first call of the selected collector in the compared ranges;
// without one it does nothing.
func (l *Lines) AlignCall(env *panel.Env) {
	if name, thread := selected(env); name != "" {
		env.Comparing.Align(view.AlignCall, name, thread)
	}
}

// selected returns the full name of the selected collector, empty for none, and the title of its thread.
func selected(env *panel.Env) (name, thread string) {
	v := env.View
	if v.Collector() == model.NoCollector {
		return "", ""
	}
	if c := v.Session().Collector(v.Collector()); c != nil {
		name = c.Title()
	}
	if t := v.Shown(); t != nil {
		thread = t.Title()
	}
	return name, thread
}

// fit shows both compared ranges completely.
func (l *Lines) fit(env *panel.Env) {
	if !l.ready(env) || l.sides[0].env.View == nil {
		return
	}
	from, until := int64(0), int64(0)
	for i := range l.sides {
		m, _ := env.Comparing.Marked(i)
		begin, end, _ := view.Extent(&m.Side)
		from, until = min(from, begin-l.sides[i].zero.AtNs), max(until, end-l.sides[i].zero.AtNs)
	}
	near := &l.sides[l.near]
	near.env.View.Steer().ZoomTo(from+near.zero.AtNs, until+near.zero.AtNs)
}
