package speedscope

import (
	"framescope/model"
	"framescope/net/trace"
)

// samples are those of a profile, kept until it ends: its weights may stand before them.
type samples struct {
	paths   trace.Kept[model.PathID]
	weights trace.Kept[trace.Instant]
}

// stack reads the frames of a sample, the outermost first.
func (d *decoder) stack(r *trace.Reader) {
	path, depth := model.PathRoot, 0
	r.Array(func() {
		n, ok := r.Int()
		if !ok {
			n = -1
		}
		if depth++; depth <= trace.MaxWeighed {
			path = d.Names.Path(path, d.collector(n))
		}
	})
	if r.Err() == nil {
		d.samples.paths.Add(d.Room, path)
	}
}

// weight reads how much the next sample stands for.
func (d *decoder) weight(r *trace.Reader, p *profile) {
	b := r.Plain()
	if r.Err() != nil {
		return
	}
	w, ok := trace.ParseTime(b, p.scale)
	if !ok || w.Ns < 0 {
		d.Bad.Bad(trace.BadWeight, d.place)
		w = trace.Instant{}
	}
	d.samples.weights.Add(d.Room, w)
}

// play publishes the samples of a profile. whole reports whether it was read to its end.
func (d *decoder) play(p *profile, whole bool) {
	paths, weights := &d.samples.paths, &d.samples.weights
	for p.unweighed && weights.N < paths.N {
		weights.Add(d.Room, trace.Instant{Ns: 1})
	}
	if whole && paths.N != weights.N {
		d.Bad.BadN(trace.BadWeight, int64(max(paths.N, weights.N)-min(paths.N, weights.N)), d.place)
	}
	d.Bad.BadN(trace.NoMemory, max(paths.Refused(), weights.Refused()), d.place)
	list := weights.List[:min(len(paths.List), len(weights.List))]
	if !p.timed {
		for i, w := range list {
			d.Weigh(p.track, paths.List[i], w.Float(), d.place)
		}
		return
	}
	out, at := d.Out.Thread(p.track, p.name), p.start.Minus(d.zero)
	for i, w := range list {
		d.Sample(out, bounded(at), w.Round(), paths.List[i])
		at = at.Plus(w)
	}
	if len(list) > 0 {
		out.Stop(bounded(at))
	}
}

// bounded is a time that times can be.
func bounded(t trace.Instant) int64 {
	return min(max(t.Round(), -trace.MaxTime), trace.MaxTime)
}
