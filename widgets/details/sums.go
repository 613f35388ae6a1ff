package details

import (
	"framescope/charts/draw"
	"framescope/charts/format"
	"framescope/charts/panel"
	"framescope/charts/subject"
	"framescope/model"
	"framescope/model/paths"
	"framescope/model/spans"
)

// Details where nobody knows when anything was: what samples stand for, of the threads that are shown,
// in all and of the chosen method.

// sums are the numbers of a session without times.
type sums struct {
	shown   subject.MeasureChoice
	measure spans.Measure // the one that charts show
	tracks  []model.TrackID
	rows    []sumRow
	callers []spans.Caller
	tree    paths.Tree
	inside  []paths.Inside
}

// sumRow is what samples stand for in one measure: in all, and of the chosen method.
type sumRow struct {
	measure         spans.Measure
	of, total, self int64
}

// measureSums asks the model for the numbers.
func (p *Panel) measureSums(env *panel.Env, of subjectOf) {
	x, table := &p.sums, of.session.Spans()
	x.tracks = append(x.tracks[:0], env.View.Look().VisibleTracks()...)
	x.measure = x.shown.Of(env.View, x.tracks)
	x.rows, x.callers = x.rows[:0], x.callers[:0]
	for _, m := range x.shown.List {
		table.TreeOf(m, x.tracks, of.t0, of.t1, &x.tree)
		row := sumRow{measure: m, of: x.tree.Total}
		x.inside = x.tree.Inside(x.inside[:0])
		for i := range x.inside {
			if in := &x.inside[i]; in.Collector == of.collector {
				row.total, row.self = in.Total, in.Self
			}
		}
		x.rows = append(x.rows, row)
	}
	if of.collector != model.NoCollector {
		x.callers = table.Callers(x.measure, x.tracks, of.collector, of.t0, of.t1, x.callers)
	}
}

// sumRows writes the sums of all that was sampled, or of the chosen method.
func (p *Panel) sumRows(env *panel.Env, of subjectOf) {
	x, t := &p.sums, env.Theme
	chosen := of.collector != model.NoCollector
	r := rows{p: p, env: env, y: p.rect.Y0 + env.Px(6)}
	if p.title, p.mode = "All samples", ""; chosen {
		p.fullTitle(of)
		r = p.stripe(env, of.collector)
	}
	where := subject.AllThreads(env.View)
	if len(x.tracks) == 1 {
		where = of.session.Track(x.tracks[0]).Title()
	}
	r.add("of", where, t.Text)
	told := func(m spans.Measure, v, of int64) string {
		return string(subject.AppendMeasured(nil, p.of.session, m, v)) + share(v, of)
	}
	for _, row := range x.rows {
		name := subject.MeasureName(of.session, row.measure)
		if !chosen {
			r.add(name, string(subject.AppendMeasured(nil, of.session, row.measure, row.of)), t.Text)
			continue
		}
		r.add(name+", total", told(row.measure, row.total, row.of), t.Text)
		r.add(name+", self", told(row.measure, row.self, row.of), t.Text)
	}
	if len(x.callers) == 0 {
		return
	}
	r.head("called from, " + subject.MeasureName(of.session, x.measure))
	for _, by := range x.callers[:min(len(x.callers), mostListed)] {
		r.caller(of, by, string(subject.AppendMeasured(nil, of.session, x.measure, by.Samples)))
	}
}

// caller writes from where the chosen method was called, and what came that way.
func (r *rows) caller(of subjectOf, by spans.Caller, value string) {
	name, color := "the thread itself", draw.Color(r.env.Theme.TextDim)
	if by.Collector != model.NoCollector {
		name, color = of.session.Collector(by.Collector).Title(), r.env.Palette().Fill(by.Collector)
	}
	r.marked(color, name, "from "+name, value)
}

// callers writes from where the chosen method was called.
func (r *rows) callers(of subjectOf) {
	list := r.p.calls.callers
	if len(list) == 0 {
		return
	}
	r.head("called from, samples on " + subject.ThreadName(of.session, of.track))
	for _, by := range list[:min(len(list), mostListed)] {
		r.caller(of, by, string(format.AppendCount(nil, by.Samples)))
	}
}
