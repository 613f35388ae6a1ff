package causes

import (
	"cmp"
	"slices"

	"framescope/model"
	"framescope/model/spans"
	"framescope/model/store"
	"framescope/model/why"
)

// OfWays tells whether what goes ways (buffers of a pipeline) stands for a thread where hitches are
// asked for: it has no frames, and the session has ways.
func (c *Causes) OfWays(track model.TrackID) bool {
	s := c.Session()
	if t := s.Track(track); t != nil && t.HasFrames() {
		return false
	}
	return s.Contents().Ways
}

func isWay(t *store.Track) bool { return t.Def.Kind == model.TrackStream && t.NumSpans() > 0 }

// findWays lists the ways that stand for a thread, none where it has frames.
func (c *Causes) findWays(track model.TrackID) {
	c.ways = c.ways[:0]
	if !c.OfWays(track) {
		return
	}
	s := c.Session()
	for id := range model.TrackID(s.NumTracks()) {
		if isWay(s.Track(id)) {
			c.ways = append(c.ways, id)
		}
	}
}

// mergeWays puts what was late on all ways into one order of time.
func (c *Causes) mergeWays() {
	c.late = c.late[:0]
	for _, way := range c.ways {
		c.late = append(c.late, c.engine.Hitches(way)...)
	}
	slices.SortFunc(c.late, func(a, b why.Hitch) int { return compare(&a, b.BeginNs, b.Of) })
}

// compare tells the order of a late thing and one that set out at a time.
func compare(h *why.Hitch, begin int64, of spans.Ref) int {
	return cmp.Or(cmp.Compare(h.BeginNs, begin), cmp.Compare(h.Of.Track, of.Track), cmp.Compare(h.Of.Lane, of.Lane),
		cmp.Compare(h.Of.Index, of.Index))
}

// Places in the order: before all that set out at a time, and behind them.
var before, behind = spans.Ref{Track: -1}, spans.Ref{Track: 1<<31 - 1}

// placeOf returns how many late things come before a place in the order.
func (c *Causes) placeOf(begin int64, of spans.Ref) int {
	k, _ := slices.BinarySearchFunc(c.late, begin, func(h why.Hitch, begin int64) int { return compare(&h, begin, of) })
	return k
}

// Late returns what was late on all ways of what set out in [t0, t1), in order.
func (c *Causes) Late(t0, t1 int64) []why.Hitch {
	return c.late[c.placeOf(t0, before):c.placeOf(t1, before)]
}

// LateThing returns the group of a late thing, nil where it is none, or not explained yet.
func (c *Causes) LateThing(begin int64, of spans.Ref) *why.Group {
	if k := c.placeOf(begin, of); k < len(c.late) && c.late[k].Of == of {
		return c.groupOf(&c.late[k])
	}
	return nil
}

// NextLate returns the late thing that set out next after a time, or after a thing that did then (of;
// nil: none), or for dir < 0 before: of all, or of one cause alone.
func (c *Causes) NextLate(begin int64, of *spans.Ref, dir int, cause Cause) (h why.Hitch, ok bool) {
	place := behind
	if of != nil {
		place = *of
	} else if dir < 0 {
		place = before
	}
	k := c.placeOf(begin, place)
	if dir < 0 {
		k--
	} else if k < len(c.late) && c.late[k].Of == place {
		k++
	}
	for ; k >= 0 && k < len(c.late); k += dir {
		if cause == (Cause{}) || OfHitch(&c.late[k]) == cause {
			return c.late[k], true
		}
	}
	return h, false
}
