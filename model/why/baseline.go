package why

import (
	"framescope/model"
	"framescope/model/compare"
)

// FrameOver is Frame against a baseline instead of the frames around: for the length of the frame, and
// for the time of each collector per frame and per unit of time. base must belong to the engine's
// session.
func (e *Engine) FrameOver(base *compare.Against, track model.TrackID, index int, out *Answer) (ok bool) {
	e.measureBy(base)
	defer e.measureBy(nil)
	return e.Frame(track, index, out)
}

// PartsOver is Parts compared with the baseline's frames.
func (e *Engine) PartsOver(
	base *compare.Against, track model.TrackID, index int, out []Part,
) (list []Part, around int) {
	e.measureBy(base)
	defer e.measureBy(nil)
	return e.Parts(track, index, out)
}

func (e *Engine) measureBy(base *compare.Against) {
	e.base, e.own.base, e.other.base, e.rates.base = base, base, base, base
}

// TypicalOver is FrameOver without causes: how long the frame is, what is typical, and whether it stands out.
func (e *Engine) TypicalOver(base *compare.Against, track model.TrackID, index int, out *Answer) (ok bool) {
	e.measureBy(base)
	defer e.measureBy(nil)
	return e.typical(track, index, out)
}

// typical sets the length of the frame, the typical values, and whether it is unusually long against them. ok is false
// where there is no such frame.
func (e *Engine) typical(track model.TrackID, index int, out *Answer) (ok bool) {
	t := e.s.Track(track)
	out.begin(track, index)
	if t == nil || index < 0 || index >= t.NumFrames() {
		return false
	}
	f := t.Frame(index)
	out.Number, out.DurationNs = f.Number, f.End-f.Begin
	out.Hitch = e.s.Frames().Hitch(track, index)
	if e.base == nil {
		around := e.s.Frames().Around(track, index)
		if around.N > 0 {
			out.HitchNs = around.HitchNs(e.s.Frames().HitchLimit())
		}
		out.TypicalNs, out.Stands = around.MedianNs, out.Hitch
		return true
	}
	out.Baseline = true
	if u := e.base.Frame(track); u != nil {
		out.TypicalNs, out.Stands = int64(u.Length.Median), float64(out.DurationNs) > u.Length.High
	}
	return true
}

// ofFrameOver is ofFrame beside a baseline.
func (p *profile) ofFrameOver(e *Engine, h *model.Hierarchy, index int) bool {
	u := p.base.Frame(p.track)
	if u == nil || u.Length.N < leastRefs {
		return false
	}
	p.before, p.others, p.rows = 0, p.others[:0], p.rows[:0]
	p.begin(h)
	p.frames = e.frameSpans(p.track)
	p.addFrame(e.s, h, index, -1)
	p.enterUsual(h)
	f := e.s.Track(p.track).Frame(index)
	p.ownNs, p.around = f.End-f.Begin, u.Length.N
	p.order(e, h)
	p.tabulate()
	p.usual(u)
	return true
}

// enterUsual makes parts of the baseline thread's collectors.
func (p *profile) enterUsual(h *model.Hierarchy) {
	for slot := range h.All {
		if e, _ := p.base.Collector(p.track, h.All[slot].ID); e != nil && e.Seen > 0 {
			p.enter(h, int32(slot))
		}
	}
}

// usual sets the baseline's typical values of a frame. The typical total of a name is the sum of the
// self times below it.
func (p *profile) usual(u *compare.UsualFrame) {
	for k := range p.parts {
		x := &p.parts[k]
		x.self.typical, x.self.spread, x.whole.typical, x.whole.spread = 0, 0, 0, 0
		x.calls.typical, x.callSelf, x.callWhole, x.seen = 0, 0, 0, 0
		self := &u.Bare
		if k > 0 {
			e, _ := p.base.Collector(p.track, x.id)
			if e == nil {
				continue
			}
			if x.id == p.frames { // as in addFrame, its own time is not measured
				p.parts[0].grow(&e.Self)
				continue
			}
			self, x.seen, x.calls.typical = &e.Self, e.Seen, int64(e.Starts)
			if e.MeanStarts > 0 {
				x.callSelf = e.MeanSelf / e.MeanStarts
			}
			x.callWhole = e.MeanSelf
		}
		x.grow(self)
	}
	p.sumUp()
}

// grow adds usual self time to the typical values.
func (x *part) grow(by *compare.Usual) {
	x.self.typical += int64(by.Median)
	x.self.spread += int64(by.High) - int64(by.Median)
	x.whole = quantity{x.whole.is, x.self.typical, x.self.spread}
}

// sumUp adds the typical values of each part to its parents by name, and turns the mean time of all calls
// into that of one.
func (p *profile) sumUp() {
	for k := len(p.parts) - 1; k > 0; k-- {
		x := &p.parts[k]
		if up := &p.parts[x.parent]; !x.waits {
			up.whole.typical += x.whole.typical
			up.whole.spread += x.whole.spread
			up.callWhole += x.callWhole
			up.seen = max(up.seen, x.seen)
		}
		if e, _ := p.base.Collector(p.track, x.id); e != nil && e.MeanStarts > 0 {
			x.callWhole /= e.MeanStarts
		} else {
			x.callWhole = 0
		}
	}
}

// rate sets the baseline's values for as much time as the profile covers.
func (p *profile) rate() {
	p.busy, p.around = 0, 0
	u := p.base.Frame(p.track)
	if u == nil || u.PeriodNs <= 0 {
		return
	}
	p.around = u.Length.N
	frames := float64(p.ownNs) / u.PeriodNs
	for k := range p.parts {
		x := &p.parts[k]
		e, _ := p.base.Collector(p.track, x.id)
		if k == 0 || e == nil {
			continue
		}
		if !x.waits {
			p.busy += e.MeanSelf / u.PeriodNs
		}
		x.self.typical, x.calls.typical, x.seen = int64(frames*e.MeanSelf), int64(frames*e.MeanStarts+0.5), e.Seen
		x.whole.typical, x.callWhole = x.self.typical, e.MeanSelf
		if e.MeanStarts > 0 {
			x.callSelf = e.MeanSelf / e.MeanStarts
		}
	}
	p.sumUp()
}
