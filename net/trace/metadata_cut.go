package trace

import (
	"cmp"
	"math"
	"slices"

	"framescope/model"
)

// Tell puts the recorded figures of a frame into its batch; of returns the collector of a number, false for
// none. It returns how many figures are of none.
func Tell(b *model.Batch, f ToldframesFrame, told *Figures, of func(n int) (model.CollectorID, bool)) (nobodys int64) {
	shares, levels, net := told.Of(f.Figures)
	if net {
		b.Self = b.Self[:0]
	}
	for _, s := range shares {
		if c, ok := of(s.Collector); ok {
			b.Self = append(b.Self, model.CollectorTime{Collector: c, Ns: s.Ns, Count: s.Starts})
		} else {
			nobodys++
		}
	}
	if net {
		slices.SortFunc(b.Self, func(x, y model.CollectorTime) int { return cmp.Compare(x.Collector, y.Collector) })
		b.Self = joined(b.Self)
	}
	for _, l := range levels {
		if c, ok := of(l.Collector); ok {
			b.Levels = append(b.Levels, model.Level{Collector: c, Time: b.Begin + l.After, Value: l.Value})
		} else {
			nobodys++
		}
	}
	slices.SortStableFunc(b.Levels, func(x, y model.Level) int { return cmp.Compare(x.Time, y.Time) })
	return nobodys
}

// joined makes one of those of one collector.
func joined(list []model.CollectorTime) []model.CollectorTime {
	out := list[:0]
	for _, x := range list {
		if n := len(out) - 1; n >= 0 && out[n].Collector == x.Collector {
			out[n].Ns, out[n].Count = model.AddSat(out[n].Ns, x.Ns), int32(min(int64(out[n].Count)+int64(x.Count), math.MaxInt32))
			continue
		}
		out = append(out, x)
	}
	return out
}
