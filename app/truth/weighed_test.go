package truth

import (
	"math"
	"slices"

	"framescope/model"
	"framescope/model/series"
	"framescope/model/spans"
)

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

func (p *plain) series(id int) *series.Series { return p.s.Series().ByID(model.SeriesID(id)) }

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
	list := p.weights()
	switch {
	case len(list) == 0:
		return p.grown(id, model.RoleStack, t0, t1)
	case list[len(list)-1].Name != model.WeightSamples:
		return math.NaN(), 0 // nobody knows
	case p.timeless():
		return float64(p.stood([]model.TrackID{id}, list[len(list)-1]).total), 0
	}
	for _, k := range p.s.Series().ByTrack(id) {
		if d := &p.s.Series().ByID(k).Def; d.Role == model.RoleWeight && d.Name == model.WeightSamples {
			return p.samples(k, t0, t1).sum, 0
		}
	}
	return 0, 0
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
