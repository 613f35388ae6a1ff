package view

import (
	"cmp"
	"slices"

	"framescope/charts/format"
	"framescope/model"
	"framescope/model/spans"
	"framescope/model/store"
	"framescope/model/why"
)

// OfWays reports whether things on ways (buffers of a pipeline) stand for a thread in queries for
// hitches: it has no frames, and the session has ways.
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

// mergeWays merges the late things of all ways into one order of time.
func (c *Causes) mergeWays() {
	c.late = c.late[:0]
	for _, way := range c.ways {
		c.late = append(c.late, c.engine.Hitches(way)...)
	}
	slices.SortFunc(c.late, func(a, b why.Hitch) int { return inOrder(&a, b.BeginNs, b.Of) })
}

// inOrder compares a late thing with one that set out at a time.
func inOrder(h *why.Hitch, begin int64, of spans.Ref) int {
	return cmp.Or(cmp.Compare(h.BeginNs, begin), cmp.Compare(h.Of.Track, of.Track), cmp.Compare(h.Of.Lane, of.Lane),
		cmp.Compare(h.Of.Index, of.Index))
}

// Places in the order: before all that set out at a time, and behind them.
var before, behind = spans.Ref{Track: -1}, spans.Ref{Track: 1<<31 - 1}

// placeOf returns how many late things come before a place in the order.
func (c *Causes) placeOf(begin int64, of spans.Ref) int {
	k, _ := slices.BinarySearchFunc(c.late, begin, func(h why.Hitch, begin int64) int { return inOrder(&h, begin, of) })
	return k
}

// Late returns the late things of all ways that set out in [t0, t1), in order.
func (c *Causes) Late(t0, t1 int64) []why.Hitch {
	return c.late[c.placeOf(t0, before):c.placeOf(t1, before)]
}

// thingOf returns the thing that a span belongs to: on its way, or a stop of it.
func (c *Causes) thingOf(b spans.Bar) (of spans.Bar, ok bool) {
	switch t := c.Session().Track(b.Ref.Track); {
	case t == nil:
		return of, false
	case t.Def.Kind == model.TrackElement:
		c.Session().Spans().Passage(b.Ref, &c.passed)
		return c.passed.Way, c.passed.Way.Count > 0
	default:
		return b, t.Def.Kind == model.TrackStream
	}
}

// LateThing returns the group of the late thing that a span belongs to, nil if there is none, or if it
// is not explained yet.
func (c *Causes) LateThing(b spans.Bar) *why.Group {
	b, ok := c.thingOf(b)
	if k := c.placeOf(b.Begin, b.Ref); ok && k < len(c.late) && c.late[k].Of == b.Ref {
		return c.groupOf(&c.late[k])
	}
	return nil
}

// NextLate returns the late thing that set out next after a time, or after the one of the selected span,
// or for dir < 0 before: only those of one cause, if given. ways is false if the session has no ways.
func (c *Causes) NextLate(span spans.Bar, selected bool, at int64, dir int, cause Cause) (b spans.Bar, ok, ways bool) {
	if ways = c.Session().Contents().Ways; !ways {
		return b, false, false
	}
	place, all := format.Pick(dir < 0, before, behind), c.GroupOf(cause) == nil
	if of, ok := c.thingOf(span); selected && ok {
		at, place = of.Begin, of.Ref
	}
	k := c.placeOf(at, place)
	if dir < 0 {
		k--
	} else if k < len(c.late) && c.late[k].Of == place {
		k++
	}
	for ; k >= 0 && k < len(c.late); k += dir {
		if all || OfHitch(&c.late[k]) == cause {
			b, ok = c.Session().Spans().ByRef(c.late[k].Of)
			return b, ok, true
		}
	}
	return b, false, true
}
