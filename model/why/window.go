package why

import (
	"framescope/model"
)

// window makes e.rates the profile of a thread from the begin of a frame to the end of a wait, beside
// its work in as much time in the frames around.
func (e *Engine) window(w wait, track model.TrackID) {
	p, h := &e.rates, e.look.tree
	p.track, p.around, p.ownNs = track, e.own.around, w.endNs-w.fromNs
	p.begin(h)
	p.frames = e.frameSpans(track)
	p.rows, p.refs = p.rows[:0], p.refs[:0]
	if p.base != nil {
		p.addTime(e, w.fromNs, w.endNs, -1, 1)
		p.enterUsual(h)
		p.order(e, h)
		p.tabulate()
		p.rate()
		return
	}
	aroundNs := e.look.endNs - e.look.beginNs - (e.look.frameEndNs - e.look.frameBeginNs)
	p.addTime(e, w.fromNs, w.endNs, -1, 1)
	p.addTime(e, e.look.beginNs, e.look.endNs, 0, 1)
	p.addTime(e, e.look.frameBeginNs, e.look.frameEndNs, 0, -1)
	for o := e.own.others; len(o) > 0; o = o[2:] {
		p.addTime(e, o[0], o[1], 0, -1)
		aroundNs -= o[1] - o[0]
	}
	p.order(e, h)
	p.refs = append(p.refs, 0)
	p.tabulate()
	p.busy = 0
	for k := range p.parts {
		x := &p.parts[k]
		if !x.waits && k > 0 {
			p.busy += float64(p.selfs[k]) / float64(max(aroundNs, 1))
		}
		share := float64(p.ownNs) / float64(max(aroundNs, 1))
		x.self = quantity{is: x.self.is, typical: int64(share * float64(max(p.selfs[k], 0)))}
		x.whole = quantity{is: x.whole.is, typical: int64(share * float64(max(p.wholes[k], 0)))}
		x.calls = quantity{is: x.calls.is, typical: int64(share*float64(max(p.counts[k], 0)) + 0.5)}
		x.perCall(max(p.selfs[k], 0), max(p.wholes[k], 0), p.counts[k])
		x.seen = int(min(max(p.counts[k], 0), int64(p.around)))
	}
	root := &p.parts[0] // its own time is what others leave: less of it would hide that they took more
	root.whole = quantity{is: root.whole.is - root.self.is, typical: root.whole.typical - root.self.typical}
}

// addTime adds a thread's work in a stretch of time, or subtracts it again.
func (p *profile) addTime(e *Engine, fromNs, toNs int64, ref int32, sign int64) {
	one := [1]model.TrackID{p.track}
	e.s.Spans().Tree(one[:], fromNs, toNs, &e.tree)
	e.inside = e.tree.Inside(e.inside[:0])
	for _, in := range e.inside {
		if slot := e.look.tree.Slot(in.Collector); slot >= 0 && in.Collector != p.frames {
			p.enter(e.look.tree, slot)
			p.rows = append(p.rows, profileRow{ref, slot, sign * in.Self, int32(sign * in.Count)})
		}
	}
}

// mayReach is the least part of a wait of one thing on a thread that is examined closely.
const mayReach = 0.2

// mayExplain reports whether anything in the profile is so long that a wait may have been for it.
func (p *profile) mayExplain(excessNs int64) bool {
	for k := range p.parts {
		x := &p.parts[k]
		if float64(x.self.is) >= mayReach*float64(excessNs) || float64(x.whole.is) >= mayReach*float64(excessNs) {
			return true
		}
	}
	return false
}
