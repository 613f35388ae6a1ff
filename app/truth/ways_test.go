package truth

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strings"

	"framescope/charts/draw"
	"framescope/charts/view"
	"framescope/model"

	"framescope/model/spans"
	"framescope/widgets/details"
)

// What went through a program, and the lists beside it: elements, packages, the stops of a buffer.

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
func (p *part) compareElements(t complainer, seen map[string]int) {
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
			if w, ok := read(f.Text, 1); !ok || !w.says(v) {
				t.Errorf("%s: details of %s: %s is %q, it is %v", p, o.Name, f.Measure, f.Text, v)
			}
		}
		if len(want) > 0 || said != min(len(times), 5) {
			t.Errorf("%s: the details of %s lack %v; %d messages of %d", p, o.Name, want, said, len(times))
		}
	}
}

// burnt is the share of what all threads that are shown took that a collector took itself, and the
// one of what is right below it, as a package: it may be both.
func (p *part) burnt(v *view.View, id model.CollectorID) (shares, parts [2]float64) {
	tracks, measure := v.Look().VisibleTracks(), spans.MeasureDuration
	for _, m := range p.s.Spans().Measures(tracks, nil) {
		if m >= spans.MeasureWeight { // the first of what samples stand for
			measure = m
			break
		}
		if m == spans.MeasureCPU || m == spans.MeasureSamples && measure != spans.MeasureCPU {
			measure = m
		}
	}
	own := map[model.CollectorID]float64{}
	switch measure {
	case spans.MeasureDuration:
		for c, f := range p.sums(tracks, p.t0, p.t1).of {
			own[c] = float64(f.self)
		}
	case spans.MeasureSamples:
		for _, track := range tracks {
			_, innermost, _ := p.stacks(track, p.t0, p.t1)
			for c, n := range innermost {
				own[c] += n
			}
		}
	default: // an estimate: what it is of, oracles tell (net/flare)
		var tree spans.Tree
		p.s.Spans().TreeOf(measure, tracks, p.t0, p.t1, &tree)
		for _, n := range tree.Nodes {
			own[n.Collector] += float64(n.Self)
		}
	}
	all := 0.0
	for c, self := range own {
		if c <= 0 {
			continue
		}
		all += self
		up := p.s.Collector(c).Parent
		if c == id {
			parts[0] += self
		}
		if up == id || up <= 0 && c == id {
			parts[1] += self
		}
	}
	return [2]float64{parts[0] / all, parts[1] / all}, parts
}

func packageRow(p *part, v *view.View, r *record) (out figuresOf) {
	shares, _ := p.burnt(v, r.of.Collector)
	for _, share := range shares {
		out = append(out, map[string]float64{"self": share})
	}
	return out
}

func packagesTip(x *tip) (out figuresOf) {
	shares, parts := x.burnt(x.rig.Env.View, x.hit.Collector)
	for i := range shares {
		out = append(out, map[string]float64{"share": shares[i], "time": parts[i], "samples": parts[i]})
	}
	return out
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
