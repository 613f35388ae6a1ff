package truth

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strings"

	"framescope/charts/panel"
	"framescope/model"
)

// framesRan are what ran in the frames of the part: the sums of each frame, where one begins where
// another ends of both as one stretch.
func (p *part) framesRan() *sums {
	switch {
	case p.timeless(): // of all threads
		return p.everywhere(p.rig().Env.View)
	case p.last < p.first:
		return p.calls()
	}
	t, all := p.s.Track(p.track), &sums{nodes: map[model.PathID]*node{}, of: map[model.CollectorID]*figures{}}
	for i := p.first; i <= p.last; i++ {
		position, begin, end := int64(i), t.Frame(i).Begin, t.Frame(i).End
		for i < p.last && t.Frame(i+1).Begin == end && end > begin {
			i++
			end = t.Frame(i).End
		}
		ran := p.sumsOf([]model.TrackID{p.track}, begin, end, position)
		all.total += ran.total
		for path, n := range ran.nodes {
			to := all.nodes[path]
			if to == nil {
				to = &node{path: path, parent: n.parent, collector: n.collector}
				all.nodes[path] = to
			}
			to.total, to.self, to.calls = to.total+n.total, to.self+n.self, to.calls+n.calls
		}
	}
	return all
}

// flameTip is of any call path that ends with the collector under the callers that are named.
func flameTip(x *tip) (out figuresOf) {
	if x.hit.Kind == panel.HitFrame { // the typical one below
		out = x.framesTip(x.hit.Track)
		for _, want := range out {
			want["typical"] = x.typical(x.track, x.first)
		}
		return out
	}
	if x.hit.Kind == panel.HitGap {
		return figuresOf{{"missed_first": float64(x.hit.Gap.FirstNumber), "missed_last": float64(x.hit.Gap.LastNumber)}}
	}
	ran, frames := x.framesRan(), 1.0
	if x.last >= x.first {
		frames = float64(x.last - x.first + 1)
	}
	for _, n := range ran.nodes {
		if n.collector != x.hit.Collector || x.callers(n.parent) != x.named["callers"] {
			continue
		}
		total, self := float64(n.total), float64(n.self)
		want := map[string]float64{
			"total": total / frames, "self": self / frames, "self_share": self / max(total, 1), "share": total / float64(ran.total),
			"calls": float64(n.calls) / frames, "frames": frames, "mean_of": frames, "sum": total,
			"sum_calls": float64(n.calls),
		}
		if up := ran.nodes[n.parent]; up != nil {
			want["of_caller "+x.s.Collector(up.collector).Name] = total / float64(up.total)
		}
		out = append(out, want)
	}
	return out
}

// callers are the names of the last six on a call path, the innermost last.
func (x *tip) callers(path model.PathID) string {
	var names []string
	for path != model.PathRoot {
		up, c := x.s.Path(path)
		if names = append(names, x.s.Collector(c).Name); len(names) > 6 {
			names[6] = "…"
			break
		}
		path = up
	}
	slices.Reverse(names)
	return strings.Join(names, " › ")
}

// pianoTip is of a collector in one frame: its runs, of which one within another is none.
func pianoTip(x *tip) (out figuresOf) {
	if x.hit.Kind == panel.HitGap {
		return x.gapTip()
	}
	t := x.s.Track(x.hit.Track)
	f := t.Frame(x.hit.Frame)
	shared := x.hit.Frame+1 < t.NumFrames() && t.Frame(x.hit.Frame+1).Begin == f.End && f.End > f.Begin
	var runs [][2]int64
	for i := range x.spans[x.hit.Track] {
		sp := &x.spans[x.hit.Track][i]
		touches := sp.Begin < f.End && sp.End > f.Begin || sp.Begin == sp.End && sp.Begin >= f.Begin && sp.Begin <= f.End
		_, _, ours := x.inFrames(sp, int64(x.hit.Frame))
		if sp.Collector != x.hit.Collector || !ours || !touches || sp.Begin == f.End && shared {
			continue
		}
		runs = append(runs, [2]int64{max(sp.Begin, f.Begin) - f.Begin, min(sp.End, f.End) - f.Begin})
	}
	slices.SortFunc(runs, func(a, b [2]int64) int { return cmp.Or(cmp.Compare(a[0], b[0]), cmp.Compare(b[1], a[1])) })
	all, n := 0.0, 0
	for _, r := range runs {
		if n > 0 && (r[0] < runs[n-1][1] || r[0] == runs[n-1][0]) {
			all += float64(max(r[1]-runs[n-1][1], 0))
			runs[n-1][1] = max(runs[n-1][1], r[1])
			continue
		}
		runs[n] = r
		n, all = n+1, all+float64(r[1]-r[0])
	}
	runs = runs[:n]
	whole := map[string]float64{"all": all, "runs": float64(n), "share": all / float64(f.End-f.Begin)}
	if x.hit.Kind == panel.HitCollector {
		return figuresOf{whole}
	}
	first, _ := read(x.said["first"], 1)
	last := first
	if x.said["last"] != "" {
		last, _ = read(x.said["last"], 1)
	}
	if first.value < 1 || int(last.value) > n {
		return nil
	}
	took := 0.0
	for _, r := range runs[int(first.value)-1 : int(last.value)] {
		took += float64(r[1] - r[0])
	}
	whole["first"], whole["last"], whole["took"] = first.value, last.value, took
	whole["from"], whole["to"] = float64(runs[int(first.value)-1][0]), float64(runs[int(last.value)-1][1])
	whole["step"] = float64(x.s.Info().Clock.Step(f.Begin))
	return figuresOf{whole}
}

// stripTip is of a band of a strip chart: of the frame under the mouse, and of the selected ones.
func stripTip(x *tip) (out figuresOf) {
	if x.hit.Kind == panel.HitGap {
		return x.gapTip()
	}
	levels := x.panel == "levels"
	// bands are what is stacked: the net of those that are named below the root, and what is the
	// root's own.
	band := func(f map[model.CollectorID]*framed) (value, starts float64) {
		v := f[x.hit.Collector]
		switch {
		case v == nil:
			return 0, 0
		case x.hit.Collector == 0 && !levels:
			return (&framed{values: v.own}).mean(), float64(v.starts)
		}
		return v.mean(), float64(v.starts)
	}
	want := map[string]float64{"step": float64(x.s.Info().Clock.Step(x.hit.TimeNs))}
	if t := x.s.Track(x.hit.Track); x.hit.Frame >= 0 {
		f := x.framed(x.hit.Track, levels, x.hit.Frame, x.hit.Frame)
		want["frame"] = float64(t.Frame(x.hit.Frame).Number)
		want["value"], want["starts"] = band(f)
		want["net"] = x.stacked(f, levels)
		want["step"] = float64(x.s.Info().Clock.Step(t.Frame(x.hit.Frame).Begin))
	}
	if x.last >= x.first {
		n := float64(x.last - x.first + 1)
		want["mean"], want["starts_mean"] = band(x.over(levels))
		want["here"], want["starts_here"] = want["mean"], want["starts_mean"]
		want["starts_mean"] = math.Floor(want["starts_mean"]/n + 0.5)
		want["frames"], want["selected"] = n, float64(x.s.Track(x.track).Frame(x.first).Number)
	}
	if x.said["missed"] == "" {
		return figuresOf{want}
	}
	for _, gap := range x.gapTip() { // the rest is of the selected frames, and between the neighbours of the gap
		maps.Copy(gap, want)
		t := x.s.Track(x.hit.Track)
		for i := 1; i < t.NumFrames(); i++ {
			if t.Frame(i).Number != int64(gap["missed_last"])+1 {
				continue
			}
			a, _ := band(x.framed(x.hit.Track, levels, i-1, i-1))
			b, _ := band(x.framed(x.hit.Track, levels, i, i))
			w, _ := read(x.said["value"], 1)
			gap["value"] = min(max(w.value, min(a, b)), max(a, b))
		}
		out = append(out, gap)
	}
	return out
}

// stacked is the height of the stack of a frame.
func (x *tip) stacked(f map[model.CollectorID]*framed, levels bool) (sum float64) {
	if levels {
		return x.height(f, 0)
	}
	if f[0] != nil {
		return f[0].mean()
	}
	return 0
}

// frameTip is of a frame, or of frames that never came.
func frameTip(x *tip) figuresOf {
	if x.hit.Kind == panel.HitGap {
		return x.gapTip()
	}
	out := x.framesTip(x.hit.Track)
	for _, want := range out {
		if of, _ := read(x.said["of"], 1); of.value > 1 {
			want["median"] = x.medianOf(int(of.value))
		}
	}
	return out
}

// medianOf is the median of the frames that are merged with the one under the mouse: n of them, or
// as many as there are.
func (x *tip) medianOf(n int) float64 {
	t, merge := x.s.Track(x.hit.Track), 1
	for merge < n {
		merge *= 2
	}
	var lengths []int64
	first := x.hit.Frame / merge * merge
	for i := first; i < min(first+merge, t.NumFrames()); i++ {
		lengths = append(lengths, t.Frame(i).End-t.Frame(i).Begin)
	}
	slices.Sort(lengths)
	return float64(lengths[(len(lengths)-1)/2])
}
