package truth

import (
	"slices"

	"framescope/charts/view"
)

// rateRow counts the figures of all frames of a thread, where several are selected of these.
func rateRow(p *part, v *view.View, r *record) figuresOf {
	t := p.s.Track(r.of.Track)
	first, last := 0, t.NumFrames()-1
	if v.Live() || v.FrameA() >= 0 && v.FrameB() > v.FrameA() {
		first, last = p.framesOf(v, r.of.Track)
	}
	if last < first {
		return nil
	}
	var ns []float64
	sum, over := 0.0, 0.0
	for i := first; i <= last; i++ {
		f := t.Frame(i)
		took := float64(f.End - f.Begin)
		if ns, sum = append(ns, took), sum+took; took > float64(v.Look().FrameBudgetNs()) {
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
	hitches := 0.0
	for i := first; i <= last; i++ {
		if p.s.Frames().Hitch(r.of.Track, i) {
			hitches++
		}
	}
	return figuresOf{{
		"frames": float64(n), "frames_per_second": float64(n) / (sum / 1e9), "low_1": slow(100), "low_01": slow(1000),
		"median": (ns[(n-1)/2] + ns[n/2]) / 2, "p95": rank(95), "p99": rank(99), "max": ns[n-1], "over": over / float64(n), "hitches": hitches,
	}}
}
