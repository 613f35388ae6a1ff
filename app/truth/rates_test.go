package truth

import (
	"math"
	"slices"

	"framescope/charts/view"
	"framescope/model"
)

// rateRow is how fast and how even the frames of a thread came.
func rateRow(p *part, v *view.View, r *record) figuresOf {
	t := p.s.Track(r.of.Track)
	first, last := 0, t.NumFrames()-1
	if v.Live() || v.FrameA() >= 0 && v.FrameB() > v.FrameA() {
		first, last = p.framesOf(v, r.of.Track)
	}
	if last < first {
		return nil
	}
	out := p.pace(r.of.Track, first, last, v.Look().FrameBudgetNs())
	begin, end := p.times(r.of.Track, first, last)
	hitches := 0.0
	for i := first; i <= last; i++ {
		if p.s.Frames().Hitch(r.of.Track, i) {
			hitches++
		}
	}
	out["frames"], out["hitches"] = float64(last-first+1), hitches
	out["frames_per_second"] = (out["frames"] + missing(t, t.Frame(first).Number, t.Frame(last).Number, last-first+1)) / (float64(end-begin) / 1e9)
	return figuresOf{out}
}

// pace is what the lengths of some frames tell.
func (p *part) pace(track model.TrackID, first, last int, budgetNs int64) map[string]float64 {
	var ns []float64
	over := 0.0
	for i := first; i <= last; i++ {
		f := p.s.Track(track).Frame(i)
		took := float64(f.End - f.Begin)
		if ns = append(ns, took); took > float64(budgetNs) {
			over++
		}
	}
	slices.Sort(ns)
	n := len(ns)
	slow := func(in int) float64 {
		of, sum := (n+in-1)/in, 0.0
		for _, took := range ns[n-of:] {
			sum += took
		}
		return float64(of) / (sum / 1e9)
	}
	rank := func(percent int) float64 { return ns[max((n*percent+99)/100, 1)-1] }
	return map[string]float64{
		"low_1": slow(100), "low_01": slow(1000), "median": (ns[(n-1)/2] + ns[n/2]) / 2, "p95": rank(95), "p99": rank(99),
		"max": ns[n-1], "over": over / float64(n),
	}
}

// addPace adds the figures of a report's pace, where there are any.
func (p *part) addPace(want map[string]float64, budgetNs int64) {
	inReport := map[string]string{"median": "median_ns", "p95": "p95_ns", "p99": "p99_ns", "max": "max_ns"}
	for name, v := range p.pace(p.track, p.first, p.last, budgetNs) {
		if other := inReport[name]; other != "" {
			name = other
		}
		if !math.IsInf(v, 0) && !math.IsNaN(v) {
			want["pace."+name] = v
		}
	}
	want["pace.limit_ns"] = float64(budgetNs)
}
