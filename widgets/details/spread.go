package details

import (
	"slices"

	"framescope/charts/draw"
	"framescope/charts/format"
	"framescope/charts/panel"
	"framescope/charts/subject"
	"framescope/model"
	"framescope/model/frames"
	"framescope/model/spans"
)

// mostLengths is the number of calls, or runs, with lengths read.
const mostLengths = 2048

// spreadCalls counts how long the calls of the chosen collector were, or where stacks are sampled its
// runs.
func (p *Panel) spreadCalls(of subjectOf, st *spans.Stat) {
	c := &p.calls
	c.lengths = of.session.Spans().Lengths(of.track, of.collector, of.t0, of.t1, mostLengths, c.lengths[:0])
	n := len(c.lengths)
	if n == 0 || !of.session.Track(of.track).Def.Kind.Calls() {
		return
	}
	ns := make([]int64, n)
	for i := range c.lengths {
		ns[i] = c.lengths[i].End - c.lengths[i].Begin
	}
	slices.Sort(ns)
	at := func(percent int) float64 { return float64(ns[(n-1)*percent/100]) / 1e9 }
	p.stats = frames.Stats{
		Min: float64(st.MinNs) / 1e9, Median: at(50), P95: at(95), P99: at(99), Max: float64(st.MaxNs) / 1e9,
	}
	words := subject.CallWordsOf(st.Sampled)
	if !p.scale(words.One, words.Many) {
		return
	}
	p.all = st.Calls
	for _, x := range ns {
		p.count(float64(x) / 1e9)
	}
}

// clickLength goes to the next call, or run, with a length in a bar of the histogram, after the last one
// the first again.
func (p *Panel) clickLength(env *panel.Env, of subjectOf, bin int) {
	var next, first *spans.Bar
	at := env.View.Playhead()
	for i := range p.calls.lengths {
		b := &p.calls.lengths[i]
		if p.bin(float64(b.End-b.Begin)/1e9) != bin {
			continue
		}
		if first == nil || b.Begin < first.Begin {
			first = b
		}
		if b.Begin > at && (next == nil || b.Begin < next.Begin) {
			next = b
		}
	}
	if next == nil {
		next = first
	}
	if next != nil {
		c := of.collector
		env.View.SetPlayhead(next.Begin)
		env.View.SelectCollector(c)
		env.View.Steer().Reveal(next.Begin)
	}
}

// sampledMethod returns the chosen method where stacks are sampled, else NoCollector.
func (p *Panel) sampledMethod(of subjectOf) model.CollectorID {
	if !of.calls || of.span || !of.session.Spans().Sampled(of.track) {
		return model.NoCollector
	}
	return of.collector
}

// threads writes on which threads the chosen method was sampled, with the share of its samples.
func (r *rows) threads(of subjectOf) {
	list := r.p.calls.threads.List
	if len(list) == 0 {
		return
	}
	all := int64(0)
	for i := range list {
		all += list[i].N
	}
	r.head("samples on all threads")
	for i := range list[:min(len(list), mostListed)] {
		x := &list[i]
		name := subject.ThreadName(of.session, x.Track)
		color, _ := subject.ThreadColor(r.env, x.Track)
		r.marked(draw.Color(color), name, "on "+name, string(format.AppendCount(nil, x.N))+share(x.N, all))
	}
	if n := len(list) - mostListed; n > 0 {
		r.note(string(format.AppendPlural(nil, int64(n), "thread more", "threads more")))
	}
}
