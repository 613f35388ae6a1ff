package truth

import (
	"slices"

	"framescope/charts/panel"
	"framescope/charts/view"
	"framescope/model"
)

// sideFrames is how many frames on each side one is compared with at most, sideAway how far they are
// away at most (docs/why.md).
const sideFrames, sideAway = 64, 300

// aroundFrame returns the frames that one is compared with: those around it that are no hitches, on
// both sides or, where what the program does changes near the frame, on one.
func (p *part) aroundFrame(at int) (refs [][]int) {
	typical := func(i int) bool { return !p.s.Frames().Hitch(p.track, i) }
	var before, after []int
	for i := at - 1; i >= max(0, at-sideAway) && len(before) < sideFrames; i-- {
		if typical(i) {
			before = append(before, i)
		}
	}
	for i := at + 1; i <= min(p.s.Track(p.track).NumFrames()-1, at+sideAway) && len(after) < sideFrames; i++ {
		if typical(i) {
			after = append(after, i)
		}
	}
	return [][]int{slices.Concat(before, after), before, after}
}

// againstRow is what a collector took in the selected frame, beside the middle of the frames around.
func againstRow(p *part, v *view.View, r *record) (out figuresOf) {
	c := model.NoCollector
	if r.of.Kind == panel.HitCollector {
		c = r.of.Collector
	}
	return p.against(v.FrameA(), c)
}

func (p *part) against(at int, c model.CollectorID) (out figuresOf) {
	for _, refs := range p.aroundFrame(at) {
		var self, starts []int64
		seen := 0
		for _, i := range refs {
			ns, n := p.ownIn(i, c)
			if self, starts = append(self, ns), append(starts, n); p.below(i, c) {
				seen++
			}
		}
		if slices.Sort(self); len(self) == 0 {
			continue
		}
		slices.Sort(starts)
		ns, n := p.ownIn(at, c)
		middle := (len(self) - 1) / 2
		out = append(out, map[string]float64{
			"self": float64(ns), "typical_self": float64(self[middle]), "over_typical": float64(ns - self[middle]),
			"starts": float64(n), "typical_starts": float64(starts[middle]), "seen": float64(seen), "around": float64(len(refs)),
		})
	}
	return out
}

// ownIn is what a collector took itself in a frame, and how often it began; NoCollector: what none did.
func (p *part) ownIn(frame int, c model.CollectorID) (ns, starts int64) {
	f := p.s.Track(p.track).Frame(frame)
	rest := f.End - f.Begin
	root := p.s.Collectors().Tree().All[0].ID
	for _, a := range p.s.Frames().Self(p.track, frame, nil) {
		if rest -= a.Ns; a.Collector == c || c == model.NoCollector && a.Collector == root {
			ns, starts = ns+a.Ns, starts+int64(a.Count)
		}
	}
	if c == model.NoCollector {
		ns += max(rest, 0)
	}
	return ns, starts
}

// below tells whether a collector, or one that is named below it, ran in a frame, it by itself also for
// no time; what waits is not in what is above it.
func (p *part) below(frame int, c model.CollectorID) bool {
	for _, a := range p.s.Frames().Self(p.track, frame, nil) {
		if a.Ns == 0 && (a.Count == 0 || a.Collector != c) {
			continue
		}
		for id := a.Collector; id >= 0; id = p.s.Collector(id).Parent {
			if id == c {
				return true
			}
			if p.s.Collector(id).Waits {
				break
			}
		}
	}
	return false
}
