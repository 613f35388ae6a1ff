package details

import (
	"slices"

	"framescope/charts/draw"
	"framescope/charts/format"
	"framescope/charts/panel"
	"framescope/charts/subject"
	"framescope/charts/view"
	"framescope/model"
	"framescope/model/frames"
	"framescope/model/spans"
	"framescope/model/store"
	"framescope/model/why"
)

// burning is where the CPU time of a sampled thread goes: the method with most samples of its own, or
// the chosen one, and the way to it; of a range also which methods have more samples than chance allows.
// The numbers are those of report and why.
type burning struct {
	tracks  []model.TrackID
	measure spans.Measure
	way     []spans.Step
	shared  spans.TreeUser
	treeOf  searchOf // its inputs
	search  *why.SampleSearch
	of      searchOf
	ended   uint64 // how many searches did, and trees
}

// searchOf is the input of a search for methods beyond chance.
type searchOf struct {
	session  *store.Session
	track    model.TrackID
	t0, t1   int64
	revision uint64
}

// other names the rest of the recording, which the range is compared with.
func (of *searchOf) other() string {
	begin, end, _ := of.session.Bounds()
	ns := max(end-begin-(min(of.t1, end)-max(of.t0, begin)), 0)
	return string(append(format.AppendDuration([]byte("the other "), ns), " of the recording"...))
}

// searchPiece is how many samples are looked at in a tick.
const searchPiece = 200_000

// tree returns the tree of the samples of a thread, nil where there is none of it yet.
func (b *burning) tree(of searchOf) *spans.SharedTree {
	if of.session != b.treeOf.session || of.track != b.treeOf.track {
		b.shared.Drop()
	}
	if b.treeOf != of && !b.shared.Waits() {
		b.treeOf = of
		b.shared.Ask(of.session.Spans(), b.measure, b.tracks, of.t0, of.t1)
	}
	b.shared.Step()
	return b.shared.Tree()
}

// goOn goes on with the search and the tree.
func (b *burning) goOn(env *panel.Env) {
	if b.shared.Step() {
		b.ended++
	}
	if b.search == nil || b.search.Step(0) {
		return
	}
	piece := int64(searchPiece)
	if !env.Paced {
		piece = 1 << 62
	}
	if b.search.Step(piece) {
		b.ended++
	}
}

// seek begins to look for methods that have more samples in a range than chance allows, against all
// else that was recorded of the thread. While data come a search that runs is not begun anew.
func (b *burning) seek(of searchOf) {
	was := b.of
	was.revision = of.revision
	if b.search != nil && (b.of == of || was == of && !b.search.Step(0)) {
		return
	}
	b.of = of
	there := why.Stretch{BeginNs: of.t0, EndNs: of.t1}
	all := why.Stretch{BeginNs: model.MinTime, EndNs: model.MaxTime}
	b.search = why.NewSampleSearch(of.session, b.tracks, there, all)
}

// ofSamples describes where the CPU time of a sampled thread goes, or the share of the chosen method.
// It has no name if there is none. For a session without times it covers all shown threads, in the
// measure of the charts.
func (p *Why) ofSamples(env *panel.Env, of *subjectOf) headline {
	s, b, d := of.session, &p.burn, p.details
	timeless := s.Info().Sampling.Timeless
	b.tracks, b.measure = append(b.tracks[:0], of.track), spans.MeasureSamples
	if timeless {
		b.tracks, b.measure = append(b.tracks[:0], d.sums.Tracks...), d.sums.Measure
	}
	tree := d.sums.Tree()
	if !timeless {
		tree = b.tree(searchOf{s, of.track, of.t0, of.t1, p.in.revision})
	}
	if tree == nil {
		p.chain.begin()
		p.chain.rows = append(p.chain.rows, chainRow{words: panel.Building})
		return headline{what: d.mode, name: d.title, chain: p.chain.stamp}
	}
	hot, ok := tree.Hottest(of.collector, b.way)
	if !ok {
		return p.ofNoCode(of, hot.Samples)
	}
	b.way = hot.Way
	k := s.Collector(hot.Collector)
	h := headline{
		what: "Where does the CPU time go?", name: k.Name, beside: "of the code of " + s.Track(of.track).Title(),
		value: string(format.AppendPercent(nil, hot.Share())), own: hot.Share(),
		all: float64(hot.Way[len(hot.Way)-1].Samples) / float64(hot.Of), bar: true,
	}
	if timeless {
		h.beside = string(subject.AppendMeasured([]byte("of "), s, b.measure, hot.Of))
	}
	if timeless || of.collector != model.NoCollector {
		h.what = subject.OwnWords(s, b.measure, of.collector)
	}
	if pkg := s.Collector(k.Parent); k.Parent > 0 && pkg != nil {
		h.under = pkg.Title()
	}
	c := &p.chain
	c.begin()
	c.sayWay(s, of.track, b.measure, &hot)
	if b.measure == spans.MeasureSamples {
		c.rows = append(c.rows, chainRow{words: subject.SampledWords(s, &hot)})
	}
	if v := env.View; of.collector == model.NoCollector && v.HasRange() && !v.Live() && !timeless {
		b.seek(searchOf{s, of.track, of.t0, of.t1, p.in.revision})
		b.goOn(env)
		c.saySurpluses(s, b)
	}
	h.chain = c.stamp
	return h
}

// ofNoCode is the headline of where nothing that was sampled takes CPU time.
func (p *Why) ofNoCode(of *subjectOf, samples int64) headline {
	d, c := p.details, &p.chain
	h := headline{what: d.mode, name: d.title}
	if of.t1 <= of.t0 {
		return h
	}
	thread := of.session.Track(of.track).Title()
	words := "No stack of " + thread + " was sampled here."
	if samples > 0 {
		b := format.AppendPlural([]byte("None of "), samples, "sample", "samples")
		words = string(b) + " of " + thread + " is of code: it waits, or reads or writes."
	}
	if of.collector == model.NoCollector {
		h.value = string(format.AppendDuration(nil, of.t1-of.t0))
	} else if samples > 0 {
		words = "It takes no CPU time here: it waits, or reads or writes, or was not sampled."
	}
	c.begin()
	c.rows = append(c.rows, chainRow{words: words})
	h.chain = c.stamp
	return h
}

// begin clears the rows, for others that belong to no cause.
func (c *chain) begin() {
	c.forget()
	c.of = nil
}

// mostSteps is the greatest number of methods shown of a path.
const mostSteps = 8

// sayWay makes rows of a call path: of callers with equal samples the innermost.
func (c *chain) sayWay(s *store.Session, track model.TrackID, m spans.Measure, hot *spans.Hottest) {
	from := len(c.rows)
	for i, x := range hot.Way {
		if i+1 < len(hot.Way) && hot.Way[i+1].Samples == x.Samples {
			continue
		}
		words, told, share := subject.StepWords(s, m, hot, &hot.Way[i])
		c.rows = append(c.rows, chainRow{
			linked: true, method: true, calls: true, samples: x.Samples, share: share,
			link: why.Link{Track: track, Collector: x.Collector}, name: s.Collector(x.Collector).Name, words: words, told: told,
		})
	}
	if left := len(c.rows) - from - mostSteps; left > 0 {
		c.rows = append(c.rows[:from], c.rows[from+left:]...)
	}
	c.rows[len(c.rows)-1].calls = false
}

// saySurpluses makes rows of the results of a search for methods beyond chance.
func (c *chain) saySurpluses(s *store.Session, b *burning) {
	if !b.search.Step(0) {
		c.rows = append(c.rows, chainRow{words: "Looking for methods that chance does not explain."})
		return
	}
	found, other := b.search.Found(), b.of.other()
	switch {
	case found.Threads == 0:
		return // nothing to compare it with
	case len(found.List) == 0:
		c.rows = append(c.rows, chainRow{words: "No method has more samples here than chance allows, by what it has in " +
			other + "."})
		return
	}
	c.rows = append(c.rows, chainRow{words: "More samples here than chance allows, by " + other + ":"})
	for i := range found.List[:min(len(found.List), mostCauses)] {
		x := &found.List[i]
		share, _ := x.Share()
		c.rows = append(c.rows, chainRow{
			linked: true, method: true, samples: x.There, share: share, link: why.Link{Track: x.Track, Collector: x.Collector},
			name: s.Collector(x.Collector).Name, words: string(subject.AppendSurplusFigures(nil, x)),
			told: string(subject.AppendSurplus(nil, s, x)),
		})
	}
	if n := len(found.List) - mostCauses; n > 0 {
		c.rows = append(c.rows, chainRow{words: string(format.AppendPlural(nil, int64(n), "method more", "methods more"))})
	}
}

// choose selects the method of a row.
func (r *chainRow) choose(v *view.View) { v.SelectCollectorOf(r.link.Track, r.link.Collector) }

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
	for i := range c.lengths {
		b := &c.lengths[i]
		p.count(float64(b.End-b.Begin)/1e9, b.Begin)
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
