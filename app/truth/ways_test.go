package truth

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strings"

	"framescope/charts/draw"
	"framescope/charts/panel"
	"framescope/charts/view"
	"framescope/internal/testkit"
	"framescope/internal/testkit/chartstest"
	"framescope/model"
	"framescope/model/spans"
	"framescope/widgets/details"
)

// What went through a program, and the lists beside it: elements, the stops of a buffer.

// elementLatency is how long buffers took through an element, by all that was measured at it.
// Median and p99 are of the pad that takes most in all.
func (p *part) elementLatency(id model.ObjectID) (n, sum, most, median, p99 float64) {
	longest := -1.0
	for k := range model.SeriesID(p.s.Series().Len()) {
		d := &p.s.Series().ByID(k).Def
		if d.Role != model.RoleLatency || d.Object == model.NoObject || p.owner(d.Object) != id ||
			d.Peer != model.NoObject && p.owner(d.Peer) != id {
			continue
		}
		if v := p.samples(k, p.t0, p.t1); v.n > 0 {
			n, sum, most = n+float64(v.n), sum+v.sum, max(most, v.most)
			if v.sum > longest {
				longest, median, p99 = v.sum, v.rank(0.5), v.rank(0.99)
			}
		}
	}
	return n, sum, most, median, p99
}

// elementRow is the median of the buffers that an element had. A bin has none of its own.
func elementRow(p *part, _ *view.View, r *record) figuresOf {
	want := map[string]float64{"median": math.NaN()}
	if n, _, _, median, _ := p.elementLatency(r.of.Thing.Element()); n > 0 {
		want["median"] = median
	}
	return figuresOf{want}
}

func elementsTip(x *tip) figuresOf {
	n, sum, most, median, p99 := x.elementLatency(x.hit.Thing.Element())
	return figuresOf{{"n": n, "mean": sum / n, "max": most, "median": median, "p99": p99}}
}

// detailsOfElement adds how long buffers took through an element, how many were in it, and how many it
// dropped.
func (p *part) detailsOfElement(id model.ObjectID, want map[string]float64) {
	if n, _, most, median, p99 := p.elementLatency(id); n > 0 {
		want["buffers"], want["median"], want["p99"], want["longest"] = n, median, p99, most
	}
	for k := range model.SeriesID(p.s.Series().Len()) {
		x := p.s.Series().ByID(k)
		if x.Def.Object == model.NoObject || p.owner(x.Def.Object) != id {
			continue
		}
		switch v := p.samples(k, p.t0, p.t1); {
		case x.Def.Role == model.RoleLevel && x.Def.Unit == "" && v.n > 0:
			median, known := v.rank(0.5), want["in it, most"] > 0
			if !known || median > want["in it, median"] {
				want["in it, median"], want["in it, most"] = median, v.most
			}
		case x.Def.Kind == model.SeriesCounter && x.Def.Group == "qos dropped" && v.n > 0:
			before, _ := x.At(p.t0 - 1)
			want["dropped"] += v.last - before.Value
		}
	}
}

// compareElements compares the details of elements: what buffers took, and that its messages are the
// newest that bear its name or that of a pad of it.
func (p *part) compareElements(t testkit.T, seen map[string]int) {
	elements := 0
	for _, o := range p.s.Topology().Objects() {
		if o.Kind != model.ObjectElement || elements == 12 {
			continue
		}
		elements++
		want := map[string]float64{}
		p.detailsOfElement(o.ID, want)
		rig := p.rig()
		rig.R = draw.Rect{X1: 320, Y1: 1600}
		rig.Env.View.Select(view.Element(o.ID))
		pane := &details.Panel{}
		settle(rig, pane)
		var times []float64
		for id := range model.TrackID(p.s.NumTracks()) {
			for _, m := range p.s.Messages().Of(id, p.t0, p.t1-1, nil) {
				if m.Object == o.Name || strings.HasPrefix(m.Object, o.Name+":") {
					times = append(times, float64(m.Time))
				}
			}
		}
		slices.SortFunc(times, func(a, b float64) int { return cmp.Compare(b, a) })
		said := 0
		for _, f := range pane.Facts(rig.Env, nil) {
			v, ruled := want[f.Measure]
			if f.Measure == "message" {
				if said++; said > len(times) {
					t.Errorf("%s: %s has %d messages, the details %d or more", p, o.Name, len(times), said)
					continue
				}
				v, ruled = times[said-1], true
			}
			if delete(want, f.Measure); !ruled {
				continue
			}
			seen["element "+f.Measure]++
			w, ok := read(f.Text, 1)
			testkit.That(t, ok && w.says(v), "%s: details of %s: %s is %q, it is %v", p, o.Name, f.Measure, f.Text, v)
		}
		testkit.That(t, len(want) == 0 && said == min(len(times), 5),
			"%s: the details of %s lack %v; %d messages of %d", p, o.Name, want, said, len(times))
	}
}

// waterfallTip is of a stop of a buffer, or of its whole way. Buffers on several ways may have had
// the stop.
func waterfallTip(x *tip) (out figuresOf) {
	b := x.hit.Bar
	took := math.NaN()
	for _, s := range x.spans[b.Ref.Track] {
		if s.Begin == b.Begin && s.End == b.End {
			took = float64(b.End - b.Begin)
		}
	}
	if x.s.Track(b.Ref.Track).Def.Kind == model.TrackStream {
		var p spans.Passage
		x.s.Spans().Passage(b.Ref, &p)
		for _, of := range headOfWaterfall(x) {
			of["duration"], of["number"], of["of"] = took, float64(p.Number), float64(p.Of)
			out = append(out, of)
		}
		return out
	}
	var pads []map[string]float64 // it left by one of them
	for k := range model.SeriesID(x.s.Series().Len()) {
		d := x.s.Series().ByID(k)
		if d.Def.Role != model.RoleLatency || d.Def.Object == model.NoObject || x.owner(d.Def.Object) != x.s.Track(b.Ref.Track).Def.Object {
			continue
		}
		if v := x.samples(k, x.t0, x.t1); v.n > 0 {
			pads = append(pads, map[string]float64{"n": float64(v.n), "median": v.rank(0.5), "p99": v.rank(0.99)})
		}
	}
	for id := range model.TrackID(x.s.NumTracks()) {
		if x.s.Track(id).Def.Kind != model.TrackStream {
			continue
		}
		for _, way := range x.spans[id] {
			if way.Begin <= b.Begin && way.End >= b.End {
				of := map[string]float64{
					"duration": took, "begin_in": float64(b.Begin - way.Begin), "share": took / float64(way.End-way.Begin),
				}
				out = append(out, of)
				for _, pad := range pads {
					pad = maps.Clone(pad)
					maps.Copy(pad, of)
					out = append(out, pad)
				}
			}
		}
	}
	return out
}

// waterfallRow is what its tooltip says; the figures of an element's buffers are there of more than one.
func waterfallRow(p *part, _ *view.View, r *record) (out figuresOf) {
	for _, of := range waterfallTip(&tip{part: p, hit: r.of}) {
		row := map[string]float64{"duration": of["duration"], "median": math.NaN(), "p99": math.NaN()}
		if of["n"] > 1 {
			row["median"], row["p99"] = of["median"], of["p99"]
		}
		out = append(out, row)
	}
	return out
}

// headOfWaterfall is of how many buffers the shown one is the median: those of one of the ways that
// set out in the range and arrived.
func headOfWaterfall(x *tip) (out figuresOf) {
	for id := range model.TrackID(x.s.NumTracks()) {
		if x.s.Track(id).Def.Kind != model.TrackStream {
			continue
		}
		n := 0.0
		for _, s := range x.spans[id] {
			if s.Begin >= x.t0 && s.Begin < x.t1 && s.Flags&(model.SpanOpenBegin|model.SpanOpenEnd) == 0 {
				n++
			}
		}
		out = append(out, map[string]float64{"buffers": n})
	}
	return out
}

// What stands at the right of a panel's title is read and compared like its tooltips.

// headRules say what should be there, of panels that have patterns of heads in testdata/tips.txt: what headOfRange says,
// where nothing else stands here.
var headRules = ruled("head", headOfRange, map[string]*tipRule{
	"flame":  {want: headOfFlame},
	"strip":  {want: headOfStrip},
	"levels": {want: headOfStrip},
	"against": {want: func(x *tip) figuresOf {
		return x.against(x.rig.Env.View.FrameA(), model.NoCollector)
	}},
	"leaks": {want: func(x *tip) figuresOf {
		counts := map[string]float64{}
		for _, r := range x.s.Topology().Resources() {
			counts[map[model.ResourceFate]string{
				model.ResourceLeaked: "leaked", model.ResourceAlive: "alive", model.ResourceAdded: "added", model.ResourceRemoved: "removed",
			}[r.Fate]]++
		}
		return figuresOf{counts}
	}},
	"messages": {want: func(x *tip) figuresOf { return figuresOf{x.things()} }},
	"received": {want: func(x *tip) figuresOf {
		l := x.s.Ledger()
		return figuresOf{{"share": float64(l.Received) / float64(l.Sent)}}
	}},
	"waterfall": {want: headOfWaterfall},
})

// unruledHeads are numbers that are not compared, with the reason.
var unruledHeads = testkit.Words("testdata/reasons.txt", "unruledHeads")

// compareHead compares what a panel says beside its title.
func (p *part) compareHead(t testkit.T, d *panel.Def, rig *chartstest.Rig, c panel.Panel, seen map[string]int) {
	said := c.Mode(rig.Env)
	if !digit.MatchString(said) {
		return
	}
	rule := headRules[d.ID]
	if rule == nil {
		testkit.That(t, p.names()[said], "%s: testdata/tips.txt has no pattern of its head, which is %q", d.ID, said)
		return
	}
	x := &tip{p, rig, d.ID, panel.Hit{Kind: panel.HitAxis}, []string{strings.Clone(said)}, map[string]string{}, map[string]string{}}
	wrong := x.read(rule, p.names())
	for name := range x.said {
		if unruledHeads[d.ID+"."+name] != "" {
			delete(x.said, name)
		}
	}
	if wrong == "" {
		wrong = x.check(rule, seen)
	}
	testkit.That(t, wrong == "", "%s: %s: %s, in %q", p, d.ID, wrong, said)
}

// headOfRange is of the range, its frames, and what ran in it.
func headOfRange(x *tip) figuresOf {
	begin, end, _ := x.s.Bounds()
	v := x.rig.Env.View
	want := map[string]float64{
		"width": float64(x.t1 - x.t0), "length": float64(end - begin), "ran": float64(x.treeOf(v).total),
		"screen": v.Time().Width(), "shown": 0, "threads": float64(x.s.NumTracks()), "locks": 0,
	}
	for c := range model.CollectorID(x.s.Collectors().Len()) {
		if x.s.Collector(c) != nil && len(x.uses(c)) > 0 {
			want["locks"]++
		}
	}
	for _, id := range v.Look().VisibleTracks() {
		if x.s.Track(id).Def.Kind.Calls() {
			want["shown"]++
		}
	}
	if t := x.s.Track(x.track); t != nil {
		want["width "+t.Title()] = want["width"]
	}
	if t := x.s.Track(x.track); x.s.HasFrames() && t != nil {
		want["ran "+t.Title()] = want["ran"]
	} else {
		want["width all threads"], want["ran all threads"] = want["width"], want["ran"]
	}
	if x.last >= x.first {
		t := x.s.Track(x.track)
		a, b := t.Frame(x.first), t.Frame(x.last)
		want["first"], want["last"], want["frames"] = float64(a.Number), float64(b.Number), float64(x.last-x.first+1)
		want["frames "+t.Title()] = want["frames"]
		want["took"], want["missing"] = float64(a.End-a.Begin), missing(t, a.Number, b.Number, x.last-x.first+1)
	}
	return figuresOf{want}
}

// headOfFlame is of what ran on the thread.
func headOfFlame(x *tip) figuresOf {
	want := headOfRange(x)[0]
	want["total"] = float64(x.framesRan().total)
	if want["frames"] > 0 {
		want["mean"] = want["total"] / want["frames"]
	}
	return figuresOf{want}
}

// headOfStrip is of the height of the stack in the frames.
func headOfStrip(x *tip) figuresOf {
	want, sum := headOfRange(x)[0], 0.0
	levels := x.panel == "levels"
	for i := x.first; i <= x.last; i++ {
		sum += x.stacked(x.framed(x.track, levels, i, i), levels)
	}
	want["value"] = sum / want["frames"]
	want["rate"] = math.NaN()
	if !levels && want["frames"] > 0 { // of frames, and not of what ran in them
		took := int64(0)
		for i := x.first; i <= x.last; i++ {
			f := x.s.Track(x.track).Frame(i)
			took += f.End - f.Begin
		}
		want["rate"] = 1e9 * want["frames"] / float64(took)
	}
	return figuresOf{want}
}

// timeless tells whether nobody wrote down when anything was: there are stacks, and what they stand for.
func (p *plain) timeless() bool { return p.s.Info().Sampling.Timeless }

// weights are what stacks stand for, in the order in which the source told: what is shown first is the first
// of them. Samples are the last, where it is known how many there are.
func (p *plain) weights() (list []spans.Weight) {
	counted := false
	for id := range p.s.Series().Len() {
		d := &p.series(id).Def
		if w := (spans.Weight{Name: d.Name, Unit: d.Unit}); d.Role == model.RoleWeight && !slices.Contains(list, w) {
			if d.Name == model.WeightSamples {
				counted = true
				continue
			}
			list = append(list, w)
		}
	}
	if counted {
		list = append(list, spans.Weight{Name: model.WeightSamples})
	}
	return list
}

func (p *plain) series(id int) *spans.Series { return p.s.Series().ByID(model.SeriesID(id)) }

// stood is what the stacks of some threads stand for, by call path and by collector.
func (p *plain) stood(tracks []model.TrackID, what spans.Weight) *sums {
	out := &sums{nodes: map[model.PathID]*node{}, of: map[model.CollectorID]*figures{}}
	for _, id := range tracks {
		var stacks, weights []model.Sample
		for _, k := range p.s.Series().ByTrack(id) {
			x := p.s.Series().ByID(k)
			all := x.Samples(math.MinInt64/2, math.MaxInt64/2, int(x.Len()), nil)
			switch d := &x.Def; {
			case d.Role == model.RoleStack:
				stacks = all
			case d.Role == model.RoleWeight && d.Name == what.Name && (d.Unit == what.Unit || what.Name == model.WeightSamples):
				weights = all
			}
		}
		for i, w := range weights {
			out.stand(p, model.PathID(stacks[i].Value), int64(w.Value))
		}
	}
	return out
}

// stand adds what one stack stands for.
func (x *sums) stand(p *plain, path model.PathID, weight int64) {
	met, innermost := map[model.CollectorID]bool{}, path
	for x.total += weight; path != model.PathRoot; {
		up, c := p.s.Path(path)
		n, f := x.nodes[path], x.of[c]
		if n == nil {
			n = &node{path: path, parent: up, collector: c}
			x.nodes[path] = n
		}
		if f == nil {
			f = &figures{}
			x.of[c] = f
		}
		n.total += weight
		if path == innermost {
			n.self, f.self = n.self+weight, f.self+weight
		}
		if !met[c] {
			met[c], f.total = true, f.total+weight
		}
		path = up
	}
}

// numSamples is how many samples of its stack a thread has in a range: each is one, unless it is written
// how many it stands for.
func (p *plain) numSamples(id model.TrackID, t0, t1 int64) (n, growth float64) {
	weighed := false
	for _, k := range p.s.Series().ByTrack(id) {
		d := &p.s.Series().ByID(k).Def
		weighed = weighed || d.Role == model.RoleWeight
		switch {
		case d.Role != model.RoleWeight || d.Name != model.WeightSamples:
		case p.timeless():
			return float64(p.stood([]model.TrackID{id}, spans.Weight{Name: d.Name}).total), 0
		default:
			return p.samples(k, t0, t1).sum, 0
		}
	}
	if weighed {
		return math.NaN(), 0 // nobody knows
	}
	return p.grown(id, model.RoleStack, t0, t1)
}

// checkWeights compares what is said of what stacks without times stand for, by collector.
func (p *part) checkWeights(list []row, compare func(string, row, map[string]float64)) {
	lines, threads := map[string]row{}, []model.TrackID{p.track}
	for _, line := range list {
		lines[line.text("collector")] = line
	}
	nth := 0
	for _, w := range p.weights() {
		of := p.stood(threads, w).of
		for c, f := range of {
			line := lines[p.s.Collector(c).Title()]
			got, want := line, map[string]float64{"samples": float64(f.total), "self_samples": float64(f.self)}
			if w.Name != model.WeightSamples {
				if got, want = nil, map[string]float64{"total": float64(f.total), "self": float64(f.self)}; nth < len(line.rows("weights")) {
					got = line.rows("weights")[nth]
				}
			}
			compare(p.s.Collector(c).Title()+" by "+w.Name, got, want)
		}
		if w.Name != model.WeightSamples {
			nth++
		}
	}
}

// hottest adds which part of the samples of a thread the collector has that is innermost in most.
func (p *part) hottest(want map[string]float64) {
	list := p.weights()
	if len(list) == 0 || list[len(list)-1].Name != model.WeightSamples {
		return // nobody knows how many they are
	}
	all, most := p.stood([]model.TrackID{p.track}, list[len(list)-1]), int64(0)
	for _, f := range all.of {
		most = max(most, f.self)
	}
	want["hottest.of_samples"], want["hottest.self_samples"] = float64(all.total), float64(most)
	d := did{own: float64(most), code: float64(all.total)}
	want["hottest.share"], want["hottest.share_error_95"] = d.share(), d.within()
}
