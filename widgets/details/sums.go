package details

import (
	"framescope/charts/draw"
	"framescope/charts/format"
	"framescope/charts/panel"
	"framescope/charts/subject"
	"framescope/model"
	"framescope/model/spans"
)

// Details without times: the weights of samples of the shown threads, in all and of the chosen method.

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
	if len(x.Tracks) == 1 {
		where = of.session.Track(x.Tracks[0]).Title()
	}
	r.add("of", where, t.Text)
	r.If(len(x.Rows) == 0 && p.waits).note(panel.Building)
	for _, row := range x.Rows {
		name := subject.MeasureName(of.session, row.Measure)
		told := func(v int64) string { return subject.MeasuredBeside(of.session, row.Measure, v) }
		if !chosen {
			r.add(name, told(row.Of), t.Text)
			continue
		}
		r.add(name+", total", told(row.Total)+share(row.Total, row.Of), t.Text)
		r.add(name+", self", told(row.Self)+share(row.Self, row.Of), t.Text)
	}
	if len(x.Callers) == 0 {
		return
	}
	r.head("called from, " + subject.MeasureName(of.session, x.Measure))
	for _, by := range x.Callers[:min(len(x.Callers), mostListed)] {
		r.caller(of, by, string(subject.AppendMeasured(nil, of.session, x.Measure, by.Samples)))
	}
}

// caller writes a caller of the chosen method, and its value.
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
