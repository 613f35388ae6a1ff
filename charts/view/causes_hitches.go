// File causes_causes.go caches for all panels why frames of a session are slow: single frames, and all hitches
// of a thread, which it finds a piece a tick. It knows the model alone.

package view

import (
	"cmp"
	"slices"
	"time"

	"framescope/model"
	"framescope/model/compare"
	"framescope/model/flow"
	"framescope/model/spans"
	"framescope/model/store"
	"framescope/model/why"
)

// Causes caches why frames of a session are slow: of one frame, and of all hitches of the view's
// thread. All panels of a session share one, so that none repeats a query.
type Causes struct {
	engine *why.Engine
	treats int // as of what the user says of collectors
	answer why.Answer
	of     answered
	known  bool
	made   uint64

	track    model.TrackID // that hitches are known of; NoTrack: of the ways
	tick     int64         // in which more of them were looked for last
	atNs     int64
	looked   bool
	ready    bool
	groups   []why.Group
	changes  uint64 // revision of the engine for the groups
	revision uint64
	ways     []model.TrackID
	late     []why.Hitch // of all ways, in order of time
	passed   spans.Passage

	asker  flow.Asker
	wheres [2]where // of a way, and of an element
}

// answered is the key of an answer.
type answered struct {
	track    model.TrackID
	thing    spans.Ref // of a thing on a way
	number   int64
	beginNs  int64
	revision uint64
	base     *compare.Against
}

// NewCauses returns the empty cache of a session.
func NewCauses(s *store.Session) Causes {
	_, treats := s.Collectors().Treated()
	return Causes{engine: why.NewEngine(s), treats: treats}
}

// Of reports whether it belongs to a session, as the user says now which of its collectors wait.
func (c *Causes) Of(s *store.Session) bool {
	_, treats := s.Collectors().Treated()
	return c.engine != nil && c.engine.Session() == s && c.treats == treats
}

// Session returns its session.
func (c *Causes) Session() *store.Session { return c.engine.Session() }

// Frame explains the length of the frame with an index, as of a revision of the session; the last
// answer is cached. base is the source of typical values; nil: the frames around. The answer is valid
// until the next call; nil if there is no such frame. made is another number for each answer.
func (c *Causes) Frame(base *compare.Against, track model.TrackID, index int, revision uint64) (a *why.Answer, made uint64) {
	t := c.Session().Track(track)
	if t == nil || index < 0 || index >= t.NumFrames() {
		return nil, 0
	}
	f := t.Frame(index)
	if of := (answered{track: track, number: f.Number, beginNs: f.Begin, revision: revision, base: base}); of != c.of || !c.known {
		c.of, c.known = of, c.engine.FrameOver(base, track, index, &c.answer)
		c.made++
	}
	return &c.answer, c.made
}

// Thing explains the time of a thing on its way, as Frame does; nil if a span belongs to none, and
// while too much of the way is unread, which Prepare has to read.
func (c *Causes) Thing(ref spans.Ref, revision uint64) (a *why.Answer, made uint64) {
	if t := c.Session().Track(ref.Track); t == nil || t.Def.Kind != model.TrackStream || c.engine.Unread(ref.Track) > mostUnread {
		return nil, 0
	}
	if of := (answered{track: ref.Track, thing: ref, revision: revision}); of != c.of || !c.known {
		index, ok := c.engine.ThingOf(ref)
		if !ok {
			return nil, 0
		}
		c.of, c.known = of, c.engine.Thing(ref.Track, index, &c.answer)
		c.made++
	}
	return &c.answer, c.made
}

// Sizes of the work of finding hitches.
const (
	causesNs      = 1_500_000   // of a tick
	causesEveryNs = 250_000_000 // while data come, and as often marks and lists are others
	mostUnread    = 1 << 16     // spans of a way that are read for an answer
)

// Prepare finds and explains hitches of a thread, or of things on ways if these stand for it (see
// OfWays): once a tick, for a part of its time, and only while something has changed; wholly: all of
// them at once.
func (c *Causes) Prepare(track model.TrackID, tick, now int64, wholly bool) {
	if c.findWays(track); len(c.ways) > 0 {
		track = model.NoTrack
	}
	if c.track != track || !c.looked {
		c.track, c.looked, c.ready = track, true, false
		c.group()
	} else if !wholly && (c.tick == tick || c.ready && now/causesEveryNs == c.atNs/causesEveryNs) {
		return
	}
	c.tick = tick
	more := true
	for begin := time.Now(); more && (wholly || time.Since(begin) < causesNs); {
		more = c.piece()
	}
	if was := c.ready; !more || wholly || now/causesEveryNs != c.atNs/causesEveryNs {
		if c.ready, c.atNs = !more, now; c.changes != c.changed() || c.ready != was {
			c.group()
		}
	}
}

// piece does a piece of the work, and reports whether there is more.
func (c *Causes) piece() (more bool) {
	if c.track != model.NoTrack {
		return c.engine.Prepare(c.track, 1)
	}
	for _, way := range c.ways {
		if c.engine.Prepare(way, 1) {
			return true
		}
	}
	return false
}

// changed returns another number when hitches are others.
func (c *Causes) changed() (n uint64) {
	if c.track != model.NoTrack {
		return c.engine.Changes(c.track)
	}
	for _, way := range c.ways {
		n += c.engine.Changes(way)
	}
	return n
}

// group puts the hitches together by their causes.
func (c *Causes) group() {
	if c.track != model.NoTrack {
		c.groups = c.engine.Groups(c.track, c.groups[:0])
	} else {
		c.mergeWays()
		c.groups = c.engine.GroupsOf(c.late, c.groups[:0])
	}
	c.changes = c.changed()
	c.revision++
}

// Revision changes whenever the hitches or their causes are others.
func (c *Causes) Revision() uint64 { return c.revision }

// Ready reports whether all present hitches were found and explained.
func (c *Causes) Ready() bool { return c.ready }

// Hitches returns the hitches of the view's thread with the numbers of frames [first, last], in order.
func (c *Causes) Hitches(first, last int64) []why.Hitch {
	all := c.engine.Hitches(c.track)
	return all[CauseFrom(all, first):CauseFrom(all, last+1)]
}

// From returns the place of the first hitch with a number or a higher one.
func CauseFrom(all []why.Hitch, number int64) int {
	k, _ := slices.BinarySearchFunc(all, number, func(h why.Hitch, n int64) int { return cmp.Compare(h.Number, n) })
	return k
}

// GroupsOf appends some hitches by their causes: see why.Engine.GroupsOf.
func (c *Causes) GroupsOf(hitches []why.Hitch, out []why.Group) []why.Group {
	return c.engine.GroupsOf(hitches, out)
}

// Group returns the group of the hitch with a number of a frame, nil where it is no hitch, or not
// explained yet.
func (c *Causes) Group(number int64) *why.Group {
	all := c.engine.Hitches(c.track)
	k := CauseFrom(all, number)
	if k >= len(all) || all[k].Number != number {
		return nil
	}
	return c.groupOf(&all[k])
}

// GroupOf returns the group of a cause, nil where it has no hitches.
func (c *Causes) GroupOf(of Cause) *why.Group {
	for i := range c.groups {
		if g := &c.groups[i]; By(g) == of {
			return g
		}
	}
	return nil
}

func (c *Causes) groupOf(h *why.Hitch) *why.Group { return c.GroupOf(OfHitch(h)) }

// Cause is a root cause of hitches; the zero value is none.
type Cause struct {
	why.Cause
	some bool
}

// By returns the root cause of a group.
func By(g *why.Group) Cause { return Cause{g.Cause, true} }

// OfHitch returns the root cause of a hitch.
func OfHitch(h *why.Hitch) Cause { return Cause{h.Cause(), true} }

// Parts appends the parts of a frame, beside their typical values: see why.Engine.PartsOver.
func (c *Causes) Parts(base *compare.Against, track model.TrackID, index int, out []why.Part) (list []why.Part, around int) {
	return c.engine.PartsOver(base, track, index, out)
}
