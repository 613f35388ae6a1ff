package truth

import (
	"framescope/charts/view"
	"framescope/model"
)

// work is what a thread did in its frames [first, last] together, by the self times of its collectors; nil where
// none of its frames has any.
func (p *part) work(id model.TrackID, first, last int) map[string]float64 {
	if len(p.framed(id, false, 0, p.s.Track(id).NumFrames()-1)) == 0 {
		return nil
	}
	out := map[string]float64{"busy": 0, "waits": 0, "bare": 0}
	for c, f := range p.framed(id, false, first, last) {
		name := "busy"
		switch x := p.s.Collector(c); {
		case x.Waits:
			name = "waits"
		case c == 0 && x.Name == "Frame":
			name = "bare"
		}
		for _, ns := range f.own {
			out[name] += ns
		}
	}
	return out
}

// shownWork is what the list of threads says of one in the view's frames: the frames of another thread that are
// not as many as these, and do not go with them, count together.
func (p *part) shownWork(v *view.View, id model.TrackID) map[string]float64 {
	first, last := p.framesOf(v, id)
	if last < first {
		return nil
	}
	n := float64(last - first + 1)
	of, own := n, float64(p.last-p.first+1)
	if v.FrameA() >= 0 && id != p.track && own >= 1 && n != own && !p.inStep(id) {
		of = own
	}
	want := map[string]float64{"of": n, "share": of, "first": float64(p.s.Track(id).Frame(first).Number)}
	for name, ns := range p.work(id, first, last) {
		want[name] = ns / of
	}
	for i := first; i <= last; i++ {
		f := p.s.Track(id).Frame(i)
		want["wall"] += float64(f.End-f.Begin) / n
	}
	return want
}
