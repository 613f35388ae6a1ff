package view

import (
	"slices"

	"framescope/model"
	"framescope/model/spans"
	"framescope/model/why"
)

// Place returns the index, from 1 on, and the count of a frame among the hitches of a thread, or of
// those of one cause; if there are ways, of the thing that a span belongs to. It is 0 for others, and
// until all are explained.
func (c *Causes) Place(track model.TrackID, number int64, span spans.Bar, selected bool, cause Cause) (n, of int) {
	if !c.ready || c.track != track {
		return 0, 0
	}
	ways := c.OfWays(track)
	all := c.late
	if !ways {
		all = c.engine.Hitches(track)
	}
	if g := c.GroupOf(cause); g != nil {
		all = g.Hitches
	}
	var at int
	var is bool
	if !ways {
		at = CauseFrom(all, number)
		is = at < len(all) && all[at].Number == number
	} else if thing, ok := c.thingOf(span); selected && ok {
		at, is = slices.BinarySearchFunc(all, thing.Begin, func(h why.Hitch, begin int64) int { return inOrder(&h, begin, thing.Ref) })
	}
	if !is {
		return 0, 0
	}
	return at + 1, len(all)
}
