package truth

import (
	"maps"
	"math"

	"framescope/charts/panel"
	"framescope/model"
)

// tableTip takes what the row of a table should state.
func tableTip(x *tip) (out figuresOf) {
	r := &record{of: x.hit, name: x.words[0]}
	for _, want := range tableRules[x.panel](x.part, x.rig.Env.View, r) {
		want = maps.Clone(want)
		if c := x.hit.Collector; c >= 0 && x.last >= x.first {
			want["frames"], want["present"] = float64(x.last-x.first+1), 0
			for _, levels := range []bool{false, true} {
				if f := x.over(levels)[c]; f != nil {
					want["present"] = float64(f.present)
				}
			}
		}
		out = append(out, want)
	}
	return out
}

// callTreeTip is of any call path that ends with the collector, below the caller that is named.
func callTreeTip(x *tip) (out figuresOf) {
	all := x.treeOf(x.rig.Env.View)
	for _, n := range all.nodes {
		if n.collector != x.hit.Collector {
			continue
		}
		want := map[string]float64{
			"total": float64(n.total), "self": float64(n.self), "mean": float64(n.total) / float64(max(n.calls, 1)),
			"count": float64(n.calls),
		}
		if up := all.nodes[n.parent]; up != nil {
			want["of_caller "+x.s.Collector(up.collector).Name] = float64(n.total) / float64(up.total)
		}
		out = append(out, want)
	}
	return out
}

// threadsTip is of a thread.
func threadsTip(x *tip) figuresOf {
	id := x.hit.Track
	want := x.threadTip()[0]
	want["width"], want["heard"] = float64(x.t1-x.t0), math.Inf(-1)
	for i := range x.spans[id] {
		want["heard"] = max(want["heard"], float64(x.spans[id][i].End))
	}
	for _, k := range x.s.Series().ByTrack(id) {
		if d := x.s.Series().ByID(k); d.Len() > 0 {
			list := d.Samples(math.MinInt64/2, math.MaxInt64/2, int(d.Len()), nil)
			want["heard"] = max(want["heard"], float64(list[len(list)-1].Time))
		}
	}
	list := x.s.Messages().Of(id, math.MinInt64/2, math.MaxInt64/2, nil)
	for i := range list {
		want["heard"] = max(want["heard"], float64(list[i].Time))
	}
	for _, a := range x.s.Flows().In(id, model.MinTime, model.MaxTime, nil) {
		want["heard"] = max(want["heard"], float64(a.To))
	}
	if !x.s.HasFrames() {
		want["load"] = x.load(id, x.t0, x.t1)
		want["samples"], _ = x.numSamples(id, x.t0, x.t1)
		_, want["time"] = x.grown(id, model.RoleCPUTime, x.t0, x.t1)
		x.didTip(id, want)
	}
	if x.s.Track(id).NumFrames() > 0 {
		if first, last := x.framesOf(x.rig.Env.View, id); first <= last {
			want["of"], want["first"] = float64(last-first+1), float64(x.s.Track(id).Frame(first).Number)
		}
		for _, row := range threadRow(x.part, x.rig.Env.View, &record{of: x.hit}) {
			want["net"], want["duration"] = row["net"], row["duration"]
		}
	}
	def := &x.s.Track(id).Def
	want["moved"], want["spread"], want["by"] = float64(def.ShiftNs), float64(def.ShiftSpreadNs/2), float64(def.ShiftFrames)
	return figuresOf{want}
}

// spikeTip is of a frame or a span that stands out.
func spikeTip(x *tip) (out figuresOf) {
	switch x.hit.Kind {
	case panel.HitFrame:
		out = x.framesTip(x.hit.Track)
		for _, want := range out {
			want["over_typical"] = x.overTypical(x.hit.Track, x.hit.Frame)
		}
		return out
	case panel.HitCollector, panel.HitLabel:
		return x.hitchesOf(x.rig.Env.View, &record{of: x.hit})
	}
	for _, spans := range x.spans {
		for i := range spans {
			if sp := &spans[i]; sp.Ref == x.hit.Bar.Ref {
				want := map[string]float64{
					"duration": float64(sp.End - sp.Begin), "at": float64(sp.Begin), "step": float64(x.s.Info().Clock.Step(sp.End)),
				}
				if f := x.calls().of[sp.Collector]; f != nil {
					want["runs"] = float64(f.calls)
				}
				out = append(out, want)
				if x.s.Track(sp.Ref.Track).Def.Kind == model.TrackStream {
					out = append(out, x.lateTip(sp))
				}
			}
		}
	}
	return out
}

// callsTip is of a call, which the begin of the row's bar tells.
func callsTip(x *tip) figuresOf {
	if x.hit.Kind == panel.HitSpan {
		return x.spanTip()
	}
	return nil
}

// contentionTip adds means to what report says of a lock.
func contentionTip(x *tip) (out figuresOf) {
	for _, want := range tableTip(x) {
		want["share"] = want["held"] / float64(x.t1-x.t0)
		means := []float64{}
		for _, of := range [][2]string{{"waited", "waits"}, {"held", "holds"}} {
			if n := want[of[1]]; n > 0 {
				means = append(means, want[of[0]]/n)
			}
		}
		for i, m := range means {
			want["mean"+"'"[:i]] = m
		}
		for _, l := range x.report().rows("locks") {
			if l.text("lock") == x.s.Collector(x.hit.Collector).Title() {
				want["condition_wait"], _ = l.number("condition_wait")
				if wait := l.object("longest_condition_wait"); wait != nil {
					want["longest_condition"], _ = wait.number("duration")
				}
				if wait := l.object("longest_wait"); wait != nil {
					want["meanwhile"], _ = wait.number("meanwhile_held")
				}
			}
		}
		out = append(out, want)
	}
	return out
}
