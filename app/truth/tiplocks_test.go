package truth

import (
	"math"

	"framescope/charts/panel"
	"framescope/model"
	"framescope/model/locks"
)

// uses are all uses of a lock, one by one.
func (p *plain) uses(lock model.CollectorID) []locks.Bar {
	return p.s.Locks().Bars(lock, math.MinInt64/4, math.MaxInt64/4, 0, nil)
}

// locksTip is of one use of a lock, or of a lock in view.
func locksTip(x *tip) (out figuresOf) {
	lock := x.hit.Collector
	switch use, single := x.hit.Thing.Use(); {
	case x.hit.Kind == panel.HitAxis:
		return x.framesTip(x.hit.Track)
	case x.hit.Kind == panel.HitCollector:
		for _, l := range x.report().rows("locks") {
			if l.text("lock") != x.s.Collector(lock).Title() {
				continue
			}
			want := map[string]float64{"longest'": 0} // who never had to wait waited no time
			for _, field := range []string{"waited", "waits", "held", "holds", "failed", "conditions", "condition_wait", "signals", "threads"} {
				want[field], _ = l.number(field)
			}
			longest := []string{}
			for _, field := range []string{"longest_hold", "longest_wait"} {
				if l.object(field) != nil {
					longest = append(longest, field)
				}
			}
			for i, field := range longest {
				want["longest"+"'"[:i]], _ = l.object(field).number("duration")
			}
			out = append(out, want)
		}
	case single:
		want := map[string]float64{"duration": float64(use.End - use.Begin), "at": float64(use.Begin), "depth": float64(use.Depth)}
		sums := map[string]float64{}
		for _, u := range x.uses(use.Lock) {
			who := x.s.Track(u.Track).Title()
			meanwhile := float64(min(u.End, use.End) - max(u.Begin, use.Begin))
			switch {
			case u.Track == use.Track && u.Kind == locks.Waiting && u.End == use.Begin && u.End > u.Begin:
				want["before"] = float64(u.End - u.Begin)
			case u.Track != use.Track && meanwhile > 0 && u.Depth == 0 && u.Kind == locks.Waiting:
				sums["kept "+who] += meanwhile
			case u.Track != use.Track && meanwhile > 0 && u.Depth == 0 && u.Kind == locks.Holding:
				sums["held "+who] += meanwhile
			}
		}
		for name, ns := range sums {
			want[name] = ns
		}
		out = append(out, want)
	}
	return out
}
