package speedscope

import (
	"framescope/model"
	"framescope/net/trace"
)

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
		d.samples.Of.Add(d.Room, path)
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
	d.samples.Sizes.Add(d.Room, w)
}

// play publishes the samples of a profile. whole reports whether it was read to its end.
func (d *decoder) play(p *profile, whole bool) {
	paths, weights := &d.samples.Of, &d.samples.Sizes
	for p.unweighed && weights.N < paths.N {
		weights.Add(d.Room, trace.Instant{Ns: 1})
	}
	d.mend(p, !whole)
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

// mend sets what damage left out of the samples.
func (d *decoder) mend(p *profile, broken bool) {
	if !broken && !d.samples.Damaged() {
		return
	}
	unknown := d.Names.Path(model.PathRoot, d.Names.Collector([]byte("(unknown)")))
	if lost := d.samples.Mend(d.Room, unknown, p.end.Minus(p.start).Float(), broken); lost > 0 {
		d.Warn("%q: the weights of %d samples are lost in damaged places: they are shown as the mean.", trace.Shown(p.name),
			lost)
	}
}

// bounded is a time that times can be.
func bounded(t trace.Instant) int64 {
	return min(max(t.Round(), -trace.MaxTime), trace.MaxTime)
}
