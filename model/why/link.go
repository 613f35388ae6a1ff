package why

import (
	"framescope/model"
	"framescope/model/spans"
)

// link makes the link of a cause in a profile.
func (e *Engine) link(p *profile, c *cause, fromNs, toNs int64) Link {
	x := &p.parts[c.part]
	l := Link{
		Track: p.track, Collector: x.id, How: c.how, ExcessNs: c.excess, SelfNs: c.isNs,
		Calls: x.calls.is, TypicalCalls: x.calls.typical, Seen: x.seen, Around: p.around, Baseline: p.base != nil,
	}
	switch {
	case c.how == NotMeasured:
		l.Nothing = p.empty()
		if p.frames != model.NoCollector {
			l.Collector = p.frames
		}
		l.BeginNs, l.EndNs = e.longestGap(p, fromNs, toNs)
	case c.how != Spread:
		var one [1]spans.Bar
		for _, b := range e.s.Spans().Longest(p.track, x.id, -1, fromNs, toNs, 1, one[:0]) {
			if l.BeginNs, l.EndNs = b.Begin, b.End; c.how == Waiting {
				l.Within = e.within(p, b.Ref, fresh(x, p))
			}
		}
	}
	return l
}

// within returns the innermost call around a wait that is not one as ever: it is new in a profile, or
// comes more often than is typical; of a wait that is new the innermost around it, if there is no such
// one. 0: there is none.
func (e *Engine) within(p *profile, wait spans.Ref, isNew bool) (in model.CollectorID) {
	for b, ok := e.s.Spans().Caller(wait); ok && b.Collector > 0; b, ok = e.s.Spans().Caller(b.Ref) {
		slot := e.look.tree.Slot(b.Collector)
		if slot <= 0 || p.place[slot] == 0 || e.waits(p.track, &e.look.tree.All[slot]) {
			continue
		}
		x := &p.parts[p.place[slot]-1]
		if fresh(x, p) || x.calls.is > 0 && x.calls.is > x.calls.typical {
			return b.Collector
		}
		if isNew && in == 0 {
			in = b.Collector
		}
	}
	return in
}

// longestGap returns the longest time in [fromNs, toNs) in which nothing ran on a track but its frame.
func (e *Engine) longestGap(p *profile, fromNs, toNs int64) (begin, end int64) {
	at := fromNs
	next := func(b, until int64) {
		if b-at > end-begin {
			begin, end = at, b
		}
		at = max(at, until)
	}
	row := 0
	const rows = 3
	for ; row < rows; row++ {
		e.bars = e.s.Spans().Visible(p.track, row, fromNs, toNs, 0, e.bars[:0])
		if len(e.bars) > 0 && e.bars[0].Collector != 0 && e.bars[0].Collector != p.frames {
			break
		}
	}
	for _, b := range e.bars {
		if row < rows {
			next(b.Begin, b.End)
		}
	}
	next(toNs, toNs)
	return begin, end
}
