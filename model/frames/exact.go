package frames

import (
	"slices"

	"framescope/model"
	"framescope/model/collectors"
	"framescope/model/paths"
)

// Figure is what of a collector in a frame statistics are of.
type Figure uint8

// The figures.
const (
	FigureNet   Figure = iota // the own times of the collector and of all named below it
	FigureSelf                // its own time
	FigureTotal               // the time inside it, callees included, as call trees have it
	FigureLevel               // its level
)

// figureOf is what AllStats is of.
func figureOf(levels bool) Figure {
	if levels {
		return FigureLevel
	}
	return FigureNet
}

// mostTallied bounds the values that ExactStats holds at a time: 256 MiB of them.
const mostTallied = 1 << 25

// ExactStats is AllStats of a figure with percentiles that are exact however many frames there are:
// all values are gathered, for reports. Cost: O(frames · collectors); of FigureTotal a call tree
// for each frame.
func (x *Table) ExactStats(track model.TrackID, fig Figure, first, last int, out []Stats) []Stats {
	t := x.track(track)
	if t == nil {
		return out
	}
	from, to, ok := t.clampFrames(first, last)
	if !ok {
		return out
	}
	h := x.host.Collectors.Tree()
	// Collectors in parts, so that their values fit.
	part := max(mostTallied/(to-from+1), 1)
	all := new(tallyAll)
	all.figure = fig
	for c := int64(0); c < int64(len(h.All)); c += part {
		all.only.from, all.only.to = int32(c), int32(min(c+part, int64(len(h.All))))
		if fig == FigureTotal {
			x.tallyTotals(all, h, t, track, from, to)
		} else {
			all.run(h, t, from, to)
		}
		out = all.answer(t, from, to, out)
	}
	return out
}

// tallyTotals tallies the times with callees.
func (x *Table) tallyTotals(a *tallyAll, h *collectors.Hierarchy, t *Track, track model.TrackID, from, to int64) {
	var tree paths.Tree
	var inside []paths.Inside
	a.aim(h, from)
	for p := from; p <= to; p++ {
		a.now++
		i := int(p - t.frames.first)
		inside = x.host.Inside(track, i, i, &tree, inside[:0])
		for i := range inside {
			if c := h.Slot(inside[i].Collector); c >= 0 {
				a.add(c, float64(inside[i].Total))
			}
		}
		a.endFrame(p)
	}
	slices.Sort(a.touched)
}
